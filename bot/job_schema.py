"""The tables of the job file as numbered migrations; ``PRAGMA user_version`` tells how far a file has come."""

from collections.abc import Sequence

# A job that ended keeps its key, so that a redelivery is recognised, and nothing that anybody wrote.
MIGRATIONS: Sequence[str] = (
    """
    CREATE TABLE jobs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        key TEXT NOT NULL UNIQUE,
        lock TEXT NOT NULL,
        platform TEXT NOT NULL,
        workspace TEXT NOT NULL,
        lane TEXT NOT NULL CHECK (lane IN ('papers', 'questions')),
        state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'done', 'given up')),
        event TEXT,
        trace_id TEXT NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0,
        due REAL NOT NULL,
        owner TEXT NOT NULL DEFAULT '',
        lease_until REAL NOT NULL DEFAULT 0,
        reply TEXT,
        reply_id TEXT NOT NULL DEFAULT '',
        words TEXT NOT NULL DEFAULT '',
        ended REAL
    ) STRICT;
    CREATE INDEX jobs_due ON jobs (lane, due, id) WHERE state IN ('waiting', 'running');
    CREATE INDEX jobs_lock ON jobs (lock, id) WHERE state IN ('waiting', 'running');
    CREATE INDEX jobs_ended ON jobs (ended) WHERE ended IS NOT NULL;
    """,
)
