"""Puts right what a text layer has in pieces or by another name: accents beside their letters, soft hyphens in print.

A font without accented letters prints the accent over the letter as a character of its own; a soft hyphen that is
drawn within a line is a hyphen. Both can be told only by where the characters stand.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from core.reading.page.lines import CharacterLine, RawCharacter, RawLine, line_text

SOFT_HYPHEN = "\N{SOFT HYPHEN}"
_COMBINING = {
    "´": "\u0301",
    "`": "\u0300",
    "ˆ": "\u0302",
    "^": "\u0302",
    "˜": "\u0303",
    "~": "\u0303",
    "¨": "\u0308",
    "¸": "\u0327",
    "˛": "\u0328",
    "˚": "\u030a",
    "ˇ": "\u030c",
    "˘": "\u0306",
    "˝": "\u030b",
    "˙": "\u0307",
    "¯": "\u0304",
}
"""Spacing accent -> the combining one; Unicode decomposes only some of them."""
_DOTLESS = str.maketrans("ıȷ", "ij")
_NEEDED = re.compile("[" + "".join(map(re.escape, _COMBINING)) + "]|" + SOFT_HYPHEN + r"(?=\s*\S)")
_MIN_HYPHEN_WIDTH = 0.1
"""Of the size; a soft hyphen that is narrower is not drawn."""


def needs_character_repair(lines: Iterable[RawLine]) -> bool:
    """Whether a line has an accent by itself, or a soft hyphen before its end."""
    return any(_NEEDED.search(line_text(line)) for line in lines)


def repair_characters(lines: Iterable[CharacterLine]) -> None:
    """Compose accents with their letters and make drawn soft hyphens hyphens, in place."""
    for line in lines:
        if not _NEEDED.search("".join(span["text"] for span in line["spans"])):
            continue
        characters = [character for span in line["spans"] for character in span["chars"]]
        _compose_accents(characters)
        for span in line["spans"]:
            _replace_soft_hyphens(span["chars"], characters[-1], span["size"])
            span["text"] = "".join(character["c"] for character in span["chars"])


def _compose_accents(characters: Sequence[RawCharacter]) -> None:
    for index, accent in enumerate(characters):
        mark = _COMBINING.get(accent["c"])
        if mark is None:
            continue
        for other in _nearest(index, len(characters)):
            composed = unicodedata.normalize("NFC", characters[other]["c"].translate(_DOTLESS) + mark)
            if len(composed) == 1 and _stands_over(accent, characters[other]):
                for character in characters[min(index, other) : max(index, other) + 1]:
                    character["layer"] = character["c"]  # a quote has what the file says
                    character["c"] = composed if character is characters[other] else ""
                break


def _nearest(index: int, count: int) -> Iterable[int]:
    """The characters next to one, and those beyond a space that the layer may have between the two."""
    return (other for other in (index - 1, index + 1, index - 2, index + 2) if 0 <= other < count)


def _stands_over(accent: RawCharacter, letter: RawCharacter) -> bool:
    middle = (accent["bbox"][0] + accent["bbox"][2]) / 2
    return letter["c"].isalpha() and letter["bbox"][0] < middle < letter["bbox"][2]


def _replace_soft_hyphens(characters: Iterable[RawCharacter], last: RawCharacter, size: float) -> None:
    """A soft hyphen at the end of a line stays: it says that the word goes on."""
    for character in characters:
        if character["c"] == SOFT_HYPHEN and character is not last:
            is_drawn = character["bbox"][2] - character["bbox"][0] > _MIN_HYPHEN_WIDTH * size
            character["c"] = "-" if is_drawn else ""
