"""All services of the research assistant as one object: models are shared, workspaces open on demand."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING

from core.agent.reasoner import AssumedCapability, ModelCapability
from core.config import Config
from core.domain.language_models import LanguageModel
from core.domain.ports import ForgetsPapers
from core.llm import open_language_model, open_vision_model
from core.llm.capability import ControlQuestions
from core.services.channels import Channels, Threads
from core.services.fetching import Fetching
from core.services.groups import Groups
from core.services.model_setup import endpoint_memory, fitted
from core.services.open_workspaces import OpenWorkspaces, open_workspace
from core.services.papers import Papers
from core.services.questions import Questions
from core.services.records import Records
from core.services.shared_models import SharedModels, shared_models, warm
from core.services.studies import Studies
from core.telemetry_optout import disable_telemetry

if TYPE_CHECKING:
    from core.search import SignalWeights

_MOST_OPEN = 64
_IDLE_SECONDS = 900.0


class Engine:
    """The services; an async context manager that closes what it opened. Models load when first needed."""

    def __init__(
        self,
        config: Config,
        *,
        models: SharedModels | None = None,
        others: Sequence[ForgetsPapers] = (),
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        model: LanguageModel | None = None,
        capability: ModelCapability | None = None,
        weights: "SignalWeights | None" = None,
    ) -> None:
        """``models``, ``model``, ``capability`` and ``weights`` stand in for the real ones in tests and evaluations.

        ``others`` keep words of papers outside the libraries and are told when one is forgotten.
        """
        disable_telemetry()
        memory = endpoint_memory(config.data, config.llm)
        config = replace(config, llm=fitted(config.llm, memory))
        self.config = config
        self.models = models or shared_models(config)
        self._model = model or open_language_model(config.llm, memory)
        self._vision = open_vision_model(config.vlm, endpoint_memory(config.data, config.vlm))
        capability = capability or (AssumedCapability() if model else ControlQuestions(self._model, memory))
        workspaces = self._workspaces = OpenWorkspaces(
            partial(open_workspace, config=config, models=self.models, others=others, weights=weights),
            most=_MOST_OPEN,
            idle_seconds=_IDLE_SECONDS,
        )
        self.papers = Papers(workspaces, models=self.models, vision=self._vision, config=config, others=others, now=now)
        self.questions = Questions(
            workspaces, models=self.models, model=self._model, vision=self._vision, config=config, capability=capability
        )
        self.studies = Studies(
            workspaces, models=self.models, model=self._model, capability=capability, config=config, now=now
        )
        self.records = Records(workspaces, models=self.models, now=now)
        self.groups = Groups(
            workspaces, models=self.models, model=self._model, capability=capability, config=config, now=now
        )
        self.channels = Channels(workspaces, now=now)
        self.threads = Threads(workspaces, now=now)
        self.fetching = Fetching(config.fetch)

    async def __aenter__(self) -> "Engine":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all workspaces, end the reader's processes, close the models' connections."""
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self._model.close)
            stack.push_async_callback(self._vision.close)
            stack.push_async_callback(asyncio.to_thread, self.questions.close)
            stack.push_async_callback(self.models.reader.close)
            await self._workspaces.close()

    async def warm(self) -> None:
        """Load beside other work what the first paper or question would wait for. Never fails, sends nothing."""
        await warm(self.models, self._model)
