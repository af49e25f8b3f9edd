"""Tables and figures as parts of a paper: with label and caption, under the section that discusses them.

A float stands where the page had room for it; the section it belongs to is the one whose text points to it.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from core.reading.blocks import Block, PageContent
from core.reading.paper.captions import (
    CaptionStyle,
    infer_caption_style,
    link_captions,
    merge_captions,
    parse_caption_label,
    styled_caption_label,
)
from core.reading.paper.figures import mentions_label
from core.reading.paper.joining import Vocabulary, join_lines
from core.reading.paper.parts import Part, part_from_block
from core.reading.paper.reading_order import sort_reading_order
from core.reading.paper.tables import extract_rows, has_same_columns


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
