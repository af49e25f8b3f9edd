"""What the confirmation of a paper shows: counts as the paper itself counts, a key sentence, three questions."""

from dataclasses import replace

from core.assistant.papers.paper_card import counts, key_sentence, questions
from core.domain.model import Metadata, Passage, PassageKind, Reading

_TEXT = (
    "Margins were measured on old books. We show that readers find footnotes faster than endnotes. "
    "The books came from one library."
)


def _passage(number: int, kind: PassageKind, label: str | None = None, text: str = _TEXT) -> Passage:
    return Passage(
        id=f"p{number}",
        paper_id="p",
        ordinal=number,
        page=1,
        section=("Abstract",) if kind == "text" else ("4 Limitations",),
        kind=kind,
        text=text,
        indexed_text=text,
        label=label,
    )


def _reading(*passages: Passage) -> Reading:
    return Reading(metadata=Metadata(title="On margins"), kind="born digital", pages=3, passages=passages)


def test_tables_are_counted_as_the_paper_numbers_them() -> None:
    numbered = [_passage(1, "table", "Table 1"), _passage(2, "table", "Table 1"), _passage(3, "table")]
    assert counts(_reading(*numbered))["tables"] == 1
    assert counts(_reading(*(replace(one, label=None) for one in numbered)))["tables"] == 3
    assert counts(_reading())["tables"] == 0


def test_the_key_sentence_is_the_one_that_claims_and_is_quoted_with_its_page() -> None:
    key = key_sentence(_reading(_passage(1, "text")))
    assert key is not None
    assert (key.quote, key.page) == ("We show that readers find footnotes faster than endnotes.", 1)
    assert key_sentence(_reading()) is None


def test_questions_have_somewhere_to_be_answered() -> None:
    found = questions((_passage(1, "text"), _passage(2, "table", "Table 1")))
    assert found[0] == "Which limitations do the authors name?"
    assert len(found) == 3
