"""Who spoke last in a thread, so that the bot does not barge into a conversation between people.

In memory only: after a restart nothing is known of a thread, and then what reads like a question decides alone.
"""

from collections import OrderedDict
from collections.abc import Mapping
from typing import TypeVar

from core.domain.model import Thread
from core.domain.platforms import CommandWords

Value = TypeVar("Value")
_MOST_THREADS = 5_000


def conversation_key(thread: Thread) -> str:
    """Names a thread among those of all workspaces of a platform."""
    return f"{thread.channel.workspace.id}/{thread.key}"


class Recent(OrderedDict[str, Value]):
    """The latest entries; where there are more than ``most``, the oldest are forgotten."""

    def __init__(self, *, most: int = 10_000) -> None:
        super().__init__()
        self._most = most

    def remember(self, key: str, value: Value) -> None:
        """Keep ``value`` under ``key`` as the latest entry."""
        self[key] = value
        self.move_to_end(key)
        while len(self) > self._most:
            self.popitem(last=False)


class Conversations:
    """People who wrote in a thread since the bot last did."""

    def __init__(self, *, most: int = _MOST_THREADS) -> None:
        self._since: Recent[frozenset[str]] = Recent(most=most)

    def spoke(self, thread: str, person: str) -> None:
        """Somebody wrote."""
        self._since.remember(thread, self._since.get(thread, frozenset()) | {person})

    def answered(self, thread: str) -> None:
        """The bot wrote."""
        self._since.remember(thread, frozenset())

    def between_people(self, thread: str, person: str) -> bool:
        """Whether others than ``person`` wrote since the bot did: what is said then is said to them."""
        return bool(self._since.get(thread, frozenset()) - {person})


def command_in(words: str, commands: Mapping[str, CommandWords]) -> tuple[str, str] | None:
    """The command that a message to the bot is, with what stands behind it; None where it is a question.

    ``/papers`` and ``papers`` are commands, ``compare 1 and 2`` too, but ``papers about bees`` and
    ``compare how they bake?`` are asked.
    """
    first, _, rest = words.strip().partition(" ")
    marked = first.startswith(("/", "!"))
    command = command_named(first.lstrip("/!").rstrip(":").casefold(), commands)
    if command is None:
        return None
    is_question = "?" in rest or "？" in rest
    if marked or not rest.strip() or (command.takes_text and not is_question):
        return command.name, rest.strip()
    return None


def command_named(name: str, commands: Mapping[str, CommandWords]) -> CommandWords | None:
    """The command of this name or alias."""
    return commands.get(name) or next((command for command in commands.values() if name in command.aliases), None)
