"""Long Markdown in pieces that a platform takes, each whole in itself: paragraphs, table rows and code stay intact.

What is too long on its own is cut where a reader would pause: between rows (the header comes again), between
lines of code (the fence comes again), between sentences, then words. Nothing is lost and nothing added but that.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"”’)\]]*\s+|(?<=[。！？])")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class _Unit:
    """Lines that belong together; ``gap`` is what stood before them."""

    text: str
    gap: str
    cut: Callable[[str, int], Iterator[str]]


def length(text: str) -> int:
    """Characters as the strictest platform counts them: UTF-16 units, so that an emoji is two."""
    return len(text) + sum(1 for sign in text if ord(sign) > 0xFFFF)


def split(text: str, limit: int) -> tuple[str, ...]:
    """``text`` in pieces of at most ``limit`` characters, in order; empty text is no piece.

    ``limit`` must leave room for a fence and a table's header, 40 characters at the least.
    """
    if limit < 40:
        raise ValueError("pieces of less than 40 characters cannot be made")
    pieces: list[str] = []
    current = ""
    for unit in _units(text):
        joined = f"{current}{unit.gap}{unit.text}" if current else unit.text
        if length(joined) <= limit:
            current = joined
            continue
        if current:
            pieces.append(current)
        *whole, current = [unit.text] if length(unit.text) <= limit else unit.cut(unit.text, limit)
        pieces += whole
    return (*pieces, current) if current else tuple(pieces)


def _units(text: str) -> Iterator[_Unit]:
    lines = text.split("\n")
    at, gap = 0, ""
    while at < len(lines):
        if not lines[at].strip():
            at, gap = at + 1, "\n\n"
            continue
        end, cut = _extent(lines, at)
        yield _Unit("\n".join(lines[at:end]), gap, cut)
        at, gap = end, "\n"


def _extent(lines: Sequence[str], at: int) -> tuple[int, Callable[[str, int], Iterator[str]]]:
    """Where the unit that begins at ``at`` ends, and how it is cut when it is too long."""
    if lines[at].startswith("```"):
        close = next((i for i in range(at + 1, len(lines)) if lines[i].startswith("```")), len(lines) - 1)
        return close + 1, _cut_code
    if lines[at].startswith("|"):
        return next((i for i in range(at, len(lines)) if not lines[i].startswith("|")), len(lines)), _cut_table
    return at + 1, _cut_line


def _cut_code(text: str, limit: int) -> Iterator[str]:
    first, *rest = text.split("\n")
    body = rest[:-1] if rest and rest[-1].startswith("```") else rest
    room = limit - length(first) - 5  # two line ends and the closing fence
    short = [part for line in body for part in (_hard(line, room) if length(line) > room else [line])]
    for piece in _filled(short, room):
        yield f"{first}\n{piece}\n```"


def _cut_table(text: str, limit: int) -> Iterator[str]:
    lines = text.split("\n")
    head = "\n".join(lines[:2])
    room = limit - length(head) - 1
    if room < 1 or any(length(row) > room for row in lines[2:]):
        # A row that fits nowhere whole is better read as words than as a broken table.
        yield from _filled([part for line in lines for part in _cut_line(line, limit)], limit)
        return
    for piece in _filled(lines[2:], room):
        yield f"{head}\n{piece}"


def _cut_line(text: str, limit: int) -> Iterator[str]:
    if length(text) <= limit:
        yield text
        return
    mark = next((one for one in ("> ", "- ", "-# ") if text.startswith(one)), "")
    room = limit - len(mark) - 4  # a bold run is closed at the end of a piece and opened again in the next
    balanced = not _left_open(text)
    opened = ""
    for number, piece in enumerate(_by_reading(text[len(mark) :], room)):
        whole = opened + piece
        opened = _left_open(whole) if balanced else ""
        yield (mark if mark != "- " or not number else "  ") + whole + opened


def _by_reading(text: str, room: int) -> Iterator[str]:
    """Stretches of ``text``: as many sentences as fit, else as many words, else as many signs."""
    while length(text) > room:
        at = _last_pause(text, room)
        yield text[:at].rstrip()
        text = text[at:].lstrip()
    if text:
        yield text


def _last_pause(text: str, room: int) -> int:
    most = _within(text, room)
    for pause, least in ((_SENTENCE_END, most // 3), (_SPACE, 1)):
        ends = [found.end() for found in pause.finditer(text, 0, most + 1) if least <= found.end() <= most]
        if ends:
            return ends[-1]
    # Never between a backslash and the sign that it takes literally.
    back = len(text[:most]) - len(text[:most].rstrip("\\"))
    return most - 1 if back % 2 and most > 1 else most


def _hard(line: str, room: int) -> list[str]:
    parts = []
    while length(line) > room:
        at = max(1, _within(line, room))
        parts.append(line[:at])
        line = line[at:]
    return [*parts, line]


def _within(text: str, room: int) -> int:
    """How many signs of ``text`` are at most ``room`` long."""
    taken = 0
    for at, sign in enumerate(text):
        taken += 2 if ord(sign) > 0xFFFF else 1
        if taken > room:
            return max(at, 1)
    return len(text)


def _left_open(text: str) -> str:
    """The mark of bold or code that is opened in ``text`` and not closed, or empty."""
    bare = re.sub(r"\\.", "", text)
    if bare.count("`") % 2:
        return "`"
    bare = re.sub(r"`[^`]*`", "", bare)
    return "**" if bare.count("**") % 2 else ""


def _filled(lines: Sequence[str], room: int) -> Iterator[str]:
    current: list[str] = []
    taken = 0
    for line in lines:
        size = length(line) + 1
        if current and taken + size - 1 > room:
            yield "\n".join(current)
            current, taken = [], 0
        current.append(line)
        taken += size
    if current:
        yield "\n".join(current)
