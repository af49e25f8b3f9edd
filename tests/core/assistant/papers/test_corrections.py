"""What a user may correct, and what is refused in one sentence."""

import pytest

from core.assistant.papers.corrections import FIELDS, apply_corrections
from core.domain.errors import NotACorrection
from core.domain.model import Metadata

_READ = Metadata(title="Lichens", authors=("A. Berg",), year=2018, doi="10.1/x", language="en")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"title": " Lichen  cover "}, {"title": "Lichen cover"}),
        ({"authors": "Ada Berg; Bo Chen ;"}, {"authors": ("Ada Berg", "Bo Chen")}),
        ({"Year": "2019"}, {"year": 2019}),
        ({"year": ""}, {"year": None}),
        ({"doi": "https://doi.org/10.1371/Journal.pone.1"}, {"doi": "10.1371/journal.pone.1"}),
        ({"arxiv": "arXiv:2101.00001v2"}, {"arxiv_id": "2101.00001v2"}),
        ({"venue": "Journal of Botany", "language": "ES"}, {"venue": "Journal of Botany", "language": "es"}),
    ],
)
def test_a_correction_changes_its_field_and_nothing_else(changes: dict[str, str], expected: dict[str, object]) -> None:
    now = apply_corrections(_READ, changes)
    for name in ("title", "authors", "year", "doi", "arxiv_id", "venue", "language", "abstract"):
        assert getattr(now, name) == expected.get(name, getattr(_READ, name))


@pytest.mark.parametrize(
    "changes",
    [
        {"title": ""},
        {"year": "soon"},
        {"year": "20199"},
        {"doi": "x"},
        {"arxiv": "12"},
        {"language": "english"},
        {"price": "1"},
    ],
)
def test_what_cannot_be_right_is_refused(changes: dict[str, str]) -> None:
    with pytest.raises(NotACorrection) as refused:
        apply_corrections(_READ, changes)
    assert refused.value.words.endswith(".")


def test_an_unknown_field_names_those_there_are() -> None:
    with pytest.raises(NotACorrection, match=", ".join(FIELDS)):
        apply_corrections(_READ, {"price": "1"})
