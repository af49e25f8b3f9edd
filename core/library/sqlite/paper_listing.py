"""Papers as values, cut to what a reader may see of them, and the shares by which they are in channels.

Shares are written and removed inside somebody else's transaction; each owns words (what its file is called), which go
with it.
"""

import asyncio
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import aiosqlite

from core.domain.codec import to_json
from core.domain.model import Paper, Relation, Share
from core.library.sqlite import rows, text_store
from core.library.sqlite.rows import share_row

if TYPE_CHECKING:
    from core.domain.ports import Numbers


async def paper_numbers_of(connection: aiosqlite.Connection, passages: "Numbers") -> list[int]:
    """Row numbers of the papers that passages belong to."""
    found = await connection.execute_fetchall(
        "SELECT DISTINCT paper FROM passage WHERE number IN (SELECT value FROM json_each(?)) ORDER BY paper",
        (json.dumps(passages.tolist()),),
    )
    return [row[0] for row in found]


async def load_papers(
    connection: aiosqlite.Connection,
    numbers: Sequence[int],
    *,
    channels: frozenset[str] | None,
    related: Sequence[int] = (),
) -> list[Paper]:
    """Papers by row number with the shares in ``channels`` (None: all) and the relations to ``related``.

    Each is known by the name and time of the first of those shares, and they come in the order of those times: what
    lies in other channels shows neither in a name nor in an order. A paper without such a share is left out.
    """
    asked = (json.dumps(list(numbers)),)
    among = "IN (SELECT value FROM json_each(?))"
    found = await connection.execute_fetchall(
        "SELECT p.number, p.id, p.pages, p.kind, w.body FROM paper p "
        f"JOIN wording w ON w.number = p.wording WHERE p.number {among} ORDER BY p.number",
        asked,
    )
    shares = await connection.execute_fetchall(
        "SELECT s.paper, s.channel, s.message, s.file_id, s.user, s.at, s.added_at, w.body FROM share s "
        f"JOIN wording w ON w.number = s.wording WHERE s.paper {among} ORDER BY s.at, s.message",
        asked,
    )
    relations = await connection.execute_fetchall(
        "SELECT r.paper, r.kind, r.other, p.id FROM relation r JOIN paper p ON p.number = r.other "
        f"WHERE r.paper {among}",
        asked,
    )
    visible = None if channels is None else frozenset(related)
    return await asyncio.to_thread(_together, list(found), list(shares), list(relations), channels, visible)


def _together(
    papers: Sequence[rows.Row],
    shares: Sequence[rows.Row],
    relations: Sequence[rows.Row],
    channels: frozenset[str] | None,
    visible: frozenset[int] | None,
) -> list[Paper]:
    own: dict[int, list[rows.Row]] = {}
    for share in shares:
        if channels is None or share[1] in channels:
            own.setdefault(share[0], []).append(share[1:])
    links: dict[int, list[Relation]] = {}
    for paper, kind, other, other_id in relations:
        if visible is None or other in visible:
            links.setdefault(paper, []).append(Relation(kind=kind, paper_id=other_id))
    found = [
        rows.paper_from_row(
            row[1:], [rows.share_from_row(share, row[1]) for share in own[row[0]]], links.get(row[0], ())
        )
        for row in papers
        if row[0] in own
    ]
    return sorted(found, key=lambda paper: paper.added_at)


_KNOWN = "SELECT 1 FROM share WHERE paper = ? AND channel = ? AND message = ? AND file_id = ?"
_INSERT = (
    "INSERT INTO share (paper, channel, message, file_id, user, at, added_at, wording) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)


async def add_shares(connection: aiosqlite.Connection, paper: int, shares: Sequence[Share]) -> None:
    """Add places to the paper of this row number; one that it has already stays as it is."""
    for share in shares:
        row = share_row(paper, share)
        if not list(await connection.execute_fetchall(_KNOWN, row[:4])):
            body = await text_store.append_one(connection, to_json(share.file_name))
            await connection.execute(_INSERT, (*row, body))


async def drop_shares(connection: aiosqlite.Connection, where: str, asked: Sequence[object]) -> int:
    """Remove the shares that the condition ``where`` holds for, with their words; returns how many there were."""
    found = await connection.execute_fetchall(f"SELECT wording FROM share WHERE {where}", tuple(asked))
    await text_store.blank(connection, [row[0] for row in found])
    return (await connection.execute(f"DELETE FROM share WHERE {where}", tuple(asked))).rowcount
