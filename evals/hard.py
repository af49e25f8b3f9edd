"""Difficult files: each must end in the right verdict, in bounded time and memory, and hide or show what it should.

Every file has a workspace of its own, so that what one leaves behind cannot colour another's verdict.
"""

import asyncio
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from core.domain.model import IngestReport, Workspace
from core.services.engine import Engine
from evals.datasets import Corpus, HardFile
from evals.metrics import Found, norm
from evals.reports import OURS, Case, Json, Run, progress_bar
from evals.session import Session
from evals.statistics import Measure, share

PATIENCE = 900.0
"""Seconds after which a file hangs."""

_PARTLY = re.compile(r"damaged|incomplete|truncated|cut off|pages? (is|are) missing|lost", re.I)
"""Words that tell of parts lost for good; pages that were not read are counted by the report itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What became of one file: verdict, the words a user gets, and what it cost (peak of all processes)."""

    hard: HardFile
    verdict: str
    message: str
    seconds: float
    megabytes: float
    passages: tuple[Found, ...] = ()
    trouble: tuple[str, ...] = ()

    @property
    def as_expected(self) -> bool:
        """The verdict is one of the right ones, a refusal says why, and the strings are where they should be."""
        return not self.trouble


async def run(corpus: Corpus, engine: Engine, *, limit: int | None, settings: Mapping[str, Json]) -> Run:
    """Upload every difficult file, each to a workspace of its own."""
    tried = []
    files = corpus.hard[:limit]
    fresh = Session(engine=engine).run
    with progress_bar("difficult files", len(files)) as step:
        for number, hard in enumerate(files):
            step(hard.path.name)
            workspace = Workspace(platform="evals", id=f"hard-{fresh}-{number}")
            tried.append(await _try(Session(engine=engine, workspace=workspace), hard))
    judged = [item for item in tried if item.hard.verdicts]
    return Run(
        command="hard",
        corpus=str(corpus.root),
        settings=settings,
        systems={OURS: _measures(tried, judged)},
        cases=[_case(item) for item in tried],
        loud=[f"{item.hard.path.name}: {'; '.join(item.trouble)}" for item in judged if item.trouble],
    )


async def _try(session: Session, hard: HardFile) -> Tried:
    began = time.perf_counter()
    watch = Watch()
    with watch:
        try:
            report = await asyncio.wait_for(session.upload(hard.path, hard.upload_as), PATIENCE)
            passages = (await session.stored_passages([hard.path.name])).get(hard.path.name, []) if report.paper else []
            verdict, message = verdict_of(report, passages)
        except TimeoutError:
            passages, verdict, message = [], "hang", f"no verdict after {PATIENCE:.0f} seconds"
        except Exception as error:  # whatever gets out of an ingest is a crash
            passages, verdict, message = [], "crash", f"{type(error).__name__}: {error}"
    tried = Tried(
        hard=hard,
        verdict=verdict,
        message=message,
        seconds=time.perf_counter() - began,
        megabytes=watch.peak,
        passages=tuple(passages),
    )
    return replace(tried, trouble=tuple(trouble(tried)))


def verdict_of(report: IngestReport, passages: Sequence[Found]) -> tuple[str, str]:
    """One of read, read_partly, refused, empty and crash, with the words that a user gets."""
    if report.outcome == "rejected":
        return "refused", report.reason
    if report.outcome == "failed" or report.paper is None:
        return "crash", report.reason
    words = " ".join([report.reason, *report.paper.warnings]).strip()
    if not passages:
        return "empty", words
    partly = bool(report.counts.get("unread_pages")) or _PARTLY.search(words) is not None
    return ("read_partly" if partly else "read"), words


def trouble(tried: Tried) -> list[str]:
    """What is wrong with the verdict, the message or the passages; nothing where all is as the manifest says."""
    hard, found = tried.hard, []
    if hard.verdicts and tried.verdict not in hard.verdicts:
        found.append(f"{tried.verdict} ({tried.message}), expected {' or '.join(hard.verdicts)}")
    if tried.verdict == "refused" and not tried.message.strip():
        found.append("refused without a word why")
    texts = [(piece.page, norm(piece.text)) for piece in tried.passages]
    if tried.verdict in ("read", "read_partly"):
        for words in hard.must_find:
            at = [page for page, text in texts if norm(words) in text]
            if not at:
                found.append(f"no passage holds {words!r}")
            elif hard.must_find_page is not None and hard.must_find_page not in at:
                found.append(f"{words!r} is on page {at[0]}, expected page {hard.must_find_page}")
    hidden = (words for words in hard.must_not_find if any(norm(words) in text for _, text in texts))
    return [*found, *(f"a passage holds {words!r}" for words in hidden)]


def _measures(tried: Sequence[Tried], judged: Sequence[Tried]) -> dict[str, Measure]:
    measures = {"hard_as_expected": share(item.as_expected for item in judged)}
    measures["survived"] = share(item.verdict not in ("crash", "hang", "empty") for item in tried)
    most: Sequence[tuple[str, Callable[[Tried], float]]] = (
        ("most_seconds", lambda item: item.seconds),
        ("most_megabytes", lambda item: item.megabytes),
    )
    for name, cost in most:
        value = max((cost(item) for item in tried), default=0.0)
        measures[name] = Measure(value=value, n=len(tried), low=value, high=value)
    return measures


def _case(item: Tried) -> Case:
    return {
        "id": item.hard.path.name,
        "type": "hard",
        "file": item.hard.path.name,
        "upload_as": item.hard.upload_as,
        "verdict": item.verdict,
        "expected": list(item.hard.verdicts),
        "as_expected": item.as_expected,
        "trouble": list(item.trouble),
        "message": item.message,
        "seconds": item.seconds,
        "memory_mb": item.megabytes,
        "passages": [{"page": f.page, "section": f.section, "text": f.text} for f in item.passages],
        "scores": {"hard_as_expected": float(item.as_expected)},
    }


_Stop: TypeAlias = threading.Event


class Watch:
    """Samples the resident memory of this process and its children; ``peak`` is in megabytes."""

    def __init__(self, every: float = 0.1) -> None:
        """``every`` is in seconds."""
        self.peak = 0.0
        self._every = every
        self._stop: _Stop = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)

    def __enter__(self) -> "Watch":
        """Start sampling."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop sampling."""
        self._stop.set()
        self._thread.join()

    def _sample(self) -> None:
        import psutil  # type: ignore[import-untyped, unused-ignore]

        own = psutil.Process()
        while True:
            total = 0
            for process in (own, *own.children(recursive=True)):
                try:
                    total += process.memory_info().rss
                except psutil.Error:  # it ended between the list and the look
                    continue
            self.peak = max(self.peak, total / 1e6)
            if self._stop.wait(self._every):
                return
