"""The use case "somebody asked": thread and papers in, an answer with its footnotes out, and both remembered."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from core.agent import wording
from core.agent.extractive import ExtractiveReasoner
from core.agent.gathering import gather, taken_in_turns
from core.agent.reasoner import Ledger, Reasoner, Study
from core.agent.state import State
from core.config import AgentConfig
from core.domain.errors import ModelUnavailable
from core.domain.model import Answer, Evidence, Paper, Scope, Thread, Turn
from core.domain.ports import Embedder, LexicalIndex, Library, Memory, Reranker, Retriever
from core.domain.progress import Progress, Silent


@dataclass(frozen=True, slots=True, kw_only=True)
class AskDesk:
    """Everything that answering needs in one workspace, handed in by the engine."""

    library: Library
    lexical: LexicalIndex
    memory: Memory
    retriever: Retriever
    embedder: Embedder
    reranker: Reranker
    config: AgentConfig = field(default_factory=AgentConfig)
    reasoner: Reasoner = field(default_factory=ExtractiveReasoner)


async def ask(
    question: str,
    *,
    thread: Thread,
    scope: Scope,
    desk: AskDesk,
    progress: Progress,
    at: datetime,
    trace_id: str,
) -> Answer:
    """Answer ``question`` from the papers in ``scope``, in the light of the thread's last turns.

    The question, the answer with its citations and its timings are stored before this returns. Raises
    ``LibraryFailure`` or ``ModelUnavailable`` where the library or the embedder cannot be used at all.
    """
    began = time.perf_counter()
    turns = await desk.memory.recent(thread, limit=desk.config.recent_turns)
    answer = await _answered(question, turns, scope, desk, progress)
    answer = await _scored(answer, desk.embedder)
    timings = {**answer.timings, "total": time.perf_counter() - began}
    answer = replace(answer, trace_id=trace_id, timings=timings)
    await _remember(answer, thread, desk.memory, at)
    return answer


async def _answered(question: str, turns: Sequence[Turn], scope: Scope, desk: AskDesk, progress: Progress) -> Answer:
    if not question.strip():
        return _said(question, wording.empty_question(), desk)
    papers = tuple(await desk.library.papers(scope))
    if not papers:
        return _said(question, wording.empty_library(), desk)
    study = await _study(papers, scope, desk, progress)
    run = await asyncio.to_thread(_graph)
    return _answer(await run(question.strip(), turns, study), desk, study.ledger)


def _graph() -> Callable[[str, Sequence[Turn], Study], Awaitable[State]]:
    """The compiled graph's entrance. Its library takes over a second to load, so it waits for the first question."""
    from core.agent import graph

    graph.answering()
    return graph.run


async def retrieve(question: str, *, thread: Thread, scope: Scope, desk: AskDesk, k: int) -> Sequence[Evidence]:
    """The passages that ``ask`` would look at first, best first, at most ``k``; nothing is stored."""
    papers = tuple(await desk.library.papers(scope))
    if not papers or not question.strip():
        return ()
    turns = await desk.memory.recent(thread, limit=desk.config.recent_turns)
    study = await _study(papers, scope, desk, Silent())
    understanding = await desk.reasoner.understand(question.strip(), turns, study)
    if not understanding.parts:
        return await desk.retriever.search(question, scope, k=k)
    found = [await gather(part, study, k=k) for part in understanding.parts]
    return taken_in_turns(found)[:k]


async def _study(papers: tuple[Paper, ...], scope: Scope, desk: AskDesk, progress: Progress) -> Study:
    async def frequencies(terms: Sequence[str]) -> Mapping[str, int]:
        return await desk.lexical.document_frequencies(scope, terms)

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


def _said(question: str, message: str, desk: AskDesk) -> Answer:
    return Answer(question=question, outcome="not_found", mode=desk.reasoner.mode, message=message)


async def _scored(answer: Answer, embedder: Embedder) -> Answer:
    """Faithfulness: how close each sentence is to the best of its quotes. Relevancy: question to answer.

    Cosines of the embedder, cut at 0, so that no model judges itself. An embedder that is down costs the
    scores, not the answer.
    """
    if not answer.sentences:
        return answer
    quotes = {one.marker: " ".join(span.quote for span in one.spans) for one in answer.citations}
    texts = [sentence.text for sentence in answer.sentences]
    try:
        asked = await embedder.query(answer.question)
        rows = await embedder.passages([" ".join(texts), *texts, *quotes.values()])
    except ModelUnavailable:
        return answer
    place = {marker: 1 + len(texts) + index for index, marker in enumerate(quotes)}
    near = [
        max(
            (float(rows[1 + index] @ rows[place[marker]]) for marker in sentence.markers if marker in place),
            default=0.0,
        )
        for index, sentence in enumerate(answer.sentences)
    ]
    return replace(
        answer,
        faithfulness=min(1.0, max(0.0, sum(near) / len(near))),
        relevancy=min(1.0, max(0.0, float(rows[0] @ asked))),
    )


async def _remember(answer: Answer, thread: Thread, memory: Memory, at: datetime) -> None:
    text = " ".join(sentence.text for sentence in answer.sentences) or answer.message
    await memory.append(
        thread,
        Turn(role="user", text=answer.question, at=at),
        Turn(role="assistant", text=text, at=at, citations=answer.citations),
    )
    await memory.keep_answer(thread, answer, at=at)
