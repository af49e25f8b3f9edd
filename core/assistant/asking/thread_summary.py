"""Keeps a thread's older turns as a running summary, so that a long conversation is remembered without its length.

It is an extract: each question with the first sentence of its answer.
"""

from collections.abc import Sequence

from core.domain.model import Citation, Turn
from core.domain.records import Recollection
from core.text import split_sentences

EVERY = 4
"""Turns that must have left the recent ones before the summary is made anew."""
LONGEST = 1_800
"""Characters of a summary; the oldest exchanges are shortened first, then left out."""
QUESTION, SAID = 120, 160
CITATIONS = 24


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
