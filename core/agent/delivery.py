"""Hands drafts to the checker and sends on what passes; the one way from a draft to the reader."""

from collections.abc import Sequence

from core.agent.state import Draft
from core.domain.model import Citation, Evidence, Sentence, Span
from core.domain.progress import Progress
from core.text import squeeze


async def deliver(
    drafts: Sequence[Draft], evidence: Sequence[Evidence], progress: Progress
) -> tuple[tuple[Sentence, ...], tuple[Citation, ...]]:
    """The sentences that are supported and the citations they use, numbered in order of use."""
    sentences: list[Sentence] = []
    citations: list[Citation] = []
    for draft in drafts:
        sound = [
            quote
            for quote in draft.quotes
            if squeeze(quote.words) and squeeze(quote.words) in squeeze(quote.passage.text)
        ]
        if not sound or squeeze(draft.text) not in squeeze(" ".join(quote.words for quote in sound)):
            continue
        fresh: list[Citation] = []
        markers: list[int] = []
        for quote in sound:
            span = Span(
                passage_id=quote.passage.id, page=quote.passage.page, quote=quote.words, boxes=quote.passage.boxes
            )
            known = next((one for one in citations if one.spans == (span,)), None)
            if known is None:
                known = Citation(
                    marker=len(citations) + 1,
                    paper_id=quote.passage.paper_id,
                    section=quote.passage.section,
                    spans=(span,),
                    label=quote.passage.label,
                )
                citations.append(known)
                fresh.append(known)
            markers.append(known.marker)
        sentence = Sentence(text=draft.text, markers=tuple(markers))
        sentences.append(sentence)
        await progress.sentence(sentence, fresh)
    return tuple(sentences), tuple(citations)
