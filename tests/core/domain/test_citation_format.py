"""How papers and citations read in words, as replies and tables show them."""

from dataclasses import replace

import pytest

from core.domain.citation_format import byline, column_labels, footnote_text, pages_label, sentence_text, shorten_names
from core.domain.model import Citation, Derivation, Sentence, Span
from core.domain.reply import Footnote
from tests.bot.actors import citation, paper
from tests.core.agent.small_library import paper as written_paper


def test_a_footnote_names_paper_page_section_and_quote() -> None:
    note = Footnote(citation=citation(), paper=paper())
    assert footnote_text(note) == "[1] On Footnotes, p. 5, § 2.3 Notes: “A footnote is a promise.”"


def test_a_footnote_says_where_its_words_are_told_otherwise() -> None:
    note = Footnote(citation=citation(), paper=paper(), paraphrased=True)
    assert footnote_text(note).endswith("§ 2.3 Notes: paraphrased from “A footnote is a promise.”")


def test_a_table_is_named_beside_its_section() -> None:
    note = Footnote(citation=replace(citation(3), label="Table 2"), paper=paper())
    assert footnote_text(note).startswith("[3] On Footnotes, p. 5, § 2.3 Notes, Table 2: “")


def test_a_sentence_over_a_page_end_has_both_pages_and_both_quotes() -> None:
    spans = (Span(passage_id="p", page=5, quote="A footnote\nis"), Span(passage_id="q", page=6, quote="a promise."))
    note = Footnote(citation=replace(citation(), spans=spans, section=()), paper=paper())
    assert footnote_text(note) == "[1] On Footnotes, pp. 5–6: “A footnote is” … “a promise.”"


def test_a_computation_shows_its_operands() -> None:
    derived = Citation(
        marker=3,
        paper_id="a" * 64,
        section=(),
        spans=(),
        derivation=Derivation(expression="12 − 10", result="2", operands=(1, 2)),
    )
    assert footnote_text(Footnote(citation=derived, paper=paper())) == "[3] On Footnotes: 12 − 10 = 2, from [1], [2]"


def test_papers_of_the_same_authors_are_told_apart_by_letters() -> None:
    papers = [
        written_paper("a" * 64, "On barley", authors=["Ann Lee"], year=2020),
        written_paper("b" * 64, "On wheat", authors=["Lee, Ann"], year=2021),
        written_paper("c" * 64, "A title of more than five words", authors=[], year=2021),
    ]
    assert list(column_labels(papers).values()) == ["Lee (A)", "Lee (B)", "A title of more than…"]


def test_a_byline_shortens_three_authors_and_ends_with_the_year() -> None:
    assert byline(written_paper("a" * 64, "On barley", authors=["A B", "C D", "E F"], year=2020)) == "A B et al., 2020"
    assert shorten_names(["Lee", "Sen"]) == "Lee and Sen"


def test_a_sentence_has_its_markers_behind_it() -> None:
    assert sentence_text(Sentence(text="So it is.", markers=(1, 3))) == "So it is. [1][3]"
    assert sentence_text(Sentence(text="So it is.", markers=())) == "So it is."


@pytest.mark.parametrize(
    ("labels", "pages", "shown"),
    [
        ((), [5], "p. 5"),
        ((), [5, 6, 5], "pp. 5–6"),
        ((), [], ""),
        (("vii", "701", "702"), [2], "p. 701 (sheet 2)"),
        (("vii", "701", "702"), [2, 3], "pp. 701–702 (sheets 2–3)"),
        (("C", "2", "3"), [2], "p. 2"),
        (("vii",), [4], "p. 4"),
    ],
)
def test_a_page_is_cited_by_its_printed_number_and_by_its_sheet_where_they_differ(
    labels: tuple[str, ...], pages: list[int], shown: str
) -> None:
    assert pages_label(labels, pages) == shown
