"""A Slack workspace with people in it, the bot connected to it over sockets, and eyes on what is shown."""

import asyncio
import contextlib
import json
import random
import shutil
import socket
import sqlite3
import subprocess
import time
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from adapters.slack.platform import SlackPlatform
from adapters.slack.settings import SlackSettings
from bot.settings import Settings
from bot.wiring import App, Engines, clock, open_app
from bot.worker import JobPolicy
from tests.bot.fake_engine import FakeEngine
from tests.peers.slack.front import APP_TOKEN, BOT_USER, SECRET, TEAM, TOKEN, Front

SOON = JobPolicy(retry_seconds=0.05)

HERE = Path(__file__).parent
MISSING = "Slack's test workspace is missing: run `make peers` (needs Node 20)"
SECONDS = 60.0


@dataclass(frozen=True)
class Place:
    """The running workspace process and the port that its front listens on."""

    url: str
    reset_url: str
    front_port: int


def free_ports(count: int) -> list[int]:
    """A run of ports that nobody listens on."""
    while True:
        with contextlib.ExitStack() as stack:
            first = stack.enter_context(socket.socket())
            first.bind(("127.0.0.1", 0))
            start = first.getsockname()[1]
            try:
                for port in range(start + 1, start + count):
                    stack.enter_context(socket.socket()).bind(("127.0.0.1", port))
            except OSError:
                continue
            return list(range(start, start + count))


def lasting_port() -> int:
    """A port that stays free while nobody listens: below those that the system gives to connections by chance."""
    while True:
        port = random.randrange(15_000, 32_000)
        with socket.socket() as tried, contextlib.suppress(OSError):
            tried.bind(("127.0.0.1", port))
            return port


def running_workspace(*arguments: str) -> Iterator[Place]:
    """npm ``emulate`` in a process of its own."""
    node = shutil.which("node")
    if node is None or not (HERE / "node_modules" / "emulate").is_dir():
        pytest.skip(MISSING)
    port, reset, front = free_ports(3)
    command = [node, str(HERE / "workspace.mjs"), str(port), f"http://127.0.0.1:{front}/_events", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline().strip() == "up"
            yield Place(url=f"http://127.0.0.1:{port}", reset_url=f"http://127.0.0.1:{reset}", front_port=front)
        finally:
            process.terminate()


@dataclass
class World:
    """One test's workspace; ``channels`` and ``people`` by name hold ids, ``mode`` is how deliveries reach the bot."""

    place: Place
    front: Front
    mode: str
    channels: dict[str, str] = field(default_factory=dict)
    people: dict[str, str] = field(default_factory=dict)
    asked: int = 0

    async def ask(self, who: str, method: str, **given: Any) -> dict[str, Any]:
        """A call that a person (or, as ``bot``, the test itself) makes of the workspace; it must succeed."""
        self.asked += 1
        # The workspace counts calls a token, so reading is spread over several of the bot's.
        token = f"xoxb-test-{20 + self.asked // 3_000 % 20}" if who == "bot" else f"xoxp-{who}"
        answer = await self.front.ask(method, given, token)
        assert answer.get("ok"), (method, answer)
        return answer

    async def says(self, who: str, channel: str, words: str, *, thread: str = "") -> str:
        """Somebody writes; returns the message's timestamp."""
        given = {"channel": self.channels.get(channel, channel), "text": words}
        return str(
            (await self.ask(who, "chat.postMessage", **given, **({"thread_ts": thread} if thread else {})))["ts"]
        )

    async def asks(self, who: str, channel: str, words: str, *, thread: str = "") -> str:
        """Somebody mentions the bot."""
        return await self.says(who, channel, f"<@{BOT_USER}> {words}", thread=thread)

    async def drops(
        self,
        who: str,
        channel: str,
        papers: Mapping[str, str | bytes],
        *,
        words: str = "",
        thread: str = "",
    ) -> list[str]:
        """Somebody shares files (name -> content) in one message; returns the file ids."""
        ids = []
        for name, content in papers.items():
            data = content.encode() if isinstance(content, str) else content
            begun = await self.ask(who, "files.getUploadURLExternal", filename=name, length=len(data))
            async with aiohttp.ClientSession() as session, session.post(begun["upload_url"], data=data) as answer:
                assert answer.status == 200
            ids.append(str(begun["file_id"]))
        await self.ask(
            who,
            "files.completeUploadExternal",
            files=[{"id": item, "title": name} for item, name in zip(ids, papers, strict=True)],
            channel_id=self.channels.get(channel, channel),
            initial_comment=words,
            **({"thread_ts": thread} if thread else {}),
        )
        return ids

    def told(self, files: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Files as the bot is told of them: their addresses lead through the front."""
        return list(json.loads(json.dumps(files).replace(self.place.url, self.front.url)))

    async def holds(self, file: Mapping[str, Any]) -> bytes:
        """What a shared file holds."""
        url = str(file["url_private"]).replace(self.front.url, self.place.url)
        headers = {"Authorization": "Bearer xoxb-test-39"}
        async with aiohttp.ClientSession() as session, session.get(url, headers=headers) as answer:
            assert answer.status == 200
            return await answer.read()

    async def direct(self, who: str) -> str:
        """The direct conversation of a person with the bot."""
        opened = await self.ask(who, "conversations.open", users=BOT_USER)
        return str(opened["channel"]["id"])

    async def messages(self, channel: str, thread: str = "") -> list[dict[str, Any]]:
        """What stands in a channel or thread, oldest first."""
        id_ = self.channels.get(channel, channel)
        who = "bot" if thread else "alice"
        if thread:
            listed = await self.ask(who, "conversations.replies", channel=id_, ts=thread)
            return list(listed["messages"])
        listed = await self.ask(who, "conversations.history", channel=id_, limit=1000)
        return list(reversed(listed["messages"]))

    async def of_bot(self, channel: str, thread: str) -> list[dict[str, Any]]:
        """What the bot wrote in a thread."""
        return [item for item in await self.messages(channel, thread) if item.get("user") == BOT_USER]

    async def answer(self, channel: str, thread: str, containing: str = "", *, count: int = 1) -> dict[str, Any]:
        """Wait for the bot's ``count``-th finished message with ``containing`` in it."""

        async def there() -> dict[str, Any] | None:
            found = [
                item for item in await self.of_bot(channel, thread) if containing in shown(item) and _finished(item)
            ]
            return found[count - 1] if len(found) >= count else None

        found: dict[str, Any] = await until(there)
        return found

    async def signs(self, channel: str, ts: str) -> set[str]:
        """The names of the bot's reactions to a message."""
        for item in await self.messages(channel):
            if item["ts"] == ts:
                return {r["name"] for r in item.get("reactions", ()) if BOT_USER in r["users"]}
        return set()

    async def whispers(self, user: str = "") -> list[dict[str, Any]]:
        """What the bot showed to one person alone, from the calls it made."""
        found = [given for _, method, given in self.front.calls if method == "chat.postEphemeral"]
        return [item for item in found if not user or item["user"] == self.people.get(user, user)]

    async def presses(
        self, who: str, channel: str, message: Mapping[str, Any], label: str, *, at: float = 0.0, **more: Any
    ) -> Any:
        """Somebody presses the button that says ``label``, now or (as their own clock has it) ``at``."""
        block, element, value = _button(message, label)
        payload = {
            "type": "block_actions",
            "user": {"id": self.people[who], "team_id": TEAM},
            "team": {"id": TEAM, "domain": "lab"},
            "trigger_id": await self._trigger(who),
            "response_url": f"{self.front.url}/unused",
            "container": {
                "type": "message",
                "message_ts": message["ts"],
                "channel_id": self.channels.get(channel, channel),
                "is_ephemeral": False,
                **({"thread_ts": message["thread_ts"]} if message.get("thread_ts") else {}),
                **more,
            },
            "channel": {"id": self.channels.get(channel, channel)},
            "message": dict(message),
            "actions": [
                {
                    "type": element["type"],
                    "action_id": element["action_id"],
                    "block_id": block.get("block_id", "b"),
                    "value": value,
                    "action_ts": f"{at or time.time():.6f}",
                }
            ],
        }
        return await self.front.deliver("interactive", payload)

    async def shortcut(self, who: str, channel: str, message: Mapping[str, Any]) -> Any:
        """Somebody chooses "Ask about this" of a message."""
        payload = {
            "type": "message_action",
            "callback_id": "ask-about",
            "user": {"id": self.people[who], "team_id": TEAM},
            "team": {"id": TEAM},
            "trigger_id": await self._trigger(who),
            "channel": {"id": self.channels.get(channel, channel)},
            "message_ts": message["ts"],
            "message": dict(message),
        }
        return await self.front.deliver("interactive", payload)

    async def fills_in(self, who: str, view: Mapping[str, Any], values: Mapping[str, Any]) -> Any:
        """Somebody sends a form; ``values`` is ``view.state.values``."""
        sent = {**view, "id": view.get("id") or f"V{uuid.uuid4().hex[:9]}", "state": {"values": values}}
        payload = {
            "type": "view_submission",
            "team": {"id": TEAM},
            "user": {"id": self.people[who], "team_id": TEAM},
            "view": sent,
        }
        return await self.front.deliver("interactive", payload)

    async def slash(self, who: str, channel: str, words: str) -> Any:
        """Somebody writes ``/footnote words``; returns what they are shown at once."""
        payload = {
            "command": "/footnote",
            "text": words,
            "team_id": TEAM,
            "channel_id": self.channels.get(channel, channel),
            "user_id": self.people[who],
            "trigger_id": await self._trigger(who),
            "response_url": f"{self.front.url}/unused",
        }
        return await self.front.deliver("slash_commands", payload)

    def views(self, method: str = "views.open") -> list[dict[str, Any]]:
        """The modals or Home tabs that the bot opened, newest last."""
        return [given["view"] for _, item, given in self.front.calls if item == method]

    async def _trigger(self, who: str) -> str:
        answer = await self.front.ask("views.generateTriggerId", {"user_id": self.people[who]}, "xoxb-test-39")
        return str(answer.get("trigger_id", "none"))


@asynccontextmanager
async def a_world(place: Place, mode: str = "socket") -> AsyncIterator[World]:
    """A new workspace: alice, bob (an administrator) and gus; the bot in papers, reading and secret."""
    front = Front(place.url)
    await front.start(place.front_port)
    try:
        async with aiohttp.ClientSession() as session:
            await session.post(place.reset_url)
        world = World(place, front, mode)
        # Set-up happens before the bot is there: what it causes is delivered to nobody.
        listed = await world.ask("alice", "users.list")
        world.people = {item["name"]: item["id"] for item in listed["members"]}
        kinds = "public_channel,private_channel"
        channels = await world.ask("alice", "conversations.list", types=kinds, limit=200)
        world.channels = {item["name"]: item["id"] for item in channels["channels"]}
        for name in ("papers", "reading", "secret"):
            await world.ask("alice", "conversations.invite", channel=world.channels[name], users=BOT_USER)
        yield world
    finally:
        await front.stop()


def slack_settings(world: World, **given: Any) -> SlackSettings:
    """What the bot is told of this workspace."""
    usual: dict[str, Any] = {
        "bot_token": TOKEN,
        "app_token": APP_TOKEN,
        "signing_secret": SECRET,
        "api_url": f"{world.front.url}/api/",
        "mode": world.mode,
        **({"port": lasting_port()} if world.mode == "http" else {}),
    }
    return SlackSettings(**{**usual, **given})


def over(mode: str) -> pytest.MarkDecorator:
    """A journey that is about one way alone by which deliveries reach the bot: ``socket`` or ``http``."""
    return pytest.mark.parametrize("world", [mode], indirect=True)


@contextlib.contextmanager
def reachable(world: World, told: SlackSettings) -> Iterator[None]:
    """Whoever waits there is delivered to from now on."""
    doors = [f"http://127.0.0.1:{told.port}/slack/events"] if told.mode == "http" else []
    world.front.doors += doors
    world.front.awaited = True
    try:
        yield
    finally:
        for door in doors:
            world.front.doors.remove(door)


class Later:
    """A clock for the bot that a test sets forward."""

    ahead = timedelta()

    def __call__(self) -> datetime:
        return clock() + self.ahead


@asynccontextmanager
async def the_bot(
    world: World,
    data: Path,
    *,
    engine: FakeEngine | None = None,
    engines: Engines | None = None,
    more: Mapping[str, object] | None = None,
    now: Callable[[], datetime] = clock,
    **given: Any,
) -> AsyncIterator[App]:
    """The bot as production wires it, connected to the world.

    Its engine is one without models (``engine``), unless ``engines`` opens another; ``more`` are settings besides.
    """
    told = slack_settings(world, **given)
    settings = Settings.model_validate({"data": data, "slack": told, **(more or {})})
    platform = SlackPlatform(told, data)
    opened = engines or (engine or FakeEngine()).opened
    async with open_app(settings, [platform], engines=opened, policy=SOON, now=now) as app:
        if told.mode == "socket":
            await until(_socket_of(world))
        with reachable(world, told):
            yield app


def _socket_of(world: World) -> Callable[[], Awaitable[bool]]:
    async def there() -> bool:
        return bool(world.front.sockets)

    return there


async def until(there: Callable[[], Awaitable[Any]], *, seconds: float = SECONDS) -> Any:
    """Ask until the answer is true."""
    async with asyncio.timeout(seconds):
        while not (found := await there()):  # noqa: ASYNC110 - the workspace tells nobody
            await asyncio.sleep(0.03)
    return found


async def at_rest(world: World, data: Path, *, seconds: float = SECONDS) -> None:
    """Wait until all that happened so far has reached the bot over ``data`` and no work is left of it.

    What people do here has been handed to the front when their call returns, so nothing is still on its way.
    """

    async def resting() -> bool:
        if not world.front.idle:
            return False
        left = jobs(data)
        return left["waiting"] + left["running"] == 0

    await until(resting, seconds=seconds)


def jobs(data: Path) -> Counter[str]:
    """How many jobs are in each state, of a bot in this process or in another."""
    return Counter(state for _, state in _kept(data))


def taken(data: Path, kind: str) -> list[str]:
    """Keys of the jobs of a kind, in the order in which they came."""
    return [key for key, _ in _kept(data) if key.startswith(f"{kind}:")]


def _kept(data: Path) -> list[tuple[str, str]]:
    with contextlib.closing(sqlite3.connect(f"file:{data / 'process.db'}?mode=ro", uri=True, timeout=10)) as db:
        return db.execute("SELECT key, state FROM jobs ORDER BY id").fetchall()


async def called(world: World, method: str, *, times: int = 1) -> None:
    """Wait until the bot called ``method`` so often."""

    async def there() -> bool:
        return world.front.times(method) >= times

    await until(there)


def shown(message: Mapping[str, Any]) -> str:
    """All words of a message: its text and what its blocks show."""
    return "\n".join([str(message.get("text", "")), *_words(message.get("blocks", ()))])


def labels(message: Mapping[str, Any]) -> list[str]:
    """What the buttons under a message say."""
    return [label for _, _, _, label in _all_buttons(message.get("blocks", ()))]


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, part in value.items():
            if name == "text" and isinstance(part, str):
                yield part
            else:
                yield from _words(part)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for part in value:
            yield from _words(part)


def _finished(message: Mapping[str, Any]) -> bool:
    """Whether a message is a reply and no sign of life: these have no blocks yet, end in dots or can be stopped."""
    return (
        bool(message.get("blocks"))
        and not any(label == "Stop" for label in labels(message))
        and "…" not in str(message.get("text", ""))[-2:]
    )


def _all_buttons(
    blocks: Sequence[Mapping[str, Any]],
) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any], str, str]]:
    for block in blocks:
        for element in block.get("elements", ()):
            if element.get("type") == "button":
                yield block, element, element["value"], element["text"]["text"]
            if element.get("type") == "feedback_buttons":
                for side in ("positive_button", "negative_button"):
                    yield block, element, element[side]["value"], element[side]["text"]["text"]


def _button(message: Mapping[str, Any], label: str) -> tuple[Mapping[str, Any], Mapping[str, Any], str]:
    for block, element, value, said in _all_buttons(message.get("blocks", ())):
        if said == label:
            return block, element, value
    raise AssertionError(f"no button says {label}: {labels(message)}")
