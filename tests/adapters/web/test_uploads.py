"""Files are taken while they come, refused politely, and kept until their paper is read."""

from collections.abc import AsyncIterator
from io import BytesIO
from pathlib import Path

import pytest

from core.domain.errors import PaperRejected
from core.domain.events import CommandGiven, PdfShared
from core.domain.reply import Button, Reply
from tests.adapters.web.clients import PDF, FakeDesk, Page, message_id, opened


def where(number: int, name: str = "comet.pdf") -> str:
    return f"/api/channels/general/files?message={message_id(1)}&file={message_id(1)}-{number}&name={name}"


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "uploads").glob("*"))


async def test_a_paper_is_kept_until_its_reply_is_there(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        await page.put(where(0), PDF)
        (event,) = page.backend.events
        assert isinstance(event, PdfShared) and (event.file.name, event.file.size) == ("comet.pdf", len(PDF))
        assert left(tmp_path) == [f"{message_id(1)}-0.pdf"]
        ask = Button(label="Why?", action="ask", value="a/0")
        reply = Reply(kind="ingest", body="**On comets**", papers=frozenset({"a" * 64}), buttons=(ask,))
        await page.platform.send(event.thread, reply, key=event.key)
        said, card = await page.messages()
        assert isinstance(said["files"], list)
        assert (said["files"][0]["state"], said["files"][0]["paper"], said["state"]) == ("read", "a" * 64, "done")
        assert card["kind"] == "ingest" and left(tmp_path) == []
        with pytest.raises(PaperRejected, match="drop it once more"):
            await page.platform.download(event.file, tmp_path / "x.pdf", limit=10)


async def test_a_paper_that_is_here_already_is_told_from_one_that_was_read(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        await page.put(where(0), PDF)
        (event,) = page.backend.events
        reply = Reply(kind="ingest", body="This paper is here already.", papers=frozenset({"a" * 64}))
        await page.platform.send(event.thread, reply, key=event.key)
        said, _ = await page.messages()
        assert isinstance(said["files"], list) and said["files"][0]["state"] == "known"


async def test_many_files_of_one_drop_are_one_message(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        for number in range(3):
            await page.put(where(number, f"paper {number}.pdf"), PDF)
        (said,) = await page.messages()
        assert isinstance(said["files"], list)
        assert [item["name"] for item in said["files"]] == ["paper 0.pdf", "paper 1.pdf", "paper 2.pdf"]
        assert len({event.lock for event in page.backend.events}) == 3


async def test_what_is_asked_under_a_dropped_paper_is_about_it_and_waits_for_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        await page.put(where(0), PDF)
        for number, thread in ((2, message_id(1)), (3, "")):
            body = {"id": message_id(number), "text": "How long was its tail?", "thread": thread}
            await page.post("/api/channels/general/messages", body)
        paper, under, beside = page.backend.events
    assert paper.reads == under.reads != beside.reads


async def pieces(page: Page, size: int, sent: list[int]) -> AsyncIterator[bytes]:
    yield PDF
    for _ in range(size // 50_000):
        sent.append(50_000)
        yield b"x" * 50_000


async def test_a_file_that_is_too_large_is_refused_while_it_comes(tmp_path: Path) -> None:
    async with opened(tmp_path, limit=200_000) as page:
        told = await page.put(where(0), pieces(page, 2_000_000, []), status=413)
        assert told["words"] == "The file is larger; Footnote takes up to 0.2 MB here."
        assert left(tmp_path) == [] and page.backend.events == []
        (said,) = await page.messages()
        assert isinstance(said["files"], list) and said["files"][0]["state"] == "refused"
        assert said["files"][0]["words"] == told["words"]


async def test_a_size_that_is_announced_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    async with opened(tmp_path, limit=1_000) as page:
        told = await page.put(where(0), BytesIO(b"%PDF" + b"x" * 2_000_000), status=413)
        assert told["words"] == "The file has 2 MB; Footnote takes up to 0.001 MB here."
        assert left(tmp_path) == []


@pytest.mark.parametrize(
    ("data", "words"),
    [(b"<html>sign in</html>" * 200, "not a PDF"), (b"short", "not a PDF"), (b"", "The file is empty.")],
)
async def test_what_is_no_pdf_is_refused_in_words(tmp_path: Path, data: bytes, words: str) -> None:
    async with opened(tmp_path) as page:
        told = await page.put(where(0), data, status=415)
        assert words in str(told["words"]) and page.backend.events == [] and left(tmp_path) == []


@pytest.mark.parametrize("id_", ["..%2F..%2Fetc", "a", "UPPER-CASE-ID", "x" * 80])
async def test_a_file_cannot_name_its_own_place(tmp_path: Path, id_: str) -> None:
    async with opened(tmp_path) as page:
        path = f"/api/channels/general/files?message={message_id(1)}&file={id_}&name=x.pdf"
        await page.put(path, PDF, status=415)
        assert left(tmp_path) == [] and await page.messages() == []


async def test_a_bibliography_comes_with_its_command_and_goes_with_the_reply(tmp_path: Path) -> None:
    path = f"/api/channels/general/bibliographies?message={message_id(1)}&file={message_id(1)}-0&name=refs.bib"
    async with opened(tmp_path) as page:
        await page.put(path, b"@article{a, title = {On comets}}")
        assert left(tmp_path) == [f"{message_id(1)}-0.pdf"]
    anew = FakeDesk()
    async with opened(tmp_path, anew) as page:
        (event,) = anew.events
        assert isinstance(event, CommandGiven) and event.name == "import"
        assert [item.name for item in event.files] == ["refs.bib"]
        await page.platform.download(event.files[0], tmp_path / "refs.bib", limit=1_000)
        assert (tmp_path / "refs.bib").read_bytes().startswith(b"@article")
        await page.platform.send(event.thread, Reply(kind="status", body="Filled in."), key=event.key)
        said, reply = await page.messages()
        assert (said["state"], reply["state"]) == ("done", "done") and left(tmp_path) == []


async def test_a_file_joins_only_a_drop_of_its_own_channel(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        await page.put(where(0), PDF)
        await page.put(where(1).replace("/general/", "/private/"), PDF, status=404)
        await page.put(where(1).replace(f"message={message_id(1)}", "message=x"), PDF, status=400)
        assert len(page.backend.events) == 1


async def test_a_restart_hands_over_what_waited_and_sweeps_the_rest(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        await page.put(where(0), PDF)
    (tmp_path / "uploads" / "old-upload.part").write_bytes(b"%PDF")
    (tmp_path / "uploads" / "nobody-waits.pdf").write_bytes(b"%PDF")
    anew = FakeDesk()  # as if the process had died before the job was kept
    async with opened(tmp_path, anew) as page:
        (event,) = anew.events
        assert isinstance(event, PdfShared) and event.file.locator == f"{message_id(1)}-0"
        assert left(tmp_path) == [f"{message_id(1)}-0.pdf"]
        await page.platform.download(event.file, tmp_path / "got.pdf", limit=100_000)
        assert (tmp_path / "got.pdf").read_bytes() == PDF


async def test_a_restart_asks_again_what_was_not_kept_as_a_job(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        await page.post("/api/channels/general/messages", {"id": message_id(7), "text": "How long was the tail?"})
        (asked,) = page.backend.events
    anew = FakeDesk()
    async with opened(tmp_path, anew):
        assert [event.key for event in anew.events] == [asked.key] and anew.events == [asked]
