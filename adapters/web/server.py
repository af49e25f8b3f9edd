"""Puts the page on a port of this machine while it is open: handlers, static files, the gate before them all."""

import asyncio
import logging
import re
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from pathlib import Path

from aiohttp import web

from adapters.common.progress import EDIT_PREFIX
from adapters.web.access_guard import AccessGuard, harden, new_key
from adapters.web.conversations import Conversations
from adapters.web.messages import DroppedFile, Message, PageChannel, event_of, pdf_shared, question_edit
from adapters.web.model_routes import ModelRoutes
from adapters.web.read_routes import ReadRoutes
from adapters.web.requests import NotUnderstood
from adapters.web.upload_routes import SamplePaper, UploadRoutes
from adapters.web.user_guide import UserGuide
from adapters.web.write_routes import WriteRoutes
from core.domain.errors import FootnoteError, NotInScope, PaperRejected, PlatformFailure, SettingsInvalid, TooLarge
from core.domain.events import Event, QuestionAsked
from core.domain.model_setup import ModelSetup
from core.domain.platforms import Backend

STATIC = Path(__file__).parent / "static"
_HOST = "127.0.0.1"
_SECONDS_TO_CLOSE = 2.0
_log = logging.getLogger(__name__)
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOptions:
    """How the page is opened: ``port`` (0: any free, the last one again where it can be had), pictures' ``dpi``.

    ``guide`` is the file of the user guide; ``opened`` is told the link; ``models`` connects a language model.
    """

    port: int
    dpi: int
    samples: Callable[[], Sequence[SamplePaper]]
    guide: Path
    now: Callable[[], datetime]
    opened: Callable[[str], None]
    models: ModelSetup


@asynccontextmanager
async def serve(conversations: Conversations, opening: PageOptions, backend: Backend) -> AsyncIterator[str]:
    """The page on its port while open; gives its address. Raises ``PlatformFailure`` where the port is taken."""
    listener = await _open_listener(conversations, opening.port)
    port = int(listener.getsockname()[1])
    gate = AccessGuard(
        link=await _installation_key(conversations, "link"),
        cookie=await _installation_key(conversations, "cookie"),
        port=lambda: port,
    )
    looking = ReadRoutes(conversations, backend, samples=opening.samples, dpi=opening.dpi)
    talking = WriteRoutes(conversations, backend, now=opening.now)
    dropping = UploadRoutes(conversations, backend, samples=opening.samples, now=opening.now)
    app = web.Application(middlewares=[gate.middleware(), _with_error_text])
    app.on_response_prepare.append(harden)
    app.add_routes([web.get("/", _index), web.static("/static", STATIC)])
    for room in (looking, talking, dropping, UserGuide(opening.guide), ModelRoutes(opening.models)):
        app.add_routes(room.routes())
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=_SECONDS_TO_CLOSE)
    await runner.setup()
    try:
        await web.SockSite(runner, listener).start()
        await resume_unfinished(conversations, backend)
        opening.opened(gate.address)
        yield f"http://{_HOST}:{port}"
    finally:
        looking.close()
        await runner.cleanup()


async def _open_listener(conversations: Conversations, port: int) -> socket.socket:
    """A listening socket. An open browser finds a restarted page on the port where it was."""
    last = await conversations.notebook.fact("port")
    ports = [port] if port else [int(last), 0] if last.isdigit() else [0]
    for candidate in ports:
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((_HOST, candidate))
            listener.listen(128)
            listener.setblocking(False)
        except OSError:
            listener.close()
            continue
        await conversations.notebook.keep_fact("port", str(listener.getsockname()[1]))
        return listener
    raise PlatformFailure(f"Port {port} is in use already; FOOTNOTE_WEB_PORT names another, 0 takes any free one.")


async def _installation_key(conversations: Conversations, name: str) -> str:
    """A key of this installation, made on the first start."""
    key = await conversations.notebook.fact(name)
    if not key:
        key = new_key()
        await conversations.notebook.keep_fact(name, key)
    return key


async def _index(request: web.Request) -> web.Response:
    text = await asyncio.to_thread((STATIC / "index.html").read_text, encoding="utf-8")
    return web.Response(text=text, content_type="text/html")


@web.middleware
async def _with_error_text(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """Every failure as one sentence for the reader."""
    try:
        return await handler(request)
    except FootnoteError as failure:
        return web.json_response({"words": failure.words}, status=_status(failure))
    except (web.HTTPException, ConnectionError, asyncio.CancelledError):
        raise
    except Exception as fault:  # whatever it was, the reader learns that it was not their doing
        _log.error("request broke", exc_info=fault)
        return web.json_response({"words": "Something went wrong here; nothing is lost. Please try again."}, status=500)


def _status(failure: FootnoteError) -> int:
    match failure:
        case TooLarge():
            return 413
        case PaperRejected():
            return 415
        case NotInScope():
            return 404
        case NotUnderstood() | SettingsInvalid():
            return 400
        case _:
            return 503


_ASKED_BY = re.compile(r"^(?:ask|command|edit):.*?/(?P<message>m-[0-9a-f]{8}-[0-9a-f-]{20,40})(?:/(?P<revision>.*))?$")


async def resume_unfinished(conversations: Conversations, backend: Backend) -> None:
    """Hand over what was not handed over, and let go of files that nobody waits for."""
    places = {channel.id: channel for channel in await conversations.notebook.places()}
    unfinished = await conversations.notebook.unfinished()
    waiting = [message for message in unfinished if message.channel in places]
    files = chain.from_iterable(map(_waiting_files, waiting))
    await conversations.uploads.sweep(frozenset(file.id for file in files))
    for message in waiting:
        channel = places[message.channel]
        try:
            for event in await _events_again(message, channel, conversations):
                await backend.accept(event)
        except FootnoteError:
            continue  # it still waits, and the next start tries once more


async def _events_again(message: Message, channel: PageChannel, conversations: Conversations) -> Sequence[Event]:
    """The events that an unfinished message was, made anew from what is stored."""
    workspace = conversations.workspace
    if message.by == "reader" and not message.is_command:
        return [pdf_shared(message, file, channel, workspace) for file in _waiting_files(message)]
    match = _ASKED_BY.match(message.key)
    asked = await conversations.notebook.message(match["message"]) if match else None
    if match is None or asked is None:
        return ()
    event = event_of(asked, channel, workspace, visible=await conversations.visible())
    if message.key.startswith(EDIT_PREFIX) and isinstance(event, QuestionAsked):
        event = question_edit(event, revision=match["revision"])
    return [event]


def _waiting_files(message: Message) -> Sequence[DroppedFile]:
    return [file for file in message.files if file.state == "waiting"]
