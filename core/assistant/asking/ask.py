"""The use case "somebody asked": thread and papers in, an answer with its footnotes out, and both remembered.

Somebody may stop it; what was verified until then is the answer. What a thread held longer ago comes in as a summary
and, where the question points back to it, as the exchange itself.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from core.agent import tasks, wording
from core.agent.extractive import ExtractiveReasoner
from core.agent.gathering import gather, reaching, taken_in_turns
from core.agent.reasoner import Figures, Ledger, NoFigures, Reasoner, Study
from core.agent.recalling import recalled
from core.agent.state import State
from core.agent.tracing import Tracing, Untraced
from core.assistant.asking.choosing import chosen
from core.assistant.asking.remembering import NoRecollections, Past, Recollections, condense, remembered
from core.assistant.asking.scoring import scored
from core.assistant.budget import Budget, NoBudget
from core.config import AgentConfig
from core.domain.endpoints import LanguageModel
from core.domain.errors import FootnoteError
from core.domain.model import Answer, Evidence, Paper, Reach, Scope, Thread, Turn
from core.domain.ports import Embedder, LexicalIndex, Library, Memory, Reranker, Retriever
from core.domain.progress import Progress, Silent, Stop
from core.llm import NoModel

if TYPE_CHECKING:
    from core.assistant.asking.catalogue import Inquiry

RECENT_TURNS = 6
"""Turns of the thread that a question is understood with."""


def _no_figures(scope: Scope) -> Figures:
    return NoFigures()


@dataclass(frozen=True, slots=True, kw_only=True)
class AskDesk:
    """Everything that answering needs in one workspace, handed in by the engine."""

    library: Library
    lexical: LexicalIndex
    memory: Memory
    retriever: Retriever
    embedder: Embedder
    reranker: Reranker
    threads: Recollections = field(default_factory=NoRecollections)
    budget: Budget = field(default_factory=NoBudget)
    model: LanguageModel = field(default_factory=NoModel)
    figures: Callable[[Scope], Figures] = _no_figures
    tracing: Tracing = field(default_factory=Untraced)
    config: AgentConfig = field(default_factory=AgentConfig)
    reasoner: Reasoner = field(default_factory=ExtractiveReasoner)

    @property
    def asks_models(self) -> bool:
        """Whether a question may cost something."""
        return self.reasoner.mode == "model" or bool(self.model.identity)


async def ask(
    question: str,
    *,
    thread: Thread,
    scope: Scope,
    desk: AskDesk,
    progress: Progress,
    at: datetime,
    trace_id: str,
    stop: Stop | None = None,
    reach: Reach = "usual",
    user: str = "",
) -> Answer:
    """Answer ``question`` from the papers in ``scope``, in the light of the thread's last turns.

    The question, the answer with its citations and its timings are stored before this returns; so is what was
    verified when ``stop`` was asked. Raises ``LibraryFailure`` or ``ModelUnavailable`` where the library or the
    embedder cannot be used at all.
    """
    began = time.perf_counter()
    past = await remembered(thread, memory=desk.memory, threads=desk.threads, recent=RECENT_TURNS)
    over = await desk.budget.used_up(user, at) if desk.asks_models else ""
    if over:
        desk = replace(desk, reasoner=ExtractiveReasoner(), model=NoModel(), figures=_no_figures)
    aside = Ledger()
    shortening = asyncio.create_task(
        condense(
            thread,
            memory=desk.memory,
            threads=desk.threads,
            recent=RECENT_TURNS,
            at=at,
            model=desk.model,
            meter=aside,
        )
    )
    try:
        answer = await _answered(question, past, scope, desk, progress, stop or Stop(), reach)
        answer = await scored(answer, desk.embedder)
    finally:
        await _let_go(shortening)
    usage = answer.usage + aside.usage
    await desk.budget.spent(user, usage, at)
    timings = {**answer.timings, "total": time.perf_counter() - began}
    notes = (*answer.notes, over) if over else answer.notes
    answer = replace(answer, trace_id=trace_id, timings=timings, notes=notes, usage=usage, cost=usage.cost)
    await _remember(answer, thread, desk.memory, at)
    return answer


async def _let_go(shortening: "asyncio.Task[None]") -> None:
    """A summary that is not done with the answer is left for the next question, and what goes wrong with it too."""
    shortening.cancel()
    with contextlib.suppress(asyncio.CancelledError, FootnoteError):
        await shortening


async def _answered(
    question: str, past: Past, scope: Scope, desk: AskDesk, progress: Progress, stop: Stop, reach: Reach
) -> Answer:
    papers = tuple(await desk.library.papers(scope))
    choice = chosen(question, past.recent, papers)
    if choice and choice.paper is None:
        return _declined(question, wording.no_such_number(), desk)
    if not choice and not past.recent and not any(sign.isalpha() for sign in question):
        return _declined(question, wording.empty_question(), desk)
    if not papers:
        refusal = (await tasks.sort(question, desk.embedder)).refusal
        if refusal:
            return _declined(question, wording.declined(refusal), desk)
        return _said(question, wording.empty_library(), desk)
    asked, picked = (choice.question, choice.paper) if choice else (question, None)
    if picked:
        papers, scope = (picked,), scope.within(frozenset({picked.id}))
    found = await _looked_up(asked, picked, past, papers, scope, desk)
    if found:
        for sentence in found.sentences:
            await progress.sentence(sentence, found.citations)
        return found
    study = reaching(replace(await _study(papers, scope, desk, progress), recollection=past.summary), reach)
    run = await asyncio.to_thread(_graph)
    asked = asked.strip()
    turns = recalled(asked, past.recent, past.older)
    state = await _unless_stopped(run(asked, turns, study), stop)
    answer = _stopped(asked, desk, study.ledger) if state is None else _answer(state, desk, study.ledger)
    # What is asked next leans on the paper that was picked, so it is remembered with the question.
    return replace(answer, question=wording.asked_of(asked, picked)) if picked else answer


async def _looked_up(
    question: str, picked: Paper | None, past: Past, papers: Sequence[Paper], scope: Scope, desk: AskDesk
) -> Answer | None:
    """What the list of papers answers by itself; of a paper picked from a list, what it found."""
    inquiry = await asyncio.to_thread(_inquiry, question, past.recent)
    if inquiry is None:
        return None
    from core.assistant.asking import catalogue

    passages = partial(desk.library.paper_passages, scope)
    if picked:
        return await catalogue.told(wording.finding_of(picked), picked, "", passages)
    return await catalogue.answered(question, inquiry, papers, passages, desk.reasoner.mode)


def _inquiry(question: str, turns: Sequence[Turn]) -> "Inquiry | None":
    """What is asked about the library. Its patterns take a moment to be made, so they wait for the first question."""
    from core.assistant.asking import catalogue

    return catalogue.read(question, turns)


async def _unless_stopped(running: Coroutine[object, object, State], stop: Stop) -> State | None:
    """What ``running`` returns, or None where ``stop`` was asked before; then nothing of it goes on."""
    work, end = asyncio.ensure_future(running), asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({work, end}, return_when=asyncio.FIRST_COMPLETED)
        return work.result() if work.done() else None
    finally:
        for one in (work, end):
            one.cancel()
        await asyncio.gather(work, end, return_exceptions=True)


def _stopped(question: str, desk: AskDesk, ledger: Ledger) -> Answer:
    """What was said until somebody stopped it."""
    said = tuple(ledger.said)
    return Answer(
        question=question,
        outcome="answered" if said else "unclear",
        mode=ledger.mode or desk.reasoner.mode,
        sentences=said,
        citations=ledger.citations,
        message="" if said else wording.stopped_early(),
        notes=(*ledger.notes, wording.stopped()) if said else tuple(ledger.notes),
        model=ledger.model,
        prompts=ledger.prompts,
        usage=ledger.usage,
    )


def _graph() -> Callable[[str, Sequence[Turn], Study], Coroutine[object, object, State]]:
    """The compiled graph's entrance. Its library takes over a second to load, so it waits for the first question."""
    from core.agent import graph

    graph.answering()
    return graph.run


async def retrieve(question: str, *, thread: Thread, scope: Scope, desk: AskDesk, k: int) -> Sequence[Evidence]:
    """The passages that ``ask`` would look at first, best first, at most ``k``; nothing is stored."""
    papers = tuple(await desk.library.papers(scope))
    if not papers or not question.strip():
        return ()
    turns = await desk.memory.recent(thread, limit=RECENT_TURNS)
    study = await _study(papers, scope, desk, Silent())
    understanding = await desk.reasoner.understand(question.strip(), turns, study)
    if not understanding.parts:
        return await desk.retriever.search(question, scope, k=k)
    found = [await gather(part, study, k=k) for part in understanding.parts]
    return taken_in_turns(found)[:k]


async def _study(papers: tuple[Paper, ...], scope: Scope, desk: AskDesk, progress: Progress) -> Study:
    async def frequencies(terms: Sequence[str]) -> Mapping[str, int]:
        return await desk.lexical.document_frequencies(scope, terms)

    async def saying(paper_id: str, terms: Sequence[str]) -> frozenset[str]:
        within = scope.within(frozenset({paper_id}))
        return frozenset([term for term in terms if await desk.lexical.matching(within, [term], limit=1)])

    return Study(
        scope=scope,
        papers=papers,
        retriever=desk.retriever,
        embedder=desk.embedder,
        reasoner=desk.reasoner,
        config=desk.config,
        progress=progress,
        passages=len(await desk.library.numbers(scope)),
        frequencies=frequencies,
        saying=saying,
        figures=desk.figures(scope),
        model=desk.model,
        tracing=desk.tracing,
    )


def _answer(state: State, desk: AskDesk, ledger: Ledger) -> Answer:
    findings = state.get("findings", ())
    return Answer(
        question=state["question"],
        outcome=state["outcome"],
        mode=ledger.mode or desk.reasoner.mode,
        sentences=state.get("sentences", ()),
        citations=state.get("citations", ()),
        message=state.get("message", ""),
        nearest=state.get("nearest", ()),
        candidates=state.get("candidates", ()),
        notes=(*state.get("notes", ()), *ledger.notes, *([desk.reranker.note] if desk.reranker.note else [])),
        rounds=max((finding.rounds for finding in findings), default=0),
        timings=dict(state.get("timings", {})),
        model=ledger.model,
        prompts=ledger.prompts,
        usage=ledger.usage,
    )


def _declined(question: str, message: str, desk: AskDesk) -> Answer:
    """What is said to Footnote itself, or is nothing that papers answer."""
    return Answer(question=question, outcome="declined", mode=desk.reasoner.mode, message=message)


def _said(question: str, message: str, desk: AskDesk) -> Answer:
    return Answer(question=question, outcome="not_found", mode=desk.reasoner.mode, message=message)


async def _remember(answer: Answer, thread: Thread, memory: Memory, at: datetime) -> None:
    text = " ".join(sentence.text for sentence in answer.sentences) or answer.message
    await memory.append(
        thread,
        Turn(role="user", text=answer.question, at=at),
        Turn(role="assistant", text=text, at=at, citations=answer.citations),
    )
    await memory.keep_answer(thread, answer, at=at)
