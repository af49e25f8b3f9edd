"""What a user may correct about a paper: title, authors, year, DOI, arXiv number, venue, language. Pure.

A correction is given as words for a field; what cannot be right is refused in one sentence and changes nothing.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal, TypeAlias, get_args

from core.domain.errors import NotACorrection
from core.domain.model import Metadata
from core.text import find_doi, parse_arxiv_number

Field: TypeAlias = Literal["title", "authors", "year", "doi", "arxiv", "venue", "language"]
FIELDS: tuple[Field, ...] = get_args(Field)
_LANGUAGE = re.compile("^[a-z]{2}$")


def apply_corrections(metadata: Metadata, changes: Mapping[str, str]) -> Metadata:
    """``metadata`` with the changes, by field; an empty word takes a value away. Raises ``NotACorrection``."""
    for name, words in changes.items():
        correct = _CORRECTIONS.get(name.strip().lower())
        if correct is None:
            raise NotACorrection(f"“{name.strip().lower()}” cannot be corrected; there are: {', '.join(FIELDS)}.")
        metadata = correct(metadata, " ".join(words.split()))
    return metadata


def _title(metadata: Metadata, words: str) -> Metadata:
    if not words:
        raise NotACorrection("A paper needs a title; please give the words as they are printed.")
    return replace(metadata, title=words)


def _authors(metadata: Metadata, words: str) -> Metadata:
    names = (name.strip() for name in words.split(";"))
    return replace(metadata, authors=tuple(filter(None, names)))


def _doi(metadata: Metadata, words: str) -> Metadata:
    return replace(metadata, doi=_found(words, find_doi, "A DOI looks like 10.1371/journal.pone.0197919."))


def _arxiv(metadata: Metadata, words: str) -> Metadata:
    return replace(metadata, arxiv_id=_found(words, parse_arxiv_number, "An arXiv number looks like 2101.00001v2."))


def _language(metadata: Metadata, words: str) -> Metadata:
    return replace(metadata, language=_found(words, _language_code, "Try en or es.") or "")


_CORRECTIONS: Mapping[str, Callable[[Metadata, str], Metadata]] = {
    "title": _title,
    "authors": _authors,
    "year": lambda metadata, words: replace(metadata, year=_year(words)),
    "doi": _doi,
    "arxiv": _arxiv,
    "venue": lambda metadata, words: replace(metadata, venue=words or None),
    "language": _language,
}


def _year(words: str) -> int | None:
    if not words:
        return None
    if not re.fullmatch(r"(1[5-9]|20)\d\d", words):
        raise NotACorrection(f"“{words}” is no year of publication; please give four digits.")
    return int(words)


def _found(words: str, find: Callable[[str], str | None], hint: str) -> str | None:
    """What ``find`` reads in the words; None for none. Raises ``NotACorrection`` where they say something else."""
    value = find(words)
    if words and value is None:
        raise NotACorrection(f"“{words}” does not look right. {hint}")
    return value


def _language_code(words: str) -> str | None:
    return words.lower() if _LANGUAGE.fullmatch(words.lower()) else None
