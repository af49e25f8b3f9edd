"""Reading that somebody waits for says so: a question is held until the papers of its conversation have been read."""

from collections.abc import Sequence

from core.domain.errors import LibraryFailure
from core.domain.jobs import Job, JobStore
from core.domain.model import Citation, Sentence
from core.domain.progress import BEFORE_QUESTION, Progress


class Awaited:
    """The ``Progress`` of a paper's ``job``: each of its steps says whether a question waits for it by then."""

    def __init__(self, shown: Progress, store: JobStore, job: Job) -> None:
        self._shown = shown
        self._store = store
        self._job = job

    async def step(self, name: str, done: int, total: int) -> None:
        """Show it, with what comes after."""
        try:
            waits = await self._store.awaited(self._job)
        except LibraryFailure:  # signs of life never raise
            waits = False
        await self._shown.step(f"{name}{BEFORE_QUESTION}" if waits else name, done, total)

    async def sentence(self, sentence: Sentence, citations: Sequence[Citation]) -> None:
        """Papers have none."""
        await self._shown.sentence(sentence, citations)
