"""Captions: which blocks are captions, the label that they carry ("Table 2"), and what they stand above or below."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from core.reading.blocks import HEADER_FOOTER_KINDS, Block, Line, Rect, horizontal_overlap, union, vertical_overlap

CaptionKind: TypeAlias = Literal["figure", "table"]

_FIGURE = (
    r"figures?|figs?\.?|abbildung|abb\.?|figura|graph|gr[aá]fic[oa]|graphique|chart|scheme|plate|illustration|图|圖|図"
)
_TABLE = r"tables?|tab\.?|tabla|tabela|tableau|tabelle|tabella|cuadro|quadro|表"
_NUMBER = r"(?-i:[A-Z]{0,2}[.\-]?\d+(?:[.\-]\d+)*[a-z]?|[IVX]+|[A-Z]\d*)"
_LABEL = re.compile(
    rf"^\s*(?P<more>(?:supplementa(?:ry|l)|extended data|supporting|appendix)\s+)?"
    rf"(?:(?P<figure>{_FIGURE})|(?P<table>{_TABLE}))\s*(?P<number>{_NUMBER})(?=$|[\s.:,;|)\]–—\-])",
    re.IGNORECASE,
)
_PART = re.compile(r"^\W{0,2}[a-zA-Z]\)")
_UNLINKED = 100.0
_RUNNING = ("text", "list-item", "section-header", "title", "footnote")


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptionLabel:
    """A caption's label as printed, with the kind of what it captions and what follows directly."""

    kind: CaptionKind
    text: str
    number: str
    rest: str

    @property
    def continued(self) -> bool:
        """Whether the caption only says that something of an earlier page goes on."""
        return (
            re.match(r"^\W*\(?(?:cont(?:inued|inuación|inuação|\.|’d|'d)?|fortsetzung|suite)\b", self.rest, re.I)
            is not None
        )


def parse_caption_label(text: str) -> CaptionLabel | None:
    """The label that ``text`` opens with, or None."""
    found = _LABEL.match(text)
    if found is None or not found["number"][0].isascii():
        return None
    word = found["figure"] or found["table"]
    if not (word[0].isupper() or not word.isascii()):
        return None
    kind: CaptionKind = "figure" if found["figure"] else "table"
    label = " ".join(found.group(0).split())
    return CaptionLabel(kind=kind, text=label, number=found["number"], rest=text[found.end() :])


def find_caption_label(block: Block) -> CaptionLabel | None:
    """The label of a block that is a caption; prose that opens with "Table 2 shows" is none."""
    if not block.lines or block.kind in {"table", "picture", "formula", *HEADER_FOOTER_KINDS}:
        return None
    label = parse_caption_label(" ".join(line.text for line in block.lines[:2]))
    if label is None:
        return None
    return label if block.kind == "caption" or _is_caption(block, label) else None


def _is_caption(block: Block, label: CaptionLabel) -> bool:
    rest = label.rest.lstrip()
    if label.rest[:1] in (":", "|") or rest[:1] in (":", "|", "–", "—"):
        return True
    first = block.lines[0].spans[0]
    if label.rest[:1] == "." and (rest[1:].lstrip()[:1].isupper() or not rest[1:].strip()):
        return True
    return first.bold or first.italic or not rest


def merge_captions(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Captions of a page made whole: taken out of a picture's box, a label joined to the words under it."""
    freed = [piece for block in blocks for piece in _split_picture_caption(block)]
    words: dict[int, Block] = {}
    taken: set[int] = set()
    for number, block in enumerate(freed):
        label = find_caption_label(block)
        if label is not None and not re.search(r"\w", label.rest):
            below = _index_below(number, freed)
            if below is not None and below not in taken:
                taken.add(below)
                words[number] = freed[below]
    return tuple(
        _merge_caption(block, words[number]) if number in words else block
        for number, block in enumerate(freed)
        if number not in taken
    )


def _merge_caption(label: Block, words: Block) -> Block:
    return Block(kind="caption", rect=union((label.rect, words.rect)), lines=(*label.lines, *words.lines))


def _index_below(number: int, blocks: Sequence[Block]) -> int | None:
    block = blocks[number]
    height = block.rect[3] - block.rect[1]
    for other, candidate in enumerate(blocks):
        short = candidate.kind in ("caption", "text", "section-header") and 0 < len(candidate.lines) <= 4
        gap = candidate.rect[1] - block.rect[3]
        near = -0.5 * height < gap < 1.2 * height and horizontal_overlap(candidate.rect, block.rect) > 0
        if other != number and short and near and find_caption_label(candidate) is None:
            return other
    return None


def _split_picture_caption(block: Block) -> tuple[Block, ...]:
    """A picture without the caption that its box took in: the lines at its upper or lower edge from a label on."""
    if block.kind != "picture" or len(block.lines) < 2:
        return (block,)
    for at, line in enumerate(block.lines):
        label = parse_caption_label(line.text)
        if label is None or (label.rest.strip() and label.rest.strip()[0] not in ".:|–—"):
            continue
        if at <= 1:
            own = _caption_lines(block.lines, at)
        elif line.rect[1] > block.rect[1] + 0.6 * (block.rect[3] - block.rect[1]):
            own = block.lines[at:]
        else:
            continue
        rest = tuple(line for line in block.lines if line not in own)
        caption = Block(kind="caption", rect=union(line.rect for line in own), lines=tuple(own))
        above = own[0].rect[1] < (block.rect[1] + block.rect[3]) / 2
        x0, y0, x1, y1 = block.rect
        rect = (x0, min(caption.rect[3], y1), x1, y1) if above else (x0, y0, x1, max(caption.rect[1], y0))
        return (caption, replace(block, rect=rect, lines=rest))
    return (block,)


def _caption_lines(lines: Sequence[Line], at: int) -> tuple[Line, ...]:
    """The caption's lines from ``at``: the next ones too as long as they are set as large and close."""
    own = [lines[at]]
    for line in lines[at + 1 : at + 4]:
        close = line.rect[1] - own[-1].rect[3] < 0.6 * (line.rect[3] - line.rect[1])
        if not close or abs(line.size - own[-1].size) > 0.3 or len(line.text) < 12:
            break
        own.append(line)
    return tuple(own)


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptionStyle:
    """How a paper sets its captions: over or under what they caption, and what stands behind the label."""

    figures_above: bool = True
    tables_above: bool = False
    separator: str = ""

    def above(self, kind: CaptionKind) -> bool:
        """Whether what is captioned stands above its caption."""
        return self.figures_above if kind == "figure" else self.tables_above


def infer_caption_style(pages: Sequence[Sequence[Block]]) -> CaptionStyle:
    """The habits under which the captions of all ``pages`` (their blocks) stand nearest to what they caption."""
    sides: dict[CaptionKind, bool] = {}
    kinds: tuple[CaptionKind, ...] = ("figure", "table")
    for kind in kinds:
        costs = {
            above: sum(
                _link_cost(blocks, kind, CaptionStyle(figures_above=above, tables_above=above)) for blocks in pages
            )
            for above in (True, False)
        }
        usual = kind == "figure"
        sides[kind] = usual if costs[usual] <= costs[not usual] else not usual
    found = [label for blocks in pages for b in blocks if b.kind == "caption" and (label := find_caption_label(b))]
    separators = Counter(label.rest.strip()[:1] for label in found)
    best, times = separators.most_common(1)[0] if separators else ("", 0)
    clear = times > 2 and times >= 0.8 * len(found) and best in (":", ".", "|", "–", "—")
    return CaptionStyle(figures_above=sides["figure"], tables_above=sides["table"], separator=best if clear else "")


def _link_cost(blocks: Sequence[Block], kind: CaptionKind, habits: CaptionStyle) -> float:
    captions = [n for n, block in enumerate(blocks) if (own := find_caption_label(block)) and own.kind == kind]
    if not captions:
        return 0.0
    linked = link_captions(blocks, habits)
    gaps = [_gap(blocks[t].rect, blocks[n].rect) for n in captions for t in linked.get(n, ())[:1]]
    return sum(gaps) + _UNLINKED * (len(captions) - len(gaps))


def link_captions(blocks: Sequence[Block], habits: CaptionStyle) -> dict[int, tuple[int, ...]]:
    """For each caption (by its place in ``blocks``) the pictures or tables of the page that it belongs to."""
    captions = {
        n: label for n, block in enumerate(blocks) if (label := styled_caption_label(block, habits)) is not None
    }
    pairs = sorted(
        (_distance(blocks[target].rect, blocks[caption].rect, label.kind, blocks[target].kind, habits), caption, target)
        for caption, label in captions.items()
        for target, block in enumerate(blocks)
        if block.kind in ("picture", "table") and _can_be_linked(caption, target, blocks)
    )
    owner: dict[int, int] = {}
    side: dict[int, bool] = {}
    for _, caption, target in pairs:
        above = blocks[target].rect[1] < blocks[caption].rect[1]
        same_kind = blocks[target].kind == ("table" if captions[caption].kind == "table" else "picture")
        mates = [t for t, c in owner.items() if c == caption]
        fits = not mates or (same_kind and side[caption] == above and blocks[mates[0]].kind == blocks[target].kind)
        if target not in owner and fits:
            owner[target] = caption
            side[caption] = above
    return {
        caption: tuple(sorted(target for target, own in owner.items() if own == caption))
        for caption in captions
        if caption in owner.values()
    }


def styled_caption_label(block: Block, habits: CaptionStyle) -> CaptionLabel | None:
    """The label of a caption set as this paper sets them; a sentence that opens with "Table 4." is none."""
    label = find_caption_label(block)
    if label is None or block.kind == "caption" or not habits.separator:
        return label
    return label if label.rest.strip()[:1] in ("", habits.separator) else None


def _gap(target: Rect, caption: Rect) -> float:
    return max(0.0, -vertical_overlap(target, caption)) + 2 * max(0.0, -horizontal_overlap(target, caption))


def _distance(target: Rect, caption: Rect, kind: CaptionKind, target_kind: str, habits: CaptionStyle) -> float:
    usual = (target[1] < caption[1]) == habits.above(kind)
    same = target_kind == ("table" if kind == "table" else "picture")
    return _gap(target, caption) + (0 if usual else 40) + (0 if same else 60)


def _can_be_linked(caption: int, target: int, blocks: Sequence[Block]) -> bool:
    """Near each other on the page, side by side or one above the other, with no running text between."""
    one, other = blocks[caption].rect, blocks[target].rect
    gap, aside = -vertical_overlap(one, other), -horizontal_overlap(one, other)
    if aside > 0:
        return gap < 0 and aside < 40
    if gap > 320:
        return False
    top, bottom = (one[3], other[1]) if one[1] < other[1] else (other[3], one[1])
    left, right = max(one[0], other[0]), min(one[2], other[2])
    for number, block in enumerate(blocks):
        if number in (caption, target) or block.kind not in (*_RUNNING, "caption"):
            continue
        if not block.lines or _PART.match(block.lines[0].text):
            continue
        between = min(block.rect[3], bottom) - max(block.rect[1], top) > 4
        if between and min(block.rect[2], right) - max(block.rect[0], left) > 4 and _is_separating_text(block):
            return False
    return True


def _is_separating_text(block: Block) -> bool:
    """Whether a block is text that parts a figure from a caption, not lettering of the figure."""
    return block.kind in ("section-header", "caption") or sum(len(line.text) for line in block.lines) > 60
