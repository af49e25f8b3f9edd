"""Hands verified sentences on while an answer is made: to the ledger, which keeps them, and to whoever is listening."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from core.agent import telemetry
from core.agent.reasoner import Ledger
from core.domain.model import Sentence
from core.domain.progress import Progress
from core.grounding.verify import DraftSentence, RejectedSentence, Verifier


@dataclass(slots=True, kw_only=True)
class Delivery:
    """Sentences of one answer in the order in which they are sent, each with those of its citations that are new."""

    verifier: Verifier
    progress: Progress
    ledger: Ledger
    _sent: int = 0

    async def send(self, sentence: Sentence) -> None:
        """A verified sentence."""
        citations = self.ledger.citations = self.verifier.citations
        self.ledger.said.append(sentence)
        new, self._sent = citations[self._sent :], len(citations)
        await self.progress.sentence(sentence, new)

    async def verify_and_send(self, drafts: AsyncGenerator[DraftSentence, None]) -> None:
        """Drafts as far as the rules prove them; each is sent before the next is waited for."""
        async with aclosing(drafts):
            async for draft in drafts:
                with telemetry.step("verify") as counts:
                    outcome = await asyncio.to_thread(self.verifier.sentence, draft)
                    counts.add(kept=not isinstance(outcome, RejectedSentence))
                if isinstance(outcome, RejectedSentence):
                    self.ledger.dropped.append(outcome)
                else:
                    await self.send(outcome)
