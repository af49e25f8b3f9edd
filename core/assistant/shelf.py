"""The use case "what do we have here": papers in scope, listed and found by what a person remembers of them."""

from collections.abc import Sequence
from typing import Protocol

from core.domain.model import Paper, Scope
from core.domain.ports import Filters
from core.text import index_tokens

_ALL = Filters()


class Lists(Protocol):
    """A library that lists its papers."""

    async def papers(self, scope: Scope, *, filters: Filters = _ALL) -> Sequence[Paper]:
        """Papers in scope, oldest first."""


async def listed(scope: Scope, *, library: Lists, filters: Filters = _ALL) -> Sequence[Paper]:
    """Papers in scope that pass the filters, newest first."""
    return list(reversed(await library.papers(scope, filters=filters)))


async def found(hint: str, scope: Scope, *, library: Lists) -> Sequence[Paper]:
    """Papers in scope that ``hint`` may mean, likeliest first; one means it is clear, none that it is not here.

    A hint is the beginning of an id, a DOI, an arXiv id, a file name, or words of title, authors and year.
    Where something names a paper exactly, nothing looser is offered beside it.
    """
    papers = await library.papers(scope)
    wanted = hint.strip().casefold()
    if not wanted:
        return ()
    exact = [paper for paper in papers if _names(wanted, paper)]
    if exact:
        return exact
    words = set(index_tokens(hint))
    covered = sorted(((-_covered(words, paper), place) for place, paper in enumerate(papers)))
    return [papers[place] for share, place in covered if words and share == covered[0][0] and -share > 0.5]


def _names(wanted: str, paper: Paper) -> bool:
    exact = (paper.metadata.doi, paper.metadata.arxiv_id, paper.file_name, paper.title)
    begins = len(wanted) >= 6 and paper.id.startswith(wanted)
    return begins or any(wanted == name.casefold() for name in exact if name)


def _covered(words: set[str], paper: Paper) -> float:
    """Which share of the words the paper's title, authors, year and file name hold."""
    told = " ".join((paper.title, *paper.metadata.authors, str(paper.metadata.year or ""), paper.file_name))
    return len(words & set(index_tokens(told))) / len(words) if words else 0.0
