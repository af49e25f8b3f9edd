"""Who may see what in Slack: channels, the bot's place in them, people and guests; closed when in doubt.

What Slack tells of changes (left, archived, made private, a guest joined) drops the cache at once, so that a
question asked afterwards no longer finds what may no longer be seen.
"""

import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Generic, TypeVar

from adapters.slack.payload import Payload, list_of, part_of, text_of
from adapters.slack.web_api import SlackRefused, WebApi
from core.domain.errors import PlatformFailure
from core.domain.model import Channel, Visibility, Workspace

Value = TypeVar("Value")
_SECONDS = 300.0
_STALE_SECONDS = 3_600.0
_MOST = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Info:
    """What matters of a channel."""

    visibility: Visibility
    archived: bool
    external: bool
    member: bool
    creator: str
    direct: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """What matters of a person; ``outside`` belongs to another workspace."""

    name: str
    guest: bool
    manages: bool
    outside: bool


class Cache(Generic[Value]):
    """Values by key that are young enough; an old one only where asking anew fails for a while."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._values: dict[str, tuple[float, Value]] = {}
        self._clock = clock

    async def get(self, key: str, ask: Callable[[], Awaitable[Value]]) -> Value:
        """The value, asked for where there is none young enough. Raises what ``ask`` raises."""
        now = self._clock()
        asked_at, cached = self._values.get(key, (-math.inf, None))
        if cached is not None and now - asked_at < _SECONDS:
            return cached
        try:
            value = await ask()
        except SlackRefused:
            raise
        except PlatformFailure:
            if cached is not None and now - asked_at < _STALE_SECONDS:
                return cached
            raise
        if len(self._values) >= _MOST:
            self._values.clear()
        self._values[key] = (self._clock(), value)
        return value

    def peek(self, key: str) -> Value | None:
        """The value at hand, however old."""
        entry = self._values.get(key)
        return None if entry is None else entry[1]

    def drop(self, key: str) -> None:
        """Forget a value."""
        self._values.pop(key, None)

    def drop_all(self, start: str) -> None:
        """Forget all values whose key begins so."""
        for key in [key for key in self._values if key.startswith(start)]:
            del self._values[key]


class Channels:
    """Channels and people of all workspaces."""

    def __init__(self, calls: WebApi, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._calls = calls
        self._infos: Cache[Info] = Cache(clock)
        self._people: Cache[Person] = Cache(clock)
        self._open: Cache[frozenset[str]] = Cache(clock)

    async def info(self, workspace: Workspace, channel_id: str) -> Info:
        """A channel as of now, or of some minutes ago. Raises ``PlatformFailure``."""

        async def ask() -> Info:
            answer = await self._calls(workspace, "conversations.info", channel=channel_id)
            return _info(part_of(answer, "channel"), channel_id)

        return await self._infos.get(f"{workspace.id}/{channel_id}", ask)

    async def channel(self, workspace: Workspace, channel_id: str) -> Channel:
        """The domain's channel; restricted where it is private, direct, shared with others or cannot be asked for."""
        visibility: Visibility = "restricted"
        if not channel_id.startswith("D"):
            with suppress(SlackRefused):  # not a member (any more): nothing said there is for others
                visibility = (await self.info(workspace, channel_id)).visibility
        return Channel(workspace=workspace, id=channel_id, visibility=visibility)

    async def open_to_bot(self, workspace: Workspace) -> frozenset[str]:
        """Open, living channels of the workspace that the bot is in."""
        return await self._open.get(f"{workspace.id}/", lambda: self._member_of(workspace, ""))

    async def visible(self, workspace: Workspace, user: str) -> frozenset[str]:
        """Open channels that ``user`` may see among those that the bot is in; of a guest, those it is a member of."""
        person = await self.person(workspace, user)
        if person.outside:
            return frozenset()
        mine = await self.open_to_bot(workspace)
        if not person.guest:
            return mine
        return mine & await self._open.get(f"{workspace.id}/{user}", lambda: self._member_of(workspace, user))

    def recently_open(self, workspace: Workspace) -> frozenset[str]:
        """What was open to the bot when last asked: a bound for what a question may name, narrowed when answered."""
        return self._open.peek(f"{workspace.id}/") or frozenset()

    async def person(self, workspace: Workspace, user: str) -> Person:
        """Name and rights of a person. Raises ``PlatformFailure``."""

        async def ask() -> Person:
            answer = await self._calls(workspace, "users.info", user=user)
            return _person(part_of(answer, "user"), workspace, user)

        return await self._people.get(f"{workspace.id}/{user}", ask)

    def changed(self, workspace: Workspace, channel_id: str, member: str = "") -> None:
        """Something became of a channel, or of ``member`` in it."""
        self._infos.drop(f"{workspace.id}/{channel_id}")
        if member:
            self._open.drop(f"{workspace.id}/{member}")
            self._open.drop(f"{workspace.id}/")
        else:
            self._open.drop_all(f"{workspace.id}/")

    def person_changed(self, workspace: Workspace, user: str) -> None:
        """Somebody's rights changed."""
        self._people.drop(f"{workspace.id}/{user}")
        self._open.drop(f"{workspace.id}/{user}")

    def forget(self, workspace: Workspace) -> None:
        """Drop all that is known of a workspace."""
        for cache in (self._infos, self._people, self._open):
            cache.drop_all(f"{workspace.id}/")

    async def every(self, workspace: Workspace) -> AsyncIterator[str]:
        """Ids of all channels and conversations that the bot is in, private ones too."""
        kinds = "public_channel,private_channel,mpim,im"
        async for payload in self._calls.pages(workspace, "users.conversations", "channels", types=kinds):
            yield text_of(payload, "id")

    async def _member_of(self, workspace: Workspace, user: str) -> frozenset[str]:
        channels: set[str] = set()
        listed = self._calls.pages(
            workspace,
            "users.conversations",
            "channels",
            types="public_channel",
            exclude_archived="true",
            user=user,
            team_id=workspace.id,
        )
        async for payload in listed:
            id_ = text_of(payload, "id")
            info = _info(payload, id_)
            if info.visibility == "open" and not info.archived:
                channels.add(id_)
        return frozenset(channels)


def _info(payload: Payload, channel_id: str) -> Info:
    direct = bool(payload.get("is_im")) or channel_id.startswith("D")
    external = _has_any(payload, "is_ext_shared", "is_pending_ext_shared")
    is_closed = direct or not payload or _has_any(payload, "is_private", "is_mpim", "is_group")
    return Info(
        visibility="restricted" if is_closed or external else "open",
        archived=bool(payload.get("is_archived")),
        external=external,
        member=bool(payload.get("is_member", True)),
        creator=text_of(payload, "creator"),
        direct=direct,
    )


def _person(payload: Payload, workspace: Workspace, user: str) -> Person:
    names = (
        text_of(part_of(payload, "profile"), "display_name"),
        text_of(payload, "real_name"),
        text_of(payload, "name"),
    )
    teams = [text_of(payload, "team_id") or workspace.id, *list_of(part_of(payload, "enterprise_user"), "teams")]
    return Person(
        name=next(filter(None, names), user),
        guest=_has_any(payload, "is_restricted", "is_ultra_restricted"),
        manages=_has_any(payload, "is_admin", "is_owner"),
        outside=workspace.id not in teams or bool(payload.get("is_stranger")),
    )


def _has_any(payload: Payload, *names: str) -> bool:
    """Whether one of the fields is set."""
    return any(payload.get(name) for name in names)
