"""Stores one paper with everything it has: files first, then one transaction for all rows and the index.

It stands apart from ``papers`` so that the order which makes a crash harmless can be read in one place.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import aiosqlite

from core.domain.errors import EmbedderMismatch
from core.domain.model import Paper, Passage, Reading
from core.library.database import Database, translated
from core.library.files import Files
from core.library.lexical_rows import Fields, fields_of, insert_rows, rescope
from core.library.rows import (
    figure_row,
    heading_row,
    paper_row,
    passage_row,
    reference_row,
    share_row,
    storable,
)

if TYPE_CHECKING:
    from core.domain.ports import Vectors

INSERT_SHARE = "INSERT OR IGNORE INTO share (paper, channel, message, file_id, user, at) VALUES (?, ?, ?, ?, ?, ?)"
_INSERT_PAPER = (
    "INSERT INTO paper (id, file_name, metadata, year, pages, kind, added_at, warnings, unread) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_INSERT_PASSAGE = (
    "INSERT INTO passage (number, paper, id, ordinal, page, section, kind, text, indexed_text, boxes, label, grid, "
    "next_id, from_ocr) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Prepared:
    fields: tuple[Fields, ...]
    vectors: tuple[bytes, ...]
    dimension: int
    images: tuple[str, ...]


async def add_paper(
    database: Database, files: Files, paper: Paper, reading: Reading, vectors: "Vectors", *, embedder: str, pdf: Path
) -> None:
    """Store the paper, or only its shares where it is known already. Raises ``EmbedderMismatch``."""
    if len(vectors) != len(reading.passages):
        raise ValueError(f"{len(reading.passages)} passages want as many vectors, not {len(vectors)}")

    async def work(connection: aiosqlite.Connection) -> None:
        known = await number_of_paper(connection, paper.id)
        if known is None:
            # The files are made durable inside the transaction: a sweep or a removal cannot come in between.
            await _insert(connection, paper, reading, await asyncio.to_thread(_filed), embedder=embedder)
        else:
            await connection.executemany(INSERT_SHARE, [share_row(known, share) for share in paper.shares])
            await rescope(connection, known)

    def _filed() -> _Prepared:
        files.keep_pdf(paper.id, pdf)
        images = tuple(files.keep_picture(figure.image) for figure in reading.figures)
        return _Prepared(fields=fields, vectors=packed, dimension=int(vectors.shape[1]), images=images)

    with translated():
        fields, packed = await asyncio.to_thread(_packed, paper, reading.passages, vectors)
        await database.change(work)


def _packed(
    paper: Paper, passages: Sequence[Passage], vectors: "Vectors"
) -> tuple[tuple[Fields, ...], tuple[bytes, ...]]:
    """Tokens and half-precision vectors: plain computing, done before the write lock is taken."""
    import numpy as np

    halves = np.ascontiguousarray(vectors, dtype="<f2")
    fields = tuple(fields_of(paper.title, passage) for passage in passages)
    return fields, tuple(row.tobytes() for row in halves)


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
    connection: aiosqlite.Connection, paper: Paper, reading: Reading, prepared: _Prepared, *, embedder: str
) -> None:
    if reading.passages:
        await claim_embedder(connection, embedder, prepared.dimension)
    cursor = await connection.execute(_INSERT_PAPER, paper_row(paper, reading.unread))
    number = int(cursor.lastrowid or 0)
    first = await _next_passage(connection)
    rows = [(first + place, *passage_row(number, passage)) for place, passage in enumerate(reading.passages)]
    await connection.executemany(INSERT_SHARE, [share_row(number, share) for share in paper.shares])
    await connection.executemany(_INSERT_PASSAGE, rows)
    await connection.executemany(
        "INSERT INTO vector (number, data) VALUES (?, ?)",
        [(first + place, data) for place, data in enumerate(prepared.vectors)],
    )
    await _insert_rest(connection, number, reading, prepared.images)
    indexed = [
        (first + place, passage.kind, fields)
        for place, (passage, fields) in enumerate(zip(reading.passages, prepared.fields, strict=True))
    ]
    await insert_rows(connection, number, indexed, [storable(share.channel) for share in paper.shares])


async def _next_passage(connection: aiosqlite.Connection) -> int:
    """The next passage number; SQLite's own counter keeps it above every number ever given."""
    rows = list(await connection.execute_fetchall("SELECT seq FROM sqlite_sequence WHERE name = 'passage'"))
    return int(rows[0][0]) + 1 if rows else 1


async def _insert_rest(connection: aiosqlite.Connection, number: int, reading: Reading, images: Sequence[str]) -> None:
    await connection.executemany(
        "INSERT INTO heading (paper, ordinal, text, page, level) VALUES (?, ?, ?, ?, ?)",
        [heading_row(number, place, heading) for place, heading in enumerate(reading.headings)],
    )
    await connection.executemany(
        "INSERT INTO figure (paper, ordinal, id, page, label, caption, nearby, box, image, description) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            figure_row(number, place, figure, image)
            for place, (figure, image) in enumerate(zip(reading.figures, images, strict=True))
        ],
    )
    await connection.executemany(
        "INSERT INTO reference (paper, ordinal, raw, label, authors, title, year, doi, arxiv_id) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [reference_row(number, entry) for entry in reading.references],
    )
