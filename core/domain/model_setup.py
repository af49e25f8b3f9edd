"""Finding and connecting a language model, as the command line and the local page both do it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedModel:
    """A model that a server offers; ``context_tokens`` is 0 where the server does not say how much it takes in."""

    name: str
    context_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelServer:
    """A server that answers at ``base_url``; ``program`` is what usually listens there."""

    program: str
    base_url: str
    models: tuple[OfferedModel, ...]


class ModelSetup(Protocol):
    """Connects a language model to this installation."""

    def current(self) -> str:
        """What is set now, in one sentence."""

    async def servers(self) -> Sequence[ModelServer]:
        """The servers that answer on this machine, at their usual ports."""

    async def connect(self, base_url: str, model: str, key: str) -> Sequence[str]:
        """Try a model and write it into the settings; what came of it, a sentence each.

        An empty ``model`` means the only one there. Raises ``ModelKeyRefused`` where a key is needed,
        ``SettingsInvalid`` and ``ModelUnavailable``; nothing is written then.
        """
