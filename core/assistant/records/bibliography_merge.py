"""The use case "take what my reference manager knows": a bibliography fills what was not read off the papers. Pure.

What a paper prints is not overwritten: where the two differ, the difference is reported and a person decides.
"""

from collections.abc import Sequence
from dataclasses import replace

from core.assistant.records.related_papers import bare_arxiv
from core.domain.model import Metadata, Paper
from core.domain.records import Difference, Entry
from core.text import alphanumeric_key

_SHORTEST_BEGINNING = 25
"""Letters of a title from which it may be another without its subtitle."""


def find_paper(entry: Entry, papers: Sequence[Paper]) -> Paper | None:
    """The one paper that an entry is of: by DOI, by arXiv number, else by the whole title."""
    for paper in papers:
        if _same_number(entry, paper.metadata):
            return paper
    title = alphanumeric_key(entry.title)
    named = [paper for paper in papers if _same_title(title, alphanumeric_key(paper.title))]
    return named[0] if len(named) == 1 else None


def _same_number(entry: Entry, metadata: Metadata) -> bool:
    """Whether both have the same DOI or the same arXiv number, whatever its version."""
    dois = {(entry.doi or "").lower(), (metadata.doi or "").lower()}
    arxiv_ids = {bare_arxiv(entry.arxiv_id or ""), bare_arxiv(metadata.arxiv_id or "")}
    return any(len(ids) == 1 and "" not in ids for ids in (dois, arxiv_ids))


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


def _same_title(title: str, other: str) -> bool:
    """The same letters; a subtitle that one of the two leaves out may be missing."""
    shorter, longer = sorted((title, other), key=len)
    return title == other or (len(shorter) >= _SHORTEST_BEGINNING and longer.startswith(shorter))


def _plain(value: object) -> str:
    if isinstance(value, tuple):
        # Given names are written out here and by initials there: authors are compared by their last word.
        return " ".join(alphanumeric_key(str(name).split()[-1]) for name in value if str(name).split())
    return alphanumeric_key(str(value))


def _shown(value: object) -> str:
    return "; ".join(value) if isinstance(value, tuple) else str(value)
