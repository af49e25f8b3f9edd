"""A reply as Slack messages: blocks with a text beside them that reads well in a notification. Pure.

A reply that is too long for one message is split whole: between blocks where it can be, inside a paragraph at
a sentence or word where it must be, and a table by its rows with the header repeated.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from adapters.common.markdown import Code, Grid, Line, Run, Text, parse, plain
from adapters.slack import blocks as kit
from adapters.slack.blocks import Block
from core.domain.citation_format import footnote_text
from core.domain.reply import Form, Reply

_LONGEST_STATUS = 500
_FALLBACK = 2_500
_PIECE = 2_800
_NOTES = 2_400
_ROW_TEXT = 9_000
_TITLE = 24
_MEANT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_MARKDOWN = frozenset("\\`*_{}[]()#+-.!|~<>&@:")
_NOTHING = "\u200b"  # zero width space: between two signs it keeps them from meaning something together


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What one ``chat.postMessage`` shows; ``text`` is escaped for Slack."""

    text: str
    blocks: tuple[Block, ...]


def messages(reply: Reply, *, thread: str = "") -> tuple[Message, ...]:
    """The messages that show a reply whole, in order; at least one. ``thread`` comes back with a press."""
    parts = [*_body(reply.body), *_notes(reply), *_end(reply, thread)]
    packed = list(_packed(parts, most=kit.MOST_BLOCKS))
    text = fallback(reply)
    first, *rest = packed or [(kit.small(plain_words(reply.body) or "Done."),)]
    return (
        Message(text=text, blocks=first),
        *(Message(text=f"{_start(text)} (continued)", blocks=blocks) for blocks in rest),
    )


def home(reply: Reply) -> Block:
    """The Home tab: as much of the reply as one view holds."""
    parts: list[Block] = []
    size = 0
    tables = 0
    for block in [*_body(reply.body), *_notes(reply), *_end(reply, "")]:
        size += kit.characters(block)
        tables += block.get("type") == "table"
        if block.get("type") == "table" and tables > 1:
            block = kit.as_list(block)  # a view holds one table
        if len(parts) + 1 >= kit.MOST_HOME_BLOCKS or size > 2 * kit.MOST_TEXT:
            parts.append(kit.small("There is more; the commands show all of it."))
            break
        if block.get("type") != "context_actions":  # feedback belongs to messages
            parts.append(block)
    return {"type": "home", "blocks": parts or [kit.small("Drop a PDF into a channel to begin.")]}


def modal(form: Form, *, kept: str) -> Block:
    """A form as a modal; ``kept`` comes back with it (``private_metadata``, at most 3,000 characters)."""
    return {
        "type": "modal",
        "callback_id": form.name[:255],
        "private_metadata": kept,
        "title": _label(form.title),
        "submit": _label(form.submit or "Send"),
        "close": _label("Cancel"),
        "blocks": [kit.field(field) for field in form.fields] or [kit.small(form.title)],
    }


def working_message(lines: Sequence[str], *, stop: str = "") -> Message:
    """The message of a job under way where nothing is streamed; ``stop`` is the value of a stop button."""
    words = "\n".join(lines) or "Working on it …"
    blocks: list[Block] = [kit.small(words)]
    if stop:
        button = {
            "type": "button",
            "text": {"type": "plain_text", "text": "Stop", "emoji": False},
            "action_id": f"{kit.PRESS}-stop",
            "value": f"stop {stop}",
        }
        blocks.append({"type": "actions", "elements": [button]})
    return Message(text=escape_text(kit.cut(words, _FALLBACK)), blocks=tuple(blocks))


def partial_answer(sentences: Sequence[str], status: str, *, stop: str = "") -> Message:
    """An answer so far, with what is being done beneath it."""
    if not sentences:
        return working_message([status] if status else [], stop=stop)
    line: Line = (Run(text=kit_cut(" ".join(sentences), kit.MOST_TEXT - 1_000)),)
    below = working_message([kit.cut(status, _LONGEST_STATUS) or "…"], stop=stop)
    return Message(
        text=escape_text(kit.cut(" ".join(sentences), _FALLBACK)), blocks=(*_rich_pieces(line), *below.blocks)
    )


def escape_stream(words: str) -> str:
    """``words`` as Slack's streaming Markdown takes them literally: no layout, no mention, no emoji."""
    text = "".join(f"\\{char}" if char in _MARKDOWN and char not in "<@&:-." else char for char in words)
    for char in "<@&:":
        text = text.replace(char, char + _NOTHING)
    return text


def escape_text(words: str) -> str:
    """``words`` as Slack takes them literally in a ``text``."""
    return words.translate(_MEANT)


def fallback(reply: Reply) -> str:
    """What a notification shows of a reply."""
    words = plain_words(reply.body) or "Footnote has answered."
    return escape_text(words if len(words) <= _FALLBACK else words[: _FALLBACK - 1].rstrip() + "…")


def plain_words(body: str) -> str:
    """The words of a body without layout; a table is told by its columns and size."""
    lines: list[str] = []
    for block in parse(body):
        match block:
            case Text(kind=kind, line=line):
                lines.append(f"• {plain(line)}" if kind == "bullet" else plain(line))
            case Grid(header=header, rows=rows):
                lines.append(f"Table of {', '.join(plain(cell) for cell in header)} ({len(rows)} rows)")
            case Code(text=text):
                lines.append(text)
    return "\n".join(lines).strip()


def kit_cut(words: str, longest: int) -> str:
    """``words`` cut at the end to at most ``longest`` characters."""
    return words if len(words) <= longest else words[: longest - 1] + "…"


def _body(body: str) -> Iterator[Block]:
    """Blocks of a body; paragraphs and lists that follow each other share a block of rich text."""
    waiting: list[Line] = []
    for block in parse(body):
        if isinstance(block, Text) and block.kind == "bullet":
            waiting.append(block.line)
            continue
        yield from _listed(waiting)
        waiting = []
        match block:
            case Text(kind="quote", line=line):
                yield from (kit.rich([kit.quote(piece)]) for piece in pieces(line))
            case Text(line=line):
                yield from _rich_pieces(line)
            case Code(text=text):
                yield from (kit.rich([kit.preformatted(part)]) for part in _lines(text))
            case Grid(header=header, rows=rows):
                yield from _tables(header, rows)
    yield from _listed(waiting)


def _rich_pieces(line: Line) -> Iterator[Block]:
    return (kit.rich([kit.section(piece)]) for piece in pieces(line))


def _listed(lines: Sequence[Line]) -> Iterator[Block]:
    group: list[Line] = []
    size = 0
    for line in lines:
        for piece in pieces(line):
            length = len(plain(piece))
            if group and size + length > _PIECE:
                yield kit.rich([kit.bullets(group)])
                group, size = [], 0
            group.append(piece)
            size += length
    if group:
        yield kit.rich([kit.bullets(group)])


def pieces(line: Line, longest: int = _PIECE) -> Iterator[Line]:
    """A line in pieces of at most ``longest`` characters, cut behind a sentence or a word where there is one."""
    piece: list[Run] = []
    room = longest
    for run in line:
        text = run.text
        while len(text) > room:
            end = _cut_at(text, room)
            if end == 0 and piece:  # nothing fits here; it begins the next piece
                yield tuple(piece)
                piece, room = [], longest
                continue
            end = end or room
            yield (*piece, replace(run, text=text[:end].rstrip()))
            piece, text, room = [], text[end:].lstrip(), longest
        if text:
            piece.append(replace(run, text=text))
            room -= len(text)
    if piece:
        yield tuple(piece)


def _cut_at(words: str, room: int) -> int:
    head = words[:room]
    for pause in (". ", "。", "; ", " "):
        index = head.rfind(pause)
        if index > room // 2:
            return index + len(pause)
    return head.rfind(" ") + 1


def _lines(text: str) -> Iterator[str]:
    part = ""
    for line in text.split("\n"):
        for start in range(0, max(1, len(line)), _PIECE):
            bit = line[start : start + _PIECE]
            if part and len(part) + len(bit) + 1 > _PIECE:
                yield part
                part = bit
            else:
                part = f"{part}\n{bit}" if part else bit
    if part:
        yield part


def _tables(header: Sequence[Line], rows: Sequence[Sequence[Line]]) -> Iterator[Block]:
    """A table in parts that Slack takes: by columns with the first one repeated, by rows with the header repeated."""
    width = kit.MOST_CELLS
    if len(header) > width:
        for start in range(1, len(header), width - 1):
            columns = [0, *range(start, min(start + width - 1, len(header)))]
            yield from _tables([header[n] for n in columns], [[row[n] for n in columns] for row in rows])
        return
    if not header:
        return
    group: list[Sequence[Line]] = []
    size = top = kit.characters(kit.table(header, []))
    for row in rows:
        length = kit.characters(kit.table(row, [])) if row else 0
        if group and (len(group) + 1 >= kit.MOST_ROWS or size + length > _ROW_TEXT):
            yield kit.table(header, group)
            group, size = [], top
        group.append(row)
        size += length
    yield kit.table(header, group)


def _notes(reply: Reply) -> Iterator[Block]:
    """The footnotes, a line each; those of one block are printed under each other."""
    if not reply.footnotes:
        return
    group = ""
    for note in reply.footnotes:
        words = footnote_text(note)
        for (run,) in pieces((Run(text=words),), _NOTES):
            if group and len(group) + len(run.text) + 1 > _NOTES:
                yield kit.small(group)
                group = ""
            group = f"{group}\n{run.text}" if group else run.text
    if group:
        yield kit.small(group)


def _end(reply: Reply, thread: str) -> Iterator[Block]:
    if reply.footer:
        yield kit.small(reply.footer)
    yield from kit.buttons(reply.buttons, thread=thread)


def _packed(parts: Sequence[Block], *, most: int) -> Iterator[tuple[Block, ...]]:
    """Blocks in messages that each keep Slack's limits: blocks, characters, one table."""
    packed: list[Block] = []
    size = 0
    for block in parts:
        length = kit.characters(block)
        second_table = block.get("type") == "table" and any(other.get("type") == "table" for other in packed)
        if packed and (len(packed) >= most or size + length > kit.MOST_TEXT - 500 or second_table):
            yield tuple(packed)
            packed, size = [], 0
        packed.append(block)
        size += length
    if packed:
        yield tuple(packed)


def _start(text: str) -> str:
    line = text.split("\n", 1)[0]
    return line if len(line) <= 120 else line[:119].rsplit("&", 1)[0] + "…"  # never cut through an entity


def _label(words: str) -> Mapping[str, object]:
    return {"type": "plain_text", "text": kit.cut(words, _TITLE) or "Footnote", "emoji": False}
