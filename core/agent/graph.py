"""The one graph that answers questions: understand, then ask back, or search and have claims written, or find quotes.

A language model that may write takes the way over ``search`` and ``claim``. Without one, and where it fails, the way
leads over ``investigate``, ``look``, ``write`` and ``verify``.

It is compiled once and holds nothing of a workspace; each run brings its ``RunContext``. Tracing to a hosted
service is switched off around every run, whatever variables happen to be set for other programs; only what the
run brings along listens.
"""

import asyncio
import os
from functools import cache
from typing import TYPE_CHECKING, Literal, cast

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from core.agent import telemetry
from core.agent.reasoner import RunContext
from core.agent.state import Branch, State
from core.agent.steps import claim, clarify, investigate, look, search, understand, verify, write
from core.understanding.route import Question

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

STEPS_AT_MOST = 12
OTHERS_SWITCHES = ("LANGCHAIN_TRACING", "LANGCHAIN_HANDLER")
"""Old tracing switches of other programs: their mere presence makes langchain-core refuse to run with tracing off."""


def after_understanding(state: State) -> Literal["clarify"] | list[Send]:
    """Ask back, or open one branch a part."""
    understanding = state["understanding"]
    if understanding.course == "clarify":
        return "clarify"
    node = "search" if understanding.course == "claim" else "investigate"
    words = understanding.words or ("",) * len(understanding.parts)
    return [Send(node, Branch(part=part, words=more)) for part, more in zip(understanding.parts, words, strict=True)]


def after_claims(state: State) -> Literal["answered"] | list[Send]:
    """Done, or answered without the model where nothing came of it."""
    if "outcome" in state:
        return "answered"
    return [Send("investigate", Branch(part=part, words="")) for part in state["understanding"].plain]


@cache
def answering() -> "CompiledStateGraph[State, RunContext, State, State]":
    """The compiled graph; the same object at every call."""
    for name in OTHERS_SWITCHES:
        os.environ.pop(name, None)
    graph: StateGraph[State, RunContext, State, State] = StateGraph(State, context_schema=RunContext)
    for node in (understand, clarify, search, claim, investigate, look, write, verify):
        graph.add_node(node.__name__, node)
    graph.add_edge(START, "understand")
    graph.add_conditional_edges("understand", after_understanding, ["clarify", "search", "investigate"])
    graph.add_edge("search", "claim")
    graph.add_conditional_edges("claim", after_claims, {"answered": END, "investigate": "investigate"})
    graph.add_edge("investigate", "look")
    graph.add_edge("look", "write")
    graph.add_edge("write", "verify")
    for last in ("clarify", "verify"):
        graph.add_edge(last, END)
    return graph.compile(name="footnote")


async def answer_question(question: Question, run: RunContext) -> State:
    """One question through the graph; returns the final state."""
    traced = await asyncio.to_thread(run.dependencies.tracing.run)
    with traced, telemetry.step("answer") as counts:
        final = await answering().ainvoke(
            {"question": question},
            config={"recursion_limit": STEPS_AT_MOST, "callbacks": []},
            context=run,
        )
        spent = run.ledger.usage
        counts.add(calls=spent.calls, prompt_tokens=spent.prompt_tokens, reply_tokens=spent.reply_tokens)
    return cast(State, final)
