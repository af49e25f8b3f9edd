"""The commands a person can give in chat, the same words on every platform."""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from adapters.common.markdown import escape, table
from bot import replies
from bot.assistant import Assistant
from bot.desk import Desk
from core.domain.events import CommandGiven
from core.domain.model import Scope
from core.domain.progress import Progress
from core.domain.reply import Reply

_CORRECTION = re.compile(r"^(?P<paper>.+?)\s*[:,]\s*(?P<field>[a-zA-Z]+)\s*=\s*(?P<value>.*)$", re.DOTALL)
_Action: TypeAlias = Callable[[CommandGiven, Scope, Progress], Awaitable[Reply]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One row of the help: how it is written and what it does."""

    usage: str
    does: str


TABLE: Mapping[str, Command] = {
    "help": Command(usage="help", does="shows this list"),
    "papers": Command(usage="papers", does="lists the papers of this place"),
    "page": Command(usage="page PAPER NUMBER", does="shows a page as a picture"),
    "correct": Command(
        usage="correct PAPER: FIELD = VALUE", does="corrects title, authors, year, doi, arxiv, venue or language"
    ),
    "forget": Command(usage="forget PAPER", does="removes a paper and every word of it"),
    "status": Command(usage="status", does="says what is here and how it is doing"),
}


class CommandDesk:
    """Does what ``CommandGiven`` says; ``PAPER`` is a number of the list, an id, a file name or words of a title."""

    def __init__(self, engine: Assistant, desk: Desk) -> None:
        self._engine = engine
        self._desk = desk
        self._actions: Mapping[str, _Action] = {
            "help": self._help,
            "papers": self._papers,
            "page": self._page,
            "correct": self._correct,
            "forget": self._forget,
            "status": self._status,
        }

    async def __call__(self, given: CommandGiven, scope: Scope, progress: Progress) -> Reply:
        """The reply to a command; an unknown one gets the list of those there are."""
        action = self._actions.get(given.name, self._unknown)
        return await action(given, scope, progress)

    async def _help(self, given: CommandGiven, scope: Scope, progress: Progress) -> Reply:
        rows = [[command.usage, command.does] for command in TABLE.values()]
        body = "Drop a PDF to add it; write a question to ask.\n\n" + table(["Command", "What it does"], rows)
        return Reply(kind="help", body=body)

    async def _unknown(self, given: CommandGiven, scope: Scope, progress: Progress) -> Reply:
        return replies.say(f"That command is not known here; there are: {', '.join(TABLE)}.")

    async def _papers(self, given: CommandGiven, scope: Scope, progress: Progress) -> Reply:
        return replies.papers(await self._desk.papers(scope))

    async def _page(self, given: CommandGiven, scope: Scope, progress: Progress) -> Reply:
        return replies.page(*await self._desk.page(scope, given.words))

    async def _correct(self, given: CommandGiven, scope: Scope, progress: Progress) -> Reply:
        asked = _CORRECTION.match(given.words.strip())
        if asked is None:
            return replies.say("Please write it as: correct PAPER: FIELD = VALUE, for example correct 2: year = 2019.")
        paper = await self._desk.paper(scope, asked["paper"])
        changes = {asked["field"]: asked["value"]}
        return replies.corrected(await self._engine.correct(scope, paper.id, changes, user=given.user))

    async def _forget(self, given: CommandGiven, scope: Scope, progress: Progress) -> Reply:
        if not given.words.strip():
            return replies.say("Please say which paper: forget PAPER, by its number in the list or words of its title.")
        paper = await self._desk.paper(scope, given.words)
        gone = await self._engine.forget(scope, [paper.id])
        return replies.forgotten(gone, [paper.title])

    async def _status(self, given: CommandGiven, scope: Scope, progress: Progress) -> Reply:
        listed = await self._desk.papers(scope)
        pages = sum(paper.pages for paper in listed)
        return Reply(kind="status", body=escape(f"{len(listed)} papers with {pages} pages are here."))
