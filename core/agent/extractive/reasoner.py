"""The reasoner that needs no language model: it finds the sentences that answer and quotes them.

What it cannot do it leaves: it never rewrites, concludes or computes; a comparison is quotes side by side.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace

from core.agent import messages
from core.agent.extractive import answerability, clarification, presuppositions, sentence_ranking, table_rows
from core.agent.reasoner import MOST_SENTENCES, RunContext
from core.agent.state import Finding, Understanding
from core.domain.model import AnswerMode, Evidence
from core.grounding.verify import DraftSentence
from core.text import normalise
from core.understanding import answer_types
from core.understanding.query_terms import Term, terms, unspent, weighted
from core.understanding.route import Part, Question

EMBEDDED = 24
"""Candidates whose meaning is compared with the question."""
PAGES = 2
"""Pages quoted for a part: the best and the next best, since the answer is often on the second."""
ALONE = 1.3
"""Where one page leads the next by more than this, and one thing is asked, the second has nothing to add."""
SHORT = 3
"""Most sentences of a page that speaks alone."""
MORE = 1.5
"""How much more is quoted where several things are asked."""


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
        """Pick the sentences and judge them; the counting runs in a thread."""
        found = tuple(evidence)
        candidates = await asyncio.to_thread(sentence_ranking.units, found, f"{part.context} {part.question}")
        asked, context = await self._weighed(part, candidates, run)
        first = await asyncio.to_thread(sentence_ranking.pick, part, candidates, asked, context, {}, self._weights)
        likeness = await self._likeness(part, candidates, first[:EMBEDDED], run)
        picked = await asyncio.to_thread(
            sentence_ranking.pick, part, candidates, asked, context, likeness, self._weights
        )
        unsaid = await presuppositions.unsaid(part, picked, asked, run)
        strictness = run.dependencies.config.strictness
        judgement = await asyncio.to_thread(answerability.judged, part, picked, asked, found, strictness, unsaid)
        wanted = _chosen(part, picked, MOST_SENTENCES)
        drafts = tuple(drafted(one, part, (*asked, *context)) for one in wanted)
        return Finding(part=part, evidence=found, judgement=judgement, drafts=drafts)

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

    async def _likeness(
        self,
        part: Part,
        candidates: Sequence[sentence_ranking.Unit],
        first: Sequence[sentence_ranking.Picked],
        run: RunContext,
    ) -> dict[int, float]:
        if not first:
            return {}
        vector = await run.dependencies.embedder.query(part.query)
        vectors = await run.dependencies.embedder.passages([one.unit.shown for one in first])
        place = {id(unit): index for index, unit in enumerate(candidates)}
        return {place[id(one.unit)]: float(row @ vector) for one, row in zip(first, vectors, strict=True)}

    async def refine(self, finding: Finding, run: RunContext) -> Part | None:
        """First look into the paper that leads the evidence; then with the words that its best passages share."""
        part = finding.part
        if not finding.evidence:
            return None
        leading = finding.evidence[0].paper.id
        if not part.only and len(run.papers) > 1:
            return replace(part, only=frozenset({leading}), tries=part.tries + 1)
        words = [draft.text for draft in finding.drafts[:1]]
        query = " ".join([part.query, *words])
        return (
            replace(part, query=query, tries=part.tries + 1)
            if words and query != part.query and words[0] not in part.query
            else None
        )

    async def write(self, findings: Sequence[Finding], run: RunContext) -> AsyncGenerator[DraftSentence, None]:
        """Sentences of the parts that were clearly answered, each sentence once."""
        said: set[str] = set()
        clear = _spoken_for(findings)
        several = any(answer_types.asks_several(finding.part.question) for finding in clear)
        share = max(1, int(MOST_SENTENCES * (MORE if several else 1.0)) // max(1, len(clear)))
        for finding in clear:
            for draft in _together(finding.drafts[:share], finding):
                if draft.text not in said:
                    said.add(draft.text)
                    yield draft


def _spoken_for(findings: Sequence[Finding]) -> list[Finding]:
    """What was clearly answered; of papers that were asked the same, also those that answer less clearly."""
    clear = frozenset(one.part.question for one in findings if one.judgement.support == "clear")

    def beside(one: Finding) -> bool:
        return one.judgement.support == "unclear" and one.part.question in clear and len(one.part.only) == 1

    return [one for one in findings if one.judgement.support == "clear" or beside(one)]


def _together(drafts: Sequence[DraftSentence], finding: Finding) -> list[DraftSentence]:
    """The same drafts, those of one page side by side; no page says more than another, but each says something."""
    pages = {one.passage.id: (one.paper.id, one.passage.page) for one in finding.evidence}
    groups: dict[tuple[str, int], list[DraftSentence]] = {}
    for draft in drafts:
        groups.setdefault(pages[draft.sources[0][0]], []).append(draft)
    room = min((sum(len(draft.sources) for draft in group) for group in groups.values()), default=0)
    kept: list[DraftSentence] = []
    for group in groups.values():
        left = room - len(group[0].sources)
        kept.append(group[0])
        for draft in group[1:]:
            if len(draft.sources) <= left:
                kept.append(draft)
                left -= len(draft.sources)
    return kept


def _chosen(part: Part, picked: Sequence[sentence_ranking.Picked], each: int) -> tuple[sentence_ranking.Picked, ...]:
    if part.per_paper is None:
        pages = PAGES if answer_types.asks_several(part.question) or sentence_ranking.margin(picked) <= ALONE else 1
        return sentence_ranking.chosen(picked, pages=pages, each=each if pages > 1 else min(each, SHORT))
    papers = answer_types.papers_asked(f"{part.context} {part.question}") or answer_types.SIDE_BY_SIDE
    return sentence_ranking.side_by_side(picked, papers=papers, each=each)


def drafted(one: sentence_ranking.Picked, part: Part, asked: Sequence[Term]) -> DraftSentence:
    """What is picked as a sentence to be verified; of a table the lines asked for, with dashes as quotes have them."""
    passage = one.unit.passage
    if one.unit.row:
        lines = table_rows.quoted(passage, part.question, asked)
        shown = [normalise(line) for block in lines for line in block.splitlines()]
        return DraftSentence(text="\n".join(shown), sources=tuple((passage.id, line) for line in lines))
    return DraftSentence(text=" ".join(one.unit.words.split()), sources=((passage.id, one.unit.words),))
