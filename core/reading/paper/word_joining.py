"""Printed lines read as running text: words that a line, column or page end broke are made whole again.

Whether "inter-" + "national" is one word or two is settled by the paper itself: it mostly prints the word
somewhere else unbroken. Letters and digits are never changed, so a quote still matches its page.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from core.text import STOP_WORDS

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_BROKEN = re.compile(r"([^\W\d_]{2,})[-\u00ad\u2010]$")
_IDEOGRAPH = re.compile("[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]")
_OPEN_END = ("-", "/", "\u2013", "\u2010")

MIN_PART = 3
"""Letters of the parts of a compound."""


class Vocabulary:
    """The paper's own words, by how often it prints them unbroken; the halves of a broken word are none."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._counts: Counter[str] = Counter()
        is_broken = False
        for line in lines:
            words = _WORD.findall(line.lower())
            goes_on, is_broken = is_broken, _BROKEN.search(line.rstrip()[-40:]) is not None
            self._counts.update(words[int(goes_on) : len(words) - is_broken])

    def join(self, before: str, after: str) -> str:
        """``before`` and ``after`` as one text, ``after`` beginning a new printed line."""
        broken, following = _BROKEN.search(before[-40:]), _WORD.match(after)
        if broken is None or following is None:
            return before + _separator(before, after) + after
        if not after[0].islower():
            return (before[:-1] + "-" if before.endswith("\u00ad") else before) + after
        is_compound = self._is_compound(broken[1].lower(), following[0].split("-")[0].lower())
        return before[:-1] + "-" * is_compound + after

    def _is_compound(self, first: str, second: str) -> bool:
        """Whether two words have a hyphen of their own between them, as the paper prints them elsewhere.

        Where it prints neither form, two words that each stand alone elsewhere are a compound; small words are
        parts of others more often ("there-fore").
        """
        hyphenated, joined = self._counts[f"{first}-{second}"], self._counts[first + second]
        if hyphenated or joined:
            return hyphenated > joined
        both = (first, second)
        return all(self._counts[word] and word not in STOP_WORDS and len(word) >= MIN_PART for word in both)


def _separator(before: str, after: str) -> str:
    """What stands between two lines that no broken word joins: a space in most scripts."""
    if _IDEOGRAPH.match(before[-1:]) and _IDEOGRAPH.match(after[:1]):
        return ""
    is_open = before.endswith(_OPEN_END) and after[:1].isalnum()
    return "" if is_open else " "


def join_lines(lines: Sequence[str], words: Vocabulary) -> str:
    """Lines as one text on one line."""
    text = ""
    for line in lines:
        printed = " ".join(line.split())
        text = words.join(text, printed) if text and printed else text + printed
    return text
