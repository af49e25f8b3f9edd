"""What travels through the graph: the question as understood, what each branch found, what was drafted.

The values are small and frozen; everything that works (library, retriever, reasoner, progress) is in the
``RunContext`` that each run brings along, so that one compiled graph serves every workspace and thread.
"""

import operator
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, Required, TypeAlias, TypedDict

from core.domain.model import Citation, Evidence, Outcome, Sentence
from core.grounding.verify import DescribedFigure, DraftSentence
from core.understanding.route import Part, Question

Course: TypeAlias = Literal["investigate", "clarify", "claim"]
"""Find and quote; ask back; or find and have a language model write claims."""
Support: TypeAlias = Literal["clear", "unclear", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Understanding:
    """What was made of the question, and which way the graph goes from there.

    ``words`` are search words of a model for each of ``parts``, where only these are taken from it. ``plain`` are the
    parts as they were read without a model, where ``parts`` are not.
    """

    course: Course
    parts: tuple[Part, ...] = ()
    words: tuple[str, ...] = ()
    plain: tuple[Part, ...] = ()
    message: str = ""
    candidates: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """Whether evidence answers a part. ``score`` runs from 0 (nothing) to 1 (beyond doubt).

    ``missing`` are the words of the question that the evidence does not bear out.
    """

    support: Support
    score: float = 0.0
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one branch brings home: evidence best first, its judgement and the sentences picked from it."""

    part: Part
    evidence: tuple[Evidence, ...]
    judgement: Judgement
    drafts: tuple[DraftSentence, ...] = ()
    rounds: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """What a search brought for one part, best first, not judged: whoever writes claims decides what answers."""

    part: Part
    evidence: tuple[Evidence, ...]


class State(TypedDict, total=False):
    """The graph's state; ``findings`` and ``searched`` gather what the parallel branches return."""

    question: Required[Question]
    understanding: Understanding
    findings: Annotated[tuple[Finding, ...], operator.add]
    searched: Annotated[tuple[Searched, ...], operator.add]
    pictures: tuple[DescribedFigure, ...]
    outcome: Outcome
    message: str
    candidates: tuple[str, ...]
    sentences: tuple[Sentence, ...]
    citations: tuple[Citation, ...]
    nearest: tuple[Evidence, ...]
    notes: tuple[str, ...]
    timings: Annotated[Mapping[str, float], operator.or_]


class Branch(TypedDict):
    """What ``Send`` hands to one branch: a part, and words that are searched beside its own."""

    part: Part
    words: str
