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
_KEPT = ("type", "name", "description", "options")
_KEPT_OF_OPTION = ("type", "name", "description", "required", "autocomplete")


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
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


def registered(commands: Mapping[str, CommandWords]) -> list[dict[str, Any]]:
    """The payload that registers every command, in a fixed order."""
    own = [_ask(), _upload(), _stop()]
    names = {one["name"] for one in own}
    others = [one for one in commands.values() if one.name not in names]
    made = [_slash(one.name, one.does, [*_file_of(one), *_options(one)]) for one in others]
    return [*own, *made, _menu(ASK_ABOUT), _menu(INDEX)]


def differ(wanted: Sequence[Mapping[str, Any]], there: Sequence[Mapping[str, Any]]) -> bool:
    """Whether what is registered is not what is wanted; what Discord adds of its own does not count."""
    return _comparable(wanted) != _comparable(there)


def words_of(given: Given, command: CommandWords) -> str:
    """What stands behind the command's name when it is written out, from the options that were filled in."""
    told, at, last = "", 0, 0
    for found in _PLACEHOLDER.finditer(command.takes):
        value = given.options.get(found[0].lower(), "").strip()
        told += command.takes[at : found.start()] + value
        at = found.end()
        if value:
            last = len(told)
    return " ".join(told[:last].split()).strip(" []…")


def placeholder(command: CommandWords, option: str) -> str:
    """The name in the usage that an option stands for, such as ``PAPER``."""
    return next((one for one in _PLACEHOLDER.findall(command.takes) if one.lower() == option), "")


def understood(data: Mapping[str, Any]) -> Given:
    """What came with an interaction: options by name, files, the option being typed, the message of a menu."""
    files = (data.get("resolved") or {}).get("attachments") or {}
    options = data.get("options") or ()
    return Given(
        name=str(data["name"]),
        options={one["name"]: str(one.get("value", "")) for one in options if one["type"] != _ATTACHMENT},
        files=tuple(file_of(files[str(one["value"])]) for one in options if str(one.get("value")) in files),
        typing=next((one["name"] for one in options if one.get("focused")), ""),
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
    names = dict.fromkeys(one.lower() for one in _PLACEHOLDER.findall(command.takes))
    return [
        {
            "type": _STRING,
            "name": name,
            "description": f"in: {command.usage}"[:_DESCRIPTION],
            "required": False,
            "autocomplete": at == 0 or name.startswith("paper"),
        }
        for at, name in enumerate(names)
    ]


def _file_of(command: CommandWords) -> list[dict[str, Any]]:
    if not command.takes_file:
        return []
    told = "a bibliography: BibTeX, RIS or CSL-JSON"
    return [{"type": _ATTACHMENT, "name": "file", "description": told, "required": True}]


def _ask() -> dict[str, Any]:
    return _slash(
        "ask",
        "asks the papers; the answer comes with its sources",
        [
            {"type": _STRING, "name": "question", "description": "what you want to know", "required": True},
            {
                "type": _STRING,
                "name": "paper",
                "description": "ask one paper only",
                "required": False,
                "autocomplete": True,
            },
            {
                "type": _BOOLEAN,
                "name": "private",
                "description": "show the answer to you alone",
                "required": False,
            },
        ],
    )


def _upload() -> dict[str, Any]:
    files = [
        {
            "type": _ATTACHMENT,
            "name": "file" if not at else f"file{at + 1}",
            "description": "a PDF",
            "required": not at,
        }
        for at in range(_FILES)
    ]
    return _slash("upload", "adds PDFs to the papers of this place", files)


def _stop() -> dict[str, Any]:
    return _slash("stop", "ends the answer that is being written here", [])


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
    told = []
    for command in commands:
        one = {name: command[name] for name in _KEPT if command.get(name)}
        one.setdefault("type", _SLASH)
        one["options"] = [
            {name: option[name] for name in _KEPT_OF_OPTION if option.get(name)} for option in one.get("options", ())
        ]
        told.append(one)
    return sorted(told, key=lambda one: (one["type"], one["name"]))
