"""Finds out whether a message asks for a summary or a comparison, and of which papers: those named, else its thread's.

Narrow on purpose: what asks for a summary of a part of a paper, or only mentions one, stays a question.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Literal, TypeAlias

from core.domain.citation_format import paper_label
from core.domain.model import Paper, Thread, Turn
from core.domain.studies import StudyKind, StudyRequest
from core.text import index_tokens
from core.understanding.papers import PaperResolver

Intent: TypeAlias = Literal["question", "summarise", "compare"]

_POLITE = (
    r"^\W*(?:(?:please|hi|hey|hello|can you|could you|would you|will you|i(?:'d| would) like (?:you to|a|an)"
    r"|give (?:me|us)|i (?:want|need)|let'?s|show (?:me|us))\W+)*"
)
_PAPER = (
    r"(?:papers?|articles?|stud(?:y|ies)|documents?|pdfs?|publications?|reviews?|reports?|notes?|thesis|theses"
    r"|essays?|this|it|them|these|both|all)"
)
_WORDINGS: tuple[tuple[Intent, str], ...] = (
    (
        "compare",
        _POLITE
        + rf"(?:compare|contrast)\b.{{0,80}}\b(?:{_PAPER}|and|with|to)\b|"
        + _POLITE
        + r"(?:an? )?comparison (?:of|between)\b|^\W*[\w .'’-]{2,60}\s+(?:vs\.?"
        r"|versus)\s+[\w .'’-]{2,60}\W*$",
    ),
    (
        "summarise",
        _POLITE
        + r"(?:summari[sz]e|sum up|outline|tl;?dr)\b|"
        + _POLITE
        + r"(?:an? |the )?(?:short |brief |quick |one-?paragraph )?(?:summary|overview|gist"
        r"|abstract|key points|main points|takeaways)"
        + r" (?:of|for|from)\b|^\W*what (?:is|are|does) (?:this|the|that) \w{0,20} ?(?:paper|article"
        r"|study)s? (?:about|on)\W*$|^\W*tl;?dr\b",
    ),
)
_RULES = tuple((intent, re.compile(pattern, re.IGNORECASE)) for intent, pattern in _WORDINGS)

_COUNTS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_LENGTH = re.compile(
    rf"\s*,?\b(?:in|with|using)\s+(?:about |only |just |at most |no more than |a )?(\d{{1,2}}|{'|'.join(_COUNTS)}"
    rf"|single)\s+(?:short )?"
    r"(?:sentences?|lines?)\b",
    re.IGNORECASE,
)

MOST_COMPARED = 8
SHOWN_CANDIDATES = 6
_VERB = re.compile(
    r"^.*?\b(?:summari[sz]e|sum up|outline|tl;?dr|summary|overview|gist|abstract|key points|main points|takeaways"
    r"|compare|contrast|comparison)\b(?:\s+(?:of|for|from|between))?",
    re.IGNORECASE | re.DOTALL,
)
_ABOUT = re.compile(r"^\W*what (?:is|are|does) (?:this|the|that)\b.*$", re.IGNORECASE | re.DOTALL)
_SEPARATORS = re.compile(r"\s*(?:;|\bversus\b|\bvs\.?\b|\bwith\b|\bto\b|\band\b|,|&)\s*", re.IGNORECASE)
_NAMING_NOTHING = (
    "the a an this that these those it them both all of for me us please paper papers article articles study "
    "studies pdf pdfs document documents publication publications thread above here two three four shortly "
    "briefly now again one ones following attached"
)
"""Words that name no paper."""
_NUMBER = re.compile(r"^\W*(?:paper|number|no\.?|#)?\s*(\d{1,3})\W*$", re.IGNORECASE)


@cache
def _tokens_naming_nothing() -> frozenset[str]:
    return frozenset(index_tokens(_NAMING_NOTHING))


def intent_of(message: str) -> Intent:
    """The first intent whose wording fits; ``question`` where none does."""
    return next((intent for intent, pattern in _RULES if pattern.search(message)), "question")


def study_request(text: str, thread: Thread, turns: Sequence[Turn], resolver: PaperResolver) -> StudyRequest | None:
    """The study that ``text`` asks for; None where it is a question like any other. ``turns`` are oldest first."""
    length = _LENGTH.search(text)
    if length is None:
        return _study_of_any_length(text, thread, turns, resolver)
    asked = _study_of_any_length(_LENGTH.sub("", text), thread, turns, resolver)
    return replace(asked, most=_count(length[1].lower())) if asked else None


def _count(words: str) -> int:
    if words.isdigit():
        return int(words)
    return _COUNTS.index(words) + 1 if words in _COUNTS else 1


def _study_of_any_length(
    text: str, thread: Thread, turns: Sequence[Turn], resolver: PaperResolver
) -> StudyRequest | None:
    intent = intent_of(text)
    if intent == "question" or not resolver.papers:
        return None
    asks_what_it_is_about = _ABOUT.match(text)
    rest = "" if asks_what_it_is_about else _VERB.sub("", text, count=1).strip(" \t\n.?!:“”\"'")
    if not _could_name(rest):
        return thread_study(intent, thread, turns, resolver)
    return _named_summary(rest, resolver) if intent == "summarise" else _named_comparison(rest, resolver)


def thread_study(
    kind: StudyKind, thread: Thread, turns: Sequence[Turn], resolver: PaperResolver
) -> StudyRequest | None:
    """The study of the papers that a thread is on; it asks back where these are unclear, None without any paper."""
    if not resolver.papers:
        return None
    on_thread = resolver.of_thread(thread, turns)
    everything = tuple(paper.id for paper in resolver.papers)
    if kind == "summarise":
        for ids in (resolver.dropped_in(thread), on_thread, everything):
            if len(ids) == 1:
                return StudyRequest(kind="summarise", papers=ids)
        by_id = {paper.id: paper for paper in resolver.papers}
        return _asking_back("summarise", [by_id[id_] for id_ in on_thread] or resolver.papers)
    if 2 <= len(on_thread) <= MOST_COMPARED:
        return StudyRequest(kind="compare", papers=on_thread)
    if len(everything) == 2:
        return StudyRequest(kind="compare", papers=everything)
    return _asking_back("compare", resolver.papers)


def _named_summary(rest: str, resolver: PaperResolver) -> StudyRequest | None:
    found = _named(rest, resolver)
    if not found:
        return None
    return (
        StudyRequest(kind="summarise", papers=(found[0].id,)) if len(found) == 1 else _asking_back("summarise", found)
    )


def _named_comparison(rest: str, resolver: PaperResolver) -> StudyRequest | None:
    pieces = [piece for piece in _SEPARATORS.split(rest) if _could_name(piece)]
    found = [_named(piece, resolver) for piece in pieces]
    all_clear = len(found) >= 2 and all(len(papers) == 1 for papers in found)
    if not all_clear:
        return _comparison_in_doubt(found)
    ids = tuple(dict.fromkeys(papers[0].id for papers in found))
    return StudyRequest(kind="compare", papers=ids) if 2 <= len(ids) <= MOST_COMPARED else None


def _comparison_in_doubt(found: Sequence[Sequence[Paper]]) -> StudyRequest | None:
    """Some of the papers to compare are clear and some are not; where most are no papers, it is a question."""
    unclear = [papers for papers in found if len(papers) > 1]
    mostly_papers = sum(bool(papers) for papers in found) * 2 >= len(found)
    if len(found) < 2 or not mostly_papers or not unclear:
        return None
    return _asking_back("compare", [paper for papers in unclear for paper in papers])


def _asking_back(kind: StudyKind, papers: Sequence[Paper]) -> StudyRequest:
    shown = list(dict.fromkeys(papers))[:SHOWN_CANDIDATES]
    lines = "\n".join(f"- {paper_label(paper)}" for paper in shown)
    wanted = "Which paper shall I summarise?" if kind == "summarise" else "Which papers shall I compare (two to eight)?"
    more = f"\n… and {len(papers) - SHOWN_CANDIDATES} more." if len(papers) > SHOWN_CANDIDATES else ""
    return StudyRequest(kind=kind, candidates=tuple(paper.id for paper in shown), message=f"{wanted}\n{lines}{more}")


def _named(words: str, resolver: PaperResolver) -> Sequence[Paper]:
    number = _NUMBER.match(words)
    if number:
        return resolver.find(number[1])
    bare = " ".join(word for word in words.split() if _could_name(word))
    return resolver.find(words) or resolver.find(bare)


def _could_name(words: str) -> bool:
    """Whether the words could name a paper."""
    return any(token not in _tokens_naming_nothing() for token in index_tokens(words))
