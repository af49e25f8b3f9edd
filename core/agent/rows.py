"""Chooses which rows of a table to quote: all of a short one, else its head with the rows that the question points at.

A row that answers seldom shares words with its question ("which … the most?"), so the table is found as a whole and
the row is looked for inside: by the words it shares, and by the largest or smallest value where the question asks so.
"""

import re
from collections.abc import Sequence

from core.agent.terms import Term, coverage
from core.domain.model import Passage
from core.text import index_tokens

SHORT = 420
"""A table of at most this many characters is quoted whole."""
ROWS = 3
HEAD_LINES = 2

_MOST = re.compile(
    r"\b(?:most|highest|largest|biggest|best|greatest|maximum|max|fastest|quickest|longest|strongest|top|rose"
    r"|increased)\b",
    re.IGNORECASE,
)
_LEAST = re.compile(
    r"\b(?:least|lowest|smallest|fewest|worst|minimum|min|slowest|shortest|weakest|fell|decreased|dropped)\b",
    re.IGNORECASE,
)
_VALUE = re.compile(r"(?<![\w.])[-−–]?\d[\d,]*(?:\.\d+)?")


def quoted(passage: Passage, question: str, asked: Sequence[Term]) -> tuple[str, ...]:
    """Blocks of lines as printed, in their order; lines that follow each other are one block."""
    lines = [line.strip() for line in passage.text.splitlines() if line.strip()]
    if len(lines) <= HEAD_LINES or sum(map(len, lines)) <= SHORT:
        return ("\n".join(lines),)
    body = lines[1:]
    scores = [coverage(asked, frozenset(index_tokens(line))) for line in body]
    chosen = {index for index, score in enumerate(scores) if score > 0 and score >= 0.5 * max(scores)}
    chosen = set(sorted(chosen, key=lambda index: -scores[index])[:ROWS])
    for wanted, sign in ((_MOST, 1.0), (_LEAST, -1.0)):
        if wanted.search(question):
            chosen |= _extreme(body, sign)
    if not chosen:
        return ("\n".join(lines[: HEAD_LINES + ROWS]),)
    return _blocks(lines, sorted({0, *(index + 1 for index in chosen)}))


def _blocks(lines: Sequence[str], kept: Sequence[int]) -> tuple[str, ...]:
    blocks: list[list[str]] = []
    for place, index in enumerate(kept):
        if place and kept[place - 1] == index - 1:
            blocks[-1].append(lines[index])
        else:
            blocks.append([lines[index]])
    return tuple("\n".join(block) for block in blocks)


def _extreme(lines: Sequence[str], sign: float) -> set[int]:
    """Rows that hold the largest (or smallest) value of a column; columns are counted from the row's end."""
    values = [
        [float(found.replace(",", "").replace("−", "-").replace("–", "-")) for found in _VALUE.findall(line)]
        for line in lines
    ]
    widths = [len(row) for row in values if row]
    if not widths:
        return set()
    width = max(set(widths), key=widths.count)
    rows = [(index, row) for index, row in enumerate(values) if len(row) == width]
    tops = [max(rows, key=lambda pair: sign * pair[1][column])[0] for column in range(width)]
    return {max(set(tops), key=tops.count)}
