"""The front of a paper: where its title stands on the first page, and which lines lie between it and the text.

Told by how things are set and placed, as a reader would: a title is set larger or bolder than the text and
stands above it; what lies between it and the abstract names the authors and where they work.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.reading.blocks import HEADER_FOOTER_KINDS, Block, Line, PageContent, Rect, Span, horizontal_overlap, union
from core.reading.paper.author_names import extract_authors, is_byline
from core.reading.paper.front_page_words import INSTITUTION
from core.reading.paper.heading_text import COMMON_SECTION
from core.reading.paper.type_style import TypeStyle, body_style, dominant_style, span_style, visible_spans
from core.text import join_hyphenated, split_sentences

_TITLE_KINDS = frozenset({"title", "section-header", "text", "list-item"})
_AUTHOR_KINDS = frozenset({"title", "section-header", "text", "list-item", "caption"})
_NUMBERED = re.compile(r"^\s*(\d+(\.\d+)*|[IVX]+)\.?\s+\S")
_DATED = re.compile(
    r"\b(received|accepted|published|revised|submitted|doi|issn|https?:|vol(ume)?\.?\s*\d)", re.IGNORECASE
)
_SECTION_NUMBER = re.compile(r"^[\d.IVX\s]+")
_RUN_IN_ABSTRACT = re.compile(r"(?i)(abstract|summary|keywords)\b\s*[:.—–-]")
_MARK = re.compile(r"[\s\d*∗†‡§¶⋆,]+")
_KIND_SCORES = {"title": 1.0, "section-header": 0.5}
_LONGEST_TITLE = 45
_PARAGRAPH_WORDS = 60
_WORST = -9.0
_RUBRIC_WORDS = 3
"""Words up to which a large line may be a journal's section or a kind of article instead of a title."""
_ABOVE_BYLINE = 2.0
"""Score of a line above one that says that it names the authors."""
_STANDING_OUT = 1.5
"""Score from which a candidate looks like a title by its setting."""
_TIGHT_GAP, _LINE_GAP = 0.6, 1.3
"""Most space between two lines of a title over its size, as set without and with extra leading (up to double)."""
_CAPITALS_GAP = 1.7
"""The same in capitals, which are typed further apart."""
_ALIKE = 0.12
"""Sizes that differ by less than this share are one: OCR measures each line by its letters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontMatter:
    """The title, its rectangle, and the blocks between it and the text, from top to bottom and left to right."""

    title: str
    rect: Rect
    below: tuple[Block, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Candidate:
    """Lines that may be the title, in one block or in several."""

    blocks: tuple[Block, ...]
    lines: tuple[Line, ...]
    rect: Rect
    score: float

    @property
    def words(self) -> int:
        return len(_join_title_lines(self.lines).split())


def find_front_matter(page: PageContent) -> FrontMatter | None:
    """The front matter of a first page, or None where nothing on it looks like a title."""
    page = _read_pictures_as_text(page)
    blocks = [block for block in page.blocks if block.kind in _TITLE_KINDS and _title_lines(block)]
    body = body_style([line for block in page.blocks for line in block.lines])
    size = body.size if body else 10.0
    candidates = [_join_candidate(block, blocks, page, size) for block in blocks]
    best = max(candidates, key=lambda item: item.score - _rubric_penalty(item, candidates), default=None)
    if best is None or best.score < 0:
        return None
    return FrontMatter(title=_join_title_lines(best.lines), rect=best.rect, below=_blocks_below_title(page, best.rect))


def _read_pictures_as_text(page: PageContent) -> PageContent:
    """The page, the lines of its pictures as blocks where it has no others: a scanned front may be one picture."""
    if any(block.kind in _TITLE_KINDS for block in page.blocks):
        return page
    lines = [line for block in page.blocks if block.kind == "picture" for line in block.lines]
    return replace(page, blocks=tuple(Block(kind="text", rect=line.rect, lines=(line,)) for line in lines))


def _join_candidate(first: Block, blocks: Sequence[Block], page: PageContent, body_size: float) -> _Candidate:
    """The block with those that go on from it: the layout model may have cut a title in several."""
    joined, lines = [first], list(_title_lines(first))
    for block in sorted(blocks, key=lambda block: block.rect[1]):
        is_further = block is not first and _continues_title(joined[-1], lines, block, page)
        if is_further and _count_words([*lines, *_title_lines(block)]) <= _LONGEST_TITLE:
            joined.append(block)
            lines += _title_lines(block)
    rect = union(block.rect for block in joined)
    score = _title_score(first, lines, page, body_size) + _ABOVE_BYLINE * _is_above_byline(rect, page)
    return _Candidate(blocks=tuple(joined), lines=tuple(lines), rect=rect, score=score)


def _is_above_byline(rect: Rect, page: PageContent) -> bool:
    """Whether the next block beneath the rectangle says that it names the authors."""
    beneath = [
        block for block in page.blocks if block.rect[1] >= rect[3] - 1 and horizontal_overlap(block.rect, rect) > 0
    ]
    following = min(beneath, key=lambda block: block.rect[1], default=None)
    return following is not None and is_byline(following)


def _count_words(lines: Sequence[Line]) -> int:
    return sum(len(line.text.split()) for line in lines)


def _title_score(block: Block, lines: Sequence[Line], page: PageContent, body_size: float) -> float:
    """How much lines look like a title: size over the text's, weight, the layout model's opinion, place."""
    text = _join_title_lines(lines)
    style = _style_of(lines)
    if style is None or COMMON_SECTION.match(text) or len(text.split()) > _LONGEST_TITLE:
        return _WORST
    score = min(max(4 * (style.size / body_size - 1), 0.0), 4.0)
    score += _KIND_SCORES.get(block.kind, 0.0)
    score += 0.4 * (style.bold or style.capitals)
    score += 0.5 * (1 - block.rect[1] / max(page.height, 1.0))
    score -= _title_penalty(text, style.size / body_size)
    return score - 3.0 * (block.rect[1] > 0.65 * page.height)


def _title_penalty(text: str, relative_size: float) -> float:
    """What the words say against a title; ``relative_size`` is that of its type over the text's."""
    is_short = len(text.split()) < 3 and not _is_cjk(text)
    is_numbered = relative_size < 1.3 and _NUMBERED.match(text) is not None
    is_dated = "@" in text or _DATED.search(text) is not None
    return 2.0 * is_short + 2.0 * is_numbered + 3.0 * is_dated + 3.0 * (len(split_sentences(text)) > 2)


def _rubric_penalty(candidate: _Candidate, candidates: Sequence[_Candidate]) -> float:
    """What speaks against a short line where a longer one stands out too: the short one is a section or a name."""
    text = _join_title_lines(candidate.lines)
    is_short = candidate.words <= _RUBRIC_WORDS and not _is_cjk(text)
    are_names = all(extract_authors((block,)) for block in candidate.blocks)
    is_rubric = (is_short or are_names) and any(_is_rival(other, candidate) for other in candidates)
    return 3.0 * is_rubric


def _is_rival(other: _Candidate, short: _Candidate) -> bool:
    """Whether ``other`` stands apart from ``short`` and looks like a title with names beneath it."""
    is_longer = other.words > _RUBRIC_WORDS and not set(other.blocks) & set(short.blocks)
    if not is_longer or other.score < _STANDING_OUT - 0.4 * (other.blocks[0].kind == "text"):
        return False
    return INSTITUTION.search(_join_title_lines(other.lines)) is None and not extract_authors(other.blocks)


def _title_lines(block: Block) -> tuple[Line, ...]:
    """A block's lines without what only stands beside the title: a badge in other type, a kicker above it."""
    lines = [line for line in block.lines if visible_spans(line) and not line.vertical]
    main = _style_of(lines)
    if main is None:
        return ()
    is_bold = _is_mostly_bold(lines)
    kept = [_without_badge(line) for line in lines]
    while len(kept) > 1 and _is_kicker(kept[0], main.size, is_bold):
        kept = kept[1:]
    return tuple(kept)


def _style_of(lines: Sequence[Line]) -> TypeStyle | None:
    return dominant_style(span for line in lines for span in visible_spans(line))


def _is_mostly_bold(lines: Sequence[Line]) -> bool:
    bold_letters = sum(len(line.text) for line in lines if _is_bold(line))
    return bold_letters > 0.5 * sum(len(line.text) for line in lines)


def _is_kicker(line: Line, title_size: float, title_is_bold: bool) -> bool:
    """Whether a line above the title is a few words in smaller or lighter type."""
    is_smaller = _size(line) < 0.9 * title_size
    is_lighter = title_is_bold and not _is_bold(line)
    return len(line.text.split()) <= 3 and (is_smaller or is_lighter)


def _without_badge(line: Line) -> Line:
    """The line without a first word in smaller capitals that touches it (an OPEN mark, say)."""
    spans = visible_spans(line)
    if len(spans) < 2 or not _is_badge(spans[0], spans[1]):
        return line
    rest = tuple(span for span in line.spans if span is not spans[0])
    return Line(text="".join(span.text for span in rest), rect=line.rect, spans=rest, vertical=line.vertical)


def _is_badge(first: Span, second: Span) -> bool:
    word = first.text.strip()
    is_capitals = word.isupper() and len(word) > 2 and len(word.split()) == 1
    touches = not first.text.endswith(" ")
    return is_capitals and touches and first.size < 0.8 * second.size


def _is_bold(line: Line) -> bool:
    style = dominant_style(visible_spans(line))
    return style is not None and style.bold


def _size(line: Line) -> float:
    return max((span.size for span in visible_spans(line)), default=0.0)


def _continues_title(last: Block, lines: Sequence[Line], block: Block, page: PageContent) -> bool:
    """Whether ``block`` goes on from the title ``lines``, which end with ``last``: beneath it, in its type and line."""
    further = _title_lines(block)
    gap, height = block.rect[1] - last.rect[3], _size(lines[-1])
    is_same_size = abs(_size(further[0]) - height) < max(0.5, _ALIKE * height)
    if not is_same_size or not _share_typeface(lines, further):
        return False
    if -0.3 * height <= gap <= _TIGHT_GAP * height:
        return True
    most = _CAPITALS_GAP if _is_capitals(further) else _LINE_GAP
    is_near = 0 < gap <= most * height and _is_aligned(lines[-1].rect, further[0].rect, height)
    # Two words in capitals may be a name; where the names stand beneath them, they are none.
    return is_near and (_is_above_byline(block.rect, page) or not extract_authors((block,)))


def _share_typeface(lines: Sequence[Line], others: Sequence[Line]) -> bool:
    """Whether both are set in one font and weight, in capitals or not."""
    style, other = _style_of(lines), _style_of(others)
    if style is None or other is None:
        return False
    return (style.bold, style.font, style.capitals) == (other.bold, other.font, other.capitals)


def _is_capitals(lines: Sequence[Line]) -> bool:
    style = _style_of(lines)
    return style is not None and style.capitals


def _is_aligned(rect: Rect, other: Rect, tolerance: float) -> bool:
    """Whether two lines begin at the same place or are centred on the same one."""
    is_left = abs(rect[0] - other[0]) < tolerance
    return is_left or abs((rect[0] + rect[2]) - (other[0] + other[2])) < 2 * tolerance


def _blocks_below_title(page: PageContent, title: Rect) -> tuple[Block, ...]:
    """Blocks between the title and the text, as far as they stand under the title."""
    starts = [block.rect[1] for block in page.blocks if _opens_text(block, title)]
    end = min(starts, default=page.height)
    margin = 0.15 * page.width
    column = (title[0] - margin, title[3] - 3, title[2] + margin, end - 1)
    below = [block for block in page.blocks if block.kind in _AUTHOR_KINDS and _is_in_column(block.rect, column)]
    return tuple(sorted(below, key=lambda block: (round(block.rect[1] / 4), block.rect[0])))


def _is_in_column(rect: Rect, column: Rect) -> bool:
    """Whether the rectangle begins within the height of the column and more than half of its width lies there."""
    return column[1] <= rect[1] < column[3] and horizontal_overlap(rect, column) > 0.5 * (rect[2] - rect[0])


def _opens_text(block: Block, title: Rect) -> bool:
    """Whether the text begins with this block: with a heading that papers usually have, or a long paragraph."""
    is_above = block.rect[1] < title[3] - 3
    if is_above or not block.lines or block.kind in {"picture", *HEADER_FOOTER_KINDS}:
        return False
    first = " ".join(block.lines[0].text.split())
    if COMMON_SECTION.match(_SECTION_NUMBER.sub("", first)) or _RUN_IN_ABSTRACT.match(first):
        return True
    words = _count_words(block.lines)
    commas = sum(line.text.count(",") for line in block.lines)
    return words > _PARAGRAPH_WORDS and commas <= words / 4


def _join_title_lines(lines: Sequence[Line]) -> str:
    """The lines as one title, without footnote marks at its end."""
    spans = [[span for span in line.spans if not _is_footnote_mark(span, line)] for line in lines]
    text = join_hyphenated("\n".join("".join(span.text for span in line) for line in spans))
    text = "".join(" " if unicodedata.category(char) in ("Co", "Cc") else char for char in text)
    return re.sub(r"\s*[*∗†‡§¶⋆]+\s*$", "", " ".join(text.split())).strip()


def _is_footnote_mark(span: Span, line: Line) -> bool:
    """A footnote mark: set high, or small beside large type."""
    is_small = span_style(span).size < 0.75 * _size(line)
    return (span.superscript or is_small) and _MARK.fullmatch(span.text) is not None


def _is_cjk(text: str) -> bool:
    return re.search(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]", text) is not None
