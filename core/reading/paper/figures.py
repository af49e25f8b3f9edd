"""Pictures that belong together, and figures with their captions and the text that mentions them."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, islice

from core.domain.model import Box, Figure
from core.reading.blocks import Block, Rect, area, contained_fraction, horizontal_overlap, union, vertical_overlap
from core.reading.paper.caption_links import infer_caption_style, link_captions
from core.reading.paper.captions import find_caption_label, merge_captions
from core.reading.paper.parts import Part
from core.text import join_hyphenated

_SMALLEST = 30.0
"""Height and width in points below which a space above a caption holds no figure."""
_LARGE = 20_000
"""Square points from which a picture without a caption counts, where no picture has one."""
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

    ``drawn`` are the rectangles of lines, fills and images on the page: a figure's picture takes in all that is drawn
    in one piece with it. Where the layout model saw no picture for a caption, the space next to it is looked at.
    """
    blocks = merge_captions(blocks)
    linked = link_captions(blocks, infer_caption_style([blocks]))
    drawn = [rect for rect in drawn if area(rect) < _WHOLE_PAGE * width * height]
    merged: set[int] = set()
    figures: list[Block] = []
    for index in _figure_captions(blocks):
        targets = linked.get(index, ())
        merged.update(targets)
        barriers = [block.rect for n, block in enumerate(blocks) if n not in targets and _is_barrier(block)]
        if targets:
            picture = _merge_pictures([blocks[target] for target in targets])
            figures.append(replace(picture, rect=_grow_to_drawings(picture.rect, drawn, barriers)))
            continue
        rect = _unseen_figure(blocks[index], blocks, (width, height), drawn, barriers)
        if rect is not None:
            figures.append(Block(kind="picture", rect=rect))
    captioned = set(chain.from_iterable(linked.values()))
    kept = [
        block if index in captioned else _unframe_text(block)
        for index, block in enumerate(blocks)
        if index not in merged
    ]
    return _absorb_lettering((*kept, *figures), figures)


def _figure_captions(blocks: Sequence[Block]) -> list[int]:
    labels = enumerate(map(find_caption_label, blocks))
    return [index for index, label in labels if label is not None and label.kind == "figure"]


def _unseen_figure(
    caption: Block,
    blocks: Sequence[Block],
    page: tuple[float, float],
    drawn: Sequence[Rect],
    barriers: Sequence[Rect],
) -> Rect | None:
    """Where a figure is drawn above a caption for which the model saw no picture; ``page`` is width and height."""
    space = _space_above(caption, blocks, *page)
    return None if space is None else _drawing_area(space, drawn, barriers)


def _is_barrier(block: Block) -> bool:
    """Whether a figure ends where this block begins."""
    prose = sum(len(line.text) for line in block.lines) > _LETTERING
    return bool(block.lines) and (block.kind in ("caption", "table", "section-header", "title") or prose)


def _grow_to_drawings(rect: Rect, drawn: Sequence[Rect], barriers: Sequence[Rect]) -> Rect:
    """``rect`` with all that is drawn in touch with it, up to the text around."""
    for _ in range(_ROUNDS):
        before = rect
        for other in drawn:
            if _is_in_touch(other, rect) and not _crosses_barrier(union((rect, other)), rect, barriers):
                rect = union((rect, other))
        if rect == before:
            break
    return rect


def _is_in_touch(rect: Rect, other: Rect) -> bool:
    return horizontal_overlap(rect, other) >= -_TOUCH and vertical_overlap(rect, other) >= -_TOUCH


def _crosses_barrier(wider: Rect, rect: Rect, barriers: Sequence[Rect]) -> bool:
    """Whether a rectangle that grew from ``rect`` runs into text that ``rect`` did not."""
    return any(_cuts(wider, barrier) and not _cuts(rect, barrier) for barrier in barriers)


def _cuts(rect: Rect, barrier: Rect) -> bool:
    return horizontal_overlap(rect, barrier) > 3 and vertical_overlap(rect, barrier) > 3


def _drawing_area(space: Rect, drawn: Sequence[Rect], barriers: Sequence[Rect]) -> Rect | None:
    """What is drawn in a space between text; the whole space where nothing is known of the page's drawings."""
    if not drawn:
        return space
    inside = [rect for rect in drawn if _stands_in(rect, space) and not _is_rule(rect, space)]
    free = [rect for rect in inside if not any(_cuts(rect, barrier) for barrier in barriers)]
    if not free:
        return None
    rect = _grow_to_drawings(union(free), drawn, barriers)
    return rect if _holds_figure(rect) else None


def _stands_in(rect: Rect, space: Rect) -> bool:
    """Whether something is drawn between the top and bottom of a space; it may be wider than the caption below."""
    as_wide = (rect[0], space[1], rect[2], space[3])
    return contained_fraction(rect, as_wide) > 0.5 and horizontal_overlap(rect, space) > 0


def _holds_figure(rect: Rect) -> bool:
    return rect[2] - rect[0] > _SMALLEST and rect[3] - rect[1] > _SMALLEST


def _is_rule(rect: Rect, space: Rect) -> bool:
    """A line across the column, as under a running head."""
    return rect[3] - rect[1] < 2 and rect[2] - rect[0] > 0.7 * (space[2] - space[0])


def _unframe_text(block: Block) -> Block:
    """The block, a paragraph in a frame or on a coloured ground as text and not as a picture."""
    long = sum(len(line.text) > _LONG_LINE for line in block.lines)
    is_text = block.kind == "picture" and len(block.lines) > 2 and long >= 0.6 * len(block.lines)
    return replace(block, kind="text") if is_text else block


def _merge_pictures(pictures: Sequence[Block]) -> Block:
    lines = tuple(line for picture in pictures for line in picture.lines)
    return Block(kind="picture", rect=union(picture.rect for picture in pictures), lines=lines)


def _absorb_lettering(blocks: Sequence[Block], figures: Sequence[Block]) -> tuple[Block, ...]:
    """Loose text and scraps of pictures inside a figure go to the figure."""
    kept: list[Block] = []
    lines = [list(figure.lines) for figure in figures]
    for block in blocks:
        owner = next((n for n, figure in enumerate(figures) if contained_fraction(block.rect, figure.rect) > 0.8), None)
        if owner is None or block.kind in ("table", "caption"):
            kept.append(block)
        else:
            lines[owner].extend(block.lines)
    whole = (replace(figure, lines=tuple(own)) for figure, own in zip(figures, lines, strict=True))
    return (*kept, *whole)


def _space_above(caption: Block, blocks: Sequence[Block], width: float, height: float) -> Rect | None:
    """The space between a caption and what stands above it in its column."""
    higher = [block for block in blocks if block is not caption and block.rect[1] < caption.rect[1]]
    column = [block for block in higher if _is_in_column(block, caption)]
    top = max([0.05 * height, *(block.rect[3] for block in column if _ends_space(block))])
    reaching = (block for block in higher if block.rect[3] > top)
    left, _, right, _ = union([caption.rect, *(block.rect for block in reaching if _may_be_part(block, caption))])
    space = (max(0.0, left - 4), top + 1, min(width, right + 4), caption.rect[1] - 1)
    return space if _holds_figure(space) else None


def _is_in_column(block: Block, caption: Block) -> bool:
    return horizontal_overlap(block.rect, caption.rect) > 4


def _may_be_part(block: Block, caption: Block) -> bool:
    """Whether what reaches into the space may belong to the figure: all but text of another column."""
    return not block.lines or _is_in_column(block, caption)


def _ends_space(block: Block) -> bool:
    return block.kind == "picture" or sum(len(line.text) for line in block.lines) > 30


def extract_figures(parts: Sequence[Part], paper_id: str) -> tuple[Figure, ...]:
    """The figures of a paper; without a single caption, its larger pictures."""
    pictures = [part for part in parts if part.role == "picture"]
    labelled = [part for part in pictures if part.label]
    chosen = labelled or [part for part in pictures if area(part.block.rect) > _LARGE]
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
    prose = (part.text for part in parts if part.role in ("text", "list"))
    mentioning = islice((text for text in prose if mentions_label(label, text)), _NEARBY)
    return "\n\n".join(" ".join(join_hyphenated(text).split()) for text in mentioning)
