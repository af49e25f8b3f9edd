"""The one graph that answers questions: understand, then ask back, or investigate, look at figures, write and verify.

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
from core.agent.steps import clarify, investigate, look, understand, verify, write
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
    return [Send("investigate", Branch(part=part)) for part in understanding.parts]


@cache
def answering() -> "CompiledStateGraph[State, RunContext, State, State]":
    """The compiled graph; the same object at every call."""
    for name in OTHERS_SWITCHES:
        os.environ.pop(name, None)
    graph: StateGraph[State, RunContext, State, State] = StateGraph(State, context_schema=RunContext)
    graph.add_node("understand", understand)
    graph.add_node("clarify", clarify)
    graph.add_node("investigate", investigate)
    graph.add_node("look", look)
    graph.add_node("write", write)
    graph.add_node("verify", verify)
    graph.add_edge(START, "understand")
    graph.add_conditional_edges("understand", after_understanding, ["clarify", "investigate"])
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
