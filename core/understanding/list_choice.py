"""Which paper of a list somebody picks by its number, and the question that the list was shown for. Pure.

The list is read from what the thread remembers having shown, so that a number means what the reader saw.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.model import Paper, Turn
from core.text.paper_labels import paper_label

_NUMBER = re.compile(
    r"^\W*(?:(?:the|number|no|nr|paper|option|nummer|numéro|número|numero)\W+){0,2}(\d{1,2})\W*$", re.I
)
_PLACE = re.compile(
    r"^\W*(?:the |i mean the )?(first|second|third|fourth|fifth|sixth|last)(?: one| paper| article| study)?\W*$", re.I
)
_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")
_LINE = re.compile(r"^(\d{1,2})\. (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The paper picked, and the question to be asked of it; no paper where the list has no such number."""

    question: str
    paper: Paper | None = None


def chosen(message: str, turns: Sequence[Turn], papers: Sequence[Paper]) -> Choice | None:
    """The choice that ``message`` is; None where it is none, or no list was shown in ``turns`` (oldest first)."""
    match = _NUMBER.match(message) or _PLACE.match(message)
    if match is None:
        return None
    shown = _shown(turns)
    if shown is None:
        return None
    question, lines = shown
    said = match[1].lower()
    picked = int(said) if said.isdigit() else max(lines) if said == "last" else _PLACES.index(said) + 1
    by_title = {paper_label(paper): paper for paper in reversed(papers)}
    return Choice(question=question, paper=by_title.get(lines.get(picked, "")))


def _shown(turns: Sequence[Turn]) -> tuple[str, dict[int, str]] | None:
    """The last list of papers in a thread by number, with the question before it."""
    for place in range(len(turns) - 1, 0, -1):
        asked, said = turns[place - 1], turns[place]
        lines = {int(number): line for number, line in _LINE.findall(said.text)}
        if said.role == "assistant" and asked.role == "user" and lines and not (said.forgotten or said.citations):
            return asked.text, lines
    return None
