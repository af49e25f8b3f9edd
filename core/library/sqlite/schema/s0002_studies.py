"""Summaries, tables and reviews that were made of papers, kept so that nobody waits for the same one twice."""

STATEMENTS: tuple[str, ...] = (
    # ``key`` is a digest of all that the study depends on: papers as they were read, template, texts, model.
    """
    CREATE TABLE study (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL,
        key TEXT NOT NULL UNIQUE,
        at TEXT NOT NULL,
        wording INTEGER NOT NULL
    )
    """,
    """
    CREATE TABLE study_paper (
        paper_id TEXT NOT NULL,
        study INTEGER NOT NULL REFERENCES study (number) ON DELETE CASCADE,
        PRIMARY KEY (paper_id, study)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX study_paper_by_study ON study_paper (study)",
)
