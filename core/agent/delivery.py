"""Hands drafts to the verifier and sends on what passes; the one way from a draft to the reader."""

import asyncio
from collections.abc import Sequence

from core.domain.model import Citation, Evidence, Sentence
from core.domain.progress import Progress
from core.grounding.verify import Draft, Dropped, Verifier


async def deliver(
    drafts: Sequence[Draft], evidence: Sequence[Evidence], progress: Progress
) -> tuple[tuple[Sentence, ...], tuple[Citation, ...]]:
    """The sentences that are supported and the citations they use, numbered in order of use."""
    verifier = Verifier(evidence)
    sentences: list[Sentence] = []
    told = 0
    for draft in drafts:
        outcome = await asyncio.to_thread(verifier.sentence, draft)
        if isinstance(outcome, Dropped):
            continue
        citations = verifier.citations
        sentences.append(outcome)
        await progress.sentence(outcome, citations[told:])
        told = len(citations)
    return tuple(sentences), verifier.citations
