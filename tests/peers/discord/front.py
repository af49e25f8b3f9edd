"""Stands between discord.py and the twin: repairs what the real client cannot read, and brings on what goes wrong.

State (server, channels, messages, threads, interactions) is the twin's, which we did not write. Ours are: multipart
bodies and the files they carry, lists of commands, direct conversations, enforced nonces, events told twice, three
seconds for an answer and fifteen minutes for a token, 429 and 5xx on demand, and a gateway that counts, replays,
drops, and asks to reconnect.
"""

import asyncio
import json
import random
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from aiohttp import WSMsgType, web

_COMMANDS = re.compile(r"^/applications/(\d+)(?:/guilds/\d+)?/commands$")
_THREAD = re.compile(r"^/channels/(\d+)/messages/(\d+)/threads$")
_POST = re.compile(r"^/channels/(\d+)/messages$")
_ANSWER = re.compile(r"^/interactions/\d+/([^/]+)/callback$")
_HOOK = re.compile(r"^/webhooks/\d+/([^/]+)")
_MENTION = re.compile(r"<@!?(\d+)>")
CONTENT = 1 << 15
Payload = dict[str, Any]


@dataclass
class Fault:
    """What is to go wrong: a status with a code, or (status 0) a connection that breaks off."""

    method: str
    path: str
    status: int
    code: int = 0
    retry_after: float = 1.0
    everywhere: bool = False
    times: int = 1
    after: bool = False
    """Whether the twin has done it when the connection breaks off."""


@dataclass
class Session:
    """One gateway session, which outlives its sockets so that it can be resumed."""

    up: aiohttp.ClientWebSocketResponse
    intents: int
    down: web.WebSocketResponse | None
    id: str = ""
    seq: int = 0
    told: list[Payload] = field(default_factory=list)


class Front:
    """A REST and gateway server on this machine; ``calls`` is what discord.py asked for."""

    def __init__(self, twin: Mapping[str, Any]) -> None:
        self._twin = twin
        self.faults: list[Fault] = []
        self.calls: list[tuple[str, str]] = []
        self.heard: list[int] = []
        self.replayed: list[int] = []
        self.answer_within = 3.0
        self.token_lives = 900.0
        self.grant_content = True
        self.redeliver = 0.0
        self._chance = random.Random(7)
        self.files: dict[str, bytes] = {}
        self._mimes: dict[str, str] = {}
        self._attached: dict[str, list[Payload]] = {}
        self._commands: dict[str, list[Payload]] = {}
        self._nonces: dict[tuple[str, str], Payload] = {}
        self._born: dict[str, float] = {}
        self._sessions: dict[str, Session] = {}
        self._live: set[web.WebSocketResponse] = set()
        self.gate = asyncio.Event()
        self.gate.set()
        self._pumps: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Listen on a port of this machine."""
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_get("/cdn/{path:.*}", self._file)
        app.router.add_get("/gateway{slash:/?}", self._gateway)
        app.router.add_route("*", "/api/v10{path:/.*}", self._call)
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        port = self._runner.addresses[0][1]
        self.rest, self.socket = f"http://127.0.0.1:{port}/api/v10", f"ws://127.0.0.1:{port}/gateway"
        self._origin = f"http://127.0.0.1:{port}"
        # No connection is kept: the twin closes idle ones, and a call on one that is just being closed fails.
        self._client = aiohttp.ClientSession(connector=aiohttp.TCPConnector(force_close=True, limit=0))

    async def close(self) -> None:
        """Stop listening."""
        for pump in self._pumps:
            pump.cancel()
        await asyncio.gather(*self._pumps, return_exceptions=True)
        await self._client.close()
        await self._runner.cleanup()

    def stored(self, name: str, data: bytes, mime: str = "application/pdf", *, id_: str) -> Payload:
        """A file that lies on the file server, as an attachment tells of it."""
        path = f"/cdn/attachments/{len(self.files) + 1}/{name}"
        self.files[path], self._mimes[path] = data, mime
        url = f"{self._origin}{path}?ex=66000000&is=65000000&hm=00"
        return {
            "id": id_,
            "filename": name,
            "size": len(data),
            "url": url,
            "proxy_url": url,
            "content_type": mime,
        }

    async def drop(self, code: int = 4000) -> None:
        """Break every gateway socket; new ones wait at ``gate`` while that is closed."""
        for socket in list(self._live):
            await socket.close(code=code)

    async def ask(self, opcode: int, data: object = None) -> None:
        """7 asks to reconnect, 9 says that the session is no longer valid."""
        for socket in list(self._live):
            await socket.send_str(json.dumps({"op": opcode, "d": data, "s": None, "t": None}))

    def count(self, method: str, pattern: str) -> int:
        """How often discord.py called what ``pattern`` describes."""
        return sum(1 for how, path in self.calls if how == method and re.search(pattern, path))

    def attachments(self, message: str) -> list[Payload]:
        """The files that a message of the bot has."""
        return self._attached.get(message, [])

    async def _file(self, request: web.Request) -> web.Response:
        data = self.files.get(request.path)
        if data is None:
            return web.Response(status=404)
        return web.Response(body=data, headers={"Content-Type": self._mimes[request.path]})

    async def _call(self, request: web.Request) -> web.StreamResponse:
        path = request.match_info["path"]
        payload, attached = await self._body(request)
        self.calls.append((request.method, path))
        fault = next((one for one in self.faults if one.times and _fits(one, request.method, path)), None)
        if fault is not None:
            fault.times -= 1
            if fault.status:
                return _failed(fault)
            if not fault.after:
                return _broken_off(request)
        if (own := await self._own(request.method, path, payload)) is not None:
            return own
        status, told, kept = await self._asked(request, path, payload)
        if _POST.match(path) and isinstance(told, list):
            told.sort(key=lambda one: int(one["id"]), reverse=True)  # newest first, whatever was asked for
        for message in told if isinstance(told, list) else [told]:
            if isinstance(message, dict) and "author" in message and "content" in message:
                self._mend_message(message, CONTENT)
        if isinstance(told, dict) and attached and "attachments" in told:
            told["attachments"] = self._attached[told["id"]] = attached
        if isinstance(told, dict) and told.get("id") in self._attached:
            told["attachments"] = self._attached[told["id"]]
        if (post := _POST.match(path)) and request.method == "POST" and status == 200 and payload.get("nonce"):
            self._nonces[post[1], str(payload["nonce"])] = told
        if fault is not None:
            return _broken_off(request)
        if _ANSWER.match(path) and status == 204 and request.query.get("with_response"):
            return _json(await self._callback(path, payload))
        if path == "/oauth2/applications/@me" and status == 200:
            told = _APPLICATION | told
        return _json(told, status, kept) if told is not None else web.Response(status=status, headers=kept)

    async def _own(self, method: str, path: str, payload: Payload) -> web.Response | None:
        """What this front answers by itself."""
        if _COMMANDS.match(path):
            if method == "GET":
                return _json(self._commands.get(path, []))
            self._commands[path] = payload if isinstance(payload, list) else []
            return None
        if path == "/users/@me/channels" and method == "POST":
            return _json(await self.control("direct", user=str(payload["recipient_id"])))
        if (thread := _THREAD.match(path)) and method == "POST":
            made = await self.control("thread", channel=thread[1], message=thread[2], name=payload["name"])
            if made["status"] != 201:
                return _json({"message": "no thread", "code": made["code"]}, made["status"])
            return _json(made["thread"], 201)
        if (post := _POST.match(path)) and method == "POST" and payload.get("enforce_nonce"):
            known = self._nonces.get((post[1], str(payload["nonce"])))
            if known is not None:
                return _json(known)
        answer = _ANSWER.match(path)
        if answer and time.time() - self._born.get(answer[1], 0.0) > self.answer_within:
            return _json({"message": "Unknown interaction", "code": 10062}, 404)
        if (hook := _HOOK.match(path)) and time.time() - self._born.get(hook[1], time.time()) > self.token_lives:
            return _json({"message": "Invalid Webhook Token", "code": 50027}, 401)
        return None

    async def control(self, door: str, **told: object) -> Any:
        """Do something on the twin that no bot can do."""
        async with self._client.post(f"{self._twin['control']}/{door}", json=told) as answer:
            body = await answer.json(content_type=None)
            if answer.status != 200:
                raise RuntimeError(f"{door}: {body}")
            return body

    async def _body(self, request: web.Request) -> tuple[Any, list[Payload]]:
        """The JSON of a call; files of a multipart body are kept on the file server."""
        if not request.content_type.startswith("multipart/"):
            raw = await request.read()
            return (json.loads(raw) if raw and request.content_type == "application/json" else {}), []
        form = await request.post()
        payload = json.loads(str(form.get("payload_json") or "{}"))
        attached = []
        for part in form.values():
            if isinstance(part, web.FileField):
                id_ = str(int(time.time() * 1000) + len(self.files))
                attached.append(self.stored(part.filename, part.file.read(), part.content_type, id_=id_))
        payload.pop("attachments", None)
        return payload, attached

    async def _asked(self, request: web.Request, path: str, payload: Any) -> tuple[int, Any, dict[str, str]]:
        path = path.replace("/oauth2/applications", "/applications")
        query = f"?{request.query_string}" if request.query_string else ""
        headers = {name: request.headers[name] for name in ("Authorization",) if name in request.headers}
        body = json.dumps(payload).encode() if payload or request.method in ("POST", "PUT", "PATCH") else None
        if body is not None:
            headers["Content-Type"] = "application/json"
        url = f"{self._twin['origin']}/api/v10{path}{query}"
        async with self._client.request(request.method, url, data=body, headers=headers) as answer:
            raw = await answer.read()
            kept = {name: value for name, value in answer.headers.items() if name.lower().startswith("x-ratelimit")}
            told = json.loads(raw) if raw and "json" in answer.headers.get("Content-Type", "") else None
            return answer.status, told, kept

    async def _callback(self, path: str, payload: Payload) -> Payload:
        """What discord.py wants to know of the message that an answer made; the twin tells nothing."""
        id_, kind = path.split("/")[2], payload.get("type")
        told: Payload = {
            "id": id_,
            "type": 2,
            "response_message_loading": kind == 5,
            "response_message_ephemeral": bool((payload.get("data") or {}).get("flags", 0) & 64),
        }
        if kind in (4, 5):
            told["response_message_id"] = await self.control("answered", interaction=id_)
        return {"interaction": told}

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(max_msg_size=0)
        await socket.prepare(request)
        await self.gate.wait()
        self._live.add(socket)
        await socket.send_str(json.dumps({"op": 10, "d": {"heartbeat_interval": 41_250}, "s": None, "t": None}))
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                break
            told = json.loads(message.data)
            self.heard.append(told["op"])
            match told["op"]:
                case 1:
                    await socket.send_str(json.dumps({"op": 11, "d": None, "s": None, "t": None}))
                case 2:
                    if told["d"]["intents"] & CONTENT and not self.grant_content:
                        await socket.close(code=4014)
                        break
                    if told["d"]["token"].removeprefix("Bot ") != self._twin["token"]:
                        await socket.close(code=4004)
                        break
                    await self._identified(socket, message.data, told["d"]["intents"])
                case 6:
                    await self._resumed(socket, told["d"])
        self._live.discard(socket)
        return socket

    async def _identified(self, socket: web.WebSocketResponse, raw: str, intents: int) -> None:
        up = await self._client.ws_connect(self._twin["origin"].replace("http", "ws") + "/gateway", max_msg_size=0)
        session = Session(up=up, intents=intents, down=socket)
        pump = asyncio.create_task(self._pump(session))
        self._pumps.add(pump)
        pump.add_done_callback(self._pumps.discard)
        await up.send_str(raw)

    async def _resumed(self, socket: web.WebSocketResponse, wish: Payload) -> None:
        session = self._sessions.get(wish["session_id"])
        if session is None:
            await socket.send_str(json.dumps({"op": 9, "d": False, "s": None, "t": None}))
            return
        missed = [item for item in session.told if item["s"] > wish["seq"]]
        self.replayed.append(len(missed))
        session.seq += 1
        session.down = socket
        for item in [*missed, {"op": 0, "t": "RESUMED", "s": session.seq, "d": {}}]:
            await socket.send_str(json.dumps(item))

    def forget_sessions(self) -> None:
        """No session can be resumed any more."""
        self._sessions.clear()

    async def _pump(self, session: Session) -> None:
        async for message in session.up:
            if message.type is not WSMsgType.TEXT:
                break
            told = json.loads(message.data)
            if told["op"] != 0:
                continue
            session.seq += 1
            told["s"] = session.seq
            self._mend(told["t"], told["d"], session)
            session.told.append(told)
            again = told["t"].startswith("MESSAGE_") and self._chance.random() < self.redeliver
            for _ in range(2 if again else 1):
                if session.down is not None and not session.down.closed:
                    await session.down.send_str(json.dumps(told))

    def _mend(self, name: str, data: Payload, session: Session) -> None:
        """Make a payload what Discord would send."""
        if name == "READY":
            session.id = data["session_id"]
            self._sessions[session.id] = session
            data["resume_gateway_url"] = self.socket
        elif name in ("MESSAGE_REACTION_ADD", "MESSAGE_REACTION_REMOVE"):
            data.setdefault("type", 0)
            data.setdefault("burst", False)
        elif name in ("MESSAGE_CREATE", "MESSAGE_UPDATE"):
            self._mend_message(data, session.intents)
        elif name == "INTERACTION_CREATE":
            self._born[data["token"]] = time.time()

    def _mend_message(self, data: Payload, intents: int) -> None:
        bot = self._twin["bot"]
        if not data.get("guild_id"):
            data.pop("guild_id", None)
        if not data.get("mentions"):
            data["mentions"] = [
                {"id": id_, "username": id_, "discriminator": "0", "avatar": None, "bot": id_ == bot}
                for id_ in _MENTION.findall(data.get("content") or "")
            ]
        if data["id"] in self._attached:
            data["attachments"] = self._attached[data["id"]]
        spoken_to = any(item["id"] == bot for item in data["mentions"]) or data.get("author", {}).get("id") == bot
        if not intents & CONTENT and data.get("guild_id") and not spoken_to:
            data |= {"content": "", "embeds": [], "attachments": [], "components": []}


_APPLICATION: Payload = {
    "rpc_origins": [],
    "bot_public": False,
    "bot_require_code_grant": False,
    "summary": "",
    "verify_key": "0" * 64,
    "description": "",
    "team": None,
    "icon": None,
    "owner": {"id": "1", "username": "owner", "discriminator": "0", "avatar": None},
}


def _json(told: object, status: int = 200, headers: Mapping[str, str] | None = None) -> web.Response:
    """discord.py reads JSON only where the type is exactly this."""
    body = json.dumps(told).encode()
    return web.Response(body=body, status=status, headers={**(headers or {}), "Content-Type": "application/json"})


def _fits(fault: Fault, method: str, path: str) -> bool:
    return fault.method == method and re.search(fault.path, path) is not None


def _failed(fault: Fault) -> web.Response:
    told: Payload = {"message": "told to fail", "code": fault.code}
    if fault.status != 429:
        return _json(told, fault.status)
    told |= {"retry_after": fault.retry_after, "global": fault.everywhere}
    headers = {
        "Retry-After": str(max(1, round(fault.retry_after))),
        "Via": "1.1 google",
        "X-RateLimit-Limit": "5",
        "X-RateLimit-Remaining": "0",
        "X-RateLimit-Reset-After": str(fault.retry_after),
        "X-RateLimit-Bucket": "of-the-test",
        "X-RateLimit-Scope": "global" if fault.everywhere else "user",
    }
    return _json(told, 429, headers | ({"X-RateLimit-Global": "true"} if fault.everywhere else {}))


def _broken_off(request: web.Request) -> web.Response:
    if request.transport is not None:
        request.transport.close()
    return web.Response(status=500)
