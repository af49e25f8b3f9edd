"""The words of one aspect in one language, as patterns to be searched without regard to case."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

AspectName: TypeAlias = Literal[
    "funding",
    "availability",
    "ethics",
    "interests",
    "limitations",
    "future",
    "size",
    "participants",
    "statistics",
    "measures",
    "results",
    "conclusion",
    "aim",
    "methods",
    "about",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class AspectWords:
    """``asked`` is how a question puts it, ``headings`` how papers head it, ``cues`` mark a sentence on it."""

    asked: str
    headings: str = ""
    cues: str = ""
