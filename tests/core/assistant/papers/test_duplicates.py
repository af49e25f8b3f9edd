"""Two files of one work are told apart by what they print."""

from datetime import UTC, datetime

import pytest

from core.assistant.papers.duplicates import find_relative, inverse_relation
from core.domain.model import Metadata, Paper, RelationKind

_TITLE = "Sparse attention for long documents"


def _known(**fields: object) -> Paper:
    metadata = Metadata(**{"title": _TITLE, "authors": ("Ada Berg", "Bo Chen"), **fields})  # type: ignore[arg-type]
    return Paper(
        id="k" * 64, file_name="known.pdf", metadata=metadata, pages=9, kind="born digital", added_at=datetime.now(UTC)
    )


def _new(**fields: object) -> Metadata:
    return Metadata(**{"title": _TITLE, "authors": ("Ada Berg", "Bo Chen"), **fields})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("new", "known", "kind"),
    [
        (_new(arxiv_id="2101.00001v2"), _known(arxiv_id="2101.00001v1"), "older version"),
        (_new(arxiv_id="2101.00001v1"), _known(arxiv_id="2101.00001v3"), "newer version"),
        (_new(arxiv_id="2101.00001"), _known(arxiv_id="2101.00001"), "same work"),
        (_new(doi="10.1000/ABC"), _known(doi="10.1000/abc", title="Another title entirely here"), "same work"),
        (_new(doi="10.1000/abc"), _known(arxiv_id="2101.00001v1"), "preprint"),
        (_new(arxiv_id="2101.00001v1"), _known(doi="10.1000/abc", venue="Journal of Things"), "journal version"),
        (_new(title="SPARSE ATTENTION for Long Docu\u00adments"), _known(), "same work"),
    ],
)
def test_kinship_follows_from_what_is_printed(new: Metadata, known: Paper, kind: RelationKind) -> None:
    found = find_relative(new, first_words="", known=[known])
    assert found is not None
    assert found.relation.kind == kind
    assert found.relation.paper_id == known.id


@pytest.mark.parametrize(
    ("new", "known"),
    [
        (_new(title="Sparse attention for short documents"), _known()),
        (_new(authors=("Cy Diaz",)), _known()),
        (_new(arxiv_id="2101.00002", title="Other words altogether now"), _known(arxiv_id="2101.00001")),
        (_new(title="Editorial"), _known(title="Editorial")),
        (_new(doi="10.1000/one", authors=("Cy Diaz",)), _known(doi="10.1000/two")),
    ],
)
def test_different_works_are_left_alone(new: Metadata, known: Paper) -> None:
    assert find_relative(new, first_words="", known=[known]) is None


def test_a_supplement_names_its_main_paper() -> None:
    first = f"Supplementary Information for {_TITLE}. Contents: S1 Data, S2 Proofs"
    found = find_relative(_new(title="Supplementary Information", authors=()), first_words=first, known=[_known()])
    assert found is not None
    assert found.relation.kind == "main paper"
    assert inverse_relation(found.relation.kind) == "supplement"


def test_every_relation_has_an_inverse_that_leads_back() -> None:
    kinds: tuple[RelationKind, ...] = ("same work", "newer version", "older version", "preprint", "journal version")
    for kind in (*kinds, "supplement", "main paper"):
        assert inverse_relation(inverse_relation(kind)) == kind
