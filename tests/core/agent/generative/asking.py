"""A question to the small library with a scripted model behind it, as the tests of claims need it."""

from dataclasses import replace
from typing import Literal

from core.agent.reasoner import AssumedCapability, ModelCapability
from core.assistant.asking.ask import AskDependencies, ask
from core.config import LlmConfig
from core.domain.model import Answer
from core.domain.request_context import RequestContext
from core.llm.chat import ChatModel
from core.llm.endpoint import Endpoint
from core.text import alphanumeric_key
from tests.core.agent.small_library import (
    NOON,
    SCOPE,
    THREAD,
    Heard,
    ShortMemory,
    SmallLibrary,
    dependencies,
    library,
)
from tests.llm.scripted_server import Script, ScriptedServer

QUESTION = "Which cultivar kept its grain yield under drought?"
QUOTE = "The cultivar Halland kept 91 percent of its grain yield under drought."
OWN_WORDS = "When water ran short, Halland still gave 91 percent of the grain that one expects of it."


class Capable:
    """Trusts a model with one thing."""

    def __init__(self, what: Literal["claims", "search_words", "none"]) -> None:
        self.what = what

    async def capability(self) -> Literal["claims", "search_words", "none"]:
        return self.what


async def no_pause(seconds: float) -> None:
    return None


def request(heard: Heard | None = None, trace_id: str = "t") -> RequestContext:
    return RequestContext(scope=SCOPE, thread=THREAD, at=NOON, trace_id=trace_id, progress=heard or Heard())


def with_model(
    model: ChatModel,
    config: LlmConfig,
    held: SmallLibrary | None = None,
    memory: ShortMemory | None = None,
    capability: ModelCapability | None = None,
) -> AskDependencies:
    capability = capability or AssumedCapability()
    return replace(dependencies(held, memory), model=model, llm=config, capability=capability)


async def asked(
    script: Script,
    question: str = QUESTION,
    *,
    held: SmallLibrary | None = None,
    memory: ShortMemory | None = None,
    heard: Heard | None = None,
    seconds: float = 20.0,
    context: int = 8_192,
    capability: ModelCapability | None = None,
) -> Answer:
    with ScriptedServer(script) as server:
        config = LlmConfig(base_url=server.url, model="scripted", timeout_seconds=seconds, context_tokens=context)
        model = ChatModel(config, endpoint=Endpoint(config, pause=no_pause))
        try:
            return await ask(question, request(heard), with_model(model, config, held, memory, capability))
        finally:
            await model.close()


async def plainly(question: str = QUESTION, held: SmallLibrary | None = None) -> Answer:
    """The answer without a model."""
    return await ask(question, request(), dependencies(held))


def said(answer: Answer) -> list[str]:
    return [sentence.text for sentence in answer.sentences]


def supported(answer: Answer, held: SmallLibrary | None = None) -> bool:
    """Every sentence has a footnote, and every footnote's words are printed on the page it names."""
    texts = {one.id: one for one in (held or library()).texts}
    quoted = all(
        alphanumeric_key(span.quote) in alphanumeric_key(texts[span.passage_id].text)
        and span.page == texts[span.passage_id].page
        for citation in answer.citations
        for span in citation.spans
    )
    return quoted and all(sentence.markers for sentence in answer.sentences)
