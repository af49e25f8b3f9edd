"""Replies as Slack messages, judged by others: every kind, and whatever text a paper or a person may hold."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.common.markdown import Code, Grid, Text, escape, parse, plain, table
from adapters.slack import blocks as kit
from adapters.slack import forms, render
from core.domain.model import Citation, Span
from core.domain.reply import Button, Field, Footnote, Form, Reply
from tests.adapters.slack.kinds import KINDS
from tests.bot.actors import citation, full_reply, paper
from tests.peers.slack.judge import problems, texts, view_problems

ROUGH = [
    "<!channel> and <!here> and <@U123> and <#C1|x>",
    "@channel @here @everyone",
    "*bold* _it_ ~no~ `code` ```block``` > quote",
    "http://example.org/a?b=1&c=2 www.example.org",
    ":smile: :+1: &lt;!channel&gt; &amp;",
    "\u202eevil\u202c \u0000\u0007\u001b[31m",
    "中文没有空格的一句很长的话。" * 40,
    "日本語とعربي और हिन्दी 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 👩‍👩‍👧‍👦",
    "a" * 20_000,
    "",
]
signs = st.text(alphabet=st.characters(codec="utf-8"), max_size=120)
words = st.one_of(signs, st.sampled_from(ROUGH))


def bodies() -> st.SearchStrategy[str]:
    paragraph = words.map(escape)
    bullet = words.map(lambda text: f"- {escape(text)}")
    quote = words.map(lambda text: f"> {escape(text)}")
    code = words.map(lambda text: "```\n" + text.replace("```", "") + "\n```")
    row = st.lists(words, min_size=3, max_size=3)
    tables = st.lists(row, max_size=8).map(lambda rows: table(["One", "Two", "Three"], rows))
    part = st.one_of(paragraph, bullet, quote, code, tables, paragraph.map(lambda text: f"**{text}**"))
    return st.lists(part, max_size=8).map("\n\n".join)


def footnotes() -> st.SearchStrategy[tuple[Footnote, ...]]:
    def made(quotes: Sequence[str]) -> tuple[Footnote, ...]:
        return tuple(
            Footnote(citation=citation(number, quote=quote or "x"), paper=paper(title=quote or "Untitled"))
            for number, quote in enumerate(quotes, start=1)
        )

    return st.lists(words, max_size=6).map(made)


def pressed() -> st.SearchStrategy[tuple[Button, ...]]:
    made = st.builds(
        Button,
        label=words,
        action=st.sampled_from(["ask", "page", "good", "wrong", "wider", "share"]),
        value=st.text(alphabet="0123456789abcdef/:", max_size=80),
        style=st.sampled_from(["plain", "primary", "danger"]),
    )
    return st.lists(made, max_size=30).map(tuple)


replies = st.builds(
    Reply,
    kind=st.just("answer"),
    body=bodies(),
    footnotes=footnotes(),
    buttons=pressed(),
    footer=words,
)


@pytest.mark.parametrize("reply", [pytest.param(reply, id=name) for name, reply in KINDS.items()])
def test_every_kind_of_reply_is_taken(reply: Reply) -> None:
    for message in render.messages(reply, thread="1700000000.000100"):
        assert problems(message.blocks) == []
        assert 0 < len(message.text) <= 4_000
    assert view_problems(render.home(reply)) == []


@given(replies)
def test_whatever_a_reply_holds_is_taken_and_the_fallback_reads(reply: Reply) -> None:
    for message in render.messages(reply, thread="1700000000.000100"):
        assert problems(message.blocks) == []
        assert message.text.strip()
        assert len(message.text) <= 15_000
        assert_harmless(message.text)
    assert view_problems(render.home(reply)) == []


@settings(max_examples=25)
@given(bodies())
def test_nothing_of_a_body_is_lost_however_it_is_split(body: str) -> None:
    blocks = [block for message in render.messages(Reply(kind="answer", body=body)) for block in message.blocks]
    told = squeezed("".join(text for text in texts(blocks)))

    for block in parse(body):
        match block:
            case Text(line=line):
                assert squeezed(plain(line)) in told
            case Code(text=text):
                assert squeezed(text) in told
            case Grid(header=header):
                assert all(squeezed(plain(cell)) in told for cell in header)


def test_a_long_table_is_continued_with_its_header_and_a_wide_one_with_its_first_column() -> None:
    rows = [[f"r{n}", *(f"{n}-{column}" for column in range(29))] for n in range(250)]
    body = table(["Method", *(f"c{column}" for column in range(29))], rows)
    parts = render.messages(Reply(kind="table", body=body))

    grids = [block for message in parts for block in message.blocks if block["type"] == "table"]
    cells = [["".join(texts(cell)) for cell in row] for grid in grids for row in grid["rows"]]  # type: ignore[attr-defined]
    assert all(problems(message.blocks) == [] for message in parts)
    assert {row[0] for row in cells} == {"Method", *(f"r{n}" for n in range(250))}
    assert {cell for row in cells for cell in row[1:]} == {
        *(f"c{column}" for column in range(29)),
        *(f"{n}-{column}" for n in range(250) for column in range(29)),
    }


def test_a_very_long_answer_arrives_whole_in_several_messages() -> None:
    sentences = [f"Sentence number {n} says that the value was {n} units in the {n}th trial." for n in range(1_000)]
    parts = render.messages(Reply(kind="answer", body=escape(" ".join(sentences))))

    told = " ".join("".join(texts(message.blocks)) for message in parts)
    assert len(parts) > 3
    assert all(problems(message.blocks) == [] for message in parts)
    assert all(sentence in " ".join(told.split()) for sentence in sentences)
    assert all(message.text.endswith("(continued)") for message in parts[1:])


@pytest.mark.parametrize("rough", ROUGH)
def test_nothing_can_ping_link_or_lay_out(rough: str) -> None:
    reply = Reply(kind="answer", body=escape(rough) or "x", footer=rough)
    (first, *_) = render.messages(reply)

    assert_harmless(first.text)
    for block in first.blocks:
        for element in flat(block):
            assert element["type"] in {
                "rich_text",
                "rich_text_section",
                "text",
                "context",
                "plain_text",
            }  # nothing that Slack reads signs in
    assert_harmless(render.working_message([rough]).text)


def test_a_streamed_sentence_means_nothing_but_itself() -> None:
    said = render.escape_stream("See <@U1> & *stars* [1](http://x) :smile: <!here> a_b")

    assert "<@" not in said
    assert "<!" not in said
    assert ":smile:" not in said.replace("\u200b", "\u200b") or "\u200b" in said
    assert re.search(r"(?<!\\)[*_\[\]]", said) is None
    assert said.replace("\u200b", "").replace("\\", "") == "See <@U1> & *stars* [1](http://x) :smile: <!here> a_b"


def test_a_footnote_stands_beneath_with_paper_page_section_and_quote() -> None:
    (message,) = render.messages(full_reply())

    said = list(texts(message.blocks))
    assert said[0] == "A footnote is a promise. [1]"
    assert "[1] On Footnotes, p. 5, § 2.3 Notes: “A footnote is a promise.”" in said[1]
    assert "[2] On Footnotes: 12 - 10 = 2, from [1]" in said[1]


def test_good_and_wrong_are_slacks_own_feedback() -> None:
    buttons = (Button(label="Good", action="good", value="t1"), Button(label="Wrong", action="wrong", value="t1"))
    (message,) = render.messages(Reply(kind="answer", body="Said.", buttons=buttons), thread="1.2")

    feedback = message.blocks[-1]
    assert feedback["type"] == "context_actions"
    assert feedback["block_id"] == "1.2/0"
    assert kit.parse_press(feedback["elements"][0]["negative_button"]["value"]) == ("wrong", "t1")  # type: ignore[index]


@settings(max_examples=25)
@given(
    words,
    words,
    words,
    st.lists(st.tuples(st.text(min_size=1, max_size=60), words), max_size=120, unique_by=lambda one: one[0][:150]),
)
def test_every_form_is_taken(label: str, hint: str, initial: str, choices: list[tuple[str, str]]) -> None:
    form = Form(
        name="wrong",
        title=label or "t",
        value="trace",
        fields=(
            Field(name="one", label=label or "l", hint=hint, initial=initial),
            Field(name="two", label="Long", kind="text", initial=initial, required=False),
            Field(
                name="three",
                label="Choice",
                kind="choice",
                choices=tuple(choices),
                initial=choices[0][0] if choices else "",
            ),
        ),
        submit=hint,
    )

    assert view_problems(render.modal(form, kept="{}")) == []


@settings(max_examples=20)
@given(words, st.lists(words, max_size=3))
def test_the_question_form_is_taken(question: str, titles: list[str]) -> None:
    chosen = [paper(f"{number}" * 64, title or "Untitled") for number, title in enumerate(titles)]

    assert view_problems(forms.question_form(question, chosen, kept="{}")) == []


@settings(max_examples=25)
@given(st.lists(words, max_size=6), words)
def test_every_sign_of_life_is_taken(sentences: list[str], status: str) -> None:
    message = render.partial_answer(sentences, status, stop="1.2")

    assert problems(message.blocks) == []
    assert_harmless(message.text)


def test_two_pages_of_one_quote_are_both_told() -> None:
    spans = (Span(passage_id="p", page=5, quote="one"), Span(passage_id="q", page=6, quote="two"))
    note = Footnote(citation=Citation(marker=1, paper_id="a" * 64, section=(), spans=spans), paper=paper())
    (message,) = render.messages(Reply(kind="answer", body="Said.", footnotes=(note,)))

    assert "[1] On Footnotes, pp. 5–6: “one” … “two”" in "".join(texts(message.blocks))


def assert_harmless(text: str) -> None:
    """No sign that Slack would read as a mention, a link or a channel."""
    assert "<" not in text
    assert ">" not in text
    assert re.search(r"&(?!amp;|lt;|gt;)", text) is None


def squeezed(text: str) -> str:
    """Without white space and what Slack cannot show, both of which may change in splitting."""
    return "".join(sign for sign in text if sign.isprintable() and not sign.isspace())


def flat(block: object) -> list[dict[str, object]]:
    """Every typed object in a block."""
    if isinstance(block, dict):
        inner = [item for part in block.values() for item in flat(part)]
        return [block, *inner] if "type" in block else inner
    if isinstance(block, list):
        return [item for part in block for item in flat(part)]
    return []
