"""The nodes of the graph. Each takes the state and the run's ``Study`` and returns a partial update."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from core.agent import figures, messages, telemetry, unanswered_papers
from core.agent.delivery import deliver
from core.agent.generative.hyde import widened
from core.agent.reasoner import RunContext
from core.agent.retrieval import gather, taken_in_turns
from core.agent.state import Branch, Finding, Part, State
from core.domain.model import Outcome

NEAREST = 3
MOST_REFINEMENTS = 2
"""Further searches for a part whose evidence does not answer it."""

Update = dict[str, Any]  # a partial State; TypedDicts of changing keys cannot say it better


async def understand(state: State, runtime: Runtime[RunContext]) -> Update:
    """Resolve the question against the thread and the shelf of papers."""
    study, began = runtime.context, time.perf_counter()
    await study.progress.step("understanding", 0, 0)
    with telemetry.step("understand") as counts:
        understanding = await study.reasoner.understand(state["question"], state["turns"], study)
        counts.add(turns=len(state["turns"]), papers=len(study.papers), parts=len(understanding.parts))
    return {
        "understanding": understanding,
        "notes": understanding.notes,
        "timings": {"understand": time.perf_counter() - began},
    }


async def clarify(state: State, runtime: Runtime[RunContext]) -> Update:
    """Ask back with the candidates."""
    understanding = state["understanding"]
    return {"outcome": "clarify", "message": understanding.message, "candidates": understanding.candidates}


async def decline(state: State, runtime: Runtime[RunContext]) -> Update:
    """Say what the bot does instead."""
    return {"outcome": "declined", "message": state["understanding"].message}


async def investigate(state: Branch, runtime: Runtime[RunContext]) -> Update:
    """Search, judge, and search again at most ``MOST_REFINEMENTS`` times more; keep the best finding."""
    study, began = runtime.context, time.perf_counter()
    await study.progress.step("searching", 0, 0)
    part: Part | None = state["part"]
    best: Finding | None = None
    rounds = 0
    while part is not None:
        rounds += 1
        with telemetry.step("search") as counts:
            evidence = await widened(part, await gather(part, study), study)
            counts.add(part=part.number, round=rounds, passages=len(evidence))
        with telemetry.step("judge") as counts:
            finding = await study.reasoner.judge(part, evidence, study)
            counts.add(part=part.number, round=rounds, score=finding.judgement.score)
        if best is None or finding.judgement.score > best.judgement.score:
            best = finding
        if finding.judgement.support == "clear" or rounds > MOST_REFINEMENTS:
            break
        part = await study.reasoner.refine(finding, study)
    assert best is not None
    found = replace(best, rounds=rounds)
    return {"findings": (found,), "timings": {f"investigate {best.part.number}": time.perf_counter() - began}}


async def look(state: State, runtime: Runtime[RunContext]) -> Update:
    """Look at figures where the question asks for one, or where the words found were not enough."""
    study, began = runtime.context, time.perf_counter()
    findings = sorted(state["findings"], key=lambda finding: finding.part.number)
    with telemetry.step("look") as counts:
        looked = await figures.look(findings, study)
        counts.add(figures=len(looked.pictures))
    return {
        "findings": looked.findings,
        "pictures": looked.pictures,
        "timings": {"look": time.perf_counter() - began},
    }


async def write(state: State, runtime: Runtime[RunContext]) -> Update:
    """Say the answer from all findings, in the order asked; each sentence is verified and only then sent."""
    study, began = runtime.context, time.perf_counter()
    await study.progress.step("writing", 0, 0)
    findings = sorted(state["findings"], key=lambda finding: finding.part.number)
    evidence = taken_in_turns([finding.evidence for finding in findings])
    drafts = study.reasoner.write(findings, study)
    pictures = state.get("pictures", ())
    with telemetry.step("write") as counts:
        sentences, citations = await deliver(drafts, evidence, study.progress, study.ledger, pictures)
        counts.add(sentences=len(sentences), citations=len(citations), dropped=len(study.ledger.dropped))
    return {"sentences": sentences, "citations": citations, "timings": {"write": time.perf_counter() - began}}


async def verify(state: State, runtime: Runtime[RunContext]) -> Update:
    """Settle the outcome: with no verified sentence, say what was searched and what came nearest."""
    study, began = runtime.context, time.perf_counter()
    if state["sentences"]:
        without = unanswered_papers.silent(state["findings"], study.papers)
        if without:
            study.ledger.note(messages.silent(without))
        return {"outcome": "answered", "timings": {"verify": time.perf_counter() - began}}
    findings = [one.unassisted for one in sorted(state["findings"], key=lambda finding: finding.part.number)]
    described = frozenset(picture.described.id for picture in state.get("pictures", ()))
    found = taken_in_turns([finding.evidence for finding in findings])
    nearest = tuple(one for one in found if one.passage.id not in described)
    outcome, message = _without_answer(findings, study)
    return {
        "outcome": outcome,
        "message": message,
        "nearest": nearest[:NEAREST],
        "timings": {"verify": time.perf_counter() - began},
    }


def _without_answer(findings: Sequence[Finding], study: RunContext) -> tuple[Outcome, str]:
    missing = tuple(dict.fromkeys(word for finding in findings for word in finding.judgement.missing))
    if any(finding.judgement.support != "none" and finding.evidence for finding in findings):
        return "unclear", messages.unclear(missing)
    if not any(finding.evidence for finding in findings):
        return "not_found", messages.nothing_near(len(study.papers), study.passages)
    return "not_found", messages.not_found(len(study.papers), study.passages, missing)
