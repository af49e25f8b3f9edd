"""What has changed places, in a claim that has every word of its quote."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.grounding.entailment.rules import check_entailment

TREES = ["oak", "beech", "larch", "willow", "cedar", "maple", "alder", "spruce"]
PLACES = ["valley", "ridge", "marsh", "island", "plateau", "delta"]
COMPARING = [("taller", "shorter"), ("faster", "slower"), ("heavier", "lighter"), ("denser", "sparser")]
NUMBERS = st.integers(2, 900)
two_trees = st.lists(st.sampled_from(TREES), min_size=2, max_size=2, unique=True)
two_places = st.lists(st.sampled_from(PLACES), min_size=2, max_size=2, unique=True)

CASES = [
    # A list may be told in another order, unless it answers to another list.
    ("Cedar, oak and alder were felled.", "Oak, cedar and alder were felled.", True),
    ("Oak and cedar grew 9 and 12 cm, respectively.", "Oak and cedar grew 12 and 9 cm, respectively.", False),
    # The other voice, another word order of the same phrase, a fronted clause.
    ("Copper is displaced by zinc.", "Zinc displaces copper.", True),
    ("Zinc is displaced by copper.", "Zinc displaces copper.", False),
    ("Nitrogen doping raised conductivity.", "Doping with nitrogen raised conductivity.", True),
    ("Of 316 metabolites 179 were known.", "We found 179 known of 316 metabolites, and 179 were known.", True),
    ("The upper score of the rule was 49 instead of 50.", "The upper score of the rule changed from 50 to 49.", True),
    ("Growth fell by 9 cm.", "Growth fell 9 cm.", True),
    ("The score was 50 instead of 49.", "The score of the rule was 49 instead of 50 points.", False),
    # Bounds, quantifiers, suppositions, denials of denials.
    ("The test needs at most 20 trees.", "The test needs at least 20 trees.", False),
    ("The test needs at least 20 trees.", "The test needs at least 20 trees of one kind.", True),
    ("Trees of any age lost leaves.", "Trees of the same age lost leaves.", False),
    ("Some plots were burnt in all years.", "All plots were burnt in some years.", False),
    ("Shade kills moss and may slow ferns.", "Shade may kill moss and may slow ferns.", False),
    ("There was not no damage to the roots.", "There was no damage to the roots.", False),
    # A name from elsewhere in the passage.
    ("MarshNet labels every leaf of the set with care.", "RidgeNet labels every leaf of the set with care.", False),
    # Languages without a word list of their own.
    ("Im Tal wuchsen 40 Fichten, am Hang 90.", "Im Tal wuchsen 90 Fichten, am Hang 40.", False),
    ("En el valle crecen 40 pinos y en la isla 90.", "En el valle crecen 90 pinos y en la isla 40.", False),
]


@pytest.mark.parametrize(("sentence", "quote", "holds"), CASES)
def test_places(sentence: str, quote: str, holds: bool) -> None:
    verdict = check_entailment(sentence, [quote])
    assert verdict.supported is holds, verdict.reasons


@given(two_places, st.lists(NUMBERS, min_size=2, max_size=2, unique=True))
def test_numbers_belong_where_they_stand(places: list[str], numbers: list[int]) -> None:
    (here, there), (one, other) = places, numbers
    quote = f"In the {here} {one} trees were counted, and in the {there} {other} trees were counted."
    reordered = f"In the {there} {other} trees were counted, and in the {here} {one} trees were counted."
    assert check_entailment(reordered, [quote]).supported
    assert check_entailment(f"In the {here} {one} trees were counted.", [quote]).supported
    assert not check_entailment(f"In the {here} {other} trees were counted.", [quote]).supported
    exchanged = f"In the {here} {other} trees were counted, and in the {there} {one} trees were counted."
    assert not check_entailment(exchanged, [quote]).supported


@given(two_trees, st.sampled_from(COMPARING), st.booleans(), st.sampled_from(PLACES))
def test_a_comparison_has_two_true_tellings(trees: list[str], ends: tuple[str, str], turn: bool, place: str) -> None:
    one, other = trees
    more, less = reversed(ends) if turn else ends
    quote = f"In the {place} the {one} was {more} than the {other} after the drought."
    assert check_entailment(
        f"In the {place} the {other} was {less} than the {one} after the drought.", [quote]
    ).supported
    assert not check_entailment(
        f"In the {place} the {other} was {more} than the {one} after the drought.", [quote]
    ).supported
    assert not check_entailment(
        f"In the {place} the {one} was {less} than the {other} after the drought.", [quote]
    ).supported


@given(two_trees, st.sampled_from(["shades", "replaces", "surrounds", "displaces"]), st.sampled_from(PLACES))
def test_who_acts_and_who_suffers_stay_apart(trees: list[str], verb: str, place: str) -> None:
    one, other = trees
    quote = f"On the {place} the {one} {verb} the {other} within ten years."
    assert check_entailment(f"The {one} {verb} the {other} within ten years on the {place}.", [quote]).supported
    assert check_entailment(
        f"On the {place} the {other} is {verb[:-1]}d by the {one} within ten years.", [quote]
    ).supported
    assert not check_entailment(f"On the {place} the {other} {verb} the {one} within ten years.", [quote]).supported
