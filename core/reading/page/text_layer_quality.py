"""Whether a page's text layer can be trusted, and how much of the page its pictures cover.

The signals are those that the literature on old text layers uses (noise characters, broken words,
share of the page under pictures), kept free of any dictionary so that they hold in every language.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.reading.blocks import Rect

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
