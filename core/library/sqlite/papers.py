"""The library of one workspace over SQLite: papers, passages, figures and vectors, every read in a scope."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import aiosqlite

from core.domain.codec import from_json, many_from_json
from core.domain.errors import NotInScope
from core.domain.model import (
    Figure,
    Forgotten,
    Heading,
    Metadata,
    Paper,
    Passage,
    Reading,
    Reference,
    Relation,
    Scope,
    Share,
    Workspace,
)
from core.domain.ports import Filters, InContext, Searched
from core.library.files.originals import Files
from core.library.sqlite import paper_listing, rows
from core.library.sqlite.adding import add_paper, name_embedder, number_of_paper
from core.library.sqlite.corrections import correct_paper
from core.library.sqlite.database import Database, translate_errors
from core.library.sqlite.forgetting import Forgetting
from core.library.sqlite.lexical_rows import rescope
from core.library.sqlite.paper_listing import add_shares
from core.library.sqlite.selection import Selections

if TYPE_CHECKING:
    from core.domain.ports import Numbers, Vector, Vectors

Value = TypeVar("Value")
_ALL = Filters()
_BLOCK = 4_096
_SEARCHED = f"""
    SELECT {rows.SEARCHED}, q.number, q.id FROM passage p JOIN wording w ON w.number = p.wording
    JOIN paper q ON q.number = p.paper WHERE p.number IN (SELECT value FROM json_each(?))
"""
_PASSAGES = f"""
    SELECT {rows.PASSAGE}, q.number, q.id FROM passage p JOIN wording w ON w.number = p.wording
    JOIN paper q ON q.number = p.paper WHERE p.number IN (SELECT value FROM json_each(?))
"""
_IN_CONTEXT = f"""
    SELECT {rows.PASSAGE}, c.number, q.number, q.id FROM json_each(?) asked JOIN passage c ON c.number = asked.value
    JOIN passage p ON p.paper = c.paper AND p.ordinal BETWEEN c.ordinal - ? AND c.ordinal + ?
    JOIN wording w ON w.number = p.wording JOIN paper q ON q.number = p.paper ORDER BY c.number, p.ordinal
"""
_SELECT_PASSAGE = f"SELECT {rows.PASSAGE} FROM passage p JOIN wording w ON w.number = p.wording"


class SqliteLibrary:
    """The truth of one workspace. Opened by ``open_library``, never alone."""

    def __init__(
        self, database: Database, files: Files, selections: Selections, forgetting: Forgetting, workspace: Workspace
    ) -> None:
        self._database = database
        self._files = files
        self._selections = selections
        self._forgetting = forgetting
        self._workspace = workspace

    @property
    def workspace(self) -> Workspace:
        """Whose library this is."""
        return self._workspace

    @property
    def version(self) -> int:
        """Grows with every change of papers, passages, shares or corrections."""
        return self._database.version

    # Changes

    async def add(self, paper: Paper, reading: Reading, vectors: "Vectors", *, embedder: str, pdf: Path) -> None:
        """Store a paper, all or nothing; a paper that is known only gains the shares. Raises ``EmbedderMismatch``."""
        await add_paper(self._database, self._files, paper, reading, vectors, embedder=embedder, pdf=pdf)

    async def replace_vectors(self, embedder: str, vectors: "Mapping[int, Vector]") -> None:
        """Store new vectors for all passages in one transaction. Raises ``ValueError`` where one is missing."""
        import numpy as np

        packed = [(np.asarray(vector, dtype="<f2").tobytes(), number) for number, vector in sorted(vectors.items())]
        dimension = len(next(iter(vectors.values()))) if vectors else 0

        async def work(connection: aiosqlite.Connection) -> None:
            held = await connection.execute_fetchall("SELECT number FROM passage")
            if {row[0] for row in held} != set(vectors):
                raise ValueError("Every passage wants a new vector, and no other number may have one.")
            await connection.executemany("INSERT OR REPLACE INTO vector (data, number) VALUES (?, ?)", packed)
            await name_embedder(connection, embedder, dimension)

        await self._database.change(work)

    async def share(self, share: Share) -> None:
        """Add a place to a known paper. Raises ``NotInScope`` for an unknown one."""

        async def work(connection: aiosqlite.Connection) -> None:
            number = await _must_be_known(connection, share.paper_id)
            await add_shares(connection, number, [share])
            await rescope(connection, number)

        await self._database.change(work)

    async def unshare(self, *, channel: str, message: str, file_id: str = "") -> Forgotten:
        """Take one place away; without ``file_id`` all files of the message. The last share forgets the paper."""
        return await self._forgetting.unshare(channel=channel, message=message, file_id=file_id)

    async def remove(self, paper_ids: Sequence[str]) -> Forgotten:
        """Forget papers with everything that came from them; unknown ids are passed over."""
        return await self._forgetting.remove(paper_ids)

    async def withdraw(self, scope: Scope, paper_ids: Sequence[str]) -> Forgotten:
        """Forget papers as far as ``scope`` reaches; one that was shared nowhere else is forgotten whole.

        The report is the same in both cases. Raises ``NotInScope`` for a paper that the scope does not hold.
        """
        async with self._database.read() as connection:
            for paper_id in paper_ids:
                await self._selections.paper(connection, scope, paper_id)
        return await self._forgetting.withdraw(paper_ids, scope.channels)

    async def relate(self, paper_id: str, relation: Relation) -> None:
        """Note how another paper relates to this one. Raises ``NotInScope`` where either is unknown."""

        async def work(connection: aiosqlite.Connection) -> None:
            number = await _must_be_known(connection, paper_id)
            other = await _must_be_known(connection, relation.paper_id)
            await connection.execute(
                "INSERT OR IGNORE INTO relation (paper, other, kind) VALUES (?, ?, ?)", (number, other, relation.kind)
            )

        await self._database.change(work)

    async def correct(self, paper_id: str, metadata: Metadata, *, user: str) -> None:
        """A user's correction; what was read from the page is kept beside it. Raises ``NotInScope``."""
        await correct_paper(self._database, paper_id, metadata, user=user, at=datetime.now(UTC))

    # Reads

    async def known(self, paper_id: str) -> Paper | None:
        """Whether these bytes are in the workspace at all, with all shares. For the ingest use case only."""
        async with self._database.read() as connection:
            number = await number_of_paper(connection, paper_id)
            found = [] if number is None else await paper_listing.load_papers(connection, [number], channels=None)
        return found[0] if found else None

    async def papers(self, scope: Scope, *, filters: Filters = _ALL) -> Sequence[Paper]:
        """Papers in scope, oldest first; of their shares and relations only those that lie in scope too."""
        async with self._database.read() as connection:
            selection = await self._selections.papers(connection, scope, filters)
            numbers: Sequence[int] = selection.papers
            if filters.kinds or filters.section:
                passages = await self._selections.numbers(connection, scope, filters)
                numbers = await paper_listing.paper_numbers_of(connection, passages)
            seen = await self._selections.papers(connection, Scope(workspace=self._workspace, channels=scope.channels))
            return await paper_listing.load_papers(connection, numbers, channels=scope.channels, related=seen.papers)

    async def numbers(self, scope: Scope, *, filters: Filters = _ALL) -> "Numbers":
        """Sorted numbers of all passages in scope; read-only, kept until the library changes."""
        async with self._database.read() as connection:
            return await self._selections.numbers(connection, scope, filters)

    async def passages(self, scope: Scope, numbers: Sequence[int]) -> Sequence[Passage]:
        """Passages by number, in the order given; numbers out of scope are left out."""
        found = await self._shaped(scope, _PASSAGES, rows.passage_from_row, numbers)
        return [found[number] for number in map(int, numbers) if number in found]

    async def paper_passages(self, scope: Scope, paper_id: str) -> Sequence[Passage]:
        """All passages of a paper in reading order. Raises ``NotInScope``."""
        return await self._of_paper(
            scope,
            paper_id,
            f"{_SELECT_PASSAGE} WHERE p.paper = ? ORDER BY p.ordinal",
            rows.passage_from_row,
        )

    async def searched(self, scope: Scope, numbers: Sequence[int]) -> Mapping[int, Searched]:
        """What is scored of passages, by number; numbers out of scope are left out."""
        return await self._shaped(scope, _SEARCHED, rows.searched_from_row, numbers)

    async def in_context(self, scope: Scope, numbers: Sequence[int], *, reach: int) -> Mapping[int, InContext]:
        """Passages with those of their section up to ``reach`` places before and behind; one read for all."""
        asked = json.dumps([int(number) for number in numbers])
        async with self._database.read() as connection:
            selection = await self._selections.papers(connection, scope)
            found = await connection.execute_fetchall(_IN_CONTEXT, (asked, reach, reach))
        held = frozenset(selection.papers)
        return rows.contexts_from_rows(row for row in found if row[-2] in held)

    async def headings(self, scope: Scope, paper_id: str) -> Sequence[Heading]:
        """Headings of a paper in order. Raises ``NotInScope``."""
        return await self._list_of(scope, paper_id, Heading, "headings")

    async def references(self, scope: Scope, paper_id: str) -> Sequence[Reference]:
        """Reference list of a paper. Raises ``NotInScope``."""
        return await self._list_of(scope, paper_id, Reference, '"references"')

    async def figures(self, scope: Scope, paper_id: str) -> Sequence[Figure]:
        """Figures of a paper with their pictures. Raises ``NotInScope``."""
        query = (
            "SELECT f.image, w.body FROM figure f JOIN wording w ON w.number = f.wording "
            "WHERE f.paper = ? ORDER BY f.number"
        )
        found = await self._of_paper(scope, paper_id, query, lambda row, _: row)
        with translate_errors():
            pictures = await asyncio.to_thread(lambda: [self._files.picture(row[0]) for row in found])
        return [replace(from_json(Figure, row[1]), image=image) for row, image in zip(found, pictures, strict=True)]

    async def pdf(self, scope: Scope, paper_id: str) -> Path:
        """Where the original lies. Raises ``NotInScope``."""
        async with self._database.read() as connection:
            await self._selections.paper(connection, scope, paper_id)
        return self._files.pdf(paper_id)

    async def vectors(self, *, after: int = 0) -> "AsyncIterator[tuple[Numbers, Vectors]]":
        """All vectors beyond ``after`` in blocks of some thousand, by number; each block is a read of its own."""
        import numpy as np

        while True:
            block = await self._database.rows(
                "SELECT number, data FROM vector WHERE number > ? ORDER BY number LIMIT ?", (after, _BLOCK)
            )
            if not block:
                return
            after = block[-1][0]
            numbers = np.fromiter((row[0] for row in block), dtype=np.int64, count=len(block))
            halves = np.frombuffer(b"".join(row[1] for row in block), dtype="<f2")
            yield numbers, halves.reshape(len(block), -1).astype(np.float32)

    async def indexed_texts(self) -> "tuple[Numbers, list[str]]":
        """Numbers and searched texts of all passages of the workspace, for embedding them anew."""
        import numpy as np

        found = await self._database.rows(f"{_SELECT_PASSAGE} ORDER BY p.number")
        texts = await asyncio.to_thread(lambda: [rows.passage_from_row(row, "").indexed_text for row in found])
        return np.array([row[0] for row in found], dtype=np.int64), texts

    async def vector_numbers(self) -> "Numbers":
        """Sorted numbers of all vectors of the workspace."""
        import numpy as np

        found = await self._database.rows("SELECT number FROM vector ORDER BY number")
        return np.fromiter((row[0] for row in found), dtype=np.int64)

    async def embedder(self) -> str:
        """Identity of the embedder that made the vectors, or empty while there are none."""
        found = await self._database.rows(
            "SELECT value FROM meta WHERE key = 'embedder' AND EXISTS (SELECT 1 FROM vector)"
        )
        return next((row[0] for row in found), "")

    async def close(self) -> None:
        """Close the file; nothing else of this workspace can be read afterwards."""
        await self._forgetting.close()
        await self._database.close()

    async def _shaped(
        self, scope: Scope, query: str, shaped: Callable[[rows.Row, str], Value], numbers: Sequence[int]
    ) -> dict[int, Value]:
        async with self._database.read() as connection:
            selection = await self._selections.papers(connection, scope)
            found = await connection.execute_fetchall(query, (json.dumps([int(number) for number in numbers]),))
        held = frozenset(selection.papers)
        return {row[0]: shaped(row, row[-1]) for row in found if row[-2] in held}

    async def _list_of(self, scope: Scope, paper_id: str, kind: type[Value], column: str) -> Sequence[Value]:
        query = f"SELECT w.body FROM paper p JOIN wording w ON w.number = p.{column} WHERE p.number = ?"
        (found,) = await self._of_paper(scope, paper_id, query, lambda row, _: many_from_json(kind, row[0]))
        return found

    async def _of_paper(
        self, scope: Scope, paper_id: str, query: str, shaped: Callable[[rows.Row, str], Value]
    ) -> list[Value]:
        async with self._database.read() as connection:
            number = await self._selections.paper(connection, scope, paper_id)
            found = await connection.execute_fetchall(query, (number,))
        return await asyncio.to_thread(lambda: [shaped(row, paper_id) for row in found])


async def _must_be_known(connection: aiosqlite.Connection, paper_id: str) -> int:
    number = await number_of_paper(connection, paper_id)
    if number is None:
        raise NotInScope("There is no such paper here.")
    return number
