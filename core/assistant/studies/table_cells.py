"""Fills one cell of a table: with the model's value where it stands in the paper, else with the paper's own words.

No value is shown that the verifier does not let through; where nothing is believed the cell stays empty.
"""

import asyncio
import re
from collections.abc import Sequence

from core.agent.generative import context_window
from core.assistant.aspects.definitions import Aspect
from core.assistant.aspects.statement_ranking import Weighed, believed, score
from core.assistant.aspects.statements import Statement, evidence_of
from core.assistant.studies import prompts
from core.assistant.studies.quoted_sentences import borne_out_by
from core.assistant.studies.section_writer import model_failed
from core.assistant.studies.study_context import OpenPaper, StudyDependencies
from core.domain.errors import ModelUnavailable
from core.domain.model import Sentence
from core.domain.studies import Cell
from core.grounding.quotes import find_quote
from core.grounding.verify import Verifier, is_refusal

TRIED = 4
"""How many statements are tried for a cell."""
SHOWN = 8
"""How many statements' passages a model is shown for a cell."""
BEARS = 0.6
"""Share of the score from which a statement is believed by itself, from which it may bear out a model's value."""
LONG = 170
"""A statement longer than this many characters is cut to the clause that tells it, where that may be said alone."""
SHORTEST = 40
LONGEST_VALUE = 400
_CLAUSES = re.compile(
    r";\s+|,\s+(?=(?:which|where|while|whereas|although|though|thus|thereby|resulting|making)\b)|\s+[–—]\s+"
)
_NOT_REPORTED = re.compile(
    r"^\W*(?:not (?:reported|stated|given|specified|mentioned)|none|n/?a|unknown)\b", re.IGNORECASE
)


async def cell(
    aspect: Aspect,
    found: Sequence[Weighed],
    opened: OpenPaper,
    verifier: Verifier,
    dependencies: StudyDependencies,
    used: set[int],
) -> tuple[Cell, bool]:
    """The cell, and whether the model's words are in it; ``used`` are the places said in other cells already."""
    if dependencies.writes and found:
        written = await _asked(aspect, found, opened, verifier, dependencies)
        if written is not None:
            return written, True
    return await asyncio.to_thread(_quoted, aspect, believed(aspect, found)[:SHOWN], verifier, used), False


def _quoted(aspect: Aspect, found: Sequence[Weighed], verifier: Verifier, used: set[int]) -> Cell:
    fresh = [one.statement for one in found if one.statement.place not in used][:TRIED]
    for statement in fresh:
        for text in _shorter(aspect, statement):
            sentence = verifier.sentence(statement.said_as(text))
            if isinstance(sentence, Sentence) and sentence.markers:
                used.add(statement.place)
                return filled(aspect.name, sentence, verifier)
    return Cell(field=aspect.name)


def filled(name: str, sentence: Sentence, verifier: Verifier) -> Cell:
    """A verified sentence as a cell."""
    cited = {one.marker: one for one in verifier.citations}
    return Cell(field=name, text=sentence.text, citations=tuple(cited[marker] for marker in sentence.markers))


def _shorter(aspect: Aspect, statement: Statement) -> list[str]:
    """What to try to say: the telling clause of a long statement first, the whole statement last."""
    whole = statement.text
    bare = statement.bare
    tries = [bare] if bare != whole else []
    if len(bare) > LONG:
        clauses = [_opened(one.strip(" ,")) for one in _CLAUSES.split(bare)]
        rest = [one for one in clauses if len(one) >= SHORTEST and _tells(aspect, one, statement)]
        tries = [*sorted(rest, key=lambda one: -_worth(aspect, one, statement))[:1], *tries]
    return [*tries, whole]


def _tells(aspect: Aspect, clause: str, statement: Statement) -> bool:
    return _worth(aspect, clause, statement) >= _worth(aspect, statement.text, statement) - 0.5


def _worth(aspect: Aspect, text: str, statement: Statement) -> float:
    return score(
        aspect,
        Statement(
            passage=statement.passage, text=text, zone=statement.zone, place=statement.place, tokens=statement.tokens
        ),
    )


def _opened(text: str) -> str:
    return text[:1].upper() + text[1:]


async def _asked(
    aspect: Aspect, found: Sequence[Weighed], opened: OpenPaper, verifier: Verifier, dependencies: StudyDependencies
) -> Cell | None:
    """The model's value, where it states one and a statement that tells the aspect bears it out."""
    shown = [one.statement for one in found[:SHOWN]]
    room = context_window.room(dependencies.llm.context_tokens, dependencies.llm.max_tokens)
    evidence = context_window.fitting(evidence_of(shown, opened.paper), room)
    if not evidence:
        return None
    prompt = prompts.value(aspect.name, aspect.query, context_window.fenced(evidence))
    try:
        said = await dependencies.model.structured(
            prompt, prompts.EXTRACTED, system=prompts.EXTRACT, meter=dependencies.ledger
        )
    except ModelUnavailable as failure:
        model_failed(failure, dependencies)
        return None
    text = " ".join(str(said.get("value", "")).split())
    if said.get("reported") is not True or not text or len(text) > LONGEST_VALUE:
        return None
    if _NOT_REPORTED.match(text) or is_refusal(text):
        return None
    telling = [one.statement for one in found[:SHOWN] if one.score >= BEARS * aspect.least]
    return await asyncio.to_thread(_borne_out, aspect, text, telling, verifier)


def _borne_out(aspect: Aspect, text: str, shown: Sequence[Statement], verifier: Verifier) -> Cell | None:
    """Only statements that tell the aspect may bear a value out: what is true of something else fills no cell."""
    holding = [one for one in shown if find_quote(text, one.text)] or list(shown)
    for statement in holding[:SHOWN]:
        sentence = verifier.sentence(statement.said_as(text))
        if isinstance(sentence, Sentence) and sentence.markers:
            made = filled(aspect.name, sentence, verifier)
            if borne_out_by(shown, made.citations):
                return made
    return None
