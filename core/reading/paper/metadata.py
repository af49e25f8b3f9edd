"""Bibliographic metadata of a paper, from its first page; the file's own fields count where the page confirms them.

A cover sheet of a repository or publisher is no first page: the front behind it says what it says, in full.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from core.domain.model import Metadata
from core.reading.blocks import HEADER_FOOTER_KINDS, PageContent
from core.reading.paper.author_names import extract_authors, find_introduced_authors
from core.reading.paper.heading_text import is_opening_heading
from core.reading.paper.parts import Part
from core.reading.paper.publication_data import (
    find_own_arxiv_number,
    find_own_doi,
    find_publication_year,
    find_venue,
    identification_lines,
    is_running_text,
    self_citation_lines,
)
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
_SHORTEST_TITLE = 16
"""Letters of a title from which another page that holds it is no chance."""


def extract_metadata(pages: Sequence[PageContent], parts: Sequence[Part], file_metadata: Mapping[str, str]) -> Metadata:
    """Title, authors in printed order, year, DOI, arXiv number, venue, abstract and language of a paper.

    ``parts`` is the paper in reading order, for the abstract; ``file_metadata`` the PDF's own fields.
    """
    if not pages:
        return Metadata(title="")
    cover, first, front = _find_front(pages)
    title = _choose_title(front, cover or first, file_metadata)
    following = [page for page in pages if page.number == first.number + 1]
    lines = identification_lines([first, *([cover] if cover else [])], following)
    prose = " ".join(part.text for part in parts if part.role == "text")
    return Metadata(
        title=title,
        authors=_find_authors(first, front) or _confirmed_authors(first, file_metadata),
        year=find_publication_year(lines, latest=date.today().year + 1),
        doi=find_own_doi(lines) or find_own_doi(self_citation_lines(pages, title)),
        arxiv_id=find_own_arxiv_number(lines),
        venue=find_venue(first),
        abstract=_find_abstract(parts, front, page=first.number),
        language=detect_language(prose[:_SAMPLE]),
    )


def _find_front(pages: Sequence[PageContent]) -> tuple[PageContent | None, PageContent, FrontMatter | None]:
    """The cover that was put before a paper, if any, the paper's own first page, and its front matter.

    A cover says again what the paper's own first page does, and that page names the authors beneath the title.
    """
    first = next((page for page in pages if page.blocks), pages[0])
    outer = find_front_matter(first)
    for second in (page for page in pages if page.number == first.number + 1):
        inner = find_front_matter(second)
        if inner is not None and _is_cover(first, outer, inner):
            return first, second, _with_small_letters(inner, outer)
    return None, first, outer


def _with_small_letters(inner: FrontMatter, outer: FrontMatter | None) -> FrontMatter:
    """The front with its title as the cover writes it, where only the front has it in capitals."""
    is_same = outer is not None and alphanumeric_key(outer.title) == alphanumeric_key(inner.title)
    return replace(inner, title=outer.title) if outer and is_same and inner.title.isupper() else inner


def _is_cover(page: PageContent, outer: FrontMatter | None, inner: FrontMatter) -> bool:
    """Whether a page repeats the title of the front behind it, which names authors, and opens no text itself."""
    key = alphanumeric_key(inner.title)
    is_title_alone = outer is not None and alphanumeric_key(outer.title) == key
    is_repeated = len(key) >= _SHORTEST_TITLE and key in _page_text(page)
    return is_repeated and (is_title_alone or not _opens_section(page)) and bool(extract_authors(inner.below))


def _opens_section(page: PageContent) -> bool:
    """Whether a section that papers usually have begins on the page."""
    return any(is_opening_heading(block.lines[0].text) for block in page.blocks if block.lines)


def _find_authors(page: PageContent, front: FrontMatter | None) -> tuple[str, ...]:
    """Names that a line of the page introduces as the author's, else those beneath the title."""
    blocks = [block for block in page.blocks if block.kind not in HEADER_FOOTER_KINDS and not is_running_text(block)]
    lines = sorted((line for block in blocks for line in block.lines), key=lambda line: (line.rect[1], line.rect[0]))
    return find_introduced_authors(lines) or (extract_authors(front.below) if front else ())


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


def _find_abstract(parts: Sequence[Part], front: FrontMatter | None, *, page: int) -> str:
    """What stands under the abstract's heading; without one, the first long paragraph of the front's ``page``."""
    prose = [part for part in parts if part.role in ("text", "list")]
    section = next((part.section for part in prose if _is_abstract_section(part.section)), None)
    if section is not None:
        return _join_prose([part for part in prose if part.section == section])
    front_rects = {block.rect for block in front.below} if front else set()
    opening = [part for part in prose if part.page == page and part.block.rect not in front_rects]
    return _join_prose(list(filter(_may_be_abstract, opening))[:1])


def _may_be_abstract(part: Part) -> bool:
    """Whether it is a long paragraph and no legal notice."""
    is_long = part.role == "text" and len(part.text) > _SHORTEST_ABSTRACT
    return is_long and _LEGAL.search(part.text[:120]) is None


def _is_abstract_section(section: Sequence[str]) -> bool:
    return bool(section) and alphanumeric_key(section[-1]) in {alphanumeric_key(name) for name in _ABSTRACT}


def _join_prose(parts: Sequence[Part]) -> str:
    return " ".join(join_hyphenated("\n".join(part.text for part in parts)).split())
