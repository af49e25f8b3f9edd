"""A row of the command table is enough: help, completion, audience and parsing on every platform follow from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

import pytest

from adapters.common.conversations import Conversations, command_in
from adapters.common.message_events import IncomingMessage, MessageInterpreter
from adapters.console.input import Command as TypedCommand
from adapters.console.input import parse_line
from adapters.slack.channels import Channels
from adapters.slack.installations import Installations
from adapters.slack.interactions import Interactions
from adapters.slack.message_listener import MessageListener
from adapters.slack.web_api import WebApi
from adapters.web.messages import Message, PageChannel, event_of
from bot import commands
from bot.commands import Command, Request, command_words
from bot.replies import general
from core.domain.events import CommandGiven, Event
from core.domain.model import Channel, Workspace
from core.domain.reply import Reply
from tests.adapters.discord.world import text, world
from tests.adapters.web.clients import FakeDesk
from tests.bot.actors import NOW, command, thread
from tests.bot.test_commands import HERE, opened


async def _quote(request: Request) -> Reply:
    return general.notice(f"Quoted: {request.words}")


QUOTE = Command(
    usage="quote PAPER",
    does="reads a sentence aloud",
    run=_quote,
    aliases=("cite",),
    public=True,
    takes_paper=True,
    takes_text=True,
)


@pytest.fixture(autouse=True)
def table(monkeypatch: pytest.MonkeyPatch) -> Mapping[str, Command]:
    """The commands that there are, and a new one."""
    monkeypatch.setattr(commands, "TABLE", {**commands.TABLE, "quote": QUOTE})
    return commands.TABLE


async def test_a_new_command_is_in_help_and_done_by_name_and_alias(tmp_path: Path) -> None:
    async with opened(tmp_path) as room:
        listed = await room.after(command("help"))
        done = await room.after(command("quote", "1", message="m4"))
        by_alias = await room.after(command("cite", "2", message="m5"))
    assert "quote PAPER" in listed.body and "reads a sentence aloud" in listed.body
    assert (done.body, by_alias.body) == ("Quoted: 1", "Quoted: 2")


async def test_a_new_command_is_completed_with_papers_or_with_what_it_offers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tone = replace(QUOTE, usage="tone NAME", takes_paper=False, choices=lambda: ("calm", "loud"))
    monkeypatch.setitem(commands.TABLE, "tone", tone)
    async with opened(tmp_path) as room:
        assert await room.app.backend.choices("quote", "foot", scope=HERE) == ["On Footnotes"]
        assert await room.app.backend.choices("tone", "lo", scope=HERE) == ["loud"]
        assert await room.app.backend.choices("help", "quo", scope=HERE) == ["quote"]


async def test_a_command_of_managers_is_refused_to_others_unless_it_only_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    managed = replace(QUOTE, who_may="manager", reads_only=lambda words: not words)
    monkeypatch.setitem(commands.TABLE, "quote", managed)
    async with opened(tmp_path) as room:
        listed = await room.after(command("help"))
        refused = await room.after(command("quote", "1", message="m4"))
        shown = await room.after(command("quote", message="m5"))
        room.platform.managers.add("ada")
        done = await room.after(command("quote", "1", message="m6"))
    assert "reads a sentence aloud (managers)" in listed.body
    assert "nothing was changed" in refused.body
    assert (shown.body, done.body) == ("Quoted:", "Quoted: 1")


@pytest.mark.parametrize(
    ("words", "meant"),
    [("quote 1", ("quote", "1")), ("cite 1", ("quote", "1")), ("/quote 1", ("quote", "1")), ("quote what?", None)],
)
def test_a_new_command_is_read_from_a_message(words: str, meant: tuple[str, str] | None) -> None:
    assert command_in(words, command_words()) == meant


async def test_a_new_command_is_taken_from_a_mention() -> None:
    said = IncomingMessage(
        thread=thread(), user="ada", at=NOW, message="m1", words="cite 1", addressed=True, to_others=False
    )
    (event,) = await MessageInterpreter(FakeDesk(commands=command_words()), Conversations()).events_of(said)
    assert isinstance(event, CommandGiven) and (event.name, event.words) == ("quote", "1")


def test_a_new_command_is_taken_on_the_page_and_in_the_terminal() -> None:
    message = Message(id="m1", channel="c", thread="m1", by="reader", at=NOW, text="/quote 1")
    place = PageChannel(id="c", name="c", visibility="open")
    event = event_of(message, place, Workspace(platform="web", id="page"), visible=frozenset())
    assert isinstance(event, CommandGiven) and (event.name, event.words) == ("quote", "1")
    assert parse_line("/quote 1") == TypedCommand(name="quote", words="1")


@pytest.mark.parametrize("public", [True, False])
async def test_discord_shows_a_new_command_to_whom_it_is_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, public: bool
) -> None:
    monkeypatch.setitem(commands.TABLE, "quote", replace(QUOTE, public=public))
    async with world(tmp_path) as w:
        await w.drop()
        assert "quote" in w.alice.available_commands(w.channel)
        offered = await w.alice.autocomplete(w.channel, "quote", "paper", "foot")
        assert [choice["name"] for choice in offered] == ["On Footnotes"]
        result = await w.alice.slash(w.channel, "quote", paper="1")
        await w.until(lambda: result.response is not None and "Quoted: 1" in text(result.response.message))
        assert result.ephemeral != public


@dataclass
class Slack:
    """What Slack's interactions stand on, as far as a slash command needs it."""

    calls: list[str] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    async def __call__(self, workspace: Workspace, method: str, **arguments: object) -> Mapping[str, object]:
        self.calls.append(f"{method} {arguments.get('text')}")
        return {"ts": "1.2"}

    async def place(self, workspace: Workspace, channel_id: str) -> Channel:
        return Channel(workspace=workspace, id=channel_id)

    async def bound(self, workspace: Workspace) -> frozenset[str]:
        return frozenset()

    async def visible(self, workspace: Workspace, user: str) -> frozenset[str]:
        return frozenset()

    async def person(self, workspace: Workspace, user: str) -> "Slack":
        return self

    name = "Ada"

    async def accept(self, event: Event) -> bool:
        self.events.append(event)
        return True


@pytest.mark.parametrize(("public", "calls"), [(True, ["chat.postMessage Ada: quote 1"]), (False, [])])
async def test_slack_shows_a_new_command_to_whom_it_is_for(*, public: bool, calls: Sequence[str]) -> None:
    slack = Slack()
    backend = FakeDesk(commands={"quote": replace(QUOTE, public=public)})
    interactions = Interactions(
        backend,
        cast(WebApi, slack),
        cast(Installations, slack),
        cast(Channels, slack),
        cast(MessageListener, slack),
    )
    await interactions.slash({"team_id": "T", "channel_id": "C", "user_id": "U", "trigger_id": "t", "text": "cite 1"})
    assert slack.calls == calls
    assert [(event.name, event.words) for event in slack.events if isinstance(event, CommandGiven)] == [("quote", "1")]
