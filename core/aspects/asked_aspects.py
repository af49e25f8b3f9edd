"""Which aspect of a paper a question asks for, and the statements of a paper on it. Pure; no model.

Studies look for the same aspects with the same weights; here also what stands in the back matter (funding, where the
data are, ethics, interests), which is known by its heading and its wording alone.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.aspects import definitions
from core.aspects.definitions import Aspect
from core.aspects.section_zones import Zone
from core.aspects.statement_ranking import Cosines, RankedStatement, rank_statements
from core.aspects.statements import Statement
from core.domain.model import Passage
from core.text import index_tokens, sentence_spans
from core.text.languages import ASPECT_NAMES, asked_pattern, cue_pattern, heading_pattern
from core.text.languages.aspect_words import AspectName

_CONCLUSION_ZONES: Mapping[Zone, float] = {"conclusion": 2.2, "abstract": 0.8, "discussion": 0.4, "related": -2.5}
STATED: Mapping[AspectName, Aspect] = {
    "limitations": definitions.LIMITATIONS,
    "future": definitions.FUTURE,
    "size": definitions.SIZE,
    "participants": definitions.DATASET,
    "statistics": definitions.STATISTICS,
    "measures": definitions.METRICS,
    "results": definitions.RESULTS,
    "conclusion": replace(definitions.RESULTS, name="Conclusion", zones=_CONCLUSION_ZONES, least=3.0),
    "aim": definitions.CONTRIBUTION,
    "methods": definitions.METHOD,
    "about": replace(definitions.CONTRIBUTION, name="Subject", least=2.0),
}
"""Aspects that sentences all over a paper may be on."""
_OWN_ZONES: Mapping[AspectName, frozenset[Zone]] = {
    "limitations": frozenset(("limitations",)),
    "future": frozenset(("future",)),
    "participants": frozenset(("data",)),
    "results": frozenset(("results",)),
    "conclusion": frozenset(("conclusion",)),
    "methods": frozenset(("method",)),
    "about": frozenset(("abstract",)),
    "aim": frozenset(("abstract",)),
}
"""The part of a paper that bears the name of an aspect: its text is shown before anybody says that nothing is there."""
SAYS_LITTLE = 8
"""A statement of fewer words only leads on to what it announces."""
LOOKED_AT = 3
HEADED, CUED, RUN_IN = 1.0, 1.5, 1.0
"""What a sentence of the back matter earns by the heading above it, by its words, and by a heading in its line."""
_RUN_IN = re.compile(r"^\W*([^:.]{3,60})[:.]\s")
_SHORTEST = 4
_COMPLEMENT = re.compile(r"\s(?:of|in|from|by|for)\b.*$", re.IGNORECASE | re.DOTALL)


def aspect_asked(question: str) -> AspectName | None:
    """The aspect that ``question`` asks for as a whole; None where it asks for one thing in particular."""
    return next((name for name in ASPECT_NAMES if asked_pattern(name).search(question)), None)


def words_asking(question: str, name: AspectName) -> frozenset[str]:
    """Tokens of the words by which ``question`` asks for the aspect, which need not stand in an answer."""
    found = asked_pattern(name).search(question)
    return frozenset(index_tokens(_COMPLEMENT.sub("", found.group()))) if found else frozenset()


def query_of(name: AspectName) -> str:
    """What a sentence on the aspect is compared with in meaning."""
    return STATED[name].query if name in STATED else name


def rank_stated(
    name: AspectName, statements: Sequence[Statement], near: Cosines
) -> tuple[tuple[RankedStatement, ...], bool]:
    """Statements on an aspect, best first, and whether the best is one beyond doubt.

    Where none scores enough, those under the heading of that name, in their order.
    """
    aspect = STATED[name]
    ranked = rank_statements(aspect, statements, near)
    if ranked and ranked[0].score >= aspect.least:
        return _announced_first(ranked, statements), True
    zones = _OWN_ZONES.get(name, frozenset[Zone]())
    headed = [item for item in statements if item.zone in zones and not item.is_dependent]
    under = tuple(RankedStatement(statement=item, score=1.0) for item in headed)
    return under or ranked, bool(under)


def _announced_first(ranked: Sequence[RankedStatement], statements: Sequence[Statement]) -> tuple[RankedStatement, ...]:
    """Behind a short sentence that only announces the aspect ("This study has limitations.") comes what it announces:
    the sentences after it in its section, in their order.
    """
    announcing = next((item for item in ranked[:LOOKED_AT] if len(item.statement.text.split()) < SAYS_LITTLE), None)
    if announcing is None:
        return tuple(ranked)
    place, section = announcing.statement.place, announcing.statement.passage.section
    behind = [item for item in statements if 0 < item.place - place <= LOOKED_AT and item.passage.section == section]
    first = [RankedStatement(statement=item, score=ranked[0].score) for item in behind]
    places = {item.place for item in behind}
    return (*first, *(item for item in ranked if item.statement.place not in places))


def find_notices(name: AspectName, passages: Sequence[Passage]) -> tuple[RankedStatement, ...]:
    """Sentences of the back matter (or of a note elsewhere) on an aspect, best first."""
    found = [item for passage in passages if passage.kind in ("text", "list") for item in _notices(name, passage)]
    # Places before the first keep them apart from the statements of the body.
    placed = [
        replace(item, statement=replace(item.statement, place=index - len(found))) for index, item in enumerate(found)
    ]
    return tuple(sorted(placed, key=lambda item: -item.score))


def find_field(
    aspect: Aspect, ranked: Sequence[RankedStatement], statements: Sequence[Statement], passages: Sequence[Passage]
) -> tuple[RankedStatement, ...]:
    """What a study shows for a field: its ``ranked`` statements, those of the back matter where it is found there, and
    where none scores enough what stands under a heading of the field's name.
    """
    name = aspect_asked(aspect.name)
    if name is not None and name not in STATED:
        notices = find_notices(name, passages)
        return tuple(replace(item, score=aspect.least + item.score) for item in notices) or tuple(ranked)
    if ranked and ranked[0].score >= aspect.least:
        return tuple(ranked)
    called = frozenset(index_tokens(aspect.name))
    headed = [item for item in statements if called <= frozenset(index_tokens(" ".join(item.passage.section[-1:])))]
    return (*(RankedStatement(statement=item, score=aspect.least) for item in headed), *ranked)


def _notices(name: AspectName, passage: Passage) -> list[RankedStatement]:
    headed = any(_names(name, heading) for heading in passage.section[-1:])
    found: list[RankedStatement] = []
    for start, end in sentence_spans(passage.text):
        text = " ".join(passage.text[start:end].split())
        run_in = _RUN_IN.match(text)
        score = HEADED * headed + CUED * bool(cue_pattern(name).search(text))
        score += RUN_IN * bool(run_in and _names(name, run_in[1]))
        if score >= HEADED and len(text.split()) >= _SHORTEST:
            statement = Statement(passage=passage, text=text, zone="back", place=0)
            found.append(RankedStatement(statement=statement, score=score))
    return found


def _names(name: AspectName, heading: str) -> bool:
    return bool(re.search(rf"^\W*(?:[\dIVX.]+\s+)?(?:{heading_pattern(name).pattern})", heading, re.IGNORECASE))
