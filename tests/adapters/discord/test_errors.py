"""A message is not lost, whatever the library raises: it is tried again, and a failure that stays is told."""

import sqlite3
from pathlib import Path

import discord
import pytest

from adapters.common import retry
from core.domain.channel_settings import ChannelSettings
from core.domain.errors import LibraryFailure
from core.domain.model import Channel
from tests.adapters.discord.world import PAPER, said, world
from tests.bot.fake_engine import FakeChannels, FakeEngine

BUSY = LibraryFailure("The library is in use by another process for too long. Please try again.")


class FailingChannels(FakeChannels):
    """Settings that cannot be read the first ``times``."""

    def __init__(self, failure: Exception, times: int) -> None:
        super().__init__()
        self._failure = failure
        self.left = times

    async def settings(self, channel: Channel) -> ChannelSettings:
        if self.left:
            self.left -= 1
            raise self._failure
        return await super().settings(channel)


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "PAUSES", (0.05,) * 6)


@pytest.mark.parametrize("failure", [BUSY, sqlite3.OperationalError("cannot commit"), KeyError("settings")])
async def test_a_question_that_is_not_taken_in_at_once_is_answered_later(tmp_path: Path, failure: Exception) -> None:
    channels = FailingChannels(failure, times=2)
    async with world(tmp_path, engine=FakeEngine(channels=channels)) as here:
        await here.alice.send(here.channel, "", attachments=[("notes.pdf", PAPER)])
        await here.until(here.titles)
        await here.ask("what is a footnote?")
        await here.until(lambda: len(here.channel.threads) == 2)
        await here.until(lambda: "A footnote is a promise." in said(here.thread(1)))
        assert channels.left == 0
        assert "could not be taken in" not in said(here.channel)


async def test_a_failure_that_stays_is_told_beneath_the_message(tmp_path: Path) -> None:
    async with world(tmp_path, engine=FakeEngine(channels=FailingChannels(BUSY, times=1_000))) as here:
        message = await here.ask("what is a footnote?")
        await here.until(lambda: "please send it again later" in said(here.channel))
        told = [item for item in here.own(here.channel) if "could not be taken in" in item.content]
        assert len(told) == 2
        assert all(is_reply(item, message) for item in told)
        assert "The library is in use by another process" in told[0].content


def is_reply(answer: discord.Message, message: discord.Message) -> bool:
    return answer.reference is not None and answer.reference.message_id == message.id
