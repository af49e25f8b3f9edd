"""Which workspaces let Footnote in, with their tokens encrypted at rest; a file of its own.

One workspace by its token from the settings, or many by OAuth; an installation for a whole organisation serves
every workspace of it. What a restart must know (which organisation a workspace belongs to) is kept here too.
"""

import asyncio
import json
import secrets
import sqlite3
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from adapters.slack.web_api import SlackRefused
from core.domain.errors import PlatformFailure, SettingsInvalid
from core.domain.model import Workspace

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet

NAME = "slack"
_STATE_SECONDS = 600
_START_SECONDS = 60.0
_NOT_INSTALLED = "Footnote is not installed in this Slack workspace (any more)."
_SCHEMA = """
CREATE TABLE IF NOT EXISTS installations (
    enterprise TEXT NOT NULL, team TEXT NOT NULL, held BLOB NOT NULL, at REAL NOT NULL,
    PRIMARY KEY (enterprise, team)
);
CREATE TABLE IF NOT EXISTS teams (team TEXT PRIMARY KEY, enterprise TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS states (state TEXT PRIMARY KEY, until REAL NOT NULL);
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """Footnote in one workspace, or (with an empty ``team``) in a whole organisation."""

    enterprise: str
    team: str
    token: str
    bot_user: str
    bot_id: str = ""
    app_id: str = ""
    scopes: str = ""


class Installations(Protocol):
    """Who speaks for a workspace."""

    async def of(self, workspace: Workspace) -> Installation | None:
        """The installation that serves a workspace, or None where there is none."""

    async def token(self, workspace: Workspace) -> str:
        """Its token. Raises ``SlackRefused``."""

    async def seen(self, team: str, enterprise: str) -> None:
        """A workspace belongs to an organisation."""

    async def remove(self, team: str, enterprise: str) -> None:
        """The workspace or organisation took Footnote out; its token is dropped."""

    async def all(self) -> tuple[Installation, ...]:
        """Every installation."""


class OneWorkspace:
    """The workspace whose token stands in the settings; ``known`` is what Slack says whose it is."""

    def __init__(self, token: str) -> None:
        self._token = token
        self._held: Installation | None = None
        self._told = asyncio.Event()
        self._removed = False

    def known(self, installation: Installation) -> None:
        """Slack has said whose token it is."""
        self._held = installation
        self._told.set()

    async def of(self, workspace: Workspace) -> Installation | None:
        """The one installation; None for other workspaces (an organisation's token serves all of its).

        Work left over from before a restart may ask before Slack has said whose token it is, and waits for that.
        """
        try:
            async with asyncio.timeout(_START_SECONDS):
                await self._told.wait()
        except TimeoutError as error:
            raise PlatformFailure("Footnote is not connected to Slack yet.") from error
        installation = self._held
        if installation is None or self._removed:
            return None
        return installation if not installation.team or installation.team == workspace.id else None

    async def token(self, workspace: Workspace) -> str:
        """The token of the settings."""
        if await self.of(workspace) is None:
            raise SlackRefused(_NOT_INSTALLED, "not_installed")
        return self._token

    async def seen(self, team: str, enterprise: str) -> None:
        """There is only one."""

    async def remove(self, team: str, enterprise: str) -> None:
        """The token no longer works; another one comes with a restart."""
        self._removed = True

    async def all(self) -> tuple[Installation, ...]:
        """The one there is."""
        return (self._held,) if self._held is not None else ()


class ManyWorkspaces:
    """Installations in ``path``; every token is encrypted with the first of ``keys`` (older ones still open)."""

    def __init__(self, path: Path, keys: str) -> None:
        self._path = path
        self._box = _cipher(keys)
        self._cache: dict[str, Installation | None] = {}

    async def of(self, workspace: Workspace) -> Installation | None:
        """The workspace's own installation, or its organisation's. Raises ``SettingsInvalid`` for a wrong key."""
        if workspace.id not in self._cache:
            self._cache[workspace.id] = await asyncio.to_thread(self._find, workspace.id)
        return self._cache[workspace.id]

    async def token(self, workspace: Workspace) -> str:
        """The workspace's token."""
        installation = await self.of(workspace)
        if installation is None:
            raise SlackRefused(_NOT_INSTALLED, "not_installed")
        return installation.token

    async def seen(self, team: str, enterprise: str) -> None:
        """Keep which organisation a workspace belongs to."""
        if team and enterprise and self._cache.get(team) is None:
            await asyncio.to_thread(self._run, "INSERT OR REPLACE INTO teams VALUES (?, ?)", (team, enterprise))
            self._cache.pop(team, None)

    async def save(self, installation: Installation) -> None:
        """Keep an installation; a newer one of the same place takes its place."""
        body = self._box.encrypt(json.dumps(_to_json(installation)).encode())
        values = (installation.enterprise, installation.team, body, time.time())
        await asyncio.to_thread(self._run, "INSERT OR REPLACE INTO installations VALUES (?, ?, ?, ?)", values)
        self._cache.clear()

    async def remove(self, team: str, enterprise: str) -> None:
        """Drop the workspace's installation, or the organisation's where ``team`` is empty."""
        where = "DELETE FROM installations WHERE team = ? AND (enterprise = ? OR ? != '')"
        await asyncio.to_thread(self._run, where, (team, enterprise, team))
        self._cache.clear()

    async def all(self) -> tuple[Installation, ...]:
        """Every installation, oldest first."""
        return await asyncio.to_thread(self._all)

    async def issue_state(self) -> str:
        """A new one-time value that ties an installation's end to its beginning."""
        state = secrets.token_urlsafe(24)
        await asyncio.to_thread(self._run, "INSERT INTO states VALUES (?, ?)", (state, time.time() + _STATE_SECONDS))
        return state

    async def consume_state(self, state: str) -> bool:
        """Whether ``state`` was issued lately and not used yet; it is used by asking."""
        return await asyncio.to_thread(self._consume, state)

    def _find(self, team: str) -> Installation | None:
        query = (
            "SELECT held FROM installations WHERE team = ?1 OR (team = '' AND enterprise ="
            " (SELECT enterprise FROM teams WHERE team = ?1)) ORDER BY team DESC, at DESC LIMIT 1"
        )
        with closing(self._open()) as db:
            row = db.execute(query, (team,)).fetchone()
        return None if row is None else self._opened(row[0])

    def _all(self) -> tuple[Installation, ...]:
        with closing(self._open()) as db:
            rows = db.execute("SELECT held FROM installations ORDER BY at").fetchall()
        return tuple(self._opened(row[0]) for row in rows)

    def _consume(self, state: str) -> bool:
        with closing(self._open()) as db, db:
            db.execute("DELETE FROM states WHERE until < ?", (time.time(),))
            return db.execute("DELETE FROM states WHERE state = ?", (state,)).rowcount == 1

    def _run(self, statement: str, values: tuple[object, ...]) -> None:
        with closing(self._open()) as db, db:
            db.execute(statement, values)

    def _open(self) -> sqlite3.Connection:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            db = sqlite3.connect(self._path, timeout=10.0)
            self._path.chmod(0o600)
            db.executescript(_SCHEMA)
        except (sqlite3.Error, OSError) as error:
            raise PlatformFailure("The file with Slack's installations cannot be opened.") from error
        return db

    def _opened(self, body: bytes) -> Installation:
        from cryptography.fernet import InvalidToken

        try:
            return _from_json(json.loads(self._box.decrypt(body)))
        except InvalidToken as error:
            raise SettingsInvalid(
                "FOOTNOTE_SLACK_TOKEN_KEY does not open the stored tokens; put the earlier key behind the new one, "
                "separated by a comma."
            ) from error


def _cipher(keys: str) -> "MultiFernet":
    from cryptography.fernet import Fernet, MultiFernet

    try:
        return MultiFernet([Fernet(key.strip()) for key in keys.split(",") if key.strip()])
    except ValueError as error:
        raise SettingsInvalid(
            "FOOTNOTE_SLACK_TOKEN_KEY must be a Fernet key (32 bytes in URL-safe base64); this makes one: python -c "
            '"from cryptography.fernet import Fernet; print(Fernet.generate_key().decode())"'
        ) from error


def _to_json(installation: Installation) -> Mapping[str, str]:
    return {name: getattr(installation, name) for name in Installation.__slots__}


def _from_json(data: Mapping[str, str]) -> Installation:
    return Installation(**{name: data.get(name, "") for name in Installation.__slots__})
