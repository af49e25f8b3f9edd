"""Finds out whether a paper just read is one the library already has in another form. Pure.

Two files are the same work when they print the same DOI or arXiv id, or the same title with an author in
common. What they are to each other (a newer arXiv version, a preprint and its journal version, a
supplement) follows from what the two print; nothing is guessed from file names alone. Both stay citable.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.model import Metadata, Paper, Relation, RelationKind
from core.text import alphanumeric_key, arxiv_version, bare_arxiv_number

_SUPPLEMENT = re.compile(
    r"\b(supplement(ary|al)?|supporting)\s+(information|material|materials|data|appendix|methods|file|text)\b|"
    r"\b(electronic supplementary|online supplement|online appendix)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Relative:
    """How a known paper relates to the new one: the known one is ``kind`` of the new one."""

    relation: Relation
    known: Paper


def find_relative(new: Metadata, *, first_words: str, known: Sequence[Paper]) -> Relative | None:
    """The closest relative of a paper just read, or None.

    ``first_words`` is the beginning of the new paper's first page, where a supplement says that it is one.
    """
    for paper in known:
        kind = _relation(new, first_words, paper)
        if kind is not None:
            return Relative(relation=Relation(kind=kind, paper_id=paper.id), known=paper)
    return None


_INVERSE: dict[RelationKind, RelationKind] = {
    "same work": "same work",
    "newer version": "older version",
    "older version": "newer version",
    "preprint": "journal version",
    "journal version": "preprint",
    "supplement": "main paper",
    "main paper": "supplement",
}


def inverse_relation(kind: RelationKind) -> RelationKind:
    """What the new paper is to the known one, given what the known one is to it."""
    return _INVERSE[kind]


def _relation(new: Metadata, first_words: str, paper: Paper) -> RelationKind | None:
    old = paper.metadata
    if _is_supplement(new, first_words, old):
        return "main paper"
    if _share_arxiv_number(new.arxiv_id, old.arxiv_id):
        return _by_version(arxiv_version(new.arxiv_id or ""), arxiv_version(old.arxiv_id or ""))
    if new.doi and new.doi.lower() == (old.doi or "").lower():
        return "same work"
    if not _same_title(new.title, old.title) or not _share_author(new, old):
        return None
    # Two works of one title that have DOIs of their own are not the same.
    return _preprint_or_journal(new, old) or (None if new.doi and old.doi else "same work")


def _share_arxiv_number(number: str | None, other: str | None) -> bool:
    """Whether two arXiv numbers are known and one, whatever the version."""
    return bool(number) and bare_arxiv_number(number or "") == bare_arxiv_number(other or "")


def _is_supplement(new: Metadata, first_words: str, old: Metadata) -> bool:
    """Whether the new paper says that it is a supplement, and names the old one."""
    title = alphanumeric_key(old.title)
    named_in_full = len(title) >= 20 and title in alphanumeric_key(first_words)
    is_named = named_in_full or _same_title(new.title, old.title)
    return is_named and bool(_SUPPLEMENT.search(first_words[:600]))


def _preprint_or_journal(new: Metadata, old: Metadata) -> RelationKind | None:
    new_preprint, old_preprint = _is_preprint(new), _is_preprint(old)
    if new_preprint and not old_preprint:
        return "journal version"
    if old_preprint and not new_preprint:
        return "preprint"
    return None


def _is_preprint(metadata: Metadata) -> bool:
    return bool(metadata.arxiv_id) or bool(re.search(r"rxiv|preprint", f"{metadata.venue} {metadata.doi}".lower()))


def _by_version(new: int, old: int) -> RelationKind:
    if new > old:
        return "older version"
    return "newer version" if old > new else "same work"


def _same_title(one: str, other: str) -> bool:
    a, b = alphanumeric_key(one), alphanumeric_key(other)
    return len(a) >= 15 and a == b


def _share_author(one: Metadata, other: Metadata) -> bool:
    def surnames(metadata: Metadata) -> set[str]:
        return {alphanumeric_key(author.split()[-1]) for author in metadata.authors if author.split()}

    return bool(surnames(one) & surnames(other)) or not (one.authors and other.authors)
