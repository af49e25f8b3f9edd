"""What identifies a paper: from its first page, with the file's own fields only where the page bears them out."""

import re
from collections.abc import Mapping, Sequence
from datetime import date

from core.domain.model import Metadata
from core.reading.blocks import PageContent
from core.reading.paper import identifiers
from core.reading.paper.author_names import extract_authors
from core.reading.paper.parts import Part
from core.reading.paper.title_page import FrontMatter, find_front_matter
from core.text import alphanumeric_key, detect_language, join_hyphenated

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
    lines = identifiers.identification_lines([first, *[page for page in pages if page.number == first.number + 1]])
    return Metadata(
        title=_choose_title(found, first, file_metadata),
        authors=(extract_authors(found.below) if found else ()) or _confirmed_authors(first, file_metadata),
        year=identifiers.find_publication_year(lines, latest=date.today().year + 1),
        doi=identifiers.find_doi(lines),
        arxiv_id=identifiers.find_arxiv_id(lines),
        venue=identifiers.find_venue([first]),
        abstract=_find_abstract(parts, found),
        language=detect_language(" ".join(part.text for part in parts if part.role == "text")[:_SAMPLE]),
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
