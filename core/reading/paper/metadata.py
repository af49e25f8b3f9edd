"""Bibliographic metadata of a paper, from its first page; the file's own fields count where the page confirms them.

DOI, arXiv number, year and venue are taken only from where a paper speaks of itself (headers and footers, front
matter, footnotes), not from its running text, which speaks of others.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from core.domain.model import Metadata
from core.reading.blocks import HEADER_FOOTER_KINDS, PageContent
from core.reading.paper.author_names import extract_authors
from core.reading.paper.parts import Part
from core.reading.paper.title_page import FrontMatter, find_front_matter
from core.text import alphanumeric_key, detect_language, join_hyphenated, normalise

_ABSTRACT = (
    "abstract",
    "summary",
    "resumen",
    "resumo",
    "résumé",
    "zusammenfassung",
    "riassunto",
    "摘要",
    "要旨",
    "초록",
)
_SHORTEST_ABSTRACT = 200
_LEGAL = re.compile(r"copyright|©|received|correspond|licen[sc]e|@", re.IGNORECASE)
_SAMPLE = 20_000


def extract_metadata(pages: Sequence[PageContent], parts: Sequence[Part], file_metadata: Mapping[str, str]) -> Metadata:
    """Title, authors in printed order, year, DOI, arXiv number, venue, abstract and language of a paper.

    ``parts`` is the paper in reading order, for the abstract; ``file_metadata`` the PDF's own fields.
    """
    if not pages:
        return Metadata(title="")
    first = next((page for page in pages if page.blocks), pages[0])
    second = [page for page in pages if page.number == first.number + 1]
    front = find_front_matter(first)
    lines = identification_lines([first, *second])
    authors = extract_authors(front.below) if front else ()
    prose = " ".join(part.text for part in parts if part.role == "text")
    return Metadata(
        title=_choose_title(front, first, file_metadata),
        authors=authors or _confirmed_authors(first, file_metadata),
        year=find_publication_year(lines, latest=date.today().year + 1),
        doi=find_doi(lines),
        arxiv_id=find_arxiv_id(lines),
        venue=find_venue([first]),
        abstract=_find_abstract(parts, front),
        language=detect_language(prose[:_SAMPLE]),
    )


def _choose_title(front: FrontMatter | None, first: PageContent, file_metadata: Mapping[str, str]) -> str:
    if front is not None and front.title:
        return front.title
    claimed = " ".join(file_metadata.get("title", "").split())
    key = alphanumeric_key(claimed)
    return claimed if len(key) > 8 and key in _page_text(first) else ""


def _confirmed_authors(first: PageContent, file_metadata: Mapping[str, str]) -> tuple[str, ...]:
    """Names from the file's own field that are printed on the first page too."""
    printed = _page_text(first)
    field = file_metadata.get("author", "").replace(" and ", ";").replace(",", ";")
    claimed = [name.strip() for name in field.split(";")]
    return tuple(name for name in claimed if len(name.split()) > 1 and alphanumeric_key(name) in printed)


def _page_text(page: PageContent) -> str:
    return alphanumeric_key(" ".join(line.text for block in page.blocks for line in block.lines))


def _find_abstract(parts: Sequence[Part], front: FrontMatter | None) -> str:
    """What stands under the abstract's heading; without one, the first long paragraph before the first section."""
    prose = [part for part in parts if part.role in ("text", "list")]
    named = next((part.section for part in prose if _is_abstract_section(part.section)), None)
    if named is not None:
        return _join_prose([part for part in prose if part.section == named])
    front_rects = {block.rect for block in front.below} if front else set()
    opening = filter(_may_be_abstract, prose)
    first = next((part for part in opening if part.block.rect not in front_rects), None)
    return "" if first is None else _join_prose([first])


def _may_be_abstract(part: Part) -> bool:
    """Whether it is a long paragraph of the first page and no legal notice."""
    is_long = part.role == "text" and len(part.text) > _SHORTEST_ABSTRACT
    return is_long and part.page == 1 and _LEGAL.search(part.text[:120]) is None


def _is_abstract_section(section: Sequence[str]) -> bool:
    return bool(section) and alphanumeric_key(section[-1]) in {alphanumeric_key(name) for name in _ABSTRACT}


def _join_prose(parts: Sequence[Part]) -> str:
    return " ".join(join_hyphenated("\n".join(part.text for part in parts)).split())


_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>\[\]{}|\\^`]*[a-z0-9]", re.IGNORECASE)
_OTHERS_DOI = re.compile(
    r"\b(data(set)?|code|software|supplement\w*|archived?|repository|replication of)\b", re.IGNORECASE
)
_ARXIV = re.compile(r"\barxiv\s*[:/]\s*((?:\d{4}\.\d{4,5}|[a-z\-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?)", re.IGNORECASE)
_YEAR = re.compile(r"(?<![\d.:/\-–])((?:19|20)\d\d)(?![\d/]|\.\d)")
_DATES: Sequence[tuple[str, float]] = (
    (r"publish|publicad|publié|veröffentlicht|available online|appeared", 6.0),
    (r"©|copyright|\(c\)", 5.0),
    (r"how to cite|c[oó]mo citar|citation:|reference format|cite this", 5.0),
    (r"proceedings|conference|workshop|journal|transactions|volume|\bvol\b|\bv\.\s?\d|issue|press\b", 4.0),
    (r"arxiv", 4.0),
    (r"accepted|aprobado|aceptado|approved|in final form", 2.5),
    (r"received|recibido|revised|submitted|draft|version", 1.5),
    (r"january|february|march|april|\bmay\b|june|july|august|september|october|november|december", 1.0),
)
_VENUE = re.compile(
    r"proceedings of|journal|transactions|\breports\b|\bletters\b|\breview of|\bannals\b|conference on|workshop on|"
    r"symposium on|\brevista\b|zeitschrift|\bPLOS\b|\bmagazine\b|\barchives? of",
    re.IGNORECASE,
)
_NUMBERING = re.compile(r"\s+\d{1,4}\s*[:(]|,?\s*(?:vol\.?|volume|v\.)\s*\d", re.IGNORECASE)
_LONGEST = 60


def identification_lines(pages: Sequence[PageContent]) -> tuple[str, ...]:
    """Lines of the first page (and the next one's furniture) in which a paper speaks of itself."""
    return tuple(_candidate_lines(pages))


def find_doi(lines: Sequence[str]) -> str | None:
    """The paper's own DOI in lower case, or None."""
    joined = [_join_broken_doi(line, following) for line, following in zip(lines, [*lines[1:], ""], strict=False)]
    matches = [(line, match.group().rstrip(".,;)")) for line in joined for match in _DOI.finditer(line)]
    own = [doi for line, doi in matches if not _OTHERS_DOI.search(line)]
    return (own or [doi for _, doi in matches] or [""])[0].lower() or None


def _join_broken_doi(line: str, following: str) -> str:
    """The line, with the first word of the next one where it ends within a DOI."""
    return line + following.split(" ")[0] if re.search(r"10\.\d{4,9}/\S*[./_\-]$", line) else line


def find_arxiv_id(lines: Sequence[str]) -> str | None:
    """The paper's own arXiv number with its version where printed, or None."""
    for line in lines:
        match = _ARXIV.search(line)
        if match and len(line) < 4 * _LONGEST:
            return match.group(1)
    return None


def find_publication_year(lines: Sequence[str], *, latest: int) -> int | None:
    """The year that most speaks for publication; of equal ones the latest not beyond ``latest``."""
    weights: dict[int, float] = {}
    for index, line in enumerate(lines):
        # A label and its date often stand on two lines ("Published" above "24 July 2020").
        is_short = index > 0 and len(line) < _LONGEST
        weight = _date_weight(f"{lines[index - 1]} {line}" if is_short else line)
        for year in map(int, _YEAR.findall(line)):
            weights[year] = max(weights.get(year, 0.0), weight)
    return max((year for year in weights if year <= latest), key=lambda year: (weights[year], year), default=None)


def _date_weight(text: str) -> float:
    """How much the words around a date speak for that of publication."""
    weights = (weight for pattern, weight in _DATES if re.search(pattern, text, re.IGNORECASE))
    return max(weights, default=0.5)


def find_venue(pages: Sequence[PageContent]) -> str | None:
    """The journal or conference that the first page's furniture names, or None."""
    blocks = pages[0].blocks if pages else ()
    lines = (line for block in blocks if block.kind in HEADER_FOOTER_KINDS for line in block.lines)
    texts = (" ".join(line.text.split()) for line in lines)
    venue = next(filter(_is_venue, texts), None)
    return None if venue is None else _NUMBERING.split(venue)[0].strip(" |,")


def _is_venue(text: str) -> bool:
    return len(text) < 2 * _LONGEST and "http" not in text and _VENUE.search(text) is not None


def _candidate_lines(pages: Sequence[PageContent]) -> Iterator[str]:
    for page in pages[:2]:
        for block in page.blocks:
            words = sum(len(line.text.split()) for line in block.lines)
            small = page.number == 1 and (block.kind == "footnote" or words < _LONGEST)
            if block.kind in HEADER_FOOTER_KINDS or small:
                yield from (normalise(line.text) for line in block.lines)
