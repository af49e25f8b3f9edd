"""The commands a person can give in chat, the same words on every platform; buttons and forms beside them.

Each module holds one subject and lists what it does in ``COMMANDS``, ``BUTTONS`` and ``FORMS``.
"""

from collections.abc import Mapping

from adapters.common.markdown import table
from bot.commands import administration, answers, exports, fetch, groups, papers, studies, threads
from bot.commands.request import Action, Command, Request
from bot.replies import general
from core.domain.events import ButtonPressed, CommandGiven
from core.domain.platforms import CommandWords
from core.domain.reply import Reply

__all__ = ["BUTTONS", "FORMS", "TABLE", "WORDS", "Command", "Request", "perform"]

_SUBJECTS = (papers, answers, studies, exports, groups, threads, fetch, administration)


async def _help(request: Request) -> Reply:
    rows = [[command.usage, command.does] for command in TABLE.values()]
    body = "Drop a PDF to add it; write a question to ask.\n\n" + table(["Command", "What it does"], rows)
    return Reply(kind="help", body=body)


TABLE: Mapping[str, Command] = {
    "help": Command(usage="help", does="shows this list", run=_help),
    **{name: command for subject in _SUBJECTS for name, command in subject.COMMANDS.items()},
}
BUTTONS: Mapping[str, Action] = {name: action for subject in _SUBJECTS for name, action in subject.BUTTONS.items()}
FORMS: Mapping[str, Action] = {name: action for subject in _SUBJECTS for name, action in subject.FORMS.items()}
WORDS: Mapping[str, CommandWords] = {
    name: CommandWords(name=name, usage=command.usage, does=command.does) for name, command in TABLE.items()
}


async def perform(request: Request) -> Reply:
    """The reply to what was wanted; an unknown command gets the list of those there are."""
    return await _action(request)(request)


def _action(request: Request) -> Action:
    match request.given:
        case CommandGiven(name=name):
            return TABLE[name].run if name in TABLE else _unknown
        case ButtonPressed(action=action):
            return BUTTONS.get(action, _gone)
        case sent:
            return FORMS.get(sent.form, _gone)


async def _unknown(request: Request) -> Reply:
    return general.say(f"That command is not known here; there are: {', '.join(TABLE)}.")


async def _gone(request: Request) -> Reply:
    return general.say("That button belongs to an older Footnote; please write what you want instead.")
