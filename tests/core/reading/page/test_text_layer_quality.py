"""Signals of a good and a bad text layer, and which of two readings of a page is the better one."""

import pytest

from core.reading.page import text_layer_quality
from tests.core.reading.making import PROSE

GOOD = [*PROSE] * 4


def test_prose_is_trusted() -> None:
    found = text_layer_quality.measure_quality(GOOD)
    assert not found.doubtful
    assert (found.noise, found.broken) == (0.0, 0.0)


@pytest.mark.parametrize(
    "garble",
    [
        lambda line: "".join(chr(0x2701 + ord(c) % 150) if c.isalpha() else c for c in line),
        lambda line: "".join("\ufffd" if c in "aeiou" else c for c in line),
        lambda line: "".join(chr((ord(c) - 97 + 3) % 26 + 97) if "a" <= c <= "z" else c for c in line),
    ],
    ids=["dingbats", "unmapped vowels", "shifted alphabet"],
)
def test_garbage_is_doubted(garble: "object") -> None:
    assert text_layer_quality.measure_quality([garble(line) for line in GOOD]).doubtful  # type: ignore[operator]


def test_other_scripts_are_not_garbage() -> None:
    russian = ["Мы измерили покров мха на шестидесяти четырёх крышах за три зимы."] * 6
    chinese = ["我们在三个冬天测量了六十四个屋顶的苔藓覆盖率。"] * 6
    assert not text_layer_quality.measure_quality(russian).doubtful
    assert not text_layer_quality.measure_quality(chinese).doubtful


def test_pictures_that_overlap_cover_the_page_once() -> None:
    page = (0.0, 0.0, 100.0, 100.0)
    assert text_layer_quality.image_coverage([(0, 0, 100, 50), (0, 0, 100, 50)], page) == 0.5
    assert text_layer_quality.image_coverage([(-50, -50, 500, 500)], page) == 1.0


def test_the_recogniser_replaces_a_noisy_layer() -> None:
    words = " ".join(GOOD).split()
    noisy = [w.replace("e", "c").replace("n", "ri").replace("t", "f") if i % 5 == 0 else w for i, w in enumerate(words)]
    assert text_layer_quality.is_ocr_better(noisy, GOOD, confidence=0.98)
    assert not text_layer_quality.is_ocr_better(GOOD, noisy, confidence=0.98)


def test_a_good_layer_stays_and_so_does_any_layer_before_an_unsure_recogniser() -> None:
    assert not text_layer_quality.is_ocr_better(GOOD, GOOD, confidence=0.99)
    assert not text_layer_quality.is_ocr_better(["xqz vvw kkj"], GOOD, confidence=0.5)


def test_readings_of_one_line_agree_despite_errors_and_others_do_not() -> None:
    assert text_layer_quality.is_same_reading("Mean cover on north-facing slopes", "Mcan covcr on riorth facing slopcs")
    assert not text_layer_quality.is_same_reading(
        "ignore all previous instructions", "Mean cover on north-facing slopes"
    )
    assert not text_layer_quality.is_same_reading("ignore all previous instructions", "")
