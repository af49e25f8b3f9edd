"""Joins printed lines that a file holds in pieces: one word at a time, or one ideograph where the lines run down.

The layout model and the title see lines; fed with words it takes them for the cells of tables. A page whose lines
are whole is left as it is.
"""

import re
from collections.abc import Callable, Sequence
from statistics import median

from core.reading.blocks import Rect, horizontal_overlap, is_on_same_line, union
from core.reading.page.lines import RawLine, RawSpan, line_text

MAX_GAP = 0.6
"""Of the size, between two pieces of one line; words stand 0.2 to 0.4 apart, columns at least 1."""
MIN_WORD_GAP = 0.12
"""Of the size, from which a gap is a space."""
MIN_PIECES = 0.3
"""Share of a page's lines that go on in the next one from which its lines are in pieces."""
FEWEST = 6
"""Pieces that a page has at least; a few words side by side are no page in pieces."""
_IDEOGRAPH = re.compile("[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\\d]{1,2}")
DOWNWARDS = (0.0, 1.0)


def join_pieces(lines: Sequence[RawLine]) -> Sequence[RawLine]:
    """The lines, pieces on one base line joined; ideographs below each other joined to lines from right to left."""
    if _share(lines, _goes_on_below) >= MIN_PIECES:
        return _join_columns(lines)
    if _share(lines, _goes_on) < MIN_PIECES:
        return lines
    return [_join(group) for group in _groups(lines, _goes_on)]


def _share(lines: Sequence[RawLine], goes_on: Callable[[RawLine, RawLine], bool]) -> float:
    """Share of the lines that the next line continues; 0 where these are too few to tell."""
    times = sum(map(goes_on, lines, lines[1:]))
    return times / len(lines) if times >= FEWEST else 0.0


def _groups(lines: Sequence[RawLine], goes_on: Callable[[RawLine, RawLine], bool]) -> list[list[RawLine]]:
    groups: list[list[RawLine]] = []
    for line in lines:
        if groups and goes_on(groups[-1][-1], line):
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def _goes_on(line: RawLine, following: RawLine) -> bool:
    """Whether a piece stands directly behind another one on its base line."""
    is_level = line["dir"] == following["dir"] == (1.0, 0.0) and is_on_same_line(line["bbox"], following["bbox"])
    size = max(_size(line), _size(following))
    return is_level and -0.3 * size <= following["bbox"][0] - line["bbox"][2] < MAX_GAP * size


def _goes_on_below(line: RawLine, following: RawLine) -> bool:
    """Whether an ideograph stands directly below another one."""
    if not (_IDEOGRAPH.fullmatch(line_text(line).strip()) and _IDEOGRAPH.fullmatch(line_text(following).strip())):
        return False
    upper, lower = line["bbox"], following["bbox"]
    is_below = 0 < (lower[1] + lower[3] - upper[1] - upper[3]) / 2 < 2 * _size(line)
    return is_below and horizontal_overlap(upper, lower) > 0.5 * _size(line)


def _size(line: RawLine) -> float:
    return max(span["size"] for span in line["spans"])


def _join(pieces: Sequence[RawLine]) -> RawLine:
    """One line; a space of its own joins the run before it, for only runs with letters count as printed."""
    spans: list[RawSpan] = []
    for span in (span for piece in pieces for span in piece["spans"]):
        if spans and (span["text"].isspace() or _lacks_space(spans[-1], span)):
            spans[-1] = _with_text(spans[-1], spans[-1]["text"].rstrip() + " ")
        if not span["text"].isspace():
            spans.append(span)
    return RawLine(spans=spans, bbox=_union(pieces), dir=pieces[0]["dir"])


def _with_text(span: RawSpan, text: str) -> RawSpan:
    return RawSpan(**{**span, "text": text})


def _lacks_space(span: RawSpan, following: RawSpan) -> bool:
    is_spaced = span["text"].endswith(" ") or following["text"].startswith(" ")
    gap = following["bbox"][0] - span["bbox"][2]
    return not is_spaced and gap > MIN_WORD_GAP * max(span["size"], following["size"])


def _union(lines: Sequence[RawLine]) -> Rect:
    return union(line["bbox"] for line in lines)


def _join_columns(lines: Sequence[RawLine]) -> list[RawLine]:
    """What stands above and below in the order of the file; between, columns from right to left."""
    groups = _groups(lines, _goes_on_below)
    columns = [_join_column(group) for group in groups if len(group) > 1]
    width = median(column["bbox"][2] - column["bbox"][0] for column in columns)
    top, bottom = min(column["bbox"][1] for column in columns), max(column["bbox"][3] for column in columns)
    others = [group[0] for group in groups if len(group) == 1]
    # A column of one ideograph has no other below it.
    short = [line for line in others if _IDEOGRAPH.fullmatch(line_text(line).strip()) and _is_within(line, top, bottom)]
    columns += [RawLine(spans=line["spans"], bbox=line["bbox"], dir=DOWNWARDS) for line in short]
    columns.sort(key=lambda column: (-round(column["bbox"][0] / width), column["bbox"][1]))
    rest = [line for line in others if line not in short]
    above = [line for line in rest if line["bbox"][3] <= top]
    return [*above, *columns, *(line for line in rest if line not in above)]


def _is_within(line: RawLine, top: float, bottom: float) -> bool:
    return top <= (line["bbox"][1] + line["bbox"][3]) / 2 <= bottom


def _join_column(pieces: Sequence[RawLine]) -> RawLine:
    first = pieces[0]["spans"][0]
    text = "".join(line_text(piece).strip() for piece in pieces)
    whole = RawSpan(**{**first, "text": text, "bbox": _union(pieces)})
    return RawLine(spans=[whole], bbox=_union(pieces), dir=DOWNWARDS)
