"""Passages as a model sees them."""

from dataclasses import replace

from core.agent.generative.numbered_passages import (
    MARGIN,
    PassageGroup,
    _letter,
    estimate_tokens,
    lay_out,
    room_for_passages,
)
from core.config import LlmConfig
from core.domain.model import Evidence, Passage
from tests.core.agent.small_library import BARLEY, PASSAGES, SLEEP, SQUEEZENET, passage

TABLE = next(one for one in PASSAGES if one.kind == "table")


def group(*texts: str, part: str = "", first: int = 0) -> PassageGroup:
    items = (passage("barley", first + number, number + 1, text) for number, text in enumerate(texts))
    return PassageGroup(part=part, evidence=tuple(evidence(one) for one in items))


def evidence(one: Passage) -> Evidence:
    papers = {"barley": BARLEY, "sleep": SLEEP, "parsing": SQUEEZENET}
    return Evidence(passage=one, paper=papers[one.paper_id], score=1.0)


def test_passages_are_shown_whole_while_they_fit() -> None:
    shown = lay_out([group("Short one here.", "long " * 2_000, "Short two here.")], 200)
    assert [one.passage.ordinal for one in shown.evidence] == [0, 2]
    assert lay_out([group("Short one here.")], 10).evidence == ()
    assert estimate_tokens("界" * 30) >= 30


def test_each_has_its_number_paper_year_section_and_page() -> None:
    shown = lay_out([group("Yield fell.")], 500)
    assert "A. Drought tolerance of barley under field conditions | Lindqvist et al. | 2019" in shown.text
    assert " [1] A, Results, p. 1\nYield fell." in shown.text
    assert (shown.passage_id(1), shown.passage_id(0), shown.passage_id(2)) == ("barley/0", "", "")


def test_groups_are_filled_in_turns_and_each_passage_stands_in_the_first_that_found_it() -> None:
    one = group("A a.", "B b.", "C c.", part="first")
    other = PassageGroup(part="second", evidence=(one.evidence[0], *group("D d.", first=7).evidence))
    shown = lay_out([one, other], 10_000, most=3)
    assert [item.passage.text for item in shown.evidence] == ["A a.", "B b.", "D d."]
    assert shown.text.index("Found for: first") < shown.text.index("B b.") < shown.text.index("Found for: second")


def test_no_passage_can_hold_the_mark_before_its_number() -> None:
    one, other = lay_out([group("One.")], 500).text, lay_out([group("Other.")], 500).text
    marks = [text.partition("each behind ")[2][:8] for text in (one, other)]
    assert marks[0] != marks[1] and f"\n{marks[0]} [1] A, " in one


def test_the_cells_of_a_table_are_parted() -> None:
    text = lay_out([PassageGroup(part="", evidence=(evidence(TABLE),))], 500).text
    assert "Model | Precision | F1\nBiLSTM | 81.2 | 79.4" in text


def test_a_table_that_goes_on_is_shown_with_its_columns() -> None:
    going_on = replace(TABLE, text="BiLSTM 81.2 79.4\nLayoutTagger 90.3 88.7")
    text = lay_out([PassageGroup(part="", evidence=(evidence(going_on),))], 500).text
    assert "(Columns, printed before: Model | Precision | F1)\nBiLSTM | 81.2 | 79.4" in text


def test_papers_beyond_the_alphabet_have_letters_too() -> None:
    assert [_letter(index) for index in (0, 25, 26, 27, 52)] == ["A", "Z", "AA", "AB", "BA"]


def test_room_is_what_prompt_and_reply_leave() -> None:
    llm = LlmConfig(base_url="http://x", model="m", context_tokens=8_000, max_tokens=2_000)
    assert room_for_passages(llm, "") == 8_000 - 2_000 - 1 - MARGIN
    tight = LlmConfig(base_url="http://x", model="m", context_tokens=1_024, max_tokens=2_000)
    assert room_for_passages(tight, "x" * 9_000) == 0
