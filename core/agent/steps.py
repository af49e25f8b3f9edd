"""The nodes of the graph. Each takes the state and the run's ``RunContext`` and returns a partial update."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from core.agent import figures, messages, telemetry
from core.agent.delivery import Delivery
from core.agent.generative import search_words
from core.agent.generative.claims import ClaimsWritten, ClaimWriter
from core.agent.generative.numbered_passages import MOST, PassageGroup, lay_out, room_for_passages
from core.agent.reasoner import RunContext
from core.agent.retrieval import gather_evidence, interleave
from core.agent.state import Branch, Finding, Searched, State
from core.domain.model import Evidence, Outcome, Paper, Sentence
from core.grounding.verify import Verifier
from core.llm import prompts
from core.understanding.route import Part, Question

NEAREST = 3
MOST_REFINEMENTS = 2
"""Further searches for a part whose evidence does not answer it."""
FEW_CLAIMS, MANY_CLAIMS = 6, 12
"""Most claims for one thing that is asked, and for an overview, a comparison or several parts."""

Update = dict[str, Any]  # a partial State; TypedDicts of changing keys cannot say it better


async def understand(state: State, runtime: Runtime[RunContext]) -> Update:
    """Settle the parts to search for, or whom to ask back about."""
    run, began = runtime.context, time.perf_counter()
    await run.request.progress.step("understanding", 0, 0)
    with telemetry.step("understand") as counts:
        question = state["question"]
        understanding = await run.dependencies.reasoner.understand(question, run)
        understanding = await search_words.understand(question, understanding, run)
        counts.add(turns=len(question.turns), papers=len(run.papers), parts=len(understanding.parts))
    return {
        "understanding": understanding,
        "notes": understanding.notes,
        "timings": {"understand": time.perf_counter() - began},
    }


async def search(state: Branch, runtime: Runtime[RunContext]) -> Update:
    """Search once for as many passages as whoever writes claims is shown."""
    run, part, began = runtime.context, state["part"], time.perf_counter()
    await run.request.progress.step("searching", 0, 0)
    with telemetry.step("search") as counts:
        evidence = await gather_evidence(part, run, k=MOST)
        counts.add(part=part.number, round=1, passages=len(evidence))
    found = Searched(part=part, evidence=evidence)
    return {"searched": (found,), "timings": {f"search {part.number}": time.perf_counter() - began}}


async def claim(state: State, runtime: Runtime[RunContext]) -> Update:
    """Have claims written and checked. There is an outcome unless nothing came of it."""
    run, began = runtime.context, time.perf_counter()
    await run.request.progress.step("writing", 0, 0)
    searched = sorted(state["searched"], key=lambda item: item.part.number)
    pictures = await figures.asked_for(searched, run)
    several = len(searched) > 1
    groups = [PassageGroup(part=item.part.asked if several else "", evidence=item.evidence) for item in searched]
    if pictures:
        groups.insert(0, PassageGroup(part="", evidence=tuple(figures.as_evidence(item, run) for item in pictures)))
    llm, parts = run.dependencies.llm, [item.part for item in searched]
    passages = lay_out(groups, room_for_passages(llm, prompts.CLAIMS))
    verifier = await asyncio.to_thread(Verifier, passages.evidence, pictures)
    delivery = Delivery(verifier=verifier, progress=run.request.progress, ledger=run.ledger)
    writer = ClaimWriter(
        model=run.dependencies.model,
        reader=run.dependencies.reader,
        verifier=verifier,
        ledger=run.ledger,
        deliver=delivery.send,
    )
    written = ClaimsWritten()
    run.ledger.mode = "model"
    if passages.evidence:
        with telemetry.step("write") as counts:
            written = await writer.write(passages, _task(state["question"], parts), _most_claims(parts))
            counts.add(written=written.written, sentences=written.shown)
    return {**_outcome(written, passages.evidence, run), "timings": {"write": time.perf_counter() - began}}


def _task(question: Question, parts: Sequence[Part]) -> str:
    asked = [part.asked or part.question for part in parts]
    return prompts.answering(asked[0] if len(asked) == 1 else question.text, asked)


def _most_claims(parts: Sequence[Part]) -> int:
    wide = len(parts) > 1 or parts[0].kind in ("comparison", "summary")
    return MANY_CLAIMS if wide else FEW_CLAIMS


def _outcome(written: ClaimsWritten, evidence: Sequence[Evidence], run: RunContext) -> Update:
    """How the claims answer the question; empty where it has to be answered without the model."""
    ledger = run.ledger
    if written.shown:
        for note in (messages.not_among(written.missing), messages.incomplete(written.failure)):
            ledger.note(note)
        return {"outcome": "answered", "sentences": tuple(ledger.said), "citations": ledger.citations}
    if written.failure or written.written or not evidence:
        ledger.mode = "extractive"
        if evidence:
            failed = messages.model_away(written.failure) if written.failure else messages.nothing_borne_out()
            ledger.note(failed)
        return {}
    message = messages.not_answered(len(run.papers), run.passages, written.missing)
    return {"outcome": "not_found", "message": message, "nearest": tuple(evidence[:NEAREST])}


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
            evidence = await gather_evidence(part, run)
            if state["words"] and rounds == 1:
                more = await gather_evidence(replace(part, query=state["words"]), run)
                evidence = interleave([evidence, more])[: max(len(evidence), len(more))]
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
    ledger, drafts = run.ledger, run.dependencies.reasoner.write(findings, run)
    verifier = await asyncio.to_thread(Verifier, evidence, state.get("pictures", ()))
    with telemetry.step("write") as counts:
        await Delivery(verifier=verifier, progress=run.request.progress, ledger=ledger).verify_and_send(drafts)
        more = await asyncio.to_thread(fold, findings, verifier, run)
        counts.add(sentences=len(ledger.said), citations=len(verifier.citations), dropped=len(ledger.dropped))
    return {
        "sentences": tuple(ledger.said),
        "more": more,
        "citations": verifier.citations,
        "timings": {"write": time.perf_counter() - began},
    }


def fold(findings: Sequence[Finding], verifier: Verifier, run: RunContext) -> tuple[Sentence, ...]:
    """What else was quoted for the parts that were clearly answered; shown folded, so nothing of it is streamed."""
    shown = frozenset(sentence.text for sentence in run.ledger.said)
    if not shown or run.ledger.mode != "extractive":
        return ()
    drafts = [draft for finding in findings if finding.judgement.support == "clear" for draft in finding.drafts]
    checked = [verifier.sentence(draft) for draft in drafts if draft.text not in shown]
    return tuple(item for item in checked if isinstance(item, Sentence) and item.text not in shown)


async def verify(state: State, runtime: Runtime[RunContext]) -> Update:
    """Settle the outcome: with no verified sentence, say what was searched, and show what came near."""
    run, began = runtime.context, time.perf_counter()
    if state["sentences"]:
        without = papers_without_answer(state["findings"], run.papers)
        if without:
            run.ledger.note(messages.no_answer_in(without))
        return {"outcome": "answered", "timings": {"verify": time.perf_counter() - began}}
    findings = sorted(state["findings"], key=lambda finding: finding.part.number)
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
