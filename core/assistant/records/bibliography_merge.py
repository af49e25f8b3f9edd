"""The use case "take what my reference manager knows": a bibliography fills what was not read off the papers. Pure.

What a paper prints is not overwritten: where the two differ, the difference is told and a person decides.
"""

from collections.abc import Sequence
from dataclasses import replace

from core.assistant.records.citation_links import bare_arxiv
from core.domain.model import Metadata, Paper
from core.domain.records import Difference, Entry
from core.text import alphanumeric_key

_SHORTEST_TITLE = 12


def matching(entry: Entry, papers: Sequence[Paper]) -> Paper | None:
    """The one paper that an entry is of: by DOI, by arXiv number, else by the whole title."""
    for paper in papers:
        held = paper.metadata
        if entry.doi and held.doi and entry.doi.lower() == held.doi.lower():
            return paper
        if entry.arxiv_id and held.arxiv_id and bare_arxiv(entry.arxiv_id) == bare_arxiv(held.arxiv_id):
            return paper
    title = alphanumeric_key(entry.title)
    named = [paper for paper in papers if _same_title(title, alphanumeric_key(paper.title))]
    return named[0] if len(named) == 1 else None


def filled(metadata: Metadata, entry: Entry) -> tuple[Metadata, tuple[str, ...]]:
    """What is known of a paper with what the entry adds to it, and which fields that are."""
    told = _told(entry)
    added = {name: value for name, value in told.items() if value and not getattr(metadata, name)}
    return replace(metadata, **added), tuple(sorted(added))  # type: ignore[arg-type]


def replaced(metadata: Metadata, entry: Entry) -> tuple[Metadata, tuple[str, ...]]:
    """What is known of a paper with everything that the entry says in its place."""
    told = {name: value for name, value in _told(entry).items() if value and value != getattr(metadata, name)}
    return replace(metadata, **told), tuple(sorted(told))  # type: ignore[arg-type]


def differences(paper: Paper, entry: Entry) -> tuple[Difference, ...]:
    """Where both say something and not the same; spelling, accents and signs aside."""
    found = []
    for name, value in _told(entry).items():
        held = getattr(paper.metadata, name)
        if name != "abstract" and value and held and _plain(held) != _plain(value):
            found.append(Difference(paper=paper, field=name, here=_shown(held), there=_shown(value)))
    return tuple(found)


def _told(entry: Entry) -> dict[str, object]:
    return {
        "title": entry.title,
        "authors": entry.authors,
        "year": entry.year,
        "doi": entry.doi or None,
        "arxiv_id": entry.arxiv_id or None,
        "venue": entry.venue or None,
        "abstract": entry.abstract,
        "language": entry.language,
    }


def _same_title(one: str, other: str) -> bool:
    """The same letters; a subtitle that one of the two leaves out may be missing."""
    if len(min(one, other, key=len)) < _SHORTEST_TITLE:
        return one == other
    return one == other or (min(len(one), len(other)) >= 25 and (one.startswith(other) or other.startswith(one)))


def _plain(value: object) -> str:
    if isinstance(value, tuple):
        # Given names are written out here and by initials there: who the authors are is told by the last word.
        return " ".join(alphanumeric_key(str(name).split()[-1]) for name in value if str(name).split())
    return alphanumeric_key(str(value))


def _shown(value: object) -> str:
    return "; ".join(value) if isinstance(value, tuple) else str(value)
