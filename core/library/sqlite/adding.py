"""Stores one paper with everything it has: files first, then one transaction for all rows and the index.

It stands apart from ``papers`` so that the order which makes a crash harmless can be read in one place.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import aiosqlite

from core.domain.codec import to_json
from core.domain.errors import EmbedderMismatch, LibraryFailure
from core.domain.model import Paper, Reading, Share
from core.library.files.originals import Files, picture_name
from core.library.sqlite import text_store
from core.library.sqlite.database import Database, translate_errors
from core.library.sqlite.lexical_rows import Fields, fields_of, insert_rows, rescope
from core.library.sqlite.paper_listing import add_shares
from core.library.sqlite.recovery import settle
from core.library.sqlite.rows import PaperWords, figure_body, passage_body, passage_row, to_storable

if TYPE_CHECKING:
    from core.domain.ports import Vectors

_INSERT_PAPER = (
    'INSERT INTO paper (id, year, pages, kind, wording, headings, "references") VALUES (?, ?, ?, ?, ?, ?, ?)'
)
_INSERT_PASSAGE = (
    "INSERT INTO passage (number, paper, wording, id, ordinal, page, kind, boxes, next_id, from_ocr) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Packed:
    """A paper as it will be stored: plain computing, done before the write lock is taken."""

    heads: tuple[str, str, str]
    bodies: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    fields: tuple[Fields, ...]
    vectors: tuple[bytes, ...]
    dimension: int
    images: frozenset[str]


async def add_paper(
    database: Database, files: Files, paper: Paper, reading: Reading, vectors: "Vectors", *, embedder: str, pdf: Path
) -> None:
    """Store the paper, or only its shares where it is known already. Raises ``EmbedderMismatch``."""
    if len(vectors) != len(reading.passages):
        raise ValueError(f"{len(reading.passages)} passages want as many vectors, not {len(vectors)}")

    async def work(connection: aiosqlite.Connection) -> None:
        known = await number_of_paper(connection, paper.id)
        if known is None:
            if reading.passages:
                await claim_embedder(connection, embedder, packed.dimension)
            # The files are made durable inside the transaction: no settling or removal can come in between.
            images = await asyncio.to_thread(_file, files, paper, reading, pdf)
            await _insert(connection, paper, reading, packed, images)
        else:
            await add_shares(connection, known, _shares(paper))
            await rescope(connection, known)

    with translate_errors():
        packed = await asyncio.to_thread(_pack, paper, reading, vectors)
        try:
            await database.change(work)
        finally:
            # Where this fails the next opening does it; until then a file is read where it waits.
            with suppress(LibraryFailure):
                await database.write(lambda connection: settle(connection, files, {paper.id}, packed.images))


def _file(files: Files, paper: Paper, reading: Reading, pdf: Path) -> list[str]:
    """Keep original and pictures; returns the pictures' names."""
    files.keep_pdf(paper.id, pdf)
    return [files.keep_picture(figure.image) for figure in reading.figures]


def _pack(paper: Paper, reading: Reading, vectors: "Vectors") -> _Packed:
    import numpy as np

    halves = np.ascontiguousarray(vectors, dtype="<f2")
    words = PaperWords(
        metadata=paper.metadata, warnings=paper.warnings, unread=reading.unread, page_labels=paper.page_labels
    )
    return _Packed(
        heads=(to_json(words), to_json(reading.headings), to_json(reading.references)),
        bodies=tuple(passage_body(passage) for passage in reading.passages),
        rows=tuple(passage_row(passage) for passage in reading.passages),
        fields=tuple(fields_of(paper.metadata.title, passage) for passage in reading.passages),
        vectors=tuple(row.tobytes() for row in halves),
        dimension=int(halves.shape[1]) if halves.ndim == 2 else 0,
        images=frozenset(picture_name(figure.image) for figure in reading.figures if figure.image),
    )


def _shares(paper: Paper) -> list[Share]:
    """The paper's places, each with its own name and time, or those of the paper where it has none yet."""
    return [
        replace(share, file_name=share.file_name or paper.file_name, added_at=share.added_at or paper.added_at)
        for share in paper.shares
    ]


async def number_of_paper(connection: aiosqlite.Connection, paper_id: str) -> int | None:
    """Row number of a paper, wherever it was shared."""
    rows = list(await connection.execute_fetchall("SELECT number FROM paper WHERE id = ?", (paper_id,)))
    return rows[0][0] if rows else None


async def claim_embedder(connection: aiosqlite.Connection, embedder: str, dimension: int) -> None:
    """Note who made the vectors; refuse another while there are any. Raises ``EmbedderMismatch``."""
    rows = await connection.execute_fetchall(
        "SELECT key, value FROM meta WHERE key IN ('embedder', 'dimension') AND EXISTS (SELECT 1 FROM vector)"
    )
    held = {row[0]: row[1] for row in rows}
    if held and held != {"embedder": embedder, "dimension": str(dimension)}:
        raise EmbedderMismatch(
            f"The library's vectors were made by {held.get('embedder')}, the bot now uses {embedder}. "
            "Run `footnote reindex` to make them anew, or set the embedder back."
        )
    await name_embedder(connection, embedder, dimension)


async def name_embedder(connection: aiosqlite.Connection, embedder: str, dimension: int) -> None:
    """Note who made the vectors and how long they are."""
    await connection.executemany(
        "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)",
        [("embedder", embedder), ("dimension", str(dimension))],
    )


async def _insert(
    connection: aiosqlite.Connection, paper: Paper, reading: Reading, packed: _Packed, images: list[str]
) -> None:
    heads = await text_store.append(connection, packed.heads)
    row = (paper.id, paper.metadata.year, paper.pages, paper.kind, *heads)
    number = int((await connection.execute(_INSERT_PAPER, row)).lastrowid or 0)
    await connection.execute("DELETE FROM forgotten WHERE paper_id = ?", (paper.id,))
    await add_shares(connection, number, _shares(paper))
    bodies = await text_store.append(connection, packed.bodies)
    first = await _next_passage(connection)
    numbers = range(first, first + len(bodies))
    await connection.executemany(
        _INSERT_PASSAGE,
        [(own, number, body, *rest) for own, body, rest in zip(numbers, bodies, packed.rows, strict=True)],
    )
    await connection.executemany(
        "INSERT INTO vector (number, data) VALUES (?, ?)", list(zip(numbers, packed.vectors, strict=True))
    )
    await _insert_figures(connection, number, reading, images)
    kinds = [passage.kind for passage in reading.passages]
    indexed = list(zip(numbers, kinds, packed.fields, strict=True))
    await insert_rows(connection, number, indexed, [to_storable(share.channel) for share in paper.shares])


async def _next_passage(connection: aiosqlite.Connection) -> int:
    """The next passage number; SQLite's own counter keeps it above every number ever given."""
    rows = list(await connection.execute_fetchall("SELECT seq FROM sqlite_sequence WHERE name = 'passage'"))
    return int(rows[0][0]) + 1 if rows else 1


async def _insert_figures(connection: aiosqlite.Connection, number: int, reading: Reading, images: list[str]) -> None:
    bodies = await text_store.append(connection, [figure_body(figure) for figure in reading.figures])
    await connection.executemany(
        "INSERT INTO figure (paper, id, image, wording) VALUES (?, ?, ?, ?)",
        [
            (number, to_storable(figure.id), image, body)
            for figure, image, body in zip(reading.figures, images, bodies, strict=True)
        ],
    )
