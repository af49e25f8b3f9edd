"""The measure of marked pages: it sees a mark that misses a word, one too many, and words that it cannot find."""

from collections.abc import Sequence

from core.domain.model import Box, Passage
from evals.datasets import Gold
from evals.page_marks import Printed, judged, places

LINES = ("Okapis sleep for five hours", "a day in dense forest")


def line(number: int) -> Box:
    return Box(page=2, x0=10, y0=20 * number, x1=110, y1=20 * number + 10)


def passage(boxes: Sequence[Box]) -> Passage:
    text = " ".join(LINES)
    ends = (len(LINES[0]), len(text))[: len(boxes)]
    return Passage(
        id="p",
        paper_id="x",
        ordinal=0,
        page=2,
        section=(),
        kind="text",
        text=text,
        indexed_text=text,
        boxes=tuple(boxes),
        ends=ends,
    )


def printed() -> list[Printed]:
    """The words of both lines, evenly set."""
    return [
        Printed(letters=word.lower(), rect=(10 + 20 * at, 20 * number, 28 + 20 * at, 20 * number + 10))
        for number, text in enumerate(LINES)
        for at, word in enumerate(text.split())
    ]


def gold(evidence: str) -> Gold:
    return Gold(paper="x.pdf", page=2, evidence=evidence)


def test_evidence_over_two_lines_needs_the_marks_of_both() -> None:
    found = judged("q", gold("five hours a day"), [passage([line(0), line(1)])], printed(), scanned=False)
    assert (found.pieces, found.covered, found.boxes, found.needed, found.whole) == (4, 4, 2, 2, True)
    one = judged("q", gold("Okapis sleep"), [passage([line(0), line(1)])], printed(), scanned=False)
    assert (one.boxes, one.whole) == (1, True)


def test_a_mark_that_lies_elsewhere_covers_nothing() -> None:
    found = judged("q", gold("a day in dense"), [passage([line(0), line(7)])], printed(), scanned=False)
    assert (found.covered, found.needed, found.whole) == (0, 0, False)


def test_what_is_not_there_is_told_apart() -> None:
    here = [passage([line(0), line(1)])]
    assert judged("q", gold("moths fly"), here, printed(), scanned=False).lost.startswith("the reference")
    assert judged("q", gold("five hours"), [], printed(), scanned=False).lost.startswith("no passage")


def test_a_line_of_a_scan_is_cut_to_the_letters_that_belong_to_the_evidence() -> None:
    lines = [Printed(letters="abcdefghij", rect=(0, 0, 100, 10)), Printed(letters="klmnopqrst", rect=(0, 20, 100, 30))]
    assert list(places("fghijklmno", lines, scanned=True)) == [(50, 0, 100, 10), (0, 20, 50, 30)]
    misread = list(places("fgh1jklmno", lines, scanned=True))
    assert misread == [(50, 0, 100, 10), (0, 20, 50, 30)]
