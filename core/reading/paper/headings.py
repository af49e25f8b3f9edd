"""Finds the headings of a paper: boxes that look like one, lines in the style of one, words run into a paragraph.

What a heading looks like is learned from the paper itself: from the numbered and the usual ones among the
boxes that the layout model took for headings.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.reading.blocks import Block, Line, Span
from core.reading.geometry import union
from core.reading.page.boxes import line_of
from core.reading.paper.captions import label_of
from core.reading.paper.heading_text import is_opening, is_references, is_statement, is_usual, may_be_heading, number_of
from core.reading.paper.joining import Words, running_text
from core.reading.paper.outline import Found, levelled
from core.reading.paper.parts import Part
from core.reading.paper.type_style import Style, body_style, inked, span_style, style_of

_LONGEST_RUN_IN = 110


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """What the paper's own headings look like."""

    body: Style | None
    strong: frozenset[Style]
    numbered: bool


def with_headings(parts: Sequence[Part], words: Words) -> tuple[Part, ...]:
    """``parts`` cut at headings, which become parts of their own; every part gets its section path."""
    body = body_style([line for part in parts if part.role in ("text", "list") for line in part.block.lines])
    boxes = _boxes(parts, body, words)
    start = min(boxes, default=0)
    look = _look(boxes, body)
    found: list[Part] = []
    inside_references = False
    for number, part in enumerate(parts):
        if number in boxes:
            inside_references = is_references(boxes[number].text)
            found.append(replace(part, role="heading", title=boxes[number].text))
        elif part.role in ("text", "list") and not part.from_ocr and number > start:
            pieces = list(_cut(part, look, words, inside_references))
            for piece in pieces:
                if piece.role == "heading":
                    inside_references = is_references(piece.title)
            found.extend(pieces)
        else:
            found.append(part)
    return levelled(_with_run_ins(found, look, words))


def _boxes(parts: Sequence[Part], body: Style | None, words: Words) -> dict[int, Found]:
    """Boxes that the layout model took for headings and that are."""
    seen: dict[int, Found] = {}
    for number, part in enumerate(parts):
        if part.role != "text" or part.block.kind not in ("section-header", "title") or not part.block.lines:
            continue
        text = running_text([line.text for line in part.block.lines], words)
        style = style_of(span for line in part.block.lines for span in line.spans)
        if may_be_heading(text) and label_of(text) is None:
            seen[number] = Found(text=text, style=style, page=part.page)
    start = _first(seen)
    support = Counter(_plain(found.style) for number, found in seen.items() if number >= start and found.style)
    good = {
        number: found
        for number, found in seen.items()
        if number >= start and (parts[number].from_ocr or _looks_right(found, body, support))
    }
    times = Counter(found.text.casefold() for found in good.values())
    last = {found.text.casefold(): number for number, found in good.items()}
    return {n: f for n, f in good.items() if times[f.text.casefold()] < 3 or last[f.text.casefold()] == n}


def _first(seen: dict[int, Found]) -> int:
    """Where title and authors end: at the first heading that opens a text, else at any usual or first one."""
    openings = [n for n, found in seen.items() if is_opening(found.text) or _is_one(found.text)]
    usual = [n for n, found in seen.items() if is_usual(found.text)]
    return min(openings or usual, default=max(seen, default=0) if len(seen) == 1 else 0)


def _is_one(text: str) -> bool:
    number = number_of(text)
    return number is not None and number.parts in (("1",), ("I",))


def _looks_right(found: Found, body: Style | None, support: Counter[Style]) -> bool:
    number = number_of(found.text)
    if is_usual(found.text) or (number is not None and not number.letter):
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


def _plain(style: Style) -> Style:
    return replace(style, capitals=False)


def _look(boxes: dict[int, Found], body: Style | None) -> _Look:
    styles = Counter(_plain(found.style) for found in boxes.values() if found.style)
    strong = {
        style
        for style, times in styles.items()
        if (times > 1 or style.bold) and not style.monospaced and (body is None or style != _plain(body))
    }
    numbers = sum(number_of(found.text) is not None for found in boxes.values())
    return _Look(body=body, strong=frozenset(strong), numbered=2 * numbers > len(boxes))


def _cut(part: Part, look: _Look, words: Words, inside_references: bool) -> Iterator[Part]:
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
            yield _of(part, run)
        heading = _of(part, lines[at:end])
        yield replace(heading, role="heading", title=running_text([line.text for line in lines[at:end]], words))
        run, at = [], end
    if len(run) == len(lines):
        yield part
    elif run:
        yield _of(part, run)


def _of(part: Part, lines: Sequence[Line]) -> Part:
    block = Block(kind=part.block.kind, rect=union(line.rect for line in lines), lines=tuple(lines))
    return replace(part, block=block)


def _heading_end(lines: Sequence[Line], at: int, look: _Look, inside_references: bool) -> int:
    """Where the heading that begins at line ``at`` ends, or ``at`` where none begins."""
    style = _line_style(lines[at])
    if style is None or style.monospaced or look.body is None:
        return at
    text = lines[at].text.strip()
    usual = is_usual(text) and (style.capitals or _plain(style) != _plain(look.body))
    number = number_of(text)
    counted = number is not None and not (number.letter and len(number.parts) == 1 and not number.closed)
    in_style = _plain(style) in look.strong and (counted or not look.numbered)
    in_capitals = style.capitals and counted and len(lines) == 1
    if not (usual or ((in_style or in_capitals) and not inside_references)) or not may_be_heading(text):
        return at
    end = at + 1
    while end < len(lines) and end < at + 3 and _line_style(lines[end]) == style and not number_of(lines[end].text):
        end += 1
    return end


def _line_style(line: Line) -> Style | None:
    """The one style of a line, or None where it changes within the line."""
    spans = [span for span in inked(line) if any(c.isalpha() for c in span.text)]
    styles = {(s.bold, s.italic) for s in map(span_style, spans)}
    return style_of(spans) if len(styles) == 1 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _RunIn:
    text: str
    style: Style


def _with_run_ins(parts: Sequence[Part], look: _Look, words: Words) -> list[Part]:
    """Run-in headings put before the paragraphs that they open, where the paper has more than one in that style."""
    found: dict[int, _RunIn] = {}
    inside_references = False
    for number, part in enumerate(parts):
        if part.role == "heading":
            inside_references = is_references(part.title)
        elif part.role in ("text", "list") and not inside_references and not part.from_ocr:
            run_in = _run_in(part.block.lines, look.body, words)
            if run_in is not None:
                found[number] = run_in
    support = Counter(run_in.style for run_in in found.values())
    done: list[Part] = []
    begun = False
    for number, part in enumerate(parts):
        begun = begun or part.role == "heading"
        run_in = found.get(number)
        if run_in is not None and begun and (support[run_in.style] > 1 or number_of(run_in.text) is not None):
            block = Block(kind="section-header", rect=part.block.lines[0].rect)
            done.append(replace(part, role="heading", title=run_in.text, block=block, run_in=run_in.style))
        done.append(part)
    return done


def _run_in(lines: Sequence[Line], body: Style | None, words: Words) -> _RunIn | None:
    """The words in another style that a paragraph opens with, if they end like a heading."""
    spans = [(number, span) for number, line in enumerate(lines[:3]) for span in inked(line)]
    if body is None or len(spans) < 2:
        return None
    head = _head(spans, body)
    if not head or len(head) == len(spans):
        return None
    rows = [line_of([span for number, span in head if number == row]).text for row in dict(head)]
    text = running_text(rows, words).rstrip(" \u2014\u2013-")
    cut = _first_stop(text)
    following = text[cut:].strip() or spans[len(head)][1].text.strip()
    text = text[:cut].strip()
    style = _plain(style_of(span for _, span in head) or body)
    if number_of(text) is None and (len(text.split()) > 14 or ": " in text):
        return None
    if len(text) > _LONGEST_RUN_IN or is_statement(text) or label_of(text) is not None:
        return None
    if not may_be_heading(text) or style.monospaced or not _ends_like_one(text, following, style):
        return None
    return _RunIn(text=text, style=style)


def _head(spans: Sequence[tuple[int, Span]], body: Style) -> list[tuple[int, Span]]:
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
    number = number_of(text)
    if number is None or not number.rest:
        return len(text)
    stop = re.search(r"\.\s+(?=[^\W\d_])", number.rest)
    return len(text) if stop is None else len(text) - len(number.rest) + stop.start() + 1


def _ends_like_one(text: str, after: str, style: Style) -> bool:
    if text.endswith((".", "?")):
        return after[:1].isupper() or not after[:1].isalpha()
    if after[:1] in "\u2014\u2013":
        return True
    if after[:1] == "." and after[1:].strip()[:1].isupper():
        return True
    return style.bold and len(text.split()) > 1 and after[:1].isupper() and (text[-1].isalpha() or text[-1] == ")")
