"""Makes a test set of what readers said of answers: ``python -m evals feedback-to-testset``.

A group's own questions are the ones that count for it. An answer judged good becomes a question whose evidence is
what the answer cited; a correction becomes one whose evidence is looked for on the page that the reader named. What
cannot be turned into a question is named with the reason, never guessed.
"""

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from core.domain.model import Answer, Paper, Passage, Scope, Workspace
from core.domain.records import Feedback
from core.services.storage import workspace_folder
from evals.measured_answers import split_sentences, terms
from evals.measured_search import index_tokens, open_library
from evals.reports import Json

_NAMED_PAGE = re.compile(r"\b(?:on |see )?(?:pages?|pp?\.|seite|página|pág\.)\s*\d{1,4}\b", re.IGNORECASE)
"""Where a correction says in its words where it stands: the number of a page is no part of the answer."""
PAGE = re.compile(r"(?:\b(?:p|pp|pg|page|pages|s|seite|página|pág)\b\.?\s*|^\s*|,\s*|第\s*)(\d{1,4})\b", re.IGNORECASE)
MOST_KEYWORDS = 3
Row: TypeAlias = dict[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """Lines of ``benchmark.jsonl``, the papers they need by file name, and what was left out and why."""

    rows: tuple[Row, ...]
    papers: Mapping[str, str]
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Gold:
    """Words on a page that answer, with the section they stand in."""

    file: str
    page: int
    evidence: str
    section: str


class _LeftOut(Exception):
    """Why a reader's words make no question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopedPapers:
    """The papers in scope with their passages, by paper id."""

    papers: Mapping[str, Paper]
    passages: Mapping[str, Sequence[Passage]]

    @property
    def files(self) -> Mapping[str, str]:
        """A file name for each paper, no two alike and none with a folder in it."""
        found: dict[str, str] = {}
        for key, paper in self.papers.items():
            name = re.sub(r"[^\w .()+-]", "_", paper.file_name).strip() or "paper.pdf"
            name = name if name.lower().endswith(".pdf") else f"{name}.pdf"
            found[key] = name if name not in found.values() else f"{key[:8]}-{name}"
        return found


def made_of(feedback: Sequence[Feedback], scoped: ScopedPapers) -> Questions:
    """One question a wording asked; the last verdict on it counts."""
    latest = {" ".join(index_tokens(item.answer.question)): item for item in feedback}
    rows: list[Row] = []
    left_out: list[str] = []
    for number, item in enumerate(latest.values(), 1):
        try:
            rows.append({"id": f"reader-{number:03}", **_row(item, scoped)})
        except _LeftOut as why:
            left_out.append(f"“{item.answer.question}”: {why}")
    return Questions(rows=tuple(rows), papers=scoped.files, left_out=tuple(left_out))


def _row(item: Feedback, scoped: ScopedPapers) -> Row:
    answer = item.answer
    if item.verdict == "good" and answer.outcome == "answered":
        return _asked(answer, _cited(answer, scoped), " ".join(sentence.text for sentence in answer.sentences), ())
    if item.verdict == "good":
        expected = {"clarify": "clarify", "declined": "decline"}.get(answer.outcome, "abstain")
        return {"type": "reader", "question": answer.question, "expected_behavior": expected}
    if not item.words.strip():
        raise _LeftOut("judged wrong, but nobody said what would be right")
    right, position = _parted(item.words)
    keywords = _keywords(right, answer.question)
    return _asked(answer, _corrected(right, position, keywords, answer, scoped), right, keywords)


def _asked(answer: Answer, gold: Sequence[_Gold], right: str, words: Sequence[str]) -> Row:
    return {
        "type": "reader",
        "question": answer.question,
        "expected_behavior": "answer",
        "gold_paper": [item.file for item in gold],
        "gold_pages": [item.page for item in gold],
        "gold_evidence": [item.evidence for item in gold],
        "gold_section": [item.section for item in gold],
        "gold_answer": right,
        "answer_keywords": [*words],
    }


def _cited(answer: Answer, scoped: ScopedPapers) -> list[_Gold]:
    gold: list[_Gold] = []
    for citation in answer.citations:
        file = scoped.files.get(citation.paper_id)
        section = citation.section[-1] if citation.section else ""
        if file:
            gold += [_Gold(file=file, page=span.page, evidence=span.quote, section=section) for span in citation.spans]
    if not gold:
        raise _LeftOut("the papers that the answer cited are no longer here")
    return gold


def _parted(words: str) -> tuple[str, str]:
    """The right answer, and where it stands: the form joins the two with a dot."""
    parts = [part.strip() for part in words.split(" · ")]
    if len(parts) > 1:
        return " · ".join(parts[:-1]), parts[-1]
    return (words.strip(), "") if not re.fullmatch(r".{0,60}\bp(?:age|\.)?\s*\d+\W*", words.strip()) else ("", words)


def _keywords(right: str, question: str) -> tuple[str, ...]:
    """What a right answer must hold: the numbers and names of the correction that the question does not give away."""
    asked = frozenset(index_tokens(question))
    new = [term for term in terms(_NAMED_PAGE.sub(" ", right)) if not set(term.tokens) <= asked]
    telling = [term for term in new if term.name or any(char.isdigit() for char in term.surface)]
    return tuple(term.surface for term in (telling or new)[:MOST_KEYWORDS])


def _corrected(right: str, position: str, keywords: Sequence[str], answer: Answer, scoped: ScopedPapers) -> list[_Gold]:
    paper = _paper(position, answer, scoped)
    page = PAGE.search(position)
    at = int(page.group(1)) if page else None
    wanted = frozenset(index_tokens(right)) or frozenset(index_tokens(answer.question))
    must = frozenset(token for word in keywords for token in index_tokens(word)) if at is None else frozenset[str]()
    best: tuple[int, Passage, str] | None = None
    for passage in scoped.passages[paper]:
        if at is not None and passage.page != at:
            continue
        for sentence in split_sentences(passage.text) if passage.kind != "table" else passage.text.splitlines():
            tokens = frozenset(index_tokens(sentence))
            shared = len(wanted & tokens)
            if shared and must <= tokens and (best is None or shared > best[0]):
                best = (shared, passage, sentence)
    if best is None:
        where = f"page {at} of {scoped.files[paper]}" if at is not None else scoped.files[paper]
        raise _LeftOut(f"no sentence of {where} holds what the correction says")
    _, found, words = best
    section = found.section[-1] if found.section else ""
    return [_Gold(file=scoped.files[paper], page=found.page, evidence=words.strip(), section=section)]


def _paper(position: str, answer: Answer, scoped: ScopedPapers) -> str:
    """The one paper that a reader's words name, else the one that was cited, else the only one."""
    said = frozenset(index_tokens(PAGE.sub(" ", position)))
    shares = {key: len(said & frozenset(index_tokens(" ".join(_names(paper))))) for key, paper in scoped.papers.items()}
    most = max(shares.values(), default=0)
    named = [key for key, share in shares.items() if share == most and most > 0]
    cited = [key for key in dict.fromkeys(item.paper_id for item in answer.citations) if key in scoped.papers]
    for likely in (named, [key for key in cited if key in named], [] if named else cited, [*scoped.papers]):
        if len(likely) == 1:
            return likely[0]
    raise _LeftOut("the correction does not say which paper is meant")


def _names(paper: Paper) -> list[str]:
    stem = paper.file_name.rsplit(".", 1)[0]
    return [paper.title, *paper.metadata.authors, str(paper.metadata.year or ""), re.sub(r"[_\W]+", " ", stem)]


async def export(data: Path, workspace: Workspace, channels: Sequence[str], out: Path) -> Questions:
    """Write ``out`` as a corpus folder: papers, ``benchmark.jsonl``. Only what these channels hold goes out.

    Raises ``ValueError`` where readers said nothing there that makes a question.
    """
    scope = Scope(workspace=workspace, channels=frozenset(channels))
    if not workspace_folder(data, workspace).is_dir():
        raise ValueError(f"there is no workspace {workspace.key} in {data}")
    opened = await open_library(data, workspace)
    try:
        papers = await opened.library.papers(scope)
        passages = {paper.id: await opened.library.paper_passages(scope, paper.id) for paper in papers}
        scoped = ScopedPapers(papers={paper.id: paper for paper in papers}, passages=passages)
        made = made_of(await opened.feedback.given(scope), scoped)
        if not made.rows:
            why = "; ".join(made.left_out) or "no reader judged an answer there"
            raise ValueError(f"no question could be made of readers' words: {why}")
        files = {name: await opened.library.pdf(scope, key) for key, name in made.papers.items()}
    finally:
        await opened.close()
    _write(made, files, out)
    return made


def _write(made: Questions, files: Mapping[str, Path], out: Path) -> None:
    (out / "papers").mkdir(parents=True, exist_ok=True)
    for name, path in files.items():
        shutil.copyfile(path, out / "papers" / name)
    lines = [json.dumps(row, ensure_ascii=False) for row in made.rows]
    (out / "benchmark.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
