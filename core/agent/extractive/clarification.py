"""Notices that a question names no paper and that several papers would answer it about equally well.

Asking back costs the asker a turn, so it happens only where the words fit more than one paper and none leads.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.agent.reasoner import RunContext
from core.aspects.asked_aspects import aspect_asked, words_asking
from core.domain.model import Paper
from core.text import index_tokens
from core.understanding import answer_types
from core.understanding.query_terms import Term, coverage, terms, unspent
from core.understanding.route import Question

FEW_TERMS = 3
FULL = 0.99
PROBED = 24
PER_PAPER = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Back:
    """Whom to ask about; no papers where nothing needs to be asked."""

    papers: tuple[Paper, ...] = ()
    hint: str = ""


async def candidates(question: Question, run: RunContext) -> Back:
    """The papers to choose from, best first, or none."""
    mentions, follow_up = question.mentions, question.follow_up
    names_its_papers = follow_up.context or follow_up.chosen or mentions.certain
    if names_its_papers or len(run.papers) < 2 or answer_types.papers_asked(question.text):
        return Back()
    by_id = {paper.id: paper for paper in run.papers}
    if len(mentions.fitting) > 1:
        return Back(papers=tuple(by_id[one] for one in mentions.fitting), hint=mentions.hint)
    asked, whole_aspect = _asked_terms(question.text)
    if any(term.entity for term in asked) or len(asked) > FEW_TERMS:
        return Back()
    found = await run.dependencies.retriever.search(question.text, run.request.scope, k=PROBED, per_paper=PER_PAPER)
    if whole_aspect:
        several = tuple(dict.fromkeys(one.paper.id for one in found))
        return Back(papers=tuple(by_id[one] for one in several)) if len(several) > 1 else Back()
    fitting: dict[str, float] = {}
    for one in found:
        tokens = frozenset(index_tokens(one.passage.text))
        fitting[one.paper.id] = max(fitting.get(one.paper.id, 0.0), coverage(asked, tokens))
    full: Sequence[str] = [one for one, share in fitting.items() if share >= FULL]
    if len(full) < 2:
        return Back()
    return Back(papers=tuple(by_id[one] for one in full if one in by_id))


def _asked_terms(question: str) -> tuple[tuple[Term, ...], bool]:
    """The words that must fit a paper, and whether there are none: an aspect ("the limitations?") is all that is asked.

    Any paper may have it, so that its own words tell none apart.
    """
    asked = terms(question)
    aspect = aspect_asked(question)
    left = unspent(asked, words_asking(question, aspect)) if aspect else asked
    return (left, True) if aspect and not left else (asked, False)
