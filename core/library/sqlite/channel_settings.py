"""What a channel has set for itself: names and values as text; their meaning is known to those who read them."""

from collections.abc import Mapping
from datetime import datetime

import aiosqlite

from core.domain.errors import NotInScope
from core.domain.model import Channel, Workspace
from core.library.sqlite.database import Database
from core.library.sqlite.rows import to_storable_row


class ChannelSettings:
    """Settings by channel; every change moves ``settings_version``, which answers are stored with."""

    def __init__(self, database: Database, workspace: Workspace) -> None:
        self._database = database
        self._workspace = workspace

    async def of(self, channel: Channel) -> Mapping[str, str]:
        """What this channel has set; what it has not set is not there."""
        self._check(channel)
        async with self._database.read() as connection:
            rows = await connection.execute_fetchall(
                "SELECT name, value FROM setting WHERE channel = ? ORDER BY name", (channel.id,)
            )
        return {row[0]: row[1] for row in rows}

    async def put(self, channel: Channel, name: str, value: str, *, user: str, at: datetime) -> None:
        """Set one value; who and when are kept."""
        self._check(channel)

        async def work(connection: aiosqlite.Connection) -> None:
            await connection.execute(
                "INSERT OR REPLACE INTO setting (channel, name, value, user, at) VALUES (?, ?, ?, ?, ?)",
                to_storable_row((channel.id, name, value, user, at.isoformat())),
            )
            await _moved(connection)

        await self._database.write(work)

    async def drop(self, channel: Channel, name: str) -> bool:
        """Go back to the default; False where nothing was set."""
        self._check(channel)

        async def work(connection: aiosqlite.Connection) -> bool:
            cursor = await connection.execute("DELETE FROM setting WHERE channel = ? AND name = ?", (channel.id, name))
            await _moved(connection)
            return cursor.rowcount > 0

        return await self._database.write(work)

    def _check(self, channel: Channel) -> None:
        if channel.workspace != self._workspace:
            raise NotInScope("That is not part of this workspace.")


async def _moved(connection: aiosqlite.Connection) -> None:
    await connection.execute(
        "INSERT INTO meta (key, value) VALUES ('settings_version', '1') "
        "ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT)"
    )
