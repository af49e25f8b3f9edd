"""Analyses a paper's pages: reading order, outline, captions, tables and figures, and the passages to search.

It needs no PDF, so that it can run anywhere and be tested on blocks made by hand.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.domain.model import Heading, PaperKind, Reading
from core.reading.blocks import Block, PageContent
from core.reading.paper.captions import (
    CaptionStyle,
    infer_caption_style,
    link_captions,
    merge_captions,
    parse_caption_label,
    styled_caption_label,
)
from core.reading.paper.chunking import PASSAGE_CHARACTERS, chunk_passages
from core.reading.paper.figures import extract_figures, mentions_label
from core.reading.paper.heading_text import is_references_heading
from core.reading.paper.headings import split_at_headings
from core.reading.paper.metadata import extract_metadata
from core.reading.paper.page_edges import mark_running_heads, separate_footnotes
from core.reading.paper.parts import Part, part_from_block
from core.reading.paper.reading_order import sort_reading_order
from core.reading.paper.references import extract_references
from core.reading.paper.tables import extract_rows, has_same_columns, mark_number_listings
from core.reading.paper.verbatim import attach_layer_readings
from core.reading.paper.word_joining import Vocabulary, join_lines

_LONG = 400


def analyse_paper(
    pages: Sequence[PageContent],
    *,
    paper_id: str,
    file_metadata: Mapping[str, str],
    characters: int = PASSAGE_CHARACTERS,
) -> Reading:
    """Everything a reader finds in the pages of one paper; passages are about ``characters`` long."""
    parts = build_parts(pages)
    read_by = {page.number: page.read_by for page in pages if page.read_by}
    about = extract_metadata(_mark_repeated_heads(pages), parts, file_metadata)
    return Reading(
        metadata=about,
        kind=_paper_kind(pages),
        pages=len(pages),
        passages=tuple(
            replace(one, read_by=read_by[one.page], boxes=(), ends=()) if one.page in read_by else one
            for one in attach_layer_readings(
                chunk_passages(parts, paper_id=paper_id, title=about.title, characters=characters),
                {page.number: page.layer for page in pages},
            )
        ),
        headings=tuple(
            Heading(text=part.title, page=part.page, level=part.level)
            for part in parts
            if part.role == "heading" and part.listed
        ),
        figures=extract_figures(parts, paper_id),
        references=extract_references(parts, paper_id),
        warnings=tuple(dict.fromkeys(note for page in pages for note in page.notes)),
        unread=tuple(page.number for page in pages if page.kind == "unreadable"),
    )


def _mark_repeated_heads(pages: Sequence[PageContent]) -> list[PageContent]:
    """The pages, only what recurs on them marked: a journal's name over every page is no title."""
    return [
        replace(page, blocks=tuple(new if new.kind == "page-header" else old for old, new in both))
        for page, marked in zip(pages, mark_running_heads(pages), strict=True)
        for both in [zip(page.blocks, marked.blocks, strict=True)]
    ]


def build_parts(pages: Sequence[PageContent]) -> tuple[Part, ...]:
    """The paper as one run of parts in reading order, roles, labels and sections settled."""
    parts = build_ordered_parts(mark_number_listings(separate_footnotes(mark_running_heads(pages))))
    words = Vocabulary(line.text for part in parts for line in part.block.lines)
    parts_with_captions = join_captions_and_tables(parts, words)
    return assign_float_sections(_without_references(split_at_headings(parts_with_captions, words)))


def _without_references(parts: Sequence[Part]) -> tuple[Part, ...]:
    inside = False
    done = []
    for part in parts:
        if part.role == "heading":
            inside = is_references_heading(part.title)
        entry = inside and part.role in ("text", "list", "footnote") and not _is_prose(part)
        done.append(replace(part, role="reference") if entry else part)
    return tuple(done)


def _is_prose(part: Part) -> bool:
    """Whether a paragraph behind the references is none of them: long, and without a year or a number in front."""
    text = part.text
    long = part.block.kind == "text" and len(text) > _LONG
    return long and re.search(r"\b(?:1[89]|20)\d\d|^\s*\[|^\s*\d+\.\s|https?:", text) is None


def _paper_kind(pages: Sequence[PageContent]) -> PaperKind:
    kinds = {page.kind for page in pages} - {"blank", "unreadable"}
    if kinds <= {"text"}:
        return "born digital"
    if len(kinds) > 1:
        return "mixed"
    return "scanned" if kinds == {"scanned"} else "text over scan"


def build_ordered_parts(pages: Sequence[PageContent]) -> list[Part]:
    """The parts of all pages in reading order, captions and what they caption with their label."""
    ordered = [sort_reading_order(merge_captions(page.blocks), page.width, page.height) for page in pages]
    habits = infer_caption_style(ordered)
    return [part for page, blocks in zip(pages, ordered, strict=True) for part in _page_parts(page, blocks, habits)]


def _page_parts(page: PageContent, blocks: Sequence[Block], habits: CaptionStyle) -> list[Part]:
    linked = link_captions(blocks, habits)
    owner = {target: caption for caption, targets in linked.items() for target in targets}
    parts: list[Part] = []
    for number, block in enumerate(blocks):
        part = part_from_block(page, block)
        label = styled_caption_label(block, habits)
        if label is not None:
            part = replace(part, role="caption", label=label.text, continued=label.continued)
        elif number in owner:
            caption = blocks[owner[number]]
            own = styled_caption_label(caption, habits)
            text = "\n".join(line.text.strip() for line in caption.lines)
            part = replace(part, label=own.text if own else "", caption=text, continued=bool(own and own.continued))
        parts.append(part)
    return parts


def join_captions_and_tables(parts: Sequence[Part], words: Vocabulary) -> tuple[Part, ...]:
    """Captions as running text; a table that goes on over a page end gets the label and header of its beginning."""
    done: list[Part] = []
    last: Part | None = None
    for part in parts:
        if part.caption:
            part = replace(part, caption=join_lines(part.caption.split("\n"), words))
        if part.role == "table":
            if last is not None and _continues_table(last, part):
                header = last.header_rows or extract_rows(last.block)[: last.header_count]
                part = replace(part, label=last.label, caption=last.caption, header_rows=tuple(header))
            last = part
        done.append(part)
    return tuple(done)


def _continues_table(first: Part, second: Part) -> bool:
    if second.page not in (first.page, first.page + 1):
        return False
    if second.continued:
        own = parse_caption_label(second.label)
        return own is not None and second.label == first.label
    unlabelled = not second.label and second.page == first.page + 1
    return unlabelled and has_same_columns(first.block, second.block)


def assign_float_sections(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Labelled floats moved, in the outline only, under the section whose text points to them from nearest by."""
    prose = [part for part in parts if part.role in ("text", "list")]
    known: dict[str, tuple[str, ...]] = {}
    done: list[Part] = []
    for part in parts:
        if part.label and part.role in ("table", "picture", "caption"):
            if part.label not in known:
                known[part.label] = _discussing_section(part, prose)
            part = replace(part, section=known[part.label] or part.section)
        done.append(part)
    return tuple(done)


def _discussing_section(part: Part, prose: Sequence[Part]) -> tuple[str, ...]:
    pointing = [other for other in prose if other.section and mentions_label(part.label, other.text)]
    if not pointing:
        return ()
    times = Counter(other.section for other in pointing)
    return min(pointing, key=lambda other: (-times[other.section], abs(other.page - part.page))).section
