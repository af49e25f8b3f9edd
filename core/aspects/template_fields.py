"""Which aspect a field of a template looks for: by its usual name, else by the words of its name and hint. Pure."""

import re
from dataclasses import replace

from core.aspects.cue_phrases import combined, english
from core.aspects.definitions import (
    ASIDE,
    CONTRIBUTION,
    DATASET,
    FUTURE,
    LIMITATIONS,
    METHOD,
    METRICS,
    PROBLEM,
    PROCEDURE,
    RESULTS,
    SIZE,
    STANDARD,
    STATISTICS,
    Aspect,
)
from core.domain.studies import TemplateField
from core.text import query_tokens

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


def find_aspect(wanted: TemplateField) -> Aspect:
    """What a field of a template looks for: by its usual name, else by the words of its name and hint."""
    known = STANDARD.get(wanted.name) or next((item for called, item in _CALLED if called.match(wanted.name)), None)
    hint = frozenset(query_tokens(wanted.hint))
    if known is not None:
        return replace(known, name=wanted.name, query=f"{known.query} {wanted.hint}".strip(), words=hint)
    if _ORGANISM.match(wanted.name):
        return replace(
            _named(wanted),
            needs=english.SPECIES,
            cues=(
                (2.8, (english.SPECIES, combined.ABOUT_DATA)),
                (2.4, (english.SPECIES, english.GOT)),
                (1.8, (english.SPECIES,)),
            ),
        )
    if _ASSAY.match(wanted.name):
        return replace(
            _named(wanted),
            never=combined.STATISTIC,
            cues=((2.4, (english.INSTRUMENT, combined.WAS_USED)), (1.4, (english.INSTRUMENT,))),
        )
    return _named(wanted)


def _named(wanted: TemplateField) -> Aspect:
    """A field of which nothing is known but its words."""
    words = f"{wanted.name} {wanted.hint}"
    return Aspect(
        name=wanted.name,
        query=words,
        cues=(),
        zones={**ASIDE, "abstract": 0.6, "method": 0.5, "data": 0.5, "results": 0.3},
        needs=english.DIGIT if _AMOUNT.search(words) else None,
        foreign=0.8,
        words=frozenset(query_tokens(words)),
        least=2.2,
    )
