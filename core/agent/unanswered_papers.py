"""Finds papers that were named and have no clear answer, so that an answer from another is not taken for theirs.

It stands apart because it looks at all findings of an answer together, whoever judged them.
"""

from collections.abc import Sequence

from core.agent.state import Finding
from core.domain.model import Paper


def silent(findings: Sequence[Finding], papers: Sequence[Paper]) -> tuple[Paper, ...]:
    """Of several papers that were asked the same by name, those of which no part was clearly answered."""
    asked = [(next(iter(one.part.only)), one) for one in findings if len(one.part.only) == 1]
    clear = {paper for paper, one in asked if one.judgement.support == "clear"}
    named = dict.fromkeys(paper for paper, _ in asked)
    if len(named) < 2 or not clear:
        return ()
    known = {paper.id: paper for paper in papers}
    return tuple(known[paper] for paper in named if paper not in clear and paper in known)
