"""The reasoner that needs no language model: it finds the sentences that answer and quotes them.

What it cannot do it leaves: it never rewrites, concludes or computes; a comparison is quotes side by side.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace

from core.agent import messages
from core.agent.extractive import answerability, clarification, presuppositions, sentence_ranking, table_rows
from core.agent.reasoner import MOST_PARTS, MOST_SENTENCES, RunContext
from core.agent.state import Finding, Part, Understanding
from core.domain.model import AnswerMode, Evidence, Turn
from core.grounding.verify import DraftSentence
from core.text import detect_language, normalise
from core.understanding import answer_types, followups, refusals, subquestions
from core.understanding import filters as query_filters
from core.understanding.paper_mentions import NamedPapers, Naming
from core.understanding.query_terms import Term, terms, unspent, weighted

SHELVES = 8
EMBEDDED = 24
"""Candidates whose meaning is compared with the question."""
PAGES = 2
"""Pages quoted for a part: the best and the next best, since the answer is often on the second."""
ALONE = 1.3
"""Where one page leads the next by more than this, and one thing is asked, the second has nothing to add."""
SHORT = 3
"""Most sentences of a page that speaks alone."""
PER_PAPER_WHEN_COMPARING = 4
CITED_BEFORE = 0.6
MORE = 1.5
"""How much more is quoted where several things are asked."""


class ExtractiveReasoner:
    """Quotes. Holds only small caches, so that one serves all workspaces."""

    mode: AnswerMode = "extractive"

    def __init__(self, weights: sentence_ranking.Weights | None = None) -> None:
        self._weights = weights or sentence_ranking.Weights()
        self._shelves: OrderedDict[tuple[tuple[str, str], ...], NamedPapers] = OrderedDict()

    async def understand(self, question: str, turns: Sequence[Turn], study: RunContext) -> Understanding:
        """Parts with their queries, or a question back, or a refusal."""
        request = await refusals.sort(question, study.embedder)
        if request.refusal:
            return Understanding(course="decline", message=messages.declined(request.refusal))
        notes = (messages.stopped_instructions(),) if request.cleaned else ()
        thread = followups.resolve(request.question, turns)
        shelf = await self._shelf(study)
        naming = await asyncio.to_thread(shelf.name, f"{thread.context} {request.question}".strip())
        own = await asyncio.to_thread(shelf.name, request.question) if thread.context else naming
        if own.certain:
            naming = own
        elif thread.chosen:
            naming = Naming(certain=(thread.chosen,))
        found = await self._parts(request.question, thread, naming, study)
        back = await clarification.candidates(request.question, thread, naming, study)
        if back.papers:
            message = messages.which_paper(back.papers, back.hint)
            return Understanding(
                course="clarify", message=message, candidates=tuple(paper.id for paper in back.papers), notes=notes
            )
        return Understanding(course="investigate", parts=found, notes=notes)

    async def _parts(
        self, question: str, thread: followups.Thread, naming: Naming, study: RunContext
    ) -> tuple[Part, ...]:
        likely = dict(naming.likely) | {paper: CITED_BEFORE for paper in thread.cited if thread.context}
        only = frozenset(naming.certain)
        filters = query_filters.asked_for(question, study.papers)
        result: list[Part] = []
        for half in subquestions.split(question, at_most=MOST_PARTS):
            context = f"{thread.context} {half.context}".strip()
            kind = await answer_types.answer_type(half.question, study.embedder)
            if kind == "other" and context:
                kind = await answer_types.answer_type(context, study.embedder)
            part = Part(
                number=len(result) + 1,
                question=half.question,
                query=f"{context} {half.question}".strip(),
                kind=kind,
                context=context,
                only=only,
                likely=likely,
                people=naming.people,
                called=naming.called if kind != "summary" else frozenset(),
                filters=filters,
                language=detect_language(half.question),
            )
            if len(only) < 2 and answer_types.papers_asked(question):
                part = replace(part, only=frozenset(), per_paper=PER_PAPER_WHEN_COMPARING)
            if len(part.only) > 1:
                for paper in naming.certain[:MOST_PARTS]:
                    result.append(replace(part, number=len(result) + 1, only=frozenset({paper})))
            else:
                result.append(part)
        return tuple(result[:MOST_PARTS])

    async def judge(self, part: Part, evidence: Sequence[Evidence], study: RunContext) -> Finding:
        """Pick the sentences and judge them; the counting runs in a thread."""
        found = tuple(evidence)
        candidates = await asyncio.to_thread(sentence_ranking.units, found, f"{part.context} {part.question}")
        asked, context = await self._weighed(part, candidates, study)
        first = await asyncio.to_thread(sentence_ranking.pick, part, candidates, asked, context, {}, self._weights)
        likeness = await self._likeness(part, candidates, first[:EMBEDDED], study)
        picked = await asyncio.to_thread(
            sentence_ranking.pick, part, candidates, asked, context, likeness, self._weights
        )
        unsaid = await presuppositions.unsaid(part, picked, asked, study)
        strictness = study.config.strictness
        judgement = await asyncio.to_thread(answerability.judged, part, picked, asked, found, strictness, unsaid)
        wanted = _chosen(part, picked, MOST_SENTENCES)
        drafts = tuple(drafted(one, part, (*asked, *context)) for one in wanted)
        return Finding(part=part, evidence=found, judgement=judgement, drafts=drafts)

    async def _weighed(
        self, part: Part, candidates: Sequence[sentence_ranking.Unit], study: RunContext
    ) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
        said = unspent(terms(part.question), part.people) or terms(part.question)
        asked = unspent(said, part.called) or said
        known = {term.tokens for term in asked}
        before = (*said, *unspent(terms(part.context), part.people))
        context = tuple({term.tokens: term for term in before if term.tokens not in known}.values())
        tokens = sorted({token for term in (*asked, *context) for token in term.tokens})
        counts = dict(await study.frequencies(tokens))
        total = study.passages
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
        study: RunContext,
    ) -> dict[int, float]:
        if not first:
            return {}
        vector = await study.embedder.query(part.query)
        vectors = await study.embedder.passages([one.unit.shown for one in first])
        place = {id(unit): index for index, unit in enumerate(candidates)}
        return {place[id(one.unit)]: float(row @ vector) for one, row in zip(first, vectors, strict=True)}

    async def refine(self, finding: Finding, study: RunContext) -> Part | None:
        """First look into the paper that leads the evidence; then with the words that its best passages share."""
        part = finding.part
        if not finding.evidence:
            return None
        leading = finding.evidence[0].paper.id
        if not part.only and len(study.papers) > 1:
            return replace(part, only=frozenset({leading}), tries=part.tries + 1)
        words = [draft.text for draft in finding.drafts[:1]]
        query = " ".join([part.query, *words])
        return (
            replace(part, query=query, tries=part.tries + 1)
            if words and query != part.query and words[0] not in part.query
            else None
        )

    async def write(self, findings: Sequence[Finding], study: RunContext) -> AsyncGenerator[DraftSentence, None]:
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

    async def _shelf(self, study: RunContext) -> NamedPapers:
        key = tuple((paper.id, paper.title) for paper in study.papers)
        shelf = self._shelves.pop(key, None)
        if shelf is None:
            shelf = await asyncio.to_thread(NamedPapers, study.papers)
        self._shelves[key] = shelf
        while len(self._shelves) > SHELVES:
            self._shelves.popitem(last=False)
        return shelf


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
