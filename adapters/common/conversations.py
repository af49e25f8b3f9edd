"""Who spoke last in a thread, so that the bot does not barge into a conversation between people.

In memory only: after a restart nothing is known of a thread, and then what reads like a question decides alone.
"""

from collections import OrderedDict
from collections.abc import Collection

from core.domain.model import Thread

_MOST_THREADS = 5_000
_VERBS = frozenset(
    "backfill bibliography compare correct export extract fetch forget import journal page review settings "
    "summarise summarize tag".split()
)

ALOUD = frozenset(
    "backfill bibliography compare digest export extract fetch forget journal page related related-work "
    "review summarise".split()
)
"""Commands whose result the channel is to see; all others are answered to whoever gave them alone."""


def conversation(thread: Thread) -> str:
    """Names a thread among those of all workspaces of a platform."""
    return f"{thread.channel.workspace.id}/{thread.key}"


class Conversations:
    """People who wrote in a thread since the bot last did."""

    def __init__(self, *, most: int = _MOST_THREADS) -> None:
        self._since: OrderedDict[str, set[str]] = OrderedDict()
        self._most = most

    def spoke(self, thread: str, person: str) -> None:
        """Somebody wrote."""
        self._since.setdefault(thread, set()).add(person)
        self._touch(thread)

    def answered(self, thread: str) -> None:
        """The bot wrote."""
        self._since[thread] = set()
        self._touch(thread)

    def between_people(self, thread: str, person: str) -> bool:
        """Whether others than ``person`` wrote since the bot did: what is said then is said to them."""
        return bool(self._since.get(thread, set()) - {person})

    def _touch(self, thread: str) -> None:
        self._since.move_to_end(thread)
        while len(self._since) > self._most:
            self._since.popitem(last=False)


class Lately:
    """The latest keys, each with a text; the oldest are forgotten."""

    def __init__(self, *, most: int = 10_000) -> None:
        self._values: OrderedDict[str, str] = OrderedDict()
        self._most = most

    def remember(self, key: str, value: str = "") -> None:
        """Keep ``key`` with its text."""
        self._values[key] = value
        while len(self._values) > self._most:
            self._values.popitem(last=False)

    def value(self, key: str) -> str:
        """The text of ``key``, or empty."""
        return self._values.get(key, "")

    def __contains__(self, key: str) -> bool:
        return key in self._values


def command_in(words: str, names: Collection[str]) -> tuple[str, str] | None:
    """The command that a message to the bot is, with what stands behind it; None where it is a question.

    ``/papers`` and ``papers`` are commands, ``compare 1 and 2`` too, but ``papers about bees`` and
    ``compare how they bake?`` are asked.
    """
    first, _, rest = words.strip().partition(" ")
    marked = first.startswith(("/", "!"))
    name = first.lstrip("/!").rstrip(":").casefold()
    name = {"summarize": "summarise"}.get(name, name) if "summarise" in names else name
    if name not in names:
        return None
    if marked or not rest.strip() or (name in _VERBS and "?" not in rest and "？" not in rest):
        return name, rest.strip()
    return None
