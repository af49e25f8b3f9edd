"""Keeps a thread's older turns as a running summary, so that a long conversation is remembered without its length.

Without a language model it is an extract: each question with the first sentence of its answer. With one it is
written, and what it writes is held against the turns themselves: a sentence that they do not bear out is left out.
"""

from collections.abc import Sequence

from core.agent.generative import prompts
from core.agent.generative.sentence_stream import Sentences
from core.domain.errors import ModelUnavailable
from core.domain.language_models import LanguageModel, Meter
from core.domain.model import Citation, Turn
from core.domain.records import Recollection
from core.grounding.entailment.rules import check_entailment
from core.grounding.verify import is_refusal
from core.text import split_sentences

EVERY = 4
"""Turns that must have left the recent ones before the summary is made anew."""
LONGEST = 1_800
"""Characters of a summary; the oldest exchanges are shortened first, then left out."""
QUESTION, SAID = 120, 160
CITATIONS = 24
SHOWN = 600
"""Characters of a turn that a model is shown."""


def due(older: int, known: Recollection | None) -> bool:
    """Whether ``older`` turns, counted from the first, are enough more than the summary covers."""
    return older - (known.covers if known else 0) >= EVERY


def extract(turns: Sequence[Turn], covers: int) -> Recollection:
    """The summary without a model: the latest exchanges that fit, in order; it stands for ``covers`` turns."""
    lines: list[str] = []
    left = LONGEST
    for turn in reversed(turns):
        line = "" if turn.forgotten else _line(turn)
        if len(line) + 1 > left:
            break
        if line:
            lines.insert(0, line)
            left -= len(line) + 1
    return Recollection(text="\n".join(lines), covers=covers, citations=_cited(turns))


async def written(turns: Sequence[Turn], covers: int, model: LanguageModel, *, meter: Meter) -> Recollection:
    """The summary as ``model`` writes it, as far as the turns bear it out; the extract where nothing is left of it."""
    plain = extract(turns, covers)
    told = [turn.text for turn in turns if not turn.forgotten]
    shown = [f"{_WHO[turn.role]}: {turn.text[:SHOWN]}" for turn in turns if not turn.forgotten]
    said = Sentences()
    found: list[str] = []
    try:
        async for piece in model.stream(prompts.condensing(shown), system=prompts.CONDENSE, meter=meter):
            found += said.more(piece)
        found += said.rest()
    except ModelUnavailable:
        found += said.complete()
    kept = [one for one in dict.fromkeys(found) if _borne_out(one, told)]
    text = " ".join(kept)[:LONGEST]
    if not text:
        return plain
    return Recollection(text=text, covers=plain.covers, citations=plain.citations, model=model.identity)


_WHO = {"user": "Asked", "assistant": "Answered"}


def _borne_out(sentence: str, told: Sequence[str]) -> bool:
    if is_refusal(sentence):
        return False
    return any(check_entailment(sentence, split_sentences(one)).supported for one in told)


def _line(turn: Turn) -> str:
    if turn.role == "user":
        return f"Asked: {_cut(turn.text, QUESTION)}"
    first = next(iter(split_sentences(turn.text)), "")
    return f"Answered: {_cut(first, SAID)}" if first else ""


def _cut(text: str, most: int) -> str:
    words = " ".join(text.split())
    return words if len(words) <= most else words[:most].rsplit(" ", 1)[0] + " …"


def _cited(turns: Sequence[Turn]) -> tuple[Citation, ...]:
    """One citation a paper, the latest first: enough to know what the summary speaks of."""
    found: dict[str, Citation] = {}
    for turn in reversed(turns):
        for one in () if turn.forgotten else turn.citations:
            found.setdefault(one.paper_id, one)
    return tuple(found.values())[:CITATIONS]
