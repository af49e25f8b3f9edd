"""Chooses which rows of a table to quote: all of a short one, else its head with the rows that the question points at.

A row that answers seldom shares words with its question ("which … the most?"), so the table is found as a whole and
the row is looked for inside: by the words it shares, by those of the heading it stands under, and by the largest or
smallest value where the question asks so.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.domain.model import Passage
from core.text import index_tokens
from core.text.questions import has_superlative
from core.understanding.query_terms import Term, coverage

SHORT = 420
"""A table of at most this many characters is quoted whole."""
ROWS = 3
GROUP = 700
"""A heading inside the table that is asked for is quoted with the rows under it, up to this many characters."""
MOST_HEAD_LINES = 4

_MOST = re.compile(r"\b(?:highest|largest|greatest|maximum|max)\b", re.IGNORECASE)
_LEAST = re.compile(r"\b(?:lowest|smallest|fewest|least|minimum|min)\b", re.IGNORECASE)
_VALUE = re.compile(r"(?<![\w.])[-−–]?\d[\d,]*(?:\.\d+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A table's printed lines: ``head`` lines, then ``body``; ``above`` are the headings that a body line is under."""

    head: tuple[str, ...]
    body: tuple[str, ...]
    above: tuple[tuple[int, ...], ...]
    columns: tuple[str, ...] = ()

    def under(self, heading: int) -> tuple[int, ...]:
        """The body lines that stand under a heading inside the table."""
        return tuple(place for place, over in enumerate(self.above) if heading in over)


def layout(passage: Passage) -> Layout:
    """Head, body and inner headings; of what goes on from the page before, there is no head."""
    lines = [line.strip() for line in passage.text.splitlines() if line.strip()]
    table = passage.table
    heads = len(lines) - len(table.rows) if table else 1
    if table is None or not 0 <= heads <= MOST_HEAD_LINES:
        return Layout(head=tuple(lines[:1]), body=tuple(lines[1:]), above=((),) * max(0, len(lines) - 1))
    filled = [sum(bool(cell.strip()) for cell in row) for row in table.rows]
    inner = [len(table.header) > 1 and count == 1 for count in filled]
    return Layout(
        head=tuple(lines[:heads]), body=tuple(lines[heads:]), above=_above(inner), columns=tuple(table.header)
    )


def _above(inner: Sequence[bool]) -> tuple[tuple[int, ...], ...]:
    """For each line the headings it is under; of two headings that follow each other the first holds the second."""
    over: list[int] = []
    found: list[tuple[int, ...]] = []
    for place, heading in enumerate(inner):
        if not heading:
            found.append(tuple(over))
            continue
        if place and inner[place - 1]:
            found.append(tuple(over))
        else:
            outer = place + 1 < len(inner) and inner[place + 1]
            over = [] if outer else over[:-1]
            found.append(tuple(over))
        over = [*over, place]
    return tuple(found)


def line_tokens(passage: Passage) -> tuple[frozenset[str], ...]:
    """For each row its words with those of the head and of the headings that it is under."""
    table = layout(passage)
    head = frozenset(index_tokens(" ".join(table.head)))
    body = [frozenset(index_tokens(line)) for line in table.body]
    rows = [
        head.union(tokens, *(body[place] for place in over)) for tokens, over in zip(body, table.above, strict=True)
    ]
    return tuple(rows) or (head,)


def quoted(passage: Passage, question: str, asked: Sequence[Term]) -> tuple[str, ...]:
    """Blocks of lines as printed, in their order; lines that follow each other are one block."""
    table = layout(passage)
    lines = (*table.head, *table.body)
    if sum(map(len, lines)) <= SHORT:
        return ("\n".join(lines),)
    chosen = _asked_for(table, asked)
    for sign in _extremes(question):
        chosen |= _extreme(table, sign, asked)
    heads = len(table.head)
    if not chosen:
        return ("\n".join(lines[: max(heads, 1) + ROWS + 1]),)
    over = {place for row in chosen for place in table.above[row]}
    return _blocks(lines, sorted({*range(heads), *(heads + place for place in chosen | over)}))


def _extremes(question: str) -> tuple[float, ...]:
    """1 for the largest value, -1 for the smallest; both where a superlative does not say which of them it means.

    "The fastest" is the largest speed or the smallest time, and what changed most rose or fell.
    """
    ends = tuple(sign for sign, wanted in ((1.0, _MOST), (-1.0, _LEAST)) if wanted.search(question))
    return ends or ((1.0, -1.0) if has_superlative(question) else ())


def _asked_for(table: Layout, asked: Sequence[Term]) -> set[int]:
    """The rows that hold most of what is asked; for a heading inside the table the rows under it."""
    own = [frozenset(index_tokens(line)) for line in table.body]
    scores = [
        coverage(asked, tokens.union(*(own[place] for place in over)))
        for tokens, over in zip(own, table.above, strict=True)
    ]
    best = max(scores, default=0.0)
    first = sorted((row for row, score in enumerate(scores) if score > 0 and score >= best / 2), key=lambda row: row)
    rows = sorted(first, key=lambda row: (-scores[row], row))[:ROWS]
    chosen = set(rows)
    for row in rows:
        room = GROUP
        for below in table.under(row):
            room -= len(table.body[below])
            if room >= 0:
                chosen.add(below)
    return chosen


def _blocks(lines: Sequence[str], kept: Sequence[int]) -> tuple[str, ...]:
    blocks: list[list[str]] = []
    for place, index in enumerate(kept):
        if place and kept[place - 1] == index - 1:
            blocks[-1].append(lines[index])
        else:
            blocks.append([lines[index]])
    return tuple("\n".join(block) for block in blocks)


def _extreme(table: Layout, sign: float, asked: Sequence[Term]) -> set[int]:
    """The row with the largest (or smallest) value of the column asked for, else of most columns.

    Columns are counted from the row's end, since what stands before them is words.
    """
    values = [[_number(found) for found in _VALUE.findall(line)] for line in table.body]
    widths = [len(row) for row in values if row]
    if not widths:
        return set()
    width = max(set(widths), key=widths.count)
    rows = [(place, row) for place, row in enumerate(values) if len(row) == width]
    tops = {column: max(rows, key=lambda pair: sign * pair[1][column])[0] for column in range(width)}
    column = _column(table.columns[-width:] if len(table.columns) >= width else (), asked)
    if column is not None:
        return {tops[column]}
    found = list(tops.values())
    return {max(set(found), key=found.count)}


def _column(columns: Sequence[str], asked: Sequence[Term]) -> int | None:
    """The one column whose name holds more of what is asked than any other's."""
    shares: Mapping[int, float] = {
        place: coverage(asked, frozenset(index_tokens(name))) for place, name in enumerate(columns)
    }
    best = max(shares.values(), default=0.0)
    first = [place for place, share in shares.items() if share == best]
    return first[0] if best > 0 and len(first) == 1 else None


def _number(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-").replace("–", "-"))
