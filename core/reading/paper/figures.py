"""Pictures that belong together, and figures with their captions and the text that mentions them."""

import re
from collections.abc import Sequence
from dataclasses import replace

from core.domain.model import Box, Figure
from core.reading.blocks import Block, Rect, area, contained_fraction, horizontal_overlap, union, vertical_overlap
from core.reading.paper.captions import find_caption_label, infer_caption_style, link_captions, merge_captions
from core.reading.paper.parts import Part
from core.text import join_hyphenated

_SMALLEST = 30.0
"""Height and width in points below which a space above a caption holds no figure."""
_NEARBY = 2
_WHOLE_PAGE = 0.8
_LETTERING = 60
"""Characters that a box of a figure's own lettering has at most."""
_TOUCH = 4.0
_ROUNDS = 12
_LONG_LINE = 40


def merge_subfigures(
    blocks: Sequence[Block], width: float, height: float, drawn: Sequence[Rect] = ()
) -> tuple[Block, ...]:
    """The blocks of a page with one picture for each captioned figure: sub-figures joined, unseen ones marked off.

    ``drawn`` are the places of lines, fills and images on the page: a figure's picture takes in all that is drawn
    in one piece with it. Where the layout model saw no picture for a caption, the space next to it is looked at.
    """
    blocks = merge_captions(blocks)
    linked = link_captions(blocks, infer_caption_style([blocks]))
    drawn = [rect for rect in drawn if area(rect) < _WHOLE_PAGE * width * height]
    gone: set[int] = set()
    made: list[Block] = []
    for number, block in enumerate(blocks):
        label = find_caption_label(block)
        if label is None or label.kind != "figure":
            continue
        targets = linked.get(number, ())
        gone.update(targets)
        barriers = [b.rect for n, b in enumerate(blocks) if n not in targets and _is_barrier(b)]
        space = None if targets else _space_above(block, blocks, width, height)
        if targets:
            picture = _merge_pictures([blocks[target] for target in targets])
            made.append(replace(picture, rect=_grow_to_drawings(picture.rect, drawn, barriers)))
        elif space is not None and (rect := _drawing_area(space, drawn, barriers)) is not None:
            made.append(Block(kind="picture", rect=rect))
    taken = {target for targets in linked.values() for target in targets}
    kept = [
        replace(block, kind="text") if number not in taken and _is_boxed_text(block) else block
        for number, block in enumerate(blocks)
        if number not in gone
    ]
    return _absorb_lettering((*kept, *made), made)


def _is_barrier(block: Block) -> bool:
    """Whether a figure ends where this block begins."""
    prose = sum(len(line.text) for line in block.lines) > _LETTERING
    return bool(block.lines) and (block.kind in ("caption", "table", "section-header", "title") or prose)


def _grow_to_drawings(rect: Rect, drawn: Sequence[Rect], barriers: Sequence[Rect]) -> Rect:
    """``rect`` with all that is drawn in touch with it, up to the text around."""
    for _ in range(_ROUNDS):
        before = rect
        for other in drawn:
            if horizontal_overlap(other, rect) < -_TOUCH or vertical_overlap(other, rect) < -_TOUCH:
                continue
            wider = union((rect, other))
            if wider != rect and not any(_cuts(wider, barrier) and not _cuts(rect, barrier) for barrier in barriers):
                rect = wider
        if rect == before:
            break
    return rect


def _cuts(rect: Rect, barrier: Rect) -> bool:
    return horizontal_overlap(rect, barrier) > 3 and vertical_overlap(rect, barrier) > 3


def _drawing_area(space: Rect, drawn: Sequence[Rect], barriers: Sequence[Rect]) -> Rect | None:
    """What is drawn in a space between text; the whole space where nothing is known of the page's drawings."""
    if not drawn:
        return space
    inside = [
        rect
        for rect in drawn
        if contained_fraction(rect, space) > 0.5
        and not _is_rule(rect, space)
        and not any(_cuts(rect, barrier) for barrier in barriers)
    ]
    if not inside:
        return None
    rect = _grow_to_drawings(union(inside), drawn, barriers)
    return rect if rect[2] - rect[0] > _SMALLEST and rect[3] - rect[1] > _SMALLEST else None


def _is_rule(rect: Rect, space: Rect) -> bool:
    """A line across the column, as under a running head."""
    return rect[3] - rect[1] < 2 and rect[2] - rect[0] > 0.7 * (space[2] - space[0])


def _is_boxed_text(block: Block) -> bool:
    """Whether a picture without caption is a paragraph in a frame or on a coloured ground."""
    long = sum(len(line.text) > _LONG_LINE for line in block.lines)
    return block.kind == "picture" and len(block.lines) > 2 and long >= 0.6 * len(block.lines)


def _merge_pictures(pictures: Sequence[Block]) -> Block:
    lines = tuple(line for picture in pictures for line in picture.lines)
    return Block(kind="picture", rect=union(picture.rect for picture in pictures), lines=lines)


def _absorb_lettering(kept: Sequence[Block], made: Sequence[Block]) -> tuple[Block, ...]:
    """Loose text and scraps of pictures inside a figure go to the figure."""
    done: list[Block] = []
    lines = [list(picture.lines) for picture in made]
    for block in kept:
        home = next((n for n, picture in enumerate(made) if contained_fraction(block.rect, picture.rect) > 0.8), None)
        if home is None or block.kind in ("table", "caption"):
            done.append(block)
        else:
            lines[home].extend(block.lines)
    return (*done, *(replace(picture, lines=tuple(own)) for picture, own in zip(made, lines, strict=True)))


def _space_above(caption: Block, blocks: Sequence[Block], width: float, height: float) -> Rect | None:
    """The space between a caption and what stands above it in its column."""
    x0, y0, x1, _ = caption.rect
    top, left, right = 0.05 * height, x0, x1
    for block in blocks:
        if block is caption or block.rect[1] >= y0 or horizontal_overlap(block.rect, caption.rect) <= 4:
            continue
        if block.kind == "picture" or (block.lines and sum(len(line.text) for line in block.lines) > 30):
            top = max(top, block.rect[3])
    for block in blocks:
        beside = (
            block.rect[1] < y0
            and block.rect[3] > top
            and block.lines
            and horizontal_overlap(block.rect, caption.rect) <= 4
        )
        if not beside and block.rect[1] < y0 and block.rect[3] > top and block is not caption:
            left, right = min(left, block.rect[0]), max(right, block.rect[2])
    space = (max(0.0, left - 4), top + 1, min(width, right + 4), y0 - 1)
    return space if space[3] - space[1] > _SMALLEST and space[2] - space[0] > _SMALLEST else None


def extract_figures(parts: Sequence[Part], paper_id: str) -> tuple[Figure, ...]:
    """The figures of a paper; without a single caption, its larger pictures."""
    pictures = [part for part in parts if part.role == "picture"]
    labelled = [part for part in pictures if part.label]
    chosen = labelled or [part for part in pictures if area(part.block.rect) > 20_000]
    first: dict[str, Part] = {}
    for part in chosen:
        first.setdefault(part.label or f"{part.page}:{part.block.rect}", part)
    return tuple(
        Figure(
            id=f"{paper_id[:16]}-f{number:03d}",
            paper_id=paper_id,
            page=part.page,
            label=part.label,
            caption=part.caption,
            nearby=mentioning_paragraphs(part.label, parts),
            box=_box(part),
            image=part.block.image,
        )
        for number, part in enumerate(first.values(), start=1)
    )


def _box(part: Part) -> Box:
    x0, y0, x1, y1 = part.block.rect
    return Box(page=part.page, x0=x0, y0=y0, x1=x1, y1=y1)


def mentions_label(label: str, text: str) -> bool:
    """Whether running text points to ``label``: "Fig. 3a" and "Figures 2 and 3" point to Figure 3."""
    number = re.search(r"[\dA-Z][\w.\-]*$", label)
    if number is None or number.group() not in text:
        return False
    word = label[: number.start()].strip().rstrip(".")
    stem = re.escape(word[:3] if word.isascii() else word)
    others = r"(?:[\w.\-()]{1,8}\s*(?:,|;|and|y|e|und|et|&|–|-|to)\s*){0,6}"
    pattern = rf"\b{stem}\w*\.?\s*{others}{re.escape(number.group())}(?!\d|\.\d)"
    return re.search(pattern, text, re.IGNORECASE) is not None


def mentioning_paragraphs(label: str, parts: Sequence[Part]) -> str:
    """The first paragraphs that mention a label, a blank line between them."""
    found = [
        " ".join(join_hyphenated(part.text).split())
        for part in parts
        if part.role in ("text", "list") and mentions_label(label, part.text)
    ]
    return "\n\n".join(found[:_NEARBY])
