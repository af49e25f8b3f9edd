"""Reads an evaluation corpus: papers, difficult files, questions with gold evidence, printed structure.

It stands alone so that every command, and anybody's own corpus in the same shape, is read in one way. The
shape is tolerant: only ``papers/`` and ``benchmark.jsonl`` are needed, unknown fields and types are kept or
passed over, and what is left out is said in ``Corpus.notes``.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeAlias

Expected: TypeAlias = Literal["answer", "abstain", "clarify", "decline"]

_EXPECTED: Mapping[str, Expected] = {
    "answer": "answer",
    "answer_ignore_injection": "answer",
    "abstain": "abstain",
    "clarify": "clarify",
    "decline": "decline",
}


class CorpusInvalid(Exception):
    """The folder is not a corpus; the words say what is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """One piece of evidence: verbatim words on a page (from 1) of a paper, named by its file."""

    paper: str
    page: int
    evidence: str
    section: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with what a right reply to it is. ``previous`` are (role, text) turns that were said before."""

    id: str
    type: str
    text: str
    expected: Expected
    language: str = ""
    gold: tuple[Gold, ...] = ()
    gold_answer: str = ""
    keywords: tuple[str, ...] = ()
    keyword_pages: frozenset[int] = frozenset()
    previous: tuple[tuple[str, str], ...] = ()
    must_not_contain: tuple[str, ...] = ()
    candidate_papers: tuple[str, ...] = ()
    folder: str = "papers"

    @property
    def answerable(self) -> bool:
        """Counted among the answerable questions: to be answered, from a file in ``papers/``."""
        return self.expected == "answer" and bool(self.gold) and self.folder == "papers"


@dataclass(frozen=True, slots=True, kw_only=True)
class HardFile:
    """A difficult file with the verdicts that are right for it and the strings to be found or never found."""

    path: Path
    upload_as: str
    verdicts: tuple[str, ...] = ()
    must_find: tuple[str, ...] = ()
    must_not_find: tuple[str, ...] = ()
    must_find_page: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Caption:
    """The first printed words of a caption; they may run on into what stands behind it on the page."""

    kind: str
    page: int
    start: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """Two pieces of text that follow each other in the true reading order across a column or page end."""

    before: str
    after: str
    crosses: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """What is printed in one paper; ``headings`` are (text, page) in printed order."""

    paper: str
    title: str = ""
    authors: tuple[str, ...] = ()
    headings: tuple[tuple[str, int], ...] = ()
    captions: tuple[Caption, ...] = ()
    probes: tuple[Probe, ...] = ()
    tables: int | None = None
    figures: int | None = None


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """A corpus folder. ``pages`` gives a file's true page texts, read by PyMuPDF or from ``truth/``."""

    root: Path
    papers: tuple[Path, ...]
    questions: tuple[Question, ...]
    hard: tuple[HardFile, ...] = ()
    structure: tuple[Structure, ...] = ()
    notes: tuple[str, ...] = ()
    _pages: dict[str, tuple[str, ...]] = field(default_factory=dict, repr=False)

    @property
    def answerable(self) -> tuple[Question, ...]:
        """Questions to be answered whose gold file lies in ``papers/``."""
        return tuple(question for question in self.questions if question.answerable)

    @cached_property
    def image_papers(self) -> frozenset[str]:
        """Files whose page texts stand in ``truth/``: compared within an edit distance."""
        folder = self.root / "truth"
        return frozenset(path.name for path in self.papers if (folder / f"{path.name}.json").is_file())

    @cached_property
    def fingerprint(self) -> str:
        """Changes with the bytes or the name of any paper or difficult file."""
        digest = hashlib.sha256()
        for path in (*self.papers, *(hard.path for hard in self.hard)):
            digest.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()[:16]

    def path(self, file: str) -> Path | None:
        """Where the file of this name lies: among the papers first, then among the difficult files."""
        every = (*self.papers, *(hard.path for hard in self.hard))
        return next((path for path in every if path.name == file), None)

    def pages(self, file: str) -> tuple[str, ...]:
        """The page texts of a file, without product code between; empty where it cannot be opened."""
        if file not in self._pages:
            self._pages[file] = self._truth(file) if file in self.image_papers else _pdf_pages(self.path(file))
        return self._pages[file]

    def page(self, file: str, number: int) -> str:
        """The text of one page (from 1), or nothing where there is no such page."""
        pages = self.pages(file)
        return pages[number - 1] if 1 <= number <= len(pages) else ""

    def _truth(self, file: str) -> tuple[str, ...]:
        data = json.loads((self.root / "truth" / f"{file}.json").read_text("utf-8"))
        return tuple(str(page) for page in data["pages"])


def load(root: Path) -> Corpus:
    """Read the corpus in ``root``. Raises ``CorpusInvalid`` where there are no papers or no questions."""
    papers = tuple(sorted((root / "papers").glob("*.[pP][dD][fF]")))
    if not papers:
        raise CorpusInvalid(f"{root} is not a corpus: it has no PDF in papers/")
    benchmark = root / "benchmark.jsonl"
    if not benchmark.is_file():
        raise CorpusInvalid(f"{root} is not a corpus: it has no benchmark.jsonl")
    notes: list[str] = []
    manifest = _json(root / "manifest.json", notes)
    structure = _json(root / "structure.json", notes)
    return Corpus(
        root=root,
        papers=papers,
        questions=tuple(_questions(benchmark, {path.name for path in papers}, notes)),
        hard=tuple(_hard_files(root, _rows(manifest, "hard"))),
        structure=tuple(_structures(_rows(structure, "papers"))),
        notes=tuple(notes),
    )


def _json(path: Path, notes: list[str]) -> Any:
    if not path.is_file():
        notes.append(f"no {path.name}: what needs it is left out")
        return {}
    return json.loads(path.read_text("utf-8"))


def _rows(data: Any, key: str) -> Sequence[Mapping[str, Any]]:
    rows = data.get(key, ()) if isinstance(data, dict) else data
    return [row for row in rows or () if isinstance(row, dict) and row.get("file")]


def _questions(benchmark: Path, papers: set[str], notes: list[str]) -> Iterator[Question]:
    for number, line in enumerate(benchmark.read_text("utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            yield _question(row, str(row.get("id") or f"line-{number}"), papers)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            notes.append(f"benchmark.jsonl line {number} cannot be read and is left out ({error!r})")


def _question(row: Mapping[str, Any], name: str, papers: set[str]) -> Question:
    files = [str(file) for file in row.get("gold_paper") or ()]
    evidence = row.get("gold_evidence") or ()
    sections = [*(row.get("gold_section") or ()), *("" for _ in files)]
    gold = tuple(
        Gold(paper=file, page=int(page), evidence=str(words), section=str(section or ""))
        for file, page, words, section in zip(files, row.get("gold_pages") or (), evidence, sections, strict=False)
    )
    outside = any(file not in papers for file in files)
    return Question(
        id=name,
        type=str(row.get("type") or "other"),
        text=str(row["question"]),
        expected=_EXPECTED.get(str(row.get("expected_behavior")), "answer" if gold else "abstain"),
        language=str(row.get("language") or ""),
        gold=gold,
        gold_answer=str(row.get("gold_answer") or ""),
        keywords=tuple(str(word) for word in row.get("answer_keywords") or ()),
        keyword_pages=frozenset(int(page) for page in row.get("keyword_pages") or ()),
        previous=tuple((str(turn["role"]), str(turn["text"])) for turn in row.get("previous_turns") or ()),
        must_not_contain=tuple(str(word) for word in row.get("must_not_contain") or ()),
        candidate_papers=tuple(str(file) for file in row.get("candidate_papers") or ()),
        folder=str(row.get("file_folder") or ("hard" if outside else "papers")),
    )


def _hard_files(root: Path, rows: Sequence[Mapping[str, Any]]) -> Iterator[HardFile]:
    rows_by_file = {Path(str(row["file"])).name: row for row in rows}
    folder = root / "hard"
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        row = rows_by_file.get(path.name, {})
        page = row.get("must_find_page")
        yield HardFile(
            path=path,
            upload_as=str(row.get("upload_as") or path.name),
            verdicts=tuple(str(verdict) for verdict in row.get("verdicts") or ()),
            must_find=tuple(str(words) for words in row.get("must_find") or ()),
            must_not_find=tuple(str(words) for words in row.get("must_not_find") or ()),
            must_find_page=int(page) if page is not None else None,
        )


def _structures(rows: Sequence[Mapping[str, Any]]) -> Iterator[Structure]:
    for row in rows:
        captions = row.get("captions") or ()
        yield Structure(
            paper=Path(str(row["file"])).name,
            title=str(row.get("title") or ""),
            authors=tuple(str(name) for name in row.get("authors") or ()),
            headings=tuple((str(item["text"]), int(item["page"])) for item in row.get("headings") or ()),
            captions=tuple(
                Caption(kind=str(item.get("kind") or ""), page=int(item["page"]), start=str(item["start"]))
                for item in captions
            ),
            probes=tuple(
                Probe(before=str(item["before"]), after=str(item["after"]), crosses=str(item.get("crosses") or ""))
                for item in row.get("reading_order_probes") or ()
            ),
            tables=_count(row, "n_tables"),
            figures=_count(row, "n_figures"),
        )


def _count(row: Mapping[str, Any], name: str) -> int | None:
    return int(row[name]) if row.get(name) is not None else None


def _pdf_pages(path: Path | None) -> tuple[str, ...]:
    import pymupdf

    if path is None:
        return ()
    pymupdf.TOOLS.mupdf_display_errors(False)
    try:
        with pymupdf.open(path, filetype="pdf") as document:
            return tuple(page.get_text() for page in document)
    except Exception:  # any failure of the library to open a difficult file means that it has no page text
        return ()
