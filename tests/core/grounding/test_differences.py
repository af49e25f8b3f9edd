"""What must never differ between a sentence and its quotes, and what may."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.grounding.differences import find_differences


def differences(sentence: str, *quotes: str, known: str = "") -> tuple[str, ...]:
    return find_differences(sentence, quotes, known=known)


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("The hives weighed 31 kg.", "The hives weighed 13 kg."),
        ("The hives weighed 13 g.", "The hives weighed 13 kg."),
        ("Of 40 hives, 12% swarmed.", "Of 40 hives, 12 swarmed."),
        ("The hives cost €300.", "The hives cost $300."),
        ("The frames held 3000 cells.", "The frames held 3 × 10^4 cells."),
        ("It was 8 °C in the hive.", "It was -8 °C in the hive."),
        ("It was 8 °C in the hive.", "It was minus 8 °C in the hive."),
        ("The scale drifted by 2 g.", "The scale drifted by ±2 g."),
        ("Honey flow doubled.", "Honey flow tripled."),
        ("A third of the queens were lost.", "Half of the queens were lost."),
        ("Bees flew for a month.", "Bees flew for a week."),
    ],
)
def test_numbers_and_units_must_agree(sentence: str, quote: str) -> None:
    assert differences(sentence, quote)


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("Colonies had 900 bees.", "Colonies had at least 900 bees."),
        ("Colonies had at most 900 bees.", "Colonies had at least 900 bees."),
        ("Colonies had more than 900 bees.", "Colonies had at least 900 bees."),
        ("Colonies had more than 900 bees.", "Colonies had no more than 900 bees."),
        ("Losses always exceeded 5 bees.", "Losses never exceeded 5 bees."),
        ("The effect was clear (p > .05).", "The effect was clear (p < .05)."),
        ("The effect was clear (p = .05).", "The effect was clear (p ≤ .05)."),
        ("Keepers under 30 were asked.", "Keepers over 30 were asked."),
        ("Mindestens 900 Bienen waren im Stock.", "The hive had at most 900 bees."),
    ],
)
def test_bounds_must_agree(sentence: str, quote: str) -> None:
    assert differences(sentence, quote)


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("Colonies of 900 or more bees wintered well.", "Colonies with at least 900 bees wintered well."),
        ("Colonies had at least 900 bees.", "Colonies had more than 900 bees."),
        ("In no hive were losses larger than 5 bees.", "Losses were at most 5 bees in every hive."),
        ("Losses were at most 5 bees.", "Losses never exceeded 5 bees."),
        ("The p-value was below .05.", "The effect was clear (p < .05)."),
        ("The p-value was below .05.", "The effect was clear (.05 > p)."),
        ("For 6 weeks the bees were fed.", "The bees were fed over 6 weeks."),
        ("Five bees met hunter 5.", "Hunter 5 was met by five bees."),
        ("蜂群至少有900只蜜蜂。", "The hive had 900 bees or more."),
        ("The hive had 900 bees or more.", "蜂群至少有900只蜜蜂。"),
        ("Bees were kept in a rhythm of 12 h.", "Bees were kept under a 12-h rhythm."),
        ("Nectar had 30 mg sugar, with an error of 4 mg.", "Nectar had 30 ± 4 mg sugar."),
        ("Im Stock waren 900 Bienen oder mehr.", "The hive had at least 900 bees."),
    ],
)
def test_the_same_bound_may_be_worded_otherwise(sentence: str, quote: str) -> None:
    assert differences(sentence, quote) == ()


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("Weights rose from 5 to 3 kg.", "Weights fell from 3 to 5 kg."),
        ("Swarms left 9 of 4 hives.", "Swarms left 4 of 9 hives."),
        ("The interval was 1.1-1.4.", "The ratio was 1.1 (interval 0.9-1.4)."),
        ("Hives were opened from May to September.", "Hives were opened from April to September."),
        ("The fourth hive swarmed.", "The second hive swarmed, the third did not."),
        ("Syrup was given at 2 L per week.", "Syrup was given at 2 L per day."),
        ("Syrup was given daily.", "Syrup was given weekly."),
    ],
)
def test_ranges_shares_months_ordinals_and_rates_must_agree(sentence: str, quote: str) -> None:
    assert differences(sentence, quote)


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("The wax is 20 to 30 kyr old.", "The wax is 20 kyr to 30 kyr old."),
        ("The wax is 20–30 kyr old.", "The wax is between 20 and 30 kyr old."),
        ("It weighed 1.5 kg.", "It weighed 1500 g."),
        ("It took two weeks.", "It took 14 days."),
        ("Within a week, 7 hives swarmed.", "Seven hives swarmed within 7 days."),
        ("The tests were done three times at 20 °C.", "The tests were done in triplicate at 20 °C."),
        ("Half-life was two and a half days.", "The half-life was 2.5 days."),
        ("The error was 10^-7.", "The error was 10−7."),
        ("The flow was 0.4 m/s.", "The flow was 0.4 m s−1."),
        ("The field gave 4 tonnes per hectare.", "The field gave 4 t/ha."),
        ("The laser had 20 milliwatts.", "The laser had 20 mW."),
        ("Drones made up 50% of the bees.", "Half of the bees were drones."),
        ("Experiment 2 was done indoors.", "The second experiment was done indoors."),
        ("From 2001 to 2009 it rose from 4 to 6 kg.", "It rose from 4 kg in 2001 to 6 kg in 2009."),
        ("Only swarms of 50 or more were kept.", "Swarms of fewer than 50 were excluded."),
        ("A line at 5 sigma appeared.", "A 5σ line appeared."),
        ("The genome has 236M bases.", "The genome has 236 million bases."),
        ("Bees were counted twice a day.", "Bees were counted twice daily."),
        ("Hives are inspected every year.", "Hives are inspected annually."),
        ("Il y avait 12.500 abeilles dans les ruches.", "There were 12,500 bees in the hives."),
        ("In den Stöcken waren es im Mittel 3,25 kg.", "On average the hives held 3.25 kg."),
        ("Drei der Stöcke waren im März leer.", "Three of the hives were empty in March."),
        ("On 4 March 2012 the queen was marked.", "The queen was marked on 2012-03-04."),
        ("Keepers were 30 to 50 years old.", "Keepers were aged 30 to 50."),
    ],
)
def test_the_same_number_may_be_written_otherwise(sentence: str, quote: str) -> None:
    assert differences(sentence, quote) == ()


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("The hives stood in Graz.", "The hives stood in Linz."),
        ("The gene Amfor2 was silenced.", "The gene Amfor1 was silenced."),
        ("BeeNet found the swarm.", "HiveNet found the swarm."),
        ("They trained the BeeNetX model.", "They trained the BeeNet model."),
        ("In der Studie wurde BeeNet-2 benutzt.", "The study used BeeNet-3."),
        ("研究使用了BeeNet-2模型。", "The study used BeeNet-3."),
        ("Model C was best.", "Model D was best, then model A."),
        ("The WHO paid for it.", "The trial was paid for by a bank."),
    ],
)
def test_names_must_be_in_the_source(sentence: str, quote: str) -> None:
    assert any("name not in the quote" in reason for reason in differences(sentence, quote))


@pytest.mark.parametrize(
    ("sentence", "quote", "known"),
    [
        ("The hives stood in Austria.", "The hives stood in gardens.", "Bees in Austria"),
        ("Austrian keepers were asked.", "The survey asked keepers from Austria.", ""),
        ("All Austrian keepers were asked.", "The survey asked keepers from Austria.", ""),
        ("Both A. mellifera colonies died.", "Both colonies of Apis mellifera died.", ""),
        ("It was paid for by the WHO.", "The World Health Organization paid.", ""),
        ("The hives are shown in Figure 2.", "Fig. 2 shows the hives.", ""),
        ("They used IL6 and the BeeNet-2 model.", "IL-6 and BeeNet 2 were used.", ""),
        ("Die O2-Sättigung der Bienen war hoch.", "The bees' O₂ saturation was high.", ""),
        ("The mites were treated with an anti-RV2 agent.", "Against mites, RV-2 antibodies were used.", ""),
        ("The fit was good (R2 = 0.9) over 40 m2.", "The fit had R² = 0.9 on 40 m².", ""),
        ("Die Bienen aus Österreich waren im Frühling schwach.", "Bees from Austria were weak in spring.", ""),
    ],
)
def test_a_name_may_be_spelled_otherwise_stand_in_the_title_or_be_translated(
    sentence: str, quote: str, known: str
) -> None:
    assert differences(sentence, quote, known=known) == ()


@pytest.mark.parametrize(
    "sentence",
    [
        "Bees dance. https://honey.example",
        "Bees dance, see honey.example/now",
        "Bees [dance](honey).",
        "Bees dance <i class=x>now</i>.",
        "Bees dance, @everyone.",
        "Bees\u202e dance.",
        "Bees \U000e0041dance.",
        "Bees dance \U0001f41d.",
        "Bees dance ❷.",
    ],
)
def test_nothing_hidden_linked_or_decorated_is_added(sentence: str) -> None:
    assert differences(sentence, "Bees dance.")
    assert differences(sentence, sentence) == ()


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("The dance was read by the workers.", "Workers read the dance."),
        ("Les ouvrières ont lu la danse de la reine.", "Workers read the dance of the queen."),
        ("In spring, when it rained, bees stayed inside.", "Bees stayed inside in spring when it rained."),
    ],
)
def test_other_words_order_voice_and_language_are_no_difference(sentence: str, quote: str) -> None:
    assert differences(sentence, quote) == ()


@given(st.text(max_size=80))
def test_no_text_differs_from_itself(text: str) -> None:
    assert differences(text, text) == ()
