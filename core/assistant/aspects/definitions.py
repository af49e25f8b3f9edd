"""What a reader looks for in a paper, as signs by which the sentence that tells it is known. Pure; no model.

An aspect is a field of an extraction, a section of a summary or a part of a review. The signs are words that authors
of any field use to say what they did and found, never words of a topic; see docs/studies.md for how they were chosen.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from core.assistant.aspects.cue_phrases import combined, english
from core.assistant.aspects.section_zones import Zone

Cue = tuple[float, tuple[re.Pattern[str], ...]]
"""A weight, and the patterns that a sentence must all match to earn it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aspect:
    """``cues`` tell that a sentence speaks of the aspect, ``zones`` where it usually stands, ``needs`` what it must
    hold and ``never`` what it may not. ``foreign`` is taken off where a sentence tells of other people's work, and
    ``least`` is the score from which it is believed. ``query`` is what its meaning is compared with.
    """

    name: str
    query: str
    cues: tuple[Cue, ...]
    zones: Mapping[Zone, float]
    parts: tuple[Zone, ...] = ()
    """The parts of an abstract with heads that tell it."""
    needs: re.Pattern[str] | None = None
    counted: bool = False
    never: re.Pattern[str] | None = None
    foreign: float = 1.0
    own: float = 0.6
    turn: int = 5
    """When it picks: what only few sentences tell goes before what many could."""
    central: float = 1.8
    """Weight of the cosine with what the paper is about: its title and abstract."""
    early: float = 0.0
    """For standing early in its zone (negative: late)."""
    done: bool = True
    """Whether it is about what was done, not about what could be."""
    least: float = 2.4
    words: frozenset[str] = field(default_factory=frozenset)
    """Tokens of a field that is known by its name alone."""


ASIDE: Mapping[Zone, float] = {"introduction": -1.0, "related": -2.5, "discussion": -0.8, "appendix": -0.5}
"""Where a paper tells of other things than its own work."""

DATASET = Aspect(
    name="Dataset",
    turn=6,
    query="the data set, corpus, sample, participants or material that the study uses",
    cues=(
        (2.2, (combined.ABOUT_DATA,)),
        (1.0, (combined.DATA, combined.OURS)),
        (1.8, (combined.ABOUT_DATA, english.NAMED)),
        (0.8, (combined.DATA,)),
    ),
    parts=("method", "data"),
    zones={**ASIDE, "data": 1.2, "method": 0.8, "abstract": 1.0, "results": -0.4, "conclusion": -0.6},
    central=2.6,
    never=combined.NO_DATA,
    foreign=1.0,
    least=4.0,
    early=0.8,
)
SIZE = Aspect(
    name="Size",
    turn=2,
    query="how many participants, samples, documents or observations there are",
    cues=(
        (3.0, (combined.COUNTED, combined.TOTAL)),
        (2.4, (combined.COUNTED, combined.SIZED)),
        (1.8, (combined.COUNTED,)),
        (1.0, (combined.SIZED,)),
        (0.5, (combined.OURS,)),
    ),
    parts=("method", "data", "results"),
    zones={**ASIDE, "data": 1.2, "method": 0.6, "abstract": 1.2, "results": 0.2, "conclusion": 0.2},
    counted=True,
    foreign=1.6,
    least=3.9,
)
METHOD = Aspect(
    name="Method or architecture",
    turn=7,
    query="the method, model, design or approach of the study",
    cues=(
        (2.4, (combined.WE_USE,)),
        (1.8, (combined.OURS, combined.DOES, combined.MEANS)),
        (2.0, (combined.MEANS, combined.WAS_USED)),
        (1.6, (combined.MIXED,)),
        (1.0, (combined.MEANS, combined.DOES)),
    ),
    parts=("method",),
    zones={**ASIDE, "introduction": 0.0, "abstract": 1.3, "method": 1.0, "data": 0.2, "results": -0.5},
    central=3.2,
    never=combined.NO_METHOD,
    foreign=0.5,
    least=4.6,
)
PROCEDURE = Aspect(
    name="Training or procedure",
    turn=8,
    query="how the experiment was carried out or the model was trained, step by step",
    cues=(
        (2.4, (combined.TRAINED, combined.WAS_USED, english.DIGIT)),
        (2.4, (combined.WE_TRAINED,)),
        (2.0, (combined.TRAINED, combined.OURS)),
        (1.9, (combined.TREATED,)),
        (1.6, (combined.TRAINED,)),
    ),
    parts=("method",),
    zones={
        **ASIDE,
        "introduction": -1.2,
        "method": 1.2,
        "data": 0.7,
        "abstract": 0.2,
        "results": -0.8,
        "conclusion": -1.0,
    },
    never=combined.NO_METHOD,
    central=1.0,
    foreign=0.9,
    least=3.8,
)
METRICS = Aspect(
    name="Metrics",
    turn=3,
    query="the measures, scores and statistical tests by which results are judged",
    cues=((2.6, (combined.MEASURE, combined.MEASURED)), (1.6, (combined.MEASURE,)), (0.6, (combined.OURS,))),
    parts=("method", "results"),
    zones={**ASIDE, "method": 1.0, "data": 0.3, "results": 0.9, "abstract": 0.2, "conclusion": -0.4},
    needs=combined.MEASURE,
    central=1.0,
    foreign=1.5,
    least=3.9,
)
STATISTICS = Aspect(
    name="Statistics",
    turn=2,
    query="the statistical tests and analyses, the software and the level of significance",
    cues=(
        (2.6, (combined.STATISTIC, combined.WAS_USED)),
        (2.2, (combined.STATISTIC, combined.MEASURED)),
        (1.4, (combined.STATISTIC,)),
    ),
    parts=("method",),
    zones={**ASIDE, "method": 1.4, "data": 0.4, "results": 0.3, "abstract": -0.4, "conclusion": -1.0},
    needs=combined.STATISTIC,
    central=0.6,
    foreign=1.5,
    least=3.2,
)
RESULTS = Aspect(
    name="Main results",
    turn=4,
    query="the main results and findings of the study",
    cues=(
        (2.4, (combined.WE_FOUND,)),
        (2.0, (combined.OURS, combined.FOUND)),
        (1.6, (combined.CHANGED,)),
        (1.0, (combined.FOUND,)),
        (0.5, (english.DIGIT,)),
    ),
    parts=("results",),
    zones={
        **ASIDE,
        "abstract": 1.6,
        "conclusion": 1.4,
        "results": 0.4,
        "discussion": 0.2,
        "method": -1.0,
        "data": -1.0,
    },
    never=combined.NO_RESULT,
    foreign=2.0,
    early=-0.8,
    least=4.4,
)
LIMITATIONS = Aspect(
    name="Limitations",
    turn=1,
    query="the limitations of this study, what it could not do or does not cover",
    cues=(
        (2.4, (combined.OUR_LIMIT,)),
        (2.4, (combined.LIMIT, combined.OURS)),
        (1.3, (combined.LIMIT,)),
        (1.5, (combined.DID_NOT, combined.OURS)),
    ),
    zones={
        "limitations": 2.2,
        "discussion": 0.7,
        "conclusion": 0.7,
        "introduction": -1.5,
        "related": -2.5,
        "abstract": -0.6,
        "method": -0.6,
        "results": -0.6,
        "future": 0.5,
    },
    central=0.6,
    never=english.NOT_OF_OURS,
    foreign=2.0,
    done=False,
    least=3.4,
)
FUTURE = Aspect(
    name="Future work",
    turn=0,
    query="what the authors want to do next and what further research is needed",
    cues=((3.0, (combined.FUTURE,)), (2.0, (combined.INTENDS,))),
    parts=("conclusion",),
    zones={
        "future": 1.5,
        "limitations": 0.6,
        "conclusion": 1.0,
        "discussion": 0.6,
        "introduction": -1.2,
        "related": -2.5,
        "abstract": -0.3,
        "method": -0.5,
    },
    central=0.6,
    never=english.SIGNPOST,
    foreign=1.2,
    done=False,
    least=3.3,
)
PROBLEM = Aspect(
    name="Problem",
    turn=9,
    query="the problem, gap or open question that motivates the work",
    cues=((2.0, (combined.LACKING,)), (1.6, (english.ASKS,)), (0.6, (combined.CONTRAST,))),
    parts=("introduction",),
    zones={"abstract": 1.6, "introduction": 1.2, "front": 0.2, "related": -1.0, "results": -2.0, "conclusion": -1.0},
    never=english.FOUND_BY_US,
    central=1.0,
    foreign=0.3,
    own=0.0,
    early=0.8,
    done=False,
    least=2.8,
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
    zones={
        **ASIDE,
        "abstract": 1.6,
        "introduction": 1.2,
        "front": 0.2,
        "conclusion": 0.6,
        "related": -1.5,
        "results": -1.5,
        "method": -0.6,
        "appendix": -1.5,
    },
    never=combined.POINTS,
    foreign=1.0,
    least=4.0,
)
BACKGROUND = Aspect(
    name="Background",
    turn=9,
    query="what was known before and why the question matters",
    cues=((1.6, (combined.OTHERS,)), (1.2, (combined.LACKING,)), (1.2, (combined.MATTERS,))),
    parts=("introduction",),
    zones={"introduction": 1.6, "related": 1.2, "abstract": 0.8, "front": 0.2, "results": -2.0, "method": -1.5},
    never=english.FOUND_BY_US,
    central=0.8,
    foreign=-0.4,
    own=-0.8,
    early=0.6,
    done=False,
    least=2.6,
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
    zones={"abstract": 1.2, "introduction": 0.9, "discussion": 1.0, "conclusion": 1.2, "related": -2.0, "method": -0.8},
    never=combined.POINTS,
    foreign=1.8,
    done=False,
    least=3.6,
)
EVIDENCE = replace(RESULTS, name="Evidence", zones={**RESULTS.zones, "results": 1.2, "abstract": 0.8}, early=0.0)

STANDARD: Mapping[str, Aspect] = {
    one.name: one for one in (DATASET, SIZE, METHOD, PROCEDURE, METRICS, RESULTS, LIMITATIONS, FUTURE)
}
