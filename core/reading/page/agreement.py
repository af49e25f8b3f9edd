"""Two readings of one page, the text layer and the rendered picture: do they agree, and which is the better.

No dictionary is asked. Where the two differ, the words of the better reading look more like the words on which
both agree, measured by the letter trigrams of the page itself; a text layer that differs everywhere is judged by
how sure the recogniser was of its own.
"""

import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from core.reading.blocks import Line, Rect

MIN_LINE_SIMILARITY = 0.6
"""Similarity from which two readings of one line are readings of the same print."""
MIN_OCR_CONFIDENCE = 0.85
"""Mean confidence of the recogniser from which its reading may replace a text layer."""
KEEP_LAYER_OVERLAP = 0.97
"""Share of words in common from which the text layer stays: what differs is punctuation and chance."""
MIN_LIKELIHOOD_GAIN = 0.1
"""By how much the recogniser's words must look likelier; a good layer stays, for it is what others quote."""
SMOOTHING = 0.5


def fold_text(text: str) -> str:
    """Letters and digits only, in one case and width."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


def is_same_reading(one: str, other: str) -> bool:
    """Whether two strings are readings of the same print."""
    first, second = fold_text(one), fold_text(other)
    if not first or not second:
        return first == second
    return SequenceMatcher(None, first, second, autojunk=False).ratio() >= MIN_LINE_SIMILARITY


def ocr_words_in(rect: Rect, picture: Sequence[Line]) -> str:
    """The words of the picture's reading that stand within ``rect``."""
    x0, y0, x1, y1 = rect[0] - 2, rect[1] - 2, rect[2] + 2, rect[3] + 2
    words = []
    for line in picture:
        if line.rect[3] < y0 or line.rect[1] > y1:
            continue
        for span in line.spans:
            x, y = (span.rect[0] + span.rect[2]) / 2, (span.rect[1] + span.rect[3]) / 2
            if x0 <= x <= x1 and y0 <= y <= y1:
                words.append(span.text)
    return " ".join(words)


def is_ocr_better(layer: Iterable[str], picture: Iterable[str], confidence: float) -> bool:
    """Whether the reading of the rendered page should replace the text layer."""
    ours, theirs = Counter(_tokenise(picture)), Counter(_tokenise(layer))
    shared = ours & theirs
    only_ours, only_theirs = ours - shared, theirs - shared
    if not ours or confidence < MIN_OCR_CONFIDENCE:
        return False
    if not theirs:
        return True
    if (
        shared.total() >= KEEP_LAYER_OVERLAP * min(ours.total(), theirs.total())
        and shared.total() >= 0.9 * ours.total()
    ):
        return False
    if shared.total() < 0.3 * ours.total():  # the layer is no reading of this print at all
        return ours.total() >= 0.3 * theirs.total()
    model = TrigramModel(shared)
    return model.plausibility(only_ours) > model.plausibility(only_theirs) + MIN_LIKELIHOOD_GAIN


class TrigramModel:
    """How much a word looks like the words of a sample, by the letters that follow two others.

    Add-constant smoothing over the sample's alphabet (Jurafsky and Martin, Speech and Language Processing, ch. 3).
    """

    def __init__(self, words: Counter[str]) -> None:
        self._threes: Counter[str] = Counter()
        self._twos: Counter[str] = Counter()
        for word, count in words.items():
            for three in _trigrams(word):
                self._threes[three] += count
                self._twos[three[:2]] += count
        self._alphabet = len({three[2] for three in self._threes}) + 1

    def plausibility(self, words: Counter[str]) -> float:
        """Mean logarithm of a letter's probability over all ``words``; 0 where there are none."""
        total = count = 0.0
        for word, times in words.items():
            for three in _trigrams(word):
                chance = (self._threes[three] + SMOOTHING) / (self._twos[three[:2]] + SMOOTHING * self._alphabet)
                total += times * math.log(chance)
                count += times
        return total / count if count else 0.0


def _trigrams(word: str) -> list[str]:
    padded = f"  {word} "
    return [padded[i : i + 3] for i in range(len(padded) - 2)]


def _tokenise(lines: Iterable[str]) -> list[str]:
    words = []
    for line in lines:
        for token in line.split():
            word = unicodedata.normalize("NFKC", token).strip(".,;:()[]{}\"'“”‘’«»–—-")
            if len(word) >= 3 and any(c.isalpha() for c in word):
                words.append(word)
    return words
