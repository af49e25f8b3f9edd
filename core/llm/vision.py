"""A vision model behind an OpenAI-compatible endpoint: a picture and a question in, words out."""

import asyncio
from base64 import b64encode
from typing import NamedTuple

from core.config import LlmConfig
from core.domain.errors import ModelReplyUnusable
from core.domain.language_models import UNMETERED, EndpointMemory, Meter
from core.llm.endpoint import Endpoint, Turn, disable_tracing
from core.llm.failures import ModelLabel

VISION_LABEL = ModelLabel(model="vision model", variables="FOOTNOTE_VLM")


class _Said(NamedTuple):
    """A reply, and whether it was cut at its limit."""

    words: str
    cut: bool


class VisionChatModel:
    """Describes pictures; what it says is a description and never counts as the paper's words."""

    def __init__(
        self, config: LlmConfig, *, endpoint: Endpoint | None = None, memory: EndpointMemory | None = None
    ) -> None:
        self._config = config
        self._endpoint = endpoint or Endpoint(config, named=VISION_LABEL, memory=memory)

    @property
    def identity(self) -> str:
        """The model's name as the endpoint knows it."""
        return self._config.model

    @property
    def _half(self) -> int:
        """Tokens of the context that a reply may take; the picture has the rest."""
        return self._config.context_tokens // 2

    async def describe(self, image: bytes, question: str, *, meter: Meter = UNMETERED) -> str:
        """What the PNG ``image`` shows, with an eye to ``question``. Raises ``ModelUnavailable``."""
        return (await self._asked(image, question, meter, limit=min(self._config.max_tokens, self._half))).words

    async def copy(self, image: bytes, order: str, *, meter: Meter = UNMETERED) -> str:
        """The words on the PNG ``image``. Raises ``ModelUnavailable``, also for a reply that was cut at its limit."""
        # A full page has more words than an answer may have.
        said = await self._asked(image, order, meter, limit=self._half)
        if said.cut:
            raise ModelReplyUnusable(
                f"The vision model's reply was cut after {self._half:,} tokens, half of FOOTNOTE_VLM_CONTEXT_TOKENS."
            )
        return said.words

    async def _asked(self, image: bytes, question: str, meter: Meter, *, limit: int) -> "_Said":
        async with self._endpoint.turn() as turn:
            tried = 0
            while True:
                try:
                    return await self._once(turn, image, question, meter, limit)
                except Exception as fault:
                    failure = self._endpoint.classify_failure(fault)
                    if turn.corrected(failure):
                        continue
                    tried += 1
                    await self._endpoint.wait_before_retry(failure, tried)

    async def _once(self, turn: Turn, image: bytes, question: str, meter: Meter, limit: int) -> "_Said":
        from langchain_core.messages import HumanMessage

        picture = f"data:image/png;base64,{b64encode(image).decode('ascii')}"
        asked = HumanMessage(
            content=[{"type": "text", "text": question}, {"type": "image_url", "image_url": {"url": picture}}]
        )
        client = await self._endpoint.client()
        with disable_tracing():
            async with asyncio.timeout(turn.silence):
                reply = await client.ainvoke([asked], extra_body=turn.body(limit))
        turn.accepted()
        meter.spent(self._endpoint.call(reply.usage_metadata))
        words = str(reply.text).strip()
        if not words:
            raise ModelReplyUnusable("The vision model sent an empty reply.")
        return _Said(words, cut=reply.response_metadata.get("finish_reason") == "length")

    async def close(self) -> None:
        """Close the connections."""
        await self._endpoint.close()
