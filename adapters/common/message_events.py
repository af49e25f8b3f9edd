"""Turns a person's message into events, the same on every chat platform: files, a command, a question, or nothing.

Only whether the bot is meant is settled here; what a question asks for is decided by ``core.understanding``. A
platform adds itself what it alone knows: who may see which channels, whether an answer is for one person first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from adapters.common.conversations import Conversations, command_in, conversation_key
from core.domain.events import CommandGiven, Event, PdfShared, QuestionAsked, QuestionEdited, RequestFields
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
    """Makes events of messages, with the settings of the backend and who wrote last in each thread (``talk``)."""

    def __init__(self, backend: Backend, talk: Conversations) -> None:
        self._backend = backend
        self._talk = talk

    async def events_of(self, incoming: IncomingMessage) -> Sequence[Event]:
        """The events that a message is, papers first, so that what is asked of them comes after them.

        A message that says "stop" ends the answer that runs in its thread, and is nothing else then.
        """
        papers = [_pdf_shared(incoming, file) for file in incoming.papers]
        requests = await self._requests(incoming)
        self._talk.spoke(incoming.conversation, incoming.user)
        return [*papers, *requests]

    async def edited(self, incoming: IncomingMessage, *, before: str) -> QuestionEdited | None:
        """The question that a message is since it was changed from ``before`` (empty: not known), if it is one.

        A command that was done is not undone by an edit.
        """
        commands = self._backend.commands
        if incoming.words == before or not await self._is_question(incoming):
            return None
        if command_in(incoming.words, commands) or command_in(before, commands):
            return None
        return _question_edited(incoming)

    async def _requests(self, incoming: IncomingMessage) -> Sequence[Event]:
        """What a message asks for besides reading its papers: an import, a command, a question, or nothing."""
        command = command_in(incoming.words, self._backend.commands) if incoming.addressed else None
        name, words = command or ("", "")
        references = [file for file in incoming.bibliographies if incoming.addressed or is_bibliography(file.name)]
        imports = [_command(incoming, IMPORT, "", references)] if references and name != IMPORT else []
        if not incoming.words:
            is_mention_alone = incoming.addressed and not incoming.papers and not references
            return [_command(incoming, "help", "")] if is_mention_alone else imports
        if await self._stops(incoming):
            return imports
        if name:
            files = (references or incoming.papers) if self._backend.commands[name].takes_file else ()
            return [*imports, _command(incoming, name, words, files)]
        if await self._is_question(incoming):
            return [*imports, _question_edited(incoming) if incoming.revision else _question(incoming)]
        return imports

    async def _stops(self, incoming: IncomingMessage) -> bool:
        """Whether the message ended an answer that was running."""
        says_stop = incoming.addressed and incoming.words.casefold().strip("/!. ") == _STOP
        return says_stop and await self._backend.stop(incoming.thread, user=incoming.user)

    async def _is_question(self, incoming: IncomingMessage) -> bool:
        others = incoming.to_others or self._talk.between_people(incoming.conversation, incoming.user)
        return bool(incoming.words) and await self._backend.answers(
            incoming.thread, incoming.words, addressed=incoming.addressed, to_others=others
        )


def _pdf_shared(incoming: IncomingMessage, file: SharedFile) -> PdfShared:
    return PdfShared(thread=incoming.thread, user=incoming.user, at=incoming.at, message=incoming.message, file=file)


def _command(incoming: IncomingMessage, name: str, words: str, files: Sequence[SharedFile] = ()) -> CommandGiven:
    return CommandGiven(**_request(incoming), name=name, words=words, files=tuple(files))


def _question(incoming: IncomingMessage) -> QuestionAsked:
    return QuestionAsked(**_request(incoming), text=incoming.words)


def _question_edited(incoming: IncomingMessage) -> QuestionEdited:
    return QuestionEdited(
        **_request(incoming), text=incoming.words, revision=incoming.revision, changed=incoming.changed
    )


def _request(incoming: IncomingMessage) -> RequestFields:
    """What may be seen is for the platform to add."""
    return RequestFields(
        thread=incoming.thread, user=incoming.user, at=incoming.at, message=incoming.message, visible=frozenset()
    )
