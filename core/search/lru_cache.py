"""A small memory of what was found: least recently used goes first, and a key names all that an answer rests on."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class LruCache(Generic[Key, Value]):
    """At most ``most`` entries; 0 remembers nothing."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._entries: OrderedDict[Key, Value] = OrderedDict()

    def get(self, key: Key) -> Value | None:
        """What is kept under ``key``, which thereby becomes the most recent."""
        if key not in self._entries:
            return None
        self._entries.move_to_end(key)
        return self._entries[key]

    def keep(self, key: Key, value: Value) -> None:
        """Remember; the entry that was not used for longest goes where there are too many."""
        self._entries[key] = value
        self._entries.move_to_end(key)
        while len(self._entries) > self._most:
            self._entries.popitem(last=False)

    def clear(self) -> None:
        """Forget everything."""
        self._entries.clear()

    def __len__(self) -> int:
        return len(self._entries)
