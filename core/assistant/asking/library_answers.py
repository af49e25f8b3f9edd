"""Answers to questions about the library, from its list of papers.

A search through what papers say finds only words that look alike.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from core.agent import messages
from core.domain.model import Answer, AnswerMode, Citation, Paper, Passage, Sentence
from core.understanding.library_questions import LibraryQuestion

Passages: TypeAlias = Callable[[str], Awaitable[Sequence[Passage]]]


async def answer_library_question(
    question: str, asked: LibraryQuestion, passages: Passages, mode: AnswerMode
) -> Answer:
    """The answer from the list of papers; one paper that is about the topic answers by what it found."""
    papers = asked.papers
    if asked.kind == "list":
        return _from_list(question, messages.paper_list(papers), papers[: messages.LISTED], mode)
    if asked.kind == "sharer":
        only = papers[0] if len(papers) == 1 else None
        return _from_list(question, messages.when_shared(only), papers[:1], mode)
    if len(papers) == 1:
        return await answer_by_finding(question, papers[0], asked.topic, passages)
    return Answer(
        question=question,
        outcome="clarify",
        mode=mode,
        message=messages.several_about(papers, asked.topic),
        candidates=tuple(paper.id for paper in papers[: messages.SHOWN_TITLES]),
    )


async def answer_by_finding(question: str, paper: Paper, topic: str, passages: Passages) -> Answer:
    """One paper, by the sentence in which it says best what it found, with its footnote."""
    sentence, citations = await asyncio.to_thread(_takeaway, paper, await passages(paper.id))
    return Answer(
        question=question,
        outcome="answered" if sentence else "declined",
        mode="extractive",
        sentences=(sentence,) if sentence else (),
        citations=citations,
        message=messages.takeaway_of(paper, topic) if sentence else messages.only_named(paper, topic),
        candidates=(paper.id,),
    )


def _takeaway(paper: Paper, passages: Sequence[Passage]) -> tuple[Sentence | None, tuple[Citation, ...]]:
    # Reading the signs of a study takes a moment that no start should wait for.
    from core.assistant.studies.quotations import Quotations, quotable_statements
    from core.assistant.studies.takeaways import takeaway

    quotes, statement = Quotations(), takeaway(quotable_statements(paper, passages))
    return (quotes.say(statement) if statement else None), quotes.citations


def _from_list(question: str, message: str, shown: Sequence[Paper], mode: AnswerMode) -> Answer:
    """What is said of the library; it is no question to the papers, so that no digest tells of it."""
    return Answer(
        question=question,
        outcome="declined",
        mode=mode,
        message=message,
        candidates=tuple(paper.id for paper in shown),
    )
