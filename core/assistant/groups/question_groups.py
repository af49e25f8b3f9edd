"""When two questions are the same question, and what became of the questions of a period. Pure."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from core.domain.groups import Discussed
from core.domain.model import Outcome
from core.domain.records import Feedback, Said
from core.text import normalise, query_tokens

Key: TypeAlias = tuple[str, ...]
_ANSWERED: Outcome = "answered"
_LEFT_OUT: frozenset[Outcome] = frozenset({"declined"})
"""Outcomes of what was no question to the papers."""


def key_of(question: str) -> Key:
    """The same for two questions that ask for the same in the same words, whatever their order and small words."""
    return tuple(sorted(set(query_tokens(normalise(question)))))


def discussed(
    said: Sequence[Said], feedback: Sequence[Feedback]
) -> tuple[tuple[Discussed, ...], tuple[Discussed, ...]]:
    """Questions answered and questions left open, each told once, as it was asked last.

    An answer that a reader called wrong without saying what is right leaves its question open.
    """
    verdicts: Mapping[str, Feedback] = {item.answer.trace_id: item for item in feedback}
    groups: dict[Key, list[Said]] = {}
    for item in said:
        if item.answer.outcome not in _LEFT_OUT and key_of(item.answer.question):
            groups.setdefault(key_of(item.answer.question), []).append(item)
    answered: list[Discussed] = []
    left: list[Discussed] = []
    for group in sorted(groups.values(), key=lambda group: group[-1].at):
        right = [item for item in group if _stands(item, verdicts.get(item.answer.trace_id))]
        told = (right or group)[-1]
        (answered if right else left).append(
            Discussed(
                text=told.answer.question,
                thread=told.thread,
                at=told.at,
                outcome=told.answer.outcome,
                times=len(group),
            )
        )
    return tuple(answered), tuple(left)


def _stands(said: Said, verdict: Feedback | None) -> bool:
    refuted = verdict is not None and verdict.verdict == "wrong" and not verdict.words
    return said.answer.outcome == _ANSWERED and not refuted
