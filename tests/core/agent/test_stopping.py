"""An answer that somebody stops ends with what was verified until then, and is remembered so."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from core.assistant.asking.ask import ask
from core.config import LlmConfig
from core.domain.model import Answer, Citation, Evidence, Scope, Sentence
from core.domain.ports import Filters
from core.domain.progress import Stop
from core.domain.request_context import RequestContext
from core.llm.chat import ChatModel
from tests.core.agent.small_library import (
    ALL,
    NOON,
    SCOPE,
    THREAD,
    Heard,
    ShortMemory,
    SmallLibrary,
    dependencies,
    library,
)
from tests.llm.brains import Brain, claim, claims
from tests.llm.scripted_server import Says, ScriptedServer

QUESTION = "Which cultivar kept its grain yield under drought?"
RIGHT = "The cultivar Halland kept 91 percent of its grain yield under drought."


class Impatient(Heard):
    """Asks for the end with the first sentence."""

    def __init__(self, stop: Stop) -> None:
        super().__init__()
        self.stop = stop

    async def sentence(self, sentence: Sentence, citations: Sequence[Citation]) -> None:
        await super().sentence(sentence, citations)
        self.stop.ask()


async def test_what_was_verified_until_then_is_the_answer_and_is_remembered() -> None:
    first, second = claim(RIGHT, RIGHT), "Yield fell because stomata closed early."
    with ScriptedServer(Brain(write=Says(text=claims(first, claim(second, second))))) as server:
        server.hold_after = len(claims(first).split()) + 4
        config = LlmConfig(base_url=server.url, model="scripted", timeout_seconds=20.0, concurrency=1)
        model, memory, stop = ChatModel(config), ShortMemory(), Stop()
        with_model = replace(dependencies(memory=memory), model=model, llm=config)
        answer = await ask(
            QUESTION,
            RequestContext(scope=SCOPE, thread=THREAD, at=NOON, trace_id="t", progress=Impatient(stop), stop=stop),
            with_model,
        )
        server.gate.set()
        await model.close()
    assert [one.text for one in answer.sentences] == [RIGHT]
    assert [one.spans[0].page for one in answer.citations] == [4]
    assert (answer.outcome, answer.mode) == ("answered", "model")
    assert any("stopped" in note for note in answer.notes)
    assert memory.answers == [answer]
    assert memory.turns[-1].text == RIGHT and memory.turns[-1].citations == answer.citations


class NeverFound(SmallLibrary):
    """A search that does not come back."""

    def __init__(self, stop: Stop) -> None:
        plain = library()
        super().__init__(held=plain.held, texts=plain.texts)
        self.stop = stop
        self.left = False

    async def search(
        self,
        query: str,
        scope: Scope,
        *,
        k: int | None = None,
        filters: Filters = ALL,
        per_paper: int | None = None,
    ) -> Sequence[Evidence]:
        self.stop.ask()
        try:
            await asyncio.Event().wait()
        finally:
            self.left = True
        return ()


async def stopped(stop: Stop, held: SmallLibrary) -> Answer:
    return await ask(
        QUESTION,
        RequestContext(scope=SCOPE, thread=THREAD, at=NOON, trace_id="t", progress=Heard(), stop=stop),
        dependencies(held),
    )


async def test_stopped_before_anything_was_found_says_so_and_leaves_nothing_running() -> None:
    stop = Stop()
    held = NeverFound(stop)
    answer = await stopped(stop, held)
    assert (answer.outcome, answer.sentences) == ("unclear", ())
    assert "Stopped" in answer.message
    assert held.left


async def test_a_stop_that_comes_after_the_answer_changes_nothing() -> None:
    stop = Stop()
    answer = await stopped(stop, library())
    stop.ask()
    assert answer.outcome == "answered" and not any("stopped" in note for note in answer.notes)
