"""What a reader looks for in a paper, with the cue phrases and weights that find sentences on it. Pure; no model.

An aspect is a field of an extraction, a section of a summary or a part of a review. Cues are words that authors of any
field use to say what they did and found, never words of a topic; see docs/studies.md for how they were chosen.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypedDict

from core.aspects.cue_phrases import combined, english
from core.aspects.section_zones import Zone

Cue = tuple[float, tuple[re.Pattern[str], ...]]
"""A weight, and the patterns that a sentence must all match to earn it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aspect:
    """``cues`` mark a sentence on the aspect, ``zones`` weigh where it usually is, ``needs`` is what it must hold and
    ``never`` what it may not. ``own`` is added for the paper's own work, ``foreign`` taken off for other people's, and
    ``least`` is the score from which a sentence is taken. ``query`` is what its meaning is compared with.
    """

    name: str
    query: str
    cues: tuple[Cue, ...]
    zones: Mapping[Zone, float]
    parts: tuple[Zone, ...] = ()
    """The parts of an abstract with heads that are on it."""
    needs: re.Pattern[str] | None = None
    counted: bool = False
    never: re.Pattern[str] | None = None
    foreign: float = 1.0
    own: float = 0.6
    turn: int = 5
    """The order of picking, lowest first: what only few sentences are on goes before what many could be."""
    central: float = 1.8
    """Weight of the cosine with what the paper is about: its title and abstract."""
    early: float = 0.0
    """Added for coming early in its zone (negative: late)."""
    done: bool = True
    """Whether it is about what was done, not about what could be."""
    least: float = 2.4
    words: frozenset[str] = field(default_factory=frozenset)
    """Tokens of a field's name and hint."""


ASIDE: Mapping[Zone, float] = {"introduction": -1.0, "related": -2.5, "discussion": -0.8, "appendix": -0.5}
"""Where a paper reports other things than its own work."""
_ZONES: tuple[Zone, ...] = (
    "abstract",
    "introduction",
    "related",
    "data",
    "method",
    "results",
    "discussion",
    "limitations",
    "future",
    "conclusion",
    "front",
    "appendix",
)
_TABLE = """
name                   | turn cent earl  own fore leas | abst intr rela data meth resu disc limi futu conc fron appe
Dataset                |    6  2.6  0.8  0.6    1    4 |    1   -1 -2.5  1.2  0.8 -0.4 -0.8    .    . -0.6    . -0.5
Size                   |    2  1.8    .  0.6  1.6  3.9 |  1.2   -1 -2.5  1.2  0.6  0.2 -0.8    .    .  0.2    . -0.5
Method or architecture |    7  3.2    .  0.6  0.5  4.6 |  1.3    . -2.5  0.2    1 -0.5 -0.8    .    .    .    . -0.5
Training or procedure  |    8    1    .  0.6  0.9  3.8 |  0.2 -1.2 -2.5  0.7  1.2 -0.8 -0.8    .    .   -1    . -0.5
Metrics                |    3    1    .  0.6  1.5  3.9 |  0.2   -1 -2.5  0.3    1  0.9 -0.8    .    . -0.4    . -0.5
Statistics             |    2  0.6    .  0.6  1.5  3.2 | -0.4   -1 -2.5  0.4  1.4  0.3 -0.8    .    .   -1    . -0.5
Main results           |    4  1.8 -0.8  0.6    2  4.4 |  1.6   -1 -2.5   -1   -1  0.4  0.2    .    .  1.4    . -0.5
Limitations            |    1  0.6    .  0.6    2  3.4 | -0.6 -1.5 -2.5    . -0.6 -0.6  0.7  2.2  0.5  0.7    .    .
Future work            |    .  0.6    .  0.6  1.2  3.3 | -0.3 -1.2 -2.5    . -0.5    .  0.6  0.6  1.5    1    .    .
Problem                |    9    1  0.8    .  0.3  2.8 |  1.6  1.2   -1    .    .   -2    .    .    .   -1  0.2    .
Contribution           |    5  1.8    .  0.6    1    4 |  1.6  1.2 -1.5    . -0.6 -1.5 -0.8    .    .  0.6  0.2 -1.5
Background             |    9  0.8  0.6 -0.8 -0.4  2.6 |  0.8  1.6  1.2    . -1.5   -2    .    .    .    .  0.2    .
Arguments              |    5  1.8    .  0.6  1.8  3.6 |  1.2  0.9   -2    . -0.8    .    1    .    .  1.2    .    .
Evidence               |    4  1.8    .  0.6    2  4.4 |  0.8   -1 -2.5   -1   -1  1.2  0.2    .    .  1.4    . -0.5
"""
"""The weights of each aspect: those of ``Aspect``'s fields, then those of the zones in the order of ``_ZONES``."""


class _Numbers(TypedDict):
    turn: int
    central: float
    early: float
    own: float
    foreign: float
    least: float
    zones: Mapping[Zone, float]


def _weight(cell: str) -> float:
    return 0.0 if cell == "." else float(cell)


def _numbers(row: str) -> _Numbers:
    """The weights of one row; a dot is 0."""
    fields, zones = ([_weight(cell) for cell in part.split()] for part in row.split("|"))
    turn, central, early, own, foreign, least = fields
    return _Numbers(
        turn=int(turn),
        central=central,
        early=early,
        own=own,
        foreign=foreign,
        least=least,
        zones=dict(zip(_ZONES, zones, strict=True)),
    )


_ROWS = (row.partition("|") for row in _TABLE.strip().splitlines()[1:])
_NUMBERS: Mapping[str, _Numbers] = {name.strip(): _numbers(weights) for name, _, weights in _ROWS}

DATASET = Aspect(
    name="Dataset",
    query="the data set, corpus, sample, participants or material that the study uses",
    cues=(
        (2.2, (combined.ABOUT_DATA,)),
        (1.0, (combined.DATA, combined.OURS)),
        (1.8, (combined.ABOUT_DATA, english.NAMED)),
        (0.8, (combined.DATA,)),
    ),
    parts=("method", "data"),
    never=combined.NO_DATA,
    **_NUMBERS["Dataset"],
)
SIZE = Aspect(
    name="Size",
    query="how many participants, samples, documents or observations there are",
    cues=(
        (3.0, (combined.COUNTED, combined.TOTAL)),
        (2.4, (combined.COUNTED, combined.SIZED)),
        (1.8, (combined.COUNTED,)),
        (1.0, (combined.SIZED,)),
        (0.5, (combined.OURS,)),
    ),
    parts=("method", "data", "results"),
    counted=True,
    **_NUMBERS["Size"],
)
METHOD = Aspect(
    name="Method or architecture",
    query="the method, model, design or approach of the study",
    cues=(
        (2.4, (combined.WE_USE,)),
        (1.8, (combined.OURS, combined.DOES, combined.MEANS)),
        (2.0, (combined.MEANS, combined.WAS_USED)),
        (1.6, (combined.MIXED,)),
        (1.0, (combined.MEANS, combined.DOES)),
    ),
    parts=("method",),
    never=combined.NO_METHOD,
    **_NUMBERS["Method or architecture"],
)
PROCEDURE = Aspect(
    name="Training or procedure",
    query="how the experiment was carried out or the model was trained, step by step",
    cues=(
        (2.4, (combined.TRAINED, combined.WAS_USED, english.DIGIT)),
        (2.4, (combined.WE_TRAINED,)),
        (2.0, (combined.TRAINED, combined.OURS)),
        (1.9, (combined.TREATED,)),
        (1.6, (combined.TRAINED,)),
    ),
    parts=("method",),
    never=combined.NO_METHOD,
    **_NUMBERS["Training or procedure"],
)
METRICS = Aspect(
    name="Metrics",
    query="the measures, scores and statistical tests by which results are judged",
    cues=((2.6, (combined.MEASURE, combined.MEASURED)), (1.6, (combined.MEASURE,)), (0.6, (combined.OURS,))),
    parts=("method", "results"),
    needs=combined.MEASURE,
    **_NUMBERS["Metrics"],
)
STATISTICS = Aspect(
    name="Statistics",
    query="the statistical tests and analyses, the software and the level of significance",
    cues=(
        (2.6, (combined.STATISTIC, combined.WAS_USED)),
        (2.2, (combined.STATISTIC, combined.MEASURED)),
        (1.4, (combined.STATISTIC,)),
    ),
    parts=("method",),
    needs=combined.STATISTIC,
    **_NUMBERS["Statistics"],
)
RESULTS = Aspect(
    name="Main results",
    query="the main results and findings of the study",
    cues=(
        (2.4, (combined.WE_FOUND,)),
        (2.0, (combined.OURS, combined.FOUND)),
        (1.6, (combined.CHANGED,)),
        (1.0, (combined.FOUND,)),
        (0.5, (english.DIGIT,)),
    ),
    parts=("results",),
    never=combined.NO_RESULT,
    **_NUMBERS["Main results"],
)
LIMITATIONS = Aspect(
    name="Limitations",
    query="the limitations of this study, what it could not do or does not cover",
    cues=(
        (2.4, (combined.OUR_LIMIT,)),
        (2.4, (combined.LIMIT, combined.OURS)),
        (1.3, (combined.LIMIT,)),
        (1.5, (combined.DID_NOT, combined.OURS)),
    ),
    never=english.NOT_OF_OURS,
    done=False,
    **_NUMBERS["Limitations"],
)
FUTURE = Aspect(
    name="Future work",
    query="what the authors want to do next and what further research is needed",
    cues=((3.0, (combined.FUTURE,)), (2.0, (combined.INTENDS,))),
    parts=("conclusion",),
    never=english.SIGNPOST,
    done=False,
    **_NUMBERS["Future work"],
)
PROBLEM = Aspect(
    name="Problem",
    query="the problem, gap or open question that motivates the work",
    cues=((2.0, (combined.LACKING,)), (1.6, (english.ASKS,)), (0.6, (combined.CONTRAST,))),
    parts=("introduction",),
    never=english.FOUND_BY_US,
    done=False,
    **_NUMBERS["Problem"],
)
CONTRIBUTION = Aspect(
    name="Contribution",
    query="what this paper contributes, proposes or sets out to show",
    cues=(
        (2.6, (combined.WE_OFFER,)),
        (1.2, (combined.OURS, combined.OFFERS)),
        (2.2, (combined.AIM,)),
        (1.6, (combined.ARGUES,)),
    ),
    parts=("introduction",),
    never=combined.POINTS,
    **_NUMBERS["Contribution"],
)
BACKGROUND = Aspect(
    name="Background",
    query="what was known before and why the question matters",
    cues=((1.6, (combined.OTHERS,)), (1.2, (combined.LACKING,)), (1.2, (combined.MATTERS,))),
    parts=("introduction",),
    never=english.FOUND_BY_US,
    done=False,
    **_NUMBERS["Background"],
)
ARGUMENTS = Aspect(
    name="Arguments",
    query="the claims that the authors argue for",
    cues=(
        (2.6, (combined.WE_ARGUE,)),
        (2.0, (combined.WE_OFFER,)),
        (1.6, (combined.OURS, combined.ARGUES)),
        (1.4, (combined.ARGUES,)),
    ),
    parts=("conclusion", "discussion"),
    never=combined.POINTS,
    done=False,
    **_NUMBERS["Arguments"],
)
EVIDENCE = replace(RESULTS, name="Evidence", **_NUMBERS["Evidence"])

STANDARD: Mapping[str, Aspect] = {
    aspect.name: aspect for aspect in (DATASET, SIZE, METHOD, PROCEDURE, METRICS, RESULTS, LIMITATIONS, FUTURE)
}
