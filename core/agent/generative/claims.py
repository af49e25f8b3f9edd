"""Has a model write claims and checks each: answers and studies both speak through this.

Plain code finds the quotes and compares what must not differ; what the rules prove is shown at once. The first claim,
if it needs the second reading, is read alone while the model writes on, all others in one batch at the end. A claim
that fails is repaired once with the reason; else its quote stands for it; else it is dropped.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import partial

from core.agent import telemetry
from core.agent.generative.claim_stream import ClaimStream, StreamedClaim
from core.agent.generative.numbered_passages import NumberedPassages
from core.agent.generative.plain_sentence import plain
from core.agent.generative.prompt_injection import is_instruction
from core.agent.reasoner import Ledger
from core.domain.entailment import Entailment, EntailmentVerdict
from core.domain.errors import ModelReplyUnusable, ModelUnavailable
from core.domain.language_models import LanguageModel
from core.domain.model import Sentence
from core.grounding.verify import CheckedSentence, DraftSentence, RejectedSentence, Verifier
from core.llm import prompts
from core.llm.second_reading import SecondReading
from core.text import split_sentences

Deliver = Callable[[Sentence], Awaitable[None]]
MakeSentence = Callable[[], Sentence | None]
"""Gives a sentence its markers when its turn has come."""

SURPLUS = 4
"""Claims beyond those asked for after which a model is stopped; they are checked, since the best may be among them."""
FORM_NOT_KEPT = "The language model did not keep to the form that was asked for."


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsWritten:
    """What came of one request: how many claims were written, how many sentences were shown for them, what the model
    says is missing, and the sentence that tells what went wrong, if anything did.
    """

    written: int = 0
    shown: int = 0
    missing: tuple[str, ...] = ()
    failure: str = ""


@dataclass(slots=True, kw_only=True)
class _Claim:
    """One claim on its way: as it was written, as it was checked, and why it failed if it did."""

    draft: DraftSentence
    checked: CheckedSentence | None = None
    reason: str = ""
    settled: bool = False
    """Whether it was shown or given up."""


@dataclass(slots=True, kw_only=True)
class ClaimWriter:
    """Writes with ``model`` what ``deliver`` is then given, sentence by sentence, with markers of ``verifier``."""

    model: LanguageModel
    verifier: Verifier
    ledger: Ledger
    deliver: Deliver
    reader: Entailment | None = None
    """Reads what the rules cannot prove; the model itself where none is named."""
    _claims: list[_Claim] = field(default_factory=list)
    _waiting: list[tuple[_Claim, MakeSentence]] = field(default_factory=list)
    _shown: list[str] = field(default_factory=list)
    _showing: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def write(self, passages: NumberedPassages, task: str, most: int) -> ClaimsWritten:
        """At most ``most`` sentences on ``task``, an outcome of ``prompts.answering`` or ``prompts.section``."""
        prompt = prompts.claims(passages.text, task, most)
        self._claims, self._waiting, self._shown = [], [], []
        reading_lead: asyncio.Task[None] | None = None
        stream, failure = ClaimStream(), ""
        try:
            try:
                async with aclosing(self._streamed(prompt, stream)) as drafts:
                    async for streamed in drafts:
                        claim = await self._taken(streamed, passages)
                        if claim is self._claims[0] and claim.checked and not claim.settled:
                            reading_lead = asyncio.create_task(self._read([claim]))
                        if len(self._claims) >= most + SURPLUS:
                            break
            except ModelUnavailable as fault:
                failure = self._failed(fault)
            if reading_lead is not None:
                await reading_lead
        finally:
            if reading_lead is not None:
                reading_lead.cancel()
        if not failure and not stream.anything:
            failure = FORM_NOT_KEPT
        await self._settle(prompt, passages)
        return ClaimsWritten(written=len(self._claims), shown=len(self._shown), missing=stream.missing, failure=failure)

    async def _streamed(self, prompt: str, stream: ClaimStream) -> AsyncGenerator[StreamedClaim, None]:
        pieces = self.model.stream(prompt, system=prompts.CLAIMS, schema=prompts.CLAIMED, meter=self.ledger)
        async with aclosing(pieces):
            async for piece in pieces:
                for claim in stream.more(piece):
                    yield claim
        for claim in stream.more("\n"):
            yield claim

    async def _taken(self, streamed: StreamedClaim, passages: NumberedPassages) -> _Claim:
        """The claim as it was checked by plain code; shown if the rules prove it."""
        claim = await self._checked(_draft(streamed, passages))
        self._claims.append(claim)
        await self._show_if_proved(claim)
        return claim

    async def _checked(self, draft: DraftSentence) -> _Claim:
        with telemetry.step("verify") as counts:
            outcome = await asyncio.to_thread(self.verifier.check, draft)
            counts.add(kept=not isinstance(outcome, RejectedSentence))
        if isinstance(outcome, RejectedSentence):
            return _Claim(draft=draft, reason="; ".join(outcome.reasons))
        planted = any(is_instruction(part) for proof in outcome.proofs for part in split_sentences(proof.words))
        return _Claim(draft=draft, settled=True) if planted else _Claim(draft=draft, checked=outcome)

    async def _show_if_proved(self, claim: _Claim) -> None:
        if claim.checked is not None and claim.checked.verdict.entailed:
            await self._show(claim, partial(self.verifier.accept, claim.checked))

    async def _read(self, claims: Sequence[_Claim]) -> None:
        """Judge claims in one call and show what holds; what does not has a reason then, if the reading gave one."""
        pending = [(claim, claim.checked) for claim in claims if claim.checked is not None]
        verdicts = await self._judged([checked for _, checked in pending])
        for (claim, checked), verdict in zip(pending, verdicts, strict=True):
            claim.checked, claim.reason = replace(checked, verdict=verdict), verdict.reason
            await self._show_if_proved(claim)

    async def _judged(self, checked: Sequence[CheckedSentence]) -> Sequence[EntailmentVerdict]:
        unread = [EntailmentVerdict(verdict="unsure")] * len(checked)
        if not checked or self.ledger.down:
            return unread
        reader = self.reader or SecondReading(self.model, self.ledger)
        try:
            with telemetry.step("read") as counts:
                counts.add(sentences=len(checked))
                return await reader.judge([item.pair for item in checked])
        except ModelUnavailable as fault:
            self.ledger.note(self._failed(fault))
            return unread

    async def _settle(self, prompt: str, passages: NumberedPassages) -> None:
        """Repair what failed, read what is open, and show quotes for what is left; one repair in all."""
        repaired = await self._repair(prompt, passages)
        await self._read([claim for claim in self._claims if not claim.settled and not claim.reason])
        if not repaired and await self._repair(prompt, passages):
            await self._read([claim for claim in self._claims if not claim.settled and not claim.reason])
        for claim in self._claims:
            if not claim.settled:
                await self._show_quote(claim)

    async def _repair(self, prompt: str, passages: NumberedPassages) -> bool:
        """Whether there was something to repair; what was written anew is checked and takes the place of its claim."""
        failed = [claim for claim in self._claims if not claim.settled and claim.reason]
        if not failed or self.ledger.down:
            return False
        asked = prompts.repairing(prompt, [(claim.draft.text, claim.reason) for claim in failed])
        stream, anew = ClaimStream(), list[StreamedClaim]()
        try:
            async with aclosing(self._streamed(asked, stream)) as drafts:
                async for streamed in drafts:
                    anew.append(streamed)
                    if len(anew) == len(failed):
                        break
        except ModelUnavailable as fault:
            self._failed(fault)
        for claim, streamed in zip(failed, anew, strict=False):
            if not streamed.sentence:
                await self._show(claim, _nothing)
                continue
            again = await self._checked(_draft(streamed, passages))
            if again.checked is not None:
                claim.draft, claim.checked, claim.reason = again.draft, again.checked, ""
                await self._show_if_proved(claim)
        return True

    async def _show_quote(self, claim: _Claim) -> None:
        """Show the first of a claim's quotes in its place, unless it was shown already."""
        self.ledger.dropped.append(RejectedSentence(text=claim.draft.text, reasons=(claim.reason,)))
        proofs = claim.checked.proofs if claim.checked else await asyncio.to_thread(self.verifier.printed, claim.draft)
        await self._show(claim, partial(self.verifier.quote_instead, proofs))

    async def _show(self, claim: _Claim, sentence: MakeSentence) -> None:
        """Deliver what stands for a claim, which may be nothing; while the first claim is open, all others wait."""
        claim.settled = True
        self._waiting.append((claim, sentence))
        async with self._showing:
            if not self._claims[0].settled:
                return
            waiting, self._waiting = self._waiting, []
            for _, make in sorted(waiting, key=lambda pair: pair[0] is not self._claims[0]):
                ready = make()
                if ready is not None and ready.text not in self._shown:
                    self._shown.append(ready.text)
                    await self.deliver(ready)

    def _failed(self, fault: ModelUnavailable) -> str:
        """What went wrong, in a sentence; a model that is away is not waited for again in this run."""
        if not isinstance(fault, ModelReplyUnusable):
            self.ledger.down = True
        return fault.words


def _nothing() -> None:
    """No sentence stands for this claim."""


def _draft(streamed: StreamedClaim, passages: NumberedPassages) -> DraftSentence:
    sources = tuple((passages.passage_id(number), quote) for number, quote in streamed.quotes)
    return DraftSentence(text=plain(streamed.sentence), sources=sources, computation=streamed.computation)
