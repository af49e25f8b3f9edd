"""The library's ports in memory, for the tests of other rooms: the same promises, nothing on disk.

The contract suites in ``tests/contracts`` run over these and over SQLite alike.
"""

from core.library.fakes.lexical import FakeLexicalIndex
from core.library.fakes.memory import FakeMemory
from core.library.fakes.papers import FakeLibrary

__all__ = ["FakeLexicalIndex", "FakeLibrary", "FakeMemory"]
