"""What a message means: papers, a question, a command, or nothing; the same wherever it was written."""

from dataclasses import dataclass, field, replace

import pytest

from adapters.common.conversations import Conversations
from adapters.common.message_events import IncomingMessage, MessageInterpreter
from bot.commands import TABLE
from core.domain.events import CommandGiven, Event, PdfShared, QuestionAsked, QuestionEdited
from core.domain.model import SharedFile, Thread
from core.domain.platforms import CommandWords
from core.domain.records import BIBLIOGRAPHY
from tests.adapters.web.clients import FakeDesk
from tests.bot.actors import NOW, later, thread

PDF = SharedFile(id="f1", name="a.pdf", mime="application/pdf", size=1, locator="l")
BIB, JSON = (SharedFile(id=name, name=name, mime=BIBLIOGRAPHY, size=1, locator="l") for name in ("a.bib", "a.json"))
NAMES = ("papers", "summarise", "import", "help")


@dataclass
class Backend(FakeDesk):
    """Answers what is addressed, and in a thread what is said to nobody else; ``running`` can be stopped."""

    running: bool = False
    commands: dict[str, CommandWords] = field(default_factory=lambda: {name: TABLE[name] for name in NAMES})

    async def answers(self, thread: Thread, words: str, *, addressed: bool, to_others: bool) -> bool:
        return addressed or (words.endswith("?") and not to_others)

    async def stop(self, thread: Thread, *, user: str) -> bool:
        return self.running


def said(words: str, *, addressed: bool = True, to_others: bool = False, **more: object) -> IncomingMessage:
    given = IncomingMessage(
        thread=thread(), user="ada", at=NOW, message="m1", words=words, addressed=addressed, to_others=to_others
    )
    return replace(given, **more)  # type: ignore[arg-type]


def told(events: "list[Event] | tuple[Event, ...]") -> list[str]:
    """Events in short."""
    found = []
    for event in events:
        match event:
            case PdfShared():
                found.append(f"pdf {event.file.name}")
            case QuestionEdited():
                found.append(f"edited {event.text}")
            case QuestionAsked():
                found.append(f"asked {event.text}")
            case CommandGiven():
                found.append(" ".join([event.name, event.words, *(file.name for file in event.files)]).strip())
    return [" ".join(item.split()) for item in found]


@pytest.mark.parametrize(
    ("message", "meant"),
    [
        (said(""), ["help"]),
        (said("", addressed=False), []),
        (said("", papers=(PDF,)), ["pdf a.pdf"]),
        (said("have a look", addressed=False, papers=(PDF,)), ["pdf a.pdf"]),
        (said("what is it?", papers=(PDF,)), ["pdf a.pdf", "asked what is it?"]),
        (said("summarise 1", papers=(PDF,)), ["pdf a.pdf", "summarise 1"]),
        (said("papers"), ["papers"]),
        (said("papers about bees"), ["asked papers about bees"]),
        (said("papers", addressed=False), []),
        (said("and why?", addressed=False), ["asked and why?"]),
        (said("and why?", addressed=False, to_others=True), []),
        (said("what is it?", bibliographies=(BIB,)), ["import a.bib", "asked what is it?"]),
        (said("", addressed=False, bibliographies=(BIB, JSON)), ["import a.bib"]),
        (said("import", bibliographies=(BIB, JSON)), ["import a.bib a.json"]),
        (said("import", papers=(PDF,)), ["pdf a.pdf", "import a.pdf"]),
        (said("what is it?", revision="7", changed=later(9)), ["edited what is it?"]),
    ],
)
async def test_a_message_is_papers_first_and_then_what_is_asked_of_them(
    message: IncomingMessage, meant: list[str]
) -> None:
    assert told(list(await MessageInterpreter(Backend(), Conversations()).events_of(message))) == meant


async def test_stop_ends_what_runs_and_is_a_question_where_nothing_does() -> None:
    running, idle = (
        MessageInterpreter(Backend(running=True), Conversations()),
        MessageInterpreter(Backend(), Conversations()),
    )
    assert told(list(await running.events_of(said("Stop!")))) == []
    assert told(list(await idle.events_of(said("Stop!")))) == ["asked Stop!"]


async def test_what_people_say_to_each_other_is_left_alone_until_the_bot_has_spoken() -> None:
    talk = Conversations()
    meaning = MessageInterpreter(Backend(), talk)
    await meaning.events_of(replace(said("I measured it too", addressed=False), user="bob"))
    assert told(list(await meaning.events_of(said("how?", addressed=False)))) == []
    talk.answered(said("").conversation)
    assert told(list(await meaning.events_of(said("how?", addressed=False)))) == ["asked how?"]


@pytest.mark.parametrize(
    ("now", "before", "meant"),
    [
        ("what is it, really?", "what is it?", "what is it, really?"),
        ("what is it?", "what is it?", ""),
        ("what is it?", "", "what is it?"),
        ("", "what is it?", ""),
        ("what is it?", "papers", ""),
        ("papers", "what is it?", ""),
    ],
)
async def test_a_question_that_was_changed_is_one_anew_and_a_command_never(now: str, before: str, meant: str) -> None:
    edit = await MessageInterpreter(Backend(), Conversations()).edited(
        said(now, revision="7", changed=later(9)), before=before
    )
    assert (edit.text if edit is not None else "") == meant


async def test_an_hour_after_it_was_asked_a_changed_question_leaves_the_first_answer() -> None:
    meaning = MessageInterpreter(Backend(), Conversations())
    soon, late = [
        await meaning.edited(said("why?", revision="7", changed=later(seconds)), before="how?")
        for seconds in (3_600, 3_601)
    ]
    assert soon is not None and late is not None
    assert (soon.in_place, late.in_place) == (True, False)
    assert soon.key != late.key and soon.first_key == late.first_key
