"""A chat model behind an OpenAI-compatible endpoint: objects of a schema, and text as it is written.

What the server offers for schemas is found out by trying, from the strictest way to plain text, and remembered.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, cast

from core.config import LlmConfig
from core.domain.errors import ModelReplyUnusable
from core.domain.language_models import UNMETERED, EndpointFacts, EndpointMemory, Meter
from core.domain.model import Usage
from core.llm.endpoint import Endpoint, Turn, disable_tracing
from core.llm.failures import BROKE_OFF_MESSAGE, EMPTY_MESSAGE, ENDING_MESSAGES, CallFailure, ReplyInterrupted
from core.llm.json_parsing import parse_object
from core.llm.schema_methods import STREAMED, WHOLE, SchemaMethod, known_methods, reply_text, schema_request
from core.llm.thoughts import ThoughtFilter, without_thoughts

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage

MAX_UNREADABLE_REPLIES = 2
"""Replies that may be unreadable before a call is given up."""
MAX_REPLY_TIMEOUTS = 10
"""A streamed reply takes at most this many times the silence that is allowed."""
MAX_BYTES_PER_TOKEN = 16
"""A reply with more bytes than this for each token allowed comes from a server that does not keep the limit."""


class ChatModel:
    """One model at one endpoint; safe to share between threads of conversation."""

    def __init__(
        self, config: LlmConfig, *, endpoint: Endpoint | None = None, memory: EndpointMemory | None = None
    ) -> None:
        self._config = config
        self._endpoint = endpoint or Endpoint(config, memory=memory)
        self._memory = self._endpoint.memory

    @property
    def identity(self) -> str:
        """The model's name as the endpoint knows it."""
        return self._config.model

    async def structured(
        self, prompt: str, schema: Mapping[str, object], *, system: str = "", meter: Meter = UNMETERED
    ) -> Mapping[str, object]:
        """An object with the properties of ``schema`` (flat). Raises ``ModelUnavailable``."""
        async with self._endpoint.turn() as turn:
            return await self._shaped(turn, _messages(prompt, system), schema, meter)

    async def _shaped(
        self, turn: Turn, messages: "list[BaseMessage]", schema: Mapping[str, object], meter: Meter
    ) -> Mapping[str, object]:
        unreadable = 0
        methods = known_methods(self._memory.facts().schema_methods, WHOLE)
        while True:
            try:
                reply = await self._patiently(turn, messages, methods[0], schema, meter)
            except _MethodNotSupported:
                methods.pop(0)
                continue
            text = reply_text(reply)
            found = await asyncio.to_thread(parse_object, text, schema)
            if found is not None:
                # Kept only now: a server that fails at everything for a while has not taught which way it offers.
                self._learn(partial(replace, schema_methods=tuple(methods)))
                return found
            if _was_all_thoughts(reply, text) and turn.with_room_for_thoughts():
                continue
            unreadable += 1
            if unreadable >= MAX_UNREADABLE_REPLIES:
                raise ModelReplyUnusable(self._endpoint.named.said(_unreadable_words(reply, text)))
            methods = methods[1:] or methods  # a server that takes no notice of one way may heed the next

    async def _patiently(
        self,
        turn: Turn,
        messages: "list[BaseMessage]",
        method: SchemaMethod,
        schema: Mapping[str, object],
        meter: Meter,
    ) -> "AIMessage":
        tried = 0
        while True:
            try:
                return await self._once(turn, messages, schema_request(method, schema), meter)
            except Exception as fault:
                failure = self._endpoint.classify_failure(fault)
                if turn.corrected(failure):
                    continue
                if method != "text" and _is_method_refusal(failure):
                    raise _MethodNotSupported from fault
                tried += 1
                await self._endpoint.wait_before_retry(failure, tried)

    async def _once(
        self, turn: Turn, messages: "list[BaseMessage]", more: Mapping[str, object], meter: Meter
    ) -> "AIMessage":
        client = await self._endpoint.client()
        asked = _prompt_text(messages)
        with disable_tracing():
            async with asyncio.timeout(turn.silence):
                reply = await client.ainvoke(messages, extra_body=turn.body(turn.reply_limit(asked), more))
        turn.thinks = turn.thinks or _counted_thoughts(reply)
        turn.accepted()
        spent = self._endpoint.call(reply.usage_metadata)
        counted = _total_tokens(spent) > 0
        meter.spent(spent if counted else self._endpoint.estimate_usage(asked, len(reply_text(reply).encode())))
        return reply

    async def stream(
        self,
        prompt: str,
        *,
        system: str = "",
        schema: Mapping[str, object] | None = None,
        meter: Meter = UNMETERED,
    ) -> AsyncGenerator[str, None]:
        """Pieces of text as they come, the whole reply from a server that does not stream; thoughts are left out.

        Raises ``ModelUnavailable``, also after pieces: the reply was cut, and its last words are no sentence.
        """
        messages = _messages(prompt, system)
        methods: list[SchemaMethod] = ["text"]
        if schema:
            methods = known_methods(self._memory.facts().streamed_methods, STREAMED)
        async with self._endpoint.turn() as turn:
            tried = 0
            while True:
                begun = False
                more = schema_request(methods[0], schema or {})
                replying = self._pieces if turn.streams else self._whole
                try:
                    async with aclosing(replying(turn, messages, more, meter)) as pieces:
                        async for piece in pieces:
                            begun = True
                            yield piece
                except (GeneratorExit, asyncio.CancelledError):
                    raise
                except Exception as fault:
                    failure = self._endpoint.classify_failure(fault)
                    if begun:
                        raise self._broken_off(failure) from fault
                    if turn.corrected(failure) or _corrected_by_fault(turn, fault):
                        continue
                    if len(methods) > 1 and _is_method_refusal(failure):
                        methods.pop(0)
                        continue
                    tried += 1
                    await self._endpoint.wait_before_retry(failure, tried)
                else:
                    if schema:
                        self._learn(partial(replace, streamed_methods=tuple(methods)))
                    return

    def _learn(self, change: Callable[[EndpointFacts], EndpointFacts]) -> None:
        if change(self._memory.facts()) != self._memory.facts():
            self._memory.learn(change)

    def _broken_off(self, failure: CallFailure) -> Exception:
        return ReplyInterrupted(self._endpoint.named.said(BROKE_OFF_MESSAGE)) if failure.again else failure.error

    async def _whole(
        self, turn: Turn, messages: "list[BaseMessage]", more: Mapping[str, object], meter: Meter
    ) -> AsyncGenerator[str, None]:
        """The reply in one piece, from a server that does not stream."""
        reply = await self._once(turn, messages, more, meter)
        said, ended = without_thoughts(str(reply.text)), _ending(reply)
        if said:
            yield said
        _check_ending(ended or "stop", said=bool(said))

    async def _pieces(
        self, turn: Turn, messages: "list[BaseMessage]", more: Mapping[str, object], meter: Meter
    ) -> AsyncGenerator[str, None]:
        client = await self._endpoint.client()
        asked = _prompt_text(messages)
        limit = turn.reply_limit(asked)
        thoughts = ThoughtFilter(inside=turn.thinks_untagged)
        said, ended, length, begun = False, "", 0, False
        clock = asyncio.get_running_loop()
        latest = clock.time() + MAX_REPLY_TIMEOUTS * turn.silence
        coming = cast(
            "AsyncGenerator[AIMessageChunk, None]",
            client.astream(messages, extra_body=turn.body(limit, more), stream_usage=turn.usage_in_stream),
        )
        spent = self._endpoint.call()
        try:
            async with aclosing(coming):
                while True:
                    with disable_tracing():
                        async with asyncio.timeout_at(min(latest, clock.time() + turn.silence)):
                            chunk = await _next_chunk(coming, begun=begun)
                    if not begun:
                        turn.accepted()
                        begun = True
                    length += len(str(chunk.text).encode()) if chunk else 0
                    if chunk is None or length > MAX_BYTES_PER_TOKEN * limit:
                        break
                    # Some servers count in every piece, others in the last: the largest count is the whole.
                    spent = max(spent, self._endpoint.call(chunk.usage_metadata), key=_total_tokens)
                    turn.thinks = turn.thinks or _counted_thoughts(chunk)
                    ended = _ending(chunk) or ended
                    piece = thoughts.outside(str(chunk.text))
                    if piece:
                        said = said or not piece.isspace()
                        yield piece
            rest = thoughts.rest()
            if rest:
                said = said or not rest.isspace()
                yield rest
        finally:
            uncounted = length and not _total_tokens(spent)
            meter.spent(self._endpoint.estimate_usage(asked, length) if uncounted else spent)
        turn.thinks = turn.thinks or thoughts.seen
        turn.thinks_untagged = turn.thinks_untagged or thoughts.unopened
        turn.accepted()
        _check_ending("length" if length > MAX_BYTES_PER_TOKEN * limit else ended, said=said)

    async def warm(self) -> None:
        """Load the client, which takes seconds; sends nothing."""
        await self._endpoint.client()

    async def close(self) -> None:
        """Close the connections."""
        await self._endpoint.close()


class _MethodNotSupported(Exception):
    """The server does not offer this way to ask for a schema."""


class _NoPieces(ModelReplyUnusable):
    """A stream ended before anything came."""


class _AllThoughts(ModelReplyUnusable):
    """A reply was cut at its limit before it said anything."""


async def _next_chunk(coming: "AsyncGenerator[AIMessageChunk, None]", *, begun: bool) -> "AIMessageChunk | None":
    """None at the end. Raises ``_NoPieces`` where that comes first."""
    try:
        chunk = await anext(coming, None)
    except ValueError as fault:  # how langchain-core tells of a stream without any event
        if begun:
            raise
        raise _NoPieces(EMPTY_MESSAGE) from fault
    if chunk is None and not begun:
        raise _NoPieces(EMPTY_MESSAGE)
    return chunk


def _corrected_by_fault(turn: Turn, fault: Exception) -> bool:
    """Whether the next request of this call is put in another way because of what came of the last."""
    match fault:
        case _NoPieces():
            return turn.without_stream()
        case _AllThoughts():
            return turn.with_room_for_thoughts()
        case _:
            return False


def _check_ending(ended: str, *, said: bool) -> None:
    """Raises where a reply did not end by itself, or had nothing to show."""
    if ended == "length" and not said:
        raise _AllThoughts(ENDING_MESSAGES["length"])
    if ended in ENDING_MESSAGES:
        raise ModelReplyUnusable(ENDING_MESSAGES[ended])
    if not ended:
        raise ReplyInterrupted(BROKE_OFF_MESSAGE)
    if not said:
        raise ModelReplyUnusable(EMPTY_MESSAGE)


def _messages(prompt: str, system: str) -> "list[BaseMessage]":
    from langchain_core.messages import HumanMessage, SystemMessage

    asked = HumanMessage(content=prompt)
    return [SystemMessage(content=system), asked] if system else [asked]


def _prompt_text(messages: "list[BaseMessage]") -> str:
    return "\n".join(str(message.text) for message in messages)


def _is_method_refusal(failure: CallFailure) -> bool:
    """Servers refuse a way they do not know with 400, 422, 404, 501 or, some of them, 500."""
    return failure.status in (400, 404, 422, 500, 501) and not failure.too_long


def _ending(reply: "AIMessage") -> str:
    """Why a reply ended, as the endpoint says; empty where it does not."""
    return str(reply.response_metadata.get("finish_reason") or "")


def _was_all_thoughts(reply: "AIMessage", text: str) -> bool:
    return _ending(reply) == "length" and not without_thoughts(text)


def _unreadable_words(reply: "AIMessage", text: str) -> str:
    """What is told of a reply that holds no object of the schema."""
    if not without_thoughts(text) and _ending(reply) not in ENDING_MESSAGES:
        return EMPTY_MESSAGE
    return ENDING_MESSAGES.get(_ending(reply), "The {model} did not keep to the form that was asked for.")


def _counted_thoughts(reply: "AIMessage") -> bool:
    """Whether the endpoint counts tokens of thoughts."""
    usage = reply.usage_metadata
    return bool(usage and usage.get("output_token_details", {}).get("reasoning"))


def _total_tokens(spent: Usage) -> int:
    return spent.prompt_tokens + spent.reply_tokens
