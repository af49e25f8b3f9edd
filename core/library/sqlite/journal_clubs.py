"""Journal clubs: which paper is talked about when, in which thread, and what members want to talk about."""

from collections.abc import Sequence
from datetime import datetime

import aiosqlite

from core.domain.codec import from_json, to_json
from core.domain.errors import NotInScope
from core.domain.groups import Club, ClubQuestion
from core.domain.model import Channel, Scope, Thread, Workspace
from core.library.sqlite import text_store
from core.library.sqlite.database import ChannelStore, Database
from core.library.sqlite.rows import Row, to_storable, to_storable_row
from core.library.sqlite.selection import Selections

_CLUB = (
    "SELECT c.number, c.channel, c.thread, p.id, c.meets_at, c.remind_at, c.user FROM club c "
    "JOIN paper p ON p.number = c.paper"
)


class SqliteJournalClubs(ChannelStore):
    """The journal clubs of one workspace. A forgotten paper's clubs go with it."""

    def __init__(self, database: Database, selections: Selections, workspace: Workspace) -> None:
        super().__init__(database, workspace)
        self._selections = selections

    async def plan(
        self,
        thread: Thread,
        scope: Scope,
        paper_id: str,
        *,
        meets_at: datetime,
        remind_at: datetime,
        user: str,
        at: datetime,
    ) -> Club:
        """Note a meeting in a thread; one that the thread has on this paper is moved. Raises ``NotInScope``."""
        self._check(thread.channel)
        place = (thread.channel.id, thread.id)

        async def work(connection: aiosqlite.Connection) -> int:
            paper = await self._selections.paper(connection, scope, paper_id)
            rows = list(
                await connection.execute_fetchall(
                    "SELECT number FROM club WHERE channel = ? AND thread = ? AND paper = ?", (*place, paper)
                )
            )
            times = (meets_at.isoformat(), remind_at.isoformat())
            if rows:
                await connection.execute(
                    "UPDATE club SET meets_at = ?, remind_at = ?, reminded = 0 WHERE number = ?", (*times, rows[0][0])
                )
                return int(rows[0][0])
            cursor = await connection.execute(
                "INSERT INTO club (channel, thread, paper, meets_at, remind_at, user, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
                to_storable_row((*place, paper, *times, user, at.isoformat())),
            )
            return int(cursor.lastrowid or 0)

        number = await self._database.write(work)
        return Club(number=number, thread=thread, paper_id=paper_id, meets_at=meets_at, remind_at=remind_at, user=user)

    async def coming(self, channel: Channel, *, at: datetime) -> Sequence[Club]:
        """The channel's clubs that meet after ``at``, soonest first."""
        self._check(channel)
        clubs = await self._select("WHERE c.channel = ?", (channel.id,))
        return sorted((club for club in clubs if club.meets_at > at), key=lambda club: club.meets_at)

    async def of_thread(self, thread: Thread) -> Sequence[Club]:
        """The clubs that are prepared in a thread, the latest first."""
        self._check(thread.channel)
        clubs = await self._select("WHERE c.channel = ? AND c.thread = ?", (thread.channel.id, thread.id))
        return sorted(clubs, key=lambda club: club.meets_at, reverse=True)

    async def club(self, channel: Channel, number: int) -> Club:
        """One club of a channel. Raises ``NotInScope`` where there is none (any more)."""
        self._check(channel)
        clubs = await self._select("WHERE c.channel = ? AND c.number = ?", (channel.id, number))
        if not clubs:
            raise NotInScope("There is no such meeting here any more.")
        return clubs[0]

    async def waiting(self) -> Sequence[Club]:
        """Clubs of the whole workspace whose reminder has not been given, for the clock alone."""
        return await self._select("WHERE c.reminded = 0", ())

    async def reminded(self, number: int) -> None:
        """The reminder was given."""
        await self._database.execute("UPDATE club SET reminded = 1 WHERE number = ?", (number,))

    async def cancel(self, number: int) -> None:
        """Take a meeting away, and what members wanted to talk about."""

        async def work(connection: aiosqlite.Connection) -> None:
            rows = await connection.execute_fetchall("SELECT wording FROM club_question WHERE club = ?", (number,))
            await text_store.blank(connection, [row[0] for row in rows])
            await connection.execute("DELETE FROM club WHERE number = ?", (number,))

        await self._database.write(work)

    async def add_question(self, club: int, question: str, *, user: str, at: datetime) -> None:
        """Keep what a member wants to talk about. Raises ``NotInScope`` where the club is gone."""

        async def work(connection: aiosqlite.Connection) -> None:
            if not list(await connection.execute_fetchall("SELECT 1 FROM club WHERE number = ?", (club,))):
                raise NotInScope("There is no such meeting here any more.")
            body = await text_store.append_one(connection, to_json(to_storable(question)))
            await connection.execute(
                "INSERT INTO club_question (club, user, at, wording) VALUES (?, ?, ?, ?)",
                to_storable_row((club, user, at.isoformat(), body)),
            )

        await self._database.write(work)

    async def questions(self, club: int) -> Sequence[ClubQuestion]:
        """What members want to talk about, in the order in which they said so."""
        async with self._database.read() as connection:
            rows = list(
                await connection.execute_fetchall(
                    "SELECT user, wording FROM club_question WHERE club = ? ORDER BY number", (club,)
                )
            )
            bodies = await text_store.read(connection, [row[1] for row in rows])
        return [ClubQuestion(user=user, text=from_json(str, bodies[body])) for user, body in rows if body in bodies]

    async def _select(self, where: str, asked: Sequence[object]) -> list[Club]:
        rows = await self._database.rows(f"{_CLUB} {where} ORDER BY c.number", asked)
        return [self._club(row) for row in rows]

    def _club(self, row: Row) -> Club:
        number, channel, thread, paper, meets_at, remind_at, user = row
        return Club(
            number=number,
            thread=Thread(channel=Channel(workspace=self._workspace, id=channel), id=thread),
            paper_id=paper,
            meets_at=datetime.fromisoformat(meets_at),
            remind_at=datetime.fromisoformat(remind_at),
            user=user,
        )
