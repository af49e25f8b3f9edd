"""The bot in a terminal: one person, one channel, a prompt. Also the platform of the journey tests.

Lines come from a ``Lines``, everything is drawn by a ``View``; what a line means and how a reply looks are
pure and live beside this file.
"""

import asyncio
import hashlib
import shutil
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol, TextIO

from rich.console import Console

from adapters.common.markdown import Text as TextBlock
from adapters.common.markdown import parse, plain
from adapters.common.single_user import SingleUser
from adapters.console.input import Command, Files, Question, Quit, parse_line
from adapters.console.view import View, visible
from core.domain.citation_format import sentence_text
from core.domain.errors import FootnoteError, PaperRejected, PlatformFailure, TooLarge
from core.domain.events import ButtonPressed, CommandGiven, Event, PdfShared, QuestionAsked, RequestFields
from core.domain.model import Channel, Citation, Sentence, SharedFile, Thread, Workspace
from core.domain.platforms import Backend, Posted
from core.domain.progress import Progress
from core.domain.reply import Button, Reply

NAME = "local"
USER = "you"
GREETING = "Drop a PDF here (or type its path), ask a question, or write /help. Ctrl-D leaves."
PROMPT = "› "


class Lines(Protocol):
    """Where lines come from."""

    async def next(self) -> str | None:
        """The next line, or None when there are no more."""


class StreamLines:
    """Lines of a stream, read in a thread that never keeps the process from ending; prompts where a person types."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    async def next(self) -> str | None:
        """The next line; None at the end of the stream, and where it is closed."""
        loop = asyncio.get_running_loop()
        line: asyncio.Future[str | None] = loop.create_future()

        def read() -> None:
            try:
                got: str | None = input(PROMPT) if self._typed() else (self._stream.readline() or None)
            except (EOFError, ValueError, OSError):
                got = None
            if not loop.is_closed():
                loop.call_soon_threadsafe(_give, line, got)

        threading.Thread(target=read, daemon=True, name="terminal").start()
        return await line

    def _typed(self) -> bool:
        return self._stream is sys.stdin and sys.stdin.isatty()


class ScriptedLines:
    """Lines given beforehand, shown as they are said: for demonstrations and tests."""

    def __init__(self, lines: Sequence[str], view: View) -> None:
        self._lines = list(lines)
        self._view = view

    async def next(self) -> str | None:
        """The next line of the script."""
        if not self._lines:
            return None
        line = self._lines.pop(0)
        self._view.say(f"{PROMPT}{line}")
        return line


class ConsolePlatform(SingleUser):
    """A ``ChatPlatform`` for one channel and one session (which is one thread).

    ``visible`` are further open channels that may be read from here; ``files`` is the folder that pictures
    and exports of replies are written to.
    """

    def __init__(
        self,
        channel: Channel,
        *,
        session: str,
        console: Console,
        files: Path,
        visible: frozenset[str] = frozenset(),
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.view = View(console)
        self._channel = channel
        self._session = session
        self._files = files
        self._visible = visible
        self._now = now
        self._thread = Thread(channel=channel, id=session)
        self._said = 0
        self._offered: tuple[Button, ...] = ()
        self._waiting: dict[str, asyncio.Future[None]] = {}
        self._streamed: dict[str, list[str]] = {}

    @property
    def name(self) -> str:
        """The first half of every workspace key."""
        return NAME

    @asynccontextmanager
    async def listening(self, backend: Backend) -> AsyncIterator[None]:
        """A terminal is always there; its lines are taken by ``talk``."""
        yield

    async def talk(self, lines: Lines, accept: Callable[[Event], Awaitable[bool]]) -> None:
        """Take lines until there are no more, each answered before the next is taken."""
        self.view.say(GREETING)
        while (line := await lines.next()) is not None:
            entry = parse_line(line)
            if isinstance(entry, Quit):
                return
            try:
                await self._answered(self._events(entry), accept)
            except FootnoteError as failure:
                self.view.say(failure.words)

    async def download(self, file: SharedFile, to: Path, *, limit: int) -> None:
        """Copy the file. Raises ``TooLarge``, ``PaperRejected`` where it is gone, ``PlatformFailure``."""
        await asyncio.to_thread(_copy, Path(file.locator), to, limit)

    async def send(self, thread: Thread, reply: Reply, *, key: str) -> str:
        """Draw the reply, or what was not streamed of it; returns the job's key as its id."""
        self.view.ended(key)
        streamed = self._streamed.pop(key, [])
        self.view.reply(reply, streamed=bool(streamed) and " ".join(streamed) == _words(reply.body))
        if reply.kind == "choice":
            self._offer(reply.buttons)
        for file in reply.files:
            path = self._files / Path(file.name).name
            await asyncio.to_thread(path.write_bytes, file.data)
            self.view.say(f"saved as {path}")
        waiting = self._waiting.get(key)
        if waiting is not None and not waiting.done():
            waiting.set_result(None)
        return key

    async def react(self, thread: Thread, message: str, sign: str) -> None:
        """A terminal shows progress instead of signs."""

    def progress(self, thread: Thread, *, key: str, reply_id: str, posted: Posted) -> Progress:
        """Signs of life of one job."""
        self._streamed.pop(key, None)
        return _ReplyProgress(self.view, key, self._streamed, posted)

    async def visible_channels(self, workspace: Workspace, user: str) -> frozenset[str]:
        """The open channels that were named when the terminal was opened."""
        return self._visible

    async def channel(self, workspace: Workspace, channel_id: str) -> Channel:
        """The channel as it was opened."""
        return Channel(workspace=workspace, id=channel_id, visibility=self._channel.visibility)

    async def link(self, thread: Thread, message: str = "") -> str:
        """A terminal has no addresses."""
        return ""

    async def name_of(self, workspace: Workspace, user: str) -> str:
        """The one person here is called as they are stored."""
        return user

    def _events(self, entry: Files | Command | Question | None) -> list[Event]:
        match entry:
            case Files(paths=()):
                self.view.say("Please name the file: /upload PATH.")
            case Files(paths=paths):
                return [event for path in paths if (event := self._shared(path)) is not None]
            case Command(name=name) if name.isdecimal() and 0 < int(name) <= len(self._offered):
                return [self._pressed(self._offered[int(name) - 1])]
            case Command(name=name, words=words):
                return [CommandGiven(**self._request(), name=name, words=words)]
            case Question(text=text):
                return [QuestionAsked(**self._request(), text=text)]
        return []

    def _offer(self, buttons: tuple[Button, ...]) -> None:
        """Show what may be chosen, each with the number that chooses it."""
        self._offered = buttons
        choices = "  ".join(f"/{number} {button.label}" for number, button in enumerate(buttons, start=1))
        self.view.say(f"To choose, write: {choices}")

    def _pressed(self, button: Button) -> ButtonPressed:
        """A choice is made once; the number means nothing until the next is offered."""
        self._offered = ()
        request = self._request()
        return ButtonPressed(**request, action=button.action, value=button.value, press=request["message"])

    def _request(self) -> RequestFields:
        return RequestFields(
            thread=self._thread, user=USER, at=self._now(), message=self._message(), visible=self._visible
        )

    def _shared(self, path: Path) -> PdfShared | None:
        path = path.absolute()
        if not path.is_file():
            self.view.say(f"There is no file {path}.")
            return None
        file = SharedFile(
            id=hashlib.sha256(str(path).encode()).hexdigest()[:16],
            name=path.name,
            mime="application/pdf",
            size=path.stat().st_size,
            locator=str(path),
        )
        return PdfShared(thread=self._thread, user=USER, at=self._now(), message=self._message(), file=file)

    def _message(self) -> str:
        self._said += 1
        return f"{self._session}-{self._said}"

    async def _answered(self, events: Sequence[Event], accept: Callable[[Event], Awaitable[bool]]) -> None:
        """Hand events over and wait until each has its reply."""
        loop = asyncio.get_running_loop()
        self._waiting = {event.key: loop.create_future() for event in events}
        try:
            for event in events:
                if not await accept(event):
                    self._waiting.pop(event.key)
            await asyncio.gather(*self._waiting.values())
        finally:
            self._waiting = {}


class _ReplyProgress:
    """``Progress`` of one job, drawn by the view."""

    def __init__(self, view: View, key: str, streamed: dict[str, list[str]], posted: Posted) -> None:
        self._view = view
        self._key = key
        self._streamed = streamed
        self._posted = posted

    async def step(self, name: str, done: int, total: int) -> None:
        """Draw how far the job is."""
        self._view.step(self._key, "", name, done, total)

    async def sentence(self, sentence: Sentence, citations: Sequence[Citation]) -> None:
        """Draw a sentence; the message counts as posted before its first one."""
        if self._key not in self._streamed:
            await self._posted(self._key)
        self._streamed.setdefault(self._key, []).append(visible(sentence_text(sentence)))
        self._view.sentence(sentence)


def _give(line: asyncio.Future[str | None], got: str | None) -> None:
    if not line.done():
        line.set_result(got)


def _words(body: str) -> str:
    """What a body says when it is one paragraph, for comparing it with what was streamed."""
    return " ".join(plain(block.line) for block in parse(body) if isinstance(block, TextBlock))


def _copy(source: Path, to: Path, limit: int) -> None:
    try:
        if source.stat().st_size > limit:
            raise TooLarge(f"The file is larger than the {limit / 1e6:g} MB that this Footnote takes.")
        shutil.copyfile(source, to)
    except FileNotFoundError as gone:
        raise PaperRejected("The file is no longer where it was.") from gone
    except OSError as failure:
        raise PlatformFailure("The file could not be copied; is the disk full?") from failure
