"""Analyses a paper's pages: reading order, outline, captions, tables and figures, and the passages to search.

It needs no PDF, so that it can run anywhere and be tested on blocks made by hand.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.domain.model import Heading, PaperKind, Passage, Reading
from core.reading.blocks import Block, PageContent
from core.reading.paper.caption_links import CaptionStyle, infer_caption_style, link_captions, styled_caption_label
from core.reading.paper.captions import merge_captions, parse_caption_label
from core.reading.paper.chunking import PASSAGE_CHARACTERS, chunk_passages
from core.reading.paper.figures import extract_figures, mentions_label
from core.reading.paper.footnotes import separate_footnotes
from core.reading.paper.front_matter import mark_front_matter
from core.reading.paper.headings import split_at_headings
from core.reading.paper.metadata import extract_metadata
from core.reading.paper.page_edges import keep_informative_edges, mark_running_heads
from core.reading.paper.parts import Part, part_from_block
from core.reading.paper.reading_order import sort_reading_order
from core.reading.paper.reading_warnings import text_warnings
from core.reading.paper.reference_section import mark_references
from core.reading.paper.references import extract_references
from core.reading.paper.tables import extract_rows, has_same_columns, mark_number_listings
from core.reading.paper.verbatim import attach_layer_readings
from core.reading.paper.word_joining import Vocabulary, join_lines

_MANY_PAGES = 10
"""A paper of so many pages has more than one section."""


def analyse_paper(
    pages: Sequence[PageContent],
    *,
    paper_id: str,
    file_metadata: Mapping[str, str],
    characters: int = PASSAGE_CHARACTERS,
) -> Reading:
    """Everything that is in the pages of one paper; passages are about ``characters`` long."""
    marked = mark_running_heads(pages)
    parts = build_parts(marked)
    metadata = extract_metadata(marked, parts, file_metadata)
    passages = chunk_passages(parts, paper_id=paper_id, title=metadata.title, characters=characters)
    headings = [part for part in parts if part.role == "heading" and part.listed]
    notes = (note for page in pages for note in page.notes)
    return Reading(
        metadata=metadata,
        kind=_paper_kind(pages),
        pages=len(pages),
        passages=_attach_pages(passages, pages),
        headings=tuple(Heading(text=part.title, page=part.page, level=part.level) for part in headings),
        figures=extract_figures(parts, paper_id),
        references=extract_references(parts, paper_id),
        warnings=tuple(dict.fromkeys((*notes, *text_warnings(passages), *_doubts(headings, pages)))),
        unread=tuple(page.number for page in pages if page.kind == "unreadable"),
    )


def _doubts(headings: Sequence[Part], pages: Sequence[PageContent]) -> list[str]:
    """What makes the reading itself doubtful, in a sentence each."""
    if len(pages) < _MANY_PAGES or len(headings) > 1:
        return []
    found = "Only one section was" if headings else "No sections were"
    return [f"{found} found in {len(pages):,} pages: this paper may not have been read well."]


def _attach_pages(passages: Sequence[Passage], pages: Sequence[PageContent]) -> tuple[Passage, ...]:
    """The passages with what their pages' text layers say otherwise, or the vision model that read the page."""
    models = {page.number: page.read_by for page in pages}
    compared = attach_layer_readings(passages, {page.number: page.layer for page in pages})
    return tuple(
        replace(passage, read_by=models[passage.page], boxes=(), ends=()) if models[passage.page] else passage
        for passage in compared
    )


def build_parts(pages: Sequence[PageContent]) -> tuple[Part, ...]:
    """The paper as one run of parts in reading order, roles, labels and sections settled.

    ``pages`` are those whose running heads are marked.
    """
    parts = build_ordered_parts(mark_number_listings(separate_footnotes(keep_informative_edges(pages))))
    words = Vocabulary(line.text for part in parts for line in part.block.lines)
    parts_with_captions = join_captions_and_tables(parts, words)
    settled = mark_front_matter(mark_references(split_at_headings(parts_with_captions, words)))
    return assign_float_sections(settled)


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
    style = infer_caption_style(ordered)
    return [part for page, blocks in zip(pages, ordered, strict=True) for part in _page_parts(page, blocks, style)]


def _page_parts(page: PageContent, blocks: Sequence[Block], style: CaptionStyle) -> list[Part]:
    linked = link_captions(blocks, style)
    owner = {target: blocks[caption] for caption, targets in linked.items() for target in targets}
    parts: list[Part] = []
    for index, block in enumerate(blocks):
        part = part_from_block(page, block)
        label = styled_caption_label(block, style)
        if label is not None:
            part = replace(part, role="caption", label=label.text, continued=label.continued)
        elif index in owner:
            part = _with_caption(part, owner[index], style)
        parts.append(part)
    return parts


def _with_caption(part: Part, caption: Block, style: CaptionStyle) -> Part:
    label = styled_caption_label(caption, style)
    text = "\n".join(line.text.strip() for line in caption.lines)
    if label is None:
        return replace(part, label="", caption=text, continued=False)
    return replace(part, label=label.text, caption=text, continued=label.continued)


def join_captions_and_tables(parts: Sequence[Part], words: Vocabulary) -> tuple[Part, ...]:
    """Captions as running text; a table that goes on over a page end gets the label and header of its beginning."""
    done: list[Part] = []
    last: Part | None = None
    for part in parts:
        joined = replace(part, caption=join_lines(part.caption.split("\n"), words)) if part.caption else part
        if joined.role == "table":
            joined = joined if last is None else _continue_table(last, joined)
            last = joined
        done.append(joined)
    return tuple(done)


def _continue_table(first: Part, second: Part) -> Part:
    """The second table with label, caption and header rows of the first, if it goes on from it."""
    if not _continues_table(first, second):
        return second
    header = first.header_rows or extract_rows(first.block)[: first.header_count]
    return replace(second, label=first.label, caption=first.caption, header_rows=tuple(header))


def _continues_table(first: Part, second: Part) -> bool:
    if second.continued:
        is_near = second.page in (first.page, first.page + 1)
        return is_near and second.label == first.label and parse_caption_label(second.label) is not None
    is_next_page = second.page == first.page + 1
    return is_next_page and not second.label and has_same_columns(first.block, second.block)


def assign_float_sections(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Labelled floats moved, in the outline only, under the section whose text points to them from nearest by."""
    prose = [part for part in parts if part.role in ("text", "list")]
    sections: dict[str, tuple[str, ...]] = {}
    done: list[Part] = []
    for part in parts:
        if not part.label or part.role not in ("table", "picture", "caption"):
            done.append(part)
            continue
        if part.label not in sections:
            sections[part.label] = _discussing_section(part, prose)
        done.append(replace(part, section=sections[part.label] or part.section))
    return tuple(done)


def _discussing_section(part: Part, prose: Sequence[Part]) -> tuple[str, ...]:
    pointing = [other for other in prose if other.section and mentions_label(part.label, other.text)]
    if not pointing:
        return ()
    times = Counter(other.section for other in pointing)
    return min(pointing, key=lambda other: (-times[other.section], abs(other.page - part.page))).section
