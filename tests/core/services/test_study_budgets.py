"""Studies, briefs and digests hold to the budgets of the language model, on the account of whoever asked for them."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from pathlib import Path

from core.config import BudgetConfig, Config
from core.domain.language_models import UNMETERED, Meter
from core.domain.model import Usage
from core.domain.request_context import RequestContext
from core.services.engine import Engine
from core.services.shared_models import SharedModels
from tests.core.assistant.studies.study_context import Says
from tests.core.search.fake_embedder import FakeEmbedder
from tests.core.services.filled_workspace import START, AsFound, Drawn, Hand, NoReader, scope, shelve, thread

TEXTS = ["We show that okapis sleep for five hours a day in dense forest near rivers."]


@dataclass
class Dear(Says):
    """A model whose every call takes a hundred tokens."""

    async def stream(
        self,
        prompt: str,
        *,
        system: str = "",
        schema: Mapping[str, object] | None = None,
        meter: Meter = UNMETERED,
    ) -> AsyncGenerator[str, None]:
        meter.spent(Usage(calls=1, prompt_tokens=100))
        async for piece in super().stream(prompt, system=system, schema=schema, meter=meter):
            yield piece


async def test_who_has_used_up_a_budget_is_given_quotes_and_told_so(tmp_path: Path) -> None:
    model = Dear("Okapis sleep for five hours a day.")
    config = Config(data=tmp_path / "data", budget=BudgetConfig(user_day_tokens=100))
    parts = SharedModels(reader=NoReader(), images=Drawn(), embedder=FakeEmbedder(), reranker=AsFound())
    async with Engine(config, models=parts, model=model, now=Hand()) as engine:
        first, second, third = [
            (await shelve(engine, tmp_path, f"Sleep of okapis {name}", [f"{TEXTS[0]} {name}."], at=START)).id
            for name in ("one", "two", "three")
        ]
        made = [
            await engine.studies.summarise(RequestContext(scope=scope(), thread=thread("study"), user=user), paper)
            for paper, user in ((first, "ann"), (second, "ann"), (third, "bob"))
        ]
        brief = await engine.groups.meet(thread(), scope(), second, "tomorrow", user="ann")
    assert [one.making.mode for one in made] == ["model", "extractive", "model"]
    assert [len(one.making.notes) for one in made] == [0, 1, 0]
    assert "your budget for the language model is used up for today" in made[1].making.notes[0]
    assert (brief.mode, brief.notes) == ("extractive", made[1].making.notes)
