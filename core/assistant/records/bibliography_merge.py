"""The use case "take what my reference manager knows": a bibliography fills what was not read off the papers. Pure.

What a paper prints is not overwritten: where the two differ, the difference is reported and a person decides.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from core.domain.model import Metadata, Paper
from core.domain.records import Difference, Entry
from core.text import alphanumeric_key, alphanumeric_key_with_offsets, bare_arxiv_number

_SHORTEST_BEGINNING = 25
"""Letters of a title from which it may be another without its subtitle."""
_SUBTITLE = re.compile(r"\s*[:.?!\-\u2013\u2014]")
_ANOTHER_WORK = re.compile(
    r"\W*(?:an?\s|une?\s|eine?\s|el\s|la\s)?\W*"
    r"(?:\d+|[ivx]+\b|part|parte|partie|teil|vol|volume|chapter|supplement|suppl|appendix|addendum"
    r"|reply|response|rejoinder|comment|discussion|correction|corrigendum|erratum|retraction|review of"
    r"|respuesta|comentario|r[ée]ponse|commentaire|kommentar|erwiderung|antwort|berichtigung)\b",
    re.IGNORECASE,
)
"""How what stands behind a shared title shows that it is another work: a part, or words on the first."""


def find_paper(entry: Entry, papers: Sequence[Paper]) -> Paper | None:
    """The only paper that an entry is of: by DOI, by arXiv number, else by the whole title."""
    for paper in papers:
        if _has_same_number(entry, paper.metadata):
            return paper
    named = [paper for paper in papers if _has_same_title(entry, paper)]
    return named[0] if len(named) == 1 else None


def _has_same_number(entry: Entry, metadata: Metadata) -> bool:
    """Whether both have the same DOI or, without DOIs that differ, the same arXiv number, whatever its version."""
    if _differ(entry.doi, metadata.doi):
        return False
    arxiv_ids = {bare_arxiv_number(entry.arxiv_id or ""), bare_arxiv_number(metadata.arxiv_id or "")}
    return _agree(entry.doi, metadata.doi) or (len(arxiv_ids) == 1 and "" not in arxiv_ids)


def _agree(doi: str | None, other: str | None) -> bool:
    return bool(doi) and bool(other) and str(doi).lower() == str(other).lower()


def _differ(doi: str | None, other: str | None) -> bool:
    """Whether two DOIs are both known and not the same: then they are two works, whatever their titles."""
    return bool(doi) and bool(other) and not _agree(doi, other)


def _has_same_title(entry: Entry, paper: Paper) -> bool:
    """The same letters; a subtitle that one of the two leaves out may be missing."""
    if _differ(entry.doi, paper.metadata.doi):
        return False
    shorter, longer = sorted((entry.title, paper.title), key=lambda title: len(alphanumeric_key(title)))
    key = alphanumeric_key(shorter)
    longer_key, offsets = alphanumeric_key_with_offsets(longer)
    if key == longer_key:
        return True
    if len(key) < _SHORTEST_BEGINNING or not longer_key.startswith(key):
        return False
    rest = longer[offsets[len(key) - 1] + 1 :]
    return _SUBTITLE.match(rest) is not None and _ANOTHER_WORK.match(rest) is None


def fill_missing(metadata: Metadata, entry: Entry) -> tuple[Metadata, tuple[str, ...]]:
    """What is known of a paper with what the entry adds to it, and which fields that are."""
    added = {name: value for name, value in _known(entry).items() if not getattr(metadata, name)}
    return replace(metadata, **added), tuple(sorted(added))  # type: ignore[arg-type]


def overwrite(metadata: Metadata, entry: Entry) -> tuple[Metadata, tuple[str, ...]]:
    """What is known of a paper with everything that the entry says in its place."""
    changed = {name: value for name, value in _known(entry).items() if value != getattr(metadata, name)}
    return replace(metadata, **changed), tuple(sorted(changed))  # type: ignore[arg-type]


def find_differences(paper: Paper, entry: Entry) -> tuple[Difference, ...]:
    """Where both say something and not the same; spelling, accents and signs aside."""
    found = []
    for name, value in _known(entry).items():
        printed = getattr(paper.metadata, name)
        comparable = name != "abstract" and bool(printed)
        if comparable and _plain(printed) != _plain(value):
            found.append(Difference(paper=paper, field=name, here=_shown(printed), there=_shown(value)))
    return tuple(found)


def _known(entry: Entry) -> dict[str, object]:
    """What an entry says, by field of ``Metadata``."""
    fields = {
        "title": entry.title,
        "authors": entry.authors,
        "year": entry.year,
        "doi": entry.doi,
        "arxiv_id": entry.arxiv_id,
        "venue": entry.venue,
        "abstract": entry.abstract,
        "language": entry.language,
    }
    return {name: value for name, value in fields.items() if value}


def _plain(value: object) -> str:
    if isinstance(value, tuple):
        # Given names are written out here and by initials there: authors are compared by their last word.
        return " ".join(alphanumeric_key(str(name).split()[-1]) for name in value if str(name).split())
    return alphanumeric_key(str(value))


def _shown(value: object) -> str:
    return "; ".join(value) if isinstance(value, tuple) else str(value)
