"""Whether Slack would take blocks: rebuilt with ``slackblocks``, which checks as it builds, and with Slack's models.

Both were written by others. Added here are rules that span a whole message and that neither knows.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import slackblocks as kit
from slack_sdk.models.blocks import Block as SdkBlock
from slackblocks.blocks import Block

_MOST_CHARACTERS = 13_000  # Slack answers msg_blocks_too_long from about 13,200 on
_TABLE_CHARACTERS = 10_000


def problems(blocks: Sequence[Mapping[str, Any]], *, most: int = 50) -> list[str]:
    """What is wrong with the blocks of a message; nothing where Slack would take them."""
    found = [f"blocks[{n}]: {told}" for n, block in enumerate(blocks) for told in _judged(dict(block))]
    if not 0 < len(blocks) <= most:
        found.append(f"{len(blocks)} blocks")
    if sum(block["type"] == "table" for block in blocks) > 1:
        found.append("more than one table")
    if most == 50 and sum(len(text) for text in texts(blocks)) > _MOST_CHARACTERS:
        found.append("more text than one message holds")
    ids = [block["block_id"] for block in blocks if "block_id" in block]
    if len(ids) != len(set(ids)):
        found.append("a block id twice")
    if not found and most == 50:
        kit.Message(channel="C1", text="said", blocks=[rebuilt(dict(block)) for block in blocks])
    return found


def view_problems(view: Mapping[str, Any]) -> list[str]:
    """The same of a modal or a Home tab."""
    found = problems(view["blocks"], most=100)
    blocks = [rebuilt(dict(block)) for block in view["blocks"]]
    if view["type"] == "home":
        kit.HomeTabView(blocks=blocks)
    else:
        given = {name: view[name]["text"] for name in ("title", "submit", "close")}
        kit.ModalView(
            blocks=blocks,
            private_metadata=view["private_metadata"],
            callback_id=view["callback_id"],
            title=given["title"],
            submit=given["submit"],
            close=given["close"],
        )
    return found


def texts(value: Any) -> Iterator[str]:
    """Every text that is shown."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            if name in ("text", "alt_text") and isinstance(part, str):
                yield part
            else:
                yield from texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from texts(part)


def rebuilt(block: dict[str, Any]) -> Block:
    """The block made anew by ``slackblocks``. Raises its errors."""
    id_ = block.get("block_id")
    match block["type"]:
        case "rich_text":
            return kit.RichTextBlock([_rich(item) for item in block["elements"]], block_id=id_)
        case "table":
            settings = [kit.ColumnSettings(is_wrapped=item["is_wrapped"]) for item in block["column_settings"]]
            rows = [[_rich(cell["elements"][0]) for cell in row] for row in block["rows"]]
            return kit.TableBlock(rows, column_settings=settings, block_id=id_)
        case "actions":
            return kit.ActionsBlock([_element(item) for item in block["elements"]], block_id=id_)
        case "context_actions":
            return kit.ContextActionsBlock([_feedback(item) for item in block["elements"]], block_id=id_)
        case "input":
            hint = block["hint"]["text"] if "hint" in block else None
            element = _element(block["element"])
            return kit.InputBlock(
                block["label"]["text"], element, block_id=id_, hint=hint, optional=block.get("optional", False)
            )
    return Block.from_dict(block)


def _judged(block: dict[str, Any]) -> Iterator[str]:
    try:
        made = rebuilt(block)
        if _known(made._resolve()) != _known(block):
            yield f"{block['type']}: rebuilt it is another"
    except Exception as error:
        yield f"{block['type']}: {type(error).__name__}: {error}"
    warned: list[str] = []
    handler = _Listening(warned)
    logging.getLogger("slack_sdk").addHandler(handler)
    try:
        parsed = SdkBlock.parse(block)
        if parsed is None:
            yield f"{block['type']}: Slack's models do not know it"
        else:
            parsed.validate_json()
            for element in getattr(parsed, "elements", None) or []:
                if hasattr(element, "validate_json"):
                    element.validate_json()
    except Exception as error:
        yield f"{block['type']}: {type(error).__name__}: {error}"
    finally:
        logging.getLogger("slack_sdk").removeHandler(handler)
    yield from warned
    if block["type"] == "table" and sum(len(text) for text in texts(block)) > _TABLE_CHARACTERS:
        yield "table: more text than one table holds"
    if any(text == "" for text in texts(block)):
        yield f"{block['type']}: an empty text"
    if block["type"] == "actions":
        ids = [item["action_id"] for item in block["elements"]]
        if len(ids) != len(set(ids)):
            yield "actions: an action id twice"


class _Listening(logging.Handler):
    """Slack's models only warn about fields that they do not know."""

    def __init__(self, heard: list[str]) -> None:
        super().__init__(logging.WARNING)
        self._heard = heard

    def emit(self, record: logging.LogRecord) -> None:
        self._heard.append(record.getMessage())


def _known(value: Any) -> Any:
    """JSON without what says the same by being left out."""
    if isinstance(value, Mapping):
        usual = {"emoji": False, "verbatim": False, "offset": 0, "border": 0, "indent": 0, "multiline": False}
        return {
            name: _known(part)
            for name, part in value.items()
            if name != "block_id"
            and part is not None
            and usual.get(name) != part
            and not (name == "optional" and not part)
        }
    if isinstance(value, list | tuple):
        return [_known(part) for part in value]
    return value


def _rich(one: Mapping[str, Any]) -> Any:
    match one["type"]:
        case "rich_text_section":
            return kit.RichTextSection([_run(run) for run in one["elements"]])
        case "rich_text_list":
            return kit.RichTextList(one["style"], [_rich(part) for part in one["elements"]], indent=one["indent"])
        case "rich_text_quote":
            return kit.RichTextQuote([_run(run) for run in one["elements"]])
        case "rich_text_preformatted":
            return kit.RichTextCodeBlock([_run(run) for run in one["elements"]])
    raise ValueError(f"{one['type']} is not judged")


def _run(run: Mapping[str, Any]) -> Any:
    style = run.get("style", {})
    return kit.RichText(run["text"], bold=style.get("bold"), code=style.get("code"))


def _element(one: Mapping[str, Any]) -> Any:
    id_ = one["action_id"]
    match one["type"]:
        case "button":
            return kit.Button(one["text"]["text"], action_id=id_, value=one["value"], style=one.get("style"))
        case "plain_text_input":
            return kit.PlainTextInput(id_, initial_value=one.get("initial_value"), multiline=one["multiline"])
        case "static_select":
            first = _option(one["initial_option"]) if "initial_option" in one else None
            return kit.StaticSelectMenu(id_, [_option(option) for option in one["options"]], initial_option=first)
        case "radio_buttons":
            return kit.RadioButtonGroup(
                id_, [_option(option) for option in one["options"]], _option(one["initial_option"])
            )
        case "multi_external_select":
            chosen = [_option(option) for option in one.get("initial_options", ())]
            return kit.ExternalMultiSelectMenu(
                id_,
                min_query_length=one["min_query_length"],
                initial_options=chosen or None,
                max_selected_items=one["max_selected_items"],
                placeholder=one["placeholder"]["text"],
            )
    raise ValueError(f"{one['type']} is not judged")


def _option(one: Mapping[str, Any]) -> Any:
    return kit.Option(kit.PlainText(one["text"]["text"]), one["value"])


def _feedback(one: Mapping[str, Any]) -> Any:
    sides = [
        kit.FeedbackButton(one[side]["text"]["text"], one[side]["value"], one[side]["accessibility_label"])
        for side in ("positive_button", "negative_button")
    ]
    return kit.FeedbackButtons(sides[0], sides[1], action_id=one["action_id"])
