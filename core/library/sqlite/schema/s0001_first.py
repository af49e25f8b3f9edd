"""The library's first schema. A schema once released never changes; the next number alters it.

Words lie in ``wording`` and nowhere else (see core/library/sqlite/text_store.py); all other tables name its rows.
"""

_PAPERS = (
    # AUTOINCREMENT, here and below: a number is never given twice, so that no index, cache or note can take a
    # new thing for an old one.
    "CREATE TABLE wording (number INTEGER PRIMARY KEY AUTOINCREMENT, body BLOB NOT NULL)",
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    """
    CREATE TABLE paper (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        year INTEGER,
        pages INTEGER NOT NULL,
        kind TEXT NOT NULL,
        wording INTEGER NOT NULL,
        headings INTEGER NOT NULL,
        "references" INTEGER NOT NULL
    )
    """,
    # What a file is called and when it came belongs to the place, not to the paper: ``wording`` holds its name.
    """
    CREATE TABLE share (
        paper INTEGER NOT NULL REFERENCES paper (number) ON DELETE CASCADE,
        channel TEXT NOT NULL,
        message TEXT NOT NULL,
        file_id TEXT NOT NULL,
        user TEXT NOT NULL,
        at TEXT NOT NULL,
        added_at TEXT NOT NULL,
        wording INTEGER NOT NULL,
        PRIMARY KEY (paper, channel, message, file_id)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX share_by_place ON share (channel, message, file_id)",
    # ``wording`` is what stood before; what stands now is the paper's own.
    """
    CREATE TABLE correction (
        number INTEGER PRIMARY KEY,
        paper INTEGER NOT NULL REFERENCES paper (number) ON DELETE CASCADE,
        wording INTEGER NOT NULL,
        user TEXT NOT NULL,
        at TEXT NOT NULL
    )
    """,
    "CREATE INDEX correction_by_paper ON correction (paper)",
    """
    CREATE TABLE relation (
        paper INTEGER NOT NULL REFERENCES paper (number) ON DELETE CASCADE,
        other INTEGER NOT NULL REFERENCES paper (number) ON DELETE CASCADE,
        kind TEXT NOT NULL,
        PRIMARY KEY (paper, other, kind)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX relation_by_other ON relation (other)",
)

_PASSAGES = (
    # An answer that was under way when its paper was forgotten must not bring the words back; kept for a day.
    "CREATE TABLE forgotten (paper_id TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID",
    """
    CREATE TABLE passage (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        paper INTEGER NOT NULL REFERENCES paper (number) ON DELETE CASCADE,
        id TEXT NOT NULL,
        ordinal INTEGER NOT NULL,
        page INTEGER NOT NULL,
        kind TEXT NOT NULL,
        boxes BLOB NOT NULL,
        next_id TEXT,
        from_ocr INTEGER NOT NULL,
        wording INTEGER NOT NULL
    )
    """,
    "CREATE INDEX passage_by_paper ON passage (paper, ordinal, kind)",
    "CREATE UNIQUE INDEX passage_by_id ON passage (id)",
    """
    CREATE TABLE vector (
        number INTEGER PRIMARY KEY REFERENCES passage (number) ON DELETE CASCADE,
        data BLOB NOT NULL
    )
    """,
    """
    CREATE TABLE figure (
        number INTEGER PRIMARY KEY,
        paper INTEGER NOT NULL REFERENCES paper (number) ON DELETE CASCADE,
        id TEXT NOT NULL,
        image TEXT NOT NULL,
        wording INTEGER NOT NULL
    )
    """,
    "CREATE INDEX figure_by_paper ON figure (paper)",
    "CREATE INDEX figure_by_image ON figure (image)",
)

_INDEX = (
    # The lexical index sees numbers instead of words: see core/library/sqlite/lexical_index.py for why.
    "CREATE TABLE word (id INTEGER PRIMARY KEY AUTOINCREMENT, hash INTEGER NOT NULL UNIQUE, passages INTEGER NOT NULL)",
    "CREATE TABLE place (id INTEGER PRIMARY KEY AUTOINCREMENT, channel TEXT NOT NULL UNIQUE)",
    """
    CREATE TABLE lexical_row (
        number INTEGER PRIMARY KEY,
        body TEXT NOT NULL,
        title TEXT NOT NULL,
        section TEXT NOT NULL,
        caption TEXT NOT NULL,
        scope TEXT NOT NULL
    )
    """,
    """
    CREATE VIRTUAL TABLE lexical USING fts5 (
        body, title, section, caption, scope,
        content = 'lexical_row', content_rowid = 'number', tokenize = 'ascii'
    )
    """,
)

_THREADS = (
    """
    CREATE TABLE turn (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        channel TEXT NOT NULL,
        thread TEXT NOT NULL,
        role TEXT NOT NULL,
        at TEXT NOT NULL,
        forgotten INTEGER NOT NULL,
        wording INTEGER NOT NULL
    )
    """,
    "CREATE INDEX turn_by_thread ON turn (channel, thread, number)",
    # Papers are named by id here, not by row: what quotes a paper may outlive its row.
    """
    CREATE TABLE turn_paper (
        paper_id TEXT NOT NULL,
        turn INTEGER NOT NULL REFERENCES turn (number) ON DELETE CASCADE,
        PRIMARY KEY (paper_id, turn)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX turn_paper_by_turn ON turn_paper (turn)",
    """
    CREATE TABLE answer (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        channel TEXT NOT NULL,
        thread TEXT NOT NULL,
        trace_id TEXT NOT NULL,
        at TEXT NOT NULL,
        outcome TEXT NOT NULL,
        settings_version INTEGER NOT NULL,
        question INTEGER NOT NULL,
        wording INTEGER NOT NULL,
        UNIQUE (channel, thread, trace_id)
    )
    """,
    "CREATE INDEX answer_by_time ON answer (channel, at)",
    """
    CREATE TABLE answer_paper (
        paper_id TEXT NOT NULL,
        answer INTEGER NOT NULL REFERENCES answer (number) ON DELETE CASCADE,
        PRIMARY KEY (paper_id, answer)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX answer_paper_by_answer ON answer_paper (answer)",
    # Answers given to their asker alone: they are in no digest, export or list that others see.
    """
    CREATE TABLE private_answer (
        channel TEXT NOT NULL,
        thread TEXT NOT NULL,
        trace_id TEXT NOT NULL,
        PRIMARY KEY (channel, thread, trace_id)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE feedback (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        answer INTEGER NOT NULL REFERENCES answer (number) ON DELETE CASCADE,
        user TEXT NOT NULL,
        verdict TEXT NOT NULL,
        at TEXT NOT NULL,
        wording INTEGER NOT NULL,
        UNIQUE (answer, user)
    )
    """,
    """
    CREATE TABLE setting (
        channel TEXT NOT NULL,
        name TEXT NOT NULL,
        value TEXT NOT NULL,
        user TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (channel, name)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE subscription (
        channel TEXT NOT NULL,
        name TEXT NOT NULL,
        body TEXT NOT NULL,
        user TEXT NOT NULL,
        at TEXT NOT NULL,
        last_at TEXT,
        PRIMARY KEY (channel, name)
    ) WITHOUT ROWID
    """,
)

_STUDIES = (
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

# Tags and questions of members are words and lie in ``wording``. What belongs to a paper goes with it, and what a
# channel kept about it goes when it is withdrawn from there (core/library/sqlite/tags.py).
_GROUPS = (
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

STATEMENTS: tuple[str, ...] = (*_PAPERS, *_PASSAGES, *_INDEX, *_THREADS, *_STUDIES, *_GROUPS)
