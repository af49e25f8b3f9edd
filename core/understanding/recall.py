"""Reaches back beyond the last turns: what was asked, answered or shown earlier is brought to mind again when meant.

A question that points to what was said earlier is matched with the older exchanges by its words; the one that fits
is put behind the last turns, as if it had just been said, so that everything else reads the thread as usual.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.model import Thread, Turn
from core.text import index_tokens
from core.understanding.query_terms import coverage, terms

FITS = 0.34
"""Share of the question's content words that an earlier exchange must hold."""
_BACK = re.compile(
    r"\b(?:earlier|before|previously|already|again|back to|at the (?:beginning|start)|a while ago)\b.{0,60}"
    r"\b(?:asked|said|told|answered|mentioned|quoted|cited|showed|shown|named|found|discussed|talked|spoke|paper"
    r"|study|figure|table|question|answer)s?\b"
    r"|\b(?:you|we|i)(?:'ve| have| had)? (?:just |already |earlier )?(?:said|told|answered|mentioned|quoted|cited"
    r"|showed|named|asked|discussed|talked|spoke|looked)\b|\b(?:going|go|come|coming) back to\b"
    r"|\bdid (?:you|we|i) (?:say|tell|answer|mention|quote|cite|show|name|ask|discuss|talk)\b"
    r"|\b(?:paper|study|article|figure|fig\.|table|answer|question|number|value)s? (?:from|of) (?:before|earlier)\b"
    r"|\b(?:earlier|previous|first) (?:question|answer|paper|figure|table|study)\b",
    re.IGNORECASE,
)
_FIRST = re.compile(r"\b(?:my|your|the|our) (?:very )?first (?:question|answer)\b", re.IGNORECASE)
_POINTERS = re.compile(
    r"\b(?:earlier|before|previously|already|again|back|beginning|start|ask(?:ed)?|said|say|tell|told|answered"
    r"|mention(?:ed)?|quoted?|cited?|show|showed|shown|named?|discuss(?:ed)?|talk(?:ed)?|spoke|looked|paper|study"
    r"|article|question|answer|first|going|go|come|coming|you|we|i)s?\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A thread before its next message: the last turns whole, the older ones, both oldest first, and their summary."""

    thread: Thread
    recent: tuple[Turn, ...] = ()
    older: tuple[Turn, ...] = ()
    summary: str = ""


@dataclass(frozen=True, slots=True)
class _Exchange:
    """A question of the thread with what was said to it."""

    turns: tuple[Turn, ...]

    @property
    def tokens(self) -> frozenset[str]:
        labels = " ".join(one.label or "" for turn in self.turns for one in turn.citations)
        quotes = " ".join(span.quote for turn in self.turns for one in turn.citations for span in one.spans)
        return frozenset(index_tokens(" ".join([*(turn.text for turn in self.turns), labels, quotes])))


def reaches_back(question: str) -> bool:
    """Whether a question points to something that was said earlier."""
    return bool(_BACK.search(question) or _FIRST.search(question))


def recall_turns(question: str, recent: Sequence[Turn], older: Sequence[Turn]) -> tuple[Turn, ...]:
    """The turns that ``question`` is to be read against: the recent ones, behind them an older exchange it means."""
    if not reaches_back(question):
        return tuple(recent)
    past = _exchanges([*older, *recent])
    if not past:
        return tuple(recent)
    if _FIRST.search(question):
        return (*recent, *past[0].turns)
    asked = terms(_POINTERS.sub(" ", question))
    if not asked:
        return tuple(recent)
    shares = [(coverage(asked, one.tokens), place) for place, one in enumerate(past)]
    best, place = max(shares)
    return (*recent, *past[place].turns) if best >= FITS else tuple(recent)


def _exchanges(turns: Sequence[Turn]) -> list[_Exchange]:
    found: list[list[Turn]] = []
    for turn in turns:
        if turn.forgotten:
            continue
        if turn.role == "user" or not found:
            found.append([])
        found[-1].append(turn)
    return [_Exchange(tuple(one)) for one in found]
