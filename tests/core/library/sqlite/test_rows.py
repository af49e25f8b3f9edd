"""Stored values come back as they were."""

from hypothesis import given
from hypothesis import strategies as st

from core.domain.codec import from_json, many_from_json, to_json
from core.domain.model import (
    Answer,
    Box,
    Citation,
    Derivation,
    Evidence,
    LayerReading,
    Metadata,
    Paper,
    Passage,
    Sentence,
    Span,
)
from core.library.sqlite.rows import pack_boxes, passage_body, passage_from_row, passage_row, to_storable, unpack_boxes
from tests.core.library.making import NOON, passage

hundredths = st.integers(min_value=-(10**7), max_value=10**7).map(lambda number: number / 100)
boxes = st.builds(
    Box, page=st.integers(min_value=0, max_value=100_000), x0=hundredths, y0=hundredths, x1=hundredths, y1=hundredths
)
spans = st.builds(Span, passage_id=st.text(), page=st.integers(), quote=st.text(), boxes=st.tuples(boxes))
derivations = st.builds(Derivation, expression=st.text(), result=st.text(), operands=st.lists(st.integers()).map(tuple))
citations = st.builds(
    Citation,
    marker=st.integers(),
    paper_id=st.text(),
    section=st.lists(st.text()).map(tuple),
    spans=st.lists(spans, max_size=2).map(tuple),
    label=st.none() | st.text(),
    derivation=st.none() | derivations,
)


@given(st.lists(boxes))
def test_boxes_come_back_to_a_hundredth_of_a_point(made: list[Box]) -> None:
    assert unpack_boxes(pack_boxes(made)) == tuple(made)


def test_a_printed_line_takes_about_nine_bytes() -> None:
    lines = [Box(page=4, x0=72, y0=72 + 12.4 * n, x1=523.7, y1=84 + 12.4 * n) for n in range(40)]
    assert len(pack_boxes(lines)) < 9 * len(lines)


@given(st.lists(citations))
def test_citations_come_back(made: list[Citation]) -> None:
    assert many_from_json(Citation, to_json(tuple(made))) == tuple(made)


@given(st.lists(citations, max_size=3), st.dictionaries(st.text(), st.floats(allow_nan=False)))
def test_answers_come_back(cited: list[Citation], timings: dict[str, float]) -> None:
    made = Answer(
        question="?",
        outcome="answered",
        mode="extractive",
        sentences=(Sentence(text="So.", markers=(1, 2)),),
        citations=tuple(cited),
        timings=timings,
        relevancy=0.25,
    )
    assert from_json(Answer, to_json(made)) == made


def test_fields_of_another_version_do_not_stand_in_the_way() -> None:
    kept = from_json(Sentence, '{"text": "So.", "markers": [1], "of tomorrow": 5}')
    assert kept == Sentence(text="So.", markers=(1,))


def test_evidence_with_dates_and_mappings_comes_back() -> None:
    paper = Paper(id="p", file_name="f", metadata=Metadata(title="T"), pages=1, kind="scanned", added_at=NOON)
    found = Evidence(passage=passage("p", 0, "t"), paper=paper, score=0.1, ranks={"dense": 3})
    assert from_json(Evidence, to_json(found)) == found


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_any_text_becomes_storable_and_good_text_stays(text: str) -> None:
    stored = to_storable(text)
    assert stored.encode().decode() == stored
    if not any("\ud800" <= letter <= "\udfff" for letter in text):
        assert stored == text


@given(st.lists(st.builds(LayerReading, start=st.integers(), end=st.integers(), words=st.text(), apart=st.booleans())))
def test_what_a_text_layer_says_otherwise_comes_back(layer: list[LayerReading]) -> None:
    made = Passage(
        id="p",
        paper_id="a",
        ordinal=1,
        page=2,
        section=("1 A",),
        kind="text",
        text="moss",
        indexed_text="",
        layer=(*layer,),
    )
    assert passage_from_row((7, *passage_row(made), passage_body(made)), "a") == made
