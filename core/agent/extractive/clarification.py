"""Notices that a question names no paper and that several papers would answer it about equally well.

Asking back costs the asker a turn, so it happens only where the words fit more than one paper and none leads.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.agent.reasoner import RunContext
from core.domain.model import Paper
from core.text import index_tokens
from core.understanding import answer_types
from core.understanding.followups import Thread
from core.understanding.paper_mentions import Naming
from core.understanding.query_terms import coverage, terms

FEW_TERMS = 3
FULL = 0.99
PROBED = 24
PER_PAPER = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Back:
    """Whom to ask about; no papers where nothing needs to be asked."""

    papers: tuple[Paper, ...] = ()
    hint: str = ""


async def candidates(question: str, thread: Thread, naming: Naming, study: RunContext) -> Back:
    """The papers to choose from, best first, or none."""
    if (
        answer_types.papers_asked(question)
        or len(study.papers) < 2
        or thread.context
        or thread.chosen
        or naming.certain
    ):
        return Back()
    by_id = {paper.id: paper for paper in study.papers}
    if len(naming.fitting) > 1:
        return Back(papers=tuple(by_id[one] for one in naming.fitting), hint=naming.hint)
    asked = terms(question)
    if any(term.entity for term in asked) or len(asked) > FEW_TERMS:
        return Back()
    found = await study.retriever.search(question, study.scope, k=PROBED, per_paper=PER_PAPER)
    fitting: dict[str, float] = {}
    for one in found:
        tokens = frozenset(index_tokens(one.passage.text))
        fitting[one.paper.id] = max(fitting.get(one.paper.id, 0.0), coverage(asked, tokens))
    full: Sequence[str] = [one for one, share in fitting.items() if share >= FULL]
    if len(full) < 2:
        return Back()
    return Back(papers=tuple(by_id[one] for one in full if one in by_id))
