"""Long Markdown in pieces that a platform takes, each whole in itself: paragraphs, table rows and code stay intact.

What is too long on its own is cut where a reader would pause: between rows (the header comes again), between
lines of code (the fence comes again), between sentences, then words. Nothing is lost and nothing added but that.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from adapters.common.markdown import end_of_code, end_of_table

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
    return len(text) + sum(1 for char in text if ord(char) > 0xFFFF)


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
    start, gap = 0, ""
    while start < len(lines):
        if not lines[start].strip():
            start, gap = start + 1, "\n\n"
            continue
        end, cut = _extent(lines, start)
        yield _Unit("\n".join(lines[start:end]), gap, cut)
        start, gap = end, "\n"


def _extent(lines: Sequence[str], start: int) -> tuple[int, Callable[[str, int], Iterator[str]]]:
    """Where the unit that begins at line ``start`` ends, and how it is cut when it is too long."""
    if lines[start].startswith("```"):
        return end_of_code(lines, start), _cut_code
    if lines[start].startswith("|"):
        return end_of_table(lines, start), _cut_table
    return start + 1, _cut_line


def _cut_code(text: str, limit: int) -> Iterator[str]:
    first, *rest = text.split("\n")
    is_closed = bool(rest) and rest[-1].startswith("```")
    body = rest[:-1] if is_closed else rest
    space = limit - length(first) - 5  # two line ends and the closing fence
    short = chain.from_iterable(_cut_anywhere(line, space) for line in body)
    for piece in _fill(short, space):
        yield f"{first}\n{piece}\n```"


def _cut_table(text: str, limit: int) -> Iterator[str]:
    lines = text.split("\n")
    header, rows = "\n".join(lines[:2]), lines[2:]
    space = limit - length(header) - 1
    longest = max(map(length, rows), default=0)
    if space < max(1, longest):
        # A row that fits nowhere whole is better read as words than as a broken table.
        yield from _fill(chain.from_iterable(_cut_line(line, limit) for line in lines), limit)
        return
    for piece in _fill(rows, space):
        yield f"{header}\n{piece}"


def _cut_line(text: str, limit: int) -> Iterator[str]:
    if length(text) <= limit:
        yield text
        return
    mark = next(filter(text.startswith, ("> ", "- ", "-# ")), "")
    further_mark = "  " if mark == "- " else mark
    space = limit - len(mark) - 4  # a bold run is closed at the end of a piece and opened again in the next
    is_balanced = not _unclosed_mark(text)
    start, opened = mark, ""
    for piece in _cut_at_pauses(text[len(mark) :], space):
        whole = opened + piece
        opened = _unclosed_mark(whole) if is_balanced else ""
        yield start + whole + opened
        start = further_mark


def _cut_at_pauses(text: str, space: int) -> Iterator[str]:
    """Stretches of ``text``: as many sentences as fit, else as many words, else as many characters."""
    while length(text) > space:
        end = _last_pause(text, space)
        yield text[:end].rstrip()
        text = text[end:].lstrip()
    if text:
        yield text


def _last_pause(text: str, space: int) -> int:
    """The index behind the last sentence of the first ``space`` characters, else behind the last word or character."""
    most = _characters_within(text, space)
    end = _last_end(_SENTENCE_END, text, most // 3, most) or _last_end(_SPACE, text, 1, most)
    if end:
        return end
    # Never between a backslash and the character that it takes literally.
    backslashes = most - len(text[:most].rstrip("\\"))
    cuts_an_escape = backslashes % 2 == 1 and most > 1
    return most - 1 if cuts_an_escape else most


def _last_end(pause: re.Pattern[str], text: str, least: int, most: int) -> int:
    ends = [match.end() for match in pause.finditer(text, 0, most + 1)]
    return max((end for end in ends if least <= end <= most), default=0)


def _cut_anywhere(line: str, space: int) -> Iterator[str]:
    while length(line) > space:
        end = max(1, _characters_within(line, space))
        yield line[:end]
        line = line[end:]
    yield line


def _characters_within(text: str, space: int) -> int:
    """How many characters of ``text`` are at most ``space`` long; at least one."""
    used = 0
    for index, char in enumerate(text):
        used += length(char)
        if used > space:
            return max(index, 1)
    return len(text)


def _unclosed_mark(text: str) -> str:
    """The mark of bold or code that is opened in ``text`` and not closed, or empty."""
    bare = re.sub(r"\\.", "", text)
    if bare.count("`") % 2:
        return "`"
    bare = re.sub(r"`[^`]*`", "", bare)
    return "**" if bare.count("**") % 2 else ""


def _fill(lines: Iterable[str], space: int) -> Iterator[str]:
    """The lines in order, as many together as ``space`` holds."""
    current: list[str] = []
    used = 0
    for line in lines:
        size = length(line) + 1
        if current and used + size - 1 > space:
            yield "\n".join(current)
            current, used = [], 0
        current.append(line)
        used += size
    if current:
        yield "\n".join(current)
