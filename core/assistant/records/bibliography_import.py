"""Bibliographies that come in: BibTeX, RIS and CSL-JSON as reference managers export them. Pure.

What a file says is taken as it is meant (LaTeX resolved, names as they are printed, arXiv numbers wherever they
stand); an entry that cannot be read is counted and the others are still taken.
"""

import json
import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.assistant.records.person_names import uninvert_name
from core.domain.errors import FootnoteError
from core.domain.records import Entry

_ARXIV = re.compile(
    r"(?:arxiv[:.\s/]*(?:org/(?:abs|pdf)/)?|^)(\d{4}\.\d{4,5}(?:v\d+)?|[a-z\-]+(?:\.[a-z]{2})?/\d{7})", re.I
)
_DOI = re.compile(r"10\.\d{4,9}/\S+")
_YEAR = re.compile(r"\b(1[5-9]\d\d|20\d\d)\b")
MOST_CHARACTERS = 20_000_000


class NotABibliography(FootnoteError):
    """The file is neither BibTeX nor RIS nor CSL-JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedBibliography:
    """What a file held; ``unread`` counts entries that could not be understood."""

    entries: tuple[Entry, ...]
    unread: int = 0


def parse_bibliography(data: bytes) -> ParsedBibliography:
    """The entries of a bibliography, whichever of the three formats it has. Raises ``NotABibliography``."""
    text = data.decode("utf-8-sig", errors="replace").replace("\r\n", "\n").replace("\r", "\n")
    begins = text.lstrip()[:1]
    if len(text) > MOST_CHARACTERS:
        raise NotABibliography("That bibliography is too large to be read; please export fewer entries at once.")
    if begins in ("[", "{"):
        return _csl(text)
    if re.search(r"^\s*TY {1,2}- ", text, re.MULTILINE):
        return _ris(text)
    if re.search(r"^\s*@\s*\w+\s*[{(]", text, re.MULTILINE):
        return _bibtex(text)
    raise NotABibliography(
        "That file is no bibliography; BibTeX (.bib), RIS (.ris) and CSL-JSON (.json) exports can be read."
    )


def _bibtex(text: str) -> ParsedBibliography:
    from bibtexparser.entrypoint import parse_string
    from bibtexparser.middlewares import LatexDecodingMiddleware, SeparateCoAuthors

    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    logging.getLogger("pylatexenc").setLevel(logging.CRITICAL)
    # Authors are parted before LaTeX is resolved, by their braces: "{Smith and Sons}" is one.
    library = parse_string(text, append_middleware=[SeparateCoAuthors(), LatexDecodingMiddleware()])
    entries = []
    for entry in library.entries:
        told = {field.key.lower(): field.value for field in entry.fields}
        entries.append(_from_bibtex(told))
    return ParsedBibliography(
        entries=tuple(entry for entry in entries if entry.title), unread=len(library.failed_blocks)
    )


def _from_bibtex(told: Mapping[str, Any]) -> Entry:
    def said(*names: str) -> str:
        return next((" ".join(str(told[name]).split()) for name in names if told.get(name)), "")

    return Entry(
        title=said("title"),
        authors=tuple(_bibtex_people(told.get("author") or ())),
        year=_year(said("year", "date")),
        doi=_doi(said("doi", "url")),
        arxiv_id=_arxiv(said("eprint"), said("url"), said("doi"), said("note"), said("journal", "journaltitle")),
        venue=said("journal", "journaltitle", "booktitle", "howpublished"),
        abstract=said("abstract"),
        language=_language(said("language", "langid")),
    )


def _bibtex_people(authors: Iterable[str]) -> Iterator[str]:
    from bibtexparser.middlewares.names import parse_single_name_into_parts
    from pylatexenc.latex2text import LatexNodes2Text

    decoder = LatexNodes2Text()
    for author in authors:
        parts = parse_single_name_into_parts(author, strict=False)
        words = (*parts.first, *parts.von, *parts.last, *parts.jr)
        name = " ".join(decoder.latex_to_text(" ".join(words)).split())
        if name and name.lower() != "others":
            yield name


def _ris(text: str) -> ParsedBibliography:
    import rispy

    try:
        records = rispy.loads(text, skip_unknown_tags=True)
    except (OSError, ValueError, KeyError, IndexError) as error:
        raise NotABibliography("That RIS file is damaged and could not be read.") from error
    entries = [_from_ris(record) for record in records]
    return ParsedBibliography(
        entries=tuple(entry for entry in entries if entry.title), unread=sum(not entry.title for entry in entries)
    )


def _from_ris(record: Mapping[str, Any]) -> Entry:
    def said(*names: str) -> str:
        found = next((record[name] for name in names if record.get(name)), "")
        return " ".join((" ".join(found) if isinstance(found, list) else str(found)).split())

    return Entry(
        title=said("title", "primary_title", "translated_title"),
        authors=_people(record.get("authors") or record.get("first_authors") or ()),
        year=_year(said("year", "publication_year", "date")),
        doi=_doi(said("doi") or said("urls")),
        arxiv_id=_arxiv(said("urls"), said("doi"), said("notes"), said("number"), said("secondary_title")),
        venue=said("secondary_title", "journal_name", "alternate_title3", "alternate_title2"),
        abstract=said("abstract", "notes_abstract"),
        language=_language(said("language")),
    )


def _csl(text: str) -> ParsedBibliography:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotABibliography("That JSON file is damaged and could not be read.") from error
    items = data.get("items", [data]) if isinstance(data, dict) else data
    rows = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    entries = [_from_csl(row) for row in rows]
    if not any(entry.title for entry in entries):
        raise NotABibliography("That JSON file holds no titles; a CSL-JSON export can be read.")
    return ParsedBibliography(
        entries=tuple(entry for entry in entries if entry.title),
        unread=len(items) - sum(bool(e.title) for e in entries),
    )


def _from_csl(item: Mapping[str, Any]) -> Entry:
    def said(name: str) -> str:
        value = item.get(name)
        return " ".join(str(value).split()) if isinstance(value, str | int) else ""

    return Entry(
        title=re.sub(r"</?(?:i|b|sub|sup|span|sc)\b[^>]*>", "", said("title")),
        authors=_people(_csl_names(item.get("author"))),
        year=_csl_year(item.get("issued")),
        doi=_doi(said("DOI")),
        arxiv_id=_arxiv(said("number"), said("URL"), said("DOI"), said("note")),
        venue=said("container-title"),
        abstract=said("abstract"),
        language=_language(said("language")),
    )


def _csl_names(names: object) -> Sequence[str]:
    found = []
    for name in names if isinstance(names, list) else ():
        if isinstance(name, dict):
            parts = ("given", "dropping-particle", "non-dropping-particle", "family", "suffix")
            found.append(str(name.get("literal") or " ".join(str(name[part]) for part in parts if name.get(part))))
    return found


def _csl_year(issued: object) -> int | None:
    if not isinstance(issued, dict):
        return None
    parts = issued.get("date-parts")
    told = parts[0][0] if isinstance(parts, list) and parts and isinstance(parts[0], list) and parts[0] else None
    return _year(str(told or issued.get("raw") or issued.get("literal") or ""))


def _people(names: Iterable[object]) -> tuple[str, ...]:
    people = (uninvert_name(str(name).strip("{} ")) for name in names)
    return tuple(name for name in people if name and name.lower() != "others")


def _year(text: str) -> int | None:
    found = _YEAR.search(text)
    return int(found[1]) if found else None


def _doi(text: str) -> str:
    found = _DOI.search(text.replace("\\_", "_"))
    doi = found[0].rstrip(".,;").lower() if found else ""
    return "" if doi.startswith("10.48550/arxiv") else doi


def _arxiv(*texts: str) -> str:
    found = (_ARXIV.search(text.strip()) for text in texts if text)
    return next((item[1] for item in found if item), "")


def _language(text: str) -> str:
    names = {"english": "en", "spanish": "es", "german": "de", "french": "fr", "portuguese": "pt", "italian": "it"}
    return names.get(text.lower(), text[:2].lower() if re.fullmatch(r"[A-Za-z]{2}([-_][A-Za-z]+)?", text) else "")
