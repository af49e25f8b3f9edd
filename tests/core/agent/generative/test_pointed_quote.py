"""A model that knows what a passage answers can give an answer or take one away; one that does not, neither."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from core.agent.generative.control_questions import CONTROLS
from core.agent.generative.pointed_quote import named
from core.agent.generative.reasoner import ModelReasoner
from core.assistant.asking.ask import ask
from core.config import AgentConfig, LlmConfig
from core.domain.model import Answer, Evidence
from core.domain.request_context import RequestContext
from core.llm.chat import ChatModel
from tests.core.agent.small_library import BARLEY, NOON, PASSAGES, SCOPE, THREAD, Heard, dependencies
from tests.llm.brains import Brain
from tests.llm.scripted_server import Request, Says, ScriptedServer

IN_DOUBT = "Why did the grain production of barley shrink in drought?"
STRICT = AgentConfig(strictness=1.0)
"""So strict that the signs alone leave this question unanswered."""
LIKELY = "What was the yield of barley in dry plots?"
"""The signs alone answer it, and not beyond doubt."""
REASON = "Yield fell because stomata closed early."


def verdict(sufficient: bool, quote: str = "") -> Says:
    return Says(text=json.dumps({"sufficient": sufficient, "quote": quote, "missing": "", "query": ""}))


def judge(on_question: Says, controls: Callable[[str, str], Says]) -> Callable[[Request], Says]:
    """``controls`` replies to a control question, given its passage and its answer."""

    def reply(request: Request) -> Says:
        for one in CONTROLS:
            if one.question in request.words:
                return controls(one.passage, one.answer)
        return on_question

    return reply


def knows(passage: str, answer: str) -> Says:
    sentence = next((one for one in passage.split(". ") if answer and answer in one), "")
    return verdict(bool(answer), sentence)


def agrees(passage: str, answer: str) -> Says:
    return verdict(True, passage.split(". ")[0])


def denies(passage: str, answer: str) -> Says:
    return verdict(False)


async def asked(brain: Brain, question: str = IN_DOUBT, times: int = 1, config: AgentConfig = STRICT) -> Answer:
    with ScriptedServer(brain) as server:
        llm = LlmConfig(base_url=server.url, model="scripted", timeout_seconds=20.0)
        model = ChatModel(llm)
        with_model = replace(dependencies(config=config), reasoner=ModelReasoner(model, llm))
        try:
            for number in range(times):
                answer = await ask(
                    question,
                    RequestContext(scope=SCOPE, thread=THREAD, at=NOON, trace_id=str(number), progress=Heard()),
                    with_model,
                )
            return answer
        finally:
            await model.close()


def said(answer: Answer) -> str:
    return " ".join(one.text for one in answer.sentences)


async def test_what_a_model_that_knows_names_is_the_answer_where_the_signs_were_in_doubt() -> None:
    brain = Brain(judge=judge(verdict(True, REASON), knows), write="Nothing.")
    answer = await asked(brain)
    assert answer.outcome == "answered" and said(answer).startswith(REASON)
    assert [one.paper_id for one in answer.citations][:1] == ["barley"]


@pytest.mark.parametrize("controls", [agrees, denies])
async def test_a_model_that_cannot_tell_gives_no_answer(controls: Callable[[str, str], Says]) -> None:
    answer = await asked(Brain(judge=judge(verdict(True, REASON), controls), write=REASON))
    assert (answer.outcome, answer.sentences) == ("unclear", ())


@pytest.mark.parametrize(
    "quote",
    [
        "Yield fell because the farmers slept.",
        "Plots received 120 mm of irrigation water.",
        "stomata",
        "",
        " ".join(one.text for one in PASSAGES) * 3,
    ],
)
async def test_named_words_that_are_not_printed_or_give_no_reason_are_no_answer(quote: str) -> None:
    answer = await asked(Brain(judge=judge(verdict(True, quote), knows), write=REASON))
    assert (answer.outcome, answer.sentences) == ("unclear", ())


@pytest.mark.parametrize(("controls", "outcome"), [(knows, "unclear"), (denies, "answered"), (agrees, "answered")])
async def test_only_a_model_that_can_tell_takes_an_answer_away(
    controls: Callable[[str, str], Says], outcome: str
) -> None:
    brain = Brain(judge=judge(verdict(False), controls), write="Nothing.")
    answer = await asked(brain, LIKELY, config=AgentConfig())
    assert answer.outcome == outcome


async def test_the_model_is_put_to_the_test_once_and_only_where_it_matters() -> None:
    brain = Brain(judge=judge(verdict(True, REASON), knows), write=REASON)
    await asked(brain, times=3)
    assert brain.asked.count("judge") == len(CONTROLS) + 3
    sure = "Which cultivar kept its grain yield under drought?"
    first = "The cultivar Halland kept 91 percent of its grain yield under drought."
    brain = Brain(judge=judge(verdict(True, first), agrees), write=first)
    answer = await asked(brain, sure)
    assert said(answer) == first and brain.asked.count("judge") == 1


async def test_controls_do_not_count_towards_the_answer() -> None:
    brain = Brain(judge=judge(verdict(True, REASON), knows), write=REASON)
    assert (await asked(brain)).usage.calls == 3


def test_named_words_are_widened_to_whole_sentences() -> None:
    shown = [Evidence(passage=one, paper=BARLEY, score=1.0) for one in PASSAGES]
    found = named("kept 91 percent of its grain", shown)
    assert found is not None and found.words == "The cultivar Halland kept 91 percent of its grain yield under drought."
    row = named("LayoutTagger 90.3 88.7", shown)
    assert row is not None and row.words == "LayoutTagger 90.3 88.7"
    assert named("kept 19 percent of its grain", shown) is None


def test_every_control_holds_its_answer_and_no_two_are_the_same() -> None:
    assert all(one.answer in one.passage for one in CONTROLS)
    assert len({one.question for one in CONTROLS}) == len(CONTROLS)
    assert sum(bool(one.answer) for one in CONTROLS) == sum(not one.answer for one in CONTROLS)
