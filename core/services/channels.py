"""What channels set for themselves, and what becomes of their papers when a channel is gone."""

from collections.abc import Callable
from datetime import datetime

from core.domain.channel_settings import ChannelSettings, check_setting, parse_settings
from core.domain.model import Channel, Forgotten, Scope
from core.services.open_workspaces import OpenWorkspaces


class Channels:
    """Settings of channels; every call names its channel."""

    def __init__(self, workspaces: OpenWorkspaces, *, now: Callable[[], datetime]) -> None:
        self._workspaces = workspaces
        self._now = now

    async def settings(self, channel: Channel) -> ChannelSettings:
        """What a channel has set, the rest as usual."""
        async with self._workspaces.enter(channel.workspace) as opened:
            return parse_settings(await opened.stores.settings.of(channel))

    async def put(self, channel: Channel, name: str, value: str, *, user: str) -> ChannelSettings:
        """Set one value; the settings as they are then. Raises ``SettingsInvalid``."""
        kept = check_setting(name, value)
        if name == "digest" and kept != "off":
            from core.assistant.groups.recurrence import Schedule  # only where a schedule is set

            Schedule(kept, "UTC")
        async with self._workspaces.enter(channel.workspace) as opened:
            await opened.stores.settings.put(channel, name, kept, user=user, at=self._now())
            return parse_settings(await opened.stores.settings.of(channel))

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
