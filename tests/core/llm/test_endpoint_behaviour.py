"""Endpoints of every kind: what they refuse or lack is learnt once; failures are told as they are."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from core.config import LlmConfig
from core.domain.errors import ModelUnavailable
from core.domain.language_models import EndpointFacts
from core.library.files.endpoint_facts import EndpointFile
from core.llm.chat import ChatModel
from core.llm.endpoint import Endpoint
from tests.llm.scripted_server import Request, Says, Script, ScriptedServer

SCHEMA = {"type": "object", "properties": {"words": {"type": "string"}}, "required": ["words"]}
GOOD = '{"words": "dune grass"}'
HTML = Says(raw="<!doctype html><p>Please log in", headers={"content-type": "text/html; charset=utf-8"})


class Asked:
    """A model of one process: its facts are read from ``data`` anew. ``waits`` are the seconds it was made to wait."""

    def __init__(self, server: ScriptedServer, data: Path, **settings: object) -> None:
        values: dict[str, object] = {"max_tokens": 256, "timeout_seconds": 5.0, **settings}
        config = LlmConfig(base_url=server.url, model="scripted", **values)  # type: ignore[arg-type]
        self.waits: list[float] = []
        self.memory = EndpointFile(data, config.base_url, config.model)
        self.model = ChatModel(config, endpoint=Endpoint(config, pause=self._pause, memory=self.memory))

    async def _pause(self, seconds: float) -> None:
        self.waits.append(seconds)

    async def streamed(self, schema: Mapping[str, object] | None = None) -> str:
        """What is streamed, or the words of the failure in brackets."""
        said = ""
        try:
            async for piece in self.model.stream("Which plant?", schema=schema):
                said += piece
        except ModelUnavailable as failure:
            said += f"[{failure.words}]"
        finally:
            await self.model.close()
        return said

    async def structured(self) -> object:
        try:
            return await self.model.structured("Which plant?", SCHEMA)
        except ModelUnavailable as failure:
            return failure.words
        finally:
            await self.model.close()


async def both(script: Script, data: Path) -> tuple[str, object]:
    with ScriptedServer(script) as server:
        return await Asked(server, data).streamed(), await Asked(server, data).structured()


def refusing(name: str) -> Script:
    def script(request: Request) -> Says:
        if name in request.body:
            return Says(status=400, error=f"Unsupported parameter: '{name}' is not supported with this model.")
        return Says(text=GOOD)

    return script


@pytest.mark.parametrize("name", ["max_tokens", "temperature", "stream_options", "response_format"])
async def test_what_an_endpoint_refuses_is_not_sent_again_by_the_next_process(name: str, tmp_path: Path) -> None:
    with ScriptedServer(refusing(name)) as server:
        assert await Asked(server, tmp_path).streamed(SCHEMA) == GOOD
        assert await Asked(server, tmp_path).structured() == {"words": "dune grass"}
        before = len(server.requests)
        assert await Asked(server, tmp_path).streamed(SCHEMA) == GOOD
        assert await Asked(server, tmp_path).structured() == {"words": "dune grass"}
    assert len(server.requests) == before + 2


async def test_a_server_that_takes_no_limit_under_any_name_is_sent_none(tmp_path: Path) -> None:
    def script(request: Request) -> Says:
        named = next((name for name in ("max_tokens", "max_completion_tokens") if name in request.body), "")
        return Says(status=400, error=f"unknown field {named}") if named else Says(text="Dune grass.")

    with ScriptedServer(script) as server:
        assert await Asked(server, tmp_path).streamed() == "Dune grass."
    assert len(server.requests) == 3


def whole_only(refuses: bool) -> Script:
    whole = json.dumps(
        {
            "id": "x",
            "object": "chat.completion",
            "created": 1,
            "model": "scripted",
            "choices": [
                {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Dune grass."}}
            ],
        }
    )

    def script(request: Request) -> Says:
        if refuses and request.body.get("stream"):
            return Says(status=400, error="Streaming is not supported.")
        return Says(raw=whole)

    return script


@pytest.mark.parametrize("refuses", [True, False], ids=["refuses a stream", "answers it with a whole reply"])
async def test_a_server_without_streams_is_asked_for_whole_replies(refuses: bool, tmp_path: Path) -> None:
    with ScriptedServer(whole_only(refuses)) as server:
        assert await Asked(server, tmp_path).streamed() == "Dune grass."
        assert await Asked(server, tmp_path).streamed() == "Dune grass."
    assert [request.body.get("stream", False) for request in server.requests] == [True, False, False]


def thinking(needs: int, *, tagged: bool) -> Script:
    """A model whose thoughts fill ``needs`` tokens before it says anything."""

    def script(request: Request) -> Says:
        if request.body["max_tokens"] < needs:
            return Says(text="<think>Let me see" if tagged else "", ending="length")
        return Says(text=f"<think>Is it moss? No.</think>{GOOD}" if tagged else GOOD)

    return script


@pytest.mark.parametrize("tagged", [True, False], ids=["in its reply", "apart from its reply"])
async def test_a_model_that_thinks_is_given_room_for_it_once_and_for_all(tagged: bool, tmp_path: Path) -> None:
    with ScriptedServer(thinking(1_000, tagged=tagged)) as server:
        assert await Asked(server, tmp_path).streamed() == GOOD
        assert [request.body["max_tokens"] for request in server.requests] == [256, 1_024]
        assert await Asked(server, tmp_path).structured() == {"words": "dune grass"}
        assert await Asked(server, tmp_path).streamed() == GOOD
    assert len(server.requests) == 4


async def test_a_first_object_of_a_model_that_thinks_is_asked_for_again_with_room(tmp_path: Path) -> None:
    with ScriptedServer(thinking(1_000, tagged=True)) as server:
        assert await Asked(server, tmp_path).structured() == {"words": "dune grass"}
    assert [request.method for request in server.requests] == ["json_schema", "json_schema"]


async def test_a_model_whose_thoughts_have_no_end_is_told_to_have_reached_its_limit(tmp_path: Path) -> None:
    said, asked = await both(lambda _: Says(text="<think>and then", ending="length"), tmp_path)
    assert "reached its limit in one reply (FOOTNOTE_LLM_MAX_TOKENS" in said and said.startswith("[")
    assert "reached its limit" in str(asked)


async def test_thoughts_without_an_opening_tag_reach_nobody_from_the_second_reply_on(tmp_path: Path) -> None:
    text = "It is no moss, so\n</think>\n\nDune grass."
    with ScriptedServer(lambda _: Says(text=text)) as server:
        await Asked(server, tmp_path).streamed()
        assert (await Asked(server, tmp_path).streamed()).strip() == "Dune grass."
        server.script = lambda _: Says(text="Marram, this time without a thought.")
        assert await Asked(server, tmp_path).streamed() == "Marram, this time without a thought."


async def test_a_reply_leaves_the_prompt_its_part_of_a_small_context(tmp_path: Path) -> None:
    with ScriptedServer(lambda _: Says(text="Dune grass.")) as server:
        asked = Asked(server, tmp_path, context_tokens=3_000, max_tokens=2_048)
        "".join([piece async for piece in asked.model.stream("word " * 900)])
        await asked.model.close()
    limit = server.requests[0].body["max_tokens"]
    assert limit == 3_000 - 900 * 5 // 3


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ("This model's maximum context length is 4096 tokens. However, you requested 9000 tokens", "4,096 tokens"),
        ("the request exceeds the available context size, n_ctx: 2048", "2,048 tokens"),
        ("prompt is too long", "lower FOOTNOTE_LLM_CONTEXT_TOKENS"),
    ],
)
async def test_a_request_beyond_the_context_says_so_at_once(error: str, words: str, tmp_path: Path) -> None:
    with ScriptedServer(lambda _: Says(status=400, error=error)) as server:
        told = await Asked(server, tmp_path).structured()
        assert len(server.requests) == 1
        assert words in str(told) and "longer than" in str(told)
        found = Asked(server, tmp_path).memory.facts().context_tokens
    assert f"{found:,}" in words or found == 0


@pytest.mark.parametrize(
    ("says", "words"),
    [
        (HTML, "sent a web page instead of a reply (200)"),
        (Says(status=403, raw=HTML.raw, headers=HTML.headers), "sent a web page instead of a reply (403)"),
        (Says(status=502, raw=HTML.raw, headers=HTML.headers), "fault of its own (502)"),
        (Says(status=302, headers={"location": "http://127.0.0.1:1/"}), "another address, which is not followed"),
        (Says(status=429, error="You exceeded your current quota: insufficient_quota"), "quota is used up (429)"),
        (Says(status=429, headers={"retry-after": "7"}), "fewer requests and to wait 7 s"),
        (Says(status=402), "wants the account paid"),
        (Says(text=""), "sent an empty reply"),
        (Says(text="", ending="content_filter"), "withheld the reply"),
    ],
)
async def test_a_failure_is_told_as_what_it_is_in_one_sentence(says: Says, words: str, tmp_path: Path) -> None:
    said, asked = await both(lambda _: says, tmp_path)
    assert words in said
    assert words in str(asked)
    assert said.count("{") == 0 and "Traceback" not in said


async def test_an_account_without_quota_is_not_asked_again_and_again(tmp_path: Path) -> None:
    with ScriptedServer(lambda _: Says(status=429, error="insufficient_quota")) as server:
        asked = Asked(server, tmp_path)
        await asked.streamed()
    assert (len(server.requests), asked.waits) == (1, [])


async def test_a_slow_first_word_is_waited_for(tmp_path: Path) -> None:
    with ScriptedServer(lambda _: Says(text="Grass.", pause=0.8)) as server:
        assert await Asked(server, tmp_path, timeout_seconds=2.0).streamed() == "Grass."


async def test_a_wait_that_was_asked_for_is_kept(tmp_path: Path) -> None:
    replies = iter([Says(status=429, headers={"retry-after": "2"}), Says(status=503), Says(text="Grass.")])
    with ScriptedServer(lambda _: next(replies)) as server:
        asked = Asked(server, tmp_path)
        assert await asked.streamed() == "Grass."
    assert asked.waits[0] == 2.0 and len(asked.waits) == 2


def test_what_two_processes_learn_is_kept_together(tmp_path: Path) -> None:
    first, second = (EndpointFile(tmp_path, "http://h/v1", "m") for _ in range(2))
    assert first.facts() == second.facts() == EndpointFacts()
    first.learn(lambda facts: EndpointFacts(refused=facts.refused | {"temperature"}))
    second.learn(lambda facts: EndpointFacts(refused=facts.refused | {"max_tokens"}, capability="claims", prompts="3"))
    kept = EndpointFile(tmp_path, "http://h/v1/", "m").facts()
    assert kept == EndpointFacts(refused=frozenset({"temperature", "max_tokens"}), capability="claims", prompts="3")
    assert EndpointFile(tmp_path, "http://h/v1", "other").facts() == EndpointFacts()
    assert [path.stat().st_mode & 0o777 for path in (tmp_path / "endpoints").iterdir()] == [0o600]


def test_a_broken_file_counts_as_nothing_learnt_and_is_replaced(tmp_path: Path) -> None:
    EndpointFile(tmp_path, "http://h/v1", "m").learn(lambda _: EndpointFacts(thinks=True))
    (file,) = (tmp_path / "endpoints").iterdir()
    for broken in ("", "[]", '{"refused": 1}', "\x00"):
        file.write_text(broken)
        assert EndpointFile(tmp_path, "http://h/v1", "m").facts() == EndpointFacts()
    EndpointFile(tmp_path, "http://h/v1", "m").learn(lambda _: EndpointFacts(streams=False))
    assert EndpointFile(tmp_path, "http://h/v1", "m").facts() == EndpointFacts(streams=False)


def test_a_folder_that_cannot_be_written_to_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "endpoints").write_text("in the way")
    memory = EndpointFile(tmp_path, "http://h/v1", "m")
    memory.learn(lambda _: EndpointFacts(thinks=True))
    assert memory.facts().thinks
