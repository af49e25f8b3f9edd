"""Hands drafts to the verifier as they come and sends on what passes; the one way from a draft to the reader."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from core.agent import telemetry
from core.agent.reasoner import Ledger
from core.domain.model import Citation, Evidence, Sentence
from core.domain.progress import Progress
from core.grounding.verify import DescribedFigure, DraftSentence, RejectedSentence, Verifier


async def deliver(
    drafts: AsyncGenerator[DraftSentence, None],
    evidence: Sequence[Evidence],
    progress: Progress,
    ledger: Ledger,
    pictures: Sequence[DescribedFigure] = (),
) -> tuple[tuple[Sentence, ...], tuple[Citation, ...]]:
    """The sentences that are supported and the citations they use, numbered in order of use.

    A sentence is sent before the next draft is waited for, so that a reader sees it while the rest is written;
    whoever writes is stopped with the answer.
    """
    verifier = await asyncio.to_thread(Verifier, evidence, pictures)
    told = 0
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
            await progress.sentence(outcome, citations[told:])
            told = len(citations)
    return tuple(ledger.said), verifier.citations
