"""Captions: which blocks are captions, the label that they carry ("Table 2"), and what they stand above or below."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from core.reading.blocks import (
    HEADER_FOOTER_KINDS,
    Block,
    BlockKind,
    Line,
    Rect,
    horizontal_overlap,
    union,
    with_lines,
)

CaptionKind: TypeAlias = Literal["figure", "table"]

_FIGURE = (
    r"figures?|figs?\.?|abbildung|abb\.?|figura|graph|gr[aá]fic[oa]|graphique|chart|scheme|plate|illustration|图|圖|図"
)
_TABLE = r"tables?|tab\.?|tabla|tabela|tableau|tabelle|tabella|cuadro|quadro|表"
_NUMBER = r"(?-i:[A-Z]{0,2}[.\-]?\d+(?:[.\-]\d+)*[a-z]?|[IVX]+|[A-Z]\d*)"
_LABEL = re.compile(
    rf"^\s*(?:(?:supplementa(?:ry|l)|extended data|supporting|appendix)\s+)?"
    rf"(?:(?P<figure>{_FIGURE})|(?P<table>{_TABLE}))\s*(?P<number>{_NUMBER})(?=$|[\s.:,;|)\]–—\-])",
    re.IGNORECASE,
)
_SUPPLEMENT = re.compile(
    rf"^\s*(?P<number>S\d+)\s+(?:(?P<figure>{_FIGURE})|(?P<table>{_TABLE}))(?=[.:])", re.IGNORECASE
)
""""S3 Fig." and the like, as some journals number what they print elsewhere."""
_CONTINUED = re.compile(r"^\W*\(?(?:cont(?:inued|inuación|inuação|\.|’d|'d)?|fortsetzung|suite)\b", re.IGNORECASE)
_LABEL_ENDS = ("", ".", ":", "|", "–", "—")
SEPARATORS = (":", ".", "|", "–", "—")
"""What may stand between a label and the words of its caption."""
_NO_CAPTION: frozenset[BlockKind] = frozenset({"table", "picture", "formula", *HEADER_FOOTER_KINDS})
_CAPTION_WORDS = ("caption", "text", "section-header")


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
        return _CONTINUED.match(self.rest) is not None


def parse_caption_label(text: str) -> CaptionLabel | None:
    """The label that ``text`` opens with, or None."""
    match = _LABEL.match(text) or _SUPPLEMENT.match(text)
    if match is None or not match["number"][0].isascii():
        return None
    word = match["figure"] or match["table"]
    if word.isascii() and not word[0].isupper():
        return None
    kind: CaptionKind = "figure" if match["figure"] else "table"
    label = " ".join(match.group(0).split())
    return CaptionLabel(kind=kind, text=label, number=match["number"], rest=text[match.end() :])


def find_caption_label(block: Block) -> CaptionLabel | None:
    """The label of a block that is a caption; prose that opens with "Table 2 shows" is none."""
    if not block.lines or block.kind in _NO_CAPTION:
        return None
    label = parse_caption_label(" ".join(line.text for line in block.lines[:2]))
    if label is None or block.kind == "caption":
        return label
    return label if _is_caption(block, label) else None


def _is_caption(block: Block, label: CaptionLabel) -> bool:
    rest = label.rest.lstrip()
    if label.rest[:1] in (":", "|") or rest[:1] in (":", "|", "–", "—"):
        return True
    if label.rest[:1] == ".":
        sentence = rest[1:].lstrip()
        if not sentence or sentence[0].isupper():
            return True
    first = block.lines[0].spans[0]
    return first.bold or first.italic or not rest


def merge_captions(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Captions of a page made whole: taken out of a picture's box, a label joined to the words under it."""
    pieces = [piece for block in blocks for own in _split_text_caption(block) for piece in _split_picture_caption(own)]
    below: dict[int, int] = {}
    for index, block in enumerate(pieces):
        target = _index_below(index, pieces) if _is_bare_label(block) else None
        if target is not None and target not in below.values():
            below[index] = target
    merged = (
        _merge_caption(block, pieces[below[index]]) if index in below else block for index, block in enumerate(pieces)
    )
    return tuple(block for index, block in enumerate(merged) if index not in below.values())


def _is_bare_label(block: Block) -> bool:
    """Whether a block is a caption's label with no words behind it."""
    label = find_caption_label(block)
    return label is not None and re.search(r"\w", label.rest) is None


def _merge_caption(label: Block, words: Block) -> Block:
    return Block(kind="caption", rect=union((label.rect, words.rect)), lines=(*label.lines, *words.lines))


def _index_below(index: int, blocks: Sequence[Block]) -> int | None:
    """The short block directly under block ``index`` that may hold the words of its caption."""
    for other, candidate in enumerate(blocks):
        is_short = candidate.kind in _CAPTION_WORDS and 0 < len(candidate.lines) <= 4
        if other == index or not is_short or not _is_directly_below(candidate.rect, blocks[index].rect):
            continue
        if find_caption_label(candidate) is None:
            return other
    return None


def _is_directly_below(rect: Rect, above: Rect) -> bool:
    height, gap = above[3] - above[1], rect[1] - above[3]
    return -0.5 * height < gap < 1.2 * height and horizontal_overlap(rect, above) > 0


def _split_text_caption(block: Block) -> tuple[Block, ...]:
    """Notes of a table without the caption under them that their box took in: its last lines, in another weight."""
    if block.kind not in ("text", "list-item", "footnote"):
        return (block,)
    start = next((index for index in range(1, len(block.lines)) if _begins_caption(block.lines, index)), None)
    if start is None:
        return (block,)
    return (with_lines(block.kind, block.lines[:start]), with_lines("caption", block.lines[start:]))


def _begins_caption(lines: Sequence[Line], index: int) -> bool:
    label = parse_caption_label(lines[index].text)
    if label is None or label.rest.strip()[:1] not in SEPARATORS:
        return False
    weights = [(line.spans[0].bold, line.spans[0].italic) for line in lines[index - 1 :]]
    return weights[0] != weights[1] and len(set(weights[1:])) == 1


def _split_picture_caption(block: Block) -> tuple[Block, ...]:
    """A picture without the caption that its box took in: the lines at its upper or lower edge from a label on."""
    if block.kind != "picture" or len(block.lines) < 2:
        return (block,)
    own = next(filter(None, (_caption_from(block, index) for index in range(len(block.lines)))), None)
    if own is None:
        return (block,)
    rest = tuple(line for line in block.lines if line not in own)
    caption = Block(kind="caption", rect=union(line.rect for line in own), lines=own)
    x0, y0, x1, y1 = block.rect
    if own[0].rect[1] < (y0 + y1) / 2:
        rect = (x0, min(caption.rect[3], y1), x1, y1)
    else:
        rect = (x0, y0, x1, max(caption.rect[1], y0))
    return (caption, replace(block, rect=rect, lines=rest))


def _caption_from(block: Block, index: int) -> tuple[Line, ...]:
    """The lines of the caption that begins with line ``index`` of a picture; empty where none does."""
    line = block.lines[index]
    label = parse_caption_label(line.text)
    if label is None or label.rest.strip()[:1] not in _LABEL_ENDS:
        return ()
    if index <= 1:
        return _caption_lines(block.lines, index)
    is_low = line.rect[1] > block.rect[1] + 0.6 * (block.rect[3] - block.rect[1])
    return block.lines[index:] if is_low else ()


def _caption_lines(lines: Sequence[Line], start: int) -> tuple[Line, ...]:
    """The caption's lines from ``start``: the next ones too as long as they are set as large and close."""
    end = start + 1
    while end < min(start + 4, len(lines)) and _continues_caption(lines[end], lines[end - 1]):
        end += 1
    return tuple(lines[start:end])


def _continues_caption(line: Line, before: Line) -> bool:
    is_close = line.rect[1] - before.rect[3] < 0.6 * (line.rect[3] - line.rect[1])
    is_same_size = abs(line.size - before.size) <= 0.3
    return is_close and is_same_size and len(line.text) >= 12
