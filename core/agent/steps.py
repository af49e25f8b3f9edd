"""The nodes of the graph. Each takes the state and the run's ``RunContext`` and returns a partial update."""

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from core.agent import figures, messages, telemetry
from core.agent.generative.hyde import widened
from core.agent.reasoner import Ledger, RunContext
from core.agent.retrieval import gather_evidence, interleave
from core.agent.state import Branch, Finding, State
from core.domain.model import Citation, Evidence, Outcome, Paper, Sentence
from core.domain.progress import Progress
from core.grounding.verify import DraftSentence, RejectedSentence, Verifier
from core.understanding.route import Part

NEAREST = 3
MOST_REFINEMENTS = 2
"""Further searches for a part whose evidence does not answer it."""

Update = dict[str, Any]  # a partial State; TypedDicts of changing keys cannot say it better


async def understand(state: State, runtime: Runtime[RunContext]) -> Update:
    """Settle the parts to investigate, or whom to ask back about."""
    run, began = runtime.context, time.perf_counter()
    await run.request.progress.step("understanding", 0, 0)
    with telemetry.step("understand") as counts:
        understanding = await run.dependencies.reasoner.understand(state["question"], run)
        counts.add(turns=len(state["question"].turns), papers=len(run.papers), parts=len(understanding.parts))
    return {
        "understanding": understanding,
        "notes": understanding.notes,
        "timings": {"understand": time.perf_counter() - began},
    }


async def clarify(state: State, runtime: Runtime[RunContext]) -> Update:
    """Ask back with the candidates."""
    understanding = state["understanding"]
    return {"outcome": "clarify", "message": understanding.message, "candidates": understanding.candidates}


async def investigate(state: Branch, runtime: Runtime[RunContext]) -> Update:
    """Search, judge, and search again at most ``MOST_REFINEMENTS`` times more; keep the best finding."""
    run, began = runtime.context, time.perf_counter()
    await run.request.progress.step("searching", 0, 0)
    part: Part | None = state["part"]
    best: Finding | None = None
    rounds = 0
    while part is not None:
        rounds += 1
        with telemetry.step("search") as counts:
            evidence = await widened(part, await gather_evidence(part, run), run)
            counts.add(part=part.number, round=rounds, passages=len(evidence))
        with telemetry.step("judge") as counts:
            finding = await run.dependencies.reasoner.judge(part, evidence, run)
            counts.add(part=part.number, round=rounds, score=finding.judgement.score)
        if best is None or finding.judgement.score > best.judgement.score:
            best = finding
        if finding.judgement.support == "clear" or rounds > MOST_REFINEMENTS:
            break
        part = await run.dependencies.reasoner.refine(finding, run)
    assert best is not None
    found = replace(best, rounds=rounds)
    return {"findings": (found,), "timings": {f"investigate {best.part.number}": time.perf_counter() - began}}


async def look(state: State, runtime: Runtime[RunContext]) -> Update:
    """Look at figures where the question asks for one, or where the words found were not enough."""
    run, began = runtime.context, time.perf_counter()
    findings = sorted(state["findings"], key=lambda finding: finding.part.number)
    with telemetry.step("look") as counts:
        looked = await figures.look(findings, run)
        counts.add(figures=len(looked.pictures))
    return {
        "findings": looked.findings,
        "pictures": looked.pictures,
        "timings": {"look": time.perf_counter() - began},
    }


async def write(state: State, runtime: Runtime[RunContext]) -> Update:
    """Say the answer from all findings, in the order asked; each sentence is verified and only then sent."""
    run, began = runtime.context, time.perf_counter()
    await run.request.progress.step("writing", 0, 0)
    findings = sorted(state["findings"], key=lambda finding: finding.part.number)
    evidence = interleave([finding.evidence for finding in findings])
    drafts = run.dependencies.reasoner.write(findings, run)
    pictures = state.get("pictures", ())
    with telemetry.step("write") as counts:
        verifier = await asyncio.to_thread(Verifier, evidence, pictures)
        sentences, _ = await deliver(drafts, verifier, run.request.progress, run.ledger)
        more = await asyncio.to_thread(fold, findings, verifier, run)
        counts.add(sentences=len(sentences), citations=len(verifier.citations), dropped=len(run.ledger.dropped))
    return {
        "sentences": sentences,
        "more": more,
        "citations": verifier.citations,
        "timings": {"write": time.perf_counter() - began},
    }


def fold(findings: Sequence[Finding], verifier: Verifier, run: RunContext) -> tuple[Sentence, ...]:
    """What else was quoted for the parts that were clearly answered; shown folded, so nothing of it is streamed."""
    said = frozenset(sentence.text for sentence in run.ledger.said)
    if not said or (run.ledger.mode or run.dependencies.reasoner.mode) != "extractive":
        return ()
    drafts = [draft for finding in findings if finding.judgement.support == "clear" for draft in finding.drafts]
    checked = [verifier.sentence(draft) for draft in drafts if draft.text not in said]
    return tuple(item for item in checked if isinstance(item, Sentence) and item.text not in said)


async def verify(state: State, runtime: Runtime[RunContext]) -> Update:
    """Settle the outcome: with no verified sentence, say what was searched, and show what came near."""
    run, began = runtime.context, time.perf_counter()
    if state["sentences"]:
        without = papers_without_answer(state["findings"], run.papers)
        if without:
            run.ledger.note(messages.no_answer_in(without))
        return {"outcome": "answered", "timings": {"verify": time.perf_counter() - began}}
    findings = [one.unassisted for one in sorted(state["findings"], key=lambda finding: finding.part.number)]
    described = frozenset(picture.described.id for picture in state.get("pictures", ()))
    nearest = tuple(one for one in closest(findings) if one.passage.id not in described)
    outcome, message = _without_answer(findings, run)
    return {
        "outcome": outcome,
        "message": message,
        "nearest": nearest[:NEAREST] if outcome == "unclear" else (),
        "timings": {"verify": time.perf_counter() - began},
    }


def closest(findings: Sequence[Finding]) -> tuple[Evidence, ...]:
    """The passages that come nearest, each with no more of its words than the sentence that does."""
    shown: list[list[Evidence]] = []
    for finding in findings:
        found = {one.passage.id: one for one in finding.evidence}
        sources = [(found[id_], words) for draft in finding.drafts for id_, words in draft.sources[:1] if id_ in found]
        shown.append([replace(one, passage=replace(one.passage, text=words)) for one, words in sources])
    return interleave(shown)


def _without_answer(findings: Sequence[Finding], run: RunContext) -> tuple[Outcome, str]:
    missing = tuple(dict.fromkeys(word for finding in findings for word in finding.judgement.missing))
    if any(finding.judgement.support != "none" and finding.evidence for finding in findings):
        return "unclear", messages.unclear(missing)
    return "not_found", messages.not_found(len(run.papers), run.passages, missing)


async def deliver(
    drafts: AsyncGenerator[DraftSentence, None],
    verifier: Verifier,
    progress: Progress,
    ledger: Ledger,
) -> tuple[tuple[Sentence, ...], tuple[Citation, ...]]:
    """The sentences that are supported and the citations they use, numbered in order of use.

    A sentence is sent before the next draft is waited for, so that a reader sees it while the rest is written;
    whoever writes is stopped with the answer.
    """
    sent = 0
    async with aclosing(drafts):
        async for draft in drafts:
            with telemetry.step("verify") as counts:
                outcome = await asyncio.to_thread(verifier.sentence, draft)
                counts.add(kept=not isinstance(outcome, RejectedSentence))
            if isinstance(outcome, RejectedSentence):
                ledger.dropped.append(outcome)
                continue
            citations = ledger.citations = verifier.citations
            ledger.said.append(outcome)
            await progress.sentence(outcome, citations[sent:])
            sent = len(citations)
    return tuple(ledger.said), verifier.citations


def papers_without_answer(findings: Sequence[Finding], papers: Sequence[Paper]) -> tuple[Paper, ...]:
    """Of several papers that were asked the same by name, those of which no part was clearly answered.

    They are named in the footer, so that an answer from another paper is not taken for theirs.
    """
    asked = [(next(iter(one.part.only)), one) for one in findings if len(one.part.only) == 1]
    clear = {paper for paper, one in asked if one.judgement.support == "clear"}
    named = dict.fromkeys(paper for paper, _ in asked)
    if len(named) < 2 or not clear:
        return ()
    known = {paper.id: paper for paper in papers}
    return tuple(known[paper] for paper in named if paper not in clear and paper in known)
