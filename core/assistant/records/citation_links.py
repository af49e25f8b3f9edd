"""How papers of a library stand to each other: which entry of a reference list is a paper that is here. Pure.

An entry means a paper when both name the same DOI or arXiv number, or when the paper's whole title stands in it.
"""

import re
from collections.abc import Mapping, Sequence

from core.domain.model import Paper, Reference
from core.domain.records import CitedHere
from core.text import alphanumeric_key

_VERSION = re.compile(r"v\d+$", re.IGNORECASE)
_SHORTEST_TITLE = 20
"""Letters of a title that stands in an entry only where the entry means it."""


class Names:
    """By what a reference list may name each of some papers."""

    def __init__(self, papers: Sequence[Paper]) -> None:
        self._by_doi: Mapping[str, Paper] = {p.metadata.doi.lower(): p for p in papers if p.metadata.doi}
        self._by_arxiv: Mapping[str, Paper] = {
            bare_arxiv(p.metadata.arxiv_id): p for p in papers if p.metadata.arxiv_id
        }
        titled = [(alphanumeric_key(paper.metadata.title), paper) for paper in papers]
        self._titles = [(title, paper) for title, paper in titled if len(title) >= _SHORTEST_TITLE]

    def meant(self, reference: Reference) -> Paper | None:
        """The paper that an entry means, or None."""
        if reference.doi and reference.doi.lower() in self._by_doi:
            return self._by_doi[reference.doi.lower()]
        if reference.arxiv_id and bare_arxiv(reference.arxiv_id) in self._by_arxiv:
            return self._by_arxiv[bare_arxiv(reference.arxiv_id)]
        entry = alphanumeric_key(reference.raw)
        # The longest title first: one may begin another.
        fitting = [(len(title), paper) for title, paper in self._titles if title in entry]
        return max(fitting, key=lambda item: item[0])[1] if fitting else None


def cited_here(citing: Paper, references: Sequence[Reference], names: Names) -> tuple[CitedHere, ...]:
    """What a paper's reference list names of the papers here, in printed order, each once and never itself."""
    found: dict[str, CitedHere] = {}
    for reference in references:
        paper = names.meant(reference)
        if paper is not None and paper.id != citing.id and paper.id not in found:
            found[paper.id] = CitedHere(citing=citing, cited=paper, reference=reference)
    return tuple(found.values())


def bare_arxiv(arxiv_id: str) -> str:
    """An arXiv number without its version."""
    return _VERSION.sub("", arxiv_id.lower())
