"""What rules say of a sentence and its quotes: nearly the quote, contradicted by it, or for others to judge."""

import pytest

from core.domain.entailment import EntailmentPair
from core.grounding.entailment import RuleEntailment, check_entailment

QUOTE = "Moreover, the twelve marmots slept for 5 mg/L of sugar [4]; two of them woke (Berg, 1999)."


def verdict(sentence: str, *quotes: str) -> str:
    return check_entailment(sentence, quotes).verdict


@pytest.mark.parametrize(
    "sentence",
    [
        QUOTE,
        "The twelve marmots slept for 5 mg/L of sugar; two of them woke.",
        "12 marmots slept for 5 mg per litre of sugar.",
        "TWO OF THEM WOKE",
        "Twelve marmots slept […] two of them woke.",
    ],
)
def test_the_quote_itself_in_another_form_is_entailed(sentence: str) -> None:
    assert verdict(sentence, QUOTE) == "yes"


def test_works_cited_do_not_count_and_end_no_clause() -> None:
    quote = "Marmots whistle (Berg et al., 1999; van der Alp & Gams, 2004a) at hawks [3; 14] (see Fig. 2)."
    assert verdict("Marmots whistle at the hawks.", quote) == "yes"
    assert verdict(quote, f"They live high. {quote}") == "yes"


def test_a_sentence_over_two_quotes_is_entailed() -> None:
    assert (
        verdict("The marmots were caught in the spring of 1998.", "The marmots were caught", "in the spring of 1998.")
        == "yes"
    )
    assert verdict("Marmots sleep. Otters do not.", "Marmots sleep.", "Otters do not.") == "yes"


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("The burrow is dry.", "The burrow is dry in August."),
        ("The burrow is dry.", "If it snows late, the burrow is dry."),
        ("The burrow is dry.", "The burrow is dry; however, in May it is wet."),
        ("The burrow is dry.", "Guides claim that the burrow is dry."),
        ("The burrow is dry […]", "The burrow is dry but for its end."),
        ("Marmots sleep long.", "Marmots sleep longer."),
        ("Hawks chase marmots.", "Marmots chase hawks."),
        ("Marmot heart rate ↑ in winter.", "Marmot heart rate ↓ in winter."),
        ("The burrow is dry.", "The burrow is dry (Not confirmed by Berg, 1999)."),
        ("Few marmots woke.", "A few marmots woke."),
        ("B eats more than A.", "A eats more than B."),
        ("Burrows were dug by marmots.", "Marmots dug burrows."),
    ],
)
def test_what_is_not_nearly_the_quote_is_left_to_others(sentence: str, quote: str) -> None:
    assert verdict(sentence, quote) == "unsure"


@pytest.mark.parametrize(
    ("sentence", "quote", "reason"),
    [
        ("Is the burrow dry?", "The burrow is dry.", "asks"),
        ("The burrow is not dry.", "The burrow is dry.", "denies"),
        ("The marmots did wake.", "The marmots didn't wake.", "denies"),
        ("Non-breeding marmots woke.", "Breeding marmots woke.", "denies"),
        ("The burrow is 3 m deep.", "The burrow is 2 m deep.", "number"),
        ("The burrow\u2067 is dry.", "The burrow is dry.", "character"),
        ("The burrow is dry.", "", "in other words"),
    ],
)
def test_a_contradiction_is_told_with_its_reason(sentence: str, quote: str, reason: str) -> None:
    found = check_entailment(sentence, [quote])
    assert not found.entailed
    assert reason in found.reason


def test_without_a_quote_nothing_is_entailed() -> None:
    assert check_entailment("The burrow is dry.", []).verdict == "no"
    assert check_entailment(" ", ["The burrow is dry."]).verdict == "no"


async def test_the_rules_stand_behind_the_port() -> None:
    rules = RuleEntailment()
    pairs = [
        EntailmentPair(sentence="The burrow in Tyrol is dry.", quotes=("The burrow is dry.",), title="Tyrol"),
        EntailmentPair(sentence="The burrow in Tyrol is dry.", quotes=("The burrow is dry.",)),
        EntailmentPair(sentence="The burrow is dry.", quotes=("The burrow is dry.",)),
    ]
    assert [item.verdict for item in await rules.judge(pairs)] == ["unsure", "no", "yes"]
    assert rules.identity
