from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.domain.model import Metadata, Paper, Passage
from core.domain.ports import Searched
from core.search.candidate_scores import (
    NEAREST_MAX_RANK,
    Candidates,
    SignalWeights,
    add_neighbour_support,
    fuse_scores,
    promote_nearest,
)
from core.search.diversity import diversify
from core.search.query_hints import PaperNames, QueryHints, extract_label_keys, parse_hints
from tests.core.search.fakes import passage

NOTHING = SignalWeights(
    dense=0,
    lexical=0,
    sentence=0,
    passage=0,
    naming=0,
    support=0,
    table=0,
    label=0,
)


def candidates(*passages: Passage, **given: object) -> Candidates:
    found = Candidates(
        dense={},
        lexical={},
        passages={place: Searched.of(one) for place, one in enumerate(passages)},
        named={},
        weights={"heat": 1.0, "yield": 1.0},
        hints=QueryHints(),
    )
    return replace(found, **given)  # type: ignore[arg-type]


TEXTS = (
    passage("a", 0, "Heat was applied."),
    passage("a", 1, "The yield fell under heat."),
    passage("b", 0, "Control 5.1, heat 3.4", kind="table"),
)


def test_each_signal_counts_by_its_weight() -> None:
    given = candidates(*TEXTS, dense={0: 0.8, 1: 0.4}, lexical={1: 10.0, 2: 5.0})
    assert fuse_scores(given, replace(NOTHING, dense=2)) == {0: 2.0, 1: 1.0} | {2: 0.0}
    assert fuse_scores(given, replace(NOTHING, lexical=1)) == {0: 0.0, 1: 1.0, 2: 0.5}
    assert fuse_scores(given, replace(NOTHING, sentence=1)) == {0: 0.5, 1: 1.0, 2: 0.5}


def test_the_nearest_by_meaning_is_among_the_first_and_nothing_else_changes() -> None:
    scores = {number: 10.0 - number for number in range(9)}
    assert promote_nearest(scores, {7: 0.9, 8: 0.8}) == scores | {7: pytest.approx(scores[NEAREST_MAX_RANK - 1])}
    order = sorted(scores, key=lambda one: -promote_nearest(scores, {7: 0.9, 8: 0.8})[one])
    assert order == [0, 1, 2, 7, 3, 4, 5, 6, 8]
    assert promote_nearest(scores, {2: 0.9, 8: 0.8}) == promote_nearest(scores, {}) == scores
    assert promote_nearest({1: 2.0, 2: 1.0}, {2: 0.9}) == {1: 2.0, 2: 1.0}


def test_without_a_weight_meaning_lifts_nothing() -> None:
    given = candidates(*TEXTS, *(passage("c", place, "Heat.") for place in range(9)), dense={11: 1.0})
    assert fuse_scores(given, replace(NOTHING, sentence=1))[11] == 0.5
    assert fuse_scores(given, replace(NOTHING, sentence=1, dense=0.01))[11] == pytest.approx(0.51)


def test_a_passage_is_supported_by_its_better_neighbour_in_the_same_section() -> None:
    other = passage("a", 2, "Methods.", section="Methods")
    found = add_neighbour_support(
        {0: 1.0, 1: 3.0, 2: 9.0, 3: 5.0}, {place: Searched.of(one) for place, one in enumerate((*TEXTS, other))}
    )
    assert found == {0: 3.0, 1: 1.0, 2: 0.0, 3: 0.0}


def test_a_table_moves_up_only_where_a_quantity_is_asked_for() -> None:
    weights = replace(NOTHING, table=1)
    assert fuse_scores(candidates(*TEXTS, hints=QueryHints(table=True)), weights)[2] == 1.0
    assert fuse_scores(candidates(*TEXTS), weights)[2] == 0.0


def test_what_carries_the_asked_label_moves_up() -> None:
    labelled = replace(TEXTS[2], label="Table 2")
    found = candidates(TEXTS[0], labelled, hints=parse_hints("What does tab. 2 say?"))
    assert fuse_scores(found, replace(NOTHING, label=1)) == {0: 0.0, 1: 1.0}


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        ("see Fig. 3b and Table 2", [("figure", "3"), ("table", "2")]),
        ("Tabla 4", [("table", "4")]),
        ("表2によると", [("table", "2")]),
        ("Eq. (7)", [("formula", "7")]),
        ("Table S1", [("table", "S1")]),
        ("a configuration of 3 tables", []),
    ],
)
def test_labels_are_read_in_several_languages(words: str, keys: list[tuple[str, str]]) -> None:
    assert extract_label_keys(words) == keys


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("How many lessons are there?", True),
        ("Which model was the fastest?", True),
        ("¿Cuántos pacientes hubo?", True),
        ("多少篇论文？", True),
        ("Why did the author stop?", False),
        ("Wie heißt das Verfahren?", False),
    ],
)
def test_a_quantity_is_recognised_by_its_wording(question: str, wanted: bool) -> None:
    assert parse_hints(question).table is wanted


def paper(name: str, title: str, *authors: str) -> Paper:
    return Paper(
        id=name,
        file_name=f"{name}.pdf",
        metadata=Metadata(title=title, authors=authors, year=2020),
        pages=1,
        kind="born digital",
        added_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def test_a_paper_is_named_by_title_author_or_file() -> None:
    shelf = PaperNames.of(
        [paper("smith2020-wheat", "Heat stress in wheat", "Ann Smith"), paper("x", "Silver particles")]
    )
    assert set(shelf.named(["smith"])) == {"smith2020-wheat"}
    assert set(shelf.named(["wheat", "yield"])) == {"smith2020-wheat"}
    assert shelf.named(["silver", "yield"])["x"] > 0
    assert shelf.named(["growth"]) == {} and shelf.named([]) == {}


def test_no_paper_named_changes_nothing() -> None:
    weights = replace(NOTHING, naming=1)
    assert set(fuse_scores(candidates(*TEXTS), weights).values()) == {0.0}
    assert fuse_scores(candidates(*TEXTS, named={"b": 0.5}), weights) == {0: 0.0, 1: 0.0, 2: 0.5}


def test_near_copies_are_shown_once_and_a_paper_keeps_to_its_share() -> None:
    words = "the yield of wheat fell by a third when heat stress was applied at anthesis in both years"
    ranked = [
        (1, Searched.of(passage("a", 0, words))),
        (2, Searched.of(passage("b", 0, words.upper() + "."))),
        (3, Searched.of(passage("a", 1, "Something else was measured in the plots of the second year as well."))),
        (4, Searched.of(passage("a", 2, "A third thing altogether that nobody had thought of before then."))),
    ]
    assert diversify(ranked, k=10, per_paper=None) == [1, 3, 4]
    assert diversify(ranked, k=10, per_paper=1) == [1]
    assert diversify(ranked, k=2, per_paper=None) == [1, 3]


def test_a_short_passage_within_a_long_one_is_no_copy() -> None:
    long = " ".join(f"word{n}" for n in range(60))
    ranked = [
        (1, Searched.of(passage("a", 0, long))),
        (2, Searched.of(passage("a", 1, " ".join(long.split()[:10])))),
    ]
    assert diversify(ranked, k=10, per_paper=None) == [1, 2]
