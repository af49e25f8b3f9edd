"""Forgets papers so that their words are gone from the disk, not merely from view.

One transaction removes rows and index entries and blanks the words of paper, turns, answers and feedback in
place (``wording`` says how); then files go, whoever else keeps words is told, and the write-ahead log is folded
in and cut. What is then left of a forgotten passage in FTS5's old segments is numbers whose words no longer
exist; merging the segments clears those too, in slices beside the other work. Notes in the file make every
later step happen even when a crash comes in between.
"""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Sequence

import aiosqlite

from core.domain.model import Forgotten, Workspace
from core.domain.ports import ForgetsPapers
from core.library.files.originals import Files
from core.library.sqlite import text_store
from core.library.sqlite.database import Database
from core.library.sqlite.recovery import drop_forgotten, open_note, strike_note
from core.library.sqlite.removal import RemovedData, remove_from, remove_papers, remove_place

_SLICE = 64
"""Index pages merged in one transaction: a few hundredths of a second."""
_LEAST_BLANK = 8_000_000
_MOST_BLANK = 0.2
"""The file is written anew when blanked words take this many bytes and this share of it."""


class Forgetting:
    """Removes papers and places, and what is left of them, now and after a crash."""

    def __init__(
        self, database: Database, files: Files, workspace: Workspace, others: Sequence[ForgetsPapers] = ()
    ) -> None:
        self._database = database
        self._files = files
        self._workspace = workspace
        self._others = tuple(others)
        self._clearing: asyncio.Task[None] | None = None
        self._more = False

    async def remove(self, paper_ids: Sequence[str]) -> Forgotten:
        """Forget papers wherever they were shared; unknown ids are passed over."""
        gone = await self._database.change(lambda connection: remove_papers(connection, paper_ids))
        counts = gone.counts + await self._finish(gone)
        return Forgotten(papers=tuple(gone.papers), counts=_told(counts))

    async def unshare(self, *, channel: str, message: str, file_id: str = "") -> Forgotten:
        """Take one place away; papers without any place left are forgotten."""
        gone = await self._database.change(
            lambda connection: remove_place(connection, channel=channel, message=message, file_id=file_id)
        )
        counts = gone.counts + await self._finish(gone)
        # The name that the file had in that place must not live on in the write-ahead log.
        await self._database.checkpoint()
        return Forgotten(papers=tuple(gone.papers), counts=_told(counts))

    async def withdraw(self, paper_ids: Sequence[str], channels: frozenset[str]) -> Forgotten:
        """Forget papers as far as ``channels`` go.

        The report holds what these channels saw, the same whether or not a paper lives on in others: it must
        not tell what lies where its reader may not look. So it leaves out what others were told to forget.
        """
        gone, seen = await self._database.change(lambda connection: remove_from(connection, paper_ids, channels))
        await self._finish(gone)
        await self._database.checkpoint()
        return Forgotten(papers=tuple(dict.fromkeys(paper_ids)), counts=_told(seen))

    async def _finish(self, gone: RemovedData) -> Counter[str]:
        """Everything after the commit; counts of what others forgot."""
        if not gone.papers and not gone.left:
            return Counter()
        others = await self._carry_out()
        if gone.papers:
            self._clear()
        return others

    async def _carry_out(self) -> Counter[str]:
        """Delete the files that the note names, tell the others of it, strike it, and cut the log in which it stood."""
        await self._database.write(lambda connection: drop_forgotten(connection, self._files))
        async with self._database.read() as connection:
            note = await open_note(connection)
        forgotten: Counter[str] = Counter()
        for other in self._others:
            if note.papers:
                forgotten.update(
                    await other.forget_papers(self._workspace, frozenset(note.papers), frozenset(note.marks))
                )
            for paper, channels in note.papers_left.items():
                await other.forget_papers(self._workspace, frozenset({paper}), frozenset(), channels=channels)
        await self._database.write(lambda connection: strike_note(connection, note))
        await self._database.checkpoint()
        return forgotten

    async def resume(self) -> None:
        """After opening: finish what a crash or a stop left undone."""
        # Through the writer: a workspace that is only written to need not open a reader.
        found = await self._database.write(
            lambda connection: connection.execute_fetchall(
                "SELECT key FROM meta WHERE key IN ('forgetting', 'clearing', 'vacuum')"
            )
        )
        notes = {row[0] for row in found}
        if "forgetting" in notes:
            await self._carry_out()
        if notes:
            self._clear()

    def _clear(self) -> None:
        self._more = True
        if self._clearing is None or self._clearing.done():
            self._clearing = asyncio.create_task(self._merge())

    async def _merge(self) -> None:
        """Merge the index's segments into one: what was deleted is then in none of them.

        Papers that are forgotten when the merging has ended, but not yet what follows it, are merged as well.
        """
        while self._more:
            self._more = False
            merging = await self._slice(-_SLICE)
            while merging:
                await asyncio.sleep(0)
                merging = await self._slice(_SLICE)
            await self._give_back()
            await self._database.checkpoint()

    async def _give_back(self) -> None:
        """Write the file anew once much of it is blank, or where a crash came before that was done."""
        async with self._database.read() as connection:
            blank = await text_store.blank_bytes(connection)
            due = list(await connection.execute_fetchall("SELECT 1 FROM meta WHERE key = 'vacuum'"))
        if blank > max(_LEAST_BLANK, _MOST_BLANK * await self._database.size()):
            await self._database.write(text_store.drop_blank)
        elif not due:
            return
        await self._database.vacuum()
        await self._database.write(_strike_vacuum)

    async def _slice(self, pages: int) -> bool:
        async def work(connection: aiosqlite.Connection) -> bool:
            before = connection.total_changes
            await connection.execute("INSERT INTO lexical (lexical, rank) VALUES ('merge', ?)", (pages,))
            # FTS5 says that there is no more to merge by changing less than two rows.
            if connection.total_changes - before >= 2:
                return True
            await connection.execute("DELETE FROM meta WHERE key = 'clearing'")
            return False

        return await self._database.write(work)

    async def settled(self) -> None:
        """Wait until nothing of forgotten papers is left, not even numbers. Raises what stopped it."""
        if self._clearing is not None:
            await self._clearing

    async def close(self) -> None:
        """Stop between two slices; the rest is done when the library is opened again."""
        if self._clearing is not None:
            self._clearing.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await self._clearing


async def _strike_vacuum(connection: aiosqlite.Connection) -> None:
    await connection.execute("DELETE FROM meta WHERE key = 'vacuum'")


def _told(counts: Counter[str]) -> dict[str, int]:
    return {kind: count for kind, count in counts.items() if count}
