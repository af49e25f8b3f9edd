"""Finds run-in headings: the words in another weight that a paragraph opens with, where they end as headings do."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from core.reading.blocks import Block, Line, Span
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
from core.reading.paper.parts import Part
from core.reading.paper.type_style import TypeStyle, dominant_style, span_style, visible_spans
from core.reading.paper.word_joining import Vocabulary, join_lines

_LONGEST = 110


@dataclass(frozen=True, slots=True, kw_only=True)
class _RunInHeading:
    """The words that a paragraph opens with as a heading, with their type."""

    text: str
    style: TypeStyle


def split_run_in_headings(parts: Sequence[Part], body: TypeStyle | None, words: Vocabulary) -> list[Part]:
    """Run-in headings put before the paragraphs that they open, where the paper has more than one in that style."""
    run_ins = _run_in_headings(parts, body, words)
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


def _run_in_headings(parts: Sequence[Part], body: TypeStyle | None, words: Vocabulary) -> dict[int, _RunInHeading]:
    """What may be a run-in heading, by the index of the part that it opens."""
    run_ins: dict[int, _RunInHeading] = {}
    inside_references = False
    for index, part in enumerate(parts):
        if part.role == "heading":
            inside_references = is_references_heading(part.title)
        if part.role not in ("text", "list") or part.from_ocr or inside_references:
            continue
        run_in = _find_run_in_heading(part.block.lines, body, words)
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
    style = replace(dominant_style(span for _, span in head) or body, capitals=False)
    if style.monospaced or not _can_be_run_in(title) or not _ends_like_heading(title, following, style):
        return None
    return _RunInHeading(text=title, style=style)


def _can_be_run_in(title: str) -> bool:
    reads_as_sentence = len(title.split()) > 14 or ": " in title
    if reads_as_sentence and parse_heading_number(title) is None:
        return False
    if len(title) > _LONGEST or is_theorem_heading(title):
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
