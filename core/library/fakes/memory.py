"""The memory port in memory."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from core.domain.errors import NotInScope
from core.domain.model import Answer, Citation, Thread, Turn, Workspace


@dataclass(slots=True)
class FakeMemory:
    """A ``Memory`` without a file. ``feedback`` lies open for tests to look at."""

    workspace: Workspace
    turns: dict[str, list[Turn]] = field(default_factory=dict)
    answers: dict[tuple[str, str], Answer] = field(default_factory=dict)
    forgotten: set[str] = field(default_factory=set)
    feedback: dict[tuple[str, str, str], tuple[str, str]] = field(default_factory=dict)

    async def recent(self, thread: Thread, *, limit: int) -> Sequence[Turn]:
        """The last turns, oldest first."""
        turns = self.turns.get(self._key(thread), [])
        return turns[max(len(turns) - max(limit, 0), 0) :]

    async def append(self, thread: Thread, *turns: Turn) -> None:
        """Add turns."""
        kept = [
            replace(turn, text="", citations=(), forgotten=True) if self._quotes_forgotten(turn.citations) else turn
            for turn in turns
        ]
        self.turns.setdefault(self._key(thread), []).extend(kept)

    async def forget(self, thread: Thread) -> int:
        """Forget a thread with its answers and feedback."""
        key = self._key(thread)
        self.answers = {place: answer for place, answer in self.answers.items() if place[0] != key}
        self.feedback = {place: said for place, said in self.feedback.items() if place[0] != key}
        return len(self.turns.pop(key, []))

    async def keep_answer(self, thread: Thread, answer: Answer, *, at: datetime) -> None:
        """Keep an answer under its trace id."""
        key = self._key(thread)
        if not self.forgotten & _papers_of(answer):
            self.answers[key, answer.trace_id] = answer

    async def answer(self, thread: Thread, trace_id: str) -> Answer | None:
        """A stored answer of this thread."""
        return self.answers.get((self._key(thread), trace_id))

    async def keep_feedback(
        self, thread: Thread, trace_id: str, *, user: str, verdict: str, words: str, at: datetime
    ) -> None:
        """Keep a verdict. Raises ``NotInScope`` where the thread has no such answer."""
        if (self._key(thread), trace_id) not in self.answers:
            raise NotInScope("That answer is no longer stored.")
        self.feedback[self._key(thread), trace_id, user] = (verdict, words)

    def let_go(self, paper_id: str) -> Mapping[str, int]:
        """Forget what quotes a paper; counts of turns and answers."""
        self.forgotten.add(paper_id)
        turns = 0
        for said in self.turns.values():
            for place, turn in enumerate(said):
                if _quotes(turn.citations, paper_id):
                    said[place] = replace(turn, text="", citations=(), forgotten=True)
                    turns += 1
        gone = [spot for spot, answer in self.answers.items() if paper_id in _papers_of(answer)]
        for spot in gone:
            del self.answers[spot]
        self.feedback = {key: said for key, said in self.feedback.items() if key[:2] not in gone}
        return {"turns": turns, "answers": len(gone)}

    def _quotes_forgotten(self, citations: Sequence[Citation]) -> bool:
        return any(citation.paper_id in self.forgotten for citation in citations)

    def _key(self, thread: Thread) -> str:
        if thread.channel.workspace != self.workspace:
            raise NotInScope("That is not part of this workspace.")
        return thread.key


def _quotes(citations: Sequence[Citation], paper_id: str) -> bool:
    return any(citation.paper_id == paper_id for citation in citations)


def _papers_of(answer: Answer) -> set[str]:
    cited = {citation.paper_id for citation in answer.citations}
    return cited | {found.paper.id for found in answer.nearest} | set(answer.candidates)
