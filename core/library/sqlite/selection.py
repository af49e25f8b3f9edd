"""Which papers and passages a scope and its filters hold: the one place where access is decided.

Every read of the library goes through here, so a new read cannot forget the scope.
"""

import asyncio
import json
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import aiosqlite

from core.domain.codec import from_json
from core.domain.errors import NotInScope
from core.domain.model import Scope, Workspace
from core.domain.ports import Filters
from core.library.sqlite import text_store
from core.library.sqlite.database import Database
from core.library.sqlite.lexical_rows import number_token
from core.library.sqlite.rows import PaperWords
from core.text import hash_words, index_tokens

if TYPE_CHECKING:
    from core.domain.ports import Numbers

_ALL = Filters()
CACHED_SELECTIONS = 256
"""How many selections are kept; small ones would never reach the bound on numbers."""
CACHED_NUMBERS = 4_000_000
"""How many passage numbers all cached selections may hold together (8 bytes each)."""

_PAPERS = """
    SELECT p.number, p.wording FROM paper p
    WHERE EXISTS (
        SELECT 1 FROM share s WHERE s.paper = p.number AND s.channel IN (SELECT value FROM json_each(:channels))
    )
    AND (:papers IS NULL OR p.id IN (SELECT value FROM json_each(:papers)))
    AND (:since IS NULL OR p.year >= :since) AND (:until IS NULL OR p.year <= :until)
    ORDER BY p.number
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Papers by row number; ``whole`` where nothing of the library lies outside."""

    papers: tuple[int, ...]
    whole: bool


class Selections:
    """Answers what a scope holds, and remembers the answers until the library changes."""

    def __init__(self, database: Database, workspace: Workspace) -> None:
        self._database = database
        self._workspace = workspace
        self._numbers: OrderedDict[tuple[Scope, Filters], Numbers] = OrderedDict()
        self._selections: OrderedDict[tuple[Scope, Filters], Selection] = OrderedDict()
        self._held = 0
        self._version = -1

    def check(self, scope: Scope) -> None:
        """Raise ``NotInScope`` for a scope of another workspace."""
        if scope.workspace != self._workspace:
            raise NotInScope("That is not part of this workspace.")

    async def papers(self, connection: aiosqlite.Connection, scope: Scope, filters: Filters = _ALL) -> Selection:
        """Papers in scope that pass years and author; kind and section are a matter of passages."""
        self.check(scope)
        self._refresh()
        key = (scope, Filters(since=filters.since, until=filters.until, author=filters.author))
        if key in self._selections:
            self._selections.move_to_end(key)
            return self._selections[key]
        selection = await _select_papers(connection, scope, filters)
        if await self._present(connection):
            self._selections[key] = selection
            if len(self._selections) > CACHED_SELECTIONS:
                self._selections.popitem(last=False)
        return selection

    async def paper(self, connection: aiosqlite.Connection, scope: Scope, paper_id: str) -> int:
        """Row number of one paper. Raises ``NotInScope``, in the same words whether it exists elsewhere or not."""
        selection = await self.papers(connection, scope.within(frozenset({paper_id})))
        if not selection.papers:
            raise NotInScope("There is no such paper here.")
        return selection.papers[0]

    async def numbers(self, connection: aiosqlite.Connection, scope: Scope, filters: Filters) -> "Numbers":
        """Sorted numbers of all passages in scope that pass the filters; not to be written to."""
        self.check(scope)
        self._refresh()
        key = (scope, filters)
        if key in self._numbers:
            self._numbers.move_to_end(key)
            return self._numbers[key]
        selection = await self.papers(connection, scope, filters)
        numbers = await _select_numbers(connection, selection, filters)
        numbers.flags.writeable = False
        if await self._present(connection):
            self._keep(key, numbers)
        return numbers

    async def _present(self, connection: aiosqlite.Connection) -> bool:
        """Whether what ``connection`` sees is what the remembered answers are of.

        Its view was fixed when its read began; a paper may have been shared or withdrawn since.
        """
        return await self._database.version_seen(connection) == self._version

    def _keep(self, key: tuple[Scope, Filters], numbers: "Numbers") -> None:
        self._held += numbers.size - (self._numbers[key].size if key in self._numbers else 0)
        self._numbers[key] = numbers
        while len(self._numbers) > CACHED_SELECTIONS or (self._held > CACHED_NUMBERS and len(self._numbers) > 1):
            self._held -= self._numbers.popitem(last=False)[1].size

    def _refresh(self) -> None:
        if self._version != self._database.version:
            self._version = self._database.version
            self._numbers.clear()
            self._selections.clear()
            self._held = 0


async def _select_papers(connection: aiosqlite.Connection, scope: Scope, filters: Filters) -> Selection:
    asked = {
        "channels": json.dumps(sorted(scope.channels)),
        "papers": None if scope.papers is None else json.dumps(sorted(scope.papers)),
        "since": filters.since,
        "until": filters.until,
    }
    rows = list(await connection.execute_fetchall(_PAPERS, asked))
    total = next(iter(await connection.execute_fetchall("SELECT count(*) FROM paper")))[0]
    if filters.author:
        words = set(index_tokens(filters.author))
        bodies = await text_store.read(connection, [row[1] for row in rows])
        rows = [row for row in rows if _written_by(words, bodies[row[1]])]
    return Selection(papers=tuple(row[0] for row in rows), whole=len(rows) == total)


def _written_by(words: set[str], body: str) -> bool:
    return any(words <= set(index_tokens(author)) for author in from_json(PaperWords, body).metadata.authors)


async def _select_numbers(connection: aiosqlite.Connection, selection: Selection, filters: Filters) -> "Numbers":
    import numpy as np

    query = "SELECT number FROM passage WHERE paper IN (SELECT value FROM json_each(?))"
    asked = [json.dumps(selection.papers)]
    if filters.kinds:
        query += " AND kind IN (SELECT value FROM json_each(?))"
        asked.append(json.dumps(sorted(filters.kinds)))
    rows = await connection.execute_fetchall(query + " ORDER BY number", asked)
    numbers = await asyncio.to_thread(lambda: np.fromiter((row[0] for row in rows), dtype=np.int64))
    return await _in_section(connection, numbers, filters.section) if filters.section else numbers


async def _in_section(connection: aiosqlite.Connection, numbers: "Numbers", section: str) -> "Numbers":
    """Those passages whose section path holds every word of ``section``; the index has it as word numbers."""
    import numpy as np

    hashes = hash_words(section)
    words = await connection.execute_fetchall(
        "SELECT id FROM word WHERE hash IN (SELECT value FROM json_each(?))", (json.dumps(sorted(hashes)),)
    )
    wanted = {number_token(row[0]) for row in words}
    if len(wanted) < len(hashes):
        return np.empty(0, dtype=np.int64)
    rows = await connection.execute_fetchall(
        "SELECT number, section FROM lexical_row WHERE number IN (SELECT value FROM json_each(?)) ORDER BY number",
        (json.dumps(numbers.tolist()),),
    )
    return np.array([number for number, path in rows if wanted <= set(path.split())], dtype=np.int64)
