from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.domain.model import IngestReport, Metadata, Paper
from evals.datasets import HardFile
from evals.hard import Tried, Watch, trouble, verdict_of
from evals.metrics import Found


def paper(*warnings: str) -> Paper:
    return Paper(
        id="0" * 64,
        file_name="x.pdf",
        metadata=Metadata(title="X"),
        pages=2,
        kind="born digital",
        added_at=datetime(2026, 1, 1, tzinfo=UTC),
        warnings=warnings,
    )


def report(outcome: str, *, reason: str = "", taken: Paper | None = None, unread: int = 0) -> IngestReport:
    return IngestReport(
        outcome=outcome,  # type: ignore[arg-type]
        file_name="x.pdf",
        reason=reason,
        paper=taken,
        counts={"unread_pages": unread},
    )


TEXT = [Found(paper="x.pdf", page=7, text="The calibration con-\nstant equals 73.9 units.")]


@pytest.mark.parametrize(
    ("given", "passages", "verdict"),
    [
        (report("rejected", reason="It wants a password."), [], "refused"),
        (report("failed", reason="The reader died."), [], "crash"),
        (report("indexed", taken=paper()), TEXT, "read"),
        (report("indexed", taken=paper("Hidden text was left out.")), TEXT, "read"),
        (report("indexed", taken=paper("The text layer is unreadable; the page was read by OCR.")), TEXT, "read"),
        (report("indexed", taken=paper(), unread=1), TEXT, "read_partly"),
        (report("indexed", taken=paper("The file is damaged: 3 of 5 pages.")), TEXT, "read_partly"),
        (report("indexed", taken=paper()), [], "empty"),
    ],
)
def test_verdicts(given: IngestReport, passages: list[Found], verdict: str) -> None:
    assert verdict_of(given, passages)[0] == verdict


def tried(hard: HardFile, verdict: str, message: str = "", passages: list[Found] = TEXT) -> Tried:
    return Tried(hard=hard, verdict=verdict, message=message, seconds=1, megabytes=1, passages=tuple(passages))


def hard_file(
    *verdicts: str, find: tuple[str, ...] = (), never: tuple[str, ...] = (), page: int | None = None
) -> HardFile:
    return HardFile(
        path=Path("x.pdf"),
        upload_as="x.pdf",
        verdicts=verdicts,
        must_find=find,
        must_not_find=never,
        must_find_page=page,
    )


def test_a_file_is_as_expected_with_the_right_verdict_and_strings_on_their_page() -> None:
    hard = hard_file("read", find=("constant equals 73.9 units",), page=7)
    assert tried(hard, "read").as_expected
    assert trouble(tried(hard, "refused", "too long")) == ["refused (too long), expected read"]
    other = hard_file("read", find=("constant equals 73.9 units",), page=8)
    assert trouble(tried(other, "read")) == ["'constant equals 73.9 units' is on page 7, expected page 8"]


def test_a_number_with_another_decimal_is_not_found() -> None:
    assert trouble(tried(hard_file("read", find=("73.95",)), "read")) == ["no passage holds '73.95'"]


def test_a_refusal_says_why_and_need_not_find_anything() -> None:
    hard = hard_file("read", "refused", find=("x",))
    assert trouble(tried(hard, "refused", "Too many pages.", [])) == []
    assert trouble(tried(hard, "refused", " ", [])) == ["refused without a word why"]


def test_what_must_not_be_found_stands_in_no_passage() -> None:
    assert trouble(tried(hard_file("read", never=("Calibration constant",)), "read")) == [
        "a passage holds 'Calibration constant'"
    ]


def test_memory_of_this_process_is_seen() -> None:
    with Watch(every=0.01) as watch:
        held = bytearray(50_000_000)
    assert watch.peak > len(held) / 1e6
