"""An OpenAI-compatible server on loopback that behaves as it is told: well, badly, slowly, or not at all.

A script is a function from the request to a ``Says``; the server keeps every request and stops with its block.
"""

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType, TracebackType
from typing import Any, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Says:
    """One reply. ``pause`` seconds pass before each piece; ``ending`` says how the connection ends.

    ``raw`` is sent as the body in place of a well-formed one.
    """

    text: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    pause: float = 0.0
    ending: Literal["stop", "length", "content_filter", "cut", "unfinished", "hang"] = "stop"
    raw: str | None = None
    tool: bool = False
    usage: tuple[int, int] | None = (100, 10)
    error: str = "no"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What came in."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def words(self) -> str:
        """All messages as one text."""
        parts = [message["content"] for message in self.body.get("messages", [])]
        return "\n".join(part if isinstance(part, str) else json.dumps(part) for part in parts)

    @property
    def method(self) -> str:
        """How a schema was asked for; empty where a text is streamed."""
        if self.body.get("tools"):
            return "function_calling"
        return str((self.body.get("response_format") or {}).get("type", "" if self.body.get("stream") else "text"))


Script = Callable[[Request], Says]


class ScriptedServer:
    """``with ScriptedServer(script) as server: … server.url``.

    ``pages`` are what it has for a GET besides its list of models, by path; with ``key`` it answers nobody without it.
    """

    def __init__(
        self, script: Script, *, port: int = 0, key: str = "", pages: Mapping[str, object] = MappingProxyType({})
    ) -> None:
        self.script = script
        self.key = key
        self.pages = {"/v1/models": {"object": "list", "data": [{"id": "scripted", "object": "model"}]}, **pages}
        self.requests: list[Request] = []
        self.closing = threading.Event()
        self.gate = threading.Event()
        """Where ``hold_after`` pieces are set, the others come once this is set."""
        self.hold_after = 0
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self.port = int(self._server.server_address[1])
        self.url = f"http://127.0.0.1:{self.port}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> "ScriptedServer":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self.gate.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)


def _handler(server: ScriptedServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:
            return

        def handle(self) -> None:
            try:
                super().handle()
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        def do_GET(self) -> None:
            self._take({})
            page = server.pages.get(self.path)
            if self._may():
                self._send(404 if page is None else 200, {}, json.dumps(page))

        def _may(self) -> bool:
            allowed = not server.key or self.headers.get("authorization") == f"Bearer {server.key}"
            if not allowed:
                self._send(401, {}, json.dumps({"error": {"message": "no"}}))
            return allowed

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
            request = self._take(body)
            if not self._may():
                return
            said = server.script(request)
            if said.ending == "hang":
                server.closing.wait(30)
                self.close_connection = True
            elif said.status != 200 or said.raw is not None:
                self._send(said.status, said.headers, said.raw or json.dumps({"error": {"message": said.error}}))
            elif body.get("stream"):
                self._stream(said, bool((body.get("stream_options") or {}).get("include_usage")))
            else:
                server.closing.wait(said.pause)
                self._send(200, said.headers, json.dumps(_whole(said)))

        def _take(self, body: Mapping[str, Any]) -> Request:
            request = Request(path=self.path, headers={k.lower(): v for k, v in self.headers.items()}, body=body)
            server.requests.append(request)
            return request

        def _send(self, status: int, headers: Mapping[str, str], body: str) -> None:
            data = body.encode()
            self.send_response(status)
            for name, value in {"content-type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def _stream(self, said: Says, count: bool) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            for number, piece in enumerate(_pieces(said.text), 1):
                server.closing.wait(said.pause)
                if server.hold_after and number > server.hold_after:
                    server.gate.wait(30)
                self._event({"choices": [{"index": 0, "delta": {"role": "assistant", "content": piece}}]})
            if said.ending == "cut":
                self.close_connection = True
                return
            if said.ending in ("stop", "length", "content_filter"):
                self._event({"choices": [{"index": 0, "delta": {}, "finish_reason": said.ending}]})
            if count and said.usage:
                self._event({"choices": [], "usage": _usage(said.usage)})
            self._chunk(b"data: [DONE]\n\n")
            self._chunk(b"")

        def _event(self, event: Mapping[str, object]) -> None:
            whole = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "scripted", **event}
            self._chunk(b"data: " + json.dumps(whole).encode() + b"\n\n")

        def _chunk(self, data: bytes) -> None:
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            self.wfile.flush()

    return Handler


def _pieces(text: str) -> Sequence[str]:
    """Words with the space behind them, as tokens come."""
    pieces, word = [], ""
    for sign in text:
        word += sign
        if sign.isspace():
            pieces.append(word)
            word = ""
    return [*pieces, word] if word else pieces


def _whole(said: Says) -> Mapping[str, object]:
    message: dict[str, object] = {"role": "assistant", "content": said.text}
    if said.tool:
        call = {"id": "c", "type": "function", "function": {"name": "reply", "arguments": said.text}}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
    ending = "stop" if said.ending == "unfinished" else said.ending
    choice = {"index": 0, "message": message, "finish_reason": ending}
    whole: dict[str, object] = {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted",
        "choices": [choice],
    }
    return whole | ({"usage": _usage(said.usage)} if said.usage else {})


def _usage(counts: tuple[int, int]) -> Mapping[str, int]:
    return {"prompt_tokens": counts[0], "completion_tokens": counts[1], "total_tokens": sum(counts)}
