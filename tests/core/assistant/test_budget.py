"""Beyond a budget answers quote and say so; what was used up is kept by person and day, whatever is forgotten."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.assistant.asking.ask import ask
from core.assistant.budget import WorkspaceBudget
from core.config import BudgetConfig, LlmConfig
from core.domain.model import Answer, Usage
from core.domain.request_context import RequestContext
from core.library import OpenLibrary, open_library
from core.llm.chat import ChatModel
from tests.core.agent.small_library import SCOPE, THREAD, Heard, dependencies
from tests.core.library.making import HERE
from tests.llm.brains import Brain, claim, claims
from tests.llm.scripted_server import ScriptedServer

NOON = datetime(2026, 3, 30, 12, tzinfo=UTC)
ANSWER = Usage(calls=3, prompt_tokens=1_000, reply_tokens=100, cost=0.0028)


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[OpenLibrary]:
    library = await open_library(tmp_path, HERE)
    yield library
    await library.close()


async def test_each_bound_holds_for_its_person_and_its_time(opened: OpenLibrary) -> None:
    def budget(**bounds: float) -> WorkspaceBudget:
        return WorkspaceBudget(BudgetConfig(**bounds), opened.spending)  # type: ignore[arg-type]

    await budget().spent("ada", ANSWER, NOON)
    await budget().spent("ada", ANSWER, NOON - timedelta(days=3))
    await budget().spent("bob/x", ANSWER, NOON)
    tomorrow, next_month = NOON + timedelta(days=1), NOON + timedelta(days=2)
    assert await budget(user_day_tokens=1_100).used_up("ada", NOON)
    assert not await budget(user_day_tokens=1_101).used_up("ada", NOON)
    assert not await budget(user_day_tokens=1_100).used_up("ada", tomorrow)
    assert not await budget(user_day_tokens=1).used_up("eve", NOON)
    assert await budget(user_month_cost=0.005).used_up("ada", tomorrow)
    assert not await budget(user_month_cost=0.005).used_up("bob/x", tomorrow)
    assert not await budget(user_month_cost=0.001).used_up("ada", next_month)
    assert await budget(workspace_day_tokens=2_200).used_up("eve", NOON)
    assert await budget(workspace_month_cost=0.008).used_up("eve", NOON)
    assert not await budget(workspace_month_cost=0.009).used_up("eve", NOON)
    assert "today" in await budget(user_day_tokens=1).used_up("ada", NOON)
    assert "this month" in await budget(workspace_month_cost=0.001).used_up("ada", NOON)


async def test_an_answer_keeps_its_cost_and_beyond_the_budget_the_papers_are_quoted(opened: OpenLibrary) -> None:
    right = "The cultivar Halland kept 91 percent of its grain yield under drought."
    with ScriptedServer(Brain(write=claims(claim(right, right)))) as server:
        config = LlmConfig(base_url=server.url, model="scripted", prompt_price=2.0, reply_price=8.0)
        model = ChatModel(config)
        budget = WorkspaceBudget(BudgetConfig(user_day_tokens=200), opened.spending)
        with_model = replace(dependencies(), model=model, llm=config, budget=budget)

        async def asked(user: str) -> Answer:
            return await ask(
                "Which cultivar kept its grain yield under drought?",
                RequestContext(scope=SCOPE, thread=THREAD, user=user, at=NOON, trace_id="t", progress=Heard()),
                with_model,
            )

        first, second, other = await asked("ada"), await asked("ada"), await asked("bob")
        await model.close()
    assert first.mode == other.mode == "model"
    assert first.cost == pytest.approx((200 * 2.0 + 20 * 8.0) / 1e6)
    assert (second.mode, second.usage.calls, second.cost) == ("extractive", 0, 0.0)
    assert any("budget" in note for note in second.notes) and "91 percent" in second.sentences[0].text
