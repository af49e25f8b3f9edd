"""Fills one cell of a table: with the model's value where it stands in the paper, else with the paper's own words.

No value is shown that the verifier does not let through; where nothing is believed the cell stays empty.
"""

import asyncio
import re
from collections.abc import Mapping, Sequence

from core.agent.generative import context_window
from core.aspects.definitions import Aspect
from core.aspects.statement_ranking import RankedStatement, above_least_score, score_statement
from core.aspects.statements import Statement, collect_evidence
from core.assistant.studies import prompts
from core.assistant.studies.quotations import cites_any_of
from core.assistant.studies.section_writer import note_model_failure
from core.assistant.studies.study_context import StudiedPaper, StudyDependencies
from core.domain.errors import ModelUnavailable
from core.domain.model import Sentence
from core.domain.studies import Cell
from core.grounding.citations import citations_of
from core.grounding.quotes import find_quote
from core.grounding.verify import Verifier, is_refusal

TRIED = 4
"""How many statements are tried for a cell."""
SHOWN = 8
"""How many statements' passages a model is shown for a cell."""
SUPPORTING_SHARE = 0.6
"""Share of an aspect's least score from which a statement may support a model's value."""
LONG = 170
"""A statement longer than this many characters is cut to the clause on the aspect, where that is supported alone."""
SHORTEST = 40
LONGEST_VALUE = 400
_CLAUSES = re.compile(
    r";\s+|,\s+(?=(?:which|where|while|whereas|although|though|thus|thereby|resulting|making)\b)|\s+[–—]\s+"
)
_NOT_REPORTED = re.compile(
    r"^\W*(?:not (?:reported|stated|given|specified|mentioned)|none|n/?a|unknown)\b", re.IGNORECASE
)


async def fill_cell(
    aspect: Aspect,
    found: Sequence[RankedStatement],
    opened: StudiedPaper,
    verifier: Verifier,
    dependencies: StudyDependencies,
    used: set[int],
) -> tuple[Cell, bool]:
    """The cell, and whether the model's words are in it; ``used`` has the places of statements in other cells."""
    if dependencies.writes and found:
        written = await _asked(aspect, found, opened, verifier, dependencies)
        if written is not None:
            return written, True
    return await asyncio.to_thread(_quoted, aspect, above_least_score(aspect, found)[:SHOWN], verifier, used), False


def _quoted(aspect: Aspect, found: Sequence[RankedStatement], verifier: Verifier, used: set[int]) -> Cell:
    fresh = [item.statement for item in found if item.statement.place not in used][:TRIED]
    for statement in fresh:
        for text in _shorter(aspect, statement):
            quoted = _verified(aspect, statement, text, verifier)
            if quoted is not None:
                used.add(statement.place)
                return quoted
    return Cell(field=aspect.name)


def _verified(aspect: Aspect, statement: Statement, text: str, verifier: Verifier) -> Cell | None:
    """``text`` as the cell, where the verifier finds it in ``statement``."""
    sentence = verifier.sentence(statement.said_as(text))
    if not isinstance(sentence, Sentence) or not sentence.markers:
        return None
    return Cell(field=aspect.name, text=sentence.text, citations=citations_of(sentence, verifier.citations))


def _shorter(aspect: Aspect, statement: Statement) -> list[str]:
    """What to try to quote: the best clause of a long statement first, the whole statement last."""
    candidates = [statement.bare, statement.text]
    if len(statement.bare) > LONG:
        candidates = [*_best_clause(aspect, statement), *candidates]
    return list(dict.fromkeys(candidates))


def _best_clause(aspect: Aspect, statement: Statement) -> list[str]:
    """The clause of a statement that says most of the aspect; empty where none says nearly as much as the whole."""
    clauses = [_capitalised(clause.strip(" ,")) for clause in _CLAUSES.split(statement.bare)]
    least = _worth(aspect, statement.text, statement) - 0.5
    worth = {clause: _worth(aspect, clause, statement) for clause in clauses if len(clause) >= SHORTEST}
    good = [clause for clause, value in worth.items() if value >= least]
    return sorted(good, key=lambda clause: -worth[clause])[:1]


def _worth(aspect: Aspect, text: str, statement: Statement) -> float:
    """The score of ``text`` in the statement's place, without the weights of where in its zone it is."""
    return score_statement(
        aspect,
        Statement(
            passage=statement.passage, text=text, zone=statement.zone, place=statement.place, tokens=statement.tokens
        ),
    )


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


async def _asked(
    aspect: Aspect,
    found: Sequence[RankedStatement],
    opened: StudiedPaper,
    verifier: Verifier,
    dependencies: StudyDependencies,
) -> Cell | None:
    """The model's value, where it states one and a statement on the aspect supports it."""
    shown = [item.statement for item in found[:SHOWN]]
    room = context_window.room(dependencies.llm.context_tokens, dependencies.llm.max_tokens)
    evidence = context_window.fitting(collect_evidence(shown, opened.paper), room)
    if not evidence:
        return None
    prompt = prompts.value(aspect.name, aspect.query, context_window.fenced(evidence))
    try:
        reply = await dependencies.model.structured(
            prompt, prompts.EXTRACTED, system=prompts.EXTRACT, meter=dependencies.ledger
        )
    except ModelUnavailable as failure:
        note_model_failure(failure, dependencies)
        return None
    text = _value(reply)
    if not text:
        return None
    on_aspect = [item.statement for item in found[:SHOWN] if item.score >= SUPPORTING_SHARE * aspect.least]
    return await asyncio.to_thread(_supported, aspect, text, on_aspect, verifier)


def _value(reply: Mapping[str, object]) -> str:
    """The value of a model's reply; empty where it reports none, or more than a cell holds."""
    text = " ".join(str(reply.get("value", "")).split())
    if reply.get("reported") is not True or len(text) > LONGEST_VALUE:
        return ""
    none_reported = _NOT_REPORTED.match(text) or is_refusal(text)
    return "" if none_reported else text


def _supported(aspect: Aspect, text: str, statements: Sequence[Statement], verifier: Verifier) -> Cell | None:
    """A value that one of these statements on the aspect supports: what is true of something else fills no cell."""
    quoting = [statement for statement in statements if find_quote(text, statement.text)]
    for statement in quoting or statements:
        found = _verified(aspect, statement, text, verifier)
        if found is not None and cites_any_of(statements, found.citations):
            return found
    return None
