"""Bibliographies that come in: BibTeX, RIS and CSL-JSON as reference managers export them. Pure.

What a file says is taken as it is meant (LaTeX and HTML resolved, names as they are printed, arXiv numbers wherever
they stand); an entry that cannot be read is counted and the others are still taken.
"""

import json
import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.assistant.records.latex_text import decode_html, decode_latex, dot_latin_i
from core.domain.errors import FootnoteError
from core.domain.records import Entry
from core.text import find_doi, parse_arxiv_number
from core.text.person_names import split_comma_list, uninvert_name

if TYPE_CHECKING:
    from bibtexparser.library import Library
    from bibtexparser.model import Entry as BibtexEntry

_YEAR = re.compile(r"\b(1[5-9]\d\d|20\d\d)\b")
_BYTE_ORDER_MARKS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_NOT_UTF8 = re.compile("[\udc80-\udcff]")
_RIS_TAG = re.compile(r"^([A-Z][A-Z0-9])  ?-(?: (.*))?$")
_OTHERS = re.compile(r"(?:and )?(?:others|et\.? al\.?)", re.IGNORECASE)
_SIGNS_IN_DOI = {r"{\textless}": "<", r"{\textgreater}": ">", "$<$": "<", "$>$": ">", "\\": ""}
"""How reference managers write the signs of a DOI in BibTeX; a backslash only protects what follows it."""
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
    text = _decode(data).replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > MOST_CHARACTERS:
        raise NotABibliography("That bibliography is too large to be read; please export fewer entries at once.")
    if text.lstrip()[:1] in ("[", "{"):
        return _csl(text)
    if re.search(r"^\s*TY {1,2}-", text, re.MULTILINE):
        return _ris(text)
    if re.search(r"^\s*@\s*\w+\s*[{(]", text, re.MULTILINE):
        return _bibtex(text)
    raise NotABibliography(
        "That file is no bibliography; BibTeX (.bib), RIS (.ris) and CSL-JSON (.json) exports can be read."
    )


def _decode(data: bytes) -> str:
    """The text of a file in UTF-8, in UTF-16 with its mark, or in the 8-bit set of Western Europe, byte by byte."""
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data.decode(encoding, errors="ignore")
    text = data.decode("utf-8", errors="surrogateescape").removeprefix("\ufeff")
    return _NOT_UTF8.sub(lambda byte: _decode_western(ord(byte.group()) - 0xDC00), text)


def _decode_western(byte: int) -> str:
    data = bytes([byte])
    return data.decode("cp1252", errors="ignore") or data.decode("latin-1")


def _with_titles(entries: Sequence[Entry], *, unread: int = 0) -> ParsedBibliography:
    """The entries that have a title; the others are counted."""
    titled = tuple(entry for entry in entries if entry.title)
    return ParsedBibliography(entries=titled, unread=unread + len(entries) - len(titled))


def _bibtex(text: str) -> ParsedBibliography:
    from bibtexparser.entrypoint import parse_string

    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    logging.getLogger("pylatexenc").setLevel(logging.CRITICAL)
    library = parse_string(text, parse_stack=[])
    entries = list(_all_entries(library))
    unread = len(library.blocks) - len(entries) - len(library.strings) - len(library.comments) - len(library.preambles)
    return _with_titles([_from_bibtex(_field_values(entry)) for entry in _resolve(entries, library)], unread=unread)


def _all_entries(library: "Library") -> Iterator["BibtexEntry"]:
    """Entries in the order of the file, those too that share their key with another or say a field twice."""
    from bibtexparser.model import DuplicateBlockKeyBlock, DuplicateFieldKeyBlock, Entry

    for block in library.blocks:
        inner = (
            block.ignore_error_block if isinstance(block, DuplicateBlockKeyBlock | DuplicateFieldKeyBlock) else block
        )
        if isinstance(inner, Entry):
            yield inner


def _resolve(entries: Sequence["BibtexEntry"], library: "Library") -> Sequence["BibtexEntry"]:
    """The entries with their macros resolved and the braces or quotes around their fields gone."""
    from bibtexparser.library import Library
    from bibtexparser.middlewares.parsestack import default_parse_stack

    for number, entry in enumerate(entries):
        entry.key = str(number)
    resolved = Library([*library.strings, *entries])
    for step in default_parse_stack():
        resolved = step.transform(resolved)
    return resolved.entries


def _field_values(entry: "BibtexEntry") -> Mapping[str, Sequence[str]]:
    """By field in lower case its values, mostly one; what stands for a macro that is not defined is left out."""
    values: dict[str, list[str]] = {}
    for field in entry.fields:
        if field.enclosing != "no-enclosing" and str(field.value).strip():
            values.setdefault(field.key.lower(), []).append(str(field.value))
    return values


def _from_bibtex(values: Mapping[str, Sequence[str]]) -> Entry:
    def raw(*names: str) -> list[str]:
        return [" ".join(value.split()) for name in names for value in values.get(name, ())]

    def text(*names: str) -> str:
        return next(filter(None, map(dot_latin_i, map(decode_latex, raw(*names)))), "")

    return Entry(
        title=text("title"),
        authors=tuple(_bibtex_people(next(iter(raw("author")), ""))),
        year=_first_year(raw("year", "date")),
        doi=_first_doi([_plain_identifier(value) for value in raw("doi", "url")]),
        arxiv_id=_first_arxiv(raw("eprint", "url", "doi", "note", "journal", "journaltitle")),
        venue=text("journal", "journaltitle", "booktitle", "howpublished"),
        abstract=text("abstract"),
        language=_language(text("language", "langid")),
    )


def _plain_identifier(text: str) -> str:
    """An identifier without the LaTeX around its signs; read as LaTeX, the signs would be lost."""
    for written, sign in _SIGNS_IN_DOI.items():
        text = text.replace(written, sign)
    return text


def _bibtex_people(authors: str) -> Iterator[str]:
    """The authors' names; they are parted before LaTeX is resolved, by their braces: "{Smith and Sons}" is one."""
    from bibtexparser.middlewares.names import parse_single_name_into_parts, split_multiple_persons_names

    for author in split_multiple_persons_names(authors):
        for single in split_comma_list(author):
            parts = parse_single_name_into_parts(single, strict=False)
            name = decode_latex(" ".join((*parts.first, *parts.von, *parts.last, *parts.jr)))
            if name and not _OTHERS.fullmatch(name):
                yield name


def _ris(text: str) -> ParsedBibliography:
    import rispy

    try:
        records = rispy.loads("\n".join(_complete_ris(text.split("\n"))), skip_unknown_tags=True)
    except (OSError, ValueError, KeyError, IndexError) as error:
        raise NotABibliography("That RIS file is damaged and could not be read.") from error
    return _with_titles([_from_ris(record) for record in records])


def _complete_ris(lines: Sequence[str]) -> Iterator[str]:
    """The lines with two spaces behind each tag and an end behind each record, which some programs leave out."""
    is_narrow = not any(line.lstrip().startswith("TY  -") for line in lines)
    inside = False
    for line in lines:
        match = _RIS_TAG.match(line.strip())
        if match is None or not (is_narrow or line.lstrip()[2:5] == "  -"):
            yield line
            continue
        tag, value = match.groups(default="")
        if tag == "TY" and inside:
            yield "ER  - "
        inside = tag != "ER"
        yield f"{tag}  - {value}"
    if inside:
        yield "ER  - "


def _from_ris(record: Mapping[str, Any]) -> Entry:
    def raw(*names: str) -> list[str]:
        values = (record[name] for name in names if record.get(name))
        return [item for value in values for item in (value if isinstance(value, list) else [str(value)])]

    def text(*names: str) -> str:
        return next(filter(None, map(decode_html, raw(*names))), "")

    return Entry(
        title=text("title", "primary_title", "translated_title"),
        authors=_people(record.get("authors") or record.get("first_authors") or ()),
        year=_first_year(raw("year", "publication_year", "date")),
        doi=_first_doi(raw("doi", "urls")),
        arxiv_id=_first_arxiv(raw("urls", "doi", "notes", "number", "secondary_title")),
        venue=text("secondary_title", "journal_name", "alternate_title3", "alternate_title2"),
        abstract=text("abstract", "notes_abstract"),
        language=_language(text("language")),
    )


def _csl(text: str) -> ParsedBibliography:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotABibliography("That JSON file is damaged and could not be read.") from error
    items = data.get("items", [data]) if isinstance(data, dict) else data
    rows = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    parsed = _with_titles([_from_csl(row) for row in rows])
    if not parsed.entries:
        raise NotABibliography("That JSON file holds no titles; a CSL-JSON export can be read.")
    return ParsedBibliography(entries=parsed.entries, unread=len(items) - len(parsed.entries))


def _from_csl(item: Mapping[str, Any]) -> Entry:
    def text(name: str) -> str:
        value = item.get(name)
        return decode_html(str(value)) if isinstance(value, str | int) else ""

    return Entry(
        title=text("title"),
        authors=_people(_csl_names(item.get("author"))),
        year=_csl_year(item.get("issued")),
        doi=_first_doi([text("DOI")]),
        arxiv_id=_first_arxiv([text("number"), text("URL"), text("DOI"), text("note")]),
        venue=text("container-title"),
        abstract=text("abstract"),
        language=_language(text("language")),
    )


def _csl_names(names: object) -> Sequence[str]:
    people = [name for name in names if isinstance(name, dict)] if isinstance(names, list) else []
    parts = ("given", "dropping-particle", "non-dropping-particle", "family", "suffix")
    return [
        str(name.get("literal") or " ".join(str(name[part]) for part in parts if name.get(part))) for name in people
    ]


def _csl_year(issued: object) -> int | None:
    if not isinstance(issued, dict):
        return None
    values = (issued.get("date-parts"), issued.get("raw"), issued.get("literal"))
    return _first_year([str(value) for value in values if value])


def _people(names: Iterable[object]) -> tuple[str, ...]:
    people = (uninvert_name(decode_html(str(name)).strip("{} ")) for name in names)
    return tuple(name for name in people if name and not _OTHERS.fullmatch(name))


def _first_year(texts: Sequence[str]) -> int | None:
    years = (_YEAR.search(text) for text in texts)
    return next((int(year[1]) for year in years if year), None)


def _first_doi(texts: Sequence[str]) -> str:
    dois = filter(None, map(find_doi, texts))
    return next((doi for doi in dois if not doi.startswith("10.48550/arxiv")), "")


def _first_arxiv(texts: Sequence[str]) -> str:
    return next(filter(None, map(parse_arxiv_number, texts)), "")


def _language(text: str) -> str:
    names = {"english": "en", "spanish": "es", "german": "de", "french": "fr", "portuguese": "pt", "italian": "it"}
    return names.get(text.lower(), text[:2].lower() if re.fullmatch(r"[A-Za-z]{2}([-_][A-Za-z]+)?", text) else "")
