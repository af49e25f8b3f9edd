"""Reads an object out of what a model wrote, however it is dressed: fences, chatter, bare values, wrong types.

Small models seldom write the nested shape they were asked for, but often the right value; so schemas here are
flat, the first required property is the one that a bare value answers, and what does not fit takes no part.
"""

import json
import re
from collections.abc import Mapping, Sequence
from copy import copy
from typing import cast

from core.llm.thoughts import without_thoughts

_FENCE = re.compile(r"```[a-zA-Z]*\s*(.*?)```", re.DOTALL)
_YES = re.compile(r"^\W*(?:true|yes|sufficient|ja|oui|sí)\b", re.IGNORECASE)
_NO = re.compile(r"^\W*(?:false|no|not|insufficient|nein|non)\b", re.IGNORECASE)
_WHOLE = re.compile(r"-?\d{1,9}")


def parse_object(text: str, schema: Mapping[str, object]) -> Mapping[str, object] | None:
    """The properties of ``schema`` that ``text`` holds, each of its type; None where a required one is missing."""
    bare = without_thoughts(text)
    for candidate in (*_FENCE.findall(bare), bare):
        value = _first_json_value(candidate)
        if value is not None:
            fitted = _fit_to_schema(value, schema)
            if fitted is not None:
                return fitted
    return _fit_to_schema(_parse_lines(bare, schema), schema) or _parse_single_value(bare, schema)


def _first_json_value(text: str) -> object | None:
    """The first JSON value of ``text`` that is an object, list or literal."""
    decoder = json.JSONDecoder()
    stripped = text.strip()
    for match in re.finditer(r"[{\[]", stripped):
        try:
            return cast(object, decoder.raw_decode(stripped[match.start() :])[0])
        except ValueError:
            continue
    try:
        return cast(object, json.loads(stripped))
    except ValueError:
        return None


def _fit_to_schema(value: object, schema: Mapping[str, object]) -> Mapping[str, object] | None:
    properties = _properties(schema)
    required = _required(schema)
    if not isinstance(value, Mapping):
        value = {required[0]: value} if required else {}
    if len(value) == 1 and not set(value) & set(properties):
        (inner,) = value.values()  # {"result": {...}}: a shape around the shape
        value = inner if isinstance(inner, Mapping) else {required[0]: inner} if required else {}
    found: dict[str, object] = {}
    folded = {str(key).casefold().replace(" ", "_"): part for key, part in value.items()}
    for name, kind in properties.items():
        if name in folded:
            coerced = _coerce(folded[name], kind)
            if coerced is not None:
                found[name] = coerced
    if required and required[0] in found:
        # Small models leave out what they have nothing to say to.
        found = {
            name: copy(_EMPTY[str(kind["type"])]) for name, kind in properties.items() if _may_be_empty(kind)
        } | found
    return found if all(name in found for name in required) else None


_EMPTY: Mapping[str, object] = {"string": "", "array": []}


def _may_be_empty(kind: Mapping[str, object]) -> bool:
    return kind.get("type") in _EMPTY and "enum" not in kind


def _coerce(value: object, kind: Mapping[str, object]) -> object | None:
    match kind.get("type"):
        case "boolean":
            return _parse_bool(value)
        case "integer":
            return _parse_int(value)
        case "array":
            inner = cast(Mapping[str, object], kind.get("items", {"type": "string"}))
            parts = value if isinstance(value, list) else [value]
            coerced = [_coerce(part, inner) for part in parts]
            return [part for part in coerced if part not in (None, "")]
        case _:
            return _parse_string(value, kind)


def _parse_bool(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    text = str(value)
    return True if _YES.match(text) else False if _NO.match(text) else None


def _parse_int(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    match = _WHOLE.search(str(value))
    return int(match.group()) if match else None


def _parse_string(value: object, kind: Mapping[str, object]) -> str | None:
    if value is None:
        return ""
    if isinstance(value, (Mapping, list)):
        return None
    text = str(value).strip()
    allowed = cast(Sequence[str], kind.get("enum", ()))
    if not allowed:
        return text
    return next((value for value in allowed if value.casefold() == text.casefold()), None)


def _parse_lines(text: str, schema: Mapping[str, object]) -> Mapping[str, object]:
    """``name: value`` lines, as small models write them."""
    found: dict[str, object] = {}
    for name in _properties(schema):
        said = name.replace("_", "[ _]")
        match = re.search(rf"^\W*{said}\W*[:=]\s*(.+)$", text, re.IGNORECASE | re.MULTILINE)
        if match:
            found[name] = match.group(1).strip().strip('",')
    return found


def _parse_single_value(text: str, schema: Mapping[str, object]) -> Mapping[str, object] | None:
    """The whole text as the one required truth value or short line."""
    required = _required(schema)
    if len(required) != 1 or not text or text[0] in "{[":
        return None
    kind = _properties(schema)[required[0]]
    if kind.get("type") == "boolean":
        truth = _parse_bool(text)
        return None if truth is None else {required[0]: truth}
    if kind.get("type", "string") == "string" and "\n" not in text:
        return _fit_to_schema({required[0]: text}, schema)
    return None


def _properties(schema: Mapping[str, object]) -> Mapping[str, Mapping[str, object]]:
    return cast(Mapping[str, Mapping[str, object]], schema.get("properties", {}))


def _required(schema: Mapping[str, object]) -> Sequence[str]:
    return cast(Sequence[str], schema.get("required", ()))
