"""Which picture or table a caption belongs to: the nearest on the side where the paper sets its captions."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from core.reading.blocks import Block, BlockKind, Rect, horizontal_overlap, vertical_overlap
from core.reading.paper.captions import SEPARATORS, CaptionKind, CaptionLabel, find_caption_label

_UNLINKED = 100.0
"""The cost, in points, of a caption for which nothing is found."""
_RUNNING = ("text", "list-item", "section-header", "title", "footnote")
_PART = re.compile(r"^\W{0,2}[a-zA-Z]\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptionStyle:
    """How a paper sets its captions: over or under what they caption, and which character follows the label."""

    figures_above: bool = True
    tables_above: bool = False
    separator: str = ""

    def above(self, kind: CaptionKind) -> bool:
        """Whether what is captioned stands above its caption."""
        return self.figures_above if kind == "figure" else self.tables_above


def infer_caption_style(pages: Sequence[Sequence[Block]]) -> CaptionStyle:
    """The style under which the captions of all ``pages`` (their blocks) stand nearest to what they caption."""
    return CaptionStyle(
        figures_above=_link_cost(pages, "figure", above=True) <= _link_cost(pages, "figure", above=False),
        tables_above=_link_cost(pages, "table", above=True) < _link_cost(pages, "table", above=False),
        separator=_infer_separator(pages),
    )


def _infer_separator(pages: Sequence[Sequence[Block]]) -> str:
    """The character behind the labels of at least three captions and four in five; empty where there is none."""
    captions = [block for blocks in pages for block in blocks if block.kind == "caption"]
    labels = list(filter(None, map(find_caption_label, captions)))
    if not labels:
        return ""
    [(best, times)] = Counter(label.rest.strip()[:1] for label in labels).most_common(1)
    is_clear = times > 2 and times >= 0.8 * len(labels)
    return best if is_clear and best in SEPARATORS else ""


def _link_cost(pages: Sequence[Sequence[Block]], kind: CaptionKind, *, above: bool) -> float:
    """How far captions of this kind are from what they caption, if that stands above, or below them."""
    style = CaptionStyle(figures_above=above, tables_above=above)
    return sum(_page_link_cost(blocks, kind, style) for blocks in pages)


def _page_link_cost(blocks: Sequence[Block], kind: CaptionKind, style: CaptionStyle) -> float:
    labels = enumerate(map(find_caption_label, blocks))
    captions = [index for index, label in labels if label is not None and label.kind == kind]
    if not captions:
        return 0.0
    linked = link_captions(blocks, style)
    nearest = [(index, linked[index][0]) for index in captions if linked.get(index)]
    gaps = [_gap(blocks[target].rect, blocks[index].rect) for index, target in nearest]
    return sum(gaps) + _UNLINKED * (len(captions) - len(gaps))


def link_captions(blocks: Sequence[Block], style: CaptionStyle) -> dict[int, tuple[int, ...]]:
    """For each caption (by its index in ``blocks``) the pictures or tables of the page that it belongs to."""
    labels = {index: styled_caption_label(block, style) for index, block in enumerate(blocks)}
    captions = {index: label for index, label in labels.items() if label is not None}
    linked: dict[int, list[int]] = {}
    owned: set[int] = set()
    for _, caption, target in sorted(_link_candidates(blocks, captions, style)):
        targets = linked.get(caption, [])
        if target in owned or not _fits(target, caption, targets, blocks, captions[caption].kind):
            continue
        owned.add(target)
        linked[caption] = [*targets, target]
    return {caption: tuple(sorted(linked[caption])) for caption in captions if caption in linked}


def _link_candidates(
    blocks: Sequence[Block], captions: Mapping[int, CaptionLabel], style: CaptionStyle
) -> Iterator[tuple[float, int, int]]:
    """Distance, caption and target of what stands near each other."""
    targets = [index for index, block in enumerate(blocks) if block.kind in ("picture", "table")]
    for caption, target in product(captions, targets):
        if _can_be_linked(caption, target, blocks):
            yield _distance(blocks[target], blocks[caption].rect, captions[caption].kind, style), caption, target


def _fits(target: int, caption: int, targets: Sequence[int], blocks: Sequence[Block], kind: CaptionKind) -> bool:
    """Whether a caption's further target is of its kind and on the side where its other ``targets`` stand."""
    if not targets:
        return True
    first = blocks[targets[0]]
    is_same_side = _is_above(blocks[target], blocks[caption]) == _is_above(first, blocks[caption])
    return is_same_side and blocks[target].kind == first.kind == _target_kind(kind)


def _target_kind(kind: CaptionKind) -> BlockKind:
    return "table" if kind == "table" else "picture"


def _is_above(block: Block, other: Block) -> bool:
    return block.rect[1] < other.rect[1]


def styled_caption_label(block: Block, style: CaptionStyle) -> CaptionLabel | None:
    """The label of a caption set as this paper sets them; a sentence that opens with "Table 4." is none."""
    label = find_caption_label(block)
    if label is None or block.kind == "caption" or not style.separator:
        return label
    return label if label.rest.strip()[:1] in ("", style.separator) else None


def _gap(target: Rect, caption: Rect) -> float:
    return max(0.0, -vertical_overlap(target, caption)) + 2 * max(0.0, -horizontal_overlap(target, caption))


def _distance(target: Block, caption: Rect, kind: CaptionKind, style: CaptionStyle) -> float:
    is_usual_side = (target.rect[1] < caption[1]) == style.above(kind)
    is_same_kind = target.kind == _target_kind(kind)
    return _gap(target.rect, caption) + (0 if is_usual_side else 40) + (0 if is_same_kind else 60)


def _can_be_linked(caption: int, target: int, blocks: Sequence[Block]) -> bool:
    """Near each other on the page, side by side or one above the other, with no running text between."""
    rect, other = blocks[caption].rect, blocks[target].rect
    gap, aside = -vertical_overlap(rect, other), -horizontal_overlap(rect, other)
    if aside > 0:
        return gap < 0 and aside < 40
    if gap > 320:
        return False
    between = _space_between(rect, other)
    others = (block for index, block in enumerate(blocks) if index not in (caption, target))
    size = max((line.size for line in blocks[caption].lines), default=0.0)
    return not any(_separates(block, between) and not _is_note(block, size) for block in others)


def _is_note(block: Block, size: float) -> bool:
    """Whether small print, smaller than the caption's ``size``, stands under a table as its notes."""
    is_smaller = all(line.size < size for line in block.lines)
    return is_smaller and block.kind in ("text", "list-item", "footnote")


def _space_between(rect: Rect, other: Rect) -> Rect:
    """The rectangle from the bottom of the upper one to the top of the lower one, as wide as both overlap."""
    upper, lower = (rect, other) if rect[1] < other[1] else (other, rect)
    return (max(rect[0], other[0]), upper[3], min(rect[2], other[2]), lower[1])


def _separates(block: Block, between: Rect) -> bool:
    """Whether text that is no lettering of a figure stands in the space between a figure and a caption."""
    if block.kind not in (*_RUNNING, "caption") or not block.lines or _PART.match(block.lines[0].text):
        return False
    is_between = vertical_overlap(block.rect, between) > 4 and horizontal_overlap(block.rect, between) > 4
    return is_between and _is_separating_text(block)


def _is_separating_text(block: Block) -> bool:
    """Whether a block is text that parts a figure from a caption, not lettering of the figure."""
    return block.kind in ("section-header", "caption") or sum(len(line.text) for line in block.lines) > 60
