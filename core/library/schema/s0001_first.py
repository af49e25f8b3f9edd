"""The library's first schema. A schema once released never changes; the next number alters it."""

STATEMENTS: tuple[str, ...] = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    """
    CREATE TABLE paper (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        file_name TEXT NOT NULL,
        metadata TEXT NOT NULL,
        year INTEGER,
        pages INTEGER NOT NULL,
        kind TEXT NOT NULL,
        added_at TEXT NOT NULL,
        warnings TEXT NOT NULL,
        unread TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE share (
        paper INTEGER NOT NULL REFERENCES paper (number) ON DELETE CASCADE,
        channel TEXT NOT NULL,
        message TEXT NOT NULL,
        file_id TEXT NOT NULL,
        user TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (paper, channel, message, file_id)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX share_by_place ON share (channel, message, file_id)",
    """
    CREATE TABLE correction (
        number INTEGER PRIMARY KEY,
        paper INTEGER NOT NULL REFERENCES paper (number) ON DELETE CASCADE,
        before TEXT NOT NULL,
        after TEXT NOT NULL,
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
    # AUTOINCREMENT: a number is never given twice, so no index or cache can mistake a new passage for an old one.
    """
    CREATE TABLE passage (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        paper INTEGER NOT NULL REFERENCES paper (number) ON DELETE CASCADE,
        id TEXT NOT NULL,
        ordinal INTEGER NOT NULL,
        page INTEGER NOT NULL,
        section TEXT NOT NULL,
        kind TEXT NOT NULL,
        text TEXT NOT NULL,
        indexed_text TEXT NOT NULL,
        boxes BLOB NOT NULL,
        label TEXT,
        grid TEXT,
        next_id TEXT,
        from_ocr INTEGER NOT NULL
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
    CREATE TABLE heading (
        paper INTEGER NOT NULL REFERENCES paper (number) ON DELETE CASCADE,
        ordinal INTEGER NOT NULL,
        text TEXT NOT NULL,
        page INTEGER NOT NULL,
        level INTEGER NOT NULL,
        PRIMARY KEY (paper, ordinal)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE figure (
        paper INTEGER NOT NULL REFERENCES paper (number) ON DELETE CASCADE,
        ordinal INTEGER NOT NULL,
        id TEXT NOT NULL,
        page INTEGER NOT NULL,
        label TEXT NOT NULL,
        caption TEXT NOT NULL,
        nearby TEXT NOT NULL,
        box BLOB NOT NULL,
        image TEXT NOT NULL,
        description TEXT NOT NULL,
        PRIMARY KEY (paper, ordinal)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX figure_by_image ON figure (image)",
    """
    CREATE TABLE reference (
        paper INTEGER NOT NULL REFERENCES paper (number) ON DELETE CASCADE,
        ordinal INTEGER NOT NULL,
        raw TEXT NOT NULL,
        label TEXT NOT NULL,
        authors TEXT NOT NULL,
        title TEXT NOT NULL,
        year INTEGER,
        doi TEXT,
        arxiv_id TEXT,
        PRIMARY KEY (paper, ordinal)
    ) WITHOUT ROWID
    """,
    # The lexical index sees numbers instead of words: see core/library/lexical.py for why.
    "CREATE TABLE word (id INTEGER PRIMARY KEY AUTOINCREMENT, word TEXT NOT NULL UNIQUE)",
    "CREATE TABLE word_count (id INTEGER PRIMARY KEY, passages INTEGER NOT NULL)",
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
    """
    CREATE TABLE turn (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        channel TEXT NOT NULL,
        thread TEXT NOT NULL,
        role TEXT NOT NULL,
        text TEXT NOT NULL,
        at TEXT NOT NULL,
        citations TEXT NOT NULL,
        forgotten INTEGER NOT NULL DEFAULT 0
    )
    """,
    "CREATE INDEX turn_by_thread ON turn (channel, thread, number)",
    # Papers are named by id, not by row: what quotes a paper may outlive or precede its row.
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
        question TEXT NOT NULL,
        outcome TEXT NOT NULL,
        body TEXT NOT NULL,
        settings_version INTEGER NOT NULL,
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
    """
    CREATE TABLE feedback (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        channel TEXT NOT NULL,
        thread TEXT NOT NULL,
        trace_id TEXT NOT NULL,
        user TEXT NOT NULL,
        verdict TEXT NOT NULL,
        words TEXT NOT NULL,
        at TEXT NOT NULL,
        UNIQUE (channel, thread, trace_id, user)
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
