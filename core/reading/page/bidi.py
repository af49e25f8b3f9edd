"""Puts right-to-left lines, which a page holds as they look, back into the order in which they are read.

A page stores glyphs where they are drawn; searching and quoting need the letters in the order of speech. This
undoes the reordering of the Unicode Bidirectional Algorithm (UAX #9) for a single printed line.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from core.reading.page.lines import CharacterLine, RawLine, RawSpan, extract_character_lines

if TYPE_CHECKING:
    import pymupdf

_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufefc]")
_MIRROR = str.maketrans("()[]{}<>«»‹›", ")(][}{><»«›‹")
_DIRECTIONS = {"R": "R", "AL": "R", "L": "L", "EN": "D", "AN": "D"}
"""Bidirectional class of a character -> R, L or D."""
_WITHIN_NUMBER = frozenset({"ES", "CS", "ET"})


def has_right_to_left(lines: Iterable[RawLine]) -> bool:
    """Whether any letter of the lines is Hebrew, Arabic or of another script that runs to the left."""
    return any(_RIGHT_TO_LEFT.search(span["text"]) for line in lines for span in line["spans"])


def lines_in_logical_order(page: "pymupdf.Page") -> list[RawLine]:
    """The page's lines with right-to-left ones in logical order; other lines as they are."""
    return [line_in_logical_order(line) for line in extract_character_lines(page)]


def line_in_logical_order(line: CharacterLine) -> RawLine:
    """The line in logical order where it holds right-to-left letters; a run of mixed style becomes one."""
    if not has_right_to_left([RawLine(spans=list(line["spans"]), bbox=line["bbox"], dir=line["dir"])]):
        return RawLine(spans=list(line["spans"]), bbox=line["bbox"], dir=line["dir"])
    clusters = _clusters(line)
    clusters.sort(key=lambda cluster: cluster[0])
    text = visual_to_logical([text for _, text in clusters])
    whole: RawSpan = max(line["spans"], key=lambda span: len(span["text"]))
    span = RawSpan(
        text=text,
        bbox=line["bbox"],
        size=whole["size"],
        font=whole["font"],
        flags=whole["flags"],
        char_flags=whole["char_flags"],
        color=whole["color"],
        alpha=whole["alpha"],
    )
    return RawLine(spans=[span], bbox=line["bbox"], dir=line["dir"])


def visual_to_logical(visual: Sequence[str]) -> str:
    """Clusters from left to right as drawn -> the text in reading order, presentation forms made plain."""
    units = [unicodedata.normalize("NFKC", unit) if _is_presentation_form(unit) else unit for unit in visual]
    kinds = _resolve_directions(units)
    rightwards = sum(kind == "R" for kind in kinds)
    if rightwards > len(kinds) - rightwards - kinds.count("N"):
        return _reverse_units(units, kinds)
    ordered: list[str] = []
    start = 0
    while start < len(units):
        end = start
        if kinds[start] == "R":
            end = _run_end(kinds, start)
            ordered.append(_reverse_units(units[start : end + 1], kinds[start : end + 1]))
        else:
            ordered.append(units[start])
        start = end + 1
    return "".join(ordered)


def _run_end(kinds: Sequence[str], start: int) -> int:
    """The last right-to-left letter before the next left-to-right one."""
    end = start
    for index in range(start, len(kinds)):
        if kinds[index] == "L":
            break
        if kinds[index] == "R":
            end = index
    return end


def _reverse_units(units: Sequence[str], kinds: Sequence[str]) -> str:
    """The units from right to left, with runs of Latin words and numbers kept from left to right."""
    out: list[str] = []
    index = len(units) - 1
    while index >= 0:
        if kinds[index] in "LD":
            start = _left_to_right_start(kinds, index)
            out.extend(units[start : index + 1])
            index = start - 1
        else:
            out.append(units[index].translate(_MIRROR))
            index -= 1
    return "".join(out)


def _left_to_right_start(kinds: Sequence[str], end: int) -> int:
    """Where the run of Latin words and numbers begins that ends at index ``end``."""
    start = end
    while start > 0 and kinds[start - 1] != "R" and any(kind in "LD" for kind in kinds[:start]):
        start -= 1
    while kinds[start] == "N":
        start += 1
    return start


def _resolve_directions(units: Sequence[str]) -> list[str]:
    """R for right-to-left letters, L for others, D for digits and what stands within a number, N for the rest."""
    raw = [unicodedata.bidirectional(unit[0]) for unit in units]
    kinds = [_DIRECTIONS.get(kind, "N") for kind in raw]
    for index in range(1, len(kinds) - 1):
        is_between_digits = kinds[index - 1] == kinds[index + 1] == "D"
        if is_between_digits and raw[index] in _WITHIN_NUMBER:
            kinds[index] = "D"
    return kinds


def _clusters(line: CharacterLine) -> list[tuple[float, str]]:
    """Characters with the marks that sit on them, each with the middle of its box."""
    clusters: list[tuple[float, str]] = []
    for character in (character for span in line["spans"] for character in span["chars"]):
        char, box = character["c"], character["bbox"]
        if clusters and unicodedata.category(char) == "Mn":
            middle, base = clusters[-1]
            clusters[-1] = (middle, base + char)
        else:
            clusters.append(((box[0] + box[2]) / 2, char))
    return clusters


def _is_presentation_form(unit: str) -> bool:
    return "\ufb1d" <= unit[0] <= "\ufefc"
