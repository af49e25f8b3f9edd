"""Short labels of papers, as replies and tables show them."""

import pytest

from core.domain.paper_labels import byline, column_labels, pages_label, shorten_names
from tests.core.agent.small_library import paper


def test_papers_of_the_same_authors_are_told_apart_by_letters() -> None:
    papers = [
        paper("a" * 64, "On barley", authors=["Ann Lee"], year=2020),
        paper("b" * 64, "On wheat", authors=["Lee, Ann"], year=2021),
        paper("c" * 64, "A title of more than five words", authors=[], year=2021),
    ]
    assert list(column_labels(papers).values()) == ["Lee (A)", "Lee (B)", "A title of more than…"]


def test_a_byline_shortens_three_authors_and_ends_with_the_year() -> None:
    assert byline(paper("a" * 64, "On barley", authors=["A B", "C D", "E F"], year=2020)) == "A B et al., 2020"
    assert shorten_names(["Lee", "Sen"]) == "Lee and Sen"


@pytest.mark.parametrize(
    ("labels", "pages", "shown"),
    [
        ((), [5], "p. 5"),
        ((), [5, 6, 5], "pp. 5–6"),
        ((), [], ""),
        (("vii", "701", "702"), [2], "p. 701 (sheet 2)"),
        (("vii", "701", "702"), [2, 3], "pp. 701–702 (sheets 2–3)"),
        (("C", "2", "3"), [2], "p. 2"),
        (("vii",), [4], "p. 4"),
    ],
)
def test_a_page_is_cited_by_its_printed_number_and_by_its_sheet_where_they_differ(
    labels: tuple[str, ...], pages: list[int], shown: str
) -> None:
    assert pages_label(labels, pages) == shown
