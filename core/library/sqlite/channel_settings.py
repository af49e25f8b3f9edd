"""What a channel has set for itself, as names and values whose readers know what they mean; how far its digest came."""

from collections.abc import Mapping
from datetime import datetime

import aiosqlite

from core.domain.model import Channel
from core.library.sqlite.database import ChannelStore
from core.library.sqlite.rows import to_storable_row


class ChannelSettings(ChannelStore):
    """Settings by channel; every change moves ``settings_version``, which answers are stored with."""

    async def of(self, channel: Channel) -> Mapping[str, str]:
        """What this channel has set; what it has not set is not there."""
        self._check(channel)
        rows = await self._database.rows(
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


async def _moved(connection: aiosqlite.Connection) -> None:
    await connection.execute(
        "INSERT INTO meta (key, value) VALUES ('settings_version', '1') "
        "ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT)"
    )


class SqliteSubscriptions(ChannelStore):
    """Ends of the periods posted last, by channel and name."""

    async def last(self, channel: Channel, name: str) -> datetime | None:
        """The end of the period that was posted last, None before the first."""
        self._check(channel)
        async with self._database.read() as connection:
            return await _last(connection, channel, name)

    async def reached(self, channel: Channel, name: str, until: datetime) -> None:
        """The period that ends at ``until`` is posted; an earlier end than is known changes nothing."""
        self._check(channel)

        async def work(connection: aiosqlite.Connection) -> None:
            held = await _last(connection, channel, name)
            if held is None or held < until:
                await connection.execute(
                    "INSERT OR REPLACE INTO subscription (channel, name, body, user, at, last_at) "
                    "VALUES (?, ?, '', '', ?, ?)",
                    to_storable_row((channel.id, name, until.isoformat(), until.isoformat())),
                )

        await self._database.write(work)


async def _last(connection: aiosqlite.Connection, channel: Channel, name: str) -> datetime | None:
    rows = await connection.execute_fetchall(
        "SELECT last_at FROM subscription WHERE channel = ? AND name = ? AND last_at IS NOT NULL", (channel.id, name)
    )
    return next((datetime.fromisoformat(row[0]) for row in rows), None)
