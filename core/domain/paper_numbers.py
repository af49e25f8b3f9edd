"""The numbers by which papers are named, in one place: every list shows these and every command understands them."""

from collections.abc import Mapping, Sequence

from core.domain.model import Paper


def numbered(papers: Sequence[Paper]) -> Mapping[str, int]:
    """The number of each paper by its id, from 1; ``papers`` are all of a scope, oldest first.

    A list may show some of them, and in any order: a new paper then takes a new number and no other changes.
    """
    return {paper.id: place for place, paper in enumerate(papers, start=1)}
