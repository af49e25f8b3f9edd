"""The question form, what forms return, and the place of an interaction that a form carries with it. Pure."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adapters.slack import blocks as kit
from adapters.slack.blocks import Block
from adapters.slack.installations import NAME
from adapters.slack.payload import Payload, list_of, part_of, text_of
from core.domain.model import Audience, Paper, Workspace

_MOST_KEPT = 2_900


@dataclass(frozen=True, slots=True, kw_only=True)
class InteractionSource:
    """Where something was pressed or filled in."""

    workspace: Workspace
    channel: str
    thread: str
    message: str
    user: str
    alone: bool = False


def source_of(payload: Payload) -> InteractionSource:
    """Where an interactive payload comes from."""
    user, container, message = part_of(payload, "user"), part_of(payload, "container"), part_of(payload, "message")
    team = text_of(part_of(payload, "team"), "id") or text_of(user, "team_id")
    ts = text_of(container, "message_ts") or text_of(message, "ts")
    thread = text_of(container, "thread_ts") or text_of(message, "thread_ts")
    if not thread and ts and not container.get("is_ephemeral"):
        thread = ts
    return InteractionSource(
        workspace=Workspace(platform=NAME, id=team),
        channel=text_of(container, "channel_id") or text_of(part_of(payload, "channel"), "id"),
        thread=thread,
        message=ts,
        user=text_of(user, "id"),
        alone=bool(container.get("is_ephemeral")),
    )


def encode_context(where: InteractionSource, form: str, value: str) -> str:
    """What a form has to bring back with it: what it is, and where it was opened."""
    values = {
        "form": form,
        "value": value[:_MOST_KEPT],
        "channel": where.channel,
        "thread": where.thread,
        "message": where.message,
    }
    return json.dumps(values, separators=(",", ":"))


def decode_context(text: str) -> Mapping[str, str]:
    """What ``kept`` wrote; empty where that is nothing that it wrote."""
    try:
        values = json.loads(text or "{}")
    except ValueError:
        return {}
    return {name: str(value) for name, value in values.items()} if isinstance(values, dict) else {}


CALLBACK = "ask-form"
SHORTCUT = "ask-about"
PAPERS = "papers"
_LONGEST = 3_000
_MOST_CHOSEN = 20
_THREAD, _ASKER = "thread", "asker"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionInput:
    """What the form came back with."""

    text: str
    papers: frozenset[str]
    audience: Audience


def question_form(words: str, chosen: Sequence[Paper], *, kept: str) -> Block:
    """The modal, with a question and papers filled in beforehand."""
    question: dict[str, object] = {"type": "plain_text_input", "action_id": "filled", "multiline": True}
    if words.strip():
        question["initial_value"] = words.strip()[:_LONGEST]
    papers: dict[str, object] = {
        "type": "multi_external_select",
        "action_id": PAPERS,
        "placeholder": _plain("all papers"),
        "min_query_length": 0,
        "max_selected_items": _MOST_CHOSEN,
    }
    if chosen:
        papers["initial_options"] = [option(paper) for paper in chosen[:_MOST_CHOSEN]]
    return {
        "type": "modal",
        "callback_id": CALLBACK,
        "private_metadata": kept,
        "title": _plain("Ask about papers"),
        "submit": _plain("Ask"),
        "close": _plain("Cancel"),
        "blocks": [
            _input("question", "Your question", question),
            {**_input(PAPERS, "Only in these papers", papers), "optional": True},
            _input("audience", "Who reads the answer", _audience()),
        ],
    }


def option(paper: Paper) -> Block:
    """A paper as one choice."""
    year = f" ({paper.metadata.year})" if paper.metadata.year else ""
    return {"text": _plain(kit.cut(paper.title, 75 - len(year)) + year), "value": paper.id}


def parse_question(values: Payload) -> QuestionInput:
    """What ``view.state.values`` of the form says."""
    chosen = part_of(part_of(values, PAPERS), PAPERS)
    ids = [text_of(choice, "value") for choice in list_of(chosen, "selected_options") if isinstance(choice, Mapping)]
    audience = text_of(part_of(part_of(part_of(values, "audience"), "filled"), "selected_option"), "value")
    return QuestionInput(
        text=text_of(part_of(part_of(values, "question"), "filled"), "value").strip(),
        papers=frozenset(ids),
        audience="asker" if audience == _ASKER else "thread",
    )


def parse_fields(values: Payload) -> Mapping[str, str]:
    """What the fields of any other form hold, by name."""
    fields: dict[str, str] = {}
    for name, inner in values.items():
        element = part_of(inner, "filled") if isinstance(inner, Mapping) else {}
        fields[name] = text_of(element, "value") or text_of(part_of(element, "selected_option"), "value")
    return fields


def _input(name: str, label: str, element: Mapping[str, object]) -> dict[str, object]:
    return {"type": "input", "block_id": name, "label": _plain(label), "element": element}


def _audience() -> Mapping[str, object]:
    options = [
        {"text": _plain("Everybody here, in the thread"), "value": _THREAD},
        {"text": _plain("Only me first"), "value": _ASKER},
    ]
    return {"type": "radio_buttons", "action_id": "filled", "options": options, "initial_option": options[0]}


def _plain(words: str) -> Mapping[str, object]:
    return {"type": "plain_text", "text": words, "emoji": False}
