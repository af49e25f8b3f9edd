"""What a question's edits mean for its jobs: of several the newest is answered, and the question itself is known.

Apart from the store because platforms may deliver a question and its edits in any order after a time without
connection, and what then holds is a matter of its own.
"""

import aiosqlite

from core.domain.events import QuestionEdited

_KNOWN = """
    INSERT INTO jobs (key, lock, platform, workspace, lane, trace_id, due, state, ended)
    SELECT ?, lock, platform, workspace, lane, trace_id, due, 'done', due FROM jobs WHERE key = ?
    ON CONFLICT (key) DO NOTHING
"""
_EDITS = "SELECT key FROM jobs WHERE key > ?1 || '/' AND key < ?1 || '0'"  # "0" is the sign behind "/"
_PASSED_OVER = (
    "UPDATE jobs SET state = 'done', ended = due, event = NULL, words = '' WHERE key = ? AND state = 'waiting'"
)


async def is_latest(db: aiosqlite.Connection, edit: QuestionEdited) -> bool:
    """Whether ``edit``, which was stored just now, is to be answered; inside the transaction that stored it.

    Earlier edits that still wait are passed over, and so is this one where a later edit is known. The question as
    it was first asked counts as known: heard only after its edit, it is not asked once more.
    """
    await db.execute(_KNOWN, (edit.first_key, edit.key))
    place = edit.first_key.partition(":")[2]
    others = [
        str(key)
        for prefix in ("edit", "again")
        for (key,) in await db.execute_fetchall(_EDITS, (f"{prefix}:{place}",))
        if key != edit.key
    ]
    if any(edit.beside(key) == "later" for key in others):
        await db.execute(_PASSED_OVER, (edit.key,))
        return False
    await db.executemany(_PASSED_OVER, [(key,) for key in others if edit.beside(key) == "earlier"])
    return True
