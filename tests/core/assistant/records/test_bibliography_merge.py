"""Which paper of the library an entry of a bibliography is of, and which it is not."""

from datetime import UTC, datetime

import pytest

from core.assistant.records.bibliography_merge import find_paper
from core.domain.model import Metadata, Paper
from core.domain.records import Entry

TITLE = "Spawning of grey mullets in warm lagoons"


def paper(title: str = TITLE, *, doi: str | None = None, arxiv_id: str | None = None) -> Paper:
    return Paper(
        id="0" * 64,
        file_name="mullet.pdf",
        metadata=Metadata(title=title, doi=doi, arxiv_id=arxiv_id),
        pages=4,
        kind="born digital",
        added_at=datetime(2026, 3, 1, tzinfo=UTC),
    )


@pytest.mark.parametrize(
    "rest",
    [
        " II",
        ". Part 2",
        ": part two",
        ": a comment",
        " – reply to Vance",
        ". Erratum",
        ": Kommentar",
        " 1990 to 1999",
        " and estuaries",
        "1",
    ],
)
def test_a_part_a_comment_and_a_longer_title_are_other_works(rest: str) -> None:
    assert find_paper(Entry(title=TITLE + rest), [paper()]) is None
    assert find_paper(Entry(title=TITLE), [paper(TITLE + rest)]) is None


@pytest.mark.parametrize("rest", ["", ".", ": ten years of counts", " - a review", "? Ten years of counts"])
def test_a_subtitle_may_be_missing_on_either_side(rest: str) -> None:
    assert find_paper(Entry(title=TITLE + rest), [paper()]) is not None
    assert find_paper(Entry(title=TITLE), [paper(TITLE + rest)]) is not None


def test_a_part_is_not_the_part_whose_number_begins_with_its_own() -> None:
    assert find_paper(Entry(title=TITLE + ". Part 1"), [paper(TITLE + ". Part 12")]) is None


def test_two_dois_are_two_papers_whatever_else_they_share() -> None:
    held = paper(doi="10.1000/lagoon.1", arxiv_id="1801.00001v2")
    assert find_paper(Entry(title=TITLE, doi="10.1000/lagoon.2", arxiv_id="1801.00001"), [held]) is None
    assert find_paper(Entry(title="Mullets", doi="10.1000/LAGOON.1"), [held]) is held
    assert find_paper(Entry(title="Mullets", arxiv_id="1801.00001v1"), [held]) is held
