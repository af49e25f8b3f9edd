"""Lays numbered passages before a model: as many of the best as fit its context, each whole, fenced as data."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from core.config import LlmConfig
from core.domain.model import Evidence, Passage
from core.text import CJK, normalise

CHARACTERS_PER_TOKEN = 3.0
"""Of Latin script, on the safe side: papers are full of numbers and formulas, which split finely."""
MARGIN = 300
"""Tokens kept for the question and what a server puts around a request."""
MOST = 36
"""Passages that are shown at most; more added nothing where it was tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageGroup:
    """Passages found for one part of a question, best first; ``part`` is empty where there is only one."""

    part: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedPassages:
    """Passages as a model sees them; ``evidence`` has them in the order of their numbers, from 1."""

    evidence: tuple[Evidence, ...]
    text: str

    def passage_id(self, number: int) -> str:
        """The passage of a number; empty where there is none."""
        return self.evidence[number - 1].passage.id if 1 <= number <= len(self.evidence) else ""


def estimate_tokens(text: str) -> int:
    """About how many tokens ``text`` is for a model whose tokeniser is not known."""
    wide = len(CJK.findall(text))
    return int(wide + (len(text) - wide) / CHARACTERS_PER_TOKEN) + 1


def room_for_passages(llm: LlmConfig, frame: str) -> int:
    """Tokens that are left for passages beside ``frame``, the texts around them, and the reply."""
    reply = min(llm.max_tokens, llm.context_tokens // 3)
    return max(0, llm.context_tokens - reply - estimate_tokens(frame) - MARGIN)


def lay_out(groups: Sequence[PassageGroup], budget: int, most: int = MOST) -> NumberedPassages:
    """The best passages of all groups, taken in turns, that fit ``budget`` tokens; shown group by group.

    Between marks that none of them can contain, since the marks depend on their words.
    """
    chosen = _fitting(groups, budget, most)
    shown = [
        (group.part, [item for item in group.evidence if chosen.get(item.passage.id) == at])
        for at, group in enumerate(groups)
    ]
    evidence = tuple(item for _, items in shown for item in items)
    texts = [_shown(item) for item in evidence]
    mark = hashlib.sha256("\n".join(texts).encode()).hexdigest()[:8]
    numbers = {item.passage.id: number for number, item in enumerate(evidence, 1)}
    lines: list[str] = []
    for part, items in shown:
        lines += [f"Found for: {part}"] if part and items else []
        lines += [f"[{numbers[item.passage.id]}] {mark} {_shown(item)}" for item in items]
    return NumberedPassages(
        evidence=evidence, text="\n\n".join([f"Passages, each behind its number and {mark}:", *lines])
    )


def _fitting(groups: Sequence[PassageGroup], budget: int, most: int) -> dict[str, int]:
    """The passages that are shown, each with the place of the group that brought it first."""
    chosen: dict[str, int] = {}
    left = budget
    for depth in range(max((len(group.evidence) for group in groups), default=0)):
        for at, group in enumerate(groups):
            if depth >= len(group.evidence) or len(chosen) >= most:
                continue
            item = group.evidence[depth]
            cost = estimate_tokens(_shown(item)) + 8
            if item.passage.id not in chosen and cost <= left:
                chosen[item.passage.id] = at
                left -= cost
    return chosen


def _shown(item: Evidence) -> str:
    """Title, authors, year, section and page in a line, and the passage below it."""
    passage, metadata = item.passage, item.paper.metadata
    author = metadata.authors[0] + (" et al." if len(metadata.authors) > 1 else "") if metadata.authors else ""
    about = [item.paper.title, author, str(metadata.year or ""), " > ".join(passage.section), f"p. {passage.page}"]
    return f"{' | '.join(filter(None, about))}\n{_text(passage)}"


def _text(passage: Passage) -> str:
    """The words on one line; of a table its rows, their cells parted where the printed words stay as they are."""
    if passage.kind != "table":
        return " ".join(passage.text.split())
    lines = [line.strip() for line in passage.text.splitlines() if line.strip()]
    rows = passage.table.rows if passage.table else ()
    heads = len(lines) - len(rows)
    if heads < 0:
        return "\n".join(lines)
    head = [
        line if heads != at + 1 or passage.table is None else _cells(passage.table.header, line)
        for at, line in enumerate(lines[:heads])
    ]
    body = [_cells(row, line) for row, line in zip(rows, lines[heads:], strict=True)]
    return "\n".join([*head, *body])


def _cells(row: Sequence[str], line: str) -> str:
    """The cells of a printed row with bars between them, or the row as printed where they are other words."""
    cells = [normalise(cell) for cell in row]
    same = "".join("".join(cells).split()) == "".join(normalise(line).split())
    return " | ".join(cells) if same else line
