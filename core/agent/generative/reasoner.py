"""The reasoner with a language model: it understands, judges and writes better where the model is good.

Where the model is bad or away, each step falls back to the extractive reasoner, which is asked first every time;
what the model writes is a draft that the verifier lets through or not.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from core.agent import messages
from core.agent.extractive.reasoner import ExtractiveReasoner
from core.agent.generative import context_window, prompts, rewrite_guard
from core.agent.generative.calculation import asked_for, computed
from core.agent.generative.control_questions import Controls
from core.agent.generative.pointed_quote import Named, answers, named
from core.agent.generative.prompt_injection import instructions_in, repeats_instruction
from core.agent.generative.relevance_guard import asked_words, missing_quotes
from core.agent.generative.sentence_stream import Sentences
from core.agent.reasoner import MOST_SENTENCES, Reasoner, RunContext
from core.agent.retrieval import interleave
from core.agent.state import Finding, Judgement, Understanding
from core.config import LlmConfig
from core.domain.citation_format import paper_label
from core.domain.errors import ModelReplyUnusable, ModelUnavailable
from core.domain.language_models import LanguageModel
from core.domain.model import AnswerMode, Evidence
from core.grounding.verify import DraftSentence, is_refusal
from core.understanding.route import MOST_PARTS, Part, Question

BEYOND_DOUBT = 0.8
"""From which score of the extractive verdict a model's "not sufficient" is not believed."""
NAMED = 0.7
"""Score of an answer whose words a model named that knows what a passage answers."""
SURE = 0.9
UNSURE = 0.4
DROPPED_SHOWN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order:
    """What is wanted of a reply: how many sentences, about which words; whose orders and which lines are no answer."""

    most: int
    about: frozenset[str]
    foreign: tuple[frozenset[str], ...]
    headings: tuple[str, ...]


class ModelReasoner:
    """Asks ``model`` for understanding, judgement and drafts; ``plain`` answers where it cannot."""

    mode: AnswerMode = "model"

    def __init__(self, model: LanguageModel, config: LlmConfig, plain: Reasoner | None = None) -> None:
        self._model = model
        self._room = context_window.room(config.context_tokens, config.max_tokens)
        self._plain = plain or ExtractiveReasoner()
        self._controls = Controls(model)

    async def understand(self, question: Question, run: RunContext) -> Understanding:
        """As the extractive reasoner reads it, with what the model adds in one call."""
        run.ledger.model, run.ledger.prompts = self._model.identity, prompts.VERSION
        plain = await self._plain.understand(question, run)
        if plain.course != "investigate":
            return plain
        shown = rewrite_guard.titles_shown(run.papers, plain)
        prompt = prompts.understanding(
            question.message,
            rewrite_guard.turns_shown(question.turns, run.recollection),
            [paper_label(paper) for paper in shown],
            MOST_PARTS,
        )
        said = await self._structured(prompt, prompts.UNDERSTOOD, prompts.UNDERSTAND, run)
        if not said:
            return plain
        return rewrite_guard.improved(plain, said, question.message, question.turns, shown, MOST_PARTS)

    async def judge(self, part: Part, evidence: Sequence[Evidence], run: RunContext) -> Finding:
        """Whether whole passages, as many as the context holds, answer the part."""
        shown = context_window.fitting(evidence, self._room)
        if not shown:
            return await self._plain.judge(part, evidence, run)
        prompt = prompts.judging(part.asked or part.question, context_window.fenced(shown))
        found, said = await asyncio.gather(
            self._plain.judge(part, evidence, run),
            self._structured(prompt, prompts.JUDGED, prompts.JUDGE, run),
        )
        if not said:
            return found
        pointed = named(str(said.get("quote", "")), shown) if said.get("sufficient") is True else None
        if pointed and await self._believed(part, found, pointed, run):
            return _with_named(found, pointed)
        verdict = _verdict(found.judgement, said)
        if found.judgement.support == "clear" and verdict.support != "clear" and not await self._controls.passed():
            return found
        return replace(found, judgement=verdict, quoting=found.judgement)

    async def _believed(self, part: Part, found: Finding, pointed: Named, run: RunContext) -> bool:
        """Whether the named words count as the answer; the model is not put to the test where that changes nothing."""
        if not answers(part, pointed, await _likeness(part, pointed, run)):
            return False
        first = found.drafts[0].text if found.drafts else ""
        if found.judgement.support == "clear" and first == pointed.draft.text:
            return True
        return await self._controls.passed()

    async def refine(self, finding: Finding, run: RunContext) -> Part | None:
        """Search for what the model names as missing; else as the extractive reasoner would."""
        query = finding.judgement.query
        part = finding.part
        if query and query.casefold() not in part.query.casefold():
            return replace(part, query=query, tries=part.tries + 1)
        return await self._plain.refine(finding.unassisted, run)

    async def write(self, findings: Sequence[Finding], run: RunContext) -> AsyncGenerator[DraftSentence, None]:
        """The model's sentences as they come; asked once more where too few hold; else the quotes."""
        ledger = run.ledger
        clear = [finding for finding in findings if finding.judgement.support == "clear"]
        if clear and not ledger.down:
            async with aclosing(self._written(clear, run)) as drafts:
                async for draft in drafts:
                    yield draft
        if ledger.said:
            ledger.mode = "model"
            for draft in await asyncio.to_thread(missing_quotes, clear, ledger):
                yield draft
            return
        ledger.mode = "extractive"
        if clear and not ledger.down:
            ledger.note(messages.nothing_borne_out())
        left = findings if ledger.down else clear
        async with aclosing(self._plain.write([finding.unassisted for finding in left], run)) as drafts:
            async for draft in drafts:
                yield draft

    async def _written(self, clear: Sequence[Finding], run: RunContext) -> AsyncGenerator[DraftSentence, None]:
        ledger = run.ledger
        evidence = context_window.fitting(interleave([one.evidence for one in clear]), self._room)
        asked = [one.part.asked or one.part.question for one in clear]
        fenced = context_window.fenced(evidence)
        order = _Order(
            most=max(MOST_SENTENCES, len(clear)),
            about=await asyncio.to_thread(asked_words, clear, evidence),
            foreign=await asyncio.to_thread(instructions_in, evidence),
            headings=tuple(context_window.heading(one) for one in evidence),
        )
        for finding in clear:
            worked_out = await self._worked_out(finding.part, fenced, run)
            if worked_out:
                yield worked_out
        async with aclosing(self._drafts(prompts.writing(asked, fenced, order.most), order, run)) as drafts:
            async for draft in drafts:
                yield draft
        if ledger.down or len(ledger.said) >= min(order.most, len(ledger.dropped)):
            return
        refused = [one.text for one in ledger.dropped[-DROPPED_SHOWN:]]
        again = prompts.writing_again(asked, fenced, order.most - len(ledger.said), refused)
        async with aclosing(self._drafts(again, order, run)) as drafts:
            async for draft in drafts:
                yield draft

    async def _worked_out(self, part: Part, fenced: str, run: RunContext) -> DraftSentence | None:
        """The result of a computation that is asked for, from numbers that the model points at."""
        question = part.asked or part.question
        if not asked_for(question):
            return None
        prompt = prompts.computing(question, fenced)
        return computed(part, await self._structured(prompt, prompts.SUMMED, prompts.COMPUTE, run))

    async def _drafts(self, prompt: str, order: "_Order", run: RunContext) -> AsyncGenerator[DraftSentence, None]:
        """Sentences of one reply, each as soon as it is complete; a refusal, an order, a repetition is none."""
        said = {one.text for one in run.ledger.said}
        async with aclosing(self._sentences(prompt, run)) as coming:
            async for sentence in coming:
                if sentence in said or is_refusal(sentence) or repeats_instruction(sentence, order.foreign):
                    continue
                if sentence.startswith(order.headings):
                    continue
                said.add(sentence)
                yield DraftSentence(text=sentence, about=order.about)
                if len(run.ledger.said) >= order.most or len(said) > 3 * order.most:
                    return

    async def _sentences(self, prompt: str, run: RunContext) -> AsyncGenerator[str, None]:
        reply = Sentences()
        try:
            async with aclosing(self._model.stream(prompt, system=prompts.WRITE, meter=run.ledger)) as pieces:
                async for piece in pieces:
                    for sentence in reply.more(piece):
                        yield sentence
        except ModelUnavailable as failure:
            for sentence in reply.complete():
                yield sentence
            _failed(failure, run)
        else:
            for sentence in reply.rest():
                yield sentence

    async def _structured(
        self, prompt: str, schema: Mapping[str, object], system: str, run: RunContext
    ) -> Mapping[str, object]:
        """The model's reply, or nothing where it has none to give."""
        if run.ledger.down:
            return {}
        try:
            return await self._model.structured(prompt, schema, system=system, meter=run.ledger)
        except ModelUnavailable as failure:
            _failed(failure, run)
            return {}


def _failed(failure: ModelUnavailable, run: RunContext) -> None:
    """A reply that cannot be used costs its step; a model that is away is not waited for again in this run."""
    if isinstance(failure, ModelReplyUnusable):
        return
    run.ledger.down = True
    run.ledger.note(messages.model_away(failure.words))


async def _likeness(part: Part, pointed: Named, run: RunContext) -> float:
    """Cosine of question and named words."""
    asked = await run.dependencies.embedder.query(part.asked or part.query)
    rows = await run.dependencies.embedder.passages([pointed.words])
    return float(rows[0] @ asked)


def _with_named(found: Finding, pointed: Named) -> Finding:
    """The finding with the named words in front: they are printed, fit the question, and whoever named them knows."""
    judgement = Judgement(support="clear", score=max(found.judgement.score, NAMED))
    drafts = (pointed.draft, *(one for one in found.drafts if one.text != pointed.draft.text))
    return replace(found, judgement=judgement, quoting=judgement, drafts=drafts)


def _verdict(plain: Judgement, said: Mapping[str, object]) -> Judgement:
    """What a model says of passages may take an answer away; it cannot give one that the signs do not.

    A weak model finds everything sufficient and then copies true sentences that answer nothing: believed, it made
    20 of 22 questions that the papers do not answer into answered ones (11 without it). What it misses is searched
    for, and evidence found that way may be clear.
    """
    missing = str(said.get("missing", "")).strip()
    query = str(said.get("query", "")).strip()
    if plain.support == "clear" and (said.get("sufficient") is True or plain.score >= BEYOND_DOUBT):
        return Judgement(support="clear", score=max(plain.score, SURE))
    return Judgement(
        support="none" if plain.support == "none" else "unclear",
        score=min(plain.score, UNSURE),
        missing=(missing,) if missing else plain.missing,
        query=query or missing,
    )
