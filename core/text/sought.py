"""Finds the words of one question in many texts, taking apart only those words of a text that could be among them.

It stands apart from the tokeniser because it gives what the tokeniser gives, for less: nearly all words of a passage
begin otherwise than every word of the question, and need neither be reduced to a stem nor remembered.
"""

import string
from collections.abc import Iterable

from core.text.tokens import index_tokens, plain_text

_BEHIND = ".,;:!?)"
_HEAD = 3
_OTHERWISE = {"die": "dy", "lie": "ly", "tie": "ty"}
"""The stems that do not begin as their words do."""
_NOTHING = frozenset[str]()


class Sought:
    """A set of tokens to be looked for; remembers the pieces of text that it has seen, so it is for one question."""

    def __init__(self, tokens: Iterable[str]) -> None:
        self.tokens = frozenset(tokens)
        self._heads = frozenset(head for token in self.tokens for head in _heads(token))
        self._seen: dict[str, frozenset[str]] = {}

    def held(self, text: str) -> frozenset[str]:
        """Those of the tokens that ``index_tokens`` finds in ``text``."""
        seen = self._seen
        found = set[str]()
        for piece in set(plain_text(text).split()):
            held = seen.get(piece)
            if held is None:
                held = seen[piece] = self._of(piece)
            if held:
                found |= held
        return frozenset(found)

    def _of(self, piece: str) -> frozenset[str]:
        word = piece.rstrip(_BEHIND)
        if word[:_HEAD] in self._heads or not (word.isalnum() and word.isascii()):
            return self.tokens.intersection(index_tokens(piece))
        return _NOTHING


def _heads(token: str) -> list[str]:
    """How the words begin whose token this is: stems differ from words at their end, the shortest at any letter."""
    if len(token) > _HEAD:
        return [token[:_HEAD]]
    begins = [token[: _HEAD - 1], _OTHERWISE.get(token, token[: _HEAD - 1])]
    return [token, *begins, *(begin + sign for begin in begins for sign in string.ascii_lowercase + string.digits)]
