"""Printed lines read as running text: words that a line, column or page end broke are made whole again.

Whether "inter-" + "national" is one word or two is settled by the paper itself: it mostly prints the word
somewhere else unbroken. Letters and digits are never changed, so a quote still matches its page.
"""

import re
from collections.abc import Iterable, Sequence

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_BROKEN = re.compile(r"([^\W\d_]{2,})[-\u00ad\u2010]$")
_IDEOGRAPH = re.compile("[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]")
_OPEN_END = ("-", "/", "\u2013", "\u2010")


class Vocabulary:
    """The paper's own words, by how often it prints them unbroken."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._known: dict[str, int] = {}
        for line in lines:
            for word in _WORD.findall(line):
                self._known[word.lower()] = self._known.get(word.lower(), 0) + 1

    def joined(self, before: str, after: str) -> str:
        """``before`` and ``after`` as one text, ``after`` beginning a new printed line."""
        found = _BROKEN.search(before[-40:])
        following = _WORD.match(after)
        if before.endswith("\u00ad"):
            return before[:-1] + after
        if found is None or following is None:
            if _IDEOGRAPH.match(before[-1:]) and _IDEOGRAPH.match(after[:1]):
                return before + after
            return before + ("" if before.endswith(_OPEN_END) and after[:1].isalnum() else " ") + after
        if not after[0].islower():
            return before + after
        first, second = found[1].lower(), following[0].split("-")[0].lower()
        whole, hyphened = self._known.get(first + second, 0), self._known.get(f"{first}-{second}", 0)
        return (before if hyphened > whole else before[:-1]) + after


def join_lines(lines: Sequence[str], words: Vocabulary) -> str:
    """Lines as one text on one line."""
    text = ""
    for line in lines:
        line = " ".join(line.split())
        text = words.joined(text, line) if text and line else text + line
    return text
