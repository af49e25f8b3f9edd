"""What travels through the graph: the question as understood, what each branch found, what was drafted.

The values are small and frozen; everything that works (library, retriever, reasoner, progress) is in the
``RunContext`` that each run brings along, so that one compiled graph serves every workspace and thread.
"""

import operator
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Literal, Required, TypeAlias, TypedDict

from core.domain.model import Citation, Evidence, Outcome, Sentence
from core.grounding.verify import DescribedFigure, DraftSentence
from core.understanding.route import Part, Question

Course: TypeAlias = Literal["investigate", "clarify"]
Support: TypeAlias = Literal["clear", "unclear", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Understanding:
    """What the reasoner made of the question, and which way the graph goes from there."""

    course: Course
    parts: tuple[Part, ...] = ()
    message: str = ""
    candidates: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """Whether evidence answers a part. ``score`` runs from 0 (nothing) to 1 (beyond doubt).

    ``missing`` are the words of the question that the evidence does not bear out; ``query`` is what a model
    would search for instead, or empty.
    """

    support: Support
    score: float = 0.0
    missing: tuple[str, ...] = ()
    query: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one branch brings home: evidence best first, its judgement and the sentences picked from it.

    ``quoting`` is the verdict that the picked sentences rest on, where a language model judged as well.
    """

    part: Part
    evidence: tuple[Evidence, ...]
    judgement: Judgement
    drafts: tuple[DraftSentence, ...] = ()
    rounds: int = 1
    quoting: Judgement | None = None

    @property
    def unassisted(self) -> "Finding":
        """The same finding as it is without a language model."""
        return self if self.quoting is None else replace(self, judgement=self.quoting, quoting=None)


class State(TypedDict, total=False):
    """The graph's state; ``findings`` gathers what the parallel branches return."""

    question: Required[Question]
    understanding: Understanding
    findings: Annotated[tuple[Finding, ...], operator.add]
    pictures: tuple[DescribedFigure, ...]
    outcome: Outcome
    message: str
    candidates: tuple[str, ...]
    sentences: tuple[Sentence, ...]
    more: tuple[Sentence, ...]
    citations: tuple[Citation, ...]
    nearest: tuple[Evidence, ...]
    notes: tuple[str, ...]
    timings: Annotated[Mapping[str, float], operator.or_]


class Branch(TypedDict):
    """What ``Send`` hands to one investigating branch."""

    part: Part
