from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from adapters.common.markdown import Code, Grid, Run, Text, escape, footnote_text, inline, parse, plain, table
from core.domain.model import Citation, Derivation, Span
from core.domain.reply import Footnote
from tests.bot.actors import citation, paper


def test_a_body_comes_apart_into_its_blocks() -> None:
    body = (
        "**Title** and more\nof it\n\n- one\n- `two`\n> said\n| A | B |\n| --- | --- |\n| 1 | 2 |\n```\nx  y\n```\nend"
    )
    assert parse(body) == (
        Text(kind="paragraph", line=(Run(text="Title", style="bold"), Run(text=" and more of it"))),
        Text(kind="bullet", line=(Run(text="one"),)),
        Text(kind="bullet", line=(Run(text="two", style="code"),)),
        Text(kind="quote", line=(Run(text="said"),)),
        Grid(header=((Run(text="A"),), (Run(text="B"),)), rows=(((Run(text="1"),), (Run(text="2"),)),)),
        Code(text="x  y"),
        Text(kind="paragraph", line=(Run(text="end"),)),
    )


@given(st.text(max_size=80))
def test_what_was_escaped_is_words_and_nothing_else(words: str) -> None:
    line = inline(escape(words))
    assert all(run.style == "plain" for run in line)
    assert plain(line) == " ".join(words.split())


@given(st.text(max_size=80))
def test_escaped_words_never_become_another_block(words: str) -> None:
    blocks = parse(f"x{escape(words)}")
    assert [block.kind for block in blocks if isinstance(block, Text)] == ["paragraph"]


@given(st.lists(st.lists(st.text(max_size=12), min_size=2, max_size=2), min_size=1, max_size=4))
def test_cells_of_a_table_keep_their_words_and_their_place(rows: list[list[str]]) -> None:
    (grid,) = parse(table(["first", "second"], rows))
    assert isinstance(grid, Grid)
    kept = [[plain(cell) for cell in row] for row in grid.rows]
    expected = [[" ".join(cell.split()) for cell in row] for row in rows]
    # A row of dashes alone is what parts header and body, so it cannot be told from a row of data.
    assert kept == [row for row in expected if not all(cell and set(cell) <= set("-: ") for cell in row)]


@given(st.text(max_size=200))
def test_any_text_at_all_can_be_parsed(body: str) -> None:
    parse(body)


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
