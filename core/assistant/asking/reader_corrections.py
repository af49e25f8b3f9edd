"""What readers said was wrong with earlier answers to the same question, to be shown beside a new one."""

from collections.abc import Sequence

from core.assistant.groups.digest import question_key
from core.domain.errors import ModelUnavailable
from core.domain.ports import Embedder
from core.domain.records import AnswerCorrection, Feedback

SAME = 0.93
"""Cosine from which two questions of other words are the same one, where they name the same numbers and rare words."""
_SHARED = 0.6
MOST = 3


async def remarks(
    question: str, corrections: Sequence[Feedback], *, embedder: Embedder
) -> tuple[AnswerCorrection, ...]:
    """Those corrections that are of answers to this question, the latest of each reader, newest first."""
    if not corrections or not question_key(question):
        return ()
    same = [one for one in corrections if question_key(one.answer.question) == question_key(question)]
    near = [one for one in corrections if one not in same and _close(one.answer.question, question)]
    if near:
        same += await _meaning(question, near, embedder)
    latest: dict[str, AnswerCorrection] = {}
    for one in sorted(same, key=lambda one: one.at):
        latest[one.user] = AnswerCorrection(user=one.user, words=one.words, at=one.at)
    return tuple(sorted(latest.values(), key=lambda one: one.at, reverse=True)[:MOST])


def _close(one: str, other: str) -> bool:
    """Most words in common and every number: where these differ, another thing is asked in the same form."""
    first, second = set(question_key(one)), set(question_key(other))
    numbers = {word for word in first ^ second if any(sign.isdigit() for sign in word)}
    return not numbers and len(first & second) >= _SHARED * len(first | second)


async def _meaning(question: str, near: Sequence[Feedback], embedder: Embedder) -> list[Feedback]:
    try:
        vectors = await embedder.passages([question, *(one.answer.question for one in near)])
    except ModelUnavailable:
        return []
    return [one for one, cosine in zip(near, vectors[1:] @ vectors[0], strict=True) if float(cosine) >= SAME]
