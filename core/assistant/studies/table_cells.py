"""Fills a row of a table: with the model's values where the paper bears them out, else with the paper's own words.

No value is shown that the verifier does not let through; where nothing is believed the cell stays empty.
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from core.agent import messages
from core.assistant.aspects.definitions import Aspect
from core.assistant.aspects.statement_ranking import RankedStatement, above_least_score, score_statement
from core.assistant.aspects.statements import Statement
from core.assistant.studies.study_claims import passages_shown
from core.assistant.studies.study_context import StudyDependencies
from core.domain.entailment import EntailmentPair
from core.domain.errors import ModelReplyUnusable, ModelUnavailable
from core.domain.model import Evidence, Sentence
from core.domain.studies import Cell
from core.grounding.citations import citations_of
from core.grounding.verify import CheckedSentence, DraftSentence, Verifier
from core.llm import prompts
from core.llm.second_reading import SecondReading

TRIED = 4
"""How many statements are tried for a cell."""
SHOWN = 8
"""How many statements' passages a model is shown for a cell."""
LONG = 170
"""A statement longer than this many characters is cut to the clause on the aspect, where that is supported alone."""
SHORTEST = 40
LONGEST_VALUE = 400
_CLAUSES = re.compile(
    r";\s+|,\s+(?=(?:which|where|while|whereas|although|though|thus|thereby|resulting|making)\b)|\s+[–—]\s+"
)


async def read_values(
    aspects: Sequence[Aspect], evidence: Sequence[Evidence], verifier: Verifier, dependencies: StudyDependencies
) -> Mapping[str, Cell]:
    """The model's values by field, asked for in one call; those that are not the quote's own words are read again."""
    shown = passages_shown(evidence, dependencies, prompts.VALUES)
    if not shown.evidence:
        return {}
    asked = prompts.values(shown.text, [(aspect.name, aspect.query) for aspect in aspects])
    try:
        reply = await dependencies.model.structured(
            asked, prompts.VALUED, system=prompts.VALUES, meter=dependencies.ledger
        )
        drafts = _drafts(reply, [item.passage.id for item in shown.evidence])
        checked = {
            name: outcome
            for name, draft in drafts.items()
            if isinstance(outcome := await asyncio.to_thread(verifier.check, draft), CheckedSentence)
        }
        proved = await _proved(checked, dependencies)
    except ModelReplyUnusable:
        return {}
    except ModelUnavailable as failure:
        dependencies.ledger.down = True
        dependencies.ledger.note(messages.model_away(failure.words))
        return {}
    return {
        aspect.name: _cell(aspect, verifier.accept(proved[aspect.name]), verifier)
        for aspect in aspects
        if aspect.name in proved
    }


def _drafts(reply: Mapping[str, object], passages: Sequence[str]) -> dict[str, DraftSentence]:
    """The values of a reply by field, each with its quote; where the lists are not of one length there are none."""
    fields, quotes, values = (cast(Sequence[str], reply[name]) for name in ("fields", "quotes", "values"))
    numbers = cast(Sequence[int], reply["passages"])
    if not len(fields) == len(numbers) == len(quotes) == len(values):
        return {}
    known = dict(enumerate(passages, 1))
    return {
        field: DraftSentence(text=" ".join(value.split()), sources=((known.get(number, ""), quote),))
        for field, number, quote, value in zip(fields, numbers, quotes, values, strict=True)
        if len(value) <= LONGEST_VALUE
    }


async def _proved(
    checked: Mapping[str, CheckedSentence], dependencies: StudyDependencies
) -> Mapping[str, CheckedSentence]:
    """What the rules prove, and what a second reading does, which sees each value with its field."""
    open_ones = {name: item for name, item in checked.items() if not item.verdict.entailed}
    reader = SecondReading(dependencies.model, dependencies.ledger)
    pairs = [_pair(name, item) for name, item in open_ones.items()]
    verdicts = dict(zip(open_ones, await reader.judge(pairs), strict=True))
    return {name: item for name, item in checked.items() if name not in verdicts or verdicts[name].entailed}


def _pair(name: str, item: CheckedSentence) -> EntailmentPair:
    return replace(item.pair, sentence=f"{name}: {item.text}")


def quote_cell(aspect: Aspect, found: Sequence[RankedStatement], verifier: Verifier, used: set[int]) -> Cell:
    """A cell in the paper's own words; ``used`` has the places of statements that are in other cells."""
    likely = above_least_score(aspect, found)[:SHOWN]
    fresh = [item.statement for item in likely if item.statement.place not in used][:TRIED]
    for statement in fresh:
        for text in _shorter(aspect, statement):
            is_whole = text in (statement.bare, statement.text)
            sentence = verifier.sentence(statement.said_as(text if is_whole else f"[…] {text} […]"))
            if isinstance(sentence, Sentence) and sentence.markers:
                used.add(statement.place)
                return _cell(aspect, replace(sentence, text=text), verifier)
    return Cell(field=aspect.name)


def _cell(aspect: Aspect, sentence: Sentence, verifier: Verifier) -> Cell:
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
