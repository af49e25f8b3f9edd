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

from core.agent import messages
from core.agent.extractive.reasoner import ExtractiveReasoner
from core.agent.langsmith import Tracing, Untraced
from core.agent.reasoner import Figures, Ledger, NoFigures, Reasoner, RunContext
from core.agent.retrieval import gather, reaching, taken_in_turns
from core.agent.state import State
from core.assistant.asking.answer_scores import scored
from core.assistant.asking.thread_context import NoRecollections, Past, Recollections, condense, remembered
from core.assistant.budget import Budget, NoBudget
from core.config import AgentConfig
from core.domain.errors import FootnoteError
from core.domain.language_models import LanguageModel
from core.domain.model import Answer, Evidence, Paper, Reach, Scope, Thread, Turn
from core.domain.ports import Embedder, LexicalIndex, Library, Memory, Reranker, Retriever
from core.domain.progress import NO_PROGRESS, Progress, Stop
from core.domain.request_context import RequestContext
from core.llm import NullLanguageModel
from core.understanding import refusals
from core.understanding.list_choice import chosen
from core.understanding.recall import recalled

if TYPE_CHECKING:
    from core.assistant.asking.library_questions import Inquiry

RECENT_TURNS = 6
"""Turns of the thread that a question is understood with."""


def _no_figures(scope: Scope) -> Figures:
    return NoFigures()


@dataclass(frozen=True, slots=True, kw_only=True)
class AskDependencies:
    """Everything that answering needs in one workspace, handed in by the engine."""

    library: Library
    lexical: LexicalIndex
    memory: Memory
    retriever: Retriever
    embedder: Embedder
    reranker: Reranker
    threads: Recollections = field(default_factory=NoRecollections)
    budget: Budget = field(default_factory=NoBudget)
    model: LanguageModel = field(default_factory=NullLanguageModel)
    figures: Callable[[Scope], Figures] = _no_figures
    tracing: Tracing = field(default_factory=Untraced)
    config: AgentConfig = field(default_factory=AgentConfig)
    reasoner: Reasoner = field(default_factory=ExtractiveReasoner)

    @property
    def asks_models(self) -> bool:
        """Whether a question may cost something."""
        return self.reasoner.mode == "model" or bool(self.model.identity)


async def ask(
    question: str, request: RequestContext, dependencies: AskDependencies, *, reach: Reach = "usual"
) -> Answer:
    """Answer ``question`` from the papers in the request's scope, in the light of the thread's last turns.

    The question, the answer with its citations and its timings are stored before this returns; so is what was
    verified when the request was stopped. Raises ``LibraryFailure`` or ``ModelUnavailable`` where the library or the
    embedder cannot be used at all.
    """
    began = time.perf_counter()
    past = await remembered(
        request.thread,
        memory=dependencies.memory,
        threads=dependencies.threads,
        recent=RECENT_TURNS,
    )
    over = await dependencies.budget.used_up(request.user, request.at) if dependencies.asks_models else ""
    if over:
        dependencies = replace(
            dependencies, reasoner=ExtractiveReasoner(), model=NullLanguageModel(), figures=_no_figures
        )
    aside = Ledger()
    shortening = asyncio.create_task(
        condense(
            request.thread,
            memory=dependencies.memory,
            threads=dependencies.threads,
            recent=RECENT_TURNS,
            at=request.at,
            model=dependencies.model,
            meter=aside,
        )
    )
    try:
        answer = await _answered(question, past, request, dependencies, reach)
        answer = await scored(answer, dependencies.embedder)
    finally:
        await _let_go(shortening)
    usage = answer.usage + aside.usage
    await dependencies.budget.spent(request.user, usage, request.at)
    timings = {**answer.timings, "total": time.perf_counter() - began}
    notes = (*answer.notes, over) if over else answer.notes
    answer = replace(answer, trace_id=request.trace_id, timings=timings, notes=notes, usage=usage, cost=usage.cost)
    await _remember(answer, request.thread, dependencies.memory, request.at)
    return answer


async def _let_go(shortening: "asyncio.Task[None]") -> None:
    """A summary that is not done with the answer is left for the next question, and what goes wrong with it too."""
    shortening.cancel()
    with contextlib.suppress(asyncio.CancelledError, FootnoteError):
        await shortening


async def _answered(
    question: str, past: Past, request: RequestContext, dependencies: AskDependencies, reach: Reach
) -> Answer:
    scope, progress = request.scope, request.progress
    papers = tuple(await dependencies.library.papers(scope))
    choice = chosen(question, past.recent, papers)
    if choice and choice.paper is None:
        return _declined(question, messages.no_such_number(), dependencies)
    if not choice and not past.recent and not any(sign.isalpha() for sign in question):
        return _declined(question, messages.empty_question(), dependencies)
    if not papers:
        refusal = (await refusals.sort(question, dependencies.embedder)).refusal
        if refusal:
            return _declined(question, messages.declined(refusal), dependencies)
        return _said(question, messages.empty_library(), dependencies)
    asked, picked = (choice.question, choice.paper) if choice else (question, None)
    if picked:
        papers, scope = (picked,), scope.within(frozenset({picked.id}))
    found = await _looked_up(asked, picked, past, papers, scope, dependencies)
    if found:
        for sentence in found.sentences:
            await progress.sentence(sentence, found.citations)
        return found
    study = reaching(replace(await _study(papers, scope, dependencies, progress), recollection=past.summary), reach)
    run = await asyncio.to_thread(_graph)
    asked = asked.strip()
    turns = recalled(asked, past.recent, past.older)
    state = await _unless_stopped(run(asked, turns, study), request.stop)
    answer = (
        _stopped(asked, dependencies, study.ledger) if state is None else _answer(state, dependencies, study.ledger)
    )
    # What is asked next leans on the paper that was picked, so it is remembered with the question.
    return replace(answer, question=messages.asked_of(asked, picked)) if picked else answer


async def _looked_up(
    question: str,
    picked: Paper | None,
    past: Past,
    papers: Sequence[Paper],
    scope: Scope,
    dependencies: AskDependencies,
) -> Answer | None:
    """What the list of papers answers by itself; of a paper picked from a list, what it found."""
    inquiry = await asyncio.to_thread(_inquiry, question, past.recent)
    if inquiry is None:
        return None
    from core.assistant.asking import library_questions

    passages = partial(dependencies.library.paper_passages, scope)
    if picked:
        return await library_questions.told(messages.finding_of(picked), picked, "", passages)
    return await library_questions.answered(question, inquiry, papers, passages, dependencies.reasoner.mode)


def _inquiry(question: str, turns: Sequence[Turn]) -> "Inquiry | None":
    """What is asked about the library. Its patterns take a moment to be made, so they wait for the first question."""
    from core.assistant.asking import library_questions

    return library_questions.read(question, turns)


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


def _stopped(question: str, dependencies: AskDependencies, ledger: Ledger) -> Answer:
    """What was said until somebody stopped it."""
    said = tuple(ledger.said)
    return Answer(
        question=question,
        outcome="answered" if said else "unclear",
        mode=ledger.mode or dependencies.reasoner.mode,
        sentences=said,
        citations=ledger.citations,
        message="" if said else messages.stopped_early(),
        notes=(*ledger.notes, messages.stopped()) if said else tuple(ledger.notes),
        model=ledger.model,
        prompts=ledger.prompts,
        usage=ledger.usage,
    )


def _graph() -> Callable[[str, Sequence[Turn], RunContext], Coroutine[object, object, State]]:
    """The compiled graph's entrance. Its library takes over a second to load, so it waits for the first question."""
    from core.agent import graph

    graph.answering()
    return graph.run


async def retrieve(
    question: str, *, thread: Thread, scope: Scope, dependencies: AskDependencies, k: int
) -> Sequence[Evidence]:
    """The passages that ``ask`` would look at first, best first, at most ``k``; nothing is stored."""
    papers = tuple(await dependencies.library.papers(scope))
    if not papers or not question.strip():
        return ()
    turns = await dependencies.memory.recent(thread, limit=RECENT_TURNS)
    study = await _study(papers, scope, dependencies, NO_PROGRESS)
    understanding = await dependencies.reasoner.understand(question.strip(), turns, study)
    if not understanding.parts:
        return await dependencies.retriever.search(question, scope, k=k)
    found = [await gather(part, study, k=k) for part in understanding.parts]
    return taken_in_turns(found)[:k]


async def _study(
    papers: tuple[Paper, ...], scope: Scope, dependencies: AskDependencies, progress: Progress
) -> RunContext:
    async def frequencies(terms: Sequence[str]) -> Mapping[str, int]:
        return await dependencies.lexical.document_frequencies(scope, terms)

    async def saying(paper_id: str, terms: Sequence[str]) -> frozenset[str]:
        within = scope.within(frozenset({paper_id}))
        return frozenset([term for term in terms if await dependencies.lexical.matching(within, [term], limit=1)])

    return RunContext(
        scope=scope,
        papers=papers,
        retriever=dependencies.retriever,
        embedder=dependencies.embedder,
        reasoner=dependencies.reasoner,
        config=dependencies.config,
        progress=progress,
        passages=len(await dependencies.library.numbers(scope)),
        frequencies=frequencies,
        saying=saying,
        figures=dependencies.figures(scope),
        model=dependencies.model,
        tracing=dependencies.tracing,
    )


def _answer(state: State, dependencies: AskDependencies, ledger: Ledger) -> Answer:
    findings = state.get("findings", ())
    return Answer(
        question=state["question"],
        outcome=state["outcome"],
        mode=ledger.mode or dependencies.reasoner.mode,
        sentences=state.get("sentences", ()),
        citations=state.get("citations", ()),
        message=state.get("message", ""),
        nearest=state.get("nearest", ()),
        candidates=state.get("candidates", ()),
        notes=(
            *state.get("notes", ()),
            *ledger.notes,
            *([dependencies.reranker.note] if dependencies.reranker.note else []),
        ),
        rounds=max((finding.rounds for finding in findings), default=0),
        timings=dict(state.get("timings", {})),
        model=ledger.model,
        prompts=ledger.prompts,
        usage=ledger.usage,
    )


def _declined(question: str, message: str, dependencies: AskDependencies) -> Answer:
    """What is said to Footnote itself, or is nothing that papers answer."""
    return Answer(question=question, outcome="declined", mode=dependencies.reasoner.mode, message=message)


def _said(question: str, message: str, dependencies: AskDependencies) -> Answer:
    return Answer(question=question, outcome="not_found", mode=dependencies.reasoner.mode, message=message)


async def _remember(answer: Answer, thread: Thread, memory: Memory, at: datetime) -> None:
    text = " ".join(sentence.text for sentence in answer.sentences) or answer.message
    await memory.append(
        thread,
        Turn(role="user", text=answer.question, at=at),
        Turn(role="assistant", text=text, at=at, citations=answer.citations),
    )
    await memory.keep_answer(thread, answer, at=at)
