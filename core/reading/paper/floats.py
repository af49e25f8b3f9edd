"""Tables and figures as parts of a paper: with label and caption, under the section that discusses them.

A float stands where the page had room for it; the section it belongs to is the one whose text points to it.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from core.reading.blocks import Block, PageRead
from core.reading.paper.captions import Habits, habits_of, habitual_label, label_of, links, whole_captions
from core.reading.paper.figures import mentions
from core.reading.paper.joining import Words, running_text
from core.reading.paper.parts import Part, part_of
from core.reading.paper.reading_order import reading_order
from core.reading.paper.tables import rows_of, same_columns


def parts_in_order(pages: Sequence[PageRead]) -> list[Part]:
    """The parts of all pages in reading order, captions and what they caption with their label."""
    ordered = [reading_order(whole_captions(page.blocks), page.width, page.height) for page in pages]
    habits = habits_of(ordered)
    return [part for page, blocks in zip(pages, ordered, strict=True) for part in _page_parts(page, blocks, habits)]


def _page_parts(page: PageRead, blocks: Sequence[Block], habits: Habits) -> list[Part]:
    linked = links(blocks, habits)
    owner = {target: caption for caption, targets in linked.items() for target in targets}
    parts: list[Part] = []
    for number, block in enumerate(blocks):
        part = part_of(page, block)
        label = habitual_label(block, habits)
        if label is not None:
            part = replace(part, role="caption", label=label.text, continued=label.continued)
        elif number in owner:
            caption = blocks[owner[number]]
            own = habitual_label(caption, habits)
            text = "\n".join(line.text.strip() for line in caption.lines)
            part = replace(part, label=own.text if own else "", caption=text, continued=bool(own and own.continued))
        parts.append(part)
    return parts


def with_captions_whole(parts: Sequence[Part], words: Words) -> tuple[Part, ...]:
    """Captions as running text; a table that goes on over a page end gets the label and header of its beginning."""
    done: list[Part] = []
    last: Part | None = None
    for part in parts:
        if part.caption:
            part = replace(part, caption=running_text(part.caption.split("\n"), words))
        if part.role == "table":
            if last is not None and _goes_on(last, part):
                header = last.header_rows or rows_of(last.block)[: last.header_count]
                part = replace(part, label=last.label, caption=last.caption, header_rows=tuple(header))
            last = part
        done.append(part)
    return tuple(done)


def _goes_on(first: Part, second: Part) -> bool:
    if second.page not in (first.page, first.page + 1):
        return False
    if second.continued:
        own = label_of(second.label)
        return own is not None and second.label == first.label
    unlabelled = not second.label and second.page == first.page + 1
    return unlabelled and same_columns(first.block, second.block)


def with_float_sections(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Labelled floats moved, in the outline only, under the section whose text points to them from nearest by."""
    prose = [part for part in parts if part.role in ("text", "list")]
    known: dict[str, tuple[str, ...]] = {}
    done: list[Part] = []
    for part in parts:
        if part.label and part.role in ("table", "picture", "caption"):
            if part.label not in known:
                known[part.label] = _discussed(part, prose)
            part = replace(part, section=known[part.label] or part.section)
        done.append(part)
    return tuple(done)


def _discussed(part: Part, prose: Sequence[Part]) -> tuple[str, ...]:
    pointing = [other for other in prose if other.section and mentions(part.label, other.text)]
    if not pointing:
        return ()
    times = Counter(other.section for other in pointing)
    return min(pointing, key=lambda other: (-times[other.section], abs(other.page - part.page))).section
