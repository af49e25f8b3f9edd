"""What a first page prints for librarians: DOI, arXiv number, year of publication and venue.

They are taken only from where a paper speaks of itself (headers and footers, front matter, footnotes), not from its
running text, which speaks of others.
"""

import re
from collections.abc import Sequence

from core.reading.blocks import HEADER_FOOTER_KINDS, Block, PageContent
from core.reading.paper import front_page_words as words_of
from core.text import alphanumeric_key, find_arxiv_number, find_dois, normalise

_BROKEN_DOI = re.compile(r"10\.\d{4,9}/\S*[./_\-]$")
_OPEN_DOI = re.compile(r"(\bdoi\W{1,3}10\.\d{4,9}/)\s(?=\S*\w)", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_YEAR = re.compile(r"(?<![\d.:/\-–])((?:19|20)\d\d)(?![\d/]|\.\d)")
_RIGHTS_YEAR = re.compile(
    r"(?:©|\(c\)|copyright)(?:\W+(?:the|by|author\(?s?\)?|(?-i:[A-Z][\w.&'’-]*)|\(c\)|©))*\W*(?:19|20)\d\d",
    re.IGNORECASE,
)
_VOLUME_YEAR = re.compile(r"\w\W*\((?:19|20)\d\d\)\W*(?:\d|$)|\d\s?\((?:19|20)\d\d\)")
"""A year in brackets that ends a citation of this paper or stands beside its volume or pages."""
_RIGHTS_WEIGHT, _VOLUME_WEIGHT, _BARE_WEIGHT = 5.0, 4.0, 0.5
_TRUSTED = 2.5
"""Weight from which a year counts although a stamp of the day of the download names it too."""
_VENUE_NUMBERS = re.compile(
    r",?\s+(?:vol(?:ume)?\.?|v\.|no\.)\s*\d.*|[,\s]+\d{1,4}\s*[:(,].*|\s*[,(]\s*(?:19|20)\d\d\)?.*|[,\s]+\d{1,3}$",
    re.IGNORECASE,
)
_LONGEST = 60
_SHORTEST_TITLE = 25
"""Letters of a title from which a block that holds it speaks of the paper itself."""


def identification_lines(front: Sequence[PageContent], following: Sequence[PageContent]) -> tuple[str, ...]:
    """Lines of the front, its cover included, and of the next page's furniture, in which a paper speaks of itself."""
    blocks = [block for page in front for block in page.blocks if _is_identification(block)]
    blocks += [block for page in following for block in page.blocks if block.kind in HEADER_FOOTER_KINDS]
    return tuple(normalise(line.text) for block in blocks for line in block.lines)


def _is_identification(block: Block) -> bool:
    """Whether a block of a front is furniture, a footnote, or too short to be running text."""
    return block.kind in {"footnote", *HEADER_FOOTER_KINDS} or not is_running_text(block)


def is_running_text(block: Block) -> bool:
    """Whether a block is too long to be a label, a date or a citation."""
    return _count_words(block) >= _LONGEST


def _count_words(block: Block) -> int:
    return sum(len(line.text.split()) for line in block.lines)


def self_citation_lines(pages: Sequence[PageContent], title: str) -> tuple[str, ...]:
    """Lines of short blocks anywhere in a paper that hold its own title: how it is to be cited.

    So do the few words above or beneath such a block, where a DOI often stands by itself.
    """
    key = alphanumeric_key(title)
    blocks = [block for page in pages for block in page.blocks if block.kind not in HEADER_FOOTER_KINDS]
    texts = [[normalise(line.text) for line in block.lines] for block in blocks]
    own = {index for index, lines in enumerate(texts) if _names_itself(key, lines)}
    near = {index + step for index in own for step in (-1, 1)} & {
        n for n, b in enumerate(blocks) if _count_words(b) < 8
    }
    return tuple(line for index in sorted(own | near) for line in texts[index])


def _names_itself(key: str, lines: Sequence[str]) -> bool:
    """Whether a block of a few lines holds the paper's title, whose letters are ``key``."""
    text = " ".join(lines)
    is_short = len(text.split()) < 2 * _LONGEST
    return is_short and len(key) >= _SHORTEST_TITLE and key in alphanumeric_key(text)


def find_own_doi(lines: Sequence[str]) -> str | None:
    """The paper's own DOI in lower case, or None; a DOI of its data or code is not its own."""
    joined = [_join_broken_doi(line, following) for line, following in zip(lines, [*lines, ""][1:], strict=True)]
    own = (line for line in joined if not words_of.OTHERS_WORK.search(_ADDRESS.sub(" ", line)))
    return next((doi for line in own for doi, _ in find_dois(line)), None)


def _join_broken_doi(line: str, following: str) -> str:
    """The line with a DOI that a line end or a space cut made whole."""
    line = _OPEN_DOI.sub(r"\1", line)
    word = following.partition(" ")[0]
    is_rest = not line.endswith(".") or any(map(str.isdigit, word))
    return line + word if is_rest and _BROKEN_DOI.search(line) else line


def find_own_arxiv_number(lines: Sequence[str]) -> str | None:
    """The paper's own arXiv number with its version where printed, or None."""
    short = (line for line in lines if len(line) < 4 * _LONGEST)
    return next(filter(None, map(find_arxiv_number, short)), None)


def find_publication_year(lines: Sequence[str], *, latest: int) -> int | None:
    """The year that most speaks for publication; of equal ones the latest not beyond ``latest``."""
    weights: dict[int, float] = {}
    stamped: set[int] = set()
    for index, line in enumerate(lines):
        text = words_of.DOWNLOAD_STAMP.sub("", line)
        stamped |= set(map(int, _YEAR.findall(line[len(text) :])))
        weight = _year_weight(text, _label_of(lines, index))
        for year in map(int, _YEAR.findall(text)):
            weights[year] = max(weights.get(year, 0.0), weight)
    allowed = [year for year in weights if year <= latest and (weights[year] >= _TRUSTED or year not in stamped)]
    return max(allowed, key=lambda year: (weights[year], year), default=None)


def _label_of(lines: Sequence[str], index: int) -> str:
    """The line before, where it is the label of this one: "Published" above "24 July 2020"."""
    label = lines[index - 1] if index > 0 else ""
    is_label = len(label) < _LONGEST and len(lines[index]) < _LONGEST and not _YEAR.search(label)
    return label if is_label else ""


def _year_weight(text: str, label: str) -> float:
    """How much the words around a year speak for that of publication."""
    words = _ADDRESS.sub(" ", f"{label} {text}")
    weights = [weight for pattern, weight in words_of.DATE_SIGNS if pattern.search(words)]
    weights += [_RIGHTS_WEIGHT] * (_RIGHTS_YEAR.search(words) is not None)
    weights += [_VOLUME_WEIGHT] * (_VOLUME_YEAR.search(text) is not None)
    return max(weights, default=_BARE_WEIGHT)


def find_venue(page: PageContent) -> str | None:
    """The journal or conference that a page's furniture names, without volume, pages and year, or None."""
    lines = (line for block in page.blocks if block.kind in HEADER_FOOTER_KINDS for line in block.lines)
    texts = (words_of.DOWNLOAD_STAMP.sub("", " ".join(line.text.split())) for line in lines)
    venue = next(filter(_is_venue, texts), "")
    return _VENUE_NUMBERS.sub("", words_of.VENUE_LEAD.sub("", venue)).strip(" |,.-–") or None


def _is_venue(text: str) -> bool:
    return len(text) < 2 * _LONGEST and "http" not in text and words_of.VENUE.search(text) is not None
