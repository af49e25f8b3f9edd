"""Lays numbered passages before a model: as many of the best as fit its context, each whole, fenced as data."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from core.config import LlmConfig
from core.domain.citation_format import first_author_label
from core.domain.model import Evidence, Paper, Passage
from core.text import CJK, normalise

CHARACTERS_PER_TOKEN = 3.0
"""Of Latin script, on the safe side: papers are full of numbers and formulas, which split finely."""
MARGIN = 300
"""Tokens kept for the question and what a server puts around a request."""
FRAME_TOKENS = 14
"""What a passage takes beside its words, its section and its page."""
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

    Papers come first, each with a letter. Before the number of a passage stands a mark that none of them can contain,
    since it depends on their words.
    """
    chosen = _fitting(groups, budget, most)
    shown = [
        (group.part, [item for item in group.evidence if chosen.get(item.passage.id) == index])
        for index, group in enumerate(groups)
    ]
    evidence = tuple(item for _, items in shown for item in items)
    mark = hashlib.sha256("\n".join(_text(item.passage) for item in evidence).encode()).hexdigest()[:8]
    papers = {item.paper.id: item.paper for item in evidence}
    letters = {paper_id: _letter(index) for index, paper_id in enumerate(papers)}
    listed = "\n".join(f"{letters[paper.id]}. {_about(paper)}" for paper in papers.values())
    lines = [f"Papers:\n{listed}", f"Passages, each behind {mark} and its number, paper, section and page:"]
    number = 0
    for part, items in shown:
        lines += [f"Found for: {part}"] if part and items else []
        for item in items:
            number += 1
            lines.append(f"{mark} [{number}] {letters[item.paper.id]}, {_place(item.passage)}\n{_text(item.passage)}")
    return NumberedPassages(evidence=evidence, text="\n\n".join(lines))


def _letter(index: int) -> str:
    """A, B, … Z, AA, AB, …"""
    return (_letter(index // 26 - 1) if index >= 26 else "") + chr(ord("A") + index % 26)


def _fitting(groups: Sequence[PassageGroup], budget: int, most: int) -> dict[str, int]:
    """The passages that are shown, each with the place of the group that brought it first."""
    chosen: dict[str, int] = {}
    papers: set[str] = set()
    ranked = zip_longest(*(group.evidence for group in groups))
    for index, item in ((index, item) for rank in ranked for index, item in enumerate(rank)):
        if item is None or item.passage.id in chosen:
            continue
        cost = _cost(item, is_new_paper=item.paper.id not in papers)
        if cost <= budget and len(chosen) < most:
            chosen[item.passage.id] = index
            papers.add(item.paper.id)
            budget -= cost
    return chosen


def _cost(item: Evidence, *, is_new_paper: bool) -> int:
    """About how many tokens a passage takes, with the line on its paper where that is new."""
    about = f"{_about(item.paper)}\n" if is_new_paper else ""
    return FRAME_TOKENS + estimate_tokens(f"{about}{_place(item.passage)}\n{_text(item.passage)}")


def _about(paper: Paper) -> str:
    """Title, first author and year."""
    author = " ".join(first_author_label(paper))
    return " | ".join(filter(None, [paper.title, author, str(paper.metadata.year or "")]))


def _place(passage: Passage) -> str:
    """Section and page."""
    return ", ".join(filter(None, [" > ".join(passage.section), f"p. {passage.page}"]))


def _text(passage: Passage) -> str:
    """The words on one line; of a table its rows, their cells parted where the printed words stay as they are."""
    if passage.kind != "table" or passage.table is None:
        return " ".join(passage.text.split()) if passage.kind != "table" else passage.text
    lines = [line.strip() for line in passage.text.splitlines() if line.strip()]
    rows, header = passage.table.rows, passage.table.header
    heads = len(lines) - len(rows)
    if heads < 0:
        return "\n".join(lines)
    head = [*lines[: max(0, heads - 1)], *(_cells(header, line) for line in lines[max(0, heads - 1) : heads])]
    if not heads and any(header):
        head = [f"(Columns, printed before: {' | '.join(header)})"]
    body = [_cells(row, line) for row, line in zip(rows, lines[heads:], strict=True)]
    return "\n".join([*head, *body])


def _cells(row: Sequence[str], line: str) -> str:
    """The cells of a printed row with bars between them, or the row as printed where they are other words."""
    cells = [normalise(cell) for cell in row]
    same = "".join("".join(cells).split()) == "".join(normalise(line).split())
    return " | ".join(cells) if same else line
