"""Who does it and to whom, in the active and the passive; every claim has nearly all words of its quote."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.grounding.entailment.claims import parse_text
from core.grounding.entailment.passive_voice import extract_verb_frames
from core.grounding.entailment.rules import check_entailment

PAIRS = [
    # The claim, the quote, whether it holds.
    ("Each diver paid 9 euros.", "Each diver was paid 9 euros.", False),
    ("Each diver was paid 9 euros.", "Each diver was paid 9 euros by the harbour.", True),
    ("The harbour paid each diver 9 euros.", "Each diver was paid 9 euros by the harbour.", True),
    ("We paid each diver 9 euros.", "Each diver was paid 9 euros.", True),
    ("Divers asked to sign a form.", "Divers were asked to sign a form.", False),
    ("Divers gave two samples.", "Divers were given two samples.", False),
    ("The divers wrote the report.", "The divers were interviewed. The report was written by the harbour.", False),
    ("The reef feeds the crab.", "The reef is fed by the crab.", False),
    ("The crab feeds the reef.", "The reef is fed by the crab.", True),
    ("The crab is fed by the reef.", "The crab feeds the reef.", False),
    ("The small crab overtook the large crab.", "The small crab was overtaken by the large crab.", False),
    ("The large crab overtook the small crab.", "The small crab was overtaken by the large crab.", True),
    ("It is caused by salt.", "It is caused by salt in the pores.", True),
    ("It caused salt in the pores.", "It is caused by salt in the pores.", False),
    ("Growth improved by 3 %.", "Growth was improved by 3 %.", True),
    ("The pumps were checked by the crew.", "The pumps were oiled by the owner and checked by the crew.", True),
    ("Lime was used by the masons.", "The masons used lime.", True),
    ("The masons were used by the council.", "The masons used lime for the council.", False),
    ("Yields were raised by 4 points.", "The new hull raised yields by 4 points.", True),
]


@pytest.mark.parametrize(("sentence", "quote", "holds"), PAIRS)
def test_who_does_it_stays_who_does_it(sentence: str, quote: str, holds: bool) -> None:
    assert check_entailment(sentence, [quote]).supported is holds, check_entailment(sentence, [quote]).reasons


def test_acts_have_their_nouns_on_the_right_side() -> None:
    passive, second, active = extract_verb_frames(
        parse_text("In wet years the ants were fed by two keepers and were counted. The keepers wrote a diary.")
    )
    assert (passive.passive, second.passive, active.passive) == (True, True, False)
    assert passive.subject == second.subject == {"ant"} and passive.agent == {"keeper"}
    assert active.subject == {"keeper"} and active.object == {"diari"}


def test_nouns_and_participles_are_no_acts() -> None:
    text = "Patients treated with salt had blood tests. The cost of a measured dose and its increase by age is high."
    assert list(extract_verb_frames(parse_text(text))) == []


NAMES = st.lists(st.sampled_from(["otter", "heron", "badger", "weasel", "falcon", "marten"]), min_size=2, unique=True)
VERBS = st.sampled_from([("chased", "chased"), ("took", "taken"), ("fed", "fed"), ("saw", "seen"), ("stole", "stolen")])


@given(NAMES, VERBS, st.sampled_from(["", " in spring", " at the lake"]))
def test_one_doing_has_two_tellings_and_no_other(names: list[str], verb: tuple[str, str], where: str) -> None:
    one, other = names[:2]
    tellings = [f"The {one} {verb[0]} the {other}{where}.", f"The {other} was {verb[1]} by the {one}{where}."]
    turned = [f"The {other} {verb[0]} the {one}{where}.", f"The {one} was {verb[1]} by the {other}{where}."]
    for quote in tellings:
        assert all(check_entailment(sentence, [quote]).supported for sentence in tellings)
        assert not any(check_entailment(sentence, [quote]).supported for sentence in turned)
