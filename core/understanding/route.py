"""Decides once what a message means: small talk, a refusal, a question on the library, a choice, a study, a question.

Every value carries what its handler needs, as far as it is decided without searching the papers.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from core.domain.model import Paper, Thread, Turn
from core.domain.ports import Embedder, Filters
from core.domain.studies import StudyRequest
from core.text import detect_language
from core.understanding import answer_types, followups, refusals, subquestions
from core.understanding import filters as query_filters
from core.understanding.followups import FollowUp
from core.understanding.library_questions import LibraryQuestion, library_question
from core.understanding.library_questions import read as read_library_question
from core.understanding.papers import Mentions, PaperResolver
from core.understanding.recall import Conversation, recall_turns
from core.understanding.refusals import RefusalReason
from core.understanding.small_talk import Aside
from core.understanding.study_requests import study_request

MOST_PARTS = 4
"""Parts that a question is taken apart into; each is a search of its own."""
PER_PAPER_WHEN_COMPARING = 4
"""Passages of each paper that a search brings where papers are to be shown side by side."""
CITED_BEFORE = 0.6
"""Weight of a paper that the answer before cited."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallTalk:
    """A message to Footnote itself: a greeting, thanks, an order on the library, or no words at all."""

    message: str
    kind: Aside


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A request that papers do not answer."""

    message: str
    reason: RefusalReason


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One sub-question. ``query`` is searched, ``question`` judged and answered.

    ``context`` holds words that are taken for granted (the turn before, the first half of a compound
    question): they find the place but need not stand in the answer. ``only`` are the papers that the
    asker certainly means; ``likely`` are those that would be no surprise, with a weight from 0 to 1.
    ``people`` and ``called`` are tokens of words that only name a paper: authors ask for nothing in it, other
    words ("the barley paper") are taken for granted.
    ``asked`` is the question as it would be put without its thread, where a language model found words for it.
    """

    number: int
    question: str
    query: str
    kind: answer_types.Kind = "other"
    context: str = ""
    only: frozenset[str] = frozenset()
    likely: Mapping[str, float] = field(default_factory=dict)
    people: frozenset[str] = frozenset()
    called: frozenset[str] = frozenset()
    filters: Filters = field(default_factory=Filters)
    per_paper: int | None = None
    language: str = "en"
    tries: int = 0
    asked: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question to the papers.

    ``message`` is what was written; ``text`` is what is left of it without ``foreign_instructions``. ``turns`` (oldest
    first) are what it is read against, ``follow_up`` what it takes from them, ``mentions`` the papers it names.
    ``parts`` are its sub-questions in order, each with its kind, filters and papers.
    """

    message: str
    text: str
    foreign_instructions: bool = False
    turns: tuple[Turn, ...] = ()
    follow_up: FollowUp = field(default_factory=FollowUp)
    mentions: Mentions = field(default_factory=Mentions)
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ListChoice:
    """An item picked from a list that was shown, and what the ``question`` before the list means for that paper.

    Both are None where the list has no such item, or its paper is gone.
    """

    message: str
    question: str
    paper: Paper | None = None
    meaning: "SmallTalk | Refusal | LibraryQuestion | Question | None" = None


Reading: TypeAlias = SmallTalk | Refusal | Question
"""What a message is that asks for no study and nothing of the library's list."""
Answerable: TypeAlias = Reading | LibraryQuestion | ListChoice
"""What is answered within the conversation."""
Route: TypeAlias = StudyRequest | Answerable


async def route(message: str, conversation: Conversation, resolver: PaperResolver, *, embedder: Embedder) -> Route:
    """What ``message`` means behind its conversation, with the papers of ``resolver`` in scope.

    Raises ``ModelUnavailable`` where the embedder cannot be used.
    """
    order = await asyncio.to_thread(study_request, message, conversation.thread, conversation.recent, resolver)
    return order or await route_answerable(message, conversation, resolver, embedder=embedder)


async def route_answerable(
    message: str, conversation: Conversation, resolver: PaperResolver, *, embedder: Embedder
) -> Answerable:
    """As ``route``, for callers that make no studies: what asks for one is a question."""
    item = resolver.list_item(message, conversation.recent)
    if item is None:
        return await _route_asked(message.strip(), conversation, resolver, embedder)
    if item.paper is None:
        return ListChoice(message=message.strip(), question=item.question)
    return ListChoice(
        message=message.strip(),
        question=item.question,
        paper=item.paper,
        meaning=await _meaning_for(item.paper, item.question.strip(), conversation, embedder),
    )


async def read_question(
    message: str, conversation: Conversation, resolver: PaperResolver, *, embedder: Embedder
) -> Reading:
    """The question to the papers that ``message`` is, or why it is none; whatever it may mean for the library."""
    request = await refusals.sort(message, embedder)
    match request.refusal:
        case "":
            return await _question(message, request, conversation, resolver, embedder)
        case "secrets" | "task" | "advice" | "world" as reason:
            return Refusal(message=message, reason=reason)
        case kind:
            return SmallTalk(message=message, kind=kind)


async def _question(
    message: str,
    request: refusals.Request,
    conversation: Conversation,
    resolver: PaperResolver,
    embedder: Embedder,
) -> Question:
    turns = recall_turns(message, conversation.recent, conversation.older)
    if not resolver.papers:
        return Question(message=message, text=request.question, turns=turns)
    follow_up = followups.resolve(request.question, turns)
    mentions = await asyncio.to_thread(_mentions, request.question, follow_up, resolver, conversation.thread)
    return Question(
        message=message,
        text=request.question,
        foreign_instructions=request.cleaned,
        turns=turns,
        follow_up=follow_up,
        mentions=mentions,
        parts=await _parts(request.question, follow_up, mentions, resolver.papers, embedder),
    )


async def _route_asked(
    message: str, conversation: Conversation, resolver: PaperResolver, embedder: Embedder
) -> Reading | LibraryQuestion:
    has_words = any(char.isalpha() for char in message)
    if not has_words and not conversation.recent:
        return SmallTalk(message=message, kind="nothing")
    on_library = None
    if resolver.papers:
        on_library = await asyncio.to_thread(library_question, message, conversation.recent, resolver)
    return on_library or await read_question(message, conversation, resolver, embedder=embedder)


async def _meaning_for(
    paper: Paper, question: str, conversation: Conversation, embedder: Embedder
) -> Reading | LibraryQuestion:
    """What the question that a list was shown for means for the one paper picked from it."""
    on_library = await asyncio.to_thread(read_library_question, question, conversation.recent)
    if on_library:
        return replace(on_library, papers=(paper,))
    return await read_question(question, conversation, PaperResolver((paper,)), embedder=embedder)


def _mentions(question: str, follow_up: FollowUp, resolver: PaperResolver, thread: Thread) -> Mentions:
    """The papers that a question names itself, else the one picked by its place, else the one its thread is on."""
    own = resolver.mentions(question)
    if own.certain or not (follow_up.chosen or follow_up.context):
        return own
    thread_paper = follow_up.chosen or _thread_paper(follow_up, resolver, thread)
    if thread_paper:
        return replace(own, certain=(thread_paper,), hint="", fitting=())
    return resolver.mentions(f"{follow_up.context} {question}")


def _thread_paper(follow_up: FollowUp, resolver: PaperResolver, thread: Thread) -> str:
    """The paper that the answer before led with, else the one dropped in the thread; empty where neither is here."""
    here = {paper.id for paper in resolver.papers}
    cited = [paper_id for paper_id in follow_up.cited if paper_id in here]
    dropped = resolver.dropped_in(thread)
    if cited:
        return cited[0]
    return dropped[0] if len(dropped) == 1 else ""


async def _parts(
    question: str, follow_up: FollowUp, mentions: Mentions, papers: Sequence[Paper], embedder: Embedder
) -> tuple[Part, ...]:
    """The sub-questions; one that is put to several papers by name is a part for each of them."""
    filters = query_filters.parse_filters(question, papers)
    cited = follow_up.cited if follow_up.context else ()
    only = frozenset(mentions.certain)
    compares_papers = len(only) < 2 and bool(answer_types.papers_asked(question))
    parts: list[Part] = []
    for half in subquestions.split(question, at_most=MOST_PARTS):
        context = f"{follow_up.context} {half.context}".strip()
        kind = await _kind(half.question, context, embedder)
        part = Part(
            number=len(parts) + 1,
            question=half.question,
            query=f"{context} {half.question}".strip(),
            kind=kind,
            context=context,
            only=frozenset() if compares_papers else only,
            likely=dict(mentions.likely) | dict.fromkeys(cited, CITED_BEFORE),
            people=mentions.people,
            called=mentions.called if kind != "summary" else frozenset(),
            filters=filters,
            per_paper=PER_PAPER_WHEN_COMPARING if compares_papers else None,
            language=detect_language(half.question),
        )
        parts.extend(_for_each_paper(part, mentions.certain[:MOST_PARTS]) if len(part.only) > 1 else [part])
    return tuple(parts[:MOST_PARTS])


async def _kind(question: str, context: str, embedder: Embedder) -> answer_types.Kind:
    kind = await answer_types.answer_type(question, embedder)
    if kind == "other" and context:
        return await answer_types.answer_type(context, embedder)
    return kind


def _for_each_paper(part: Part, papers: Sequence[str]) -> list[Part]:
    return [replace(part, number=part.number + index, only=frozenset({paper})) for index, paper in enumerate(papers)]
