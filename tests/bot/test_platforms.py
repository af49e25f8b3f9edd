"""The page's place in the process: when it is served, whose jobs it takes, and that forgetting reaches it."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.web.message_store import MessageStore
from adapters.web.messages import Message
from adapters.web.settings import WebSettings
from bot.platforms import PLATFORM_ALIASES, PageMessages, local_page, page_wanted
from bot.samples import sample_papers
from bot.settings import Settings
from bot.wiring import open_store
from core.domain.errors import SettingsInvalid
from core.domain.events import QuestionAsked
from core.domain.model import Channel, Thread, Workspace
from core.library.files.originals import workspace_folder
from core.text import hash_words_as_text
from tests.bot.fake_platform import FakePlatform

NOW = datetime(2026, 3, 5, tzinfo=UTC)
MAIN, OTHER = Workspace(platform="local", id="main"), Workspace(platform="local", id="other")


def test_it_is_served_where_no_chat_platform_is_set_up_or_where_it_is_wanted() -> None:
    chat = FakePlatform("slack")
    assert page_wanted(WebSettings(), []) and not page_wanted(WebSettings(), [chat])
    assert page_wanted(WebSettings(enabled="on"), [chat]) and not page_wanted(WebSettings(enabled="off"), [])


def test_it_shows_workspaces_of_this_machine_alone(tmp_path: Path) -> None:
    slack = Workspace(platform="slack", id="T1")
    with pytest.raises(SettingsInvalid, match="workspace of this machine"):
        local_page(
            Settings(data=tmp_path), slack, env_file=tmp_path / ".env", opened=lambda link: None, now=lambda: NOW
        )


@pytest.mark.parametrize("given", [{"enabled": "maybe"}, {"port": 70_000}])
def test_settings_that_cannot_work_are_refused(given: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="must"):
        WebSettings(**given)  # type: ignore[arg-type]


async def test_the_page_and_the_terminal_leave_each_others_jobs_alone(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    local = frozenset({"local"})
    thread = Thread(channel=Channel(workspace=MAIN, id="general"), id="t")
    asked = QuestionAsked(thread=thread, user="you", at=NOW, message="m", text="Why?")
    async with (
        open_store(settings, platforms=local, aliases=PLATFORM_ALIASES) as page,
        open_store(settings, platforms=local) as terminal,
    ):
        await page.put(asked, at=NOW, trace_id="t")
        assert await terminal.claim(at=NOW, lane="questions") is None
        claimed = await page.claim(at=NOW, lane="questions")
        assert claimed is not None and claimed.event == asked


async def test_forgetting_reaches_the_page_of_that_workspace_alone(tmp_path: Path) -> None:
    for workspace in (MAIN, OTHER):
        path = workspace_folder(tmp_path, workspace) / "page" / "page.db"
        async with MessageStore(path) as notebook:
            await notebook.add(
                Message(id="q", channel="general", thread="q", by="reader", at=NOW, text="Where do velorums live?")
            )
    words = frozenset(hash_words_as_text("velorum"))
    counts = await PageMessages(tmp_path).forget_papers(MAIN, frozenset({"a"}), words)
    assert counts == {"messages of the page": 1}
    assert await PageMessages(tmp_path).forget_papers(MAIN, frozenset({"a"}), words) == {}
    assert await PageMessages(tmp_path / "nowhere").forget_papers(MAIN, frozenset({"a"}), frozenset()) == {}
    async with MessageStore(workspace_folder(tmp_path, OTHER) / "page" / "page.db") as notebook:
        assert [one.text for one in await notebook.since(0)] == ["Where do velorums live?"]


def test_the_samples_are_three_papers_with_questions() -> None:
    papers = sample_papers()
    assert len(papers) == 3 and all(paper.pdf.startswith(b"%PDF") and paper.questions for paper in papers)
    assert sum(len(paper.pdf) for paper in papers) < 500_000
