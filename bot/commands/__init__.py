"""The commands a person can give in chat, the same words on every platform; buttons and forms beside them.

Each module holds one subject and lists what it does in ``COMMANDS``, and where there are any ``BUTTONS``, ``FORMS``.
"""

from collections.abc import Mapping
from functools import partial

from adapters.common.markdown import table
from bot.commands import administration, answers, exports, fetch, groups, papers, studies
from bot.commands.request import Action, Command, Request
from bot.replies import general
from core.domain.events import ButtonPressed, CommandGiven
from core.domain.platforms import CommandWords, WhoMay
from core.domain.reply import Reply

__all__ = ["BUTTONS", "FORMS", "TABLE", "Command", "Request", "command_named", "command_words", "perform"]

_WHO_MAY: Mapping[WhoMay, str] = {"anyone": "", "sharer": " (sharers and managers)", "manager": " (managers)"}


async def _help(request: Request) -> Reply:
    rows = [[command.usage, f"{command.does}{_WHO_MAY[command.who_may]}"] for command in TABLE.values()]
    body = "Drop a PDF to add it; write a question to ask.\n\n" + table(["Command", "What it does"], rows)
    return Reply(kind="help", body=body)


TABLE: Mapping[str, Command] = {
    "help": Command(usage="help", does="shows this list", run=_help, choices=lambda: tuple(TABLE)),
    **papers.COMMANDS,
    **studies.COMMANDS,
    **exports.COMMANDS,
    **groups.COMMANDS,
    **answers.COMMANDS,
    **fetch.COMMANDS,
    **administration.COMMANDS,
}
BUTTONS: Mapping[str, Action] = {**papers.BUTTONS, **answers.BUTTONS, **studies.BUTTONS, **exports.BUTTONS}
FORMS: Mapping[str, Action] = {**answers.FORMS, **administration.FORMS}


async def perform(request: Request) -> Reply:
    """The reply to what was wanted; an unknown command gets the list of those there are.

    Raises ``NotInScope`` for a command that this person may not give.
    """
    return await _action(request)(request)


def command_words() -> Mapping[str, CommandWords]:
    """What platforms know of every command, by name."""
    return TABLE


def command_named(name: str) -> Command | None:
    """The command of this name or alias."""
    return TABLE.get(name) or next((command for command in TABLE.values() if name in command.aliases), None)


def _action(request: Request) -> Action:
    match request.given:
        case CommandGiven(name=name):
            command = command_named(name)
            return partial(_run, command) if command else _unknown
        case ButtonPressed(action=action):
            return BUTTONS.get(action, _gone)
        case sent:
            return FORMS.get(sent.form, _gone)


async def _run(command: Command, request: Request) -> Reply:
    await command.check_allowed(request)
    return await command.run(request)


async def _unknown(request: Request) -> Reply:
    return general.notice(f"That command is not known here; there are: {', '.join(TABLE)}.")


async def _gone(request: Request) -> Reply:
    return general.notice("That button belongs to an older Footnote; please write what you want instead.")
