"""Runs of the graph in LangSmith, where it was switched on for this bot by name; otherwise nothing is traced.

What goes there are questions, passages, prompts and answers, so it stands apart from the spans, which hold none. Other
programs' variables for it are taken out of this process: they could add addresses, files and words of their own.
"""

import os
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

from core.config import LangsmithConfig

if TYPE_CHECKING:
    from langsmith import Client

_OTHERS = ("LANGSMITH_", "LANGCHAIN_")
_PATIENCE = 10.0
"""Seconds that the end of the process waits for a service that is not there."""


class Tracing(Protocol):
    """Decides what of a run is sent to a tracing service."""

    def run(self) -> AbstractContextManager[None]:
        """One run of the graph goes on inside; loads libraries at the first."""

    def close(self) -> None:
        """Hand over what is still to be sent; may wait, so it belongs in a thread."""


class Untraced:
    """The null object: nothing is, whatever the environment says."""

    def run(self) -> AbstractContextManager[None]:
        """Tracing is off inside."""
        from langsmith import tracing_context

        return tracing_context(enabled=False, parent=False)

    def close(self) -> None:
        """Nothing to send."""


class Langsmith:
    """Sends each run to the project that is configured, beside the answer and never in its way."""

    def __init__(self, config: LangsmithConfig) -> None:
        self._config = config
        self._client: Client | None = None

    def run(self) -> AbstractContextManager[None]:
        """Steps and calls to models inside are sent, to this address alone."""
        from langsmith import tracing_context

        if self._client is None:
            self._client = _client(self._config)
        return tracing_context(enabled=True, parent=False, client=self._client, project_name=self._config.project)

    def close(self) -> None:
        """Send what waits and end the client's thread."""
        if self._client is not None:
            self._client.close(timeout=_PATIENCE)
            self._client = None


def open_tracing(config: LangsmithConfig) -> Tracing:
    """LangSmith where it is configured."""
    return Langsmith(config) if config.configured else Untraced()


def _client(config: LangsmithConfig) -> "Client":
    for name in [name for name in os.environ if name.startswith(_OTHERS)]:
        os.environ.pop(name)
    import requests
    from langsmith import Client
    from langsmith.utils import get_env_var

    get_env_var.cache_clear()  # type: ignore[attr-defined]  # kept what the variables said before
    session = requests.Session()
    session.trust_env = False  # no proxy and no password file of the environment
    return Client(
        api_url=config.base_url,
        api_key=config.api_key,
        session=session,
        tracing_mode="langsmith",
        omit_traced_runtime_info=True,
    )
