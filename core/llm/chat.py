"""A chat model behind an OpenAI-compatible endpoint: objects of a schema, and text as it is written.

What the server offers for schemas is found out by trying, from the strictest way to plain text, and remembered.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, cast

from core.config import LlmConfig
from core.domain.errors import ModelReplyUnusable
from core.domain.language_models import UNMETERED, Meter
from core.domain.model import Usage
from core.llm.endpoint import Endpoint, SchemaMethod, Turn, disable_tracing
from core.llm.failures import BROKE_OFF_MESSAGE, CallFailure, ReplyInterrupted
from core.llm.json_parsing import parse_object

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage

MAX_UNREADABLE_REPLIES = 2
"""Replies that may be unreadable before a call is given up."""
MAX_REPLY_TIMEOUTS = 10
"""A streamed reply takes at most this many times the silence that is allowed."""
MAX_BYTES_PER_TOKEN = 16
"""A reply with more bytes than this for each token allowed comes from a server that does not keep the limit."""
_TOOL = "reply"
_STREAMED: tuple[SchemaMethod, ...] = ("json_schema", "json_object", "text")
"""Ways to ask for a schema that give the reply as text while it is written."""


class ChatModel:
    """One model at one endpoint; safe to share between threads of conversation."""

    def __init__(self, config: LlmConfig, *, endpoint: Endpoint | None = None) -> None:
        self._config = config
        self._endpoint = endpoint or Endpoint(config)

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
        ways = list(self._endpoint.habits.methods)
        while True:
            try:
                reply = await self._patiently(turn, messages, ways[0], schema, meter)
            except _MethodNotSupported:
                ways.pop(0)
                continue
            found = await asyncio.to_thread(parse_object, _reply_text(reply), schema)
            if found is not None:
                # Kept only now: a server that fails at everything for a while has not taught which way it offers.
                self._endpoint.habits.methods = ways
                return found
            unreadable += 1
            if unreadable >= MAX_UNREADABLE_REPLIES:
                raise ModelReplyUnusable("The language model did not keep to the form that was asked for.")
            ways = ways[1:] or ways  # a server that takes no notice of one way may heed the next

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
                return await self._once(turn, messages, _schema_request(method, schema), meter)
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
        with disable_tracing():
            async with asyncio.timeout(self._config.timeout_seconds):
                reply = await client.ainvoke(messages, extra_body=turn.body(more))
        turn.accepted()
        spent = self._endpoint.call(reply.usage_metadata)
        meter.spent(
            spent
            if _total_tokens(spent)
            else self._endpoint.estimate_usage(_prompt_text(messages), len(_reply_text(reply).encode()))
        )
        return reply

    async def stream(
        self,
        prompt: str,
        *,
        system: str = "",
        schema: Mapping[str, object] | None = None,
        meter: Meter = UNMETERED,
    ) -> AsyncGenerator[str, None]:
        """Pieces of text as they come; thoughts between think tags are left out.

        Raises ``ModelUnavailable``, also after pieces: the reply was cut, and its last words are no sentence.
        """
        messages = _messages(prompt, system)
        async with self._endpoint.turn() as turn:
            tried = 0
            ways: list[SchemaMethod] = self._streamed_ways() if schema else ["text"]
            while True:
                begun = False
                more = _schema_request(ways[0], schema or {})
                try:
                    async with aclosing(self._pieces(turn, messages, more, meter)) as pieces:
                        async for piece in pieces:
                            begun = True
                            yield piece
                    return
                except (GeneratorExit, asyncio.CancelledError):
                    raise
                except Exception as fault:
                    failure = self._endpoint.classify_failure(fault)
                    if begun:
                        raise (
                            ReplyInterrupted(self._endpoint.named.said(BROKE_OFF_MESSAGE))
                            if failure.again
                            else failure.error
                        ) from fault
                    if turn.corrected(failure):
                        continue
                    if len(ways) > 1 and _is_method_refusal(failure):
                        ways.pop(0)
                        continue
                    tried += 1
                    await self._endpoint.wait_before_retry(failure, tried)

    def _streamed_ways(self) -> list[SchemaMethod]:
        return [way for way in self._endpoint.habits.methods if way in _STREAMED]

    async def _pieces(
        self, turn: Turn, messages: "list[BaseMessage]", more: Mapping[str, object], meter: Meter
    ) -> AsyncGenerator[str, None]:
        client = await self._endpoint.client()
        thoughts = _ThinkTagFilter()
        said, ended, length = False, "", 0
        clock = asyncio.get_running_loop()
        latest = clock.time() + MAX_REPLY_TIMEOUTS * self._config.timeout_seconds
        coming = cast(
            "AsyncGenerator[AIMessageChunk, None]",
            client.astream(messages, extra_body=turn.body(more), stream_usage=turn.usage_in_stream),
        )
        spent = self._endpoint.call()
        try:
            async with aclosing(coming):
                while True:
                    with disable_tracing():
                        async with asyncio.timeout_at(min(latest, clock.time() + self._config.timeout_seconds)):
                            chunk = await anext(coming, None)
                    turn.accepted()
                    length += len(str(chunk.text).encode()) if chunk else 0
                    if chunk is None or length > MAX_BYTES_PER_TOKEN * self._config.max_tokens:
                        break
                    # Some servers count in every piece, others in the last: the largest count is the whole.
                    spent = max(spent, self._endpoint.call(chunk.usage_metadata), key=_total_tokens)
                    ended = str(chunk.response_metadata.get("finish_reason") or "") or ended
                    piece = thoughts.outside(str(chunk.text))
                    if piece:
                        said = said or not piece.isspace()
                        yield piece
        finally:
            uncounted = length and not _total_tokens(spent)
            meter.spent(self._endpoint.estimate_usage(_prompt_text(messages), length) if uncounted else spent)
        if length > MAX_BYTES_PER_TOKEN * self._config.max_tokens:
            ended = "length"
        if not ended:
            raise ReplyInterrupted(BROKE_OFF_MESSAGE)
        if ended == "length":
            raise ModelReplyUnusable("The language model reached its limit (FOOTNOTE_LLM_MAX_TOKENS).")
        if not said:
            raise ModelReplyUnusable("The language model sent an empty reply.")

    async def warm(self) -> None:
        """Load the client, which takes seconds; sends nothing."""
        await self._endpoint.client()

    async def close(self) -> None:
        """Close the connections."""
        await self._endpoint.close()


class _MethodNotSupported(Exception):
    """The server does not offer this way to ask for a schema."""


class _ThinkTagFilter:
    """Leaves out what stands between think tags, also where a tag comes in pieces."""

    def __init__(self) -> None:
        self._held = ""
        self._inside = False

    def outside(self, piece: str) -> str:
        """The part of the text so far that is meant for a reader and was not yet handed on."""
        self._held += piece
        shown = ""
        while True:
            tag = "</think>" if self._inside else "<think>"
            at = self._held.find(tag)
            if at < 0:
                break
            shown += "" if self._inside else self._held[:at]
            self._held = self._held[at + len(tag) :]
            self._inside = not self._inside
        kept = next((n for n in range(len(tag) - 1, 0, -1) if self._held.endswith(tag[:n])), 0)
        cut = len(self._held) - kept
        shown += "" if self._inside else self._held[:cut]
        self._held = self._held[cut:]
        return shown


def _messages(prompt: str, system: str) -> "list[BaseMessage]":
    from langchain_core.messages import HumanMessage, SystemMessage

    asked = HumanMessage(content=prompt)
    return [SystemMessage(content=system), asked] if system else [asked]


def _prompt_text(messages: "list[BaseMessage]") -> str:
    return "\n".join(str(message.text) for message in messages)


def _schema_request(method: SchemaMethod, schema: Mapping[str, object]) -> Mapping[str, object]:
    """The part of a request that asks for a schema."""
    if method == "json_schema":
        named = {"name": _TOOL, "schema": dict(schema), "strict": True}
        return {"response_format": {"type": "json_schema", "json_schema": named}}
    if method == "function_calling":
        function = {"name": _TOOL, "description": "Give the reply.", "parameters": dict(schema)}
        return {
            "tools": [{"type": "function", "function": function}],
            "tool_choice": {"type": "function", "function": {"name": _TOOL}},
        }
    if method == "json_object":
        return {"response_format": {"type": "json_object"}}
    return {}


def _is_method_refusal(failure: CallFailure) -> bool:
    """Servers refuse a way they do not know with 400, 422, 404, 501 or, some of them, 500."""
    return failure.status in (400, 404, 422, 500, 501)


def _reply_text(reply: "AIMessage") -> str:
    """What a reply says: the arguments of the call it makes, or its text."""
    for call in reply.tool_calls:
        return json.dumps(call["args"])
    for broken in reply.invalid_tool_calls:
        return str(broken.get("args") or "")
    return str(reply.text)


def _total_tokens(spent: Usage) -> int:
    return spent.prompt_tokens + spent.reply_tokens
