"""Decides how much of what a model made of a question is used: it may add words of the thread, and nothing of its own.

A rewritten question that brings in a name or a number from nowhere would be answered in place of the asker's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.agent.state import Understanding
from core.domain.citation_format import paper_label
from core.domain.model import Paper, Turn
from core.text import detect_language, index_tokens
from core.understanding import answer_types
from core.understanding.query_terms import terms
from core.understanding.route import Part

LONGEST = 400
"""Characters of a question; a model that writes more has begun to answer."""
KEPT = 0.5
"""Share of the asker's own content words that a rewritten question must keep."""
NAMED = 0.5
"""Weight of a paper that a model takes to be meant: it moves the paper's passages up and excludes no other."""
SHOWN_TITLES = 20
TURN_CHARACTERS = 300
SUMMARY_CHARACTERS = 900


def turns_shown(turns: Sequence[Turn], summary: str = "") -> tuple[str, ...]:
    """The turns as a model is shown them, behind the ``summary`` of what was said before."""
    names = {"user": "Asked", "assistant": "Answered"}
    said = tuple(f"{names[one.role]}: {one.text[:TURN_CHARACTERS]}" for one in turns if not one.forgotten)
    return (f"Before that: {summary[:SUMMARY_CHARACTERS]}", *said) if summary else said


def titles_shown(papers: Sequence[Paper], understanding: Understanding) -> tuple[Paper, ...]:
    """The papers whose titles a model is shown: those already found to be meant first."""
    meant = frozenset(paper for part in understanding.parts for paper in (*part.only, *part.likely))
    return tuple(sorted(papers, key=lambda paper: paper.id not in meant)[:SHOWN_TITLES])


def improved(
    plain: Understanding,
    said: Mapping[str, object],
    question: str,
    turns: Sequence[Turn],
    shown: Sequence[Paper],
    at_most: int,
) -> Understanding:
    """``plain`` with what ``said`` (question, papers, parts) adds to it that can be trusted.

    Nothing is, where it puts another question in place of the asker's: small models repeat the example they were
    shown, papers and all.
    """
    known = " ".join([question, *(one.text for one in turns), *(paper_label(paper) for paper in shown)])
    alone = str(said.get("question", "")).strip()
    if alone and not _faithful(alone, question, known):
        return plain
    found = _divided(plain, said, question, known, at_most) or plain.parts
    if len(found) == 1 and alone:
        found = (_asked(found[0], alone),)
    named = _papers(said, shown, " ".join([question, *(one.text for one in turns)]))
    if named:
        found = tuple(
            part if part.only else replace(part, likely={**dict.fromkeys(named, NAMED), **part.likely})
            for part in found
        )
    return replace(plain, parts=tuple(found))


def _asked(part: Part, alone: str) -> Part:
    """The question without its thread is what the model is asked; it is searched where the thread was needed."""
    return replace(part, asked=alone, query=alone if part.context else part.query)


def _divided(
    plain: Understanding, said: Mapping[str, object], question: str, known: str, at_most: int
) -> tuple[Part, ...]:
    listed = said.get("parts")
    parts = [str(one).strip() for one in listed] if isinstance(listed, list) else []
    if len(plain.parts) != 1 or not 2 <= len(parts) <= at_most or len(set(parts)) < len(parts):
        return ()
    if not all(_known(part, known) and terms(part) for part in parts):
        return ()
    covered = frozenset(index_tokens(" ".join(parts)))
    if _share(question, covered) < 1.0:
        return ()
    whole = plain.parts[0]
    return tuple(
        replace(
            whole,
            number=number,
            question=part,
            query=part,
            asked=part,
            context="",
            kind=answer_types.kind_of(part),
            language=detect_language(part),
        )
        for number, part in enumerate(parts, 1)
    )


def _faithful(alone: str, question: str, known: str) -> bool:
    if len(alone) > LONGEST or "\n" in alone:
        return False
    return _known(alone, known) and _share(question, frozenset(index_tokens(alone))) >= KEPT


def _known(text: str, known: str) -> bool:
    """Whether every name, code and number of ``text`` was said before."""
    held = frozenset(index_tokens(known))
    digits = {sign for sign in index_tokens(text) if any(one.isdigit() for one in sign)}
    names = {token for term in terms(text) if term.name for token in term.tokens}
    return digits | names <= held


def _share(question: str, held: frozenset[str]) -> float:
    asked = terms(question)
    return sum(term.held(held) for term in asked) / len(asked) if asked else 1.0


def _papers(said: Mapping[str, object], shown: Sequence[Paper], asked: str) -> tuple[str, ...]:
    """Those that the reply takes to be meant and that share a content word with what was ``asked``."""
    listed = said.get("papers")
    numbers = [one for one in listed if type(one) is int] if isinstance(listed, list) else []
    meant = {shown[number - 1].id: shown[number - 1] for number in numbers if 1 <= number <= len(shown)}
    if len(meant) == len(shown):
        return ()
    words = frozenset(token for term in terms(asked) for token in term.tokens)
    return tuple(id_ for id_, paper in meant.items() if words & set(index_tokens(paper_label(paper))))
