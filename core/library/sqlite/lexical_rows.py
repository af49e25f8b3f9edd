"""Writes and removes the lexical index's rows, always inside somebody else's transaction.

It stands apart from ``lexical`` because reading an index and keeping it true to the papers are two subjects.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import aiosqlite

from core.domain.model import Passage
from core.domain.ports import Searched
from core.text import hash_word, index_tokens

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_COLUMNS = "body, title, section, caption, scope"


def number_token(number: int) -> str:
    """A number as the index sees it: base 36."""
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits or "0"


def kind_token(kind: str) -> str:
    """A kind of passage as the scope column sees it."""
    return f"k{kind}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """The words of one passage, by where they stand."""

    body: tuple[str, ...] = ()
    title: tuple[str, ...] = ()
    section: tuple[str, ...] = ()
    caption: tuple[str, ...] = ()


def fields_of(title: str, passage: Passage | Searched, former_titles: Sequence[str] = ()) -> Fields:
    """Split what is searched into fields.

    ``indexed_text`` may begin with lines for title and section; they are fields of their own here, so they
    are not counted a second time in the body. ``former_titles`` are those that a correction replaced.
    """
    above = (title, *former_titles, *passage.section, " > ".join(passage.section))
    heads = {_squeezed(line) for part in above for line in part.splitlines()}
    lines = passage.indexed_text.splitlines() or [""]
    while len(lines) > 1 and (not lines[0].strip() or _squeezed(lines[0]) in heads):
        lines.pop(0)
    words = tuple(index_tokens("\n".join(lines)))
    captioned = passage.kind in ("caption", "figure")
    return Fields(
        body=() if captioned else words,
        title=tuple(index_tokens(title)),
        section=tuple(index_tokens(" ".join(passage.section))),
        caption=words if captioned else (),
    )


def _squeezed(line: str) -> str:
    return " ".join(line.casefold().split()).rstrip(".:")


async def insert_rows(
    connection: aiosqlite.Connection, paper: int, rows: Sequence[tuple[int, str, Fields]], channels: Iterable[str]
) -> None:
    """Index passages (number, kind, fields) of one paper."""
    counts: Counter[str] = Counter()
    for _, _, fields in rows:
        counts.update({*fields.body, *fields.title, *fields.section, *fields.caption})
    numbers = await _numbered(connection, list(counts))
    await connection.executemany(
        "UPDATE word SET passages = passages + ? WHERE id = ?",
        sorted(((count, numbers[word]) for word, count in counts.items()), key=lambda pair: pair[1]),
    )
    tokens = {word: number_token(number) for word, number in numbers.items()}
    scope = await _scope_tokens(connection, paper, channels)
    written = [
        (
            number,
            *(" ".join(tokens[word] for word in words) for words in (f.body, f.title, f.section, f.caption)),
            f"{scope} {kind_token(kind)}",
        )
        for number, kind, f in rows
    ]
    await _write(connection, written)


async def delete_rows(connection: aiosqlite.Connection, paper: int) -> frozenset[int]:
    """Take a paper out of the index; returns the hashes of words that nothing else in the library holds."""
    rows = await connection.execute_fetchall(
        f"SELECT {_COLUMNS} FROM lexical_row WHERE number IN (SELECT number FROM passage WHERE paper = ?)", (paper,)
    )
    counts: Counter[str] = Counter()
    for row in rows:
        counts.update({token for column in row[:4] for token in column.split()})
    await _unindex(connection, paper)
    await connection.execute(
        "DELETE FROM lexical_row WHERE number IN (SELECT number FROM passage WHERE paper = ?)", (paper,)
    )
    await connection.executemany(
        "UPDATE word SET passages = passages - ? WHERE id = ?",
        sorted(((count, int(token, 36)) for token, count in counts.items()), key=lambda pair: pair[1]),
    )
    gone = await connection.execute_fetchall(
        "DELETE FROM word WHERE passages <= 0 AND id IN (SELECT value FROM json_each(?)) RETURNING hash",
        (json.dumps([int(token, 36) for token in counts]),),
    )
    return frozenset(row[0] for row in gone)


async def rescope(connection: aiosqlite.Connection, paper: int) -> None:
    """Bring the scope column of a paper's rows in line with its shares."""
    shares = await connection.execute_fetchall("SELECT DISTINCT channel FROM share WHERE paper = ?", (paper,))
    scope = await _scope_tokens(connection, paper, sorted(row[0] for row in shares))
    await _unindex(connection, paper)
    await connection.execute(
        "UPDATE lexical_row SET scope = ? || ' k' || (SELECT kind FROM passage p WHERE p.number = lexical_row.number) "
        "WHERE number IN (SELECT number FROM passage WHERE paper = ?)",
        (scope, paper),
    )
    await connection.execute(
        f"INSERT INTO lexical (rowid, {_COLUMNS}) SELECT number, {_COLUMNS} FROM lexical_row "
        "WHERE number IN (SELECT number FROM passage WHERE paper = ?)",
        (paper,),
    )


async def _write(connection: aiosqlite.Connection, written: Sequence[tuple[object, ...]]) -> None:
    await connection.executemany(f"INSERT INTO lexical_row (number, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", written)
    await connection.executemany(f"INSERT INTO lexical (rowid, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", written)


async def _unindex(connection: aiosqlite.Connection, paper: int) -> None:
    """FTS5 over outside content wants to be told what it indexed."""
    await connection.execute(
        f"INSERT INTO lexical (lexical, rowid, {_COLUMNS}) SELECT 'delete', number, {_COLUMNS} FROM lexical_row "
        "WHERE number IN (SELECT number FROM passage WHERE paper = ?)",
        (paper,),
    )


async def _numbered(connection: aiosqlite.Connection, words: Sequence[str]) -> dict[str, int]:
    """The number of every word, new ones included."""
    hashes = {hash_word(word): word for word in words}
    known = await _known(connection, hashes)
    new = [(item,) for item in hashes if item not in known]
    if new:
        await connection.executemany("INSERT INTO word (hash, passages) VALUES (?, 0)", new)
        known |= await _known(connection, [item for (item,) in new])
    return {word: known[item] for item, word in hashes.items()}


async def _known(connection: aiosqlite.Connection, hashes: Iterable[int]) -> dict[int, int]:
    rows = await connection.execute_fetchall(
        "SELECT hash, id FROM word WHERE hash IN (SELECT value FROM json_each(?))", (json.dumps(list(hashes)),)
    )
    return {row[0]: row[1] for row in rows}


async def _scope_tokens(connection: aiosqlite.Connection, paper: int, channels: Iterable[str]) -> str:
    named = sorted(set(channels))
    await connection.executemany("INSERT OR IGNORE INTO place (channel) VALUES (?)", [(channel,) for channel in named])
    rows = await connection.execute_fetchall(
        "SELECT id FROM place WHERE channel IN (SELECT value FROM json_each(?)) ORDER BY id", (json.dumps(named),)
    )
    return " ".join([f"p{number_token(paper)}", *(f"c{number_token(row[0])}" for row in rows)])
