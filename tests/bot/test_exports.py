"""Commands that take things out of the chat and into it, and the notes on papers, as a person sees them."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from bot.replies import records
from bot.settings import Settings
from bot.wiring import open_app
from bot.worker import JobPolicy
from core.domain.model import SharedFile
from core.domain.records import AnswerCorrection, Difference, Imported, PageShown, PaperList
from core.domain.reply import Reply
from tests.bot.actors import NOW, command, dropped, paper, pressed, question
from tests.bot.fake_engine import FakeEngine
from tests.bot.fake_platform import FakePlatform

AT_ONCE = JobPolicy(retry_seconds=0.0)

PAPER = "%PDF On Footnotes\nA footnote is a promise. Readers follow footnotes home. "


@dataclass
class Chat:
    engine: FakeEngine
    platform: FakePlatform
    said: int = 0

    async def says(self, *events: object) -> list[Reply]:
        for event in events:
            await self.platform.backend.accept(event)  # type: ignore[arg-type]
        self.said += len(events)
        return (await self.platform.replies(self.said))[-len(events) :]

    async def answer(self, name: str, words: str = "", *, files: Sequence[SharedFile] = ()) -> Reply:
        event = replace(command(name, words, message=f"m{self.said + 10}"), files=tuple(files))
        return (await self.says(event))[0]


@pytest.fixture
async def chat(tmp_path: Path) -> AsyncIterator[Chat]:
    platform, engine = FakePlatform(), FakeEngine()
    platform.files["f1"] = PAPER
    async with _bot(tmp_path, platform, engine):
        given = Chat(engine, platform)
        await given.says(dropped())
        yield given


@asynccontextmanager
async def _bot(folder: Path, platform: FakePlatform, engine: FakeEngine) -> AsyncIterator[None]:
    given = Settings.model_validate({"data": folder})
    async with open_app(given, [platform], engines=engine.opened, policy=AT_ONCE):
        yield


async def test_papers_are_tagged_marked_and_found_by_it(chat: Chat) -> None:
    tagged = await chat.answer("tag", "1: methods, to present")
    marked = await chat.answer("mark", "on footnotes: to read")
    listed = await chat.answer("papers", '#"to present"')
    none = await chat.answer("papers", "#absent")
    untagged = await chat.answer("untag", "1: methods")
    wrong = [await chat.answer("mark", "1: someday"), await chat.answer("tag", "1")]
    assert tagged.body == "**On Footnotes** is tagged methods, to present."
    assert marked.body == "**On Footnotes** is marked: to read."
    assert r"\#methods, \#to present, to read" in listed.body and "| 1 | On Footnotes |" in listed.body
    assert none.body == r"No paper here goes by \#absent."
    assert untagged.body == "**On Footnotes** is no longer tagged methods."
    assert ["mark PAPER: to read, reading or read" in item.body for item in wrong] == [True, False]
    assert "tag PAPER: TAG, TAG" in wrong[1].body


async def test_a_button_turns_the_shelfs_page_and_keeps_the_words(chat: Chat) -> None:
    held = PaperList(papers=(paper(),), numbers=(16,), total=31, page=2, pages=3, words="okapi #methods")
    buttons = records.paper_list(held).buttons
    assert [(item.label, item.action, item.value) for item in buttons] == [
        ("Newer", "papers", "1/okapi #methods"),
        ("Older", "papers", "3/okapi #methods"),
    ]
    (turned,) = await chat.says(pressed("papers", "1/footnotes"))
    assert "On Footnotes" in turned.body


async def test_bibliographies_are_of_everything_of_names_and_in_three_formats(chat: Chat) -> None:
    every = await chat.answer("bibliography")
    named = await chat.answer("bibliography", "ris on footnotes")
    absent = await chat.answer("bibliography", "csl something else")
    assert (every.body, [item.name for item in every.files]) == ("1 paper: all that are here.", ["papers.bibtex"])
    assert (named.body, [item.name for item in named.files]) == ("1 paper: those you named.", ["papers.ris"])
    assert absent.kind == "error" and "No paper here goes by" in absent.body


async def test_a_thread_and_tables_are_exported(chat: Chat) -> None:
    thread = await chat.answer("export")
    tables = await chat.answer("export", "tables 1")
    none = await chat.answer("export", "tables 1 Table 7")
    help_ = await chat.answer("export", "everything")
    assert [item.name for item in thread.files] == ["thread.md"]
    assert [item.name for item in tables.files] == ["table-1.csv"]
    assert none.body == "“On Footnotes” has no Table 7 that could be read as one."
    assert help_.body.startswith("Please write export for this thread")


async def test_a_bibliography_comes_in_as_a_file_or_as_text(chat: Chat) -> None:
    chat.platform.files["bib"] = "@article{a, title={On Footnotes}}"
    file = SharedFile(id="bib", name="zotero.bib", mime="text/plain", size=30, locator="l")
    from_file = await chat.answer("import", files=[file])
    from_text = await chat.answer("import", "@article{b, title={Other}}")
    neither = await chat.answer("import")
    chat.platform.files |= {"other": "@article{c, title={Third}}", "prose": "Dear all,"}
    other = replace(file, id="other", name="other.bib")
    several = await chat.answer("import", files=[file, other, replace(file, id="prose", name="note.bib")])
    first, third = b"@article{a, title={On Footnotes}}", b"@article{c, title={Third}}"
    assert chat.engine.records.taken_in == [first, b"@article{b, title={Other}}", first, third]
    assert "2 of 3 entries are papers that are here." in from_file.body and from_text.body == from_file.body
    assert neither.body.startswith("Please send import together with")
    assert (
        several.body.startswith("note.bib was not taken in: That file is no bibliography.")
        and "4 of 6 entries" in several.body
    )


def test_what_an_import_filled_and_left_is_told_field_by_field() -> None:
    told = records.import_report(
        [
            Imported(
                filled=((paper(), ("doi", "venue")),),
                differing=(Difference(paper=paper(), field="year", here="2020", there="2019"),),
                entries=5,
                matched=2,
                unread=1,
            )
        ],
        (),
    )
    assert "2 of 5 entries are papers that are here. 1 could not be read and were passed over." in told.body
    assert "- **On Footnotes**: DOI, venue" in told.body
    assert "| On Footnotes | year | 2020 | 2019 |" in told.body
    assert told.papers == {"a" * 64}


async def test_a_footnotes_page_is_shown_behind_its_button(chat: Chat) -> None:
    chat.engine.records.shown = [PageShown(paper=paper(), page=5, png=b"\x89PNG", quotes=("A *promise*.",))]
    shown, gone = await chat.says(pressed("page", "trace:2"), pressed("page", "trace", press="p2"))
    assert shown.body == "\\[2\\] **On Footnotes**, page 5\n\n> A \\*promise\\*."
    assert [(item.name, item.data) for item in shown.files] == [("page-5.png", b"\x89PNG")]
    assert shown.files[0].alt == "Page 5 of On Footnotes; marked: A *promise*."
    assert gone.kind == "error"


async def test_a_correction_stands_beside_the_next_answer_with_the_name_of_who_gave_it(chat: Chat) -> None:
    chat.engine.records.corrections = [AnswerCorrection(user="bob", words="six, page 2", at=NOW)]
    (answer,) = await chat.says(question(text="who follow footnotes", message="m77"))
    assert answer.body.endswith("> Bob on an earlier answer to this (01 Mar 2026): six, page 2")


async def test_an_answer_to_the_asker_alone_is_kept_from_records_until_it_is_shared(chat: Chat) -> None:
    (answer,) = await chat.says(replace(question(text="who follow footnotes", message="m78"), audience="asker"))
    (trace_id,) = chat.engine.records.private
    assert answer.audience == "asker"
    await chat.says(pressed("share", trace_id))
    assert chat.engine.records.private == set()
