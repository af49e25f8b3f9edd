"""Servers of models on this machine are found, and what they offer is read from whatever they tell."""

import time
from collections.abc import Mapping

import pytest

from core.domain.errors import ModelKeyRefused, ModelUnavailable, SettingsInvalid
from core.domain.model_setup import OfferedModel
from core.llm.discovery import find_servers, list_models, served_context
from tests.llm.scripted_server import Says, ScriptedServer


def server(*, key: str = "", pages: Mapping[str, object] | None = None) -> ScriptedServer:
    return ScriptedServer(lambda _: Says(), key=key, pages=pages or {})


def listing(*entries: Mapping[str, object]) -> Mapping[str, object]:
    return {"/v1/models": {"data": list(entries)}}


async def test_servers_that_answer_are_found_and_closed_ports_are_not() -> None:
    with server() as closed:
        pass
    with server() as first, server(key="k") as second:
        ports = (("One", first.port), ("Two", second.port), ("Three", closed.port))
        found = await find_servers(ports)
    assert [(item.program, [model.name for model in item.models]) for item in found] == [
        ("One", ["scripted"]),
        ("Two", []),
    ]


async def test_a_port_that_says_nothing_holds_up_nobody_for_long() -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as silent, server() as answers:
        began = time.monotonic()
        found = await find_servers((("Silent", silent.getsockname()[1]), ("One", answers.port)), seconds=0.3)
    assert [item.program for item in found] == ["One"]
    assert time.monotonic() - began < 3


async def test_an_address_without_its_version_is_completed() -> None:
    with server() as running:
        address, models = await list_models(f"http://127.0.0.1:{running.port}/")
    assert (address, models) == (running.url, (OfferedModel(name="scripted"),))


@pytest.mark.parametrize(
    "entry", [{"max_model_len": 32_768}, {"context_length": 32_768}, {"context_window": 32_768, "n_ctx": "much"}]
)
async def test_what_a_model_takes_in_is_read_from_the_list(entry: Mapping[str, object]) -> None:
    with server(pages=listing({"id": "m", **entry})) as running:
        _, models = await list_models(running.url)
    assert models == (OfferedModel(name="m", context_tokens=32_768),)


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/api/ps", {"models": [{"name": "other", "context_length": 1}, {"name": "m", "context_length": 8_192}]}),
        ("/api/v0/models", {"data": [{"id": "m", "loaded_context_length": 8_192, "max_context_length": 131_072}]}),
        ("/props", {"default_generation_settings": {"n_ctx": 8_192}}),
    ],
)
async def test_what_a_loaded_model_takes_in_is_asked_of_its_server(path: str, told: object) -> None:
    with server(pages={path: told}) as running:
        assert await served_context(running.url, "m") == 8_192


async def test_a_server_that_tells_nothing_leaves_the_context_open() -> None:
    with server(pages={"/api/ps": {"models": [{"name": "other", "context_length": 8_192}]}, "/props": []}) as running:
        assert await served_context(running.url, "m") == 0


async def test_a_key_is_asked_for_and_sent() -> None:
    with server(key="right") as running:
        for key in ("", "wrong"):
            with pytest.raises(ModelKeyRefused, match="wants a key"):
                await list_models(running.url, key)
        assert (await list_models(running.url, "right"))[1]


async def test_a_server_without_a_list_offers_nothing_and_is_no_failure() -> None:
    with server(pages={"/v1/models": None}) as running:
        assert await list_models(running.url) == (running.url, ())


@pytest.mark.parametrize(
    "address", ["", "127.0.0.1:11434", "ftp://h/v1", "http://", "http://user:word@h/v1", "http://h/v1?key=1"]
)
async def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(SettingsInvalid):
        await list_models(address)


async def test_nothing_that_answers_is_told_with_the_address() -> None:
    with server() as closed:
        pass
    with pytest.raises(ModelUnavailable, match=f"Nothing answers at http://127.0.0.1:{closed.port}"):
        await list_models(closed.url)
