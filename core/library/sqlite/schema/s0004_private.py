"""Which answers were given to their asker alone: they are in no digest, export or list that others see."""

STATEMENTS: tuple[str, ...] = (
    """
    CREATE TABLE private_answer (
        channel TEXT NOT NULL,
        thread TEXT NOT NULL,
        trace_id TEXT NOT NULL,
        PRIMARY KEY (channel, thread, trace_id)
    ) WITHOUT ROWID
    """,
)
