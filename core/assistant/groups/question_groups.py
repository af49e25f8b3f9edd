"""When two questions are the same question, and what became of the questions of a period. Pure."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from core.domain.groups import DiscussedQuestion
from core.domain.model import Outcome
from core.domain.records import Feedback, StoredAnswer
from core.text import normalise, query_tokens

Key: TypeAlias = tuple[str, ...]
_ANSWERED: Outcome = "answered"
_LEFT_OUT: frozenset[Outcome] = frozenset({"declined"})
"""Outcomes of what was no question to the papers."""


def question_key(question: str) -> Key:
    """The same for two questions that ask for the same in the same words, whatever their order and small words."""
    return tuple(sorted(set(query_tokens(normalise(question)))))


def group_questions(
    said: Sequence[StoredAnswer], feedback: Sequence[Feedback]
) -> tuple[tuple[DiscussedQuestion, ...], tuple[DiscussedQuestion, ...]]:
    """Questions answered and questions left open, each once, as it was asked last.

    An answer that a reader called wrong without saying what is right leaves its question open.
    """
    verdicts: Mapping[str, Feedback] = {item.answer.trace_id: item for item in feedback}
    groups: dict[Key, list[StoredAnswer]] = {}
    for item in said:
        key = question_key(item.answer.question)
        if key and item.answer.outcome not in _LEFT_OUT:
            groups.setdefault(key, []).append(item)
    answered: list[DiscussedQuestion] = []
    left: list[DiscussedQuestion] = []
    for group in sorted(groups.values(), key=lambda group: group[-1].at):
        right = [item for item in group if _is_answered(item, verdicts.get(item.answer.trace_id))]
        last, kind = (right[-1], answered) if right else (group[-1], left)
        kind.append(
            DiscussedQuestion(
                text=last.answer.question,
                thread=last.thread,
                at=last.at,
                outcome=last.answer.outcome,
                times=len(group),
            )
        )
    return tuple(answered), tuple(left)


def _is_answered(said: StoredAnswer, verdict: Feedback | None) -> bool:
    refuted = verdict is not None and verdict.verdict == "wrong" and not verdict.words
    return said.answer.outcome == _ANSWERED and not refuted
