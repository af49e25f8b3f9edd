"""Finds the headings of a paper: boxes that look like one, and lines in the style of one.

What a heading looks like is learned from the paper itself: from the numbered and the usual ones among the
boxes that the layout model took for headings.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.reading.blocks import Block, Line, union
from core.reading.paper.captions import parse_caption_label
from core.reading.paper.heading_text import (
    HeadingNumber,
    is_common_heading,
    is_opening_heading,
    is_possible_heading,
    is_references_heading,
    parse_heading_number,
)
from core.reading.paper.outline import assign_levels
from core.reading.paper.parts import Part
from core.reading.paper.run_in_headings import split_run_in_headings
from core.reading.paper.type_style import TypeStyle, body_style, dominant_style, span_style, visible_spans
from core.reading.paper.word_joining import Vocabulary, join_lines

_WHITE = 0.8
"""White above and below a heading in the type of the text, as a share of its size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _HeadingCandidate:
    """The text of a box that may be a heading, with its type."""

    text: str
    style: TypeStyle | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _HeadingStyles:
    """Type of the paper's text and of its headings, and whether most of these are numbered."""

    body: TypeStyle | None
    strong: frozenset[TypeStyle]
    numbered: bool


def split_at_headings(parts: Sequence[Part], words: Vocabulary) -> tuple[Part, ...]:
    """``parts`` cut at headings, which become parts of their own; every part gets its section path."""
    parts = _separate_heading_boxes(parts)
    body = body_style([line for part in parts if part.role in ("text", "list") for line in part.block.lines])
    boxes = _heading_boxes(parts, body, words)
    styles = _learn_heading_styles(boxes, body)
    start = min(boxes, default=0)
    done: list[Part] = []
    inside_references = False
    for index, part in enumerate(parts):
        pieces = [part]
        if index in boxes:
            pieces = [replace(part, role="heading", title=boxes[index].text)]
        elif part.role in ("text", "list") and not part.from_ocr and index > start:
            pieces = list(_split_part(part, styles, words, inside_references))
        titles = [piece.title for piece in pieces if piece.role == "heading"]
        inside_references = is_references_heading(titles[-1]) if titles else inside_references
        done.extend(pieces)
    return assign_levels(split_run_in_headings(done, body, words))


def _separate_heading_boxes(parts: Sequence[Part]) -> list[Part]:
    """One heading a box: a box of two numbered ones is cut, and "Appendix A" is joined to the title under it."""
    done: list[Part] = []
    for part in parts:
        if not _is_heading_box(part):
            done.append(part)
        elif done and _is_lone_number(done[-1]) and done[-1].page == part.page:
            done[-1] = _sub_part(part, (*done[-1].block.lines, *part.block.lines))
        else:
            done.extend(_sub_part(part, lines) for lines in _numbered_groups(part.block.lines))
    return done


def _is_heading_box(part: Part) -> bool:
    """Whether the layout model took a box for a heading."""
    return part.role == "text" and part.block.kind in ("section-header", "title") and bool(part.block.lines)


def _is_lone_number(part: Part) -> bool:
    number = parse_heading_number(part.text) if _is_heading_box(part) else None
    return number is not None and not number.rest


def _numbered_groups(lines: Sequence[Line]) -> list[list[Line]]:
    """The lines of a box, cut before each that begins with a number where the first does."""
    is_numbered = _is_counted(lines[0].text)
    groups: list[list[Line]] = []
    for line in lines:
        if groups and not (is_numbered and _is_counted(line.text)):
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def _is_counted(text: str) -> bool:
    number = parse_heading_number(text)
    return number is not None and not number.letter


def _heading_boxes(parts: Sequence[Part], body: TypeStyle | None, words: Vocabulary) -> dict[int, _HeadingCandidate]:
    """Boxes that the layout model took for headings and that are, by the index of their part."""
    candidates = _heading_candidates(parts, words)
    start = _first_heading(candidates)
    openings = [index for index, candidate in candidates.items() if is_opening_heading(candidate.text)]
    return {
        index: candidate
        for index, candidate in candidates.items()
        if index >= start
        and not _is_title_of_abstract(index, openings, parts)
        and _is_heading(candidate, body, index, parts)
    }


def _is_title_of_abstract(index: int, openings: Sequence[int], parts: Sequence[Part]) -> bool:
    """Whether a box is the paper's title in another language: right under an abstract's heading, a next one below."""
    is_under_opening = index not in openings and index - 1 in openings
    return is_under_opening and any(later > index and parts[later].page == parts[index].page for later in openings)


def _is_heading(candidate: _HeadingCandidate, body: TypeStyle | None, index: int, parts: Sequence[Part]) -> bool:
    """Whether a box is numbered or has a usual name; else whether type or white sets it off and no code follows."""
    if _is_counted(candidate.text) or is_common_heading(candidate.text) or parts[index].from_ocr:
        return True
    has_code_below = index + 1 < len(parts) and _is_code(parts[index + 1])
    return not has_code_below and (_is_set_apart(candidate.style, body) or _is_set_off(index, parts))


def _is_code(part: Part) -> bool:
    style = dominant_style(span for line in part.block.lines for span in line.spans)
    return style is not None and style.monospaced


def _is_set_apart(style: TypeStyle | None, body: TypeStyle | None) -> bool:
    """Whether a box is set in another type than the text."""
    return style is not None and (body is None or style.capitals or _plain(style) != _plain(body))


def _heading_candidates(parts: Sequence[Part], words: Vocabulary) -> dict[int, _HeadingCandidate]:
    candidates: dict[int, _HeadingCandidate] = {}
    for index, part in enumerate(parts):
        if not _is_heading_box(part):
            continue
        text = join_lines([line.text for line in part.block.lines], words)
        style = dominant_style(span for line in part.block.lines for span in line.spans)
        is_code = style is not None and style.monospaced
        if not is_code and is_possible_heading(text) and parse_caption_label(text) is None:
            candidates[index] = _HeadingCandidate(text=text, style=style)
    return candidates


def _is_set_off(index: int, parts: Sequence[Part]) -> bool:
    """Whether white above and below sets a box off from the text of its column."""
    part = parts[index]
    x0, top, x1, bottom = part.block.rect
    others = [other.block.rect for other in parts if other.page == part.page and other is not part]
    column = [rect for rect in others if rect[0] < x1 and rect[2] > x0]
    white = _WHITE * max(line.size for line in part.block.lines)
    above = (top - rect[3] for rect in column if rect[1] < top)
    below = (rect[1] - bottom for rect in column if rect[1] > top)
    return min(above, default=white) >= white and min(below, default=0.0) >= white


def _first_heading(candidates: dict[int, _HeadingCandidate]) -> int:
    """Where title and authors end: at the first heading that opens a text, else at any usual or first one."""
    openings = [index for index, candidate in candidates.items() if _opens_text(candidate.text)]
    common = [index for index, candidate in candidates.items() if is_common_heading(candidate.text)]
    only = max(candidates) if len(candidates) == 1 else 0
    return min(openings or common, default=only)


def _opens_text(text: str) -> bool:
    number = parse_heading_number(text)
    is_first = number is not None and number.parts in (("1",), ("I",))
    return is_first or is_opening_heading(text)


def _plain(style: TypeStyle) -> TypeStyle:
    return replace(style, capitals=False)


def _learn_heading_styles(boxes: dict[int, _HeadingCandidate], body: TypeStyle | None) -> _HeadingStyles:
    styles = Counter(_plain(heading.style) for heading in boxes.values() if heading.style)
    strong = frozenset(style for style, times in styles.items() if _is_strong(style, times, body))
    numbers = sum(parse_heading_number(heading.text) is not None for heading in boxes.values())
    return _HeadingStyles(body=body, strong=strong, numbered=2 * numbers > len(boxes))


def _is_strong(style: TypeStyle, times: int, body: TypeStyle | None) -> bool:
    """Whether a line in this style may be a heading: it is bold or occurs again, and is not the text's."""
    is_body = body is not None and style == _plain(body)
    return (times > 1 or style.bold) and not style.monospaced and not is_body


def _split_part(part: Part, styles: _HeadingStyles, words: Vocabulary, inside_references: bool) -> Iterator[Part]:
    """A text part at its whole-line headings: they stand in a paragraph's box where the model missed them."""
    paragraph: list[Line] = []
    lines = part.block.lines
    start = 0
    while start < len(lines):
        end = _heading_end(lines, start, styles, inside_references)
        if end == start:
            paragraph.append(lines[start])
            start += 1
            continue
        if paragraph:
            yield _sub_part(part, paragraph)
        heading = lines[start:end]
        title = join_lines([line.text for line in heading], words)
        yield replace(_sub_part(part, heading), role="heading", title=title)
        paragraph, start = [], end
    if len(paragraph) == len(lines):
        yield part
    elif paragraph:
        yield _sub_part(part, paragraph)


def _sub_part(part: Part, lines: Sequence[Line]) -> Part:
    block = Block(kind=part.block.kind, rect=union(line.rect for line in lines), lines=tuple(lines))
    return replace(part, block=block)


def _heading_end(lines: Sequence[Line], start: int, styles: _HeadingStyles, inside_references: bool) -> int:
    """Where the heading that begins at line ``start`` ends, or ``start`` where none begins."""
    style, text = _line_style(lines[start]), lines[start].text.strip()
    if style is None or style.monospaced or not is_possible_heading(text):
        return start
    is_alone = len(lines) == 1
    is_learned = not inside_references and _has_learned_style(text, style, styles, is_alone)
    if not is_learned and not _is_set_off_common_heading(text, style, styles.body):
        return start
    end, last = start + 1, min(start + 3, len(lines))
    while end < last and _line_style(lines[end]) == style and parse_heading_number(lines[end].text) is None:
        end += 1
    return end


def _is_set_off_common_heading(text: str, style: TypeStyle, body: TypeStyle | None) -> bool:
    is_set_off = body is not None and (style.capitals or _plain(style) != _plain(body))
    return is_set_off and is_common_heading(text)


def _has_learned_style(text: str, style: TypeStyle, styles: _HeadingStyles, is_alone: bool) -> bool:
    """Whether the line is set as the paper's own headings are, or stands alone with a number and in capitals."""
    if styles.body is None:
        return False
    number = parse_heading_number(text)
    is_numbered = number is not None and not _may_be_word(number)
    is_in_style = _plain(style) in styles.strong and (is_numbered or not styles.numbered)
    return is_in_style or (style.capitals and is_numbered and is_alone)


def _may_be_word(number: HeadingNumber) -> bool:
    """Whether the number may be a word of one letter, as in "A new method"."""
    return number.letter and len(number.parts) == 1 and not number.closed


def _line_style(line: Line) -> TypeStyle | None:
    """The one style of a line, or None where it changes within the line."""
    spans = [span for span in visible_spans(line) if any(c.isalpha() for c in span.text)]
    styles = {(s.bold, s.italic) for s in map(span_style, spans)}
    return dominant_style(spans) if len(styles) == 1 else None
