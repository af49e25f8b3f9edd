"""What a message means to Footnote, the same on every chat platform: papers, a question, a command, or nothing.

A platform describes the message (``Said``) and gets the events that it is; what the platform knows besides
(who may see which channels, whether an answer is for one person first) it adds itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from adapters.common.conversations import Conversations, command_in, conversation_key
from core.domain.events import CommandGiven, Event, PdfShared, QuestionAsked, QuestionEdited
from core.domain.model import SharedFile, Thread
from core.domain.platforms import Backend
from core.domain.records import is_bibliography

IMPORT = "import"
"""The command that fills metadata from a file which comes with it."""
_STOP = "stop"


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingMessage:
    """A message of a person.

    ``words`` are without the mention of the bot; ``addressed``: the bot is spoken to; ``to_others``: somebody else is.
    ``bibliographies`` are files that by their names may be such. ``revision`` and ``changed`` tell which edit of the
    message this is, if any.
    """

    thread: Thread
    user: str
    at: datetime
    message: str
    words: str
    addressed: bool
    to_others: bool
    papers: tuple[SharedFile, ...] = ()
    bibliographies: tuple[SharedFile, ...] = ()
    revision: str = ""
    changed: datetime | None = None

    @property
    def conversation(self) -> str:
        """Names its thread for ``Conversations``."""
        return conversation_key(self.thread)


class MessageInterpreter:
    """Decides with the backend's settings and with who spoke last in the thread (``talk``)."""

    def __init__(self, backend: Backend, talk: Conversations) -> None:
        self._backend = backend
        self._talk = talk

    async def events_of(self, said: IncomingMessage) -> Sequence[Event]:
        """The events that a message is, papers first, so that what is asked of them comes after them.

        A message that says "stop" ends the answer that runs in its thread, and is nothing else then.
        """
        papers = [_pdf_shared(said, file) for file in said.papers]
        requests = await self._requests(said)
        self._talk.spoke(said.conversation, said.user)
        return [*papers, *requests]

    async def edited(self, said: IncomingMessage, *, before: str) -> QuestionEdited | None:
        """The question that a message is since it was changed from ``before`` (empty: not known), if it is one.

        A command that was done is not undone by an edit.
        """
        commands = self._backend.commands
        if said.words == before or not await self._is_question(said):
            return None
        if command_in(said.words, commands) or command_in(before, commands):
            return None
        return _question_edited(said)

    async def _requests(self, said: IncomingMessage) -> Sequence[Event]:
        """What a message asks for besides reading its papers: an import, a command, a question, or nothing."""
        command = command_in(said.words, self._backend.commands) if said.addressed else None
        name, words = command or ("", "")
        references = [file for file in said.bibliographies if said.addressed or is_bibliography(file.name)]
        imports = [_command(said, IMPORT, "", references)] if references and name != IMPORT else []
        if not said.words:
            is_mention_alone = said.addressed and not said.papers and not references
            return [_command(said, "help", "")] if is_mention_alone else imports
        if await self._stops(said):
            return imports
        if name:
            files = (references or said.papers) if self._backend.commands[name].takes_file else ()
            return [*imports, _command(said, name, words, files)]
        if await self._is_question(said):
            return [*imports, _question_edited(said) if said.revision else _question(said)]
        return imports

    async def _stops(self, said: IncomingMessage) -> bool:
        """Whether the message ended an answer that was running."""
        says_stop = said.addressed and said.words.casefold().strip("/!. ") == _STOP
        return says_stop and await self._backend.stop(said.thread, user=said.user)

    async def _is_question(self, said: IncomingMessage) -> bool:
        others = said.to_others or self._talk.between_people(said.conversation, said.user)
        return bool(said.words) and await self._backend.answers(
            said.thread, said.words, addressed=said.addressed, to_others=others
        )


def _pdf_shared(said: IncomingMessage, file: SharedFile) -> PdfShared:
    return PdfShared(thread=said.thread, user=said.user, at=said.at, message=said.message, file=file)


def _command(said: IncomingMessage, name: str, words: str, files: Sequence[SharedFile] = ()) -> CommandGiven:
    return CommandGiven(
        thread=said.thread,
        user=said.user,
        at=said.at,
        message=said.message,
        name=name,
        words=words,
        files=tuple(files),
    )


def _question(said: IncomingMessage) -> QuestionAsked:
    return QuestionAsked(thread=said.thread, user=said.user, at=said.at, message=said.message, text=said.words)


def _question_edited(said: IncomingMessage) -> QuestionEdited:
    return QuestionEdited(
        thread=said.thread,
        user=said.user,
        at=said.at,
        message=said.message,
        text=said.words,
        revision=said.revision,
        changed=said.changed,
    )
