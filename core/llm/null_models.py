"""The null objects: what stands where no language or vision model is configured."""

from collections.abc import AsyncGenerator, Mapping

from core.domain.errors import ModelUnavailable
from core.domain.language_models import UNMETERED, Meter

_NONE = "No language model is configured (FOOTNOTE_LLM_BASE_URL and FOOTNOTE_LLM_MODEL)."


class NullLanguageModel:
    """Always unavailable; nothing is sent anywhere."""

    identity = ""

    async def structured(
        self, prompt: str, schema: Mapping[str, object], *, system: str = "", meter: Meter = UNMETERED
    ) -> Mapping[str, object]:
        """Raises ``ModelUnavailable``."""
        raise ModelUnavailable(_NONE)

    async def stream(
        self,
        prompt: str,
        *,
        system: str = "",
        schema: Mapping[str, object] | None = None,
        meter: Meter = UNMETERED,
    ) -> AsyncGenerator[str, None]:
        """Raises ``ModelUnavailable``."""
        raise ModelUnavailable(_NONE)
        yield ""  # what makes this a generator, as the port wants it

    async def warm(self) -> None:
        """Nothing to load."""

    async def close(self) -> None:
        """Nothing to close."""


class NullVisionModel:
    """Sees nothing."""

    identity = ""

    async def describe(self, image: bytes, question: str, *, meter: Meter = UNMETERED) -> str:
        """No words."""
        return ""

    async def copy(self, image: bytes, order: str, *, meter: Meter = UNMETERED) -> str:
        """No words."""
        return ""

    async def close(self) -> None:
        """Nothing to close."""
