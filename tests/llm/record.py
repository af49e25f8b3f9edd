"""Records what a real model says about the sample papers, so that tests can replay it without the model.

``FOOTNOTE_LLM_… python -m tests.llm.record FILE`` asks through the graph and writes each request with its answer down
on the way to the endpoint. The sample papers are our own, so what is kept holds nobody else's words.
"""

import asyncio
import http.client
import json
import sys
import tempfile
import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from core.config import Config
from core.domain.model import Channel, Scope, Share, Thread, Workspace
from core.domain.request_context import RequestContext
from core.services.engine import Engine
from tests.llm.brains import step_of

PAPERS = ("margins-and-notes.pdf", "notes-on-a-screen.pdf")
SAMPLES = Path(__file__).parents[2] / "bot" / "samples"
PLACE = Channel(workspace=Workspace(platform="evals", id="samples"), id="papers")
SCOPE = Scope(workspace=PLACE.workspace, channels=frozenset({PLACE.id}))
WRONG_INPUT = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """A question on the sample papers; a right answer holds ``word``, which is empty where they do not say."""

    text: str
    word: str = ""


QUESTIONS = (
    Asking(text="How long did readers need to find a footnote?", word="6.2"),
    Asking(text="How many readers took part in the study of margins?", word="48"),
    Asking(text="How many seconds did linked endnotes take on a screen?", word="9.8"),
    Asking(text="What are the limitations of the study of printed pages?", word="history"),
    Asking(text="Which eye tracker followed the readers' gaze?"),
    Asking(text="Um wie viel länger dauerte es mit Endnoten als mit Fußnoten?", word="3.4"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One request and what came back; ``way`` is how a schema was asked for, ``ended`` why the model stopped."""

    question: str
    step: str
    way: str
    asked: str
    status: int
    said: str = ""
    ended: str = ""


class Listening(AbstractContextManager["Listening"]):
    """A server on loopback that hands every request on to the endpoint and keeps what was said."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = urlsplit(endpoint)
        self.question = ""
        self.kept: list[Exchange] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}{self.endpoint.path}"

    def __enter__(self) -> "Listening":
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def handed_on(self, path: str, headers: dict[str, str], body: bytes) -> tuple[int, str, bytes]:
        """Status, kind and body of the endpoint's reply, which is kept."""
        connection = http.client.HTTPConnection(self.endpoint.netloc, timeout=900)
        connection.request("POST", path, body, headers)
        reply = connection.getresponse()
        data, kind = reply.read(), reply.headers.get("content-type", "application/json")
        connection.close()
        request = json.loads(body)
        said, ended = _said(data, kind) if reply.status == 200 else ("", "")
        system, *asked = [message["content"] for message in request["messages"]]
        way = "stream" if request.get("stream") else _way(request)
        self.kept.append(
            Exchange(
                question=self.question,
                step=step_of(f"{system}\n{asked[0]}"),
                way=way,
                asked="\n".join(asked),
                status=reply.status,
                said=said,
                ended=ended,
            )
        )
        return reply.status, kind, data


def _handler(listening: Listening) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            return

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            sent = {"content-type": "application/json"}
            if "authorization" in self.headers:
                sent["authorization"] = self.headers["authorization"]
            status, kind, data = listening.handed_on(self.path, sent, body)
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    return Handler


def _way(request: Any) -> str:
    return (
        "function_calling" if request.get("tools") else str((request.get("response_format") or {}).get("type", "text"))
    )


def _said(data: bytes, kind: str) -> tuple[str, str]:
    """Text and reason of the end, of a reply that came whole or in pieces."""
    if "event-stream" in kind:
        lines = [line.removeprefix("data: ") for line in data.decode().splitlines() if line.startswith("data: {")]
        choices = [choice for line in lines for choice in json.loads(line).get("choices", [])]
        text = "".join(choice.get("delta", {}).get("content") or "" for choice in choices)
        return text, next((str(one["finish_reason"]) for one in choices if one.get("finish_reason")), "")
    (choice,) = json.loads(data)["choices"]
    calls = choice["message"].get("tool_calls") or []
    text = calls[0]["function"]["arguments"] if calls else choice["message"].get("content") or ""
    return text, str(choice.get("finish_reason") or "")


async def filled(engine: Engine) -> None:
    """Put the sample papers in."""
    for name in PAPERS:
        share = Share(paper_id="", channel=PLACE.id, message=name, user="evals", at=datetime.now(UTC))
        await engine.papers.ingest(share, scope=SCOPE, pdf=SAMPLES / name, file_name=name)


async def recorded(config: Config) -> Sequence[Exchange]:
    """Ask every question once; what the endpoint was asked and said, in order."""
    with Listening(config.llm.base_url) as listening:
        config = replace(config, llm=replace(config.llm, base_url=listening.url))
        async with Engine(config) as engine:
            await filled(engine)
            for number, question in enumerate(QUESTIONS):
                listening.question = question.text
                thread = Thread(channel=PLACE, id=str(number))
                answer = await engine.questions.ask(question.text, RequestContext(scope=SCOPE, thread=thread))
                sys.stderr.write(f"{answer.outcome} {answer.mode}: {question.text}\n")
    return listening.kept


def main(arguments: Sequence[str] | None = None) -> int:
    """Record into the file that is named."""
    given = sys.argv[1:] if arguments is None else arguments
    from bot.settings import load

    config = load(env_file=None).config
    if len(given) != 1 or not config.llm.configured:
        sys.stderr.write("FOOTNOTE_LLM_BASE_URL and FOOTNOTE_LLM_MODEL must be set, and one file named.\n")
        return WRONG_INPUT
    models = config.embedder.cache or Path(tempfile.gettempdir()) / "footnote-models"
    with tempfile.TemporaryDirectory() as data:
        config = replace(config, data=Path(data), embedder=replace(config.embedder, cache=models))
        kept = asyncio.run(recorded(config))
    rows = [json.dumps(asdict(one), ensure_ascii=False) for one in kept]
    Path(given[0]).write_text("\n".join(rows) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
