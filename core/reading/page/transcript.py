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


def apply_transcript(page: PageContent, words: str, model: str) -> PageContent | None:
    """The page with the ``words`` that ``model`` (its name) copied; None where they are not those of the page."""
    recognised = "\n".join(line.text for block in page.blocks for line in block.lines)
    pieces = _keep_confirmed(_parse_transcript(words), recognised)
    if not pieces:
        return None
    note = f"Page {page.number:,} was read by the vision model {model}, which may misread words or add some."
    is_unreadable = page.kind == "unreadable"
    # The first note of an unreadable page says that it is one.
    notes = page.notes[1:] if is_unreadable else page.notes
    pictures = [replace(block, lines=()) for block in page.blocks if block.kind == "picture" and block.image]
    return replace(
        page,
        kind="scanned" if is_unreadable else page.kind,
        blocks=(*_blocks(pieces, page), *pictures),
        from_ocr=True,
        notes=(note, *notes),
        layer="",
        read_by=model,
    )


def _parse_transcript(words: str) -> list[_TranscriptBlock]:
    pieces: list[tuple[int, BlockKind, str]] = []
    paragraph = 0
    for raw in words.splitlines():
        line = _MARKUP.sub("", raw).strip()
        is_heading, is_fence = line.startswith("#"), _FENCE.match(raw) is not None
        paragraph += is_heading or is_fence or not line
        if is_heading:
            pieces.append((paragraph, "section-header", line.lstrip("# ")))
            paragraph += 1
        elif not is_fence and _has_words(line):
            pieces.append((paragraph, "table" if _is_table_row(line) else "text", line))
    groups = groupby(pieces, key=lambda piece: piece[:2])
    return [
        _TranscriptBlock(kind=kind, lines=tuple(line for _, _, line in group if line)) for (_, kind), group in groups
    ]


def _has_words(line: str) -> bool:
    return not _RULE.match(line) and any(char.isalnum() for char in line)


def _is_table_row(line: str) -> bool:
    return line.startswith("|") or line.count("|") >= 2


def _keep_confirmed(pieces: Sequence[_TranscriptBlock], recognised: str) -> list[_TranscriptBlock]:
    """The pieces that OCR's reading ``recognised`` confirms; all of them where it is too short to tell."""
    known, letters = _character_ngrams(recognised), len(fold_text(recognised))
    if letters < _SHORT:
        return list(pieces)
    kept = [piece for piece in pieces if _is_confirmed(piece.text, known)]
    copied = "\n".join(piece.text for piece in kept)
    is_part_only = len(fold_text(copied)) < _WHOLE * letters
    if is_part_only or _share(known, _character_ngrams(copied)) < _MIN_CONFIRMED_SHARE:
        return []
    return kept


def _is_confirmed(text: str, known: frozenset[str]) -> bool:
    """Whether a piece is too short to be wrong, or most of its letters are in the n-grams that OCR read."""
    return len(fold_text(text)) < _SHORT or _share(_character_ngrams(text), known) >= _MIN_CONFIRMED_SHARE


def _character_ngrams(text: str) -> frozenset[str]:
    letters = fold_text(text)
    return frozenset(letters[start : start + _NGRAM_LENGTH] for start in range(len(letters) - _NGRAM_LENGTH + 1))


def _share(some: frozenset[str], others: frozenset[str]) -> float:
    return len(some & others) / len(some) if some else 0.0


def _blocks(pieces: Sequence[_TranscriptBlock], page: PageContent) -> list[Block]:
    """The pieces one below the other in the order in which they were copied: where they stand is not known."""
    rows = sum(len(piece.lines) for piece in pieces) + len(pieces)
    height = page.height * (_BOTTOM - _TOP) / rows
    top = page.height * _TOP
    blocks: list[Block] = []
    for piece in pieces:
        is_title = not blocks and piece.kind == "section-header" and page.number == 1
        rects = [_row(page, top + index * height, height) for index in range(len(piece.lines))]
        blocks.append(_block("title" if is_title else piece.kind, piece.lines, rects))
        top = rects[-1][3] + height
    return blocks


def _row(page: PageContent, top: float, height: float) -> Rect:
    return page.width * _SIDE, top, page.width * (1 - _SIDE), top + 0.9 * height


def _block(kind: BlockKind, lines: Sequence[str], rects: Sequence[Rect]) -> Block:
    grid = _grid(lines, rects) if kind == "table" else None
    texts = [" ".join(filter(None, row)) for row in grid.cells] if grid else lines
    return Block(
        kind=kind,
        rect=(rects[0][0], rects[0][1], rects[-1][2], rects[-1][3]),
        lines=tuple(map(_line, texts, rects)),
        grid=grid,
    )


def _grid(lines: Sequence[str], rects: Sequence[Rect]) -> Grid:
    """The cells of Markdown rows, short ones filled up."""
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
    columns = max(map(len, rows))
    return Grid(cells=tuple((*row, *[""] * (columns - len(row))) for row in rows), row_rects=tuple(rects))


def _line(text: str, rect: Rect) -> Line:
    return Line(text=text, rect=rect, spans=(Span(text=text, rect=rect, size=_SIZE, font=""),))
