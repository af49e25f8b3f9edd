"""The page's requests that look: what there is, messages, papers, pages as pictures, files, and the live stream."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, runtime_checkable

from aiohttp import web

from adapters.web.conversations import Conversations, wait_for_ring
from adapters.web.message_store import EDITION, SHELF
from adapters.web.messages import Message, PageChannel
from adapters.web.requests import answer, channel_of, number
from adapters.web.upload_routes import SamplePaper
from adapters.web.view import MessageView
from adapters.web.view import message_view as view
from core.domain.citation_format import byline
from core.domain.codec import to_json
from core.domain.errors import FootnoteError, NotInScope
from core.domain.model import Paper, Scope
from core.domain.platforms import Backend

_MOST_MESSAGES = 120
_MOST_PAPERS = 1_000
_POLL_SECONDS = 2.0
_PING_SECONDS = 15.0


@runtime_checkable
class CountsFindings(Protocol):
    """A backend that can say what was found in a paper."""

    async def found(self, scope: Scope, paper_id: str) -> Mapping[str, int]:
        """How many sections, tables, figures and the like a paper has. Raises ``NotInScope``."""


class ReadRoutes:
    """Handlers; each answers with JSON, a picture, a file or the stream."""

    def __init__(
        self,
        conversations: Conversations,
        backend: Backend,
        *,
        samples: Callable[[], Sequence[SamplePaper]],
        dpi: int,
    ) -> None:
        self._all = conversations
        self._backend = backend
        self._samples = samples
        self._dpi = dpi
        self._closing = False

    def routes(self) -> Sequence[web.RouteDef]:
        """Where each is asked."""
        return (
            web.get("/api/start", self.start),
            web.get("/api/stream", self.stream),
            web.get("/api/channels/{channel}/messages", self.messages),
            web.get("/api/channels/{channel}/papers", self.papers),
            web.get("/api/channels/{channel}/papers/{paper}/found", self.found),
            web.get("/api/channels/{channel}/papers/{paper}/pages/{page}", self.page),
            web.get("/api/channels/{channel}/choices", self.choices),
            web.get("/api/messages/{message}/files/{place}", self.file),
        )

    def close(self) -> None:
        """End all streams; browsers come back by themselves."""
        self._closing = True
        self._all.notifier.ring()

    async def start(self, request: web.Request) -> web.Response:
        """Channels, commands, sample papers, limits."""
        return answer(
            {
                "channels": await self._all.notebook.places(),
                "commands": [
                    {"name": command.name, "usage": command.usage, "does": command.does}
                    for command in self._backend.commands.values()
                ],
                "samples": [replace(sample, pdf=b"") for sample in self._samples()],
                "limit": self._all.uploads.limit,
                "dpi": self._dpi,
                "revision": await self._all.notebook.revision(),
                "edition": await self._all.notebook.fact(EDITION),
            }
        )

    async def messages(self, request: web.Request) -> web.Response:
        """The last messages of a channel, or those before number ``before``; ``more`` where some are older."""
        channel = await channel_of(request, self._all)
        before = number(request.query["before"]) if "before" in request.query else None
        revision = await self._all.notebook.revision()
        numbered = await self._all.notebook.latest(channel.id, limit=_MOST_MESSAGES, before=before)
        return answer(
            {
                "messages": [await self._view(message) for _, message in numbered],
                "first": numbered[0][0] if numbered else 0,
                "more": len(numbered) == _MOST_MESSAGES,
                "revision": revision,
            }
        )

    async def papers(self, request: web.Request) -> web.Response:
        """The papers that may be read from a channel, newest first, or those that ``words`` may mean."""
        channel = await channel_of(request, self._all)
        listed = await self._backend.papers(
            await self._scope(channel), words=request.query.get("words", "")[:200], limit=_MOST_PAPERS
        )
        return answer([_paper(paper, channel) for paper in listed])

    async def found(self, request: web.Request) -> web.Response:
        """What was found in a paper, by kind."""
        channel = await channel_of(request, self._all)
        counts: Mapping[str, int] = {}
        if isinstance(self._backend, CountsFindings):
            counts = await self._backend.found(await self._scope(channel), request.match_info["paper"])
        return answer(counts)

    async def page(self, request: web.Request) -> web.Response:
        """A page as PNG; the browser marks the quotes itself, so that one picture serves all of a page's footnotes."""
        channel = await channel_of(request, self._all)
        png = await self._backend.page(
            await self._scope(channel), request.match_info["paper"], number(request.match_info["page"])
        )
        return web.Response(body=png, content_type="image/png")

    async def choices(self, request: web.Request) -> web.Response:
        """What may stand behind the command ``name`` once ``words`` stand there."""
        channel = await channel_of(request, self._all)
        name, words = request.query.get("name", "")[:40], request.query.get("words", "")[:200]
        return answer(list(await self._backend.choices(name, words, scope=await self._scope(channel))))

    async def file(self, request: web.Request) -> web.Response:
        """A file that goes with a reply."""
        message, place = request.match_info["message"], number(request.match_info["place"])
        attachment = await self._all.notebook.attachment(message, place)
        if attachment is None:
            raise NotInScope("That file is no longer here.")
        name = re.sub(r"[^\w. -]", "_", attachment.name)
        picture = attachment.mime in ("image/png", "image/jpeg")
        response = web.Response(
            body=attachment.data, content_type=attachment.mime if picture else "application/octet-stream"
        )
        if not picture:
            response.headers["Content-Disposition"] = (
                f'attachment; filename="{name.encode("ascii", "replace").decode()}"'
            )
        return response

    async def stream(self, request: web.Request) -> web.StreamResponse:
        """Changes as they happen (server-sent events); goes on where the browser's last event was.

        A browser that knows another ``edition`` is told to begin anew: the workspace was cleared meanwhile.
        """
        seen = number(request.headers.get("Last-Event-ID") or request.query.get("after", "0") or "0")
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "X-Accel-Buffering": "no"})
        try:
            await response.prepare(request)
            await self._tell_on(response, seen, request.query.get("edition"))
        except ConnectionError:  # the browser went away; it comes back with what it saw last
            pass
        return response

    async def _tell_on(self, response: web.StreamResponse, seen: int, edition: str | None) -> None:
        notebook = self._all.notebook
        await response.write(b"retry: 1000\n\n")
        steps_seen, quiet = 0, 0.0
        places: Sequence[PageChannel] = ()
        shelf = await notebook.fact(SHELF)
        while not self._closing:
            ring = self._all.notifier.next_ring()
            out = []
            if edition not in (None, now := await notebook.fact(EDITION)):
                out, seen = [_event("anew", "{}", 0)], 0
            edition = now
            for message in await notebook.since(seen):
                seen = message.revision
                out.append(_event("message", to_json(await self._view(message)), seen))
            steps_seen, steps = self._all.steps.since(steps_seen)
            out += [_event("step", to_json({"key": key, "step": step})) for key, step in steps.items()]
            if places != (known := await notebook.places()):
                out, places = [*out, _event("channels", to_json(known))], known
            if shelf != (latest_shelf := await notebook.fact(SHELF)):
                out, shelf = [*out, _event("shelf", "{}")], latest_shelf
            if out:
                await response.write("".join(out).encode())
                quiet = 0.0
                continue
            quiet = 0.0 if await wait_for_ring(ring, seconds=_POLL_SECONDS) else quiet + _POLL_SECONDS
            if quiet >= _PING_SECONDS:
                await response.write(b": still here\n\n")
                quiet = 0.0

    async def _view(self, message: Message) -> MessageView:
        """The message, with titles for what an answer still being written cites."""
        titles: Sequence[Paper] = ()
        if message.reply is None and message.citations:
            channel = await self._all.place(message.channel)
            cited = frozenset(citation.paper_id for citation in message.citations)
            if channel is not None:
                try:
                    titles = await self._backend.papers((await self._scope(channel)).within(cited), limit=len(cited))
                except FootnoteError:
                    titles = ()
        return view(message, titles=titles)

    async def _scope(self, channel: PageChannel) -> Scope:
        return Scope(workspace=self._all.workspace, channels=await self._all.visible() | {channel.id})


def _event(name: str, data: str, id_: int | None = None) -> str:
    """One server-sent event; JSON has no line ends of its own."""
    head = f"id: {id_}\n" if id_ is not None else ""
    return f"{head}event: {name}\ndata: {data}\n\n"


def _paper(paper: Paper, channel: PageChannel) -> Mapping[str, object]:
    """A paper on the shelf."""
    data = paper.metadata
    return {
        "id": paper.id,
        "title": paper.title,
        "byline": byline(paper),
        "authors": data.authors,
        "venue": data.venue or "",
        "doi": data.doi or "",
        "pages": paper.pages,
        "kind": paper.kind,
        "file": paper.file_name,
        "here": any(share.channel == channel.id for share in paper.shares),
        "warnings": paper.warnings,
    }
