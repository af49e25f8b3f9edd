"""Small words that make a finding surer, stronger, more causal or wider than it is printed; others that do not."""

import pytest

from core.grounding.entailment.rules import check_entailment

PAIRS = [
    # What was asked or aimed at is no finding.
    ("Lime slows the moss.", "We tested whether lime slows the moss on north walls.", False),
    ("The wall was cleaned.", "It is unclear whether the wall was cleaned.", False),
    ("The plan cut the cost.", "The aim of the plan was to cut the cost by a third.", False),
    ("The coating prevents rust.", "The coating was designed to prevent rust.", False),
    ("We tested whether lime slows the moss.", "We tested whether lime slows the moss on north walls.", True),
    # A second hedge is no leave to drop the first.
    ("Salt may harm the roots, and the soil is safe.", "Salt may harm the roots. The soil appears to be safe.", False),
    ("Salt may harm the roots.", "Salt may harm the roots. The soil appears to be safe.", True),
    # What goes together is no effect.
    ("Moss raised damp.", "Moss and damp were correlated.", False),
    ("Tea reduced falls.", "Tea drinkers had fewer falls.", False),
    ("Salt lowered the yield.", "Salt lowered the yield on each plot.", True),
    ("Damp is linked with moss.", "Moss is linked with damp.", True),
    # Strength and significance are the paper's to claim.
    ("Oaks grew significantly faster.", "Oaks grew faster than pines.", False),
    ("Oaks grew much faster.", "Oaks grew faster than pines.", False),
    ("Oaks grew significantly faster.", "Oaks grew significantly faster than pines.", True),
    ("The oil is colourless.", "The oil is nearly colourless.", False),
    ("Oaks grew faster.", "Oaks grew slightly faster than pines.", True),
    # The end of a range, a part, an opening.
    ("Cuts healed after 9 days.", "Cuts healed after 9 to 14 days.", False),
    ("Cuts healed between 9 and 14 days.", "Cuts healed after 9 to 14 days.", True),
    ("Cuts healed in up to 14 days.", "Cuts healed after 9 to 14 days.", True),
    ("The share reached 14 %.", "The share rose from 9 to 14 % and reached 14 % in May.", True),
    ("Of the 340 wells, 20 ran dry.", "Of the 340 wells, 85 were deep, and 20 of these ran dry.", False),
    ("Speakers of the five dialects were paid.", "Speakers of two of the five dialects were paid.", False),
    ("The tagger makes no error.", "On short texts the tagger makes no error.", False),
    ("On short texts the tagger makes no error.", "On short texts the tagger makes no error.", True),
    ("The lime halved the moss.", "Among walls over 60 years, the lime halved the moss.", False),
    # Years and shares of two clauses.
    ("In 2011, 58 % of homes had a fridge.", "In 2016, 58 % of homes had a fridge, against 23 % in 2011.", False),
    ("In 2011, 23 % of homes had a fridge.", "In 2016, 58 % of homes had a fridge, against 23 % in 2011.", True),
    ("58 % of homes had a fridge in 2016.", "In 2016, 58 % of homes had a fridge, against 23 % in 2011.", True),
    # Two clauses exchange their denial.
    (
        "Those at sea did not fall ill, while those ashore fell ill.",
        "Those at sea fell ill, while those ashore did not.",
        False,
    ),
]


@pytest.mark.parametrize(("sentence", "quote", "holds"), PAIRS)
def test_a_finding_stays_as_sure_and_as_strong_as_it_is_printed(sentence: str, quote: str, holds: bool) -> None:
    assert check_entailment(sentence, [quote]).supported is holds, check_entailment(sentence, [quote]).reasons


def test_what_is_said_of_one_thing_is_not_said_of_another() -> None:
    quotes = ["The bridge was inspected by drone every six months.", "The sensors near the pier failed twice."]
    assert not check_entailment("The sensors near the pier were inspected by drone every six months.", quotes).supported
    assert check_entailment("The bridge was inspected by drone every six months.", quotes).supported
