from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.grounding.arithmetic import evaluate, is_correct_computation
from core.grounding.number_comparison import find_missing_numbers
from core.grounding.numbers import extract_numbers


def values(text: str) -> list[tuple[str, str]]:
    return [(f"{number.value.normalize():f}", number.unit) for number in extract_numbers(text)]


@pytest.mark.parametrize("text", ["13,599", "13599", "13 599", "13\u202f599", "13'599", "13.6k images, or 13,599"])
def test_thousands(text: str) -> None:
    assert extract_numbers(text)[-1].value == 13599


def test_units_percent_and_ranges() -> None:
    assert values("85 percent, 85% and 85 per cent") == [("85", "%")] * 3
    assert values("from 3 to 5 mg") == [("3", "mg"), ("5", "mg")]
    assert values("2, 4 and 8 weeks") == [("2", "wk"), ("4", "wk"), ("8", "wk")]
    assert values("5 µg, 5 μg and 5 micrograms") == [("5", "µg")] * 3
    assert values("−4 °C and 3–5 km/h") == [("-4", "°C"), ("3", "km/h"), ("5", "km/h")]
    assert values("a 3-fold rise over 10-year periods") == [("3", "times"), ("10", "yr")]


def test_scales_and_powers() -> None:
    assert [
        number.value for number in extract_numbers("380.5M links, 7B weights, 5 million, 1.2 × 10−5, 3e4, 10⁻³")
    ] == [
        Decimal("380500000"),
        7_000_000_000,
        5_000_000,
        Decimal("0.000012"),
        30_000,
        Decimal("0.001"),
    ]


def test_names_and_reference_marks_are_not_numbers() -> None:
    assert extract_numbers("GPT-4, COVID-19 and H2O in CIFAR-10 [3], [1-9] and version 2.3.1") == ()


@pytest.mark.parametrize(
    ("sentence", "evidence"),
    [
        ("It used 13,599 images.", "13599 images were used"),
        ("It reached 85 percent.", "it reached 85%"),
        ("It reached 85%.", "a score of 0.85"),
        ("It reached 0.85.", "a score of 85%"),
        ("It reached .85.", "a score of 0.85"),
        ("It reached 100%.", "a recall of 1.00"),
        ("F1 was 98.7%.", "Method F1 (%) ours 98.7"),
        ("F1 was 98%.", "Method F1 (%) ours 98 theirs 91"),
        ("F1 was 98.7%.", "Method F1 % ours 98.7 theirs 91.2"),
        ("It reached 85.2%.", "a score of 85.2, where others had 80%"),
        ("Twelve mice died.", "12 mice died"),
        ("There were 12 mice.", "twelve mice"),
        ("It took 2 hours.", "it took 2 h"),
        ("The rate was 1.2 × 10^5 cells.", "a rate of 1.2 × 105 cells"),
        ("The dose was 3 mg.", "doses of 3, 4 and 5 mg"),
        ("There are 5,000 people.", "los municipios de la provincia con más de 5.000 habitantes"),
        ("It is 46 million years old.", "an age of 46 Myr"),
        ("It was 35 °C.", "at 35˚C"),
        ("Only one was left.", "all but a single one"),
        ("It took 1 season.", "it took one season"),
        ("1 was left.", "one was left"),
    ],
)
def test_notation_does_not_matter(sentence: str, evidence: str) -> None:
    assert find_missing_numbers(sentence, evidence) == ()


@pytest.mark.parametrize(
    ("sentence", "evidence"),
    [
        ("It used 13,599 images.", "13,598 images"),
        ("It reached 85.", "a score of 0.85"),
        ("It reached 8.5%.", "it reached 85%"),
        ("It took 2 minutes.", "it took 2 h"),
        ("The dose was 5 µg.", "a dose of 5 mg"),
        ("12 mice died.", "12% of the mice died"),
        ("It fell to -3.", "it rose to 3"),
        ("Three mice died.", "mice died"),
        ("It cost 5 million.", "it cost 5 billion"),
        ("It ran at 5 km/h.", "it ran at 5 km/s"),
        ("The dose was 5 mg/kg.", "a dose of 5 mg"),
        ("It reached 100.0%.", "the study was carried out in one season only"),
        ("It is 1.", "it was done in one season only"),
        ("It reached 200%.", "there were two groups"),
        ("It reached 1200%.", "there were 12 mice"),
        ("It reached 200%.", "a score of 2.0"),
        ("There were 2 groups.", "it rose to 200%"),
        ("It reached 12%.", "12 mice were 5% heavier"),
        ("It reached 12%.", "twelve of them were 5% heavier"),
        ("It reached 12%.", "died: 12 (5%)"),
    ],
)
def test_what_is_not_there_is_missing(sentence: str, evidence: str) -> None:
    assert len(find_missing_numbers(sentence, evidence)) == 1


@given(st.decimals(min_value=0, max_value=10**9, places=2), st.decimals(min_value=0, max_value=10**9, places=2))
def test_a_number_is_borne_out_by_itself_alone(one: Decimal, other: Decimal) -> None:
    assert find_missing_numbers(f"The mean was {one:,} units.", f"a mean of {one} units") == ()
    assert bool(find_missing_numbers(f"The mean was {one} units.", f"a mean of {other:,} units")) == (one != other)


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    for number in extract_numbers(text):
        assert 0 <= number.start < number.end <= len(text)
    assert find_missing_numbers(text, text) == ()


def test_computations_are_done_again() -> None:
    quotes = ["accuracy rose from 80.0 to 84.0", "with 200 images"]
    assert is_correct_computation("84.0 - 80.0", "4", quotes)
    assert is_correct_computation("(84.0 - 80.0) / 80.0 * 100", "5.0%", quotes)
    assert is_correct_computation("(80 + 84) / 2", "82", quotes)
    assert is_correct_computation("84 / 200", "42%", quotes)
    assert not is_correct_computation("84.0 - 80.0", "5", quotes)
    assert not is_correct_computation("84.0 - 79.0", "5", quotes)
    assert not is_correct_computation("84.0 - 80.0", "4.3", quotes)


@pytest.mark.parametrize(
    "expression", ["", "2**9", "9//2", "__import__('os')", "1/0", "a+1", "(" * 300, "1 if 1 else 2", "True+1"]
)
def test_nothing_but_sums_is_evaluated(expression: str) -> None:
    assert evaluate(expression) is None
