"""The use case "what do we have here": papers in scope, listed and found by what a person remembers of them."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Protocol

from core.domain.model import Paper, Scope
from core.domain.ports import Filters
from core.domain.records import number_papers
from core.text import index_tokens, query_tokens

_ALL = Filters()
_GENERIC = "paper article study review report essay note survey thesis preprint manuscript publication pdf file"
"""What any paper may be called; alone such a word names none, and ``PAPER`` is how usages write the place of a name."""
_SHORTEST_PART = 4
"""A piece of a word shorter than this names nothing: a slip of the finger must not forget a paper."""


@cache
def _generic_tokens() -> frozenset[str]:
    return frozenset(index_tokens(_GENERIC))


class Lists(Protocol):
    """A library that lists its papers."""

    async def papers(self, scope: Scope, *, filters: Filters = _ALL) -> Sequence[Paper]:
        """Papers in scope, oldest first."""


async def listed(scope: Scope, *, library: Lists, filters: Filters = _ALL) -> Sequence[Paper]:
    """Papers in scope that pass the filters, newest first."""
    return list(reversed(await library.papers(scope, filters=filters)))


async def found(hint: str, scope: Scope, *, library: Lists) -> Sequence[Paper]:
    """Papers in scope that ``hint`` may mean, likeliest first; one means it is clear, none that it is not here."""
    return named(await library.papers(scope), hint)


def named(papers: Sequence[Paper], hint: str) -> Sequence[Paper]:
    """Those of ``papers`` that ``hint`` may mean, likeliest first.

    A hint is a number of the list (from 1), the beginning of an id, a DOI, an arXiv id, a file name, or words
    of title, authors and year. Where something names a paper exactly, nothing looser is offered beside it.
    """
    wanted = hint.strip().strip("\"'“”").casefold()
    number = re.fullmatch(r"#?(\d{1,6})", wanted)
    numbers = number_papers(papers)
    if number and (meant := [paper for paper in papers if numbers[paper.id] == int(number[1])]):
        return tuple(meant)
    if not wanted:
        return ()
    exact = [paper for paper in papers if _names(wanted, paper)]
    if exact:
        return exact
    words = set(query_tokens(wanted))
    if words and words <= _generic_tokens():
        return ()
    covered = sorted(((-_covered(words, paper), place) for place, paper in enumerate(papers)))
    likely = [papers[place] for share, place in covered if words and share == covered[0][0] and -share > 0.5]
    # Part of a word, as in the stem of a file name, is no token; it still names what holds it.
    if likely or len(wanted) < _SHORTEST_PART:
        return likely
    return [paper for paper in papers if wanted in f"{paper.title}\n{paper.file_name}".casefold()]


def _names(wanted: str, paper: Paper) -> bool:
    exact = (paper.metadata.doi, paper.metadata.arxiv_id, paper.file_name, paper.title)
    begins = len(wanted) >= 6 and paper.id.startswith(wanted)
    return begins or any(wanted == name.casefold() for name in exact if name)


def _covered(words: set[str], paper: Paper) -> float:
    """Which share of the words the paper's title, authors, year and file name hold."""
    told = " ".join((paper.title, *paper.metadata.authors, str(paper.metadata.year or ""), paper.file_name))
    return len(words & set(index_tokens(told))) / len(words) if words else 0.0
