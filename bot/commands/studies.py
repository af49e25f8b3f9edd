"""Commands that make studies of papers: summarise, extract, compare, review; "summarise this" leads here too."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bot.commands.request import Action, Command, Request
from bot.replies import general, studies
from core.domain.errors import NotInScope
from core.domain.model import Citation, Paper
from core.domain.reply import Reply
from core.domain.request_context import RequestContext
from core.domain.studies import StudyKind, StudyRequest

if TYPE_CHECKING:
    from core.services.engine import Engine

_SEVERAL = re.compile(r"\s*(?:;|\n|\bvs\.?\s|\bversus\s|\s&\s)\s*", re.IGNORECASE)
_NUMBERS = re.compile(r"^[#\d\s,;&]+(?:and\s+#?\d+)?$", re.IGNORECASE)
_FIELDS = re.compile(r"^(?P<papers>.*?)\s*(?:\bfields?\s*[:=]|:)\s*(?P<fields>.+)$", re.DOTALL | re.IGNORECASE)
_TOPIC = re.compile(r"^(?:topic|on|about)\b[\s:]*(?P<topic>.+)$", re.DOTALL | re.IGNORECASE)
_AS_ASKED: Mapping[StudyKind, str] = {"summarise": "summarise this", "compare": "compare these"}
"""What the thread remembers of a command without words."""
_REMEMBERED = 600
"""Characters of a study that the thread remembers."""


async def summarise(request: Request) -> Reply:
    """A paper in sections; without words the paper of the thread."""
    if not request.words:
        return await _of_thread(request, "summarise")
    papers = await _papers(request, request.words)
    return await _summary(papers[0], request.engine, request.context)


async def summarise_chosen(request: Request) -> Reply:
    """The button under a question back; its value is the beginning of a paper's id."""
    paper = await request.paper_by_id(request.words)
    return await _summary(paper, request.engine, request.context)


async def compare(request: Request) -> Reply:
    """Two to eight papers side by side; without words those of the thread."""
    if not request.words:
        return await _of_thread(request, "compare")
    return await _comparison(await _papers(request, request.words), request.engine, request.context)


async def extract(request: Request) -> Reply:
    """A table of what papers report: ``extract PAPER; PAPER: FIELD; FIELD``, the fields of the channel without any."""
    with_fields = _FIELDS.match(request.words)
    words, fields = (with_fields["papers"], with_fields["fields"]) if with_fields else (request.words, "")
    named = bool(words.strip())
    papers = await _papers(request, words) if named else await request.engine.papers.in_scope(request.scope)
    if not papers:
        return general.notice(general.NO_PAPERS)
    if not named and len(papers) > _MOST_ROWS:
        return general.notice(f"There are {len(papers)} papers here; please name those that the table shall show.")
    services = request.engine.studies
    rows = await services.extract(request.context, [paper.id for paper in papers], fields=fields)
    by_id = _by_id(papers)
    return studies.extraction_table(rows, by_id, await services.export(rows, by_id))


async def review(request: Request) -> Reply:
    """One paper, several, or a topic across the papers here."""
    topic = _TOPIC.match(request.words)
    if topic:
        return await _topic(topic["topic"].strip(), request)
    if not request.words:
        return general.notice("Please say what to review: review PAPER, review PAPER; PAPER, or review about TOPIC.")
    found = await _named(request, request.words)
    if found is None:
        return await _topic(request.words, request)
    made = await request.engine.studies.review(request.context, [paper.id for paper in found])
    return studies.review(made, _by_id(found))


async def make_study(order: StudyRequest, engine: "Engine", context: RequestContext, asked: str) -> Reply:
    """What a message asked for in plain words, remembered in its thread; asks back where the papers are unclear."""
    if not order.papers:
        listed = await engine.papers.in_scope(context.scope.within(frozenset(order.candidates)))
        return studies.ask_which_paper(order, _by_id(listed))
    by_id = _by_id(await engine.papers.in_scope(context.scope.within(frozenset(order.papers))))
    papers = [by_id[id_] for id_ in order.papers if id_ in by_id]
    if len(papers) < len(order.papers):
        raise NotInScope("One of these papers is no longer here.")
    make = (
        _summary(papers[0], engine, context, most=order.most)
        if order.kind == "summarise"
        else _comparison(papers, engine, context)
    )
    reply = await make
    cited: list[Citation] = [note.citation for note in reply.footnotes]
    await engine.studies.remember(context.thread, asked=asked, said=reply.body[:_REMEMBERED], citations=cited)
    return reply


async def _summary(paper: Paper, engine: "Engine", context: RequestContext, *, most: int = 0) -> Reply:
    return studies.summary(await engine.studies.summarise(context, paper.id, most=most), paper)


async def _comparison(papers: Sequence[Paper], engine: "Engine", context: RequestContext) -> Reply:
    made = await engine.studies.compare(context, [paper.id for paper in papers])
    by_id = _by_id(papers)
    return studies.comparison_table(made, by_id, await engine.studies.export(made, by_id))


async def _topic(topic: str, request: Request) -> Reply:
    made = await request.engine.studies.review_topic(request.context, topic)
    papers = await request.engine.papers.in_scope(request.scope.within(frozenset(made.papers)))
    return studies.review(made, _by_id(papers))


async def _of_thread(request: Request, kind: StudyKind) -> Reply:
    order = await request.engine.studies.of_thread(kind, request.context)
    if order is None:
        return general.notice(general.NO_PAPERS)
    return await make_study(order, request.engine, request.context, _AS_ASKED[kind])


async def _papers(request: Request, words: str) -> Sequence[Paper]:
    """The papers that ``words`` name, in order. Raises ``NotInScope`` for one that is unclear or not here."""
    found = [await request.backend.paper(request.scope, piece) for piece in _pieces(words)]
    return list({paper.id: paper for paper in found}.values())


async def _named(request: Request, words: str) -> Sequence[Paper] | None:
    """The same, or None where ``words`` name no paper at all: then they are a topic."""
    if not any([await request.engine.papers.find(request.scope, piece) for piece in _pieces(words)]):
        return None
    return await _papers(request, words)


def _pieces(words: str) -> list[str]:
    if _NUMBERS.match(words):
        return re.findall(r"\d+", words)
    return [piece for piece in _SEVERAL.split(words) if piece.strip()]


def _by_id(papers: Sequence[Paper]) -> Mapping[str, Paper]:
    return {paper.id: paper for paper in papers}


_MOST_ROWS = 8
COMMANDS = {
    "summarise": Command(
        usage="summarise PAPER",
        does="sums a paper up in sections, each sentence cited",
        run=summarise,
        aliases=("summarize",),
        public=True,
        takes_paper=True,
        takes_text=True,
    ),
    "extract": Command(
        usage="extract PAPER; PAPER: FIELD; FIELD",
        does="fills a table of what papers report, cell by cell",
        run=extract,
        public=True,
        takes_paper=True,
        takes_text=True,
    ),
    "compare": Command(
        usage="compare PAPER; PAPER",
        does="sets two to eight papers side by side",
        run=compare,
        public=True,
        takes_paper=True,
        takes_text=True,
    ),
    "review": Command(
        usage="review PAPER, or review about TOPIC",
        does="reviews papers, or what all papers here say on a topic",
        run=review,
        public=True,
        takes_paper=True,
        takes_text=True,
    ),
}
BUTTONS: dict[str, Action] = {"summarise": summarise_chosen}
