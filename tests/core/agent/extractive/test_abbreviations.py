"""Where an abbreviation is spelled out, and where it only looks so."""

import pytest

from core.agent.extractive.abbreviations import spelled_out


@pytest.mark.parametrize(
    ("words", "question"),
    [
        ("We used Random Amplified Marker Analysis (RAMA) throughout.", "What does RAMA stand for?"),
        ("RAMA (random amplified marker analysis) was used.", "What is the full name of RAMA?"),
        ("El Índice de Divulgación Parcial de la muestra (IDP) es bajo.", "What does the abbreviation IDP mean?"),
        ("Rates fell in all intensive care units (ICUs).", "What is ICU short for?"),
        ("Los pacientes de la Unidad de Cuidados (UC) mejoran.", "¿Qué significa la sigla UC?"),
    ],
)
def test_the_place_is_found(words: str, question: str) -> None:
    assert spelled_out(words, question)


@pytest.mark.parametrize(
    ("words", "question"),
    [
        ("It was bought from the maker (RAMA Technologies, Bolton).", "What does RAMA stand for?"),
        ("We used Random Amplified Marker Analysis (RAMA).", "How well does RAMA work?"),
        ("The method of Smith (RAMA) is quick.", "What does RAMA stand for?"),
        ("RAMA (see below) was used.", "What does RAMA stand for?"),
        ("Nothing is spelled out here.", "What does RAMA stand for?"),
    ],
)
def test_other_places_are_not(words: str, question: str) -> None:
    assert not spelled_out(words, question)
