"""What is asked is read alike for questions that differ in one word only, with the embedder of the default install.

The wordings were made up for this test: none of them stands in a rule, and none was used to choose a threshold.
"""

from pathlib import Path

import pytest

from core.agent.extractive.expected_values import unit_fits
from core.config import EmbedderConfig
from core.domain.ports import Embedder
from core.search import open_embedder
from core.text.questions import asked_noun, has_superlative
from core.understanding import answer_types, refusals


@pytest.fixture(scope="module")
def embedder(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    folder: Path = tmp_path_factory.mktemp("models")
    return open_embedder(EmbedderConfig(cache=folder))


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What median lifetime did the coated bearings reach?", "number"),
        ("Which percentage of the nests was empty?", "number"),
        ("What income did the fishers report?", "number"),
        ("What average depth did the sonar give?", "number"),
        ("How brittle is the annealed alloy?", "number"),
        ("How quickly did the lesions heal?", "number"),
        ("Wie schwer war das Gehirn der Krähen?", "number"),
        ("Combien de ruches ont survécu ?", "number"),
        ("Which library did the authors link against?", "which"),
        ("What instrument did the choir use?", "which"),
        ("Which village was surveyed first?", "which"),
        ("How were the bearings coated?", "how"),
    ],
)
async def test_the_kind_of_answer_follows_the_noun_or_adjective_asked_for(
    question: str, kind: str, embedder: Embedder
) -> None:
    assert await answer_types.answer_type(question, embedder) == kind


@pytest.mark.parametrize(
    ("message", "refusal"),
    [
        ("Can I replace my blood pressure tablets with garlic?", "advice"),
        ("Should we move our pension into bonds?", "advice"),
        ("Will it snow in Tromsø on Friday?", "world"),
        ("Who won the chess final yesterday?", "world"),
        ("Compose a wedding toast for my sister.", "task"),
        ("Did garlic lower the blood pressure of the patients?", ""),
        ("Should I standardise the covariates before the fit?", ""),
        ("How much snow fell on the study plots?", ""),
    ],
)
async def test_what_is_no_question_on_papers_is_known_by_what_it_is_about(
    message: str, refusal: str, embedder: Embedder
) -> None:
    assert (await refusals.sort(message, embedder)).refusal == refusal


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("What {} did the review report for thymol?", ("ED90", "LD10", "EC50")),
        ("Que {} médio a sonda mostrou?", ("brilho", "desgaste")),
        ("Which gap was left {} in the trial?", ("unprobed", "unmeasured")),
    ],
)
async def test_a_word_in_place_of_another_of_its_kind_changes_nothing(
    one: str, other: tuple[str, ...], embedder: Embedder
) -> None:
    assert len({await answer_types.answer_type(one.format(word), embedder) for word in other}) == 1


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("What mean grain size did the sieve give?", "mean grain size"),
        ("What is the boiling point of the mixture?", "boiling point"),
        ("Qué densidad tenía la muestra?", "densidad"),
        ("What did they weigh?", ""),
    ],
)
def test_the_noun_after_a_question_word_is_what_is_asked_for(question: str, noun: str) -> None:
    assert asked_noun(question) == noun


@pytest.mark.parametrize(
    ("words", "question", "fits"),
    [
        ("The cast weighed 12 g after drying.", "How heavy was the cast?", True),
        ("The cast was 12 cm long.", "How heavy was the cast?", False),
        ("Each dive lasted 40 s.", "How many minutes does a dive last?", True),
        ("Each dive reached 40 m.", "How many minutes does a dive last?", False),
        ("A permit costs €30.", "What does a permit cost in euros?", True),
        ("A permit holds for 30 days.", "What does a permit cost in euros?", False),
        ("A permit holds for 30 days.", "What does a permit need?", True),
    ],
)
def test_a_measure_that_a_question_names_must_stand_in_the_answer(words: str, question: str, fits: bool) -> None:
    assert unit_fits(words, question) is fits


def test_an_extreme_is_asked_for_by_any_superlative() -> None:
    assert all(has_superlative(f"Which kiln is the {word}?") for word in ("hottest", "cheapest", "driest", "most worn"))
    assert not has_superlative("What is the latest interest in the forest, and who suggested the harvest?")
