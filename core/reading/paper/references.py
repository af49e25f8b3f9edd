"""The reference list: where one entry ends and the next begins, and what each names, enough to be shown.

Entries are told apart by their labels where they have any, else by the hanging indent, else as the layout
model boxed them. Parsing is modest on purpose: what is not plain stays in ``raw``.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.domain.model import Reference
from core.reading.blocks import Line
from core.reading.paper.parts import Part
from core.text import join_hyphenated

_LABEL = re.compile(r"^\s*(?:\[(\w[\w+\-]{0,12})\]|(\d{1,3})[.)]\s|(\d{1,3})\s+(?=[A-Z]))\s*")
_YEAR = re.compile(r"\(?\b((?:19|20)\d\d)[a-z]?\b\)?")
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>]*[a-z0-9]", re.IGNORECASE)
_ARXIV = re.compile(
    r"\barxiv\s*[:.]?\s*(?:preprint\s+)?(?:arxiv:)?\s*(\d{4}\.\d{4,5}(?:v\d+)?|[a-z\-]+/\d{7})", re.IGNORECASE
)
_QUOTED = re.compile(r"[“\"‘«]([^”\"»]{12,300})[”\"’»]")
_SENTENCE = re.compile(r"(?<=[a-z0-9)\]?!’”])[.?!]\s+(?=[A-Z“\"\[(\d])")
_AFTER_NAMES = re.compile(r"(?:(?<=\b[A-Z])|(?<=\bet al))\.,?\s+(?=[A-Z][\w\-]+[\s:]+(?!and\b|et\b|y\b|und\b)[a-z(])")
_AUTHOR_CUT = re.compile(r"\s*(?:;|,?\s+and\s+|,?\s*&\s*|,\s+(?=[A-Z][^\W\d]+,)|(?<=\.),\s+(?=[A-Z]))\s*")
_HANG = 6.0
_MOST_AUTHORS = 40
_SHORTEST = 60
"""What is shorter and names no year is a stray line, not an entry."""


def extract_references(parts: Sequence[Part], paper_id: str) -> tuple[Reference, ...]:
    """The entries of the parts that belong to the reference list, in printed order."""
    entries = _split_entries([part for part in parts if part.role == "reference"])
    kept = [(raw, page) for raw, page in entries if len(raw) > _SHORTEST or _LABEL.match(raw) or _YEAR.search(raw)]
    return tuple(
        replace(parse_reference(raw, paper_id=paper_id, ordinal=number), page=page)
        for number, (raw, page) in enumerate(kept)
    )


def parse_reference(raw: str, *, paper_id: str, ordinal: int) -> Reference:
    """One printed entry with what can be told from it."""
    found = _LABEL.match(raw)
    label = next((group for group in found.groups() if group), "") if found else ""
    body = raw[found.end() :] if found else raw
    doi, arxiv, year = _DOI.search(body), _ARXIV.search(body), _find_year(body)
    authors, title = _split_names_and_title(body, year)
    return Reference(
        paper_id=paper_id,
        ordinal=ordinal,
        raw=raw,
        label=label,
        authors=authors,
        title=title,
        year=int(year.group(1)) if year else None,
        doi=doi.group().rstrip(".,;)").lower() if doi else None,
        arxiv_id=arxiv.group(1) if arxiv else None,
    )


def _find_year(body: str) -> re.Match[str] | None:
    """A year in brackets where there is one, else the last: page and volume numbers come before it."""
    years = [match for match in _YEAR.finditer(body) if not _is_inside_url(body, match)]
    bracketed = [match for match in years if match.group().startswith("(")]
    chosen = bracketed[:1] or years[-1:]
    return chosen[0] if chosen else None


def _is_inside_url(body: str, match: re.Match[str]) -> bool:
    word = body[: match.end()].rsplit(" ", 1)[-1]
    return "/" in word or "arxiv" in word.lower()


def _split_names_and_title(body: str, year: re.Match[str] | None) -> tuple[tuple[str, ...], str]:
    quoted = _QUOTED.search(body)
    if quoted:
        return _parse_authors(body[: quoted.start()]), quoted.group(1).strip(" .,")
    if year and year.start() < 0.6 * len(body) and _SENTENCE.split(body[year.end() :].lstrip(" .,:)"))[0]:
        title = _SENTENCE.split(body[year.end() :].lstrip(" .,:)"))[0]
        return _parse_authors(body[: year.start()]), title.strip(" .,")
    names = _AFTER_NAMES.search(body)
    if names and names.start() < 0.6 * len(body):
        return _parse_authors(body[: names.start()]), _SENTENCE.split(body[names.end() :])[0].strip(" .,")
    pieces = _SENTENCE.split(body)
    return (_parse_authors(pieces[0]), pieces[1].strip(" .,")) if len(pieces) > 1 else ((), "")


def _parse_authors(text: str) -> tuple[str, ...]:
    names = [" ".join(name.split()).strip(" ,.;(") for name in _AUTHOR_CUT.split(text)]
    fitting = [name for name in names if 2 < len(name) < 60 and any(c.isupper() for c in name) and not name.isdigit()]
    return tuple(fitting[:_MOST_AUTHORS])


def _split_entries(parts: Sequence[Part]) -> Iterator[tuple[str, int]]:
    """The raw entries, lines joined to words again, with the page on which each begins."""
    blocks = [[(line, part.page) for line in part.block.lines if line.text.strip()] for part in parts]
    lines = [line for block in blocks for line in block]
    labelled = sum(1 for block in blocks if block and _LABEL.match(block[0][0].text))
    if blocks and labelled > 0.5 * len([block for block in blocks if block]):
        begins = set(_labelled_starts([line for line, _ in lines]))
    else:
        begins = {id(line) for block in blocks for line in _hanging_indent_starts([line for line, _ in block])}
    entry: list[tuple[str, int]] = []
    for line, page in lines:
        if id(line) in begins and entry:
            yield _join_entry_lines(entry)
            entry = []
        entry.append((line.text, page))
    if entry:
        yield _join_entry_lines(entry)


def _labelled_starts(lines: Sequence[Line]) -> Iterator[int]:
    """Lines that begin an entry by their label; a number out of sequence is a page or a volume at a line's start."""
    last = 0
    for line in lines:
        found = _LABEL.match(line.text)
        label = next((group for group in found.groups() if group), "") if found else ""
        if label.isdigit() and last < int(label) <= last + 3:
            last = int(label)
            yield id(line)
        elif found and found.group(1) and not label.isdigit():
            yield id(line)


def _hanging_indent_starts(block: Sequence[Line]) -> list[Line]:
    """Lines of a block that begin an entry: those that stick out to the left where others are set in."""
    if not block:
        return []
    left = min(line.rect[0] for line in block)
    out = [line for line in block if line.rect[0] - left < _HANG]
    indented = len(block) - len(out)
    if indented == 0:
        # All lines flush: the box is one entry, unless each line ends one.
        return [block[0]]
    return out


def _join_entry_lines(lines: Sequence[tuple[str, int]]) -> tuple[str, int]:
    return " ".join(join_hyphenated("\n".join(text for text, _ in lines)).split()), lines[0][1]
