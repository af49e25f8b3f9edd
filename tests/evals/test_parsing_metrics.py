import pytest

from evals.datasets import Caption, Gold, Probe, Structure
from evals.metrics import Found
from evals.parsing_metrics import (
    PaperRead,
    authors_right,
    caption_found,
    compare_characters,
    evidence_in_two,
    evidence_reachable,
    headings_in_order,
    probe_adjacent,
    running_text,
    title_right,
)


def read(
    *passages: tuple[str, int, str],
    title: str = "",
    authors: tuple[str, ...] = (),
    captions: tuple[tuple[int, str], ...] = (),
) -> PaperRead:
    return PaperRead(
        paper="a.pdf",
        title=title,
        authors=authors,
        headings=(),
        captions=captions,
        passages=tuple((kind, Found(paper="a.pdf", page=page, text=text)) for kind, page, text in passages),
        tables=0,
        figures=0,
    )


def test_headings_count_only_in_order_and_on_their_page() -> None:
    printed = [("1 Introduction", 1), ("2 Methods", 2), ("3 Results", 3), ("References", 9)]
    ours = [("1. INTRODUCTION", 1), ("3 Results", 3), ("2 Methods", 2), ("389", 2), ("References", 8)]
    assert headings_in_order(ours, printed) == 2
    assert headings_in_order(printed, printed) == 4
    assert headings_in_order([], printed) == 0


def test_titles_and_authors_agree_in_letters_order_and_number() -> None:
    printed = Structure(paper="a.pdf", title="A Title: Part-One", authors=("Ann B. Lee", "Zoë Ray"))
    assert title_right(read(title="A TITLE – Part One"), printed)
    assert not title_right(read(title="A Title"), printed)
    assert authors_right(read(authors=("Ann B Lee", "Zoë Ray")), printed)
    assert not authors_right(read(authors=("Zoë Ray", "Ann B. Lee")), printed)
    assert not authors_right(read(authors=("Ann B. Lee",)), printed)


@pytest.mark.parametrize(
    ("page", "text", "found"),
    [
        (2, "Table 2: Quality filters for papers filtered out before reading", True),
        (3, "Table 2: Quality filters for papers filtered out before reading", False),
        (2, "Table 3: Quality filters for papers", False),
        (2, "Table 2: Quality filters", True),
        (2, "Table 2: Something else altogether", False),
        (2, "", False),
    ],
)
def test_a_caption_is_found_by_how_it_begins_and_where(page: int, text: str, found: bool) -> None:
    caption = Caption(kind="table", page=2, start="Table 2: Quality ﬁlters for papers 2.6 Linking")
    assert caption_found(caption, read(captions=((page, text),))) is found


def test_a_probe_is_adjacent_across_pages_when_only_floats_stand_between() -> None:
    probe = Probe(before="use these ta-", after="bles for results")
    right = read(("text", 1, "We use these ta-"), ("caption", 1, "Figure 1: x"), ("text", 2, "bles for results."))
    wrong = read(("text", 1, "We use these ta-"), ("text", 1, "A running head"), ("text", 2, "bles for results."))
    assert probe_adjacent(probe, running_text(right))
    assert not probe_adjacent(probe, running_text(wrong))


def test_evidence_is_reached_within_one_passage_of_its_page_and_reported_where_it_is_cut() -> None:
    span = Gold(paper="a.pdf", page=1, evidence="a group of at least twelve stars")
    assert evidence_reachable(span, read(("text", 1, "It is a group of at least twelve stars.")), frozenset())
    cut = read(("text", 1, "It is a group of"), ("text", 1, "at least twelve stars."))
    assert not evidence_reachable(span, cut, frozenset())
    assert evidence_in_two(span, cut)
    assert not evidence_in_two(span, read(("text", 2, "It is a group of"), ("text", 2, "at least twelve stars.")))


def test_character_errors_are_counted_line_by_line_wherever_the_line_stands() -> None:
    truth = ["The first printed line\nThe second printed line"]
    exact = compare_characters(["The second printed line\nThe first printed line"], truth)
    assert (exact.edits, exact.found, exact.in_order) == (0, 2, 1)
    noisy = compare_characters(["The f1rst printed line\nThe second prlnted line"], truth)
    assert (noisy.edits, noisy.in_order) == (2, 2)
    assert noisy.length == len("thefirstprintedline") + len("thesecondprintedline")


def test_a_page_that_was_not_read_has_lost_every_character() -> None:
    lost = compare_characters([], ["The first printed line"])
    assert lost.edits == lost.length == len("thefirstprintedline")


def test_running_heads_are_no_loss() -> None:
    truth = [f"Journal of Moss, page {number}\nSomething new on page {'x' * number}" for number in range(1, 4)]
    body = [page.splitlines()[1] for page in truth]
    assert compare_characters(body, truth).edits == 0
    assert compare_characters(body[:2], truth[:2]).edits > 0
