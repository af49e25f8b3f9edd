"""What a reader says on the page becomes an event once, and what comes of it is shown."""

from datetime import datetime
from pathlib import Path

import pytest

from adapters.web.messages import reply_id
from core.domain.errors import LibraryFailure
from core.domain.events import (
    ButtonPressed,
    CommandGiven,
    Event,
    FileRemoved,
    FormSent,
    PdfShared,
    QuestionAsked,
    QuestionEdited,
)
from core.domain.reply import Field, Form
from tests.adapters.web.clients import PDF, FakeDesk, answered, message_id, opened


async def dies(event: Event, *, due: datetime | None = None) -> bool:
    raise RuntimeError("the process ended here")


async def test_a_question_is_asked_once_however_often_it_is_sent(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        body = {"id": message_id(1), "text": " How long was the tail? "}
        await page.post("/api/channels/general/messages", body)
        await page.post("/api/channels/general/messages", body)
        (event,) = page.backend.events
        assert isinstance(event, QuestionAsked) and event.text == "How long was the tail?"
        assert event.thread.id == event.message == message_id(1) and event.visible == {"general"}
        said, reply = await page.messages()
        assert (said["by"], said["text"], reply["by"], reply["state"]) == (
            "reader",
            "How long was the tail?",
            "footnote",
            "working",
        )


async def test_a_follow_up_stays_in_its_thread_and_its_channel(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        await page.post("/api/channels/general/messages", {"id": message_id(1), "text": "Why?"})
        body = {"id": message_id(2), "text": "And how?", "thread": message_id(1)}
        await page.post("/api/channels/general/messages", body)
        assert page.backend.events[1].thread.id == message_id(1)
        told = await page.post("/api/channels/private/messages", {**body, "id": message_id(3)}, status=404)
        assert told["words"] == "That conversation is not in this channel."


async def test_a_stroke_begins_a_command_and_its_label_is_shown(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        body = {"id": message_id(1), "text": "Summarise “On comets”", "words": "/summarise aaaa"}
        await page.post("/api/channels/general/messages", body)
        (event,) = page.backend.events
        assert isinstance(event, CommandGiven) and (event.name, event.words) == ("summarise", "aaaa")
        assert (await page.messages())[0]["text"] == "Summarise “On comets”"


async def test_a_question_may_be_limited_to_papers(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        body = {"id": message_id(1), "text": "Why?", "papers": ["a" * 64]}
        await page.post("/api/channels/general/messages", body)
        (event,) = page.backend.events
        assert isinstance(event, QuestionAsked) and event.papers == {"a" * 64}


async def test_where_the_desk_cannot_take_it_the_reply_says_why(tmp_path: Path) -> None:
    async with opened(tmp_path, FakeDesk(trouble=LibraryFailure("The disk is full."))) as page:
        told = await page.post("/api/channels/general/messages", {"id": message_id(1), "text": "Why?"}, status=503)
        assert told["words"] == "The disk is full."
        assert (await page.messages())[1]["text"] == "The disk is full."


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"id": "x", "text": "Why?"}, "no proper id"),
        ({"id": message_id(1), "text": "   "}, "nothing written"),
        ({"id": message_id(1), "text": "w" * 9_000}, "longer than the 8,000 characters"),
        ({"id": message_id(1), "text": 7}, "must be text"),
        ([1], "could not be understood"),
    ],
)
async def test_what_cannot_be_understood_is_one_sentence(tmp_path: Path, body: object, words: str) -> None:
    async with opened(tmp_path) as page:
        told = await page.post("/api/channels/general/messages", body, status=400)
        assert words in str(told["words"]) and page.backend.events == []


async def test_a_question_worded_anew_takes_its_answers_place(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        await page.post("/api/channels/general/messages", {"id": message_id(1), "text": "Why?"})
        first = page.backend.events[0]
        await page.platform.send(first.thread, answered(), key=first.key)
        await page.post(f"/api/messages/{message_id(1)}/edit", {"id": message_id(2), "text": "How?"})
        again = page.backend.events[1]
        assert isinstance(again, QuestionEdited) and again.text == "How?"
        said, reply = await page.messages()
        assert (said["text"], reply["state"], reply["blocks"]) == ("How?", "working", [])
        assert reply["id"] == reply_id(first.key)


async def test_a_new_wording_that_was_not_kept_as_a_job_is_asked_again_after_a_restart(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        await page.post("/api/channels/general/messages", {"id": message_id(1), "text": "Why?"})
        first = page.backend.events[0]
        await page.platform.send(first.thread, answered(), key=first.key)
        page.backend.accept = dies  # type: ignore[method-assign]
        await page.post(f"/api/messages/{message_id(1)}/edit", {"id": message_id(2), "text": "How?"}, status=500)
    backend = FakeDesk(events=[first])
    async with opened(tmp_path, backend) as again:
        (asked,) = backend.events[1:]
        assert isinstance(asked, QuestionEdited)
        assert (asked.text, asked.revision, asked.first_key) == ("How?", message_id(2), first.key)
        assert [item["state"] for item in await again.messages()] == ["done", "working"]
        await again.platform.send(asked.thread, answered("It was measured."), key=asked.key)
        said, reply = await again.messages()
        assert (said["text"], reply["state"]) == ("How?", "done")


async def test_a_new_wording_that_cannot_be_kept_says_so_where_the_answer_was(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        await page.post("/api/channels/general/messages", {"id": message_id(1), "text": "Why?"})
        page.backend.trouble = LibraryFailure("The disk is full.")
        await page.post(f"/api/messages/{message_id(1)}/edit", {"id": message_id(2), "text": "How?"}, status=503)
        said, reply = await page.messages()
        assert (said["text"], reply["state"], reply["text"]) == ("How?", "failed", "The disk is full.")


async def test_the_same_question_sent_twice_is_kept_once_and_leaves_its_answer_alone(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        question = {"id": message_id(1), "text": "Why?"}
        await page.post("/api/channels/general/messages", question)
        (event,) = page.backend.events
        await page.platform.send(event.thread, answered(), key=event.key)
        await page.post("/api/channels/general/messages", question)
        assert [item["state"] for item in await page.messages()] == ["done", "done"] and page.backend.events == [event]


async def test_buttons_are_pressed_and_forms_filled_in(tmp_path: Path) -> None:
    fields = (Field(name="answer", label="Answer"), Field(name="follow_ups", label="Follow-ups"))
    form = Form(name="wrong", title="What would be right?", value="t1", fields=fields)
    async with opened(tmp_path, FakeDesk(forms={"wrong": form})) as page:
        await page.post("/api/channels/general/messages", {"id": message_id(1), "text": "Why?"})
        shown = reply_id(page.backend.events[0].key)
        await page.platform.send(page.backend.events[0].thread, answered(), key=page.backend.events[0].key)

        await page.post(f"/api/messages/{shown}/press", {"id": message_id(2), "action": "good", "value": "t1"})
        pressed = page.backend.events[1]
        assert isinstance(pressed, ButtonPressed) and (pressed.action, pressed.value) == ("good", "t1")
        assert pressed.thread.id == message_id(1)

        told = await page.post(f"/api/messages/{shown}/press", {"id": message_id(3), "action": "wrong", "value": "t1"})
        assert isinstance(told["form"], dict) and told["form"]["title"] == "What would be right?"
        assert [item["name"] for item in told["form"]["fields"]] == ["answer"]
        body = {
            "id": message_id(4),
            "form": "wrong",
            "value": "t1",
            "fields": {"answer": "41"},
            "thread": message_id(1),
        }
        await page.post("/api/channels/general/forms", body)
        sent = page.backend.events[2]
        assert isinstance(sent, FormSent) and (sent.form, sent.fields) == ("wrong", {"answer": "41"})


async def test_an_answer_is_stopped_in_its_thread(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        await page.post("/api/channels/general/messages", {"id": message_id(1), "text": "Why?"})
        await page.post(f"/api/messages/{reply_id(page.backend.events[0].key)}/stop", {})
        assert [item.id for item in page.backend.stopped] == [message_id(1)]


async def test_samples_are_dropped_like_other_papers(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        await page.post("/api/channels/general/samples", {"id": message_id(1)})
        (event,) = page.backend.events
        assert isinstance(event, PdfShared) and event.file.name == "s.pdf"
        await page.platform.download(event.file, tmp_path / "got.pdf", limit=10_000)
        assert (tmp_path / "got.pdf").read_bytes() == PDF


async def test_a_dropped_file_can_be_taken_away(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        await page.post("/api/channels/general/samples", {"id": message_id(1)})
        file = f"{message_id(1)}-0"
        await page.post(f"/api/messages/{message_id(1)}/remove", {"file": file})
        gone = page.backend.events[1]
        assert isinstance(gone, FileRemoved) and gone.file_id == file and gone.lock == page.backend.events[0].lock
        (said,) = await page.messages()
        assert isinstance(said["files"], list) and said["files"][0]["state"] == "removed"


async def test_a_new_channel_may_be_private_and_has_an_id_of_its_own(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        made = await page.post("/api/channels", {"name": "#Reading Group", "private": True})
        again = await page.post("/api/channels", {"name": "reading group"})
        assert (made["id"], made["visibility"], again["id"]) == ("reading-group", "restricted", "reading-group-2")
        await page.post("/api/channels", {"name": " "}, status=400)
        channel = await page.platform.channel(page.all.workspace, "reading-group")
        assert channel.visibility == "restricted"
        assert (await page.platform.channel(page.all.workspace, "unknown")).visibility == "restricted"
        assert await page.platform.visible_channels(page.all.workspace, "you") == {"general", "reading-group-2"}
