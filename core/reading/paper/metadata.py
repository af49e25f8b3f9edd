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
from core.text import alphanumeric_key, join_hyphenated, language, normalise

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
    found = find_front_matter(first)
    lines = identification_lines([first, *[page for page in pages if page.number == first.number + 1]])
    return Metadata(
        title=_choose_title(found, first, file_metadata),
        authors=(extract_authors(found.below) if found else ()) or _confirmed_authors(first, file_metadata),
        year=find_publication_year(lines, latest=date.today().year + 1),
        doi=find_doi(lines),
        arxiv_id=find_arxiv_id(lines),
        venue=find_venue([first]),
        abstract=_find_abstract(parts, found),
        language=language(" ".join(part.text for part in parts if part.role == "text")[:_SAMPLE]),
    )


def _choose_title(found: FrontMatter | None, first: PageContent, file_metadata: Mapping[str, str]) -> str:
    if found is not None and found.title:
        return found.title
    claimed = " ".join(file_metadata.get("title", "").split())
    return claimed if len(alphanumeric_key(claimed)) > 8 and alphanumeric_key(claimed) in _page_text(first) else ""


def _confirmed_authors(first: PageContent, file_metadata: Mapping[str, str]) -> tuple[str, ...]:
    """Names from the file's own field that are printed on the first page too."""
    printed = _page_text(first)
    field = file_metadata.get("author", "").replace(" and ", ";").replace(",", ";")
    claimed = [name.strip() for name in field.split(";")]
    return tuple(name for name in claimed if len(name.split()) > 1 and alphanumeric_key(name) in printed)


def _page_text(page: PageContent) -> str:
    return alphanumeric_key(" ".join(line.text for block in page.blocks for line in block.lines))


def _find_abstract(parts: Sequence[Part], found: FrontMatter | None) -> str:
    """What stands under the abstract's heading; without one, the first long paragraph before the first section."""
    named = [
        part for part in parts if part.role in ("text", "list") and part.section and _is_abstract_section(part.section)
    ]
    if named:
        return _join_prose([part for part in named if part.section == named[0].section])
    front_matter = {block.rect for block in found.below} if found else set()
    opening = [
        part
        for part in parts
        if part.role == "text"
        and part.page == 1
        and len(part.text) > _SHORTEST_ABSTRACT
        and part.block.rect not in front_matter
        and not _LEGAL.search(part.text[:120])
    ]
    return _join_prose(opening[:1])


def _is_abstract_section(section: Sequence[str]) -> bool:
    return alphanumeric_key(section[-1]) in {alphanumeric_key(name) for name in _ABSTRACT}


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
    whole = [_join_broken_doi(line, following) for line, following in zip(lines, [*lines[1:], ""], strict=False)]
    found = [(line, match.group().rstrip(".,;)")) for line in whole for match in _DOI.finditer(line)]
    own = [value for line, value in found if not _OTHERS_DOI.search(line)]
    return (own or [value for _, value in found] or [""])[0].lower() or None


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
    best: dict[int, float] = {}
    for number, line in enumerate(lines):
        # A label and its date often stand on two lines ("Published" above "24 July 2020").
        context = f"{lines[number - 1]} {line}" if number and len(line) < _LONGEST else line
        weight = max((w for pattern, w in _DATES if re.search(pattern, context, re.IGNORECASE)), default=0.5)
        for match in _YEAR.finditer(line):
            found = int(match.group(1))
            if found <= latest:
                best[found] = max(best.get(found, 0.0), weight)
    return max(best, key=lambda found: (best[found], found)) if best else None


def find_venue(pages: Sequence[PageContent]) -> str | None:
    """The journal or conference that the first page's furniture names, or None."""
    if not pages:
        return None
    for block in pages[0].blocks:
        if block.kind not in HEADER_FOOTER_KINDS:
            continue
        for line in block.lines:
            text = " ".join(line.text.split())
            if _VENUE.search(text) and len(text) < 2 * _LONGEST and "http" not in text:
                return _NUMBERING.split(text)[0].strip(" |,")
    return None


def _candidate_lines(pages: Sequence[PageContent]) -> Iterator[str]:
    for page in pages[:2]:
        for block in page.blocks:
            words = sum(len(line.text.split()) for line in block.lines)
            small = page.number == 1 and (block.kind == "footnote" or words < _LONGEST)
            if block.kind in HEADER_FOOTER_KINDS or small:
                yield from (normalise(line.text) for line in block.lines)
