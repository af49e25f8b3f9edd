"""What several papers say, grouped: what stands alone is no theme, names of cited authors are no label, and what only
speaks of the same field stands neither together nor against each other.
"""

import numpy as np
import pytest

from core.aspects.standalone_sentences import select_standalone
from core.aspects.statements import Statement
from core.assistant.studies.themes import cluster_themes, match_pairs
from core.text import index_tokens
from tests.core.agent.small_library import passage

BEES = "Bees dance in the dark hive to tell of flowers (Frisch et al., 1967)."
HIVES = "Foragers of the hive follow the dance of bees to flowers (Frisch et al., 1967)."
ROCKS = "Granite cools slowly under the mountains of the coast."
TIDES = "Tides wear the cliffs away in stormy winters."


def statement(text: str, paper: str = "p") -> Statement:
    held = passage(paper, 1, 1, text)
    return Statement(passage=held, text=text, zone="results", place=0, tokens=frozenset(index_tokens(text)))


def test_what_stands_alone_is_told_last_and_together() -> None:
    said = [statement(ROCKS), statement(BEES), statement(TIDES, "q"), statement(HIVES, "q")]
    vectors = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0.9, 0, 0.43]], dtype=np.float32)
    found = cluster_themes(said, vectors, most=6)
    assert [sorted(one.places) for one in found] == [[1, 3], [0, 2]]
    assert found[1].label == "Also said"
    assert "frisch" not in found[0].label.casefold()
    assert len(set(found[0].label.casefold().split(", "))) == 3


def test_where_nothing_goes_together_there_is_one_part() -> None:
    (only,) = cluster_themes([statement(ROCKS), statement(TIDES)], np.eye(2, dtype=np.float32), most=6)
    assert (only.label, only.places) == ("What is said", (0, 1))


@pytest.mark.parametrize(
    ("one", "other", "kinds"),
    [
        (
            "Landraces yielded more grain than modern varieties under drought.",
            "Landraces yielded less grain than modern varieties under drought.",
            ["contradiction"],
        ),
        (
            "Training on clinical words allows smaller models of language that match larger models trained on the web.",
            "This work presents a large model of language, trained on nine tongues, for analysing clinical text.",
            [],
        ),
        (
            "Next we describe the plots of barley that farmers of the northern valley keep.",
            "Next we describe the plots of barley that farmers of the northern valley do not keep.",
            [],
        ),
    ],
)
def test_findings_stand_against_each_other_only_where_most_else_is_shared(
    one: str, other: str, kinds: list[str]
) -> None:
    said = [statement(one), statement(other, "q")]
    vectors = np.array([[1, 0], [0.8, 0.6]], dtype=np.float32)
    assert [match.kind for match in match_pairs([0, 1], said, vectors, most=3)] == kinds


def test_what_leans_on_another_sentence_or_only_says_where_something_stands_does_not_stand_alone() -> None:
    leaning = [
        statement(text)
        for text in (
            "More specifically, the hives were warm.",
            "2. A hive for the garden.",
            "Section 3 tells of hives.",
        )
    ]
    assert select_standalone([*leaning, statement(ROCKS)]) == [statement(ROCKS)]
    assert select_standalone(leaning) == leaning
