"""The use case "somebody asked": a message is read once, then answered with footnotes, and both are remembered.

Somebody may stop it; what was verified until then is the answer. What a thread held longer ago comes in as a summary
and, where the question points back to it, as the exchange itself.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial

from core.agent import messages
from core.agent.generative import search_words
from core.agent.reasoner import AgentDependencies, RunContext, no_figures
from core.agent.retrieval import gather_evidence, interleave, widen_for_reach
from core.agent.state import State
from core.assistant.asking.answer_scores import add_scores
from core.assistant.asking.library_answers import answer_by_finding, answer_library_question
from core.assistant.asking.thread_context import NoRecollections, Recollections, condense, load_conversation
from core.assistant.budget import Budget, NoBudget
from core.domain.errors import FootnoteError
from core.domain.model import Answer, AnswerMode, Citation, Evidence, Outcome, Paper, Reach, Scope, Thread, Turn
from core.domain.ports import Memory
from core.domain.progress import Stop
from core.domain.request_context import RequestContext
from core.llm import NullLanguageModel
from core.text.normalisation import replace_surrogates
from core.understanding.library_questions import LibraryQuestion
from core.understanding.papers import PaperResolver, PaperResolvers
from core.understanding.recall import Conversation
from core.understanding.route import (
    Answerable,
    ListChoice,
    Question,
    Refusal,
    SmallTalk,
    read_question,
    route_answerable,
)

LONGEST_QUESTION = 4_000
"""Characters of a message that are read as the question; nobody asks for so long, and patterns take their time."""
RECENT_TURNS = 6
"""Turns of the thread that a question is understood with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskDependencies(AgentDependencies):
    """What answering needs in one workspace beside the graph: the thread's memory, budgets and the names of papers."""

    memory: Memory
    threads: Recollections = field(default_factory=NoRecollections)
    budget: Budget = field(default_factory=NoBudget)
    resolvers: PaperResolvers = field(default_factory=PaperResolvers)

    @property
    def mode(self) -> AnswerMode:
        """Whether a language model may be asked."""
        return "model" if self.model.identity else "extractive"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedMessage:
    """A message with its conversation and the papers in scope, each loaded once; ``began`` is a ``perf_counter``."""

    text: str
    request: RequestContext
    conversation: Conversation
    resolver: PaperResolver
    began: float

    @property
    def papers(self) -> tuple[Paper, ...]:
        """The papers in scope, oldest first."""
        return self.resolver.papers


async def receive(message: str, request: RequestContext, dependencies: AskDependencies) -> ReceivedMessage:
    """Load what ``message`` is read against. Raises ``LibraryFailure``."""
    began = time.perf_counter()
    conversation = await load_conversation(
        request.thread, memory=dependencies.memory, threads=dependencies.threads, recent=RECENT_TURNS
    )
    papers = await dependencies.library.papers(request.scope)
    resolver = dependencies.resolvers.of(papers)
    message = replace_surrogates(message[:LONGEST_QUESTION])
    return ReceivedMessage(text=message, request=request, conversation=conversation, resolver=resolver, began=began)


async def ask(
    message: str, request: RequestContext, dependencies: AskDependencies, *, reach: Reach = "usual"
) -> Answer:
    """Answer ``message`` where no studies are made: what asks for one is answered as a question.

    Raises as ``answer`` does.
    """
    received = await receive(message, request, dependencies)
    meaning = await route_answerable(
        received.text, received.conversation, received.resolver, embedder=dependencies.embedder
    )
    return await answer(received, meaning, dependencies, reach=reach)


async def answer(
    received: ReceivedMessage, meaning: Answerable, dependencies: AskDependencies, *, reach: Reach = "usual"
) -> Answer:
    """Answer a message from the papers in the request's scope, in the light of the thread's last turns.

    The question, the answer with its citations and its timings are stored before this returns; so is what was
    verified when the request was stopped. Raises ``LibraryFailure`` or ``ModelUnavailable`` where the library or the
    embedder cannot be used at all.
    """
    request, budget = received.request, dependencies.budget
    used_up = await budget.used_up(request.user, request.at) if dependencies.mode == "model" else ""
    if used_up:
        dependencies = replace(dependencies, model=NullLanguageModel(), figures=no_figures)
    summarising = asyncio.create_task(
        condense(
            request.thread,
            memory=dependencies.memory,
            threads=dependencies.threads,
            recent=RECENT_TURNS,
            at=request.at,
        )
    )
    try:
        unscored = await _answer_meaning(received, meaning, dependencies, reach)
        result = await add_scores(unscored, dependencies.embedder)
    finally:
        await _cancel(summarising)
    await budget.spent(request.user, result.usage, request.at)
    result = replace(
        result,
        trace_id=request.trace_id,
        timings={**result.timings, "total": time.perf_counter() - received.began},
        notes=(*result.notes, used_up) if used_up else result.notes,
        cost=result.usage.cost,
        restricted_to=request.scope.papers or frozenset(),
    )
    await _remember(result, request.thread, dependencies.memory, request.at)
    return result


async def retrieve(
    message: str, *, thread: Thread, scope: Scope, dependencies: AskDependencies, k: int
) -> Sequence[Evidence]:
    """The passages that ``ask`` would look at first, best first, at most ``k``; nothing is stored."""
    received = await receive(message.strip(), RequestContext(scope=scope, thread=thread), dependencies)
    if not received.papers or not received.text:
        return ()
    question = await read_question(
        received.text, received.conversation, received.resolver, embedder=dependencies.embedder
    )
    if isinstance(question, Question):
        run = await _run_context(received, dependencies)
        plain = await dependencies.reasoner.understand(question, run)
        understanding = await search_words.understand(question, plain, run)
        if understanding.parts:
            return interleave([await gather_evidence(part, run, k=k) for part in understanding.parts])[:k]
    return await dependencies.retriever.search(message, scope, k=k)


async def _cancel(summarising: "asyncio.Task[None]") -> None:
    """A summary that is not done with the answer is left for the next question, and what goes wrong with it too."""
    summarising.cancel()
    with contextlib.suppress(asyncio.CancelledError, FootnoteError):
        await summarising


async def _answer_meaning(
    received: ReceivedMessage, meaning: Answerable, dependencies: AskDependencies, reach: Reach
) -> Answer:
    if isinstance(meaning, ListChoice):
        return await _answer_choice(received, meaning, dependencies, reach)
    mode, passages = dependencies.mode, partial(dependencies.library.paper_passages, received.request.scope)
    match meaning:
        case SmallTalk():
            return _without_search(meaning.message, "declined", messages.declined(meaning.kind), mode)
        case Refusal():
            return _without_search(meaning.message, "declined", messages.declined(meaning.reason), mode)
        case LibraryQuestion():
            answered = await answer_library_question(received.text.strip(), meaning, passages, mode)
            return await _announced(answered, received.request)
        case Question() if not received.papers:
            return _without_search(meaning.message, "not_found", messages.empty_library(), mode)
        case Question():
            return await _answer_question(received, meaning, dependencies, reach)


async def _answer_choice(
    received: ReceivedMessage, choice: ListChoice, dependencies: AskDependencies, reach: Reach
) -> Answer:
    """The question that a list was shown for, asked of the paper picked from it; of a list of papers, what it found."""
    paper, meaning = choice.paper, choice.meaning
    if paper is None or meaning is None:
        mode = dependencies.mode
        return _without_search(choice.message, "declined", messages.no_such_number(), mode)
    request = replace(received.request, scope=received.request.scope.within(frozenset({paper.id})))
    if isinstance(meaning, LibraryQuestion):
        passages = partial(dependencies.library.paper_passages, request.scope)
        found = await answer_by_finding(messages.finding_of(paper), paper, "", passages)
        return await _announced(found, request)
    alone = replace(received, request=request, resolver=dependencies.resolvers.of((paper,)))
    result = await _answer_meaning(alone, meaning, dependencies, reach)
    # What is asked next leans on the paper that was picked, so it is remembered with the question.
    return replace(result, question=messages.asked_of(choice.question.strip(), paper))


async def _announced(result: Answer, request: RequestContext) -> Answer:
    """The answer, each sentence sent ahead of it."""
    for sentence in result.sentences:
        await request.progress.sentence(sentence, result.citations)
    return result


async def _answer_question(
    received: ReceivedMessage,
    question: Question,
    dependencies: AskDependencies,
    reach: Reach,
) -> Answer:
    """What the graph answers, or what was verified until somebody stopped it."""
    run = widen_for_reach(await _run_context(received, dependencies), reach)
    answer_in_graph = await asyncio.to_thread(_graph)
    state = await _unless_stopped(answer_in_graph(question, run), received.request.stop)
    if state is None:
        return _stopped_answer(question.message, run)
    return _answer_of(state, run)


def _graph() -> Callable[[Question, RunContext], Coroutine[object, object, State]]:
    """The compiled graph's entrance. Its library takes over a second to load, so it waits for the first question."""
    from core.agent import graph

    graph.answering()
    return graph.answer_question


async def _unless_stopped(running: Coroutine[object, object, State], stop: Stop) -> State | None:
    """What ``running`` returns, or None where ``stop`` was asked before; then nothing of it goes on."""
    work, end = asyncio.ensure_future(running), asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({work, end}, return_when=asyncio.FIRST_COMPLETED)
        return work.result() if work.done() else None
    finally:
        for task in (work, end):
            task.cancel()
        await asyncio.gather(work, end, return_exceptions=True)


async def _run_context(received: ReceivedMessage, dependencies: AskDependencies) -> RunContext:
    scope = received.request.scope
    return RunContext(
        request=received.request,
        dependencies=dependencies,
        papers=received.papers,
        passages=len(await dependencies.library.numbers(scope)),
        recollection=received.conversation.summary,
        figures=dependencies.figures(scope),
    )


def _answer_of(state: State, run: RunContext) -> Answer:
    ledger, reranker_note = run.ledger, run.dependencies.reranker.note
    notes = (*state.get("notes", ()), *ledger.notes)
    return Answer(
        question=state["question"].message,
        outcome=state["outcome"],
        mode=ledger.mode,
        sentences=state.get("sentences", ()),
        more=state.get("more", ()),
        citations=state.get("citations", ()),
        message=state.get("message", ""),
        nearest=state.get("nearest", ()),
        candidates=state.get("candidates", ()),
        notes=(*notes, reranker_note) if reranker_note else notes,
        rounds=max(
            (finding.rounds for finding in state.get("findings", ())), default=min(1, len(state.get("searched", ())))
        ),
        timings=dict(state.get("timings", {})),
        model=ledger.model,
        prompts=ledger.prompts,
        usage=ledger.usage,
    )


def _stopped_answer(question: str, run: RunContext) -> Answer:
    """What was verified until somebody stopped it."""
    ledger, sentences = run.ledger, tuple(run.ledger.said)
    return Answer(
        question=question,
        outcome="answered" if sentences else "unclear",
        mode=ledger.mode,
        sentences=sentences,
        citations=ledger.citations,
        message="" if sentences else messages.stopped_early(),
        notes=(*ledger.notes, messages.stopped()) if sentences else tuple(ledger.notes),
        model=ledger.model,
        prompts=ledger.prompts,
        usage=ledger.usage,
    )


def _without_search(question: str, outcome: Outcome, message: str, mode: AnswerMode) -> Answer:
    """What is said where nothing is searched."""
    return Answer(question=question, outcome=outcome, mode=mode, message=message)


def _shown_citations(answer: Answer) -> tuple[Citation, ...]:
    """The citations of what is shown unfolded: what is asked next leans on these."""
    markers = {marker for sentence in answer.sentences for marker in sentence.markers}
    return tuple(citation for citation in answer.citations if citation.marker in markers)


async def _remember(answer: Answer, thread: Thread, memory: Memory, at: datetime) -> None:
    text = " ".join(sentence.text for sentence in answer.sentences) or answer.message
    await memory.append(
        thread,
        Turn(role="user", text=answer.question, at=at),
        Turn(role="assistant", text=text, at=at, citations=_shown_citations(answer)),
    )
    await memory.keep_answer(thread, answer, at=at)
