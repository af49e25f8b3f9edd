"""What somebody names is read as arXiv ids, DOIs and addresses, each once and without the sentence around it."""

import pytest

from core.fetching import find_fetch_targets


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("2101.00001", ["arXiv:2101.00001"]),
        ("arXiv:2101.00001v3, and 1706.03762.", ["arXiv:2101.00001v3", "arXiv:1706.03762"]),
        ("see hep-th/9901001", ["arXiv:hep-th/9901001"]),
        ("https://arxiv.org/abs/2101.00001", ["arXiv:2101.00001"]),
        ("https://arxiv.org/pdf/2101.00001v2.pdf", ["arXiv:2101.00001v2"]),
        ("2101.00001 https://www.arxiv.org/abs/2101.00001", ["arXiv:2101.00001"]),
        ("doi:10.1371/journal.pone.0123456.", ["doi:10.1371/journal.pone.0123456"]),
        ("(https://doi.org/10.1000/xyz(1)2)", ["doi:10.1000/xyz(1)2"]),
        ("https://example.org/papers/moss%20growth.pdf", ["https://example.org/papers/moss%20growth.pdf"]),
        ("the value was 2101.5 in 2010, version 3.11", []),
        ("nothing at all", []),
    ],
)
def test_what_is_named(text: str, names: list[str]) -> None:
    assert [one.name for one in find_fetch_targets(text)] == names


def test_files_are_called_after_what_was_named() -> None:
    text = "2101.00001 10.1000/a/b?c https://example.org/papers/moss%20growth.pdf https://example.org/"
    assert [one.file_name for one in find_fetch_targets(text)] == [
        "arXiv-2101.00001.pdf",
        "10.1000-a-b-c.pdf",
        "moss-growth.pdf",
        "example.org.pdf",
    ]
    assert [one.url for one in find_fetch_targets("2101.00001 10.1000/ab")] == [
        "https://arxiv.org/pdf/2101.00001",
        "https://doi.org/10.1000/ab",
    ]


def test_brackets_around_no_address_are_left_to_whoever_fetches() -> None:
    (found,) = find_fetch_targets("fetch http://[::x]/moss.pdf")
    assert (found.url, found.file_name) == ("http://[::x]/moss.pdf", "paper.pdf")
