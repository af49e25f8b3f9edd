"""A page served over a real socket in front of a backend that remembers what it was asked."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import aiohttp

from adapters.web.conversations import Conversations
from adapters.web.platform import WebPlatform
from adapters.web.server import PageOptions, serve
from adapters.web.upload_routes import SamplePaper
from core.domain.channel_settings import ChannelSettings
from core.domain.errors import FootnoteError, ModelKeyRefused, SettingsInvalid
from core.domain.events import Event
from core.domain.model import Box, Channel, Citation, Metadata, Paper, Scope, Sentence, Share, Span, Thread, Workspace
from core.domain.model_setup import ModelServer, OfferedModel
from core.domain.platforms import CommandWords
from core.domain.reply import Footnote, Form, Reply

NOW = datetime(2026, 3, 5, 12, 0, tzinfo=UTC)
LAB = Workspace(platform="local", id="lab")
PDF = b"%PDF-1.4\n" + b"words of a paper " * 100


def message_id(number: int) -> str:
    return f"m-{number:08x}-0000-4000-8000-000000000000"


def paper(id_: str = "a" * 64, title: str = "On comets", channel: str = "general") -> Paper:
    share = Share(paper_id=id_, channel=channel, message="m", user="you", at=NOW)
    data = Metadata(title=title, authors=("Ada Ferris", "Jon Holt", "Kim Lee"), year=2021)
    return Paper(id=id_, file_name="c.pdf", metadata=data, pages=3, kind="born digital", added_at=NOW, shares=(share,))


def citation(marker: int = 1, quote: str = "The tail measured 42 degrees.", of: str = "a" * 64) -> Citation:
    box = Box(page=2, x0=10.0, y0=20.0, x1=110.0, y1=32.0)
    span = Span(passage_id="p", page=2, quote=quote, boxes=(box,))
    return Citation(marker=marker, paper_id=of, section=("2 Results",), spans=(span,))


def answered(words: str = "The tail measured 42 degrees.") -> Reply:
    return Reply(
        kind="answer",
        body=rf"{words} \[1\]",
        footnotes=(Footnote(citation=citation(quote=words), paper=paper()),),
        papers=frozenset({"a" * 64}),
    )


SENTENCE = Sentence(text="The tail measured 42 degrees.", markers=(1,))


@dataclass
class FakeDesk:
    """A ``Backend``; ``trouble`` is raised by ``accept``."""

    events: list[Event] = field(default_factory=list)
    scopes: list[Scope] = field(default_factory=list)
    held: list[Paper] = field(default_factory=list)
    forms: dict[str, Form] = field(default_factory=dict)
    stopped: list[Thread] = field(default_factory=list)
    trouble: FootnoteError | None = None
    commands: Mapping[str, CommandWords] = field(
        default_factory=lambda: {"papers": CommandWords(usage="papers", does="lists the papers")}
    )

    async def accept(self, event: Event, *, due: datetime | None = None) -> bool:
        if self.trouble is not None:
            raise self.trouble
        known = event.key in {item.key for item in self.events}
        if not known:
            self.events.append(event)
        return not known

    async def papers(self, scope: Scope, *, words: str = "", limit: int = 25) -> Sequence[Paper]:
        self.scopes.append(scope)
        inside = [item for item in self.held if {share.channel for share in item.shares} & scope.channels]
        return [item for item in inside if scope.papers is None or item.id in scope.papers][:limit]

    async def choices(self, name: str, words: str, *, scope: Scope) -> Sequence[str]:
        return [f"{name} of {words}"]

    async def settings(self, channel: Channel) -> ChannelSettings:
        return ChannelSettings()

    async def form(self, action: str, value: str, *, thread: Thread, scope: Scope, user: str) -> Form | None:
        return self.forms.get(action)

    async def page(self, scope: Scope, paper_id: str, page: int, boxes: Sequence[Box] = ()) -> bytes:
        self.scopes.append(scope)
        return b"\x89PNG" + f"{paper_id} {page}".encode()

    async def home(self, workspace: Workspace, *, user: str, visible: frozenset[str]) -> Reply:
        return Reply(kind="home", body="home")

    async def answers(self, thread: Thread, words: str, *, addressed: bool, to_others: bool) -> bool:
        return True

    async def stop(self, thread: Thread, *, user: str) -> bool:
        self.stopped.append(thread)
        return True


class Page:
    """The open page and one browser that came by the link."""

    def __init__(
        self,
        backend: FakeDesk,
        conversations: Conversations,
        platform: WebPlatform,
        link: str,
        browser: aiohttp.ClientSession,
    ) -> None:
        self.backend = backend
        self.all = conversations
        self.platform = platform
        self.link = link
        self.browser = browser
        self.address = link.partition("/?")[0]

    async def get(self, path: str) -> object:
        async with self.browser.get(self.address + path) as response:
            assert response.status == 200, await response.text()
            return await response.json()

    async def post(self, path: str, value: object, *, status: int = 200) -> dict[str, object]:
        async with self.browser.post(self.address + path, json=value, headers={"Origin": self.address}) as response:
            told: dict[str, object] = await response.json()
            assert response.status == status, told
            return told

    async def put(self, path: str, data: object, *, status: int = 200) -> dict[str, object]:
        async with self.browser.put(self.address + path, data=data, headers={"Origin": self.address}) as response:
            told: dict[str, object] = await response.json()
            assert response.status == status, told
            return told

    async def messages(self, channel: str = "general") -> list[dict[str, object]]:
        told = await self.get(f"/api/channels/{channel}/messages")
        assert isinstance(told, dict)
        return list(told["messages"])

    async def told(
        self, after: int, count: int, *, header: bool = False, connected: asyncio.Barrier | None = None
    ) -> list[tuple[int, dict[str, object]]]:
        """The next ``count`` messages of the live stream after a revision, with their ids.

        Where ``connected`` is given, reading begins only once all of its parties have their connection.
        """
        query, headers = ("", {"Last-Event-ID": str(after)}) if header else (f"?after={after}", {})
        found: list[tuple[int, dict[str, object]]] = []
        async with self.browser.get(f"{self.address}/api/stream{query}", headers=headers) as response:
            if connected is not None:
                await connected.wait()
            id_, name = 0, ""
            async for raw in response.content:
                line = raw.decode().rstrip("\n")
                if line.startswith("id: "):
                    id_ = int(line[4:])
                elif line.startswith("event: "):
                    name = line[7:]
                elif line.startswith("data: ") and name == "message":
                    found.append((id_, json.loads(line[6:])))
                if len(found) == count:
                    break
        return found

    async def events(self, query: str, *, until: str, times: int = 1) -> list[str]:
        """Names of the live stream's events, until ``until`` was told that many times."""
        found: list[str] = []
        async with self.browser.get(f"{self.address}/api/stream{query}") as response:
            async for raw in response.content:
                line = raw.decode().rstrip("\n")
                if line.startswith("event: "):
                    found.append(line[7:])
                if found.count(until) == times:
                    break
        return found


def sample() -> Sequence[SamplePaper]:
    return (SamplePaper(name="s.pdf", title="A sample", about="short", questions=("Why?",), pdf=PDF),)


class FakeModels:
    """A ``ModelSetup`` that remembers what it was given; one server here wants a key."""

    def __init__(self) -> None:
        self.given: list[tuple[str, str, str]] = []

    def current(self) -> str:
        return "No language model is set."

    async def servers(self) -> Sequence[ModelServer]:
        return (ModelServer(program="Ollama", base_url="http://h/v1", models=(OfferedModel(name="small"),)),)

    async def connect(self, base_url: str, model: str, key: str) -> Sequence[str]:
        self.given.append((base_url, model, key))
        if "locked" in base_url and key != "right":
            raise ModelKeyRefused("It wants a key.")
        if "://" not in base_url:
            raise SettingsInvalid("That is no address.")
        return ("It writes answers.", "Written.")


@asynccontextmanager
async def opened(folder: Path, backend: FakeDesk | None = None, *, limit: int = 1_000_000) -> AsyncIterator[Page]:
    """The page in ``folder``, open; opened again it is the same page."""
    backend = backend or FakeDesk()
    links: list[str] = []
    conversations = Conversations(LAB, folder, limit=limit, tokens=lambda text: text.lower().replace("?", "").split())
    opening = PageOptions(
        port=0,
        dpi=150,
        samples=sample,
        guide=folder / "docs" / "guide.md",
        now=lambda: NOW,
        opened=links.append,
        models=FakeModels(),
    )
    platform = WebPlatform(conversations, served=lambda given: serve(conversations, opening, given), now=lambda: NOW)
    async with (
        platform.listening(backend),
        aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as browser,
    ):
        async with browser.get(links[0]) as response:
            assert response.status == 200
        yield Page(backend, conversations, platform, links[0], browser)
