"""What a model makes of a question before the search: its parts, and for each the words that papers would print.

A guard decides how much of it is used. Words are only searched with, so an invented one finds nothing; a question
that brings in a name or a number from nowhere would be answered in place of the asker's, so it is not taken.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import get_args

from core.agent import messages
from core.agent.generative.numbered_passages import estimate_tokens
from core.agent.reasoner import RunContext
from core.agent.state import Understanding
from core.domain.citation_format import first_author_label
from core.domain.errors import ModelReplyUnusable, ModelUnavailable
from core.domain.model import Paper, Turn
from core.llm import prompts
from core.text import detect_language, index_tokens
from core.understanding.answer_types import Kind
from core.understanding.query_terms import terms
from core.understanding.route import MOST_PARTS, Part, Question

LONGEST = 400
"""Characters of a question or of its search words; a model that writes more has begun to answer."""
LEAN = 0.5
"""Weight of a paper that a model takes to be meant: it moves the paper's passages up and excludes no other."""
SHARE_FOR_PAPERS = 4
"""The list of papers may fill one part in so many of the context."""
ABSTRACT_CHARACTERS = 160
TURN_CHARACTERS = 300
SUMMARY_CHARACTERS = 900
KINDS: frozenset[Kind] = frozenset(get_args(Kind))


async def understand(question: Question, plain: Understanding, run: RunContext) -> Understanding:
    """What the model makes of the question, as far as it can be trusted; ``plain`` where there is none to be asked."""
    ledger, dependencies = run.ledger, run.dependencies
    if plain.course != "investigate" or not dependencies.model.identity:
        return plain
    ledger.model, ledger.prompts = dependencies.model.identity, prompts.VERSION
    try:
        capability = await dependencies.capability.capability()
        if capability == "none":
            ledger.note(messages.model_not_used())
            return plain
        improved = await _asked(question, plain, run)
    except ModelUnavailable as failure:
        ledger.down = True
        ledger.note(messages.model_away(failure.words))
        return plain
    if capability == "claims":
        return replace(improved, course="claim", plain=plain.parts)
    ledger.note(messages.model_searches_only())
    return replace(plain, words=_words_for(plain, improved))


async def _asked(question: Question, plain: Understanding, run: RunContext) -> Understanding:
    """``plain`` with the parts, words, papers and kinds that the model adds in one call.

    A reply that cannot be used leaves it as it is.
    """
    papers = _papers_shown(run, plain)
    listed = [_listed(paper) for paper in papers]
    turns = _turns_shown(question.turns, run.recollection)
    prompt = prompts.search_words(question.text, turns, listed, MOST_PARTS)
    try:
        reply = await run.dependencies.model.structured(
            prompt, prompts.SEARCHED, system=prompts.SEARCH_WORDS, meter=run.ledger
        )
    except ModelReplyUnusable:
        return plain
    known = "\n".join([question.text, run.recollection, *(turn.text for turn in question.turns), *listed])
    return _improved(plain, reply, known, papers)


def _words_for(plain: Understanding, improved: Understanding) -> tuple[str, ...]:
    """Search words for each part of ``plain``: those of ``improved`` in turn where it has as many, else all of them."""
    words = tuple(part.query for part in improved.parts)
    return words if len(words) == len(plain.parts) else (" ".join(words)[:LONGEST],) * len(plain.parts)


def _papers_shown(run: RunContext, plain: Understanding) -> tuple[Paper, ...]:
    """The papers that are listed, as many as there is room for: those already taken to be meant come first then."""
    room = run.dependencies.llm.context_tokens // SHARE_FOR_PAPERS
    costs = {paper.id: estimate_tokens(_listed(paper)) + 4 for paper in run.papers}
    if sum(costs.values()) <= room:
        return run.papers
    meant = frozenset(paper for part in plain.parts for paper in (*part.only, *part.likely))
    shown: list[Paper] = []
    for paper in sorted(run.papers, key=lambda paper: paper.id not in meant):
        room -= costs[paper.id]
        if room < 0:
            break
        shown.append(paper)
    return tuple(shown)


def _listed(paper: Paper) -> str:
    about = ", ".join([*first_author_label(paper), *filter(None, [str(paper.metadata.year or "")])])
    abstract = " ".join(paper.metadata.abstract.split())[:ABSTRACT_CHARACTERS]
    return f"“{paper.title}” ({about}) {abstract}".strip()


def _turns_shown(turns: Sequence[Turn], summary: str) -> tuple[str, ...]:
    """The turns as a model is shown them, behind the ``summary`` of what was said before."""
    names = {"user": "Asked", "assistant": "Answered"}
    said = tuple(f"{names[turn.role]}: {turn.text[:TURN_CHARACTERS]}" for turn in turns if not turn.forgotten)
    return (f"Before that: {summary[:SUMMARY_CHARACTERS]}", *said) if summary else said


def _improved(plain: Understanding, reply: Mapping[str, object], known: str, papers: Sequence[Paper]) -> Understanding:
    words, named, kinds = (_texts(reply.get(name)) for name in ("words", "papers", "kinds"))
    questions = _questions(reply, known) or [part.asked or part.question for part in plain.parts]
    if len(words) != len(questions):
        words = [" ".join(words)] * len(questions)
    parts = []
    for index, question in enumerate(questions):
        meant = _papers_meant(named[index], papers) if index < len(named) else ()
        part = _base(plain.parts, index, len(questions), question)
        kind = kinds[index].casefold() if index < len(kinds) else ""
        parts.append(
            replace(
                part,
                number=index + 1,
                asked=question,
                query=words[index][:LONGEST].strip() or part.query,
                kind=next((known_kind for known_kind in KINDS if known_kind == kind), part.kind),
                likely=dict.fromkeys(meant, LEAN) | dict(part.likely),
            )
        )
    return replace(plain, parts=tuple(parts))


def _questions(reply: Mapping[str, object], known: str) -> list[str]:
    """The questions to answer, stand-alone; none where one of them names what nobody named before."""
    alone = str(reply.get("question", "")).strip()
    parts = _texts(reply.get("parts"))
    found = parts if 2 <= len(parts) <= MOST_PARTS else [alone] if alone else parts[:1]
    return found if all(_is_faithful(question, known) for question in found) else []


def _is_faithful(question: str, known: str) -> bool:
    """Whether a question is one, and every name, code and number of it was said before."""
    if not terms(question) or len(question) > LONGEST or "\n" in question:
        return False
    before = frozenset(index_tokens(known))
    digits = {token for token in index_tokens(question) if any(map(str.isdigit, token))}
    names = {token for term in terms(question) if term.name for token in term.tokens}
    return digits | names <= before


def _base(plain: Sequence[Part], index: int, count: int, question: str) -> Part:
    """The part as it was read without a model; where that has other parts, the first with another question."""
    if count == len(plain):
        return plain[index]
    only = frozenset().union(*(part.only for part in plain)) if all(part.only for part in plain) else frozenset()
    return replace(
        plain[0],
        question=question,
        query=question,
        context="",
        only=only,
        language=detect_language(question),
    )


def _papers_meant(named: str, papers: Sequence[Paper]) -> tuple[str, ...]:
    """Papers by the numbers in a list; none where all are named."""
    numbers = [int(number) for number in named.replace(",", " ").split() if number.isdigit()]
    meant = tuple(dict.fromkeys(papers[number - 1].id for number in numbers if 1 <= number <= len(papers)))
    return meant if len(meant) < len(papers) else ()


def _texts(value: object) -> list[str]:
    return [str(part).strip() for part in value] if isinstance(value, list) else []
