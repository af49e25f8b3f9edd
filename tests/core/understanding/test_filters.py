"""Limits that askers put in words, what they leave, and a search that is asked to go wider."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.agent.reasoner import RunContext
from core.agent.retrieval import WIDE_PASSAGES, gather_evidence, widen_for_reach
from core.domain.model import Metadata, Paper
from core.domain.ports import Filters
from core.domain.request_context import RequestContext
from core.understanding import filters
from core.understanding.route import Part
from tests.core.agent import small_library as small


def _paper(author: str) -> Paper:
    return Paper(
        id=author,
        file_name="a.pdf",
        metadata=Metadata(title="Otters", authors=(author,)),
        pages=1,
        kind="born digital",
        added_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


SHELF = (_paper("Mara Lindqvist"), _paper("José Ortega"))


@pytest.mark.parametrize(
    ("question", "limits"),
    [
        ("What F1 is given in the tables of the corpus paper?", Filters(kinds=frozenset({"table"}))),
        ("Which recall stands in the tables?", Filters(kinds=frozenset({"table"}))),
        ("Welche Werte stehen in den Tabellen?", Filters(kinds=frozenset({"table"}))),
        ("What is shown in the figures on sleep?", Filters(kinds=frozenset({"figure", "caption"}))),
        ("What do papers published since 2020 say on drought?", Filters(since=2020)),
        ("What do papers published after 2020 say on drought?", Filters(since=2021)),
        ("Which papers before 2015 measured sleep?", Filters(until=2014)),
        ("What do studies from 2010 to 2015 say?", Filters(since=2010, until=2015)),
        ("What is said in the discussion section on sleep?", Filters(section="discussion")),
        ("What does it say in section “Data and code”?", Filters(section="data and code")),
        ("What do the papers by Lindqvist say on otters?", Filters(author="Lindqvist")),
        ("What do studies by J. Ortega et al. say on otters?", Filters(author="J. Ortega")),
    ],
)
def test_what_is_said_without_doubt_is_a_limit(question: str, limits: Filters) -> None:
    found = filters.parse_filters(question, [*SHELF, _paper("J. Ortega")])
    assert found == limits


@pytest.mark.parametrize(
    "question",
    [
        "What does Table 2 list?",
        "How much did yield fall since 2020?",
        "Which results were found in the discussion of sleep?",
        "What do papers by Nobody say on otters?",
        "How was the survey by phone done?",
        "Which tables does the database hold?",
        "In which year was the first paper?",
    ],
)
def test_what_only_sounds_like_one_is_none(question: str) -> None:
    assert filters.parse_filters(question, SHELF) == Filters()


def test_limits_are_told_as_a_reader_would_say_them() -> None:
    limits = Filters(kinds=frozenset({"table"}), section="methods", since=2020, author="Lindqvist")
    assert filters.describe_filters(limits) == (
        "tables",
        "sections on “methods”",
        "papers since 2020",
        "papers by Lindqvist",
    )
    assert filters.describe_filters(Filters()) == ()


def _run() -> RunContext:
    held = small.library()
    request = RequestContext(scope=small.SCOPE, thread=small.THREAD)
    return RunContext(request=request, dependencies=small.dependencies(held), papers=held.held)


async def test_a_limit_that_leaves_nothing_is_dropped_and_told() -> None:
    run = _run()
    part = Part(
        number=1, question="yield?", query="grain yield wheat heat", filters=Filters(kinds=frozenset({"formula"}))
    )
    found = await gather_evidence(replace(part, filters=Filters()), run)
    assert found, "the small library answers this without limits"
    assert run.ledger.notes == []
    limited = await gather_evidence(part, run)
    assert [one.passage.id for one in limited] == [one.passage.id for one in found]
    assert run.ledger.notes == ["nothing was found in formulas, so everything was searched"]


async def test_a_limit_that_holds_is_told_in_the_footer() -> None:
    run = _run()
    part = Part(number=1, question="yield?", query="grain yield wheat heat", filters=Filters(kinds=frozenset({"text"})))
    found = await gather_evidence(part, run)
    assert found
    assert {one.passage.kind for one in found} == {"text"}
    assert len(run.ledger.notes) == 1
    assert run.ledger.notes[0].startswith("as asked, only ")


def test_wider_brings_more_passages_and_sets_a_lower_bar() -> None:
    run = _run()
    wide = widen_for_reach(run, "wide")
    assert wide.k == WIDE_PASSAGES
    assert wide.dependencies.config.strictness < run.dependencies.config.strictness
    assert any("searched wider" in note for note in wide.ledger.notes)
    assert widen_for_reach(run, "usual") is run
