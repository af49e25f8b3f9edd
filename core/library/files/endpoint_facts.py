"""Keeps what was learnt about a model at an endpoint in a small JSON file, so that no process has to learn it again."""

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import cast, get_args

from core.domain.language_models import Capability, EndpointFacts
from core.library.files.permissions import make_private_folder

FOLDER = "endpoints"


class EndpointFile:
    """An ``EndpointMemory`` in ``data``: one file for each pair of address and model, replaced as a whole."""

    def __init__(self, data: Path, base_url: str, model: str) -> None:
        named = f"{base_url.rstrip('/')}\n{model}"
        self._file = data / FOLDER / f"{hashlib.sha256(named.encode()).hexdigest()[:24]}.json"
        self._facts: EndpointFacts | None = None

    def facts(self) -> EndpointFacts:
        """What is known; read once."""
        if self._facts is None:
            self._facts = self._read() or EndpointFacts()
        return self._facts

    def learn(self, change: Callable[[EndpointFacts], EndpointFacts]) -> None:
        """Change what is stored now, which another process may have added to; a folder that cannot be written to
        leaves it known to this process alone.
        """
        before = self._read()
        self._facts = change(before or self.facts())
        if self._facts != before:
            with suppress(OSError):
                self._write(self._facts)

    def _read(self) -> EndpointFacts | None:
        try:
            stored = json.loads(self._file.read_text(encoding="utf-8"))
            return _facts(stored)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def _write(self, facts: EndpointFacts) -> None:
        make_private_folder(self._file.parent)
        handle, name = tempfile.mkstemp(dir=self._file.parent, suffix=".new")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(asdict(facts) | {"refused": sorted(facts.refused)}, file, indent=1)
            Path(name).replace(self._file)
        except OSError:
            Path(name).unlink(missing_ok=True)
            raise


def _facts(stored: Mapping[str, object]) -> EndpointFacts:
    """Raises ``KeyError`` or ``TypeError`` where a value is missing or of another kind."""
    capability = stored["capability"]
    return EndpointFacts(
        refused=frozenset(_texts(stored["refused"])),
        schema_methods=_texts(stored["schema_methods"]),
        streamed_methods=_texts(stored["streamed_methods"]),
        streams=stored["streams"] is True,
        thinks=stored["thinks"] is True,
        thinks_untagged=stored["thinks_untagged"] is True,
        context_tokens=int(cast(int, stored["context_tokens"])),
        capability=cast(Capability, capability) if capability in get_args(Capability) else None,
        shortcomings=_texts(stored["shortcomings"]),
        prompts=str(stored["prompts"]),
    )


def _texts(stored: object) -> tuple[str, ...]:
    if not isinstance(stored, list):
        raise TypeError("a list was expected")
    return tuple(str(text) for text in stored)
