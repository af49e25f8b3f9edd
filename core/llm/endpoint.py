"""The way to one endpoint and to no other: what may be sent there, in which form, how often and how many at once.

Variables of other programs cannot change where requests go or what they carry: proxies of the environment are
not used, redirects not followed, and a gate takes off every header that this file did not mean to send.
"""

import asyncio
import logging
import os
import random
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from core.config import LlmConfig
from core.domain.errors import ModelReplyUnusable, ModelUnavailable
from core.domain.language_models import EndpointFacts, EndpointMemory, ProcessMemory
from core.domain.model import Usage
from core.llm.failures import CallFailure, ModelLabel, classify_error, web_page_failure

if TYPE_CHECKING:
    from langchain_core.messages.ai import UsageMetadata
    from langchain_openai import ChatOpenAI

MAX_TRIES = 3
INITIAL_BACKOFF = 0.5
_TEMPERATURE = 0.0
"""The same question is answered the same way."""
ROOM_FOR_THOUGHTS = 4
"""A model that thinks before it replies may write this many times the tokens of a reply."""
PATIENCE_WITH_THOUGHTS = 2
"""And be silent this many times as long."""
_BYTES_A_TOKEN_AT_LEAST = 3
"""Of a prompt, to reckon on the safe side what the context leaves for the reply."""
_ALLOWED_HEADERS = frozenset(
    (
        *("host", "connection", "accept", "accept-encoding"),
        *("content-type", "content-length", "transfer-encoding"),
        "x-stainless-raw-response",
    )
)
"""Headers that may go out; by the last one the client's library recognises its own calls."""
_NO_KEY = "none"
BYTES_PER_TOKEN = 4
"""Of text in UTF-8: English words come to about this, whatever the tokeniser."""


_LIMITS = ("max_tokens", "max_completion_tokens")
"""What the limit of a reply is called: first by most servers, then by newer models of some."""
_PARAMETERS = ("stream_options", *_LIMITS, "temperature")
"""What requests carry beside their messages and some servers refuse, in the order in which it is left out."""
_STREAM = re.compile(r"\bstream(?:ing|ed)?\b(?!_)", re.IGNORECASE)


class CircuitBreaker:
    """Keeps a dead endpoint from being asked again and again.

    Closed while calls succeed; open for ``seconds`` after ``failures`` in a row, then one call may try.
    """

    def __init__(
        self,
        model: str = "language model",
        *,
        failures: int = 3,
        seconds: float = 30.0,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._model = model
        self._most = failures
        self._seconds = seconds
        self._now = now
        self._failed = 0
        self._until = 0.0

    def check(self) -> None:
        """Raises ``ModelUnavailable`` while the endpoint is left alone; else the caller is the one that tries."""
        if self._failed < self._most:
            return
        left = self._until - self._now()
        if left > 0:
            raise ModelUnavailable(f"The {self._model} has not answered lately and is left alone for {left:.0f} s.")
        self._until = self._now() + self._seconds

    def succeeded(self) -> None:
        """The endpoint answered."""
        self._failed = 0

    def failed(self) -> None:
        """The endpoint did not answer."""
        self._failed += 1
        self._until = self._now() + self._seconds


def disable_tracing() -> AbstractContextManager[None]:
    """Tracing is off inside, whatever the environment says, unless the call belongs to a run that is traced."""
    from langsmith import tracing_context
    from langsmith.run_helpers import get_tracing_context

    if get_tracing_context()["enabled"] is True:
        return nullcontext()
    return tracing_context(enabled=False, parent=False)


class Endpoint:
    """One address with its client, breaker, queue and what is known of it.

    ``pause`` and ``chance`` may be replaced in tests.
    """

    def __init__(
        self,
        config: LlmConfig,
        *,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
        chance: Callable[[], float] = random.random,
        breaker: CircuitBreaker | None = None,
        named: ModelLabel | None = None,
        memory: EndpointMemory | None = None,
    ) -> None:
        self.config = config
        self.named = named or ModelLabel()
        self.memory = memory or ProcessMemory()
        self._pause = pause
        self._chance = chance
        self._breaker = breaker or CircuitBreaker(self.named.model)
        self._turns = asyncio.Semaphore(config.concurrency)
        self._client: ChatOpenAI | None = None

    @asynccontextmanager
    async def turn(self) -> AsyncIterator["Turn"]:
        """One of the calls that may run side by side. Raises ``ModelUnavailable`` while the endpoint is left alone."""
        async with self._turns:
            self._breaker.check()
            try:
                yield Turn(self.config, self.memory)
            except ModelReplyUnusable:
                self._breaker.succeeded()
                raise
            except ModelUnavailable:
                self._breaker.failed()
                raise
            self._breaker.succeeded()

    def classify_failure(self, fault: BaseException) -> CallFailure:
        """What a fault means, in words that name this endpoint's settings."""
        return classify_error(fault, self.named)

    async def wait_before_retry(self, failure: CallFailure, tried: int) -> None:
        """Wait before the next try, longer each time and not all at once; raises where another try is pointless."""
        if not failure.again or tried >= MAX_TRIES:
            raise failure.error
        await self._pause(failure.wait or INITIAL_BACKOFF * 2 ** (tried - 1) * (0.5 + self._chance()))

    async def client(self) -> "ChatOpenAI":
        """The client; its library takes seconds to load, so the first call waits for it in a thread."""
        if self._client is None:
            await asyncio.to_thread(_load)
            self._client = _build_client(self.config)
        return self._client

    def call(self, used: "UsageMetadata | None" = None) -> Usage:
        """One call as it is counted: the tokens that the endpoint told."""
        return self._priced(used.get("input_tokens", 0), used.get("output_tokens", 0)) if used else Usage(calls=1)

    def estimate_usage(self, asked: str, said: int) -> Usage:
        """One call that nobody counted, from its text and the bytes of the reply: the endpoint does not count, or would
        have at the end of a reply that was not waited for. What was read and written is paid for all the same.
        """
        return self._priced(len(asked.encode()) // BYTES_PER_TOKEN, said // BYTES_PER_TOKEN)

    def _priced(self, prompt: int, reply: int) -> Usage:
        price = prompt * self.config.prompt_price + reply * self.config.reply_price
        return Usage(calls=1, prompt_tokens=prompt, reply_tokens=reply, cost=price / 1_000_000)

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.root_async_client.close()
            self._client.root_client.close()
            self._client = None


class Turn:
    """One call and what its requests carry: what the endpoint refuses is left out of the next request.

    What was refused is remembered only once a request without it was accepted: a server that refuses everything for a
    while names parameters, too. Each call compares a refusal with what it sent itself, since calls run side by side
    and another one may have learnt the same meanwhile.
    """

    def __init__(self, config: LlmConfig, memory: EndpointMemory) -> None:
        self._config = config
        self._memory = memory
        facts = memory.facts()
        self._refused = facts.refused
        self.streams = facts.streams
        self.thinks = facts.thinks
        self.thinks_untagged = facts.thinks_untagged
        self._had_room = False

    @property
    def usage_in_stream(self) -> bool:
        """Whether to ask for the count of tokens in a stream."""
        return "stream_options" not in self._refused

    @property
    def silence(self) -> float:
        """Seconds that the endpoint may be silent."""
        return self._config.timeout_seconds * (PATIENCE_WITH_THOUGHTS if self.thinks else 1)

    def reply_limit(self, asked: str) -> int:
        """Tokens that the reply to ``asked`` may have: more where the model thinks, as many as the context allows."""
        self._had_room = self.thinks
        wanted = self._config.max_tokens * (ROOM_FOR_THOUGHTS if self.thinks else 1)
        left = self._config.context_tokens - len(asked.encode()) // _BYTES_A_TOKEN_AT_LEAST
        return min(wanted, max(left, self._config.context_tokens // 3))

    def body(self, limit: int, more: Mapping[str, object] | None = None) -> dict[str, object]:
        """What a request carries beside its messages; ``limit``: the tokens that a reply may have."""
        named = next((name for name in _LIMITS if name not in self._refused), None)
        given: dict[str, object] = {named: limit} if named else {}
        if "temperature" not in self._refused:
            given["temperature"] = _TEMPERATURE
        return given | dict(more or {})

    def corrected(self, failure: CallFailure) -> bool:
        """Whether a refusal names something that can be left out; then the next request of this call does so."""
        if failure.context_tokens:
            self._memory.learn(partial(replace, context_tokens=failure.context_tokens))
        if failure.status not in (400, 422) or failure.too_long:
            return False
        detail = failure.detail.casefold()
        named = next((name for name in _PARAMETERS if name in detail and name not in self._refused), None)
        if named is not None:
            self._refused |= {named}
            return True
        return self.without_stream() if _STREAM.search(detail) else False

    def without_stream(self) -> bool:
        """Ask for whole replies from here on; False where that is done already."""
        streamed, self.streams = self.streams, False
        return streamed

    def with_room_for_thoughts(self) -> bool:
        """Give thoughts their room from here on; False where the last request gave it already."""
        self.thinks = True
        return not self._had_room

    def accepted(self) -> None:
        """The endpoint has taken a request: what it lacked is left out from now on."""
        facts = self._memory.facts()
        if self._added(facts) != facts:
            self._memory.learn(self._added)

    def _added(self, facts: EndpointFacts) -> EndpointFacts:
        """What is known with what this call found out."""
        return replace(
            facts,
            refused=facts.refused | self._refused,
            streams=facts.streams and self.streams,
            thinks=facts.thinks or self.thinks,
            thinks_untagged=facts.thinks_untagged or self.thinks_untagged,
        )


def _load() -> None:
    # Their mere presence makes langchain-core refuse to run with tracing off.
    for name in ("LANGCHAIN_TRACING", "LANGCHAIN_HANDLER"):
        os.environ.pop(name, None)
    import langchain_openai  # noqa: F401  (seconds of loading)

    for name in ("openai", "httpx", "httpx2", "langchain_openai"):  # OPENAI_LOG would print whole requests
        logging.getLogger(name).setLevel(logging.ERROR)


def _build_client(config: LlmConfig) -> "ChatOpenAI":
    import openai
    from langchain_openai import ChatOpenAI
    from pydantic import SecretStr

    async def gate(request: Any) -> None:
        _restrict_request(request, config)

    def plain_gate(request: Any) -> None:
        _restrict_request(request, config)

    async def check(response: Any) -> None:
        _refuse_web_page(response)

    quiet: dict[str, Any] = {"trust_env": False, "follow_redirects": False, "timeout": config.timeout_seconds}
    return ChatOpenAI(
        model=config.model,
        base_url=config.base_url,
        api_key=SecretStr(config.api_key or _NO_KEY),
        organization="",
        openai_proxy=None,
        timeout=config.timeout_seconds,
        stream_chunk_timeout=None,
        max_retries=0,
        use_responses_api=False,
        cache=False,
        callbacks=[],
        output_version="v0",
        http_client=openai.DefaultHttpxClient(event_hooks={"request": [plain_gate]}, **quiet),
        http_async_client=openai.DefaultAsyncHttpxClient(event_hooks={"request": [gate], "response": [check]}, **quiet),
    )


def _restrict_request(request: Any, config: LlmConfig) -> None:
    """Refuse another address and take off what the environment or a library added."""
    ours = type(request.url)(config.base_url)
    same = (request.url.scheme, request.url.host, request.url.port) == (ours.scheme, ours.host, ours.port)
    if not (same and request.url.path.startswith(ours.path.rstrip("/") + "/")):
        raise ModelUnavailable("A request to another address than FOOTNOTE_LLM_BASE_URL was stopped.")
    for name in [name for name in request.headers if name.lower() not in _ALLOWED_HEADERS]:
        del request.headers[name]
    request.headers["user-agent"] = "footnote"
    if config.api_key:
        request.headers["authorization"] = f"Bearer {config.api_key}"


def _refuse_web_page(response: Any) -> None:
    """A page for people is no reply; one that tells of a fault of the server is told as that."""
    if response.headers.get("content-type", "").startswith("text/html") and response.status_code < 500:
        raise web_page_failure(response.status_code)
