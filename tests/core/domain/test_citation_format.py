from dataclasses import replace

from core.domain.citation_format import footnote_text
from core.domain.model import Citation, Derivation, Span
from core.domain.reply import Footnote
from tests.bot.actors import citation, paper


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
