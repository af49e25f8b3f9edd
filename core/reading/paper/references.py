"""The reference list: where one entry ends and the next begins, and what each names, enough to be shown.

Entries are told apart by their labels where they have any, else by the hanging indent, else as the layout
model boxed them. Parsing is modest on purpose: what is not plain stays in ``raw``.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from core.domain.model import Reference
from core.reading.blocks import Line
from core.reading.paper.parts import Part
from core.text import find_arxiv_number, find_doi, join_hyphenated

_LABEL = re.compile(r"^\s*(?:\[(\w[\w+\-]{0,12})\]|(\d{1,3})[.)]\s|(\d{1,3})\s+(?=[A-Z]))\s*")
_YEAR = re.compile(r"\(?\b((?:19|20)\d\d)[a-z]?\b\)?")
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
    kept = [(raw, page) for raw, page in entries if _is_entry(raw)]
    return tuple(
        replace(parse_reference(raw, paper_id=paper_id, ordinal=number), page=page)
        for number, (raw, page) in enumerate(kept)
    )


def _is_entry(raw: str) -> bool:
    return len(raw) > _SHORTEST or _LABEL.match(raw) is not None or _YEAR.search(raw) is not None


def parse_reference(raw: str, *, paper_id: str, ordinal: int) -> Reference:
    """One printed entry with what can be told from it."""
    body = raw[_label_end(raw) :]
    year = _find_year(body)
    authors, title = _split_names_and_title(body, year)
    return Reference(
        paper_id=paper_id,
        ordinal=ordinal,
        raw=raw,
        label=_parse_label(raw),
        authors=authors,
        title=title,
        year=int(year.group(1)) if year else None,
        doi=find_doi(body),
        arxiv_id=find_arxiv_number(body),
    )


def _label_end(raw: str) -> int:
    match = _LABEL.match(raw)
    return match.end() if match else 0


def _parse_label(raw: str) -> str:
    match = _LABEL.match(raw)
    return next(filter(None, match.groups()), "") if match else ""


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
    """Authors and title: around a quoted title, a year or the end of the names, else the first two sentences."""
    quoted = _QUOTED.search(body)
    if quoted:
        return _parse_authors(body[: quoted.start()]), quoted.group(1).strip(" .,")
    title = _SENTENCE.split(body[year.end() :].lstrip(" .,:)"))[0] if year else ""
    if year and title and _is_early(year, body):
        return _parse_authors(body[: year.start()]), title.strip(" .,")
    names = _AFTER_NAMES.search(body)
    if names and _is_early(names, body):
        return _parse_authors(body[: names.start()]), _SENTENCE.split(body[names.end() :])[0].strip(" .,")
    pieces = _SENTENCE.split(body)
    return (_parse_authors(pieces[0]), pieces[1].strip(" .,")) if len(pieces) > 1 else ((), "")


def _is_early(match: re.Match[str], body: str) -> bool:
    return match.start() < 0.6 * len(body)


def _parse_authors(text: str) -> tuple[str, ...]:
    names = [" ".join(name.split()).strip(" ,.;(") for name in _AUTHOR_CUT.split(text)]
    return tuple(name for name in names if _may_be_author(name))[:_MOST_AUTHORS]


def _may_be_author(name: str) -> bool:
    return 2 < len(name) < 60 and not name.isdigit() and any(char.isupper() for char in name)


def _split_entries(parts: Sequence[Part]) -> Iterator[tuple[str, int]]:
    """The raw entries, lines joined to words again, with the page on which each begins."""
    printed = [[(line, part.page) for line in part.block.lines if line.text.strip()] for part in parts]
    blocks = [block for block in printed if block]
    starts = _entry_starts([[line for line, _ in block] for block in blocks])
    entry: list[tuple[str, int]] = []
    for line, page in chain.from_iterable(blocks):
        if id(line) in starts and entry:
            yield _join_entry_lines(entry)
            entry = []
        entry.append((line.text, page))
    if entry:
        yield _join_entry_lines(entry)


def _entry_starts(blocks: Sequence[Sequence[Line]]) -> set[int]:
    """The ids of the lines that begin an entry: by labels if most blocks open with one, else by hanging indents."""
    labelled = sum(_LABEL.match(block[0].text) is not None for block in blocks)
    if labelled > 0.5 * len(blocks):
        return set(_labelled_starts(list(chain.from_iterable(blocks))))
    return {id(line) for block in blocks for line in _hanging_indent_starts(block)}


def _labelled_starts(lines: Sequence[Line]) -> Iterator[int]:
    """Lines that begin an entry by their label; a number out of sequence is a page or a volume at a line's start."""
    last = 0
    for line in lines:
        label = _parse_label(line.text)
        is_next = label.isdigit() and last < int(label) <= last + 3
        if is_next:
            last = int(label)
        if is_next or _has_word_label(line.text, label):
            yield id(line)


def _has_word_label(text: str, label: str) -> bool:
    """Whether the label stands in square brackets and is no number, as [Smi19]."""
    match = _LABEL.match(text)
    return match is not None and match.group(1) is not None and not label.isdigit()


def _hanging_indent_starts(block: Sequence[Line]) -> list[Line]:
    """Lines of a block that begin an entry: those that stick out to the left where others are set in."""
    left = min(line.rect[0] for line in block)
    out = [line for line in block if line.rect[0] - left < _HANG]
    # All lines flush: the box is one entry.
    return out if len(out) < len(block) else [block[0]]


def _join_entry_lines(lines: Sequence[tuple[str, int]]) -> tuple[str, int]:
    return " ".join(join_hyphenated("\n".join(text for text, _ in lines)).split()), lines[0][1]
