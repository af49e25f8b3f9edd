"""Finds the headings of a paper: boxes that look like one, lines in the style of one, words run into a paragraph.

What a heading looks like is learned from the paper itself: from the numbered and the usual ones among the
boxes that the layout model took for headings.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.reading.blocks import Block, Line, Span, union
from core.reading.page.boxes import build_line
from core.reading.paper.captions import parse_caption_label
from core.reading.paper.heading_text import (
    is_common_heading,
    is_opening_heading,
    is_possible_heading,
    is_references_heading,
    is_theorem_heading,
    parse_heading_number,
)
from core.reading.paper.outline import HeadingCandidate, assign_levels
from core.reading.paper.parts import Part
from core.reading.paper.type_style import TypeStyle, body_style, dominant_style, span_style, visible_spans
from core.reading.paper.word_joining import Vocabulary, join_lines

_LONGEST_RUN_IN = 110


@dataclass(frozen=True, slots=True, kw_only=True)
class _HeadingStyles:
    """What the paper's own headings look like."""

    body: TypeStyle | None
    strong: frozenset[TypeStyle]
    numbered: bool


def split_at_headings(parts: Sequence[Part], words: Vocabulary) -> tuple[Part, ...]:
    """``parts`` cut at headings, which become parts of their own; every part gets its section path."""
    body = body_style([line for part in parts if part.role in ("text", "list") for line in part.block.lines])
    boxes = _heading_boxes(parts, body, words)
    start = min(boxes, default=0)
    look = _learn_heading_styles(boxes, body)
    found: list[Part] = []
    inside_references = False
    for number, part in enumerate(parts):
        if number in boxes:
            inside_references = is_references_heading(boxes[number].text)
            found.append(replace(part, role="heading", title=boxes[number].text))
        elif part.role in ("text", "list") and not part.from_ocr and number > start:
            pieces = list(_split_part(part, look, words, inside_references))
            for piece in pieces:
                if piece.role == "heading":
                    inside_references = is_references_heading(piece.title)
            found.extend(pieces)
        else:
            found.append(part)
    return assign_levels(_split_run_in_headings(found, look, words))


def _heading_boxes(parts: Sequence[Part], body: TypeStyle | None, words: Vocabulary) -> dict[int, HeadingCandidate]:
    """Boxes that the layout model took for headings and that are."""
    seen: dict[int, HeadingCandidate] = {}
    for number, part in enumerate(parts):
        if part.role != "text" or part.block.kind not in ("section-header", "title") or not part.block.lines:
            continue
        text = join_lines([line.text for line in part.block.lines], words)
        style = dominant_style(span for line in part.block.lines for span in line.spans)
        if is_possible_heading(text) and parse_caption_label(text) is None:
            seen[number] = HeadingCandidate(text=text, style=style, page=part.page)
    start = _first_heading(seen)
    support = Counter(_plain(found.style) for number, found in seen.items() if number >= start and found.style)
    good = {
        number: found
        for number, found in seen.items()
        if number >= start and (parts[number].from_ocr or _has_heading_style(found, body, support))
    }
    times = Counter(found.text.casefold() for found in good.values())
    last = {found.text.casefold(): number for number, found in good.items()}
    return {n: f for n, f in good.items() if times[f.text.casefold()] < 3 or last[f.text.casefold()] == n}


def _first_heading(seen: dict[int, HeadingCandidate]) -> int:
    """Where title and authors end: at the first heading that opens a text, else at any usual or first one."""
    openings = [n for n, found in seen.items() if is_opening_heading(found.text) or _is_heading_text(found.text)]
    usual = [n for n, found in seen.items() if is_common_heading(found.text)]
    return min(openings or usual, default=max(seen, default=0) if len(seen) == 1 else 0)


def _is_heading_text(text: str) -> bool:
    number = parse_heading_number(text)
    return number is not None and number.parts in (("1",), ("I",))


def _has_heading_style(found: HeadingCandidate, body: TypeStyle | None, support: Counter[TypeStyle]) -> bool:
    number = parse_heading_number(found.text)
    if is_common_heading(found.text) or (number is not None and not number.letter):
        return True
    style = found.style
    if style is None or style.monospaced:
        return False
    if body is None:
        return True
    if _plain(style) == _plain(body):
        return style.capitals
    if number is not None and number.closed and (style.bold, style.italic) != (body.bold, body.italic):
        return True
    if style.size < 0.95 * body.size and not style.capitals and support[_plain(style)] < 2:
        return False
    stands_out = style.size > 1.04 * body.size or (style.bold and not body.bold) or style.capitals
    return stands_out or (support[_plain(style)] > 1 and style.size > 0.9 * body.size)


def _plain(style: TypeStyle) -> TypeStyle:
    return replace(style, capitals=False)


def _learn_heading_styles(boxes: dict[int, HeadingCandidate], body: TypeStyle | None) -> _HeadingStyles:
    styles = Counter(_plain(found.style) for found in boxes.values() if found.style)
    strong = {
        style
        for style, times in styles.items()
        if (times > 1 or style.bold) and not style.monospaced and (body is None or style != _plain(body))
    }
    numbers = sum(parse_heading_number(found.text) is not None for found in boxes.values())
    return _HeadingStyles(body=body, strong=frozenset(strong), numbered=2 * numbers > len(boxes))


def _split_part(part: Part, look: _HeadingStyles, words: Vocabulary, inside_references: bool) -> Iterator[Part]:
    """A text part at its whole-line headings: they stand in a paragraph's box where the model missed them."""
    run: list[Line] = []
    lines = part.block.lines
    at = 0
    while at < len(lines):
        end = _heading_end(lines, at, look, inside_references)
        if end == at:
            run.append(lines[at])
            at += 1
            continue
        if run:
            yield _sub_part(part, run)
        heading = _sub_part(part, lines[at:end])
        yield replace(heading, role="heading", title=join_lines([line.text for line in lines[at:end]], words))
        run, at = [], end
    if len(run) == len(lines):
        yield part
    elif run:
        yield _sub_part(part, run)


def _sub_part(part: Part, lines: Sequence[Line]) -> Part:
    block = Block(kind=part.block.kind, rect=union(line.rect for line in lines), lines=tuple(lines))
    return replace(part, block=block)


def _heading_end(lines: Sequence[Line], at: int, look: _HeadingStyles, inside_references: bool) -> int:
    """Where the heading that begins at line ``at`` ends, or ``at`` where none begins."""
    style = _line_style(lines[at])
    if style is None or style.monospaced or look.body is None:
        return at
    text = lines[at].text.strip()
    usual = is_common_heading(text) and (style.capitals or _plain(style) != _plain(look.body))
    number = parse_heading_number(text)
    counted = number is not None and not (number.letter and len(number.parts) == 1 and not number.closed)
    in_style = _plain(style) in look.strong and (counted or not look.numbered)
    in_capitals = style.capitals and counted and len(lines) == 1
    if not (usual or ((in_style or in_capitals) and not inside_references)) or not is_possible_heading(text):
        return at
    end = at + 1
    while (
        end < len(lines)
        and end < at + 3
        and _line_style(lines[end]) == style
        and not parse_heading_number(lines[end].text)
    ):
        end += 1
    return end


def _line_style(line: Line) -> TypeStyle | None:
    """The one style of a line, or None where it changes within the line."""
    spans = [span for span in visible_spans(line) if any(c.isalpha() for c in span.text)]
    styles = {(s.bold, s.italic) for s in map(span_style, spans)}
    return dominant_style(spans) if len(styles) == 1 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _RunInHeading:
    text: str
    style: TypeStyle


def _split_run_in_headings(parts: Sequence[Part], look: _HeadingStyles, words: Vocabulary) -> list[Part]:
    """Run-in headings put before the paragraphs that they open, where the paper has more than one in that style."""
    found: dict[int, _RunInHeading] = {}
    inside_references = False
    for number, part in enumerate(parts):
        if part.role == "heading":
            inside_references = is_references_heading(part.title)
        elif part.role in ("text", "list") and not inside_references and not part.from_ocr:
            run_in = _find_run_in_heading(part.block.lines, look.body, words)
            if run_in is not None:
                found[number] = run_in
    support = Counter(run_in.style for run_in in found.values())
    done: list[Part] = []
    begun = False
    for number, part in enumerate(parts):
        begun = begun or part.role == "heading"
        run_in = found.get(number)
        if (
            run_in is not None
            and begun
            and (support[run_in.style] > 1 or parse_heading_number(run_in.text) is not None)
        ):
            block = Block(kind="section-header", rect=part.block.lines[0].rect)
            done.append(replace(part, role="heading", title=run_in.text, block=block, run_in=run_in.style))
        done.append(part)
    return done


def _find_run_in_heading(lines: Sequence[Line], body: TypeStyle | None, words: Vocabulary) -> _RunInHeading | None:
    """The words in another style that a paragraph opens with, if they end like a heading."""
    spans = [(number, span) for number, line in enumerate(lines[:3]) for span in visible_spans(line)]
    if body is None or len(spans) < 2:
        return None
    head = _leading_spans(spans, body)
    if not head or len(head) == len(spans):
        return None
    rows = [build_line([span for number, span in head if number == row]).text for row in dict(head)]
    text = join_lines(rows, words).rstrip(" \u2014\u2013-")
    cut = _first_stop(text)
    following = text[cut:].strip() or spans[len(head)][1].text.strip()
    text = text[:cut].strip()
    style = _plain(dominant_style(span for _, span in head) or body)
    if parse_heading_number(text) is None and (len(text.split()) > 14 or ": " in text):
        return None
    if len(text) > _LONGEST_RUN_IN or is_theorem_heading(text) or parse_caption_label(text) is not None:
        return None
    if not is_possible_heading(text) or style.monospaced or not _ends_like_heading(text, following, style):
        return None
    return _RunInHeading(text=text, style=style)


def _leading_spans(spans: Sequence[tuple[int, Span]], body: TypeStyle) -> list[tuple[int, Span]]:
    head: list[tuple[int, Span]] = []
    for number, span in spans:
        style = span_style(span)
        other = (style.bold and not body.bold) or (style.italic and not body.italic)
        if not other or (head and (style.bold, style.italic) != _weight(head[0][1])):
            break
        head.append((number, span))
    return head


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
    if text.endswith((".", "?")):
        return after[:1].isupper() or not after[:1].isalpha()
    if after[:1] in "\u2014\u2013":
        return True
    if after[:1] == "." and after[1:].strip()[:1].isupper():
        return True
    return style.bold and len(text.split()) > 1 and after[:1].isupper() and (text[-1].isalpha() or text[-1] == ")")
