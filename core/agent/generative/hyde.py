"""Searches also with the answer that a model would expect, which is worded more like a paper than a question is.

HyDE (Gao et al. 2022, "Precise zero-shot dense retrieval without relevance labels"). What the model expects is
searched and thrown away; it is no evidence and is never shown.
"""

from collections.abc import Sequence
from dataclasses import replace

from core.agent import messages
from core.agent.generative import prompts
from core.agent.reasoner import RunContext
from core.domain.errors import ModelReplyUnusable, ModelUnavailable
from core.domain.model import Evidence
from core.understanding.route import Part

LONGEST = 600
SMOOTHING = 60
"""The constant of reciprocal rank fusion; the usual one."""


async def widened(part: Part, evidence: Sequence[Evidence], run: RunContext) -> tuple[Evidence, ...]:
    """The evidence found, fused with what the expected answer finds; as it is where that is switched off."""
    if not (run.dependencies.config.hyde and run.dependencies.model.identity) or part.tries or run.ledger.down:
        return tuple(evidence)
    expected = await _expected(part, run)
    if not expected:
        return tuple(evidence)
    scope = run.request.scope.within(part.only) if part.only else run.request.scope
    more = await run.dependencies.retriever.search(
        f"{part.query} {expected}", scope, filters=part.filters, per_paper=part.per_paper
    )
    return fused(evidence, more)


def fused(one: Sequence[Evidence], other: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Both lists by reciprocal rank, as long as the longer; scores are those of the best passage scaled down."""
    ranks: dict[str, float] = {}
    known: dict[str, Evidence] = {}
    for found in (one, other):
        for place, hit in enumerate(found):
            ranks[hit.passage.id] = ranks.get(hit.passage.id, 0.0) + 1 / (SMOOTHING + place + 1)
            known.setdefault(hit.passage.id, hit)
    best = max((hit.score for hit in one), default=1.0)
    ordered = sorted(ranks, key=lambda id_: (-ranks[id_], id_))[: max(len(one), len(other))]
    top = ranks[ordered[0]] if ordered else 1.0
    return tuple(replace(known[id_], score=best * ranks[id_] / top) for id_ in ordered)


async def _expected(part: Part, run: RunContext) -> str:
    words: list[str] = []
    prompt = prompts.expecting(part.asked or part.question)
    try:
        async for piece in run.dependencies.model.stream(prompt, system=prompts.EXPECT, meter=run.ledger):
            words.append(piece)
            if sum(map(len, words)) > LONGEST:
                break
    except ModelReplyUnusable:
        pass  # what came until then may still be searched
    except ModelUnavailable as failure:
        run.ledger.down = True
        run.ledger.note(messages.model_away(failure.words))
        return ""
    return " ".join("".join(words)[:LONGEST].split())
