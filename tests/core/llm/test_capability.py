"""Control questions: what a model shows in them decides what it is used for, once for all processes."""

import json
import re
from pathlib import Path

import pytest

from core.config import LlmConfig
from core.domain.errors import ModelUnavailable
from core.domain.language_models import EndpointFacts
from core.library.files.endpoint_facts import EndpointFile
from core.llm import prompts
from core.llm.capability import ControlQuestions
from core.llm.chat import ChatModel
from core.llm.endpoint import Endpoint
from tests.llm.control_replies import AGREEING, CABLES, HALF, replying
from tests.llm.scripted_server import Says, Script, ScriptedServer


def questions(server: ScriptedServer, data: Path, model: str = "scripted") -> tuple[ControlQuestions, ChatModel]:
    """As a process of its own would have them."""
    config = LlmConfig(base_url=server.url, model=model, timeout_seconds=5.0)
    memory = EndpointFile(data, config.base_url, config.model)

    async def pause(seconds: float) -> None:
        return

    asked = ChatModel(config, endpoint=Endpoint(config, memory=memory, pause=pause))
    return ControlQuestions(asked, memory), asked


async def capability(script: Script, data: Path) -> tuple[str, tuple[str, ...]]:
    with ScriptedServer(script) as server:
        asking, model = questions(server, data)
        report = await asking.ask()
        await model.close()
    return report.capability, report.shortcomings


async def test_a_model_that_quotes_reads_and_says_what_is_missing_writes_claims(tmp_path: Path) -> None:
    assert await capability(replying(), tmp_path) == ("claims", ())


INVENTED = CABLES | {"quotes": ["It missed only 4 percent of all broken cables"]}
OTHER_PASSAGE = CABLES | {"passages": [1]}
OTHER_NUMBER = CABLES | {"quotes": ["a false alarm for 7 percent of the sound ones"], "sentence": "7 percent."}
GENE = {"passages": [3], "quotes": ["The gene HKT1 keeps salt out"], "sentence": "HKT1 does.", "computation": ""}
REFUSING = {"verdicts": [f"{number} no: never" for number in range(1, 7)]}


@pytest.mark.parametrize(
    ("name", "reply", "shortcoming"),
    [
        ("half", {"claims": [INVENTED], "missing": ["the card"]}, "word for word"),
        ("half", {"claims": [OTHER_PASSAGE], "missing": ["the card"]}, "word for word"),
        ("half", {"claims": [OTHER_NUMBER], "missing": ["the card"]}, "did not find the number"),
        ("half", {"claims": [CABLES], "missing": []}, "what the passages lack"),
        ("half", Says(text="The detector missed 4 percent."), "word for word"),
        ("nothing", {"claims": [GENE], "missing": []}, "where the passages have none"),
        ("nothing", {"claims": [GENE], "missing": ["nothing"]}, "where the passages have none"),
        ("reading", AGREEING, "took a false sentence"),
        ("reading", REFUSING, "took true sentences"),
        ("reading", Says(text="All of them look fine to me."), "took true sentences"),
    ],
)
async def test_a_model_that_fails_at_claims_gives_search_words_and_the_reason_is_told(
    name: str, reply: object, shortcoming: str, tmp_path: Path
) -> None:
    found, shortcomings = await capability(replying(**{name: reply}), tmp_path)
    assert found == "search_words"
    assert len(shortcomings) == 1 and shortcoming in shortcomings[0]


async def test_one_faithful_sentence_may_be_missed(tmp_path: Path) -> None:
    careful = {"verdicts": ["1 yes", "2 no: a", "3 unsure: German", "4 no: b", "5 yes", "6 no: c"]}
    assert (await capability(replying(reading=careful), tmp_path))[0] == "claims"


@pytest.mark.parametrize("text", ["", "I like birds.", "true"])
async def test_a_model_that_keeps_to_no_form_is_not_used(text: str, tmp_path: Path) -> None:
    found, shortcomings = await capability(lambda _: Says(text=text), tmp_path)
    assert found == "none"
    assert len(shortcomings) == 4


async def test_claims_are_read_with_words_around_them(tmp_path: Path) -> None:
    dressed = Says(text=f"<think>Easy.</think>Sure!\n```json\n{json.dumps(HALF, indent=1)}\n```")
    assert (await capability(replying(half=dressed), tmp_path))[0] == "claims"


async def test_what_was_found_is_not_asked_for_again_by_the_next_process(tmp_path: Path) -> None:
    calls = []
    with ScriptedServer(replying()) as server:
        for _ in range(2):
            before = len(server.requests)
            asking, model = questions(server, tmp_path)
            assert [await asking.capability() for _ in range(3)] == ["claims"] * 3
            calls.append(len(server.requests) - before)
            await model.close()
    assert calls == [4, 0]


async def test_another_model_and_other_prompts_are_asked_again(tmp_path: Path) -> None:
    with ScriptedServer(replying()) as server:
        asking, model = questions(server, tmp_path)
        await asking.capability()
        await model.close()
        asking, model = questions(server, tmp_path, model="another")
        assert asking.known() is None
        await model.close()
        memory = EndpointFile(tmp_path, server.url, "scripted")
        memory.learn(lambda facts: EndpointFacts(capability=facts.capability, prompts=f"before {prompts.VERSION}"))
        asking, model = questions(server, tmp_path)
        assert asking.known() is None
        assert await asking.capability() == "claims"
        await model.close()
    assert len(server.requests) == 8


async def test_a_model_that_is_away_is_not_judged(tmp_path: Path) -> None:
    replies = replying()
    with ScriptedServer(lambda request: Says(status=503)) as server:
        asking, model = questions(server, tmp_path)
        with pytest.raises(ModelUnavailable, match="fault of its own"):
            await asking.capability()
        assert asking.known() is None
        server.script = replies
        await model.close()
        asking, model = questions(server, tmp_path)
        assert await asking.capability() == "claims"
        await model.close()


async def test_the_report_tells_what_the_questions_took(tmp_path: Path) -> None:
    with ScriptedServer(replying()) as server:
        asking, model = questions(server, tmp_path)
        report = await asking.ask()
        await model.close()
    assert (report.usage.calls, report.usage.prompt_tokens) == (4, 400)
    assert report.seconds > 0


def test_the_passages_hold_the_fact_and_the_quotes_and_no_gene() -> None:
    from core.llm.capability import _HALF_FACT, _PAIRS, PASSAGES

    texts = [text for _, text in PASSAGES]
    assert sum(_HALF_FACT in text for text in texts) == 1
    assert all(quote in texts[at] for at, quote, _, _ in _PAIRS)
    assert not any(re.search("gene|graphics", text) for text in texts)
