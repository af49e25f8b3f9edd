"""The Markdown subset of a reply as Discord reads it: nothing a paper or a person wrote turns into layout. Pure."""

import re

from adapters.common.markdown import Block, Code, Grid, Line, Text, parse
from adapters.common.tables import align, as_records, fits, wrap

CODE_COLUMNS = 56
"""Signs that a line of code holds on a phone held across and in a narrow window."""

_SIGNS = re.compile(r"([\\`*_~|<>\[\]])")
_LINE_START = re.compile(r"^(?P<space>\s*)(?P<sign>#|-|\+|\d+[.)](?=\s))", re.MULTILINE)
_EMOJI = re.compile(r":(?=\w+:)")
_PING = re.compile(r"@(?=everyone|here|&|!|\d)")
_LINK = re.compile(r"(?P<address>https?://[^\s\\<>]+)")


def literal(words: str) -> str:
    """``words`` so that Discord shows every sign of them and nobody is called."""
    parts = [part if _LINK.fullmatch(part) else _escaped(part) for part in _LINK.split(words)]
    return _LINE_START.sub(_not_at_start, "".join(parts))


def small(words: str) -> str:
    """One line in Discord's small grey type."""
    return f"-# {literal(' '.join(words.split()))}"


def body_text(body: str) -> str:
    """A reply's body in Discord's Markdown; tables lined up, or as records where their cells say too much for that."""
    text = ""
    before: Block | None = None
    for block in parse(body):
        text += _gap(before, block) + _block(block)
        before = block
    return text


def _gap(before: Block | None, block: Block) -> str:
    if before is None:
        return ""
    listed = isinstance(before, Text) and isinstance(block, Text) and block.kind != "paragraph"
    return "\n" if listed else "\n\n"


def _block(block: Block) -> str:
    match block:
        case Text(kind="bullet", line=line):
            return f"- {_line(line)}"
        case Text(kind="quote", line=line):
            return f"> {_line(line)}"
        case Text(line=line):
            return _line(line)
        case Grid() as grid if fits(grid, CODE_COLUMNS):
            return _fenced(align(grid))
        case Grid() as grid if broken := wrap(grid, CODE_COLUMNS):
            return _fenced(broken)
        case Grid() as grid:
            return body_text(as_records(grid))
        case Code(text=text):
            return _fenced(text)


def _line(line: Line) -> str:
    text = ""
    for run in line:
        match run.style:
            case "bold":
                text += f"**{_escaped(run.text)}**"
            case "code":
                text += f"`{run.text.replace('`', 'ˋ')}`"
            case _:
                text += "".join(part if _LINK.fullmatch(part) else _escaped(part) for part in _LINK.split(run.text))
    return _LINE_START.sub(_not_at_start, text)


def _fenced(text: str) -> str:
    return "```\n" + text.replace("```", "ˋˋˋ") + "\n```"


def _escaped(words: str) -> str:
    words = _SIGNS.sub(r"\\\1", words)
    return _PING.sub("@\u200b", _EMOJI.sub(r"\:", words))


def _not_at_start(match: re.Match[str]) -> str:
    char = match["sign"]
    return f"{match['space']}{char[:-1]}\\{char[-1]}" if char[0].isdigit() else f"{match['space']}\\{char}"
