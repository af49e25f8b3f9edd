"""Answers what asks for an aspect of a paper (who paid, how it was done, what it found) out of the whole paper.

Such a question is put in a hundred words and answered under few headings, so the paper's own parts are searched, not
its passages by the question's words.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from core.agent.reasoner import RunContext
from core.aspects.asked_aspects import (
    SAYS_LITTLE,
    STATED,
    aspect_asked,
    find_notices,
    query_of,
    rank_stated,
    words_asking,
)
from core.aspects.statement_ranking import Cosines, RankedStatement, are_alike
from core.aspects.statements import Statement, collect_evidence, extract_statements
from core.domain.model import Evidence, Paper, Passage
from core.grounding.verify import DraftSentence
from core.text import index_tokens
from core.text.languages.aspect_words import AspectName
from core.understanding.figure_labels import labels_asked
from core.understanding.query_terms import Term, coverage, terms, unspent
from core.understanding.route import Part

EMBEDDED = 6
"""Statements whose meaning is compared with the aspect."""
MOST = 5
"""Statements that are brought: what is shown and what is folded."""
WORDS = 1.2
"""Weight of the share of the question's other words that a statement or its heading holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AspectFinding:
    """What a paper states on an aspect, best first; ``clear`` where the best is on it beyond doubt."""

    evidence: tuple[Evidence, ...]
    drafts: tuple[DraftSentence, ...]
    clear: bool


async def search_aspect(part: Part, paper: Paper, run: RunContext) -> AspectFinding | None:
    """What ``paper`` states on the aspect that a part asks for; None where it asks for none, or nothing is there."""
    name = aspect_asked(part.question)
    if name is None or labels_asked(part.question):
        return None
    passages = tuple(await run.dependencies.library.paper_passages(run.request.scope, paper.id))
    ranked, clear = await _ranked(name, passages, paper, run)
    if not ranked:
        return None
    asking = words_asking(part.question, name) if name in STATED else frozenset[str]()
    others = unspent(terms(part.question), asking | part.people | part.called)
    chosen = _distinct(_by_other_words(ranked, others))
    return AspectFinding(
        evidence=collect_evidence(chosen, paper), drafts=tuple(item.draft() for item in chosen), clear=clear
    )


async def labelled_evidence(part: Part, paper: Paper, run: RunContext) -> tuple[Evidence, ...]:
    """The figures and tables of ``paper`` that a part asks for by their number, with their captions."""
    labels = labels_asked(part.question)
    if not labels:
        return ()
    passages = await run.dependencies.library.paper_passages(run.request.scope, paper.id)
    labelled = [item for item in passages if (item.label or "").casefold().rstrip(".:") in labels]
    return tuple(Evidence(passage=item, paper=paper, score=1.0) for item in labelled)


async def _ranked(
    name: AspectName, passages: Sequence[Passage], paper: Paper, run: RunContext
) -> tuple[tuple[RankedStatement, ...], bool]:
    if name not in STATED:
        notices = await asyncio.to_thread(find_notices, name, passages)
        return notices, bool(notices)
    statements = await asyncio.to_thread(extract_statements, passages, paper.metadata)
    ranked, _ = await asyncio.to_thread(rank_stated, name, statements, Cosines())
    first = [item.statement for item in ranked[:EMBEDDED]]
    if not first:
        return (), False
    asked = await run.dependencies.embedder.query(query_of(name))
    rows = await run.dependencies.embedder.passages([item.text for item in first])
    meaning = {item.place: float(row @ asked) for item, row in zip(first, rows, strict=True)}
    return await asyncio.to_thread(rank_stated, name, statements, Cosines(meaning=meaning))


def _by_other_words(ranked: Sequence[RankedStatement], others: Sequence[Term]) -> list[Statement]:
    """Ranked anew with the words of the question that do not ask for the aspect itself."""

    def score(item: RankedStatement) -> float:
        heading = " ".join(item.statement.passage.section[-1:])
        return item.score + WORDS * coverage(others, frozenset(index_tokens(f"{heading} {item.statement.text}")))

    return [item.statement for item in sorted(ranked, key=lambda item: -score(item))]


def _distinct(statements: Sequence[Statement]) -> list[Statement]:
    chosen: list[Statement] = []
    for item in sorted(statements, key=lambda item: len(item.text.split()) < SAYS_LITTLE):
        if len(chosen) < MOST and not any(item.tokens and are_alike(item, other) for other in chosen):
            chosen.append(item)
    return chosen
