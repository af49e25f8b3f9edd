"""What channels set for themselves, the conversations in them, and what becomes of the papers of a closed channel."""

from collections.abc import Callable, Sequence
from datetime import datetime

from core.assistant.asking.answer_scores import describe_scores, describe_usage
from core.assistant.groups.due import Schedule
from core.domain.channel_settings import ChannelSettings, check_setting
from core.domain.errors import NotInScope
from core.domain.model import Answer, Channel, Forgotten, Scope, Thread, Turn
from core.domain.records import Recollection, ThreadNote
from core.services.open_workspaces import OpenWorkspaces


class Channels:
    """Settings of channels; every call names its channel."""

    def __init__(self, workspaces: OpenWorkspaces, *, now: Callable[[], datetime]) -> None:
        self._workspaces = workspaces
        self._now = now

    async def settings(self, channel: Channel) -> ChannelSettings:
        """What a channel has set, the rest as usual."""
        async with self._workspaces.enter(channel.workspace) as opened:
            return await opened.settings(channel)

    async def put(self, channel: Channel, name: str, value: str, *, user: str) -> ChannelSettings:
        """Set one value; the settings as they are then. Raises ``SettingsInvalid``."""
        kept = check_setting(name, value)
        if name == "digest" and kept != "off":
            Schedule(kept, "UTC")
        async with self._workspaces.enter(channel.workspace) as opened:
            await opened.stores.settings.put(channel, name, kept, user=user, at=self._now())
            return await opened.settings(channel)

    async def close(self, channel: Channel) -> Forgotten:
        """Take away a gone channel's places and its digest; papers left without a place are forgotten."""
        scope = Scope(workspace=channel.workspace, channels=frozenset({channel.id}))
        async with self._workspaces.enter(channel.workspace) as opened, opened.writing:
            if "digest" in await opened.stores.settings.of(channel):
                await opened.stores.settings.drop(channel, "digest")
            here = [paper.id for paper in await opened.stores.library.papers(scope)]
            if not here:
                return Forgotten(papers=(), counts={})
            gone = await opened.stores.library.withdraw(scope, here)
            await opened.refresh()
            return gone


LISTED = 20
REOPENED = 200
"""Turns that are taken along when a conversation is gone on with elsewhere."""


class Threads:
    """The conversations of all workspaces, each seen from its own channel alone."""

    def __init__(self, workspaces: OpenWorkspaces, *, now: Callable[[], datetime]) -> None:
        self._workspaces = workspaces
        self._now = now

    async def listed(self, channel: Channel, *, limit: int = LISTED) -> Sequence[ThreadNote]:
        """The channel's conversations, the one used last first."""
        async with self._workspaces.enter(channel.workspace) as opened:
            return await opened.stores.threads.listed(channel, limit=limit)

    async def asked_in(self, thread: Thread) -> bool:
        """Whether anything was asked in this thread before."""
        async with self._workspaces.enter(thread.channel.workspace) as opened:
            return await opened.stores.threads.count(thread) > 0

    async def turns(self, thread: Thread, *, limit: int = REOPENED) -> Sequence[Turn]:
        """What was said in a thread, oldest first, at most the last ``limit`` turns."""
        async with self._workspaces.enter(thread.channel.workspace) as opened:
            return await opened.stores.memory.recent(thread, limit=limit)

    async def recollection(self, thread: Thread) -> Recollection | None:
        """The running summary of a thread's older turns, once there are any."""
        async with self._workspaces.enter(thread.channel.workspace) as opened:
            return await opened.stores.threads.recollection(thread)

    async def answer(self, thread: Thread, trace_id: str) -> Answer | None:
        """A stored answer of this thread."""
        async with self._workspaces.enter(thread.channel.workspace) as opened:
            return await opened.stores.memory.answer(thread, trace_id)

    async def judge(self, thread: Thread, trace_id: str, *, user: str, verdict: str, words: str = "") -> None:
        """Keep what a reader thought of an answer. Raises ``NotInScope`` where it is no longer stored."""
        async with self._workspaces.enter(thread.channel.workspace) as opened:
            await opened.stores.memory.keep_feedback(
                thread, trace_id, user=user, verdict=verdict, words=words, at=self._now()
            )

    async def trust(self, thread: Thread) -> str:
        """How far the last answer of a thread is borne out and to the point; empty where none was measured."""
        async with self._workspaces.enter(thread.channel.workspace) as opened:
            last = await opened.stores.threads.last_answer(thread)
        return f"{describe_scores(last)} {describe_usage(last)}".strip() if last else ""

    async def reopen(self, earlier: Thread, here: Thread) -> int:
        """Go on in ``here`` with what was said in ``earlier``, a thread of the same channel; returns how many turns.

        Raises ``NotInScope`` for a thread of another channel, or one that is not there.
        """
        if earlier.channel.id != here.channel.id or earlier.channel.workspace != here.channel.workspace:
            raise NotInScope("A conversation can only be gone on with in its own channel.")
        if earlier.id == here.id:
            return 0
        async with self._workspaces.enter(here.channel.workspace) as opened:
            memory = opened.stores.memory
            said = [turn for turn in await memory.recent(earlier, limit=REOPENED) if not turn.forgotten]
            if not said:
                raise NotInScope("That conversation is not here (any more).")
            await memory.append(here, *said)
            return len(said)

    async def forget(self, thread: Thread) -> int:
        """Forget what was asked and answered in a thread; returns how many turns went."""
        async with self._workspaces.enter(thread.channel.workspace) as opened, opened.writing:
            return await opened.stores.memory.forget(thread)
