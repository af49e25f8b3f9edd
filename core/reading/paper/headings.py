"""Finds the headings of a paper: boxes that look like one, lines in the style of one, words run into a paragraph.

What a heading looks like is learned from the paper itself: from the numbered and the usual ones among the
boxes that the layout model took for headings.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from core.reading.blocks import Block, Line, Span, union
from core.reading.page.boxes import build_line
from core.reading.paper.captions import parse_caption_label
from core.reading.paper.heading_text import (
    HeadingNumber,
    is_common_heading,
    is_opening_heading,
    is_possible_heading,
    is_references_heading,
    is_theorem_heading,
    parse_heading_number,
)
from core.reading.paper.outline import assign_levels
from core.reading.paper.parts import Part
from core.reading.paper.type_style import TypeStyle, body_style, dominant_style, span_style, visible_spans
from core.reading.paper.word_joining import Vocabulary, join_lines

_LONGEST_RUN_IN = 110
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
    return assign_levels(_split_run_in_headings(done, styles, words))


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _RunInHeading:
    """The words that a paragraph opens with as a heading, with their type."""

    text: str
    style: TypeStyle


def _split_run_in_headings(parts: Sequence[Part], styles: _HeadingStyles, words: Vocabulary) -> list[Part]:
    """Run-in headings put before the paragraphs that they open, where the paper has more than one in that style."""
    run_ins = _run_in_headings(parts, styles, words)
    support = Counter(run_in.style for run_in in run_ins.values())
    first = next((index for index, part in enumerate(parts) if part.role == "heading"), len(parts))
    done: list[Part] = []
    for index, part in enumerate(parts):
        run_in = run_ins.get(index)
        if run_in is not None and _is_heading_in_line(run_in, support[run_in.style], behind_first=index > first):
            block = Block(kind="section-header", rect=part.block.lines[0].rect)
            done.append(replace(part, role="heading", title=run_in.text, block=block, run_in=run_in.style))
        done.append(part)
    return done


def _is_heading_in_line(run_in: _RunInHeading, times: int, *, behind_first: bool) -> bool:
    """Whether the paper has more in that style, or it is numbered; before all other headings only an abstract's."""
    if not behind_first:
        return is_opening_heading(run_in.text)
    return times > 1 or parse_heading_number(run_in.text) is not None


def _run_in_headings(parts: Sequence[Part], styles: _HeadingStyles, words: Vocabulary) -> dict[int, _RunInHeading]:
    """What may be a run-in heading, by the index of the part that it opens."""
    run_ins: dict[int, _RunInHeading] = {}
    inside_references = False
    for index, part in enumerate(parts):
        if part.role == "heading":
            inside_references = is_references_heading(part.title)
        if part.role not in ("text", "list") or part.from_ocr or inside_references:
            continue
        run_in = _find_run_in_heading(part.block.lines, styles.body, words)
        if run_in is not None:
            run_ins[index] = run_in
    return run_ins


def _find_run_in_heading(lines: Sequence[Line], body: TypeStyle | None, words: Vocabulary) -> _RunInHeading | None:
    """The words in another style that a paragraph opens with, if they end like a heading."""
    spans = [(index, span) for index, line in enumerate(lines[:3]) for span in visible_spans(line)]
    head = _leading_spans(spans, body) if body is not None else []
    if body is None or not head or len(head) == len(spans):
        return None
    rows = [build_line([span for index, span in head if index == row]).text for row in dict(head)]
    text = join_lines(rows, words).rstrip(" \u2014\u2013-")
    cut = _first_stop(text)
    following = text[cut:].strip() or spans[len(head)][1].text.strip()
    title = text[:cut].strip()
    style = _plain(dominant_style(span for _, span in head) or body)
    if style.monospaced or not _can_be_run_in(title) or not _ends_like_heading(title, following, style):
        return None
    return _RunInHeading(text=title, style=style)


def _can_be_run_in(title: str) -> bool:
    reads_as_sentence = len(title.split()) > 14 or ": " in title
    if reads_as_sentence and parse_heading_number(title) is None:
        return False
    if len(title) > _LONGEST_RUN_IN or is_theorem_heading(title):
        return False
    return parse_caption_label(title) is None and is_possible_heading(title)


def _leading_spans(spans: Sequence[tuple[int, Span]], body: TypeStyle) -> list[tuple[int, Span]]:
    """The first spans in one weight, if it is bolder than the text's or italic where the text is not."""
    if not spans:
        return []
    bold, italic = _weight(spans[0][1])
    is_bolder, is_italic = bold and not body.bold, italic and not body.italic
    if not is_bolder and not is_italic:
        return []
    return list(takewhile(lambda item: _weight(item[1]) == (bold, italic), spans))


def _weight(span: Span) -> tuple[bool, bool]:
    style = span_style(span)
    return style.bold, style.italic


def _first_stop(text: str) -> int:
    """Where a numbered heading ends though the words behind it are set the same: at its first full stop."""
    number = parse_heading_number(text)
    if number is None or not number.rest:
        return len(text)
    stop = re.search(r"\.\s+(?=[^\W\d_])", number.rest)
    return len(text) if stop is None else len(text) - len(number.rest) + stop.start() + 1


def _ends_like_heading(text: str, after: str, style: TypeStyle) -> bool:
    """Whether ``text``, with the words ``after`` it, ends as a run-in heading does."""
    begins_anew = after[:1].isupper()
    if text.endswith((".", "?")):
        return begins_anew or not after[:1].isalpha()
    if after[:1] in "\u2014\u2013":
        return True
    if after[:1] == ".":
        return after[1:].strip()[:1].isupper()
    is_bold_phrase = style.bold and (len(text.split()) > 1 or is_common_heading(text))
    return is_bold_phrase and begins_anew and (text[-1].isalpha() or text[-1] == ")")
