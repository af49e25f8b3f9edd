"""What the process does at once for a platform: takes events in, opens forms, completes words, stops answers."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from bot.backend import Counts, ReadBackend
from bot.commands import command_named, command_words
from bot.commands.administration import settings_form
from bot.commands.answers import wrong_form
from bot.replies import general
from core.domain.events import Event, QuestionAsked
from core.domain.model import Scope, Thread, Workspace
from core.domain.platforms import CommandWords
from core.domain.reply import Form, Reply

if TYPE_CHECKING:
    from core.services.engine import Engine

_MOST_CHOICES = 25


class Accept(Protocol):
    """The dispatcher's verb."""

    def __call__(self, event: Event, *, due: datetime | None = None) -> Awaitable[bool]:
        """Keep an event as a durable job; False where it is known."""


class PlatformBackend(ReadBackend):
    """The ``Backend`` that platforms are handed; ``stop`` ends the running answer of a thread."""

    def __init__(self, engine: "Engine", store: Counts, *, accept: Accept, stop: Callable[[Thread], bool]) -> None:
        super().__init__(engine, store)
        self._accept = accept
        self._stop = stop

    @property
    def commands(self) -> Mapping[str, CommandWords]:
        """Every command that a person can give, by name."""
        return command_words()

    async def accept(self, event: Event, *, due: datetime | None = None) -> bool:
        """Keep ``event`` as a durable job; an answer goes to its asker alone where the channel wants that first."""
        if isinstance(event, QuestionAsked):
            event = await self.addressed(event)
        return await self._accept(event, due=due)

    async def answers(self, thread: Thread, words: str, *, addressed: bool, to_others: bool) -> bool:
        """Whether a message is a question to the bot.

        ``addressed``: it mentions the bot or is a direct message; ``to_others``: it mentions another person.
        Without either it must read like a question, and the channel's settings must want such answered.
        """
        if addressed:
            return True
        if to_others or not self._engine.questions.is_question(words):
            return False
        settings = await self.settings(thread.channel)
        if settings.answer_on == "always":
            return True
        return settings.follow_ups and await self._engine.threads.asked_in(thread)

    async def choices(self, name: str, words: str, *, scope: Scope) -> Sequence[str]:
        """What may be written behind a command: what it offers itself, or titles of papers."""
        command = command_named(name)
        if command is None:
            return ()
        if command.takes_paper:
            return [paper.title for paper in await self.papers(scope, words=words, limit=_MOST_CHOICES)]
        start = words.strip().casefold()
        return [choice for choice in command.choices() if choice.startswith(start)][:_MOST_CHOICES]

    async def form(self, action: str, value: str, *, thread: Thread, scope: Scope, user: str) -> Form | None:
        """The form that a button or command opens; None where it opens none."""
        if action == "wrong":
            return wrong_form(value)
        if action == "settings":
            return settings_form(await self.settings(thread.channel), name=value or "settings")
        return None

    async def home(self, workspace: Workspace, *, user: str, visible: frozenset[str]) -> Reply:
        """The library as this person may see it, what is being read, and how to begin."""
        scope = Scope(workspace=workspace, channels=visible)
        return general.home(await self._engine.papers.in_scope(scope), await self.waiting(scope))

    async def stop(self, thread: Thread, *, user: str) -> bool:
        """Stop the answer that runs in this thread."""
        return self._stop(thread)
