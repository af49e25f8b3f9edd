"""Discord's own commands, made of the backend's list: what is registered, and what somebody gave. Pure.

``forget PAPER`` becomes ``/forget paper:…`` with papers to choose from; what is filled in is put back together
as the words that the same command has everywhere.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from adapters.discord.events import File
from core.domain.platforms import CommandWords

ASK_ABOUT = "Ask about this"
INDEX = "Index these PDFs"
_PLACEHOLDER = re.compile(r"[A-Z][A-Z_]*")
_DESCRIPTION = 100
_STRING, _BOOLEAN, _ATTACHMENT = 3, 5, 11
_SLASH, _MESSAGE = 1, 3
_FILES = 5
_KEPT = ("type", "name", "description")
_KEPT_OF_OPTION = ("type", "name", "description", "required", "autocomplete")


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandCall:
    """A command as somebody gave it. ``typing`` is the option that is being typed, where words are to be offered."""

    name: str
    options: Mapping[str, str] = field(default_factory=dict)
    files: tuple[File, ...] = ()
    typing: str = ""
    message: str = ""

    @property
    def private(self) -> bool:
        """Whether the asker alone is to see the answer."""
        return self.options.get("private") == "True"


def registration(commands: Mapping[str, CommandWords]) -> list[dict[str, Any]]:
    """The payload that registers every command, in a fixed order."""
    own = [_ask(), _upload(), _stop()]
    names = {command["name"] for command in own}
    others = [_slash_of(command) for command in commands.values() if command.name not in names]
    return [*own, *others, _menu(ASK_ABOUT), _menu(INDEX)]


def differ(wanted: Sequence[Mapping[str, Any]], current: Sequence[Mapping[str, Any]]) -> bool:
    """Whether what is registered is not what is wanted; what Discord adds of its own does not count."""
    return _comparable(wanted) != _comparable(current)


def words_of(call: CommandCall, command: CommandWords) -> str:
    """What stands behind the command's name when it is written out, from the options that were filled in."""
    text, start, filled = "", 0, 0
    for match in _PLACEHOLDER.finditer(command.takes):
        value = call.options.get(match[0].lower(), "").strip()
        text += command.takes[start : match.start()] + value
        start = match.end()
        if value:
            filled = len(text)
    return " ".join(text[:filled].split()).strip(" []…")


def placeholder(command: CommandWords, option: str) -> str:
    """The name in the usage that an option stands for, such as ``PAPER``."""
    return next((name for name in _PLACEHOLDER.findall(command.takes) if name.lower() == option), "")


def parse_call(data: Mapping[str, Any]) -> CommandCall:
    """What came with an interaction: options by name, files, the option being typed, the message of a menu."""
    attachments = (data.get("resolved") or {}).get("attachments") or {}
    options = data.get("options") or ()
    values = {option["name"]: str(option.get("value", "")) for option in options}
    kinds = {option["name"]: option["type"] for option in options}
    focused = [option["name"] for option in options if option.get("focused")]
    return CommandCall(
        name=str(data["name"]),
        options={name: value for name, value in values.items() if kinds[name] != _ATTACHMENT},
        files=tuple(file_of(attachments[value]) for value in values.values() if value in attachments),
        typing=focused[0] if focused else "",
        message=str(data.get("target_id") or ""),
    )


def file_of(payload: Mapping[str, Any]) -> File:
    """An attachment of a payload."""
    return File(
        id=str(payload["id"]),
        name=str(payload["filename"]),
        mime=str(payload.get("content_type") or ""),
        size=int(payload.get("size") or 0),
        url=str(payload["url"]),
    )


def _options(command: CommandWords) -> list[dict[str, Any]]:
    names = dict.fromkeys(map(str.lower, _PLACEHOLDER.findall(command.takes)))
    return [
        _option(_STRING, name, f"in: {command.usage}", autocomplete=index == 0 or name.startswith("paper"))
        for index, name in enumerate(names)
    ]


def _slash_of(command: CommandWords) -> dict[str, Any]:
    file = _option(_ATTACHMENT, "file", "a bibliography: BibTeX, RIS or CSL-JSON", required=True)
    return _slash(command.name, command.does, [*([file] if command.takes_file else []), *_options(command)])


def _ask() -> dict[str, Any]:
    options = [
        _option(_STRING, "question", "what you want to know", required=True),
        _option(_STRING, "paper", "ask one paper only", autocomplete=True),
        _option(_BOOLEAN, "private", "show the answer to you alone"),
    ]
    return _slash("ask", "asks the papers; the answer comes with its sources", options)


def _upload() -> dict[str, Any]:
    names = ["file", *(f"file{number}" for number in range(2, _FILES + 1))]
    files = [_option(_ATTACHMENT, name, "a PDF", required=name == "file") for name in names]
    return _slash("upload", "adds PDFs to the papers of this place", files)


def _stop() -> dict[str, Any]:
    return _slash("stop", "ends the answer that is being written here", [])


def _option(
    kind: int, name: str, description: str, *, required: bool = False, autocomplete: bool = False
) -> dict[str, Any]:
    option = {"type": kind, "name": name, "description": description[:_DESCRIPTION], "required": required}
    return {**option, "autocomplete": True} if autocomplete else option


def _slash(name: str, does: str, options: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "type": _SLASH,
        "name": name,
        "description": (does or name)[:_DESCRIPTION],
        "options": options,
        **_everywhere(),
    }


def _menu(name: str) -> dict[str, Any]:
    return {"type": _MESSAGE, "name": name, **_everywhere()}


def _everywhere() -> dict[str, Any]:
    """In servers that let the bot in and in its direct messages; not by a person's own installation."""
    return {"integration_types": [0], "contexts": [0, 1]}


def _comparable(commands: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What of commands is ours, in a fixed order."""
    described = [_own_fields(command) for command in commands]
    return sorted(described, key=lambda command: (command["type"], command["name"]))


def _own_fields(command: Mapping[str, Any]) -> dict[str, Any]:
    options = [_filled(option, _KEPT_OF_OPTION) for option in command.get("options") or ()]
    return {"type": _SLASH, **_filled(command, _KEPT), "options": options}


def _filled(payload: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: payload[name] for name in names if payload.get(name)}
