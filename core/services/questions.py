"""Questions within a thread: what a message asks for, the answer, and the passages behind it."""

from collections.abc import Sequence

from core.agent.extractive.reasoner import ExtractiveReasoner
from core.agent.langsmith import Untraced, open_tracing
from core.agent.reasoner import ModelCapability
from core.assistant.asking import ask as asking
from core.assistant.asking.figure_descriptions import Looks, ScopedFigures
from core.assistant.budget import WorkspaceBudget
from core.config import Config
from core.domain.language_models import LanguageModel, VisionModel
from core.domain.model import Answer, Channel, Evidence, Reach, Scope, Thread, Turn
from core.domain.request_context import RequestContext
from core.domain.studies import StudyRequest
from core.llm import NullLanguageModel, NullVisionModel
from core.services.open_workspaces import OpenWorkspace, OpenWorkspaces
from core.services.shared_models import SharedModels
from core.text.questions import is_question
from core.understanding.papers import PaperResolvers
from core.understanding.route import route


class Questions:
    """Questions of all workspaces; each is answered within the scope of its request."""

    def __init__(
        self,
        workspaces: OpenWorkspaces,
        *,
        models: SharedModels,
        model: LanguageModel,
        vision: VisionModel,
        config: Config,
        capability: ModelCapability,
    ) -> None:
        self._workspaces = workspaces
        self._models = models
        self._model = model
        self._vision = vision
        self._config = config
        self._looks = Looks()
        self._resolvers = PaperResolvers()
        self._tracing = open_tracing(config.langsmith)
        self._capability = capability
        self._reasoner = ExtractiveReasoner()

    async def ask(self, question: str, request: RequestContext, *, reach: Reach = "usual") -> Answer:
        """Answer a message within its thread; question, answer, citations and timings are stored.

        What asks for a study is answered as a question.
        """
        async with self._workspaces.enter(request.workspace) as opened:
            await opened.check_embedder()
            dependencies = await self._dependencies(opened, request.channel)
            return await asking.ask(question, request, dependencies, reach=reach)

    async def respond(self, message: str, request: RequestContext, *, reach: Reach = "usual") -> Answer | StudyRequest:
        """As ``ask``, but a message that asks for a study is returned as the study to make; nothing is stored of it."""
        async with self._workspaces.enter(request.workspace) as opened:
            dependencies = await self._dependencies(opened, request.channel)
            received = await asking.receive(message, request, dependencies)
            meaning = await route(message, received.conversation, received.resolver, embedder=dependencies.embedder)
            if isinstance(meaning, StudyRequest):
                return meaning
            await opened.check_embedder()
            return await asking.answer(received, meaning, dependencies, reach=reach)

    async def retrieve(self, question: str, *, thread: Thread, scope: Scope, k: int) -> Sequence[Evidence]:
        """The passages that ``ask`` would rank for a question in this thread, best first; nothing is stored."""
        async with self._workspaces.enter(scope.workspace) as opened:
            await opened.check_embedder()
            dependencies = await self._dependencies(opened, thread.channel)
            return await asking.retrieve(question, thread=thread, scope=scope, dependencies=dependencies, k=k)

    def is_question(self, words: str) -> bool:
        """Whether a message reads like a question, in any language."""
        return is_question(words)

    async def remember(self, thread: Thread, turns: Sequence[Turn]) -> None:
        """Put turns into a thread's memory, as if they had been said here."""
        async with self._workspaces.enter(thread.channel.workspace) as opened:
            await opened.stores.memory.append(thread, *turns)

    def close(self) -> None:
        """Send what is left to be traced."""
        self._tracing.close()

    async def _dependencies(self, opened: OpenWorkspace, channel: Channel) -> asking.AskDependencies:
        """What answering in ``channel`` may use: no model, vision model or tracing where its settings forbid them."""
        stores = opened.stores
        may_use_model = (await opened.settings(channel)).model == "allowed"
        vision = self._vision if may_use_model else NullVisionModel()

        def figures(scope: Scope) -> ScopedFigures:
            return ScopedFigures(
                scope, library=stores.library, descriptions=stores.descriptions, model=vision, looks=self._looks
            )

        return asking.AskDependencies(
            library=stores.library,
            lexical=stores.lexical,
            memory=stores.memory,
            threads=stores.threads,
            resolvers=self._resolvers,
            retriever=opened.retriever,
            embedder=self._models.embedder,
            reranker=self._models.reranker,
            figures=figures,
            budget=WorkspaceBudget(self._config.budget, stores.spending),
            config=self._config.agent,
            tracing=self._tracing if may_use_model else Untraced(),
            model=self._model if may_use_model else NullLanguageModel(),
            llm=self._config.llm,
            capability=self._capability,
            reader=self._models.entailment,
            reasoner=self._reasoner,
        )
