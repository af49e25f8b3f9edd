"""Which lines of a paper are no sentences about the work, and which questions ask for them all the same."""

import pytest

from core.text import (
    asks_for_people,
    is_axis_ticks,
    is_name_list,
    is_only_names,
    is_publication_notice,
    is_unrequested_notice,
)

CARDS = {
    "Correspondence should be addressed to Ada Lindqvist (ada@example.org)": "Who is the corresponding author?",
    "Copyright © 2020 A. Lindqvist, released under a Creative Commons license.": "Under which licence is it published?",
    "Harbour Letters 13(6): e01979. https://doi.org/10.5555/harbour.01979": "What is the DOI of the harbour paper?",
    "Received: 3 May 2019": "When was the paper accepted?",
    "Funding: The port authority of Lund.": "Who funded the study?",
    "Keywords: gulls; harbours; ferries": "Which keywords do they give?",
    "Supervision: Ada Lindqvist, Tomas Ferreira.": "Who supervised the work?",
    "Cómo citar: Lindqvist, A. (2019). Gaviotas.": "¿Dónde se puede leer el artículo, y cuál es el doi?",
}


@pytest.mark.parametrize(("line", "question"), CARDS.items())
def test_a_line_for_librarians_is_left_out_unless_it_is_asked_for(line: str, question: str) -> None:
    assert is_publication_notice(line)
    assert is_unrequested_notice(line, "Why did the gulls leave?")
    assert not is_unrequested_notice(line, question)


@pytest.mark.parametrize(
    "line",
    [
        "The gulls left the harbour because the ferries were louder in spring.",
        "Sound levels correspond to the number of ferries.",
        "Methods: We counted 48 nests on three piers.",
    ],
)
def test_a_sentence_about_the_work_is_no_card(line: str) -> None:
    assert not is_publication_notice(line)
    assert not is_name_list(line)
    assert not is_axis_ticks(line)


@pytest.mark.parametrize(
    "line", ["3 Software Engineer, Lakeside, Sweden.", "Ada Lindqvist & Tomas Ferreira", "University of Lund, Sweden"]
)
def test_a_line_of_names_is_told_by_its_capitals(line: str) -> None:
    assert is_name_list(line)


def test_a_script_without_capitals_is_never_a_line_of_names() -> None:
    assert not is_name_list("海鸥离开了港口 因为渡轮太吵")


def test_ticks_of_an_axis_are_told_from_a_sentence_with_numbers() -> None:
    assert is_axis_ticks("0 50 100 150 200 0.0 0.2")
    assert not is_axis_ticks("We counted 48, 51 and 60 nests in 2017, 2018 and 2019.")


def test_the_title_alone_is_what_a_paper_is_called_and_a_sentence_with_its_words_is_not() -> None:
    names = ("Gulls in noisy harbours", "Ada Lindqvist Tomas Ferreira")
    assert is_only_names("Gulls in Noisy Harbours", names)
    assert is_only_names("Ada Lindqvist, Tomas Ferreira", names)
    assert not is_only_names("We show that gulls avoid noisy harbours after the third week.", names)
    assert not is_only_names("Gulls sleep in noisy harbours.", ("Gulls sleep in noisy harbours.",))


def test_a_question_about_people_is_known() -> None:
    assert asks_for_people("Where does Lindqvist work?")
    assert not asks_for_people("Why did the gulls leave?")
