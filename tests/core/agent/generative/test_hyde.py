"""Searching with the expected answer: it finds more, is never shown, and is off unless switched on."""

from collections.abc import AsyncGenerator
from dataclasses import replace

from core.agent.generative.hyde import fused
from core.assistant.asking.ask import ask
from core.config import AgentConfig
from core.domain.errors import ModelUnavailable
from core.domain.language_models import UNMETERED, Meter
from core.domain.model import Answer, Evidence
from core.domain.request_context import RequestContext
from core.llm import NullLanguageModel
from tests.core.agent.small_library import (
    BARLEY,
    NOON,
    PASSAGES,
    SCOPE,
    THREAD,
    Heard,
    SmallLibrary,
    dependencies,
    library,
)

QUESTION = "Which barley cultivar coped with drought?"
EXPECTED = "Stomata of zebra barley closed early and yield fell."


class Expects(NullLanguageModel):
    identity = "expecting"

    def __init__(self, text: str) -> None:
        self.text = text

    async def stream(self, prompt: str, *, system: str = "", meter: Meter = UNMETERED) -> AsyncGenerator[str, None]:
        if not self.text:
            raise ModelUnavailable("The model is away.")
        yield self.text


async def asked(held: SmallLibrary, text: str, hyde: bool) -> Answer:
    config = AgentConfig(hyde=hyde)
    with_model = replace(dependencies(held, config=config), model=Expects(text))
    return await ask(
        QUESTION, RequestContext(scope=SCOPE, thread=THREAD, at=NOON, trace_id="t", progress=Heard()), with_model
    )


async def test_the_expected_answer_is_searched_and_not_shown() -> None:
    held = library()
    answer = await asked(held, EXPECTED, hyde=True)
    assert any("zebra" in query for query, _ in held.searches)
    assert answer.outcome == "answered" and "zebra" not in str(answer)


async def test_it_is_off_unless_switched_on_and_a_model_that_is_away_costs_nothing_else() -> None:
    held = library()
    await asked(held, EXPECTED, hyde=False)
    assert not any("zebra" in query for query, _ in held.searches)
    assert (await asked(library(), "", hyde=True)).outcome == "answered"


def test_both_lists_count_by_their_ranks() -> None:
    one, two, three = (Evidence(passage=PASSAGES[at], paper=BARLEY, score=0.9 - at / 10) for at in range(3))
    found = fused([one, two], [two, three])
    assert [hit.passage.id for hit in found] == [two.passage.id, one.passage.id]
    assert found[0].score == 0.9
