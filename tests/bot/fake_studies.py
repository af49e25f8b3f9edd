"""Studies as the fake engine makes them: a paper's sentences, quoted in order, in the shapes of the real ones."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from core.assistant.records.exports import comparison_csv, extraction_csv
from core.assistant.studies.extract import parse_template
from core.domain.channel_settings import ChannelSettings, ModelUse
from core.domain.model import Channel, Citation, Paper, Scope, Sentence, Span, Thread, Turn
from core.domain.reply import Attachment
from core.domain.request_context import RequestContext
from core.domain.studies import (
    Cell,
    Comparison,
    Extraction,
    Provenance,
    Review,
    Row,
    Section,
    StudyKind,
    StudyRequest,
    Summary,
)
from core.understanding.papers import PaperResolver
from core.understanding.study_requests import study_request, thread_study
from tests.bot.actors import NOW

PLAIN = Provenance(mode="extractive")


@dataclass
class FakeStudies:
    shelf: Callable[[Scope], list[tuple[Paper, str]]]
    settings: Callable[[Channel], Awaitable[ChannelSettings]]
    turns: dict[str, list[Turn]] = field(default_factory=dict)
    used: list[ModelUse] = field(default_factory=list)

    async def of_thread(self, kind: StudyKind, request: RequestContext) -> StudyRequest | None:
        return thread_study(kind, request.thread, self.turns.get(request.thread.key, []), self._resolver(request))

    def requested_by(self, message: str, request: RequestContext) -> StudyRequest | None:
        return study_request(message, request.thread, self.turns.get(request.thread.key, []), self._resolver(request))

    def _resolver(self, request: RequestContext) -> PaperResolver:
        return PaperResolver([paper for paper, _ in self.shelf(request.scope)])

    async def remember(self, thread: Thread, *, asked: str, said: str, citations: Sequence[Citation]) -> None:
        turn = Turn(role="assistant", text=said, at=NOW, citations=tuple(citations))
        self.turns.setdefault(thread.key, []).append(turn)

    async def export(self, made: Comparison | Sequence[Extraction], papers: Mapping[str, Paper]) -> Attachment:
        return comparison_csv(made, papers) if isinstance(made, Comparison) else extraction_csv(made, papers)

    async def summarise(self, request: RequestContext, paper_id: str, *, most: int = 0) -> Summary:
        self.used.append((await self.settings(request.channel)).model)
        citation = self._cited(request.scope, paper_id, 1)
        said = Sentence(text=citation.spans[0].quote, markers=(1,))
        await request.progress.sentence(said, [citation])
        sections = (Section(name="Results", sentences=(said,)), Section(name="Limitations", missing="Not stated."))
        return Summary(paper_id=paper_id, sections=sections, citations=(citation,), making=PLAIN)

    async def extract(
        self, request: RequestContext, paper_ids: Sequence[str], *, fields: str = ""
    ) -> tuple[Extraction, ...]:
        names = parse_template(fields or (await self.settings(request.channel)).template).names
        rows = []
        for id_ in paper_ids:
            citation = self._cited(request.scope, id_, 1)
            first = Cell(field=names[0], text=citation.spans[0].quote, citations=(citation,))
            cells = (first, *(Cell(field=name) for name in names[1:]))
            rows.append(Extraction(paper_id=id_, cells=cells, making=PLAIN))
        return tuple(rows)

    async def compare(self, request: RequestContext, paper_ids: Sequence[str], *, fields: str = "") -> Comparison:
        name = parse_template(fields or (await self.settings(request.channel)).template).names[0]
        cited = [self._cited(request.scope, id_, marker) for marker, id_ in enumerate(paper_ids, 1)]
        cells = tuple(Cell(field=name, text=item.spans[0].quote, citations=(item,)) for item in cited)
        return Comparison(
            papers=tuple(paper_ids), rows=(Row(field=name, cells=cells),), not_compared=(), synthesis=(), making=PLAIN
        )

    async def review(self, request: RequestContext, paper_ids: Sequence[str]) -> Review:
        return self._review("papers", request.scope, paper_ids)

    async def review_topic(self, request: RequestContext, topic: str) -> Review:
        scope = request.scope
        return self._review(topic, scope, [paper.id for paper, _ in self.shelf(scope)])

    def _review(self, subject: str, scope: Scope, ids: Sequence[str]) -> Review:
        cited = tuple(self._cited(scope, id_, marker) for marker, id_ in enumerate(ids, 1))
        said = tuple(Sentence(text=item.spans[0].quote, markers=(item.marker,)) for item in cited)
        sections = (Section(name="Theme", sentences=said),)
        return Review(subject=subject, papers=tuple(ids), sections=sections, citations=cited, making=PLAIN)

    def _cited(self, scope: Scope, paper_id: str, marker: int) -> Citation:
        (body,) = [body for paper, body in self.shelf(scope) if paper.id == paper_id]
        quote = body.strip().split(". ")[0].strip(". ") + "."
        spans = (Span(passage_id="p", page=2, quote=quote),)
        return Citation(marker=marker, paper_id=paper_id, section=("1 Intro",), spans=spans)
