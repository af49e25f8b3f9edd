"""What a command, a pressed button or a sent form is handed, and what a row of the command table holds."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from bot.backend import ReadBackend
from core.domain.errors import NotInScope
from core.domain.events import ButtonPressed, CommandGiven, Event, FormSent
from core.domain.model import Audience, Channel, Paper, Reach, Scope, Thread
from core.domain.platforms import ChatPlatform, CommandWords
from core.domain.reply import Reply
from core.domain.request_context import RequestContext

if TYPE_CHECKING:
    from core.services.engine import Engine

RequestEvent: TypeAlias = CommandGiven | ButtonPressed | FormSent


class AskQuestion(Protocol):
    """Asks a question for whoever pressed a button, the same way as one that was written."""

    async def __call__(self, question: str, *, papers: frozenset[str], reach: Reach, audience: Audience) -> Reply:
        """The answer to ``question``, of ``papers`` alone where there are any. Raises ``LimitReached`` too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One thing somebody wants, with everything that doing it may need. ``given`` is the event itself."""

    given: RequestEvent
    context: RequestContext
    engine: "Engine"
    backend: ReadBackend
    asks: AskQuestion
    accept: Callable[[Event], Awaitable[bool]]
    platform: ChatPlatform

    @property
    def words(self) -> str:
        """What stands behind the command's name, or the value of the button or form."""
        return (self.given.words if isinstance(self.given, CommandGiven) else self.given.value).strip()

    @property
    def scope(self) -> Scope:
        """What whoever wants it may read from there."""
        return self.context.scope

    @property
    def thread(self) -> Thread:
        """Where it was wanted."""
        return self.given.thread

    @property
    def channel(self) -> Channel:
        """The thread's channel."""
        return self.given.thread.channel

    @property
    def user(self) -> str:
        """Who wants it."""
        return self.given.user

    async def paper_by_id(self, beginning: str) -> Paper:
        """The one paper in scope whose id has this ``beginning``, as buttons carry it. Raises ``NotInScope``."""
        listed = await self.engine.papers.in_scope(self.scope)
        found = [paper for paper in listed if beginning and paper.id.startswith(beginning)]
        if len(found) != 1:
            raise NotInScope("That paper is no longer here.")
        return found[0]

    def field(self, name: str) -> str:
        """What was filled into the form's field ``name``; empty where there is none."""
        return self.given.fields.get(name, "").strip() if isinstance(self.given, FormSent) else ""


Action: TypeAlias = Callable[[Request], Awaitable[Reply]]


def _never(words: str) -> bool:
    return False


def _no_choices() -> Sequence[str]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Command(CommandWords):
    """One row of the table: what platforms know of a command, and the function that does it.

    ``reads_only`` tells of the words behind the name whether with them nothing is changed, so that anyone may;
    ``choices`` are what may be written there, beside papers.
    """

    run: Action
    reads_only: Callable[[str], bool] = _never
    choices: Callable[[], Sequence[str]] = _no_choices

    async def check_allowed(self, request: Request) -> None:
        """Raises ``NotInScope`` where a manager is needed and this person is none."""
        if self.who_may == "manager" and not self.reads_only(request.words):
            await check_may_manage(request)


async def check_may_manage(request: Request) -> None:
    """Raises ``NotInScope`` for whoever does not manage the channel."""
    if not await request.platform.may_manage(request.channel, request.user):
        raise NotInScope("A manager of this channel can do this; nothing was changed.")
