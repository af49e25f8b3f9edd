"""What groups keep about their papers: tags, reading status, journal clubs and what members want to talk about.

Tags and questions are words and lie in ``wording``. What belongs to a paper goes with it, and what was said of it in
one channel goes when it is withdrawn from there (core/library/sqlite/group_notes.py).
"""

STATEMENTS: tuple[str, ...] = (
    """
    CREATE TABLE tag (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        paper INTEGER NOT NULL REFERENCES paper (number) ON DELETE CASCADE,
        channel TEXT NOT NULL,
        user TEXT NOT NULL,
        at TEXT NOT NULL,
        wording INTEGER NOT NULL
    )
    """,
    "CREATE INDEX tag_by_paper ON tag (paper, channel)",
    # An empty user is the channel as a whole.
    """
    CREATE TABLE reading (
        paper INTEGER NOT NULL REFERENCES paper (number) ON DELETE CASCADE,
        channel TEXT NOT NULL,
        user TEXT NOT NULL,
        status TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (paper, channel, user)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE club (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        paper INTEGER NOT NULL REFERENCES paper (number) ON DELETE CASCADE,
        channel TEXT NOT NULL,
        thread TEXT NOT NULL,
        meets_at TEXT NOT NULL,
        remind_at TEXT NOT NULL,
        reminded INTEGER NOT NULL DEFAULT 0,
        user TEXT NOT NULL,
        at TEXT NOT NULL
    )
    """,
    "CREATE INDEX club_by_paper ON club (paper)",
    "CREATE INDEX club_by_thread ON club (channel, thread)",
    """
    CREATE TABLE club_question (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        club INTEGER NOT NULL REFERENCES club (number) ON DELETE CASCADE,
        user TEXT NOT NULL,
        at TEXT NOT NULL,
        wording INTEGER NOT NULL
    )
    """,
    "CREATE INDEX club_question_by_club ON club_question (club)",
)
