"""Whatever a reply holds, its messages are within every limit of Discord and say all of it."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from adapters.common.markdown import escape, table
from adapters.common.splitting import length
from adapters.discord.markdown import CODE_COLUMNS, body_text, literal, small
from adapters.discord.render import Page, layout_view, pages, parse_custom_id, thread_name, upload_name
from core.domain.model import Citation, Span
from core.domain.reply import Attachment, Button, Footnote, Reply
from tests.bot.actors import full_reply, paper


def components(page: Page) -> list[dict[str, Any]]:
    """Every component of a message, nested ones too."""
    found: list[dict[str, Any]] = []
    todo: list[dict[str, Any]] = list(layout_view(page).to_components())  # type: ignore[no-untyped-call]
    while todo:
        item = todo.pop(0)
        found.append(item)
        todo += item.get("components", ())
    return found


def check(made: tuple[Page, ...]) -> None:
    """The limits of a message, from Discord's reference of messages and components."""
    assert made
    for page in made:
        parts = components(page)
        assert 0 < len(parts) <= 40
        texts = [one["content"] for one in parts if one["type"] == 10]
        assert all(length(one) > 0 for one in texts) and sum(map(length, texts)) <= 4_000
        rows = [one for one in parts if one["type"] == 1]
        assert all(0 < len(row["components"]) <= 5 for row in rows)
        pressable = [one for one in parts if one["type"] == 2]
        assert all(0 < length(one["label"]) <= 80 and 0 < len(one["custom_id"]) <= 100 for one in pressable)
        assert len({one["custom_id"] for one in pressable}) == len(pressable)
        assert len(page.files) <= 10
        names = [upload_name(file.name) for file in page.files]
        assert len(set(names)) == len(names)
        described = [item for one in parts if one["type"] == 12 for item in one["items"]]
        assert all(len(item.get("description") or "") <= 1024 for item in described)


def shown(made: tuple[Page, ...]) -> str:
    return "\n".join(text for page in made for _, text in page.texts)


def test_an_answer_has_its_footnotes_footer_and_buttons() -> None:
    (page,) = pages(full_reply(), mark=64)
    check((page,))
    assert page.texts[0] == ("body", "A footnote is a promise. \\[1\\]")
    notes = page.texts[1][1].split("\n")
    assert notes[0] == "-# \\[1\\] On Footnotes, p. 5, § 2.3 Notes: “A footnote is a promise.”"
    assert notes[1].startswith("-# \\[2\\] On Footnotes: 12 - 10 = 2, from \\[1\\]")
    assert page.texts[2] == ("footer", "-# 0.3 s")
    kinds = [item["type"] for item in components(page)]
    assert kinds == [10, 14, 10, 10, 12, 1, 2]  # text, rule, notes, footer, picture, a row with its button
    assert components(page)[0]["id"] == 64


def test_a_card_stands_in_a_coloured_frame() -> None:
    (page,) = pages(Reply(kind="ingest", body="**A paper**", papers=frozenset({"p"})))
    frame = layout_view(page).to_components()[0]  # type: ignore[no-untyped-call]
    assert frame["type"] == 17 and frame["accent_color"] == 0x2E7D32


def test_a_long_answer_is_several_messages_and_its_buttons_are_under_the_last() -> None:
    body = "\n\n".join(f"Paragraph {n} says something. " + "word " * 60 for n in range(40))
    made = pages(
        Reply(kind="answer", body=body, footer="end", buttons=(Button(label="Good", action="good", value="t"),))
    )
    check(made)
    assert len(made) > 2
    assert [bool(page.buttons) for page in made] == [False] * (len(made) - 1) + [True]
    assert all(f"Paragraph {n} says" in shown(made) for n in range(40))
    assert [page.mark for page in made] == list(range(len(made)))


def test_a_table_lines_up_is_broken_between_words_or_becomes_records() -> None:
    narrow = body_text(table(["Method", "F1"], [["CRF", "91.2"], ["LSTM", "93.0"]]))
    assert narrow == "```\nMethod    F1\n──────  ────\nCRF     91.2\nLSTM    93.0\n```"
    broken = body_text(table(["Title", "Year"], [["A rather long title that goes on for more than one line", "2020"]]))
    assert broken.startswith("```\nTitle ") and max(map(len, broken.split("\n"))) == CODE_COLUMNS
    wide = body_text(table(["#", "Title", "Year"], [["1", "A very long title " * 20, "2020"]]))
    assert wide.startswith("**1 · A very long title") and "- Year: 2020" in wide


def test_a_table_of_many_rows_keeps_its_fence_on_every_message() -> None:
    rows = [[f"method {n}", str(n)] for n in range(400)]
    made = pages(Reply(kind="table", body=table(["Method", "Score"], rows)))
    check(made)
    assert all(text.count("```") == 2 for page in made for _, text in page.texts)
    assert all(f"method {n} " in shown(made) for n in range(400))


def test_what_a_paper_says_is_no_layout_no_mention_and_no_emoji() -> None:
    words = "# not a *heading* @everyone <@123> <#9> `code` ~~no~~ ||spoiler|| [link](http://x.y) :smile: -# small"
    told = body_text(escape(words))
    for dangerous in ("@everyone", "<@1", "<#9", "*heading*", "~~no", "||sp", "[link]", ":smile:"):
        assert dangerous not in told.replace("\\<", "").replace("\\*", "") or f"\\{dangerous[0]}" in told
    assert told.startswith("\\#") and "@\u200beveryone" in told and "\\<@" in told and "\\:smile:" in told
    assert literal("- no list\n1. none\n+ none") == "\\- no list\n1\\. none\n\\+ none"
    assert small("two\nlines") == "-# two lines"


def test_an_address_stays_one() -> None:
    assert body_text("see https://doi.org/10.1000/a_b_c for more") == "see https://doi.org/10.1000/a_b_c for more"


def test_code_cannot_break_out_of_its_fence() -> None:
    told = body_text("```\nprint('```')\n```")
    assert told.count("```") == 2


def test_files_that_are_too_large_are_named_and_more_than_ten_make_more_messages() -> None:
    files = tuple(Attachment(name=f"f{n}.csv", mime="text/csv", data=b"x") for n in range(12))
    big = Attachment(name="big.csv", mime="text/csv", data=b"x" * 100)
    made = pages(Reply(kind="export", body="Here.", files=(*files, big)), file_limit=50)
    check(made)
    assert [len(page.files) for page in made] == [10, 2]
    assert "big.csv is too large" in shown(made).replace("\\", "")


def test_files_of_one_name_are_told_apart() -> None:
    twice = tuple(Attachment(name="page 1.png", mime="image/png", data=b"x") for _ in range(2))
    (page,) = pages(Reply(kind="page", body="", files=twice))
    assert [file.name for file in page.files] == ["page 1.png", "2-page_1.png"]
    check((page,))


def test_starter_questions_have_a_row_each_and_twin_buttons_are_one() -> None:
    buttons = tuple(Button(label=f"Question {n}: {'long words ' * 9}", action="ask", value=f"p/{n}") for n in range(3))
    (page,) = pages(Reply(kind="ingest", body="x", buttons=(*buttons, buttons[0])))
    parts = components(page)
    check((page,))
    assert [item["type"] for item in parts].count(1) == 3
    assert all(item["label"].endswith(" …") for item in parts if item["type"] == 2)


def test_a_press_tells_action_and_value() -> None:
    assert parse_custom_id("ask:abc/0") == ("ask", "abc/0")
    assert parse_custom_id("stop:") == ("stop", "")


def test_a_thread_has_a_name_whatever_the_question() -> None:
    assert thread_name("  two\n words ") == "two words"
    assert thread_name(" ") == "Footnote"
    assert length(thread_name("😀" * 90)) <= 100


WORDS = st.text(alphabet="ab*_`|~#>-<@:.\\\n😀方 é[]()!0", max_size=400)


@given(
    body=st.lists(WORDS, max_size=12).map("\n\n".join),
    tables=st.lists(st.lists(WORDS, min_size=1, max_size=6), max_size=8),
    notes=st.lists(WORDS, max_size=20),
    labels=st.lists(WORDS, max_size=30),
    footer=WORDS,
)
def test_anything_at_all_is_within_the_limits(
    body: str, tables: list[list[str]], notes: list[str], labels: list[str], footer: str
) -> None:
    rows = [(row * 6)[:6] for row in tables]
    reply = Reply(
        kind="answer",
        body=f"{body}\n\n{escape(body)}\n\n{table(['a', 'b', 'c', 'd', 'e', 'f'], rows)}",
        footnotes=tuple(
            Footnote(
                citation=Citation(
                    marker=n, paper_id="p", section=(), spans=(Span(passage_id="p", page=1, quote=quote),)
                ),
                paper=paper(),
            )
            for n, quote in enumerate(notes, start=1)
        ),
        footer=footer,
        buttons=tuple(Button(label=label, action="ask", value=f"x/{n}") for n, label in enumerate(labels)),
    )
    made = pages(reply)
    check(made)
    assert all(f"\\[{n}\\] On Footnotes" in shown(made) for n in range(1, len(notes) + 1))
