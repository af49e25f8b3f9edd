"""Makes sense of a paper's pages: order, outline, captions, tables and figures, and the passages to search.

Pure: it needs no PDF, so it can run anywhere and be tested on blocks made by hand.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.domain.model import Heading, PaperKind, Reading
from core.reading.blocks import PageContent
from core.reading.paper.chunking import PASSAGE_CHARACTERS, chunk_passages
from core.reading.paper.figures import extract_figures
from core.reading.paper.floats import assign_float_sections, build_ordered_parts, join_captions_and_tables
from core.reading.paper.footnotes import separate_footnotes
from core.reading.paper.heading_text import is_references_heading
from core.reading.paper.headings import split_at_headings
from core.reading.paper.joining import Vocabulary
from core.reading.paper.listings import mark_number_listings
from core.reading.paper.metadata import extract_metadata
from core.reading.paper.parts import Part
from core.reading.paper.references import extract_references
from core.reading.paper.running_heads import mark_running_heads
from core.reading.paper.verbatim import attach_layer_readings

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
