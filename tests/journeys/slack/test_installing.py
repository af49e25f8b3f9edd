"""Many workspaces by OAuth: installing, encrypted tokens, organisations, taking Footnote out, coming back."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from cryptography.fernet import Fernet

from adapters.slack.installations import Installation, ManyWorkspaces
from adapters.slack.settings import SlackSettings
from core.domain.errors import SettingsInvalid
from core.domain.model import Workspace
from tests.bot.fake_engine import FakeEngine
from tests.journeys.slack.papers import QUESTION, dropped
from tests.peers.slack.front import TEAM, wrap
from tests.peers.slack.world import Later, World, at_rest, free_ports, the_bot, until

KEY = Fernet.generate_key().decode()
REDIRECT = "http://127.0.0.1:3999/slack/oauth_redirect"


def many(**given: Any) -> dict[str, Any]:
    usual = {"bot_token": "", "client_id": "1.2", "client_secret": "cs", "token_key": KEY, "redirect_url": REDIRECT}
    return {**usual, "port": free_ports(1)[0], **given}


@asynccontextmanager
async def visitor() -> AsyncIterator[aiohttp.ClientSession]:
    """A browser: it keeps cookies of this machine too."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        yield session


async def installed(world: World, port: int, session: aiohttp.ClientSession) -> str:
    """Go through Slack's pages; returns the address that Slack sends the visitor back to, at this bot."""
    async with session.get(f"http://127.0.0.1:{port}/slack/install", allow_redirects=False) as begun:
        where = begun.headers["Location"]
    assert where.startswith(f"{world.front.url}/oauth/v2/authorize?")
    async with session.get(where) as page:
        form = await page.text()
    fields = dict(re.findall(r'<input[^>]+name="([^"]+)"[^>]+value="([^"]*)"', form))
    fields = {name: value.replace("&amp;", "&") for name, value in fields.items()}
    url = f"{world.front.url}/oauth/v2/authorize/callback"
    async with session.post(url, data=fields, allow_redirects=False) as sent:
        back = sent.headers["Location"]
    return back.replace("127.0.0.1:3999", f"127.0.0.1:{port}")


async def status(session: aiohttp.ClientSession, url: str) -> int:
    async with session.get(url) as answer:
        return answer.status


async def test_a_workspace_installs_footnote_and_is_served_with_its_own_token(world: World, tmp_path: Path) -> None:
    given = many()
    async with the_bot(world, tmp_path, **given), visitor() as alice, visitor() as mallory:
        back = await installed(world, given["port"], alice)
        forged = await status(alice, re.sub("state=[^&]+", "state=forged", back))
        stolen = await status(mallory, back)
        right = await status(alice, back)
        twice = await status(alice, back)
        await dropped(world)
        ts = await world.asks("alice", "papers", QUESTION)
        await world.answer("papers", ts, "42 degrees")

    assert (forged, stolen, right, twice) == (400, 400, 200, 400)
    held = (tmp_path / "slack.db").read_bytes()
    assert b"xoxb-" not in held
    (installation,) = await ManyWorkspaces(tmp_path / "slack.db", KEY).all()
    assert (installation.team, installation.bot_user) == (TEAM, "U00000BOT")
    assert installation.token.startswith("xoxb-")


async def taken_out(world: World, data: Path, event: dict[str, Any]) -> None:
    """Slack says that Footnote was taken out, and its token is gone."""
    world.front.spread({**event, "event_ts": "1700000000.000100"})

    async def is_dropped() -> bool:
        return await ManyWorkspaces(data / "slack.db", KEY).all() == ()

    await until(is_dropped)


@pytest.mark.parametrize("event", [{"type": "app_uninstalled"}, {"type": "tokens_revoked", "tokens": {"bot": ["U1"]}}])
async def test_a_workspace_that_takes_footnote_out_is_forgotten_after_its_grace(
    world: World, tmp_path: Path, event: dict[str, Any]
) -> None:
    engine, time, given = FakeEngine(), Later(), many()
    async with the_bot(world, tmp_path, engine=engine, now=time, **given), visitor() as alice:
        assert await status(alice, await installed(world, given["port"], alice)) == 200
        await dropped(world)
        await taken_out(world, tmp_path, event)
        assert len(engine.papers.shelves[f"slack:{TEAM}"]) == 1
        time.ahead = timedelta(days=8)
        await at_rest(world, tmp_path)

    assert f"slack:{TEAM}" not in engine.papers.shelves


async def test_whoever_is_back_within_the_grace_keeps_the_papers(world: World, tmp_path: Path) -> None:
    engine, time, given = FakeEngine(), Later(), many()
    async with the_bot(world, tmp_path, engine=engine, now=time, **given), visitor() as alice:
        assert await status(alice, await installed(world, given["port"], alice)) == 200
        await dropped(world)
        await taken_out(world, tmp_path, {"type": "app_uninstalled"})
        assert await status(alice, await installed(world, given["port"], alice)) == 200
        time.ahead = timedelta(days=8)
        await at_rest(world, tmp_path)

    assert len(engine.papers.shelves[f"slack:{TEAM}"]) == 1


async def test_one_installation_of_an_organisation_serves_its_workspaces(world: World, tmp_path: Path) -> None:
    """The shapes that Slack sends of an organisation: no team at installing, the workspace in each delivery."""
    store = ManyWorkspaces(tmp_path / "slack.db", KEY)
    whole = Installation(enterprise="E1", team="", token="xoxb-test-0", bot_user="U00000BOT", bot_id="B00000BOT")
    await store.save(whole)
    event = {"type": "message", "channel": world.channels["papers"], "user": world.people["alice"]}
    async with the_bot(world, tmp_path, **many()):
        ts = await world.says("alice", "papers", "<@U00000BOT> " + QUESTION)
        payload = wrap(
            {**event, "ts": ts, "channel_type": "channel", "text": f"<@U00000BOT> {QUESTION}"},
            enterprise_id="E1",
            authorizations=[
                {
                    "enterprise_id": "E1",
                    "team_id": TEAM,
                    "user_id": "U00000BOT",
                    "is_bot": True,
                    "is_enterprise_install": True,
                }
            ],
        )
        await world.front.deliver("events_api", payload)
        await world.answer("papers", ts)
        other = await store.of(Workspace(platform="slack", id="T9"))

    assert other is None
    again = ManyWorkspaces(tmp_path / "slack.db", KEY)
    assert await again.of(Workspace(platform="slack", id=TEAM)) == whole
    await again.remove("", "E1")
    assert await again.of(Workspace(platform="slack", id=TEAM)) is None


async def test_a_new_key_opens_old_tokens_while_the_old_one_stands_behind_it(tmp_path: Path) -> None:
    held = Installation(enterprise="", team="T1", token="xoxb-1", bot_user="U1")
    place = Workspace(platform="slack", id="T1")
    await ManyWorkspaces(tmp_path / "s.db", KEY).save(held)
    newer = Fernet.generate_key().decode()

    assert await ManyWorkspaces(tmp_path / "s.db", f"{newer}, {KEY}").of(place) == held
    with pytest.raises(SettingsInvalid, match="does not open the stored tokens"):
        await ManyWorkspaces(tmp_path / "s.db", newer).of(place)
    with pytest.raises(SettingsInvalid, match="must be a Fernet key"):
        ManyWorkspaces(tmp_path / "s.db", "short")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"bot_token": "xoxp-1"}, "bot_token must begin with xoxb-"),
        ({"bot_token": "xoxb-1"}, "app_token must begin with xapp-"),
        ({"bot_token": "xoxb-1", "mode": "http"}, "signing_secret must be set"),
        ({"bot_token": "xoxb-1", "client_id": "1"}, "client_id cannot stand beside bot_token"),
        ({"client_id": "1", "app_token": "xapp-1"}, "client_secret must be set"),
        ({"client_id": "1", "client_secret": "s", "app_token": "xapp-1"}, "token_key must be set"),
        ({"mode": "carrier pigeon"}, "mode must be socket or http"),
        ({"api_url": "http://slack.com/api/"}, "api_url must begin with https"),
    ],
)
def test_settings_that_cannot_work_say_what_to_mend(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        SlackSettings(**given)


def test_no_token_is_shown_when_settings_are_printed() -> None:
    settings = SlackSettings(bot_token="xoxb-hidden", app_token="xapp-hidden", signing_secret="hidden-too")

    assert "hidden" not in repr(settings)
    assert settings.secrets == {"xoxb-hidden", "xapp-hidden", "hidden-too"}
