"""The page's own memory: channels and messages in one SQLite file, so that a reload or a restart loses nothing.

It stands apart from the library because it holds what was shown, not what is known: it may be deleted and only
conversations on the page are gone. Every change gets the next revision; a browser asks for what changed since the
last one it saw. No word of a forgotten paper stays in view (``Redaction``).
"""

import asyncio
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType

import aiosqlite

from adapters.web.database import PageDatabase
from adapters.web.messages import WITHDRAWN, WITHDRAWN_WORDS, Message, PageChannel
from core.domain.codec import from_json, to_json
from core.domain.model import Workspace
from core.domain.reply import Attachment

Tokens = Callable[[str], Collection[str]]
_SHORTEST_ID = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Redaction:
    """Papers that go, and the ``words`` (as ``tokens`` cuts them) that only they held."""

    papers: frozenset[str]
    words: frozenset[str]
    tokens: Tokens

    def touched(self, messages: Iterable[Message], channels: frozenset[str] | None) -> Sequence[Message]:
        """Those of ``messages`` that have something to lose, in ``channels`` or (None) anywhere."""
        candidates = (message for message in messages if channels is None or message.channel in channels)
        return [message for message in candidates if message.papers & self.papers or self._said(message)]

    def without(self, message: Message) -> Message:
        """The message without the words of the papers; it keeps its place, so that the thread stays whole."""
        if message.by == "footnote":
            return replace(message, state="withdrawn", text=WITHDRAWN, sentences=(), citations=(), reply=None)
        files = tuple(
            replace(file, name="a paper that was forgotten", state="removed", words="", paper="")
            if file.paper in self.papers
            else file
            for file in message.files
        )
        redacted = replace(message, files=files, asked=message.asked - self.papers)
        if not self._said(message):
            return redacted
        return replace(redacted, text=WITHDRAWN_WORDS, words="", state=redacted.state if files else "withdrawn")

    def _said(self, message: Message) -> bool:
        """Whether a reader named one of the papers, by a command that the page wrote or in words of its own."""
        if any(paper[:_SHORTEST_ID] in message.words for paper in self.papers):
            return True
        return bool(self.words and message.text) and not self.words.isdisjoint(self.tokens(message.text))


SHELF = "shelf"
"""The fact that changes when papers were forgotten, here or in another process."""
EDITION = "edition"
"""The fact that tells one file from the one that was there before."""

_ADD_PLACE = "INSERT INTO channel (id, n, body) VALUES (?, (SELECT count(*) FROM channel), ?) ON CONFLICT DO NOTHING"
_KEEP_FACT = "INSERT OR REPLACE INTO fact (name, value) VALUES (?, ?)"


def no_tokens(text: str) -> Collection[str]:
    """For a notebook that nobody will ask to forget single words."""
    return ()


class MessageStore:
    """One file at ``path``, open while it is used as an async context manager.

    Outside of one it is opened for each call: a reply that is ready after the page has closed is kept all the same.
    ``places`` are there from the beginning; ``tokens`` cuts text as ``core.text`` does; ``changed`` is called after
    every change made here.
    """

    def __init__(
        self,
        path: Path,
        *,
        places: Sequence[PageChannel] = (),
        tokens: Tokens = no_tokens,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self._file = PageDatabase(path, self._begin)
        self._places = places
        self._facts: dict[str, str] = {}
        self._tokens = tokens
        self._changed = changed
        self._open = AsyncExitStack()

    async def __aenter__(self) -> "MessageStore":
        await self._open.enter_async_context(self._file.held())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._open.aclose()

    # channels and facts

    async def places(self) -> Sequence[PageChannel]:
        """All channels, oldest first."""
        return [
            from_json(PageChannel, body) for (body,) in await self._file.rows("SELECT body FROM channel ORDER BY n")
        ]

    async def add_place(self, place: PageChannel) -> bool:
        """Add a channel; False where there is one with this id."""
        async with self._file.transaction() as db:
            added = (await db.execute(_ADD_PLACE, (place.id, to_json(place)))).rowcount
        self._changed()
        return added == 1

    async def fact(self, name: str) -> str:
        """A stored text, or empty."""
        rows = await self._file.rows("SELECT value FROM fact WHERE name = ?", name)
        if rows:
            self._facts[name] = str(rows[0][0])
        return str(rows[0][0]) if rows else ""

    async def keep_fact(self, name: str, value: str) -> None:
        """Store a text under a name."""
        self._facts[name] = value
        async with self._file.transaction() as db:
            await db.execute(_KEEP_FACT, (name, value))

    # messages

    async def add(self, message: Message) -> bool:
        """Add a message; False where its id is known, and then nothing changes."""
        async with self._file.transaction() as db:
            known = list(await db.execute_fetchall("SELECT 1 FROM message WHERE id = ?", (message.id,)))
            if not known:
                await self._write(db, message)
        self._changed()
        return not known

    async def put(self, message: Message, files: Sequence[Attachment] | None = None) -> None:
        """Add a message or take the place of the one with its id; ``files`` replace those beside it."""
        async with self._file.transaction() as db:
            await self._write(db, message)
            if files is not None:
                await db.execute("DELETE FROM attachment WHERE message = ?", (message.id,))
                rows = [(message.id, n, to_json(replace(file, data=b"")), file.data) for n, file in enumerate(files)]
                await db.executemany("INSERT INTO attachment (message, place, body, data) VALUES (?, ?, ?, ?)", rows)
        self._changed()

    async def put_all(self, *messages: Message) -> None:
        """Put several messages, all or none."""
        async with self._file.transaction() as db:
            for message in messages:
                await self._write(db, message)
        self._changed()

    async def change(self, id_: str, how: Callable[[Message], Message]) -> Message | None:
        """Change a message by what it is now; None where there is none."""
        async with self._file.transaction() as db:
            rows = list(await db.execute_fetchall("SELECT body, revision FROM message WHERE id = ?", (id_,)))
            if not rows:
                return None
            before = _message(rows[0])
            after = how(before)
            if after != before:
                await self._write(db, after)
        self._changed()
        return after

    async def message(self, id_: str) -> Message | None:
        """A message by its id."""
        rows = await self._file.rows("SELECT body, revision FROM message WHERE id = ?", id_)
        return _message(rows[0]) if rows else None

    async def attachment(self, id_: str, place: int) -> Attachment | None:
        """A file beside a message."""
        rows = await self._file.rows("SELECT body, data FROM attachment WHERE message = ? AND place = ?", id_, place)
        return replace(from_json(Attachment, rows[0][0]), data=bytes(rows[0][1])) if rows else None

    async def latest(self, channel: str, *, limit: int, before: int | None = None) -> Sequence[tuple[int, Message]]:
        """The last messages of a channel with their numbers, oldest first; those under ``before`` where given."""
        rows = await self._file.rows(
            "SELECT n, body, revision FROM message WHERE channel = ? AND n < ? ORDER BY n DESC LIMIT ?",
            channel,
            before if before is not None else 1 << 62,
            limit,
        )
        return [(int(row[0]), _message(row[1:])) for row in reversed(rows)]

    async def since(self, revision: int, *, limit: int = 200) -> Sequence[Message]:
        """Messages changed after ``revision``, in order of their change."""
        rows = await self._file.rows(
            "SELECT body, revision FROM message WHERE revision > ? ORDER BY revision LIMIT ?", revision, limit
        )
        return [_message(row) for row in rows]

    async def unfinished(self) -> Sequence[Message]:
        """Messages that wait for something."""
        rows = await self._file.rows("SELECT body, revision FROM message WHERE state = 'working' ORDER BY n")
        return [_message(row) for row in rows]

    async def revision(self) -> int:
        """The revision of the last change."""
        return int((await self._file.rows("SELECT coalesce(max(revision), 0) FROM message"))[0][0])

    # forgetting

    async def forget_papers(
        self,
        workspace: Workspace,
        papers: frozenset[str],
        words: frozenset[str],
        *,
        channels: frozenset[str] | None = None,
    ) -> Mapping[str, int]:
        """Withdraw what shows ``papers`` and what a reader wrote with ``words`` that only they held; counts it.

        With ``channels`` only what stands there. Where there is no notebook none is made for it.
        """
        if not await asyncio.to_thread(self._file.path.exists):
            return {}
        leaving = Redaction(papers=papers, words=words, tokens=self._tokens)
        async with self._file.held():
            return await self._forget(leaving, channels)

    async def _forget(self, leaving: Redaction, channels: frozenset[str] | None) -> Mapping[str, int]:
        rows = await self._file.rows("SELECT body, revision FROM message WHERE state <> 'withdrawn'")
        hit = await asyncio.to_thread(lambda: leaving.touched(map(_message, rows), channels))
        async with self._file.transaction() as db:
            for message in hit:
                await self._write(db, leaving.without(message))
                await db.execute("DELETE FROM attachment WHERE message = ?", (message.id,))
            # Whoever shows a list or a page of these papers learns of it, also where no message named them.
            await db.execute(
                "INSERT INTO fact (name, value) VALUES (?, '1') ON CONFLICT (name) DO UPDATE SET value = value + 1",
                (SHELF,),
            )
        if hit:
            await self._file.wipe()
        self._changed()
        return {"messages of the page": len(hit)} if hit else {}

    # inside

    async def _begin(self, db: aiosqlite.Connection) -> None:
        """What a new file begins with: the first channels, and what is known of a file that was taken away."""
        for place in self._places:
            await db.execute(_ADD_PLACE, (place.id, to_json(place)))
        for name, value in (*self._facts.items(), (EDITION, secrets.token_hex(8))):
            await db.execute(_KEEP_FACT, (name, value))

    async def _write(self, db: aiosqlite.Connection, message: Message) -> None:
        (((last,)),) = await db.execute_fetchall("SELECT coalesce(max(revision), 0) FROM message")
        await db.execute(
            "INSERT INTO message (id, channel, thread, state, key, revision, body) VALUES (?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (id) DO UPDATE SET state = excluded.state, key = excluded.key,"
            " revision = excluded.revision, body = excluded.body",
            (
                message.id,
                message.channel,
                message.thread,
                message.state,
                message.key,
                int(last) + 1,
                to_json(replace(message, revision=0)),
            ),
        )


def _message(row: Sequence[object]) -> Message:
    return replace(from_json(Message, str(row[0])), revision=int(str(row[1])))
