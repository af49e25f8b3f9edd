"""A paper dropped and asked about through the engine with a model configured, over a real PDF and a real library."""

import os
import subprocess
import sys
import textwrap
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from bot import doctor
from bot.settings import Settings
from core.config import Config, LlmConfig
from core.domain.model import Answer, Channel, Scope, Share, Thread, Workspace
from core.domain.request_context import RequestContext
from core.services.engine import Engine
from core.services.shared_models import SharedModels, shared_models
from core.text import alphanumeric_key
from tests.core.search.fake_embedder import FakeEmbedder
from tests.llm.brains import Brain, broken, claim, claims
from tests.llm.control_replies import is_control, replying
from tests.llm.scripted_server import Request, Says, Script, ScriptedServer
from tests.pdfs.papers import LICHENS, write_pdf

LAB = Workspace(platform="test", id="lab")
SCOPE = Scope(workspace=LAB, channels=frozenset({"c"}))
QUESTION = "What was the mean lichen cover on north-facing slopes?"
RIGHT = "Mean cover on north-facing slopes was 38 percent, against 17 percent on south-facing slopes."
ROOT = Path(__file__).parents[2]


def thread(name: str) -> Thread:
    return Thread(channel=Channel(workspace=LAB, id="c"), id=name)


def shared_parts(config: Config) -> SharedModels:
    """Real ones, but for an embedder without a model."""
    return replace(shared_models(config), embedder=FakeEmbedder())


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("library")


async def with_paper(data: Path, llm: LlmConfig) -> AsyncIterator[Engine]:
    config = Config(data=data, llm=llm)
    async with Engine(config, models=shared_parts(config)) as engine:
        if not await engine.papers.in_scope(SCOPE):
            share = Share(paper_id="", channel="c", message="1", user="ada", at=datetime(2026, 3, 1, tzinfo=UTC))
            pdf = write_pdf(LICHENS, data)
            report = await engine.papers.ingest(share, scope=SCOPE, pdf=pdf, file_name="lichens.pdf")
            assert report.outcome == "indexed"
        yield engine


async def answered(data: Path, brain: Script, question: str = QUESTION, *, name: str, seconds: float = 20.0) -> Answer:
    with ScriptedServer(brain) as server:
        llm = LlmConfig(base_url=server.url, model="scripted", timeout_seconds=seconds)
        async for engine in with_paper(data, llm):
            return await engine.questions.ask(question, RequestContext(scope=SCOPE, thread=thread(name), trace_id=name))
    raise AssertionError("no engine")


async def test_a_models_sentence_is_cited_and_stored_with_what_it_took(library: Path) -> None:
    answer = await answered(library, Brain(write=claims(claim(RIGHT, RIGHT))), name="good")
    assert (answer.mode, answer.sentences[0].text) == ("model", RIGHT)
    assert all(item.markers for item in answer.sentences)  # a quote of the papers may stand behind the model's words
    assert "38 percent" in answer.citations[0].spans[0].quote and answer.citations[0].spans[0].page == 1
    async for engine in with_paper(library, LlmConfig()):
        async with engine._workspaces.enter(LAB) as opened:
            stored = await opened.stores.memory.answer(thread("good"), "good")
    assert stored is not None
    assert (stored.model, stored.prompts, stored.usage) == ("scripted", answer.prompts, answer.usage)
    assert stored.usage.calls == 2


async def test_the_first_question_is_answered_by_a_model_whose_server_refuses_usual_parameters(library: Path) -> None:
    brain = Brain(write=claims(claim(RIGHT, RIGHT)))

    def refuses(request: Request) -> Says:
        for name in ("max_tokens", "temperature"):
            if name in request.body:
                return Says(status=400, error=f"Unsupported parameter: '{name}' is not supported with this model.")
        return brain(request)

    answer = await answered(library, refuses, name="first question")
    assert (answer.mode, answer.sentences[0].text) == ("model", RIGHT)


@pytest.mark.parametrize(
    "says",
    [
        Says(text="Mean cover on north-facing slopes was 61 percent [1]."),
        Says(text='{"sufficient": "maybe'),
        Says(text="I cannot help with that."),
        Says(text=""),
        Says(status=401),
        Says(status=429, headers={"retry-after": "600"}),
        Says(raw="<html>"),
        Says(text="Mean cover on", ending="cut"),
        Says(ending="hang"),
    ],
    ids=["invented", "malformed", "refusal", "empty", "401", "429", "html", "cut", "hang"],
)
async def test_whatever_the_model_does_the_reply_is_right(
    library: Path, says: Says, request: pytest.FixtureRequest
) -> None:
    answer = await answered(library, broken(says), name=request.node.name, seconds=0.5)
    assert (answer.outcome, answer.mode) == ("answered", "extractive")
    assert "38 percent" in " ".join(item.text for item in answer.sentences)
    assert all(item.markers for item in answer.sentences)
    assert "61 percent" not in alphanumeric_key(" ".join(item.text for item in answer.sentences))


async def test_the_doctor_says_in_one_line_how_the_endpoint_is(tmp_path: Path) -> None:
    refused = Says(status=401)
    able: Script = lambda request: replying()(request) if is_control(request) else Says(text="Ready.")  # noqa: E731
    for script, words in ((able, "writes answers"), ((lambda _: refused), "FOOTNOTE_LLM_API_KEY")):
        with ScriptedServer(script) as server:
            settings = Settings.model_validate({"data": tmp_path, "llm": {"base_url": server.url, "model": "scripted"}})
            check = await doctor.check("language model", partial(doctor.language_model, settings))
            settings = Settings.model_validate({"data": tmp_path, "vlm": {"base_url": server.url, "model": "scripted"}})
            seen = await doctor.check("vision model", partial(doctor.vision_model, settings.vlm))
        assert check.ok == seen.ok == (script is able)
        assert words in check.words and "\n" not in check.words
        assert words.replace("LLM", "VLM") in seen.words or script is able


async def test_the_doctor_says_what_a_model_is_used_for(tmp_path: Path) -> None:
    with ScriptedServer(lambda _: Says(text="Ready.")) as server:
        settings = Settings.model_validate({"data": tmp_path, "llm": {"base_url": server.url, "model": "scripted"}})
        check = await doctor.check("language model", partial(doctor.language_model, settings))
        before = len(server.requests)
        again = await doctor.check("language model", partial(doctor.language_model, settings))
    assert not check.ok and "it is not used, and answers are quoted from the papers" in check.words
    assert again.ok == check.ok and len(server.requests) == before + 1


def test_no_variable_of_another_program_has_any_effect(library: Path) -> None:
    """Addresses, keys, proxies and tracing of others are in the environment; only our own endpoint is spoken to."""
    with (
        ScriptedServer(Brain(write=claims(claim(RIGHT, RIGHT)))) as ours,
        ScriptedServer(lambda _: Says(text="stolen")) as others,
    ):
        foreign = {
            "OPENAI_API_KEY": "sk-foreign",
            "OPENAI_BASE_URL": others.url,
            "OPENAI_API_BASE": others.url,
            "OPENAI_PROXY": others.url,
            "OPENAI_ORG_ID": "org-foreign",
            "OPENAI_ORGANIZATION": "org-foreign",
            "OPENAI_PROJECT_ID": "proj-foreign",
            "OPENAI_CUSTOM_HEADERS": "X-Foreign: foreign",
            "OPENAI_LOG": "debug",
            **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"), others.url),
            **{f"{space}_{name}": "true" for space in ("LANGSMITH", "LANGCHAIN") for name in ("TRACING", "TRACING_V2")},
            **{f"{space}_ENDPOINT": others.url for space in ("LANGSMITH", "LANGCHAIN")},
            **{f"{space}_API_KEY": "key-foreign" for space in ("LANGSMITH", "LANGCHAIN")},
            "LANGSMITH_GATEWAY": others.url,
            "LANGSMITH_GATEWAY_API_KEY": "key-foreign",
            "LANGCHAIN_HANDLER": "langchain",
        }
        program = textwrap.dedent(
            f"""
            import asyncio
            from pathlib import Path
            from langchain_core.tracers.langchain import wait_for_all_tracers
            from core.config import LlmConfig
            from core.domain.request_context import RequestContext
            from tests.journeys.test_with_a_model import QUESTION, SCOPE, thread, with_paper

            async def main():
                llm = LlmConfig(base_url={ours.url!r}, model="scripted")
                async for engine in with_paper(Path({str(library)!r}), llm):
                    request = RequestContext(thread=thread("foreign"), scope=SCOPE)
                    answer = await engine.questions.ask(QUESTION, request)
                    print(answer.mode)

            asyncio.run(main())
            wait_for_all_tracers()
            """
        )
        environment = {key: value for key, value in os.environ.items() if not key.startswith("FOOTNOTE_")}
        ran = subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env={**environment, **foreign, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=250,
            check=False,
        )
        assert ran.stdout.strip() == "model", ran.stderr
        assert others.requests == []
        sent = "\n".join(str((request.headers, request.body)) for request in ours.requests)
        assert "foreign" not in sent and "authorization" not in sent
        assert sum(not is_control(request) for request in ours.requests) == 2
        assert "38 percent" not in ran.stderr


def test_without_a_model_no_client_is_loaded() -> None:
    clients = "[name for name in sys.modules if name.startswith(('openai', 'langchain'))]"
    program = f"import sys; from core.services.engine import Engine; print({clients})"
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
