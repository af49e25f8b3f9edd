"""The reasoner that needs no language model: it finds the sentences that answer and quotes them.

What it cannot do it leaves: it never rewrites, concludes or computes; a comparison is quotes side by side.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace

from core.agent import messages
from core.agent.extractive import answerability, clarification, presuppositions, sentence_ranking, table_rows
from core.agent.extractive.aspect_search import AspectFinding, labelled_evidence, search_aspect
from core.agent.reasoner import RunContext
from core.agent.state import Finding, Judgement, Understanding
from core.aspects.asked_aspects import aspect_asked
from core.domain.model import AnswerMode, Evidence, Paper
from core.grounding.verify import DraftSentence
from core.text import normalise
from core.understanding import answer_types
from core.understanding.query_terms import Term, terms, unspent, weighted
from core.understanding.route import Part, Question

EMBEDDED = 4
"""Candidates whose meaning is compared with the question, the most of what a question costs: of sixteen, none behind
the fourth ever came first."""
MOST_FOLDED = 5
"""Sentences brought for a part: what is shown, and what is folded."""


class ExtractiveReasoner:
    """Quotes. Holds nothing of a workspace, so that one serves all."""

    mode: AnswerMode = "extractive"

    def __init__(self, weights: sentence_ranking.Weights | None = None) -> None:
        self._weights = weights or sentence_ranking.Weights()

    async def understand(self, question: Question, run: RunContext) -> Understanding:
        """The question's parts, or a question back where several papers may be meant."""
        notes = (messages.stopped_instructions(),) if question.foreign_instructions else ()
        back = await clarification.candidates(question, run)
        if not back.papers:
            return Understanding(course="investigate", parts=question.parts, notes=notes)
        return Understanding(
            course="clarify",
            message=messages.which_paper(back.papers, back.hint),
            candidates=tuple(paper.id for paper in back.papers),
            notes=notes,
        )

    async def judge(self, part: Part, evidence: Sequence[Evidence], run: RunContext) -> Finding:
        """Rank the sentences and judge the best; what asks for an aspect is looked for in the whole paper."""
        leading = _leading_paper(part, evidence, run)
        if leading is not None:
            aspect = await search_aspect(part, leading, run)
            if aspect is not None and aspect.clear:
                return _aspect_finding(part, aspect, evidence)
            evidence = (*await labelled_evidence(part, leading, run), *evidence)
        return await self.judge_passages(part, evidence, run)

    async def judge_passages(self, part: Part, evidence: Sequence[Evidence], run: RunContext) -> Finding:
        """Rank and judge the sentences of ``evidence`` alone."""
        candidates = await asyncio.to_thread(sentence_ranking.units, evidence, f"{part.context} {part.question}")
        asked, context = await self._weighed(part, candidates, run)
        ranked = await asyncio.to_thread(sentence_ranking.rank, part, candidates, asked, context, self._weights)
        vectors = None
        if ranked:
            query = await run.dependencies.embedder.query(part.query)
            vectors = await run.dependencies.embedder.passages([item.unit.shown for item in ranked[:EMBEDDED]])
            ranked = sentence_ranking.add_meaning(ranked, [float(row @ query) for row in vectors], self._weights)
        missing = await presuppositions.missing_terms(part, ranked, asked, vectors, run)
        strictness = run.dependencies.config.strictness
        judgement = await asyncio.to_thread(
            answerability.judge_answer, part, ranked, asked, evidence, strictness, missing
        )
        chosen = _chosen(part, ranked)
        drafts = tuple(drafted(item, part, (*asked, *context)) for item in chosen)
        return Finding(part=part, evidence=_best_first(evidence, chosen), judgement=judgement, drafts=drafts)

    async def _weighed(
        self, part: Part, candidates: Sequence[sentence_ranking.Unit], run: RunContext
    ) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
        said = unspent(terms(part.question), part.people) or terms(part.question)
        asked = unspent(said, part.called) or said
        known = {term.tokens for term in asked}
        before = (*said, *unspent(terms(part.context), part.people))
        context = tuple({term.tokens: term for term in before if term.tokens not in known}.values())
        tokens = sorted({token for term in (*asked, *context) for token in term.tokens})
        counts = dict(await run.frequencies(tokens))
        total = run.passages
        if not total:
            total = len(candidates)
            counts = {token: sum(token in one.tokens for one in candidates) for token in tokens}
        if not asked:
            return weighted(context, counts, total), ()
        halved = tuple(replace(term, weight=term.weight / 2) for term in weighted(context, counts, total))
        return weighted(asked, counts, total), halved

    async def refine(self, finding: Finding, run: RunContext) -> Part | None:
        """Look once more, and only into the paper that leads the evidence."""
        part = finding.part
        if not finding.evidence or part.only or part.tries or len(run.papers) < 2:
            return None
        return replace(part, only=frozenset({finding.evidence[0].paper.id}), tries=1)

    async def write(self, findings: Sequence[Finding], run: RunContext) -> AsyncGenerator[DraftSentence, None]:
        """What answers each part that was clearly answered, each sentence once; the rest of its drafts is folded."""
        tried: set[str] = set()
        for finding in _spoken_for(findings):
            most = len(run.ledger.said) + _shown_of(finding.part)
            for draft in finding.drafts:
                if draft.text not in tried and len(run.ledger.said) < most:
                    tried.add(draft.text)
                    yield draft


def _shown_of(part: Part) -> int:
    """Sentences that are shown unfolded: one, and one beside it where more than one thing is asked."""
    if part.per_paper is not None:
        return answer_types.papers_asked(f"{part.context} {part.question}") or answer_types.SIDE_BY_SIDE
    several = answer_types.asks_several(part.question) or aspect_asked(part.question) is not None
    return 2 if several else 1


def _leading_paper(part: Part, evidence: Sequence[Evidence], run: RunContext) -> Paper | None:
    """The one paper that a part is put to, else the one whose passage was found first; None where several are asked."""
    if part.per_paper is not None:
        return None
    meant = part.only or (frozenset({evidence[0].paper.id}) if evidence else frozenset())
    return next((paper for paper in run.papers if len(meant) == 1 and paper.id in meant), None)


def _aspect_finding(part: Part, aspect: AspectFinding, evidence: Sequence[Evidence]) -> Finding:
    stated = {item.passage.id for item in aspect.evidence}
    others = tuple(item for item in evidence if item.passage.id not in stated)
    return Finding(
        part=part,
        evidence=(*aspect.evidence, *others),
        judgement=Judgement(support="clear", score=1.0),
        drafts=aspect.drafts,
    )


def _best_first(evidence: Sequence[Evidence], chosen: Sequence[sentence_ranking.Ranked]) -> tuple[Evidence, ...]:
    """The passages of what was chosen, then the others as they were found."""
    first = {item.unit.passage.id: item.unit.evidence for item in chosen}
    return (*first.values(), *(item for item in evidence if item.passage.id not in first))


def _spoken_for(findings: Sequence[Finding]) -> list[Finding]:
    """What was clearly answered; of papers that were asked the same, also those that answer less clearly."""
    clear = frozenset(one.part.question for one in findings if one.judgement.support == "clear")

    def beside(one: Finding) -> bool:
        return one.judgement.support == "unclear" and one.part.question in clear and len(one.part.only) == 1

    return [one for one in findings if one.judgement.support == "clear" or beside(one)]


def _chosen(part: Part, ranked: Sequence[sentence_ranking.Ranked]) -> tuple[sentence_ranking.Ranked, ...]:
    if part.per_paper is None:
        return sentence_ranking.select(ranked, most=MOST_FOLDED)
    return sentence_ranking.side_by_side(ranked, papers=_shown_of(part))


def drafted(item: sentence_ranking.Ranked, part: Part, asked: Sequence[Term]) -> DraftSentence:
    """What is picked as a sentence to be verified; of a table the lines asked for, with dashes as quotes have them."""
    passage = item.unit.passage
    if item.unit.row:
        lines = table_rows.quoted(passage, part.question, asked)
        shown = [normalise(line) for block in lines for line in block.splitlines()]
        return DraftSentence(text="\n".join(shown), sources=tuple((passage.id, line) for line in lines))
    return DraftSentence(text=" ".join(item.unit.words.split()), sources=((passage.id, item.unit.words),))
