"""Leaves out the thoughts that a reasoning model writes between think tags, also where a tag comes in pieces."""

import re

_OPEN = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_CLOSE = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_TAGS = ("<think>", "<thinking>", "</think>", "</thinking>")
_LONGEST = max(map(len, _TAGS))
_WRITTEN_OUT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_UNOPENED = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)


def without_thoughts(text: str) -> str:
    """A whole reply without its thoughts, whose opening tag some servers swallow."""
    return _UNOPENED.sub(" ", _WRITTEN_OUT.sub(" ", text)).strip()


class ThoughtFilter:
    """Takes pieces of a reply and gives those that are meant for a reader.

    ``inside``: the reply begins in the middle of thoughts, as where a server puts the opening tag into the prompt. What
    is never closed then was no thought, and comes at the end.
    """

    def __init__(self, *, inside: bool = False) -> None:
        self._held = ""
        self._inside = inside
        self._unopened = inside
        self._thoughts = ""
        self.seen = False
        """Whether there was a tag."""
        self.unopened = False
        """Whether thoughts ended that had no opening tag."""

    def outside(self, piece: str) -> str:
        """The part of the text so far that is meant for a reader and was not yet handed on."""
        self._held += piece
        shown = ""
        while tag := (_CLOSE.search(self._held) or (None if self._inside else _OPEN.search(self._held))):
            before, self._held = self._held[: tag.start()], self._held[tag.end() :]
            shown += self._keep(before)
            self._follow(opens=tag.group()[1] != "/")
        cut = len(self._held) - self._begun_tag()
        shown += self._keep(self._held[:cut])
        self._held = self._held[cut:]
        return shown

    def rest(self) -> str:
        """What is left at the end of the reply."""
        left, self._held = self._held, ""
        if self._unopened:
            return self._thoughts + left
        return "" if self._inside else left

    def _follow(self, *, opens: bool) -> None:
        self.seen = True
        self.unopened = self.unopened or (not opens and (not self._inside or self._unopened))
        self._inside, self._unopened = opens, False

    def _keep(self, text: str) -> str:
        if not self._inside:
            return text
        if self._unopened:
            self._thoughts += text
        return ""

    def _begun_tag(self) -> int:
        """Length of the beginning of a tag with which the text ends."""
        tail = self._held[-_LONGEST:].casefold()
        lengths = range(min(len(tail), _LONGEST), 0, -1)
        return next((size for size in lengths if any(tag.startswith(tail[-size:]) for tag in _TAGS)), 0)
