"""Opens the library of a workspace: one file, its folder of originals, and everything that stands on them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import aiosqlite

from core.domain.errors import LibraryFailure
from core.domain.model import Forgotten, Workspace
from core.domain.ports import ForgetsPapers
from core.library.files.originals import Files, clear_folder, finish_clearing, workspace_folder
from core.library.files.permissions import make_private_folder, restrict_workspace_folder
from core.library.sqlite.answer_records import SqliteFeedback, SqliteRecords
from core.library.sqlite.channel_settings import ChannelSettings, SqliteSubscriptions
from core.library.sqlite.corrections import SqliteDescriptions
from core.library.sqlite.database import Database, is_writable, translate_errors
from core.library.sqlite.forgetting import Forgetting
from core.library.sqlite.journal_clubs import SqliteJournalClubs
from core.library.sqlite.lexical_index import FtsIndex
from core.library.sqlite.memory import SqliteMemory, SqliteThreads
from core.library.sqlite.model_usage import SqliteSpending
from core.library.sqlite.papers import SqliteLibrary
from core.library.sqlite.recovery import check_not_lost, check_not_new, settle_all
from core.library.sqlite.selection import Selections
from core.library.sqlite.studies import SqliteStudies
from core.library.sqlite.tags import SqliteTags


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLibrary:
    """One open workspace; its parts share the file, so ``close`` closes them all."""

    library: SqliteLibrary
    lexical: FtsIndex
    memory: SqliteMemory
    threads: SqliteThreads
    feedback: SqliteFeedback
    settings: ChannelSettings
    descriptions: SqliteDescriptions
    spending: SqliteSpending
    studies: SqliteStudies
    records: SqliteRecords
    marks: SqliteTags
    clubs: SqliteJournalClubs
    subscriptions: SqliteSubscriptions
    forgetting: Forgetting
    database: Database

    async def replaced(self) -> bool:
        """Whether another process took the library away since it was opened; what is done here is done in vain."""
        return await self.database.replaced()

    async def close(self) -> None:
        """Wait for the running write, then close the file. Closing twice is harmless."""
        await self.library.close()


async def open_library(
    folder: Path,
    workspace: Workspace,
    *,
    others: Sequence[ForgetsPapers] = (),
) -> OpenLibrary:
    """Open or create the library of ``workspace`` under the data folder ``folder``.

    ``others`` are told when papers are forgotten. An adding or forgetting that a crash cut short is finished; where
    the folder may only be read it is not, and whatever would write is refused. Raises ``LibraryFailure``, also where
    originals are stored and the database that knew them is gone.
    """
    home = workspace_folder(folder, workspace)
    files = Files(home)
    writable = await asyncio.to_thread(lambda: is_writable(folder) and is_writable(home))
    with translate_errors():
        if writable:
            await asyncio.to_thread(finish_clearing, home)
        await asyncio.to_thread(check_not_lost, home)
    if writable:
        with translate_errors():
            await asyncio.to_thread(make_private_folder, folder)
            await asyncio.to_thread(restrict_workspace_folder, home)
        database = await Database.open(home / "library.db")
        prepare = _set_right
    else:
        database = await Database.open_to_read(home / "library.db")
        prepare = _as_it_is
    try:
        selections = Selections(database, workspace)
        forgetting = Forgetting(database, files, workspace, others)
        await prepare(database, files, workspace, forgetting)
    except BaseException:
        await database.close()
        raise
    return OpenLibrary(
        library=SqliteLibrary(database, files, selections, forgetting, workspace),
        lexical=FtsIndex(database, selections),
        memory=SqliteMemory(database, workspace),
        threads=SqliteThreads(database, workspace),
        feedback=SqliteFeedback(database, selections),
        settings=ChannelSettings(database, workspace),
        descriptions=SqliteDescriptions(database, selections),
        spending=SqliteSpending(database),
        studies=SqliteStudies(database),
        records=SqliteRecords(database, workspace),
        marks=SqliteTags(database, selections),
        clubs=SqliteJournalClubs(database, selections, workspace),
        subscriptions=SqliteSubscriptions(database, workspace),
        forgetting=forgetting,
        database=database,
    )


async def clear_workspace(folder: Path, workspace: Workspace) -> Forgotten:
    """Delete all of ``workspace``, whose library must be closed, from the data folder ``folder``.

    Raises ``LibraryFailure`` where the disk refuses.
    """
    with translate_errors():
        papers, files = await asyncio.to_thread(clear_folder, workspace_folder(folder, workspace))
    return Forgotten(papers=papers, counts={"papers": len(papers), "files": files} if files else {})


async def _set_right(database: Database, files: Files, workspace: Workspace, forgetting: Forgetting) -> None:
    """What an end without warning may have left undone is done."""
    await database.write(lambda connection: check_not_new(connection, database.path.parent))
    await _claim(database, workspace)
    await database.write(lambda connection: settle_all(connection, files))
    await forgetting.resume()


async def _as_it_is(database: Database, files: Files, workspace: Workspace, forgetting: Forgetting) -> None:
    """Nothing is done; the file is only asked whose it is."""
    async with database.read() as connection:
        _check_owner(await _owner(connection), workspace)


async def _claim(database: Database, workspace: Workspace) -> None:
    """The file knows whose it is, so that a folder moved by hand is not taken for another's."""

    async def work(connection: aiosqlite.Connection) -> str | None:
        owner = await _owner(connection)
        if owner is None:
            await connection.execute("INSERT INTO meta (key, value) VALUES ('workspace', ?)", (workspace.key,))
        return owner

    _check_owner(await database.write(work), workspace)


async def _owner(connection: aiosqlite.Connection) -> str | None:
    """The key of the workspace whose library the file is, or None where it does not say so yet."""
    rows = await connection.execute_fetchall("SELECT value FROM meta WHERE key = 'workspace'")
    return next((str(row[0]) for row in rows), None)


def _check_owner(owner: str | None, workspace: Workspace) -> None:
    if owner not in (None, workspace.key):
        raise LibraryFailure("This library belongs to another workspace; it was not opened.")
