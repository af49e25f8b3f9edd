"""What a reader looks for in a paper, as signs by which the sentence that tells it is known. Pure; no model.

An aspect is a field of an extraction, a section of a summary or a part of a review. The signs are words that authors
of any field use to say what they did and found, never words of a topic; see docs/studies.md for how they were chosen.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from core.assistant import signs
from core.assistant.statements import Zone
from core.domain.studies import TemplateField
from core.text import query_tokens

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


_BACKGROUND: Mapping[Zone, float] = {"introduction": -1.0, "related": -2.5, "discussion": -0.8, "appendix": -0.5}

DATASET = Aspect(
    name="Dataset",
    turn=6,
    query="the data set, corpus, sample, participants or material that the study uses",
    cues=(
        (2.2, (signs.ABOUT_DATA,)),
        (1.0, (signs.DATA, signs.OURS)),
        (1.8, (signs.ABOUT_DATA, signs.NAMED)),
        (0.8, (signs.DATA,)),
    ),
    zones={**_BACKGROUND, "data": 1.2, "method": 0.8, "abstract": 1.0, "results": -0.4, "conclusion": -0.6},
    central=2.6,
    never=signs.POINTS,
    foreign=1.0,
    least=4.0,
    early=0.8,
)
SIZE = Aspect(
    name="Size",
    turn=2,
    query="how many participants, samples, documents or observations there are",
    cues=(
        (3.0, (signs.COUNTED, signs.TOTAL)),
        (2.4, (signs.COUNTED, signs.SIZED)),
        (1.8, (signs.COUNTED,)),
        (1.0, (signs.SIZED,)),
        (0.5, (signs.OURS,)),
    ),
    zones={**_BACKGROUND, "data": 1.2, "method": 0.6, "abstract": 1.2, "results": 0.2, "conclusion": 0.2},
    counted=True,
    foreign=1.6,
    least=3.9,
)
METHOD = Aspect(
    name="Method or architecture",
    turn=7,
    query="the method, model, design or approach of the study",
    cues=(
        (2.2, (signs.OURS, signs.DOES, signs.MEANS)),
        (2.0, (signs.MEANS, signs.WAS_USED)),
        (1.6, (signs.MIXED,)),
        (1.0, (signs.MEANS, signs.DOES)),
    ),
    zones={**_BACKGROUND, "introduction": 0.0, "abstract": 1.3, "method": 1.0, "data": 0.2, "results": -0.5},
    central=3.2,
    never=signs.NO_METHOD,
    foreign=0.5,
    least=4.6,
)
PROCEDURE = Aspect(
    name="Training or procedure",
    turn=8,
    query="how the experiment was carried out or the model was trained, step by step",
    cues=(
        (2.4, (signs.TRAINED, signs.WAS_USED, signs.DIGIT)),
        (2.2, (signs.TRAINED, signs.OURS)),
        (1.9, (signs.TREATED,)),
        (1.6, (signs.TRAINED,)),
    ),
    zones={**_BACKGROUND, "method": 1.2, "data": 0.7, "abstract": 0.2, "results": -0.8, "conclusion": -1.0},
    never=signs.NO_METHOD,
    central=1.0,
    foreign=0.9,
    least=3.8,
)
METRICS = Aspect(
    name="Metrics",
    turn=3,
    query="the measures, scores and statistical tests by which results are judged",
    cues=((2.6, (signs.MEASURE, signs.MEASURED)), (1.6, (signs.MEASURE,)), (0.6, (signs.OURS,))),
    zones={**_BACKGROUND, "method": 1.0, "data": 0.3, "results": 0.9, "abstract": 0.2, "conclusion": -0.4},
    needs=signs.MEASURE,
    central=1.0,
    foreign=1.5,
    least=3.9,
)
STATISTICS = Aspect(
    name="Statistics",
    turn=2,
    query="the statistical tests and analyses, the software and the level of significance",
    cues=(
        (2.6, (signs.STATISTIC, signs.WAS_USED)),
        (2.2, (signs.STATISTIC, signs.MEASURED)),
        (1.4, (signs.STATISTIC,)),
    ),
    zones={**_BACKGROUND, "method": 1.4, "data": 0.4, "results": 0.3, "abstract": -0.4, "conclusion": -1.0},
    needs=signs.STATISTIC,
    central=0.6,
    foreign=1.5,
    least=3.2,
)
RESULTS = Aspect(
    name="Main results",
    turn=4,
    query="the main results and findings of the study",
    cues=((2.4, (signs.OURS, signs.FOUND)), (1.6, (signs.CHANGED,)), (1.0, (signs.FOUND,)), (0.5, (signs.DIGIT,))),
    zones={
        **_BACKGROUND,
        "abstract": 1.6,
        "conclusion": 1.4,
        "results": 0.4,
        "discussion": 0.2,
        "method": -1.0,
        "data": -1.0,
    },
    never=signs.NO_RESULT,
    foreign=2.0,
    early=-0.8,
    least=4.4,
)
LIMITATIONS = Aspect(
    name="Limitations",
    turn=1,
    query="the limitations of this study, what it could not do or does not cover",
    cues=((2.4, (signs.LIMIT, signs.OURS)), (1.3, (signs.LIMIT,)), (1.5, (signs.DID_NOT, signs.OURS))),
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
    never=signs.NOT_OF_OURS,
    foreign=2.0,
    done=False,
    least=3.4,
)
FUTURE = Aspect(
    name="Future work",
    turn=0,
    query="what the authors want to do next and what further research is needed",
    cues=((3.0, (signs.FUTURE,)), (2.0, (signs.INTENDS,))),
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
    never=signs.SIGNPOST,
    foreign=1.2,
    done=False,
    least=3.3,
)
PROBLEM = Aspect(
    name="Problem",
    turn=9,
    query="the problem, gap or open question that motivates the work",
    cues=((2.0, (signs.LACKING,)), (1.6, (signs.ASKS,)), (0.6, (signs.CONTRAST,))),
    zones={"abstract": 1.6, "introduction": 1.2, "front": 0.2, "related": -1.0, "results": -2.0, "conclusion": -1.0},
    never=signs.FOUND_BY_US,
    central=1.0,
    foreign=0.3,
    own=0.0,
    early=0.8,
    done=False,
    least=2.2,
)
CONTRIBUTION = Aspect(
    name="Contribution",
    query="what this paper contributes, proposes or sets out to show",
    cues=((2.6, (signs.OURS, signs.OFFERS)), (2.2, (signs.AIM,)), (1.6, (signs.ARGUES,))),
    zones={"abstract": 1.6, "introduction": 1.2, "front": 0.2, "conclusion": 0.6, "related": -1.5, "results": -1.5},
    never=signs.POINTS,
    foreign=1.0,
    least=2.6,
)
BACKGROUND = Aspect(
    name="Background",
    turn=9,
    query="what was known before and why the question matters",
    cues=((1.6, (signs.OTHERS,)), (1.2, (signs.LACKING,)), (1.2, (signs.MATTERS,))),
    zones={"introduction": 1.6, "related": 1.2, "abstract": 0.8, "front": 0.2, "results": -2.0, "method": -1.5},
    never=signs.FOUND_BY_US,
    central=0.8,
    foreign=-0.4,
    own=-0.8,
    early=0.6,
    done=False,
    least=2.0,
)
ARGUMENTS = Aspect(
    name="Arguments",
    query="the claims that the authors argue for",
    cues=((2.6, (signs.OURS, signs.ARGUES)), (2.0, (signs.OURS, signs.OFFERS)), (1.4, (signs.ARGUES,))),
    zones={"abstract": 1.2, "introduction": 0.9, "discussion": 1.0, "conclusion": 1.2, "related": -2.0, "method": -0.8},
    never=signs.POINTS,
    foreign=1.8,
    done=False,
    least=2.6,
)
EVIDENCE = replace(RESULTS, name="Evidence", zones={**RESULTS.zones, "results": 1.2, "abstract": 0.8}, early=0.0)

STANDARD: Mapping[str, Aspect] = {
    one.name: one for one in (DATASET, SIZE, METHOD, PROCEDURE, METRICS, RESULTS, LIMITATIONS, FUTURE)
}
_CALLED: tuple[tuple[re.Pattern[str], Aspect], ...] = tuple(
    (re.compile(rf"^\W*(?:{pattern})\W*$", re.IGNORECASE), aspect)
    for pattern, aspect in (
        (
            r"(?:the )?data(?:sets?|bases?| ?sources?)?|corpus|corpora|participants|materials?|samples?"
            r"|study population",
            DATASET,
        ),
        (r"(?:sample |data ?set )?sizes?|n|number of (?:participants|samples|patients|subjects)|sample", SIZE),
        (r"(?:the )?(?:methods?|methodology|models?|architecture|approach|study design|design)", METHOD),
        (r"training|procedures?|protocols?|experimental procedures?|interventions?|treatments?", PROCEDURE),
        (r"metrics?|measures?|outcome measures?|evaluation", METRICS),
        (r"statistics|statistical (?:tests?|analys[ei]s|methods?)", STATISTICS),
        (r"(?:main |key )?(?:results?|findings?|outcomes?)|conclusions?", RESULTS),
        (r"limitations?|weakness(?:es)?", LIMITATIONS),
        (r"future (?:work|research|directions?)|outlook|next steps", FUTURE),
        (r"problem|research (?:question|problem)|question|motivation", PROBLEM),
        (r"contributions?|aims?|objectives?|goals?|hypothes[ei]s", CONTRIBUTION),
    )
)
_ORGANISM = re.compile(r"^\W*(?:(?:model |study )?organisms?|species|strains?|taxa|animal model)\W*$", re.IGNORECASE)
_ASSAY = re.compile(r"^\W*(?:assays?|instruments?|measurements?|techniques?|equipment)\W*$", re.IGNORECASE)
_AMOUNT = re.compile(
    r"\b(?:sizes?|numbers?|how (?:many|much|long|often|large|old)|counts?|n|ages?|doses?|temperatures?|durations?"
    r"|rates?"
    r"|percentages?|share|concentrations?|amounts?|years?|lengths?|weights?|costs?|prices?|speeds?|parameters)\b",
    re.IGNORECASE,
)


def aspect_of(wanted: TemplateField) -> Aspect:
    """What a field of a template looks for: by its usual name, else by the words of its name and hint."""
    known = STANDARD.get(wanted.name) or next((one for called, one in _CALLED if called.match(wanted.name)), None)
    hint = frozenset(query_tokens(wanted.hint))
    if known is not None:
        return replace(known, name=wanted.name, query=f"{known.query} {wanted.hint}".strip(), words=hint)
    if _ORGANISM.match(wanted.name):
        return replace(
            _named(wanted),
            needs=signs.SPECIES,
            cues=((2.8, (signs.SPECIES, signs.ABOUT_DATA)), (2.4, (signs.SPECIES, signs.GOT)), (1.8, (signs.SPECIES,))),
        )
    if _ASSAY.match(wanted.name):
        return replace(
            _named(wanted),
            never=signs.STATISTIC,
            cues=((2.4, (signs.INSTRUMENT, signs.WAS_USED)), (1.4, (signs.INSTRUMENT,))),
        )
    return _named(wanted)


def _named(wanted: TemplateField) -> Aspect:
    """A field of which nothing is known but its words."""
    words = f"{wanted.name} {wanted.hint}"
    return Aspect(
        name=wanted.name,
        query=words,
        cues=(),
        zones={**_BACKGROUND, "abstract": 0.6, "method": 0.5, "data": 0.5, "results": 0.3},
        needs=signs.DIGIT if _AMOUNT.search(words) else None,
        foreign=0.8,
        words=frozenset(query_tokens(words)),
        least=2.2,
    )
