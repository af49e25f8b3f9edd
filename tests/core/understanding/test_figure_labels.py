"""Which figure or table a question asks for."""

import pytest

from core.understanding.figure_labels import labels_asked


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("What does Table 3 show?", "table 3"),
        ("Explain fig. 2b of the otter paper", "figure 2b"),
        ("Was zeigt Tabelle 4?", "table 4"),
        ("Table IV lists what?", "table iv"),
    ],
)
def test_a_number_names_a_figure_or_table(question: str, label: str) -> None:
    assert label in labels_asked(question)


def test_without_a_number_none_is_named() -> None:
    assert labels_asked("What do the tables and the figure show in 2019?") == frozenset()
