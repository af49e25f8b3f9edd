"""Whether a page's text layer can be trusted, and whether OCR of the rendered page is better.

The signals are those of the literature on old text layers (noise characters, broken words, share of the page under
pictures), without any dictionary, so that they hold in every language. Where layer and OCR differ, the words of the
better one look more like the words that both have, measured by the letter trigrams of the page itself.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from core.reading.blocks import Line, Rect

MIN_LETTERS = 40
"""Letters below which shares say nothing."""
MAX_NOISE_SHARE = 0.10
"""Share of characters without a readable value from which a text layer is doubted."""
MAX_BROKEN_SHARE = 0.25
"""Share of words that no language writes (letters and digits mixed, capitals inside) from which it is doubted."""
MIN_VOWEL_SHARE = 0.22
"""Latin text of any language has 35 to 50 % vowels; a layer with shifted letters has far fewer."""
MIN_SCAN_COVERAGE = 0.5
"""Share of the page under pictures from which it may be a scan."""
MAX_STAMP_LETTERS = 400
"""Letters up to which a covered page may still be a scan with a stamp on it."""

_WORD = re.compile(r"[^\W_]{3,}")
_BROKEN = re.compile(r"[^\W\d_]\d[^\W\d_]|[a-z][A-Z][a-z]|[^\W\d_][?!|¦¬~^°·•][^\W\d_]")
_LATIN_VOWELS = frozenset("aeiouy")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextLayerQuality:
    """What speaks for or against a text layer; shares from 0 to 1."""

    letters: int
    noise: float
    broken: float
    vowels: float

    @property
    def doubtful(self) -> bool:
        """Whether the layer should be compared with a reading of the rendered page."""
        if self.letters < MIN_LETTERS:
            return self.noise > MAX_NOISE_SHARE
        return self.noise > MAX_NOISE_SHARE or self.broken > MAX_BROKEN_SHARE or self.vowels < MIN_VOWEL_SHARE


def measure_quality(lines: Sequence[str]) -> TextLayerQuality:
    """The signals of a page's text, given line by line."""
    tokens = [token for line in lines for token in line.split()]
    words = sum(len(_WORD.findall(line)) for line in lines)
    broken = sum(len(token) > 3 and _BROKEN.search(token) is not None for token in tokens)
    characters = Counter("".join(tokens))  # few different ones a page: each is looked at once
    plain: Counter[str] = Counter()
    for character, times in characters.items():
        for part in unicodedata.normalize("NFD", character.lower()):
            if "a" <= part <= "z":
                plain[part] += times
    vowels = sum(times for letter, times in plain.items() if letter in _LATIN_VOWELS)
    return TextLayerQuality(
        letters=sum(times for c, times in characters.items() if c.isalnum()),
        noise=_share(sum(times for c, times in characters.items() if is_unreadable_character(c)), characters.total()),
        broken=_share(broken, max(words, 1)),
        vowels=_share(vowels, plain.total()) if plain.total() >= 5 * MIN_LETTERS else 1.0,
    )


def is_unreadable_character(character: str) -> bool:
    """Whether a character has no value that a person could read: unmapped, private, a control, a pictograph."""
    if character == "\N{REPLACEMENT CHARACTER}":
        return True
    category = unicodedata.category(character)
    return category in ("Co", "Cn", "Cc", "Cs") or (category == "So" and "\u2500" <= character <= "\u27bf")


def image_coverage(pictures: Iterable[Rect], page: Rect) -> float:
    """Share of the page that lies under pictures, counted on a coarse raster so that overlaps count once."""
    columns = rows = 40
    width, height = page[2] - page[0], page[3] - page[1]
    if width <= 0 or height <= 0:
        return 0.0
    covered: set[tuple[int, int]] = set()
    for x0, y0, x1, y1 in pictures:
        for column in _raster_cells(x0 - page[0], x1 - page[0], width, columns):
            covered.update((column, row) for row in _raster_cells(y0 - page[1], y1 - page[1], height, rows))
    return len(covered) / (columns * rows)


def _raster_cells(start: float, end: float, length: float, count: int) -> range:
    """The raster cells whose middle lies between ``start`` and ``end``."""
    first = max(0, round(start / length * count))
    last = min(count, round(end / length * count))
    return range(first, last)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


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
