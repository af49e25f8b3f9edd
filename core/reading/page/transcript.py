"""A page as a vision model copied it: checked against what OCR read there, and made into blocks like any other page.

OCR can say where words stand but may misread them; a vision model reads poor print but may make words up. So what
the model says stands only as far as OCR bears it out, and where OCR saw nothing the words are marked as the model's.
Pure: it needs neither the PDF nor the model.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from core.reading.blocks import Block, BlockKind, Grid, Line, PageContent, Rect, Span
from core.reading.page.text_layer_quality import MIN_OCR_CONFIDENCE, fold_text

_NGRAM_LENGTH = 5
"""Letters in a run: texts on other things share few runs of five, readings of one print most even if one is poor."""
_MIN_CONFIRMED_SHARE = 0.2
"""Share of runs that both readings must have; at 15 % wrong letters 0.44 are left, other prose shares under 0.1."""
_SHORT = 20
"""Letters below which a piece (a heading, a number) proves nothing by itself."""
_WHOLE = 0.5
"""Share of OCR's letters that the model must have copied; less is a part of the page."""
_TOP, _BOTTOM = 0.15, 0.85
"""Where on the page the words are put, as shares of its height; above and below would be taken for running heads."""
_SIDE = 0.1
_SIZE = 10.0
_FENCE = re.compile(r"^\s*```\w*\s*$")
_RULE = re.compile(r"^[\s|:\-–=]+$")
_MARKUP = re.compile(r"\*\*|__|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")


@dataclass(frozen=True, slots=True, kw_only=True)
class _TranscriptBlock:
    """A heading, a paragraph or a table as the model wrote it, line by line."""

    kind: BlockKind
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def pages_to_transcribe(pages: Sequence[PageContent]) -> list[int]:
    """Numbers of the pages that were seen and could not, or hardly, be read."""
    return [
        page.number
        for page in pages
        if page.width and (page.kind == "unreadable" or page.confidence < MIN_OCR_CONFIDENCE)
    ]


def apply_transcript(page: PageContent, words: str, by: str) -> PageContent | None:
    """The page with the words that the model named ``by`` copied; None where they are not those of the page."""
    seen = "\n".join(line.text for block in page.blocks for line in block.lines)
    pieces = _keep_confirmed(_parse_transcript(words), seen)
    if not pieces:
        return None
    said = f"Page {page.number:,} was read by the vision model {by}, which may misread words or add some."
    # The first note of an unreadable page says that it is one.
    notes = page.notes[1:] if page.kind == "unreadable" else page.notes
    pictures = [replace(block, lines=()) for block in page.blocks if block.kind == "picture" and block.image]
    return replace(
        page,
        kind="scanned" if page.kind == "unreadable" else page.kind,
        blocks=(*_blocks(pieces, page), *pictures),
        from_ocr=True,
        notes=(said, *notes),
        layer="",
        read_by=by,
    )


def _parse_transcript(words: str) -> list[_TranscriptBlock]:
    kinds: list[tuple[int, BlockKind, str]] = []
    paragraph = 0
    for raw in words.splitlines():
        line = _MARKUP.sub("", raw).strip()
        if not line or _FENCE.match(raw) or line.startswith("#"):
            paragraph += 1
        if line.startswith("#"):
            kinds.append((paragraph, "section-header", line.lstrip("# ")))
            paragraph += 1
        elif any(c.isalnum() for c in line) and not _FENCE.match(raw) and not _RULE.match(line):
            kinds.append((paragraph, "table" if line.count("|") >= 2 or line.startswith("|") else "text", line))
    return [
        _TranscriptBlock(kind=kind, lines=tuple(line for _, _, line in group if line))
        for (_, kind), group in groupby(kinds, key=lambda one: one[:2])
    ]


def _keep_confirmed(pieces: Sequence[_TranscriptBlock], seen: str) -> list[_TranscriptBlock]:
    """The pieces that OCR's reading ``seen`` bears out; all of them where it is empty."""
    known, letters = _character_ngrams(seen), len(fold_text(seen))
    if letters < _SHORT:
        return list(pieces)
    kept = [
        one
        for one in pieces
        if len(fold_text(one.text)) < _SHORT or _share(_character_ngrams(one.text), known) >= _MIN_CONFIRMED_SHARE
    ]
    copied = "\n".join(one.text for one in kept)
    if _share(known, _character_ngrams(copied)) < _MIN_CONFIRMED_SHARE or len(fold_text(copied)) < _WHOLE * letters:
        return []
    return kept


def _character_ngrams(text: str) -> frozenset[str]:
    letters = fold_text(text)
    return frozenset(letters[at : at + _NGRAM_LENGTH] for at in range(len(letters) - _NGRAM_LENGTH + 1))


def _share(some: frozenset[str], others: frozenset[str]) -> float:
    return len(some & others) / len(some) if some else 0.0


def _blocks(pieces: Sequence[_TranscriptBlock], page: PageContent) -> list[Block]:
    """The pieces one below the other in the order in which they were copied: where they stand is not known."""
    height = page.height * (_BOTTOM - _TOP) / (sum(len(one.lines) for one in pieces) + len(pieces))
    top, blocks = page.height * _TOP, []
    for number, piece in enumerate(pieces):
        rects = [_row(page, top + at * height, height) for at in range(len(piece.lines))]
        kind: BlockKind = "title" if piece.kind == "section-header" and page.number == 1 and not number else piece.kind
        blocks.append(_block(kind, piece.lines, rects))
        top = rects[-1][3] + height
    return blocks


def _row(page: PageContent, top: float, height: float) -> Rect:
    return page.width * _SIDE, top, page.width * (1 - _SIDE), top + 0.9 * height


def _block(kind: BlockKind, lines: Sequence[str], rects: Sequence[Rect]) -> Block:
    rows = [tuple(cell.strip() for cell in line.strip().strip("|").split("|")) for line in lines]
    texts = [" ".join(cell for cell in row if cell) for row in rows] if kind == "table" else lines
    wide = max(len(row) for row in rows)
    cells = tuple((*row, *[""] * (wide - len(row))) for row in rows)
    return Block(
        kind=kind,
        rect=(rects[0][0], rects[0][1], rects[-1][2], rects[-1][3]),
        lines=tuple(_line(text, rect) for text, rect in zip(texts, rects, strict=True)),
        grid=Grid(cells=cells, row_rects=tuple(rects)) if kind == "table" else None,
    )


def _line(text: str, rect: Rect) -> Line:
    return Line(text=text, rect=rect, spans=(Span(text=text, rect=rect, size=_SIZE, font=""),))
