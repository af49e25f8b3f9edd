"""Whether a page's text layer can be trusted, and whether OCR of the rendered page is better.

The signals are those of the literature on old text layers (noise characters, broken words, share of the page under
pictures), without any dictionary, so that they hold in every language. Where layer and OCR differ, the words of the
better one look more like the words that both have, measured by the letter trigrams of the page itself.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import product

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
_PUNCTUATION = ".,;:()[]{}\"'“”‘’«»–—-"
_RASTER = 40
"""Cells of the raster along each side of a page."""
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
    return TextLayerQuality(
        letters=_count_where(str.isalnum, characters),
        noise=_share(_count_where(is_unreadable_character, characters), characters.total()),
        broken=_share(broken, max(words, 1)),
        vowels=_vowel_share(characters),
    )


def _count_where(condition: Callable[[str], bool], characters: Counter[str]) -> int:
    return sum(times for character, times in characters.items() if condition(character))


def _vowel_share(characters: Counter[str]) -> float:
    """Share of vowels among Latin letters without their accents; 1 where these are too few to tell."""
    plain: Counter[str] = Counter()
    for character, times in characters.items():
        for part in unicodedata.normalize("NFD", character.lower()):
            plain[part] += times * ("a" <= part <= "z")
    if plain.total() < 5 * MIN_LETTERS:
        return 1.0
    return _share(_count_where(_LATIN_VOWELS.__contains__, plain), plain.total())


def is_unreadable_character(character: str) -> bool:
    """Whether a character has no value that a person could read: unmapped, private, a control, a pictograph."""
    return has_no_value(character) or ("\u2500" <= character <= "\u27bf" and unicodedata.category(character) == "So")


def has_no_value(character: str) -> bool:
    """Whether a character stands for a glyph whose meaning the file does not give."""
    if character == "\N{REPLACEMENT CHARACTER}":
        return True
    return character not in "\t\n\r" and unicodedata.category(character) in ("Co", "Cn", "Cc", "Cs")


def image_coverage(pictures: Iterable[Rect], page: Rect) -> float:
    """Share of the page that lies under pictures, counted on a coarse raster so that overlaps count once."""
    width, height = page[2] - page[0], page[3] - page[1]
    if width <= 0 or height <= 0:
        return 0.0
    covered: set[tuple[int, int]] = set()
    for x0, y0, x1, y1 in pictures:
        columns = _raster_cells(x0 - page[0], x1 - page[0], width)
        rows = _raster_cells(y0 - page[1], y1 - page[1], height)
        covered.update(product(columns, rows))
    return len(covered) / _RASTER**2


def _raster_cells(start: float, end: float, length: float) -> range:
    """The raster cells whose middle lies between ``start`` and ``end``."""
    return range(max(0, round(start / length * _RASTER)), min(_RASTER, round(end / length * _RASTER)))


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


def is_same_reading(text: str, other: str) -> bool:
    """Whether two strings are readings of the same print."""
    first, second = fold_text(text), fold_text(other)
    if not first or not second:
        return first == second
    return SequenceMatcher(None, first, second, autojunk=False).ratio() >= MIN_LINE_SIMILARITY


def ocr_words_in(rect: Rect, picture: Sequence[Line]) -> str:
    """The words of the picture's reading that stand within ``rect``."""
    frame = (rect[0] - 2, rect[1] - 2, rect[2] + 2, rect[3] + 2)
    near = (line for line in picture if line.rect[3] >= frame[1] and line.rect[1] <= frame[3])
    return " ".join(span.text for line in near for span in line.spans if _has_centre_in(span.rect, frame))


def _has_centre_in(rect: Rect, frame: Rect) -> bool:
    x, y = (rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2
    return frame[0] <= x <= frame[2] and frame[1] <= y <= frame[3]


def is_ocr_better(layer: Iterable[str], picture: Iterable[str], confidence: float) -> bool:
    """Whether the reading of the rendered page should replace the text layer."""
    ours, theirs = Counter(_tokenise(picture)), Counter(_tokenise(layer))
    if not ours or confidence < MIN_OCR_CONFIDENCE:
        return False
    if not theirs:
        return True
    shared = ours & theirs
    is_most_of_ours = shared.total() >= 0.9 * ours.total()
    if is_most_of_ours and shared.total() >= KEEP_LAYER_OVERLAP * min(ours.total(), theirs.total()):
        return False
    if shared.total() < 0.3 * ours.total():  # the layer is no reading of this print at all
        return ours.total() >= 0.3 * theirs.total()
    model = TrigramModel(shared)
    return model.plausibility(ours - shared) > model.plausibility(theirs - shared) + MIN_LIKELIHOOD_GAIN


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
    """Words of three characters and more that hold a letter, without the punctuation around them."""
    tokens = (token for line in lines for token in line.split())
    words = (unicodedata.normalize("NFKC", token).strip(_PUNCTUATION) for token in tokens)
    return [word for word in words if len(word) >= 3 and any(map(str.isalpha, word))]
