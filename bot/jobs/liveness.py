"""Tells whether another process of Footnote still runs, so that the jobs of a killed one are taken over at once.

A process id can be reused, and a lease has to run out first; the operating system releases the lock on a file as
soon as its process ends, however it ends.
"""

import sys
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

if sys.platform != "win32":
    import fcntl


class LivenessFile:
    """Locks the file of ``owner`` in ``folder`` for as long as the process runs."""

    def __init__(self, folder: Path, owner: str) -> None:
        self.owner = owner
        self._folder = folder
        self._file: BinaryIO | None = None

    def __enter__(self) -> "LivenessFile":
        self._folder.mkdir(parents=True, exist_ok=True)
        self._file = self._path(self.owner).open("wb")
        _lock(self._file)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._path(self.owner).unlink(missing_ok=True)
            self._file.close()

    def is_alive(self, owner: str) -> bool:
        """Whether ``owner`` still holds its lock; True where this system cannot say, so that the lease decides."""
        if owner == self.owner or sys.platform == "win32":
            return True
        try:
            file = self._path(owner).open("rb+")
        except FileNotFoundError:
            return False
        with file:
            if not _lock(file):
                return True
            self._path(owner).unlink(missing_ok=True)
            return False

    def _path(self, owner: str) -> Path:
        return self._folder / f"{owner}.alive"


def _lock(file: BinaryIO) -> bool:
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
