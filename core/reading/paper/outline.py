"""Where each heading stands in the outline: by its number first, by the way it is set where it has none."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.reading.paper.heading_text import (
    HeadingNumber,
    is_common_heading,
    is_references_heading,
    parse_heading_number,
)
from core.reading.paper.parts import Part
from core.reading.paper.type_style import TypeStyle, dominant_style

_LISTED_LEVELS = 2
"""An outline goes two levels deep; further down it lists only what has a number and a line of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadingCandidate:
    """A heading with the way it is set."""

    text: str
    style: TypeStyle | None
    page: int


def assign_levels(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Headings with their levels, and on every part the path of headings that it stands under."""
    scheme = _NumberingScheme(parts)
    path: list[tuple[int, str]] = []
    done: list[Part] = []
    last_display = 1
    for part in parts:
        if part.role != "heading":
            done.append(replace(part, section=tuple(title for _, title in path)))
            continue
        if part.run_in is None:
            level = last_display = scheme.level(part)
        else:
            level = scheme.run_in_level(part, last_display)
        path = [step for step in path if step[0] < level]
        path.append((level, part.title))
        numbered = scheme.number(part.title) is not None
        if part.run_in is None:
            listed = level <= _LISTED_LEVELS or numbered
        else:
            listed = level <= _LISTED_LEVELS and (numbered or not scheme.numbered or is_common_heading(part.title))
        done.append(replace(part, level=level, listed=listed, section=tuple(title for _, title in path)))
    return tuple(done)


class _NumberingScheme:
    """How this paper numbers and sets its headings."""

    def __init__(self, parts: Sequence[Part]) -> None:
        headings = [part for part in parts if part.role == "heading"]
        display = [part for part in headings if part.run_in is None]
        numbers = [parse_heading_number(part.title) for part in display]
        self.numbered = 2 * sum(number is not None for number in numbers) > len(numbers)
        firsts = [number.parts[0] for number in numbers if number is not None and len(number.parts) == 1]
        self._usual = sum(is_common_heading(part.title) for part in display)
        self._roman = len({"I", "II", "III", "IV", "V"} & set(firsts)) > 1
        self._letters = {"A", "B"} <= {n.parts[0] for n in numbers if n is not None} or any(
            n is not None and n.worded for n in numbers
        )
        references = [place for place, part in enumerate(display) if is_references_heading(part.title)]
        self._appendix = {part.title for part in display[references[0] + 1 :]} if references else set()
        self._run_ins = list(dict.fromkeys(part.run_in for part in headings if part.run_in is not None))
        self._of_style = self._levels_of_styles(display)

    def _levels_of_styles(self, display: Sequence[Part]) -> dict[tuple[str, float, bool, bool], int]:
        levels: dict[tuple[str, float, bool, bool], int] = {}
        for part in display:
            number, key = self.number(part.title), _key(part)
            level = self._depth(number) if number is not None else 1 if is_common_heading(part.title) else 0
            if key is not None and level:
                levels[key] = min(level, levels.get(key, 9))
        return levels

    def number(self, title: str) -> HeadingNumber | None:
        """The number of a heading, unless its first letter is just a word."""
        number = parse_heading_number(title)
        if number is None or not number.letter or number.worded:
            return number
        if self._roman and set(number.parts[0]) <= set("IVX"):
            return number
        known = self._letters or title in self._appendix or len(number.parts) > 1
        return number if known and len(number.parts[0]) == 1 else None

    def _depth(self, number: HeadingNumber) -> int:
        lone = len(number.parts) == 1 and not number.worded
        if self._roman and lone:
            return (
                1 if set(number.parts[0]) <= set("IVX") and len(number.parts[0]) + (number.parts[0] in "IVX") > 1 else 2
            )
        return len(number.parts)

    def level(self, part: Part) -> int:
        """Level of a heading that has a line of its own."""
        number = self.number(part.title)
        if number is not None:
            return self._depth(number)
        if is_common_heading(part.title):
            return 1
        if part.from_ocr:
            return 2 if self._usual > 2 else 1
        key = _key(part)
        if key is None or not self._of_style:
            return 1
        if key in self._of_style:
            return self._of_style[key]
        larger = [level for other, level in self._of_style.items() if other[1] >= key[1] - 0.3]
        smaller = [level for other, level in self._of_style.items() if other[1] < key[1] - 0.3]
        if smaller and not larger:
            return 1
        return min(max(larger, default=0) + 1, 4)

    def run_in_level(self, part: Part, display: int) -> int:
        """Level of a run-in heading under a heading of level ``display``."""
        number = self.number(part.title)
        if number is not None and not number.letter:
            return max(len(number.parts), display + 1) if len(number.parts) > 1 else display + 1
        order = self._run_ins.index(part.run_in) if part.run_in in self._run_ins else 0
        return display + 1 + min(order, 2)


def _key(part: Part) -> tuple[str, float, bool, bool] | None:
    style = dominant_style(span for line in part.block.lines for span in line.spans)
    return None if style is None else (style.font, style.size, style.bold, style.capitals)
