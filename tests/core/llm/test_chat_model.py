"""The chat model against a server that misbehaves in every way known: right values, or an error in plain words."""

import asyncio
import itertools
from contextlib import aclosing
from dataclasses import dataclass, field, replace

import pytest

from core.config import LlmConfig
from core.domain.errors import ModelReplyUnusable, ModelUnavailable
from core.domain.model import Usage
from core.llm import open_language_model, open_vision_model
from core.llm.chat import ChatModel
from core.llm.endpoint import CircuitBreaker, Endpoint
from core.llm.vision import VisionChatModel
from tests.llm.scripted_server import Request, Says, Script, ScriptedServer

SCHEMA = {
    "type": "object",
    "properties": {"sufficient": {"type": "boolean"}, "missing": {"type": "string"}},
    "required": ["sufficient"],
}
GOOD = '{"sufficient": true, "missing": ""}'


@dataclass
class Counted:
    """A meter, and the waits that the endpoint asked for."""

    usage: Usage = field(default_factory=Usage)
    waits: list[float] = field(default_factory=list)

    def spent(self, usage: Usage) -> None:
        self.usage += usage

    async def pause(self, seconds: float) -> None:
        self.waits.append(round(seconds, 2))


def model(server: ScriptedServer, counted: Counted, *, seconds: float = 5.0, limit: int = 512) -> ChatModel:
    config = LlmConfig(
        base_url=server.url, model="scripted", timeout_seconds=seconds, api_key="secret-key", max_tokens=limit
    )
    return ChatModel(config, endpoint=Endpoint(config, pause=counted.pause, chance=lambda: 0.5))


async def told(script: Script) -> tuple[object, Counted, ScriptedServer]:
    counted = Counted()
    with ScriptedServer(script) as server:
        asked = model(server, counted)
        try:
            found: object = await asked.structured("p", SCHEMA, system="s", meter=counted)
        except ModelUnavailable as error:
            found = error
        await asked.close()
    return found, counted, server


async def streamed(
    script: Script, *, seconds: float = 5.0, limit: int = 512
) -> tuple[str, ModelUnavailable | None, Counted]:
    counted, said, failed = Counted(), "", None
    with ScriptedServer(script) as server:
        asked = model(server, counted, seconds=seconds, limit=limit)
        try:
            async for piece in asked.stream("p", system="s", meter=counted):
                said += piece
        except ModelUnavailable as error:
            failed = error
        await asked.close()
    return said, failed, counted


def always(says: Says) -> Script:
    return lambda _: says


async def test_an_object_comes_by_the_strictest_way_and_its_tokens_are_counted() -> None:
    found, counted, server = await told(always(Says(text=GOOD)))
    assert found == {"sufficient": True, "missing": ""}
    assert counted.usage == Usage(calls=1, prompt_tokens=100, reply_tokens=10)
    assert [request.method for request in server.requests] == ["json_schema"]


async def test_an_endpoint_that_does_not_count_is_counted_by_the_length_of_its_texts() -> None:
    _, counted, _ = await told(always(Says(text=GOOD, usage=None)))
    assert counted.usage == Usage(calls=1, prompt_tokens=len("s\np") // 4, reply_tokens=len(GOOD) // 4)


async def test_a_reply_that_is_not_waited_for_is_paid_for() -> None:
    counted, prompt = Counted(), "word " * 40
    with ScriptedServer(always(Says(text="One sentence. " * 20))) as server:
        asked = model(server, counted)
        async with aclosing(asked.stream(prompt, meter=counted)) as pieces:
            first = await anext(pieces)
        await asked.close()
    assert counted.usage == Usage(calls=1, prompt_tokens=len(prompt) // 4, reply_tokens=len(first) // 4)


async def test_what_never_arrived_costs_nothing() -> None:
    said, failed, counted = await streamed(always(Says(status=401)))
    assert said == "" and failed is not None
    assert (counted.usage.prompt_tokens, counted.usage.reply_tokens) == (0, 0)


def only(*ways: str, status: int) -> Script:
    def script(request: Request) -> Says:
        if request.method not in ways:
            return Says(status=status, error="Only 'text' and 'json_object' are accepted")
        return Says(text=GOOD, tool=request.method == "function_calling")

    return script


@pytest.mark.parametrize("status", [400, 422, 500, 501])
@pytest.mark.parametrize("way", ["function_calling", "json_object", "text"])
async def test_a_way_that_the_server_lacks_is_left_and_the_next_is_remembered(way: str, status: int) -> None:
    counted = Counted()
    with ScriptedServer(only(way, status=status)) as server:
        asked = model(server, counted)
        assert await asked.structured("p", SCHEMA) == {"sufficient": True, "missing": ""}
        before = len(server.requests)
        assert await asked.structured("p", SCHEMA) == {"sufficient": True, "missing": ""}
        assert [request.method for request in server.requests[before:]] == [way]
        await asked.close()
    assert counted.waits == []


@pytest.mark.parametrize(
    "text",
    [
        "True",
        "yes, it does",
        '```json\n{"sufficient": "true"}\n```',
        'Here you are: {"result": {"Sufficient": "yes"}} I hope it helps.',
        "<think>It says no {hm}.</think>\nsufficient: true\nmissing: nothing",
    ],
)
async def test_the_right_value_is_read_however_it_is_dressed(text: str) -> None:
    found, _, _ = await told(always(Says(text=text)))
    assert isinstance(found, dict) and found["sufficient"] is True


@pytest.mark.parametrize("text", ['{"sufficient": ', "[1, 2]", '{"other": {"deep": []}}', "", "As an AI I like birds"])
async def test_a_reply_without_the_value_is_unusable_after_two_tries(text: str) -> None:
    found, _, server = await told(always(Says(text=text)))
    assert isinstance(found, ModelReplyUnusable)
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("says", "words", "waits"),
    [
        (Says(status=401), "FOOTNOTE_LLM_API_KEY", []),
        (Says(status=404), "FOOTNOTE_LLM_MODEL", []),
        (Says(status=429, headers={"retry-after": "3"}), "wait 3 s", [3.0, 3.0]),
        (Says(status=429, headers={"retry-after": "900"}), "wait 900 s", []),
        (Says(status=429), "fewer requests", [0.5, 1.0]),
        (Says(status=500), "fault of its own (500)", [0.5, 1.0]),
        (Says(status=302, headers={"location": "http://127.0.0.1:1/"}), "(302)", []),
        (Says(raw="<html>"), "cannot be read", []),
        (Says(raw='{"choices": null}'), "cannot be read", []),
    ],
)
async def test_every_refusal_ends_in_one_sentence_and_waits_as_asked(
    says: Says, words: str, waits: list[float]
) -> None:
    said, failed, counted = await streamed(always(says))
    assert said == ""
    assert failed is not None and words in failed.words and "Traceback" not in failed.words
    assert counted.waits == waits


async def test_a_server_that_recovers_is_asked_again() -> None:
    replies = iter([Says(status=503), Says(status=429), Says(text="All well.")])
    assert (await streamed(lambda _: next(replies)))[0] == "All well."


async def test_a_hanging_server_is_left_after_its_time() -> None:
    said, failed, _ = await streamed(always(Says(ending="hang")), seconds=0.3)
    assert said == "" and failed is not None and "in time" in failed.words


@pytest.mark.parametrize("ending", ["cut", "unfinished", "length"])
async def test_a_reply_that_breaks_off_says_so_after_its_pieces(ending: str) -> None:
    said, failed, _ = await streamed(always(Says(text="One two. Three", ending=ending)))  # type: ignore[arg-type]
    assert said == "One two. Three"
    assert failed is not None and ("broke off" in failed.words or "limit" in failed.words)


async def test_thoughts_are_not_shown() -> None:
    assert (await streamed(always(Says(text="<think>a b c</think>Shown now."))))[0] == "Shown now."


async def test_a_server_that_keeps_no_limit_is_stopped() -> None:
    said, failed, _ = await streamed(always(Says(text="word " * 3_000)), limit=16)
    assert len(said) < 500
    assert failed is not None and "limit" in failed.words


async def test_a_way_that_the_server_ignores_is_followed_by_the_next() -> None:
    def script(request: Request) -> Says:
        if request.method == "function_calling":
            return Says(text=GOOD, tool=True)
        return Says(text="Let me think about birds.\nThey fly.")

    found, _, server = await told(script)
    assert found == {"sufficient": True, "missing": ""}
    assert [request.method for request in server.requests] == ["json_schema", "function_calling"]


def picky(*names: str, words: str = "unsupported parameter: {}", status: int = 400, text: str = GOOD) -> Script:
    """A server that refuses one parameter at a time, in the order of ``names``."""

    def script(request: Request) -> Says:
        refused = next((name for name in names if name in request.body), None)
        return Says(text=text) if refused is None else Says(status=status, error=words.format(refused))

    return script


REFUSALS = [
    (400, "Unsupported parameter: '{}' is not supported with this model."),
    (400, "Unsupported value: '{}' does not support 0.0 with this model."),
    (422, "body.{}: extra inputs are not permitted"),
]
PARAMETERS = ("stream_options", "max_tokens", "temperature")


@pytest.mark.parametrize(("status", "words"), REFUSALS)
@pytest.mark.parametrize("names", list(itertools.permutations(PARAMETERS)), ids=" ".join)
async def test_parameters_that_the_server_refuses_are_left_out_within_one_call_and_from_then_on(
    names: tuple[str, ...], status: int, words: str
) -> None:
    counted = Counted()
    with ScriptedServer(picky(*names, status=status, words=words)) as server:
        asked = model(server, counted)
        assert await asked.structured("p", SCHEMA) == {"sufficient": True, "missing": ""}
        assert [request.method for request in server.requests] == ["json_schema"] * 3
        assert "".join([piece async for piece in asked.stream("p")]) == GOOD
        before = len(server.requests)
        assert "".join([piece async for piece in asked.stream("p")]) == GOOD
        assert await asked.structured("p", SCHEMA) == {"sufficient": True, "missing": ""}
        assert len(server.requests) == before + 2
        await asked.close()
    assert server.requests[-1].body["max_completion_tokens"] == 512
    assert counted.waits == []


@pytest.mark.parametrize("names", list(itertools.permutations(PARAMETERS)), ids=" ".join)
async def test_a_first_reply_is_streamed_whatever_parameters_the_server_refuses(names: tuple[str, ...]) -> None:
    said, failed, counted = await streamed(picky(*names, text="Fine."))
    assert (said, failed, counted.waits) == ("Fine.", None, [])


async def test_calls_side_by_side_learn_the_same_refusals_without_harm_to_one_another() -> None:
    script = picky("max_tokens", "temperature")
    with ScriptedServer(lambda request: replace(script(request), pause=0.05)) as server:
        asked = model(server, Counted())
        found = await asyncio.gather(*(asked.structured("p", SCHEMA) for _ in range(4)), read_stream(asked))
        await asked.close()
    assert found == [{"sufficient": True, "missing": ""}] * 4 + [GOOD]


async def read_stream(asked: ChatModel) -> str:
    return "".join([piece async for piece in asked.stream("p")])


async def test_what_is_refused_and_a_way_that_is_not_offered_are_both_learnt_in_one_call() -> None:
    refuses = picky("max_tokens", "temperature")
    offers = only("json_object", status=400)

    def script(request: Request) -> Says:
        refusal = refuses(request)
        return offers(request) if refusal.status == 200 else refusal

    found, counted, server = await told(script)
    assert found == {"sufficient": True, "missing": ""}
    assert (len(server.requests), counted.waits) == (5, [])


async def test_a_corrected_request_has_its_full_number_of_tries() -> None:
    replies = iter([Says(status=429), Says(status=429), Says(text=GOOD)])
    refuses = picky("max_tokens", "temperature")

    def script(request: Request) -> Says:
        refusal = refuses(request)
        return next(replies) if refusal.status == 200 else refusal

    found, counted, _ = await told(script)
    assert found == {"sufficient": True, "missing": ""}
    assert counted.waits == [0.5, 1.0]


async def test_a_server_that_refuses_everything_for_a_while_teaches_nothing() -> None:
    with ScriptedServer(always(Says(status=400, error="max_tokens, temperature, stream_options"))) as server:
        asked = model(server, Counted())
        with pytest.raises(ModelUnavailable):
            await asked.structured("p", SCHEMA)
        server.script = always(Says(text=GOOD))
        await asked.structured("p", SCHEMA)
        await asked.close()
    assert {"max_tokens", "temperature"} <= server.requests[-1].body.keys()


async def test_a_picture_is_described_by_a_server_that_refuses_parameters() -> None:
    with ScriptedServer(picky("max_tokens", "temperature", text="A rising line.")) as server:
        seeing = VisionChatModel(LlmConfig(base_url=server.url, model="eyes", max_tokens=64, context_tokens=4_096))
        assert await seeing.describe(b"png", "What is plotted?") == "A rising line."
        assert await seeing.copy(b"png", "Copy this.") == "A rising line."
        assert [request.body.get("max_completion_tokens") for request in server.requests] == [None, 64, 64, 2_048]
        await seeing.close()


async def test_a_dead_endpoint_is_left_alone_and_tried_again_later() -> None:
    clock, counted = [0.0], Counted()
    with ScriptedServer(always(Says(status=401))) as server:
        config = LlmConfig(base_url=server.url, model="scripted")
        breaker = CircuitBreaker(failures=2, seconds=30, now=lambda: clock[0])
        asked = ChatModel(config, endpoint=Endpoint(config, pause=counted.pause, breaker=breaker))
        for _ in range(4):
            with pytest.raises(ModelUnavailable):
                await asked.structured("p", SCHEMA)
        assert len(server.requests) == 2
        clock[0] = 31.0
        server.script = always(Says(text=GOOD))
        assert (await asked.structured("p", SCHEMA))["sufficient"] is True
        await asked.close()


async def test_nothing_listens_there() -> None:
    with ScriptedServer(always(Says())) as gone:
        pass
    config = LlmConfig(base_url=gone.url, model="scripted")
    counted = Counted()
    asked = ChatModel(config, endpoint=Endpoint(config, pause=counted.pause))
    with pytest.raises(ModelUnavailable, match="cannot be reached"):
        await asked.structured("p", SCHEMA)
    assert len(counted.waits) == 2
    await asked.close()


async def test_a_picture_is_described() -> None:
    with ScriptedServer(always(Says(text="A rising line."))) as server:
        counted = Counted()
        seeing = VisionChatModel(LlmConfig(base_url=server.url, model="eyes", prompt_price=30.0, reply_price=100.0))
        assert await seeing.describe(b"png", "What is plotted?", meter=counted) == "A rising line."
        assert counted.usage == Usage(calls=1, prompt_tokens=100, reply_tokens=10, cost=0.004)
        assert "data:image/png;base64,cG5n" in server.requests[0].words
        await seeing.close()


async def test_a_copy_of_a_page_may_be_longer_than_an_answer_and_is_whole_or_none() -> None:
    def script(request: Request) -> Says:
        return Says(text="All its words.", ending="length" if "cut" in request.words else "stop")

    with ScriptedServer(script) as server:
        seeing = VisionChatModel(LlmConfig(base_url=server.url, model="eyes", max_tokens=64, context_tokens=4_096))
        assert await seeing.copy(b"png", "Copy this.") == "All its words."
        assert server.requests[0].body["max_tokens"] == 2_048
        with pytest.raises(ModelReplyUnusable, match="cut after 2,048 tokens, half of FOOTNOTE_VLM_CONTEXT_TOKENS"):
            await seeing.copy(b"png", "This is cut.")
        assert await seeing.describe(b"png", "This is cut.") == "All its words."
        assert server.requests[-1].body["max_tokens"] == 64
        await seeing.close()


async def test_a_description_leaves_half_of_the_context_to_the_picture() -> None:
    with ScriptedServer(always(Says(text="A rising line."))) as server:
        seeing = VisionChatModel(LlmConfig(base_url=server.url, model="eyes", max_tokens=900, context_tokens=1_024))
        await seeing.describe(b"png", "What is plotted?")
        assert server.requests[0].body["max_tokens"] == 512
        await seeing.close()


async def test_without_a_model_the_null_objects_stand_in() -> None:
    absent = open_language_model(LlmConfig())
    with pytest.raises(ModelUnavailable):
        await absent.structured("p", SCHEMA)
    with pytest.raises(ModelUnavailable):
        [piece async for piece in absent.stream("p")]
    assert await open_vision_model(LlmConfig()).describe(b"", "?") == ""
    assert await open_vision_model(LlmConfig()).copy(b"", "Copy this.") == ""


def test_the_key_is_not_shown() -> None:
    assert "secret-key" not in repr(LlmConfig(base_url="http://h/v1", model="m", api_key="secret-key"))
