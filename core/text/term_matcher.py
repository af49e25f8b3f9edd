"""Finds the words of one question in many texts, taking apart only those words of a text that could be among them.

It stands apart from the tokeniser because it gives what the tokeniser gives, for less: most words of a question stand
nowhere in a passage, which looking for their letters tells without taking a single word of it apart.
"""

import re
from collections.abc import Iterable

from core.text.tokens import fold_for_tokens, index_tokens

_SHORT = 3
_OTHERWISE = frozenset({"die", "lie", "tie"})
"""The stems of words that go on with another letter: "dying"."""
_CHANGED = "'\x80-\U0010ffff"
"""Where a token may be spelt otherwise than the text: "don't", accents, other scripts."""


class TermMatcher:
    """A set of tokens to be looked for; remembers the texts and words that it has seen, so it is for one question."""

    def __init__(self, tokens: Iterable[str]) -> None:
        self.tokens = frozenset(tokens)
        self._spelt = [(token, _letters(token)) for token in sorted(self.tokens) if token.isascii()]
        numbers = any(sign.isdigit() for token in self.tokens for sign in token)
        self._changed = re.compile(f"[{_CHANGED}0-9]" if numbers else f"[{_CHANGED}]")
        self._seen: dict[str, frozenset[str]] = {}
        self._texts: dict[str, frozenset[str]] = {}

    def held(self, text: str) -> frozenset[str]:
        """Those of the tokens that ``index_tokens`` finds in ``text``."""
        known = self._texts.get(text)
        if known is None:
            known = self._texts[text] = self._found(fold_for_tokens(text))
        return known

    def _found(self, text: str) -> frozenset[str]:
        found = set[str]()
        for token, letters in self._spelt:
            at = text.find(letters)
            while at >= 0 and token not in found:
                end = _end(text, at)
                found |= self._among(_piece(text, at, end))
                at = text.find(letters, end)
        end = 0
        for sign in self._changed.finditer(text):
            if sign.start() >= end:
                end = _end(text, sign.start())
                found |= self._among(_piece(text, sign.start(), end))
        return frozenset(found)

    def _among(self, piece: str) -> frozenset[str]:
        held = self._seen.get(piece)
        if held is None:
            held = self._seen[piece] = self.tokens.intersection(index_tokens(piece))
        return held


def _end(text: str, at: int) -> int:
    """Where the space behind ``at`` is, or the text's end."""
    end = text.find(" ", at)
    return end if end >= 0 else len(text)


def _piece(text: str, at: int, end: int) -> str:
    return text[text.rfind(" ", 0, at) + 1 : end]


def _letters(token: str) -> str:
    """Letters that stand together in every word whose token this is.

    A stem differs from its words in the last letter, a short one in any but the first two; of what a hyphen or an
    underscore joins the longest part tells most.
    """
    part = max(token.split("-"), key=len)
    return part[:-1] if len(part) > _SHORT else part[: 1 if part in _OTHERWISE else 2]
