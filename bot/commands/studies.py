"""Commands that make studies of papers: summarise, extract, compare, review; "summarise this" leads here too."""

import re
from collections.abc import Mapping, Sequence

from bot.assistant import Assistant
from bot.commands.request import Action, Command, Request
from bot.replies import general, studies
from core.domain.channel_settings import ChannelSettings
from core.domain.errors import NotInScope
from core.domain.model import Citation, Paper, Scope, Thread
from core.domain.progress import Progress, Stop
from core.domain.reply import Reply
from core.domain.studies import StudyOrder

_SEVERAL = re.compile(r"\s*(?:;|\n|\bvs\.?\s|\bversus\s|\s&\s)\s*", re.IGNORECASE)
_NUMBERS = re.compile(r"^[#\d\s,;&]+(?:and\s+#?\d+)?$", re.IGNORECASE)
_FIELDS = re.compile(r"^(?P<papers>.*?)\s*(?:\bfields?\s*[:=]|:)\s*(?P<fields>.+)$", re.DOTALL | re.IGNORECASE)
_TOPIC = re.compile(r"^(?:topic|on|about)\b[\s:]*(?P<topic>.+)$", re.DOTALL | re.IGNORECASE)
_SAID = 600
"""Characters of a study that the thread remembers."""


async def summarise(request: Request) -> Reply:
    """A paper in sections; without words the paper of the thread."""
    if not request.words:
        return await _of_thread(request, "summarise this")
    papers = await _papers(request, request.words)
    return await _summary(papers[0], await _making(request))


async def summarise_pressed(request: Request) -> Reply:
    """The button under a question back; its value is the beginning of a paper's id."""
    held = [one for one in await request.engine.papers(request.scope) if one.id.startswith(request.words)]
    if len(held) != 1 or not request.words:
        raise NotInScope("That paper is no longer here.")
    return await _summary(held[0], await _making(request))


async def compare(request: Request) -> Reply:
    """Two to eight papers side by side; without words those of the thread."""
    if not request.words:
        return await _of_thread(request, "compare these")
    return await _comparison(await _papers(request, request.words), await _making(request))


async def extract(request: Request) -> Reply:
    """A table of what papers report: ``extract PAPER; PAPER: FIELD; FIELD``, the fields of the channel without any."""
    told = _FIELDS.match(request.words)
    words, fields = (told["papers"], told["fields"]) if told else (request.words, "")
    making = await _making(request)
    papers = await _papers(request, words) if words.strip() else await request.engine.papers(request.scope)
    if not papers:
        return general.say(general.NO_PAPERS)
    if not words.strip() and len(papers) > _MOST_ROWS:
        return general.say(f"There are {len(papers)} papers here; please name those that the table shall show.")
    rows = await making.engine.studies.extract(
        making.scope,
        [paper.id for paper in papers],
        fields=fields or making.settings.template,
        model=making.settings.model,
        progress=making.progress,
        stop=making.stop,
        user=making.user,
    )
    held = _by_id(papers)
    return studies.tabled(rows, held, await making.engine.studies.file_of(rows, held))


async def review(request: Request) -> Reply:
    """One paper, several, or a topic across the papers here."""
    making = await _making(request)
    topic = _TOPIC.match(request.words)
    if topic:
        return await _topic(topic["topic"].strip(), making)
    if not request.words:
        return general.say("Please say what to review: review PAPER, review PAPER; PAPER, or review about TOPIC.")
    found = await _named(request, request.words)
    if found is None:
        return await _topic(request.words, making)
    made = await making.engine.studies.review(
        making.scope,
        [paper.id for paper in found],
        model=making.settings.model,
        progress=making.progress,
        stop=making.stop,
        user=making.user,
    )
    return studies.reviewed(made, _by_id(found))


async def ordered(order: StudyOrder, making: "StudyMaking", asked: str, thread: Thread) -> Reply:
    """What a message asked for in plain words, remembered in its thread; asks back where the papers are unclear."""
    if not order.papers:
        listed = await making.engine.papers(making.scope.within(frozenset(order.candidates)))
        return studies.which(order, _by_id(listed))
    held = _by_id(await making.engine.papers(making.scope.within(frozenset(order.papers))))
    papers = [held[id_] for id_ in order.papers if id_ in held]
    if len(papers) < len(order.papers):
        raise NotInScope("One of these papers is no longer here.")
    reply = await (_summary(papers[0], making) if order.kind == "summarise" else _comparison(papers, making))
    cited: list[Citation] = [note.citation for note in reply.footnotes]
    await making.engine.studies.noted(thread, asked=asked, said=reply.body[:_SAID], citations=cited)
    return reply


class StudyMaking:
    """What making a study needs of whoever asked for it."""

    def __init__(
        self, engine: Assistant, scope: Scope, settings: ChannelSettings, progress: Progress, stop: Stop, user: str
    ) -> None:
        self.engine = engine
        self.scope = scope
        self.settings = settings
        self.progress = progress
        self.stop = stop
        self.user = user


async def _making(request: Request) -> StudyMaking:
    settings = await request.engine.channels.settings(request.channel)
    return StudyMaking(request.engine, request.scope, settings, request.progress, request.stop, request.user)


async def _summary(paper: Paper, making: StudyMaking) -> Reply:
    made = await making.engine.studies.summarise(
        making.scope,
        paper.id,
        model=making.settings.model,
        progress=making.progress,
        stop=making.stop,
        user=making.user,
    )
    return studies.summary(made, paper)


async def _comparison(papers: Sequence[Paper], making: StudyMaking) -> Reply:
    made = await making.engine.studies.compare(
        making.scope,
        [paper.id for paper in papers],
        fields=making.settings.template,
        model=making.settings.model,
        progress=making.progress,
        stop=making.stop,
        user=making.user,
    )
    held = _by_id(papers)
    return studies.compared(made, held, await making.engine.studies.file_of(made, held))


async def _topic(topic: str, making: StudyMaking) -> Reply:
    made = await making.engine.studies.review_topic(
        making.scope, topic, model=making.settings.model, progress=making.progress, stop=making.stop, user=making.user
    )
    papers = await making.engine.papers(making.scope.within(frozenset(made.papers)))
    return studies.reviewed(made, _by_id(papers))


async def _of_thread(request: Request, words: str) -> Reply:
    order = await request.engine.studies.ordered(words, thread=request.thread, scope=request.scope)
    if order is None:
        return general.say(general.NO_PAPERS)
    return await ordered(order, await _making(request), words, request.thread)


async def _papers(request: Request, words: str) -> Sequence[Paper]:
    """The papers that ``words`` name, in order. Raises ``NotInScope`` for one that is unclear or not here."""
    found = [await request.backend.paper(request.scope, piece) for piece in _pieces(words)]
    return list({paper.id: paper for paper in found}.values())


async def _named(request: Request, words: str) -> Sequence[Paper] | None:
    """The same, or None where ``words`` name no paper at all: then they are a topic."""
    if not any([await request.engine.find(request.scope, piece) for piece in _pieces(words)]):
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
        usage="summarise PAPER", does="sums a paper up in sections, each sentence cited", run=summarise
    ),
    "extract": Command(
        usage="extract PAPER; PAPER: FIELD; FIELD",
        does="fills a table of what papers report, cell by cell",
        run=extract,
    ),
    "compare": Command(usage="compare PAPER; PAPER", does="sets two to eight papers side by side", run=compare),
    "review": Command(
        usage="review PAPER, or review about TOPIC",
        does="reviews papers, or what all papers here say on a topic",
        run=review,
    ),
}
BUTTONS: dict[str, Action] = {"summarise": summarise_pressed}
FORMS: dict[str, Action] = {}
