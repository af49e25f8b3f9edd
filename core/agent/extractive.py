"""The reasoner that needs no language model: it finds the sentences that answer and quotes them.

What it cannot do it leaves: it never rewrites, concludes or computes; a comparison is quotes side by side.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace

from core.agent import asking_back, followups, granted, judging, kinds, narrowing, parts, picking, rows, tasks, wording
from core.agent.naming import Naming, Shelf
from core.agent.reasoner import MOST_PARTS, MOST_SENTENCES, Study
from core.agent.state import Finding, Part, Understanding
from core.agent.terms import Term, terms, unspent, weighted
from core.domain.model import AnswerMode, Evidence, Turn
from core.grounding.verify import Draft
from core.text import language, normalise

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

    def __init__(self, weights: picking.Weights | None = None) -> None:
        self._weights = weights or picking.Weights()
        self._shelves: OrderedDict[tuple[tuple[str, str], ...], Shelf] = OrderedDict()

    async def understand(self, question: str, turns: Sequence[Turn], study: Study) -> Understanding:
        """Parts with their queries, or a question back, or a refusal."""
        request = await tasks.sort(question, study.embedder)
        if request.refusal:
            return Understanding(course="decline", message=wording.declined(request.refusal))
        notes = (wording.stopped_instructions(),) if request.cleaned else ()
        thread = followups.resolve(request.question, turns)
        shelf = await self._shelf(study)
        naming = await asyncio.to_thread(shelf.name, f"{thread.context} {request.question}".strip())
        own = await asyncio.to_thread(shelf.name, request.question) if thread.context else naming
        if own.certain:
            naming = own
        elif thread.chosen:
            naming = Naming(certain=(thread.chosen,))
        found = await self._parts(request.question, thread, naming, study)
        back = await asking_back.candidates(request.question, thread, naming, study)
        if back.papers:
            message = wording.which_paper(back.papers, back.hint)
            return Understanding(
                course="clarify", message=message, candidates=tuple(paper.id for paper in back.papers), notes=notes
            )
        return Understanding(course="investigate", parts=found, notes=notes)

    async def _parts(self, question: str, thread: followups.Thread, naming: Naming, study: Study) -> tuple[Part, ...]:
        likely = dict(naming.likely) | {paper: CITED_BEFORE for paper in thread.cited if thread.context}
        only = frozenset(naming.certain)
        filters = narrowing.asked_for(question, study.papers)
        result: list[Part] = []
        for half in parts.split(question, at_most=MOST_PARTS):
            context = f"{thread.context} {half.context}".strip()
            kind = await kinds.answer_type(half.question, study.embedder)
            if kind == "other" and context:
                kind = await kinds.answer_type(context, study.embedder)
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
                language=language(half.question),
            )
            if len(only) < 2 and kinds.papers_asked(question):
                part = replace(part, only=frozenset(), per_paper=PER_PAPER_WHEN_COMPARING)
            if len(part.only) > 1:
                for paper in naming.certain[:MOST_PARTS]:
                    result.append(replace(part, number=len(result) + 1, only=frozenset({paper})))
            else:
                result.append(part)
        return tuple(result[:MOST_PARTS])

    async def judge(self, part: Part, evidence: Sequence[Evidence], study: Study) -> Finding:
        """Pick the sentences and judge them; the counting runs in a thread."""
        found = tuple(evidence)
        candidates = await asyncio.to_thread(picking.units, found, f"{part.context} {part.question}")
        asked, context = await self._weighed(part, candidates, study)
        first = await asyncio.to_thread(picking.pick, part, candidates, asked, context, {}, self._weights)
        likeness = await self._likeness(part, candidates, first[:EMBEDDED], study)
        picked = await asyncio.to_thread(picking.pick, part, candidates, asked, context, likeness, self._weights)
        unsaid = await granted.unsaid(part, picked, asked, study)
        strictness = study.config.strictness
        judgement = await asyncio.to_thread(judging.judged, part, picked, asked, found, strictness, unsaid)
        wanted = _chosen(part, picked, MOST_SENTENCES)
        drafts = tuple(drafted(one, part, (*asked, *context)) for one in wanted)
        return Finding(part=part, evidence=found, judgement=judgement, drafts=drafts)

    async def _weighed(
        self, part: Part, candidates: Sequence[picking.Unit], study: Study
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
        self, part: Part, candidates: Sequence[picking.Unit], first: Sequence[picking.Picked], study: Study
    ) -> dict[int, float]:
        if not first:
            return {}
        vector = await study.embedder.query(part.query)
        vectors = await study.embedder.passages([one.unit.shown for one in first])
        place = {id(unit): index for index, unit in enumerate(candidates)}
        return {place[id(one.unit)]: float(row @ vector) for one, row in zip(first, vectors, strict=True)}

    async def refine(self, finding: Finding, study: Study) -> Part | None:
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

    async def write(self, findings: Sequence[Finding], study: Study) -> AsyncGenerator[Draft, None]:
        """Sentences of the parts that were clearly answered, each sentence once."""
        said: set[str] = set()
        clear = _spoken_for(findings)
        several = any(kinds.asks_several(finding.part.question) for finding in clear)
        share = max(1, int(MOST_SENTENCES * (MORE if several else 1.0)) // max(1, len(clear)))
        for finding in clear:
            for draft in _together(finding.drafts[:share], finding):
                if draft.text not in said:
                    said.add(draft.text)
                    yield draft

    async def _shelf(self, study: Study) -> Shelf:
        key = tuple((paper.id, paper.title) for paper in study.papers)
        shelf = self._shelves.pop(key, None)
        if shelf is None:
            shelf = await asyncio.to_thread(Shelf, study.papers)
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


def _together(drafts: Sequence[Draft], finding: Finding) -> list[Draft]:
    """The same drafts, those of one page side by side; no page says more than another, but each says something."""
    pages = {one.passage.id: (one.paper.id, one.passage.page) for one in finding.evidence}
    groups: dict[tuple[str, int], list[Draft]] = {}
    for draft in drafts:
        groups.setdefault(pages[draft.sources[0][0]], []).append(draft)
    room = min((sum(len(draft.sources) for draft in group) for group in groups.values()), default=0)
    kept: list[Draft] = []
    for group in groups.values():
        left = room - len(group[0].sources)
        kept.append(group[0])
        for draft in group[1:]:
            if len(draft.sources) <= left:
                kept.append(draft)
                left -= len(draft.sources)
    return kept


def _chosen(part: Part, picked: Sequence[picking.Picked], each: int) -> tuple[picking.Picked, ...]:
    if part.per_paper is None:
        pages = PAGES if kinds.asks_several(part.question) or picking.margin(picked) <= ALONE else 1
        return picking.chosen(picked, pages=pages, each=each if pages > 1 else min(each, SHORT))
    papers = kinds.papers_asked(f"{part.context} {part.question}") or kinds.SIDE_BY_SIDE
    return picking.side_by_side(picked, papers=papers, each=each)


def drafted(one: picking.Picked, part: Part, asked: Sequence[Term]) -> Draft:
    """What is picked as a sentence to be verified; of a table the lines asked for, with dashes as quotes have them."""
    passage = one.unit.passage
    if one.unit.row:
        lines = rows.quoted(passage, part.question, asked)
        shown = [normalise(line) for block in lines for line in block.splitlines()]
        return Draft(text="\n".join(shown), sources=tuple((passage.id, line) for line in lines))
    return Draft(text=" ".join(one.unit.words.split()), sources=((passage.id, one.unit.words),))
