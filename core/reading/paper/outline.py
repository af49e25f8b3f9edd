"""Where each heading stands in the outline: by its number first, by the way it is set where it has none."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from core.reading.paper.heading_text import (
    HeadingNumber,
    is_common_heading,
    is_references_heading,
    parse_heading_number,
)
from core.reading.paper.parts import Part
from core.reading.paper.type_style import dominant_style

StyleKey: TypeAlias = tuple[str, float, bool, bool]
"""Font, size, bold, capitals."""
_SAME_SIZE = 0.3
"""Points by which a size may be smaller and still count as the same."""
_DEEPEST = 4
_LISTED_LEVELS = 2
"""An outline lists headings in the line of their text down to this level."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """A heading on the path to a part; ``style`` is None for one in the line of its text."""

    level: int
    title: str
    style: StyleKey | None


def assign_levels(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Headings with their levels, and on every part the path of headings that it stands under."""
    scheme = _NumberingScheme(parts)
    path: list[_Step] = []
    done: list[Part] = []
    for part in parts:
        if part.role == "heading":
            level = scheme.level(part, path)
            style = None if part.run_in is not None else _style_key(part)
            path = [*(step for step in path if step.level < level), _Step(level=level, title=part.title, style=style)]
            part = replace(part, level=level, listed=scheme.is_listed(part, level))
        done.append(replace(part, section=tuple(step.title for step in path)))
    return tuple(done)


class _NumberingScheme:
    """How this paper numbers and sets its headings; a display heading has a line of its own, a run-in one has not."""

    def __init__(self, parts: Sequence[Part]) -> None:
        headings = [part for part in parts if part.role == "heading"]
        display = [part for part in headings if part.run_in is None]
        numbers = [number for part in display if (number := parse_heading_number(part.title)) is not None]
        single = {number.parts[0] for number in numbers if len(number.parts) == 1}
        self._is_numbered = 2 * len(numbers) > len(display)
        self._common = sum(is_common_heading(part.title) for part in display)
        self._roman = len({"I", "II", "III", "IV", "V"} & single) > 1
        self._letters = _uses_letters(numbers)
        self._appendix = _titles_behind_references(display)
        self._run_ins = list(dict.fromkeys(part.run_in for part in headings if part.run_in is not None))
        self._style_levels = self._levels_of_styles(display)

    def _levels_of_styles(self, display: Sequence[Part]) -> dict[StyleKey, int]:
        """The level of each style in which a heading is set whose number or name tells its level."""
        levels: dict[StyleKey, int] = {}
        for part in display:
            key, level = _style_key(part), self._level_by_words(part.title)
            if key is not None and level is not None:
                levels[key] = min(level, levels.get(key, level))
        return levels

    def _level_by_words(self, title: str) -> int | None:
        """The level that a heading's number or usual name tells, or None."""
        number = self.number(title)
        if number is not None:
            return self._depth(number)
        return 1 if is_common_heading(title) else None

    def number(self, title: str) -> HeadingNumber | None:
        """The number of a heading, unless its first letter is just a word."""
        number = parse_heading_number(title)
        if number is None or not number.letter or number.worded:
            return number
        if self._roman and _is_roman(number):
            return number
        uses_letters = self._letters or title in self._appendix or len(number.parts) > 1
        return number if uses_letters and len(number.parts[0]) == 1 else None

    def _depth(self, number: HeadingNumber) -> int:
        is_single = len(number.parts) == 1 and not number.worded
        if self._roman and is_single:
            return 1 if _is_roman(number) else 2
        return len(number.parts)

    def level(self, part: Part, path: Sequence[_Step]) -> int:
        """Level of a heading, from 1, below the headings of ``path``."""
        if part.run_in is not None:
            return self._run_in_level(part, max((step.level for step in path if step.style is not None), default=0))
        level = self._level_by_words(part.title)
        if level is not None:
            return level
        if part.from_ocr:
            return 2 if self._common > 2 else 1
        return self._level_by_style(_style_key(part), path)

    def _level_by_style(self, key: StyleKey | None, path: Sequence[_Step]) -> int:
        """The level of its style; of a new style one below the nearest heading that is set as large or larger."""
        if key is None:
            return 1
        if key not in self._style_levels:
            above = [step.level for step in path if step.style is not None and step.style[1] >= key[1] - _SAME_SIZE]
            self._style_levels[key] = min(max(above, default=0) + 1, _DEEPEST)
        return self._style_levels[key]

    def _run_in_level(self, part: Part, display_level: int) -> int:
        number = self.number(part.title)
        if number is not None and not number.letter:
            depth = len(number.parts)
            return max(depth, display_level + 1) if depth > 1 else display_level + 1
        order = self._run_ins.index(part.run_in) if part.run_in in self._run_ins else 0
        return display_level + 1 + min(order, 2)

    def is_listed(self, part: Part, level: int) -> bool:
        """Whether the paper's outline lists a heading of this level."""
        stands_out = not self._is_numbered or is_common_heading(part.title)
        if self.number(part.title) is not None:
            return part.run_in is None or level <= _LISTED_LEVELS
        if part.run_in is None:
            return stands_out or level <= _LISTED_LEVELS
        return stands_out and level <= _LISTED_LEVELS


def _uses_letters(numbers: Sequence[HeadingNumber]) -> bool:
    """Whether headings are counted by letters: both A and B occur, or a word as "Appendix" stands before a number."""
    firsts = {number.parts[0] for number in numbers}
    return {"A", "B"} <= firsts or any(number.worded for number in numbers)


def _titles_behind_references(display: Sequence[Part]) -> set[str]:
    titles = [part.title for part in display]
    first = next((index for index, title in enumerate(titles) if is_references_heading(title)), len(titles))
    return set(titles[first + 1 :])


def _is_roman(number: HeadingNumber) -> bool:
    return set(number.parts[0]) <= set("IVX")


def _style_key(part: Part) -> StyleKey | None:
    style = dominant_style(span for line in part.block.lines for span in line.spans)
    return None if style is None else (style.font, style.size, style.bold, style.capitals)
