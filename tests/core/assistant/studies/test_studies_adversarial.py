"""Whatever a model writes, no sentence of a study is uncited and no figure comes from nowhere, by a separate oracle."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.assistant.groups.digest import DigestDependencies, make_digest
from core.assistant.groups.journal_club import make_brief
from core.assistant.studies.compare import compare
from core.assistant.studies.extract import extract
from core.assistant.studies.review import review, review_papers, review_topic
from core.assistant.studies.summarise import summarise
from core.assistant.studies.synthesis import TableEvidence, quote_table
from core.assistant.studies.takeaway_writer import TakeawayWriter
from core.domain.model import Channel, Citation, Paper, Reference, Scope, Sentence, Share, Span
from core.domain.ports import Embedder, Filters, Library, Retriever
from core.domain.records import Feedback, StoredAnswer
from core.domain.studies import STANDARD, Cell, Comparison, Review, Row, Summary
from core.grounding.verify import DraftSentence
from tests.core.agent.small_library import ALL, CHANNEL, NOON
from tests.core.assistant.studies.study_context import BARLEY, TEXTS, WHEAT, Room, Says, dependencies, printed
from tests.core.search.fake_embedder import FakeEmbedder

FEW = settings(max_examples=12)
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_VALUE = re.compile(r"(\d+(?:,\d{3})*(?:\.\d+)?)(\s?%)?")
_SMALL = "zero one two three four five six seven eight nine ten eleven twelve thirteen".split()
_SPELLED = {
    **{word: value for value, word in enumerate(_SMALL)},
    **{word: 20 + 10 * at for at, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split())},
    "hundred": 100,
    "thousand": 1000,
    "million": 1_000_000,
}

words = st.sampled_from(sorted({word for one in TEXTS for word in one.text.split()}))
figures = st.one_of(
    st.integers(0, 100_000).map(str),
    st.floats(0, 100, allow_nan=False).map(lambda value: f"{value:.1f}%"),
    st.sampled_from(
        ["31%", "12%", "480", "1,260", "84", "0.05", "thirteen", "twenty", "half", "ninety-nine", "1e6", "⅓"]
    ),
)
twists = st.sampled_from(
    [
        "not",
        "never",
        "all",
        "only",
        "Lee et al.",
        "[1]",
        "[99]",
        "Paper 7",
        "(Smith 2031)",
        "more",
        "less",
        "because",
        "**",
        "\n- ",
    ]
)
made_up = st.lists(st.one_of(words, words, words, figures, twists), min_size=3, max_size=14).map(
    lambda parts: " ".join(parts).strip(" .,") + "."
)
sentences_of_papers = st.sampled_from(
    sorted({piece.strip() + "." for one in TEXTS for piece in one.text.split(". ") if len(piece) > 20})
)
_STUDIED = [piece for one in TEXTS for piece in one.text.split(". ") if any(sign.isdigit() for sign in piece)]
twisted = st.tuples(st.sampled_from(_STUDIED), figures).map(
    lambda pair: _FIGURE.sub(pair[1].rstrip("%"), pair[0], count=1).rstrip(".") + "."
)
replies = st.lists(st.one_of(made_up, sentences_of_papers, twisted), min_size=1, max_size=8).map(" ".join)


def from_nowhere(text: str, sources: Sequence[str]) -> list[str]:
    """Figures of ``text``, in digits or spelled, that no source holds in some notation: 31 %, 0.31; two, 2."""
    held = " ".join(sources)
    shares, plain = values(held)
    plain |= {Decimal(1)} if re.search(r"\bone\b", held, re.IGNORECASE) else set()
    mine_shares, mine = values(text)
    left = [one for one in mine_shares if one not in shares and one / 100 not in plain]
    return [str(one) for one in left + [one for one in mine if one not in plain | shares and one * 100 not in shares]]


def values(text: str) -> tuple[set[Decimal], set[Decimal]]:
    """The percentages of a text, and its other numbers; "one" says too little to be one."""
    found = [(Decimal(digits.replace(",", "")), bool(percent)) for digits, percent in _VALUE.findall(text)]
    spelled = {
        Decimal(_SPELLED[one]) for one in re.findall(r"[a-z]+", text.lower()) if one in _SPELLED and one != "one"
    }
    return {value for value, percent in found if percent}, {value for value, percent in found if not percent} | spelled


def quotes(citations: Sequence[Citation], markers: Sequence[int]) -> list[str]:
    return [span.quote for one in citations if one.marker in markers for span in one.spans]


def checked(made: Summary | Review) -> None:
    said = [one for section in made.sections for one in section.sentences]
    if isinstance(made, Review):
        said += [one for section in made.sections for pair in section.pairs for one in (pair.first, pair.second)]
    assert not made.citations or printed(made.citations)
    for one in said:
        assert one.markers, one.text
        assert quotes(made.citations, one.markers), one.text
        assert not from_nowhere(one.text, quotes(made.citations, one.markers)), one.text


def table_checked(made: Comparison) -> None:
    cells = [cell for row in made.rows for cell in row.cells]
    known = {one.marker for one in made.citations}
    assert printed(made.citations)
    for cell in cells:
        assert bool(cell.text) == bool(cell.citations)
        assert not from_nowhere(cell.text, [s.quote for one in cell.citations for s in one.spans]), cell.text
    for one in made.synthesis:
        assert one.markers
        assert set(one.markers) <= known
        assert not from_nowhere(one.text, quotes(made.citations, one.markers)), one.text


@pytest.mark.slow
@FEW
@given(replies)
def test_a_summary_and_a_review_say_nothing_uncited(reply: str) -> None:
    checked(asyncio.run(summarise(BARLEY.id, dependencies(Says(reply, agrees=True)))))
    checked(asyncio.run(review(WHEAT.id, dependencies(Says(reply, agrees=True)))))


@pytest.mark.slow
@FEW
@given(replies)
def test_a_review_of_several_papers_says_nothing_uncited(reply: str) -> None:
    checked(asyncio.run(review_papers([BARLEY.id, WHEAT.id], dependencies(Says(reply, agrees=True)))))
    checked(asyncio.run(review_topic("yield of varieties under drought", dependencies(Says(reply, agrees=True)))))


@pytest.mark.slow
@FEW
@given(replies, st.one_of(made_up, sentences_of_papers, twisted, figures))
def test_a_comparison_says_nothing_that_its_table_does_not_hold(reply: str, value: str) -> None:
    model = Says(reply, values=lambda _: value, agrees=True)
    table_checked(asyncio.run(compare([BARLEY.id, WHEAT.id], STANDARD, dependencies(model))))


@pytest.mark.slow
@FEW
@given(st.one_of(made_up, twisted, figures, st.text(max_size=60)))
def test_a_cell_holds_nothing_that_is_not_in_its_quote(value: str) -> None:
    model = Says(values=lambda _: value, agrees=True)
    for row in asyncio.run(extract([BARLEY.id, WHEAT.id], STANDARD, dependencies(model))):
        assert not row.citations or printed(row.citations)
        for cell in row.cells:
            assert bool(cell.text) == bool(cell.citations)
            assert not from_nowhere(cell.text, [s.quote for one in cell.citations for s in one.spans]), cell.text


def told_of(sentences: Sequence[Sentence], citations: Sequence[Citation]) -> None:
    for one in sentences:
        cited = quotes(citations, one.markers)
        assert one.markers and len(cited) >= len(one.markers), one.text
        assert not from_nowhere(one.text, cited), one.text


@pytest.mark.slow
@FEW
@given(replies)
def test_a_brief_says_nothing_uncited(reply: str) -> None:
    made = make_brief(BARLEY, asyncio.run(summarise(BARLEY.id, dependencies(Says(reply, agrees=True)))), NOON)
    assert made.points and printed(made.citations)
    told_of([sentence for one in made.points for sentence in one.sentences], made.citations)
    assert all(not one.markers or set(one.markers) <= {c.marker for c in made.citations} for one in made.questions)
    assert not any(sign.isdigit() for one in made.questions for sign in one.text)


class Quiet(Room):
    """Papers that were dropped a moment ago, of which nobody has asked anything."""

    async def papers(self, scope: Scope, *, filters: Filters = ALL) -> Sequence[Paper]:
        shares = {
            id_: Share(paper_id=id_, channel="C", message=id_, user="u", at=NOON) for id_ in (BARLEY.id, WHEAT.id)
        }
        return [replace(one, shares=(shares[one.id],)) for one in (BARLEY, WHEAT)]

    async def references(self, scope: Scope, paper_id: str) -> Sequence[Reference]:
        return ()

    async def between(self, channel: Channel, since: datetime, until: datetime) -> Sequence[StoredAnswer]:
        return ()

    async def asked_about(self, channel: Channel) -> frozenset[str]:
        return frozenset()

    async def given(self, scope: Scope) -> Sequence[Feedback]:
        return ()


@pytest.mark.slow
@FEW
@given(replies)
def test_a_digest_says_nothing_uncited(reply: str) -> None:
    room = Quiet()
    work = DigestDependencies(
        library=cast(Library, room),
        records=room,
        feedback=room,
        retriever=cast(Retriever, room),
        embedder=cast(Embedder, FakeEmbedder()),
        writer=TakeawayWriter(model=Says(reply, agrees=True)),
    )
    made = asyncio.run(make_digest(CHANNEL, NOON - timedelta(days=1), NOON, dependencies=work))
    assert printed(made.citations)
    told_of([one.takeaway for one in made.arrivals if one.takeaway is not None], made.citations)
    linked = [side for one in made.arrivals if one.connection for side in (one.connection.here, one.connection.there)]
    told_of([side for side in linked if side is not None], made.citations)
    assert len(made.arrivals) == 2 and all(one.takeaway for one in made.arrivals)


def row(field: str, *texts: str, first: int = 1) -> Row:
    cells = []
    for place, text in enumerate(texts):
        paper = (BARLEY, WHEAT)[place % 2]
        spans = (Span(passage_id=f"{paper.id}/1", page=1, quote=text),)
        citation = Citation(marker=first + place, paper_id=paper.id, section=(), spans=spans)
        cells.append(Cell(field=field, text=text, citations=(citation,)) if text else Cell(field=field))
    return Row(field=field, cells=tuple(cells))


@given(st.lists(st.tuples(made_up, made_up), min_size=1, max_size=4))
def test_frames_around_cells_add_no_figure_and_cite_what_they_hold(pairs: list[tuple[str, str]]) -> None:
    names = ("Main results", "Size", "Metrics", "Dataset")
    rows = [row(names[n], *pair, first=1 + 2 * n) for n, pair in enumerate(pairs)]
    told = quote_table(rows, (BARLEY.id, WHEAT.id), {BARLEY.id: "Lee et al.", WHEAT.id: "Fox"})
    cells = {cell.citations[0].marker: cell for one in rows for cell in one.cells}
    for one in told:
        assert one.markers
        assert set(one.markers) <= set(cells)
        assert not from_nowhere(one.text, [cell.text for cell in cells.values()]), one.text


def spoken(table: TableEvidence, draft: str, *quoted: str) -> Sentence | None:
    verified = table.verifier.sentence(DraftSentence(text=draft, sources=tuple(("", quote) for quote in quoted)))
    return table.with_own_markers(verified) if isinstance(verified, Sentence) else None


@given(made_up, made_up, st.one_of(made_up, twisted))
def test_a_draft_over_a_table_cites_the_table_or_is_not_said(one: str, other: str, draft: str) -> None:
    said = spoken(TableEvidence([row("Size", one, other)], [BARLEY, WHEAT]), draft, one, other)
    assert said is None or (set(said.markers) <= {1, 2} and bool(said.markers))
    assert said is None or not from_nowhere(said.text, [one, other])


def test_a_draft_that_repeats_the_table_is_said_with_the_tables_markers() -> None:
    cells = "We sampled 480 plants of wheat.", "We sampled 84 landraces of barley."
    table = TableEvidence([row("Size", *cells, first=4)], [BARLEY, WHEAT])
    found = spoken(table, "We sampled 84 landraces of barley.", "sampled 84 landraces of barley")
    assert found is not None and found.markers == (5,)
    assert spoken(table, "We sampled 85 landraces of barley.", *cells) is None
