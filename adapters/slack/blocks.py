"""Block Kit pieces within Slack's limits: rich text, tables, small print, buttons, inputs. Pure.

Words of papers and people only ever become text elements (rich text or ``plain_text``), which Slack shows as
they are: nothing in them can ping, link, unfurl or turn into layout. Limits are those of Slack's Block Kit
reference; a text that is longer is split by the caller or cut here where it is only a label.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from adapters.common.markdown import Line, Run, plain
from core.domain.reply import Button, Field

Block: TypeAlias = Mapping[str, object]

MOST_BLOCKS = 50
MOST_HOME_BLOCKS = 100
MOST_TEXT = 12_000
"""Characters that all blocks of one message may hold; Slack answers ``msg_blocks_too_long`` a little above it."""
LONGEST_TEXT = 2_900
MOST_ROWS = 100
MOST_CELLS = 20
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_LONGEST_CELL = 600
_MOST_BUTTONS = 25
_LONGEST_LABEL = 75
_LONGEST_FEEDBACK = 75
_LONGEST_INITIAL = 3_000
_MOST_OPTIONS = 100
_TEXT_FIELDS = frozenset({"text", "url", "alt_text", "value"})
_STYLES: Mapping[str, Mapping[str, bool]] = {"bold": {"bold": True}, "code": {"code": True}}
PRESS = "press"
FEEDBACK = "feedback"
"""Action ids begin with one of these; what is pressed stands in the value as ``ACTION VALUE``."""


def cut(words: str, longest: int) -> str:
    """``words`` on one line, at most ``longest`` characters, with an ellipsis where something is missing."""
    line = " ".join(words.split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def runs(line: Line) -> list[Block]:
    """The elements of a rich text section; never empty, because Slack refuses an empty one."""
    elements = [element for run in line for element in _run(run)]
    return elements or [{"type": "text", "text": " "}]


def section(line: Line) -> Block:
    """A paragraph."""
    return {"type": "rich_text_section", "elements": runs(line)}


def bullets(lines: Sequence[Line]) -> Block:
    """A list."""
    return {"type": "rich_text_list", "style": "bullet", "indent": 0, "elements": [section(line) for line in lines]}


def quote(line: Line) -> Block:
    """A quote."""
    return {"type": "rich_text_quote", "elements": runs(line)}


def preformatted(text: str) -> Block:
    """Lines in fixed width; code in it keeps its characters."""
    return {"type": "rich_text_preformatted", "elements": [{"type": "text", "text": _shown(text) or " "}]}


def rich(elements: Sequence[Block]) -> Block:
    """A block of rich text."""
    return {"type": "rich_text", "elements": list(elements)}


def table(header: Sequence[Line], rows: Sequence[Sequence[Line]]) -> Block:
    """A table of at most 100 rows (header included) and 20 columns."""
    lines = [[_cell(cell, bold=True) for cell in header], *([_cell(cell) for cell in row] for row in rows)]
    return {"type": "table", "rows": lines, "column_settings": [{"is_wrapped": True} for _ in header]}


def as_list(block: Block) -> Block:
    """A table block as a list, a line a row, where a second table is not taken."""
    rows = block.get("rows")
    lines = [" · ".join("".join(_texts(cell)) for cell in row) for row in rows] if isinstance(rows, list) else []
    return rich([bullets([(Run(text=cut(line, LONGEST_TEXT)),) for line in lines] or [()])])


def small(words: str) -> Block:
    """Small grey print beneath; at most 2,900 characters."""
    element = {"type": "plain_text", "text": _shown(words)[:LONGEST_TEXT] or " ", "emoji": False}
    return {"type": "context", "elements": [element]}


def heading(words: str) -> Block:
    """A large line."""
    return {"type": "header", "text": _plain(cut(words, 150) or " ")}


def buttons(buttons: Sequence[Button], *, thread: str = "") -> list[Block]:
    """Rows of buttons; "good" and "wrong" side by side become Slack's own feedback buttons.

    ``thread`` comes back with a press (in the row's id), because a message for one person alone does not say it.
    """
    by_action = {button.action: button for button in buttons}
    is_judged = by_action.keys() >= {"good", "wrong"}
    verdicts = [by_action["good"], by_action["wrong"]] if is_judged else []
    elements = [_button(button, n) for n, button in enumerate(button for button in buttons if button not in verdicts)]
    rows: list[Block] = [
        {"type": "actions", "elements": elements[start : start + _MOST_BUTTONS]}
        for start in range(0, len(elements), _MOST_BUTTONS)
    ]
    if is_judged:
        rows.append({"type": "context_actions", "elements": [_feedback(*verdicts)]})
    return [{**row, "block_id": f"{thread}/{number}"} for number, row in enumerate(rows)]


def parse_press(value: str) -> tuple[str, str]:
    """Action and value of a press, as ``buttons`` wrote them."""
    action, _, rest = value.partition(" ")
    return action, rest


def field(field: Field) -> Block:
    """An input of a form."""
    block: dict[str, object] = {
        "type": "input",
        "block_id": field.name[:255],
        "label": _plain(cut(field.label, 2_000) or field.name),
        "optional": not field.required,
        "element": _choice(field) if field.kind == "choice" and field.choices else _line(field),
    }
    if field.hint:
        block["hint"] = _plain(cut(field.hint, 2_000))
    return block


def characters(block: object) -> int:
    """Characters of text that a block holds, as Slack counts them against a message."""
    return sum(len(text) for text in _texts(block))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)
    elif isinstance(value, Mapping):
        for name, part in value.items():
            yield from [part] if name in _TEXT_FIELDS and isinstance(part, str) else _texts(part)


def _run(run: Run) -> Iterator[Block]:
    words = _shown(run.text)
    style = _STYLES.get(run.style)
    for start in range(0, len(words), LONGEST_TEXT):
        element: dict[str, object] = {"type": "text", "text": words[start : start + LONGEST_TEXT]}
        if style:
            element["style"] = style
        yield element


def _cell(line: Line, *, bold: bool = False) -> Block:
    words = plain(line)
    if len(words) > _LONGEST_CELL:
        line = (Run(text=cut(words, _LONGEST_CELL)),)
    if bold:
        line = (Run(text=plain(line) or " ", style="bold"),)
    return rich([section(line)])


def _shown(words: str) -> str:
    """Without control characters, which Slack refuses or shows as boxes; line ends and tabs stay."""
    return _CONTROL.sub("", words)


def _plain(words: str) -> Block:
    return {"type": "plain_text", "text": _shown(words) or " ", "emoji": False}


def _button(button: Button, number: int) -> Block:
    element: dict[str, object] = {
        "type": "button",
        "text": _plain(cut(button.label, _LONGEST_LABEL) or button.action),
        "action_id": f"{PRESS}-{number}",
        "value": f"{button.action} {button.value}",
    }
    if button.style != "plain":
        element["style"] = button.style
    return element


def _feedback(good: Button, wrong: Button) -> Block:
    return {
        "type": "feedback_buttons",
        "action_id": FEEDBACK,
        "positive_button": _side(good),
        "negative_button": _side(wrong),
    }


def _side(button: Button) -> Block:
    label = cut(button.label, _LONGEST_FEEDBACK) or button.action
    return {"text": _plain(label), "accessibility_label": label, "value": f"{button.action} {button.value}"}


def _line(field: Field) -> Block:
    element: dict[str, object] = {
        "type": "plain_text_input",
        "action_id": "filled",
        "multiline": field.kind == "text",
    }
    if field.initial:
        element["initial_value"] = field.initial[:_LONGEST_INITIAL]
    return element


def _choice(field: Field) -> Block:
    options = [
        {"text": _plain(cut(label, _LONGEST_LABEL) or value), "value": value[:150]}
        for value, label in field.choices[:_MOST_OPTIONS]
    ]
    element: dict[str, object] = {"type": "static_select", "action_id": "filled", "options": options}
    chosen = [option for option in options if option["value"] == field.initial[:150]]
    if chosen:
        element["initial_option"] = chosen[0]
    return element
