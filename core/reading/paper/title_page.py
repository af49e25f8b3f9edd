"""The front of a paper: where its title stands on the first page, and which lines lie between it and the text.

Told by how things are set and placed, as a reader would: a title is set larger or bolder than the text and
stands above it; what lies between it and the abstract names the authors and where they work.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from core.reading.blocks import HEADER_FOOTER_KINDS, Block, Line, PageContent, Rect, Span
from core.reading.paper.section_names import COMMON_SECTION
from core.reading.paper.type_style import body_style, dominant_style, span_style, visible_spans
from core.text import join_hyphenated, split_sentences

_TITLE_KINDS = frozenset({"title", "section-header", "text", "list-item"})
_AUTHOR_KINDS = frozenset({"title", "section-header", "text", "list-item", "caption"})
_NUMBERED = re.compile(r"^\s*(\d+(\.\d+)*|[IVX]+)\.?\s+\S")
_DATED = re.compile(
    r"\b(received|accepted|published|revised|submitted|doi|issn|https?:|vol(ume)?\.?\s*\d)", re.IGNORECASE
)
_LONGEST_TITLE = 45
_PARAGRAPH_WORDS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontMatter:
    """Title, its place, and the blocks between it and the text, from top to bottom and left to right."""

    title: str
    rect: Rect
    below: tuple[Block, ...]


def find_front_matter(page: PageContent) -> FrontMatter | None:
    """The front matter of a first page, or None where nothing on it looks like a title."""
    candidates = [block for block in page.blocks if block.kind in _TITLE_KINDS and _title_lines(block)]
    if not candidates:
        return None
    body = body_style([line for block in page.blocks for line in block.lines])
    body_size = body.size if body else 10.0
    best = max(candidates, key=lambda block: _title_score(block, page, body_size))
    if _title_score(best, page, body_size) < 0:
        return None
    lines, rect = list(_title_lines(best)), best.rect
    for block in sorted(candidates, key=lambda other: other.rect[1]):
        if block is not best and _continues_title(rect, lines, block):
            lines += _title_lines(block)
            rect = (min(rect[0], block.rect[0]), rect[1], max(rect[2], block.rect[2]), block.rect[3])
    return FrontMatter(title=_join_title_lines(lines), rect=rect, below=_blocks_below_title(page, rect))


def _title_score(block: Block, page: PageContent, body_size: float) -> float:
    """How much a block looks like a title: size over the text's, weight, the layout model's opinion, place."""
    lines = _title_lines(block)
    text = _join_title_lines(lines)
    words = len(text.split())
    style = dominant_style(span for line in lines for span in visible_spans(line))
    if style is None or COMMON_SECTION.match(text) or words > _LONGEST_TITLE:
        return -9.0
    score = min(max(4 * (style.size / body_size - 1), 0.0), 4.0)
    score += {"title": 1.0, "section-header": 0.5}.get(block.kind, 0.0)
    score += 0.4 if style.bold or style.capitals else 0.0
    score += 0.5 * (1 - block.rect[1] / max(page.height, 1.0))
    score -= 2.0 if words < 3 and not _is_cjk(text) else 0.0
    score -= 2.0 if _NUMBERED.match(text) and style.size < 1.3 * body_size else 0.0
    score -= 3.0 if len(split_sentences(text)) > 2 else 0.0
    score -= 3.0 if _DATED.search(text) or "@" in text else 0.0
    score -= 3.0 if block.rect[1] > 0.65 * page.height else 0.0
    return score


def _title_lines(block: Block) -> tuple[Line, ...]:
    """A block's lines without what only stands beside the title: a badge in other type, a kicker above it."""
    lines = [line for line in block.lines if visible_spans(line) and not line.vertical]
    if not lines:
        return ()
    main = dominant_style(span for line in lines for span in visible_spans(line))
    if main is None:
        return ()
    bold = sum(len(line.text) for line in lines if _is_bold(line)) > 0.5 * sum(len(line.text) for line in lines)
    kept = [_without_badge(line) for line in lines]
    while (
        len(kept) > 1
        and len(kept[0].text.split()) <= 3
        and (_size(kept[0]) < 0.9 * main.size or (bold and not _is_bold(kept[0])))
    ):
        kept = kept[1:]
    return tuple(kept)


def _without_badge(line: Line) -> Line:
    """The line without a first word in smaller capitals that touches it (an OPEN mark, say)."""
    spans = visible_spans(line)
    if len(spans) < 2:
        return line
    first, second = spans[0], spans[1]
    badge = first.text.strip().isupper() and len(first.text.split()) == 1 and len(first.text.strip()) > 2
    if badge and not first.text.endswith(" ") and first.size < 0.8 * second.size:
        rest = tuple(span for span in line.spans if span is not first)
        return Line(text="".join(span.text for span in rest), rect=line.rect, spans=rest, vertical=line.vertical)
    return line


def _is_bold(line: Line) -> bool:
    style = dominant_style(visible_spans(line))
    return style is not None and style.bold


def _size(line: Line) -> float:
    return max((span.size for span in visible_spans(line)), default=0.0)


def _continues_title(rect: Rect, lines: Sequence[Line], block: Block) -> bool:
    """Whether ``block`` is the next line of a title that the layout model cut in two."""
    gap = block.rect[1] - rect[3]
    height = _size(lines[-1])
    here = dominant_style(span for line in lines for span in visible_spans(line))
    there = dominant_style(span for line in _title_lines(block) for span in visible_spans(line))
    same = here is not None and there is not None and (here.bold, here.font) == (there.bold, there.font)
    return same and abs(_size(block.lines[0]) - height) < 0.5 and -0.3 * height <= gap <= 0.6 * height


def _blocks_below_title(page: PageContent, title: Rect) -> tuple[Block, ...]:
    """Blocks between the title and the text, as far as they stand under the title."""
    end = min(
        (top for top in (_text_start(block, title) for block in page.blocks) if top is not None), default=page.height
    )
    found = [
        block
        for block in page.blocks
        if block.kind in _AUTHOR_KINDS
        and title[3] - 3 <= block.rect[1] < end - 1
        and min(block.rect[2], title[2] + 0.15 * page.width) - max(block.rect[0], title[0] - 0.15 * page.width)
        > 0.5 * (block.rect[2] - block.rect[0])
    ]
    return tuple(sorted(found, key=lambda block: (round(block.rect[1] / 4), block.rect[0])))


def _text_start(block: Block, title: Rect) -> float | None:
    """Where the text begins, if this block opens it: a heading that papers usually have, or a long paragraph."""
    if not block.lines or block.rect[1] < title[3] - 3 or block.kind in {"picture", *HEADER_FOOTER_KINDS}:
        return None
    first = " ".join(block.lines[0].text.split())
    opening = COMMON_SECTION.match(re.sub(r"^[\d.IVX\s]+", "", first)) or re.match(
        r"(?i)(abstract|summary|keywords)\b\s*[:.—–-]", first
    )
    words = sum(len(line.text.split()) for line in block.lines)
    numbered = sum(line.text.count(",") for line in block.lines) > words / 4
    return block.rect[1] if opening or (words > _PARAGRAPH_WORDS and not numbered) else None


def _join_title_lines(lines: Sequence[Line]) -> str:
    """The lines as one title, without footnote signs at its end."""
    spans = [[span for span in line.spans if not _is_footnote_mark(span, line)] for line in lines]
    text = join_hyphenated("\n".join("".join(span.text for span in line) for line in spans))
    text = "".join(" " if unicodedata.category(c) in ("Co", "Cc") else c for c in text)
    return re.sub(r"\s*[*∗†‡§¶⋆]+\s*$", "", " ".join(text.split())).strip()


def _is_footnote_mark(span: Span, line: Line) -> bool:
    """A footnote sign: set high, or small beside large type."""
    sign = re.fullmatch(r"[\s\d*∗†‡§¶⋆,]+", span.text) is not None
    return sign and (span.superscript or span_style(span).size < 0.75 * _size(line))


def _is_cjk(text: str) -> bool:
    return re.search(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]", text) is not None
