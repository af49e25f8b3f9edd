"""The ways to ask an endpoint for an object of a schema, from the strictest to plain text, and what it replied."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage

SchemaMethod: TypeAlias = Literal["json_schema", "function_calling", "json_object", "text"]
WHOLE: tuple[SchemaMethod, ...] = ("json_schema", "function_calling", "json_object", "text")
STREAMED: tuple[SchemaMethod, ...] = ("json_schema", "json_object", "text")
"""Those that give the reply as text while it is written."""
_TOOL = "reply"


def known_methods(learnt: tuple[str, ...], methods: tuple[SchemaMethod, ...]) -> list[SchemaMethod]:
    """Those of ``methods`` that an endpoint was not yet seen to lack; all where nothing was learnt."""
    return [method for method in methods if method in learnt] or list(methods)


def schema_request(method: SchemaMethod, schema: Mapping[str, object]) -> Mapping[str, object]:
    """The part of a request that asks for a schema."""
    if method == "json_schema":
        named = {"name": _TOOL, "schema": dict(schema), "strict": True}
        return {"response_format": {"type": "json_schema", "json_schema": named}}
    if method == "function_calling":
        function = {"name": _TOOL, "description": "Give the reply.", "parameters": dict(schema)}
        return {
            "tools": [{"type": "function", "function": function}],
            "tool_choice": {"type": "function", "function": {"name": _TOOL}},
        }
    if method == "json_object":
        return {"response_format": {"type": "json_object"}}
    return {}


def reply_text(reply: "AIMessage") -> str:
    """What a reply says: the arguments of the call it makes, or its text."""
    for call in reply.tool_calls:
        return json.dumps(call["args"])
    for broken in reply.invalid_tool_calls:
        return str(broken.get("args") or "")
    return str(reply.text)
