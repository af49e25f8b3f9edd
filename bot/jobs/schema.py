"""The tables of the job file as numbered migrations, and the statements that are more than a line.

``PRAGMA user_version`` tells how far a file has come.
"""

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
    # ``reads``: the conversation whose papers a job is about (of a paper: that it was dropped into), or empty.
    """
    ALTER TABLE jobs ADD COLUMN reads TEXT NOT NULL DEFAULT '';
    CREATE INDEX jobs_reads ON jobs (reads, id) WHERE reads <> '' AND state IN ('waiting', 'running');
    """,
)

# What is asked in a conversation is ``held`` until the papers that were dropped there before have been read or
# refused; what is not about papers (a command, a press) passes it by.
# Fair between locks: a lock's next job counts as due from when the lock came free (see ``SqliteJobStore._end``), so
# a thread with a hundred questions waits for its turn after a thread with one. Fair between people: who has
# fewer jobs running comes first, so that twenty threads of one person do not keep another waiting.
# Each table names both states of unfinished jobs, also where one is meant: only then are the indexes of those used,
# and the keys of some weeks are not looked through with each claim.
CLAIM = """
    WITH busy (asker, jobs) AS (
        SELECT CASE WHEN json_valid(event) THEN json_extract(event, '$.user') END, count(*) FROM jobs
        WHERE lane = :lane AND state = 'running' AND state IN ('waiting', 'running') AND lease_until >= :now GROUP BY 1
    ), held (id) AS (
        SELECT job.id FROM jobs AS job JOIN jobs AS paper ON paper.reads = job.reads AND paper.id < job.id
        WHERE job.reads <> '' AND job.lane = 'questions' AND job.state = 'waiting'
          AND job.state IN ('waiting', 'running')
          AND paper.reads <> '' AND paper.lane = 'papers' AND paper.state IN ('waiting', 'running')
    )
    UPDATE jobs SET state = 'running', attempts = attempts + 1, owner = :owner, lease_until = :until
    WHERE id = (
        SELECT job.id FROM jobs AS job
        WHERE job.lane = :lane AND job.state IN ('waiting', 'running')
          AND (job.state = 'waiting' AND job.due <= :now OR job.state = 'running' AND job.lease_until < :now)
          AND (:everywhere OR job.platform IN (SELECT value FROM json_each(:platforms)))
          AND job.id NOT IN (SELECT id FROM held)
          AND NOT EXISTS (
              SELECT 1 FROM jobs AS before
              WHERE before.lock = job.lock AND before.id < job.id AND before.state IN ('waiting', 'running')
                AND before.id NOT IN (SELECT id FROM held)
          )
        ORDER BY
            coalesce((
                SELECT jobs FROM busy WHERE json_valid(job.event) AND asker = json_extract(job.event, '$.user')
            ), 0), job.due, job.id
        LIMIT 1
    )
    RETURNING id, key, lock, event, attempts, trace_id, reply, reply_id, owner
"""
CLAIMED = "id = :id AND state = 'running' AND owner = :owner AND attempts = :attempts"
"""The row of a job as long as it is claimed as it was: a process that lost its lease finds none."""
AWAITED = """
    SELECT EXISTS (
        SELECT 1 FROM jobs WHERE reads = (SELECT reads FROM jobs WHERE id = ?1)
          AND reads <> '' AND id > ?1 AND lane = 'questions' AND state = 'waiting'
    )
"""
"""Whether something is held until the paper of job ``?1`` is read."""
UNREAD = """
    SELECT count(*) FROM jobs WHERE reads > ?1 || '/' AND reads < ?1 || '0' AND lane = 'papers'
      AND state IN ('waiting', 'running')
"""
"""Papers to be read that were dropped into conversations of the channel ``?1``; "0" is the character after "/"."""
WAITING = """
    SELECT lane, count(*) FROM jobs WHERE workspace = ? AND state IN ('waiting', 'running') AND json_valid(event)
      AND json_extract(event, '$.thread.channel.id') IN (SELECT value FROM json_each(?))
    GROUP BY lane
"""
"""Unfinished jobs of a workspace by lane, those of some channels alone: what happens in others is not to be counted."""
PUT = """
    INSERT INTO jobs (key, lock, platform, workspace, lane, reads, event, trace_id, due)
    VALUES (:key, :lock, :platform, :workspace, :lane, :reads, :event, :trace_id, :due) ON CONFLICT (key) DO NOTHING
"""
MARK_KNOWN = """
    INSERT INTO jobs (key, lock, platform, workspace, lane, trace_id, due, state, ended)
    SELECT ?, lock, platform, workspace, lane, trace_id, due, 'done', due FROM jobs WHERE key = ?
    ON CONFLICT (key) DO NOTHING
"""
"""Stores the key of a question as done, beside its edit: heard only later, the question is not asked again."""
EDITS = "SELECT key FROM jobs WHERE key > ?1 || '/' AND key < ?1 || '0'"  # "0" is the character after "/"
PASS_OVER = "UPDATE jobs SET state = 'done', ended = due, event = NULL, words = '' WHERE key = ? AND state = 'waiting'"
