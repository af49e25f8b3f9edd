"""What stands between the bot and the workspace of npm ``emulate``: transports, faults, and what Slack has besides.

State and its rules (channels, members, messages, files, reactions, views, OAuth, scopes) are the workspace's,
which others wrote. This adds what it lacks: Socket Mode and signed HTTP with three seconds to acknowledge and
retries, a mention's twin, streams, agent sessions, ``users.conversations``, the sign-in page, and faults on demand.
What is answered here is our own double and no outside proof.
"""

import asyncio
import contextlib
import hashlib
import hmac
import itertools
import json
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import aiohttp
from aiohttp import web

BOT_USER, BOT_ID, TEAM, APP = "U00000BOT", "B00000BOT", "T000000001", "A000000001"
TOKEN, APP_TOKEN, SECRET = "xoxb-test-token", "xapp-test-token", "signing-secret"
ACK_SECONDS = 3.0
PRESS_SECONDS = 30.0  # Slack: three too, but it does not deliver a press again, and a busy machine is no fault of it
RETRIES = (0.05, 0.3, 0.8)  # Slack: at once, a minute, five minutes
_AWAY_SECONDS = 120.0
_CALLS_A_TOKEN = 4_000
_SIGN_IN = "<!DOCTYPE html><html><head><title>Sign in | Slack</title></head></html>"


@dataclass
class Fault:
    """What goes wrong with a method: an ``error`` or ``status``, or ``lost``: done, but the answer never arrives."""

    method: str
    times: int = 1
    status: int = 200
    error: str = ""
    retry_after: float | None = None
    lost: bool = False
    delay: float = 0.0
    extra: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Front:
    """One workspace's front; ``doors`` are where signed HTTP goes, in turn, while no socket is connected."""

    workspace: str
    doors: list[str] = field(default_factory=list)
    ack_seconds: float = ACK_SECONDS
    retries: tuple[float, ...] = RETRIES
    faults: list[Fault] = field(default_factory=list)
    calls: list[tuple[float, str, dict[str, Any]]] = field(default_factory=list)
    acks: list[tuple[float, str]] = field(default_factory=list)
    arrived: dict[str, float] = field(default_factory=dict)
    guests: set[str] = field(default_factory=set)
    external: set[str] = field(default_factory=set)
    private: set[str] = field(default_factory=set)
    streams: dict[str, str] = field(default_factory=dict)
    agent: bool = True
    dropped_acks: int = 0
    redeliver: float = 0.0
    given_up: list[Mapping[str, Any]] = field(default_factory=list)
    signed_out: bool = False
    awaited: bool = False  # a bot has been here; what happened before is delivered to nobody

    def __post_init__(self) -> None:
        self.sockets: list[web.WebSocketResponse] = []
        self._waiting: dict[str, asyncio.Future[Any]] = {}
        self._tickets: set[str] = set()
        self._turn = itertools.count()
        self._redelivered = 0.0
        self._running: set[asyncio.Task[Any]] = set()
        self._channels: dict[str, dict[str, Any]] = {}

    async def start(self, port: int) -> None:
        self.port = port
        self._session = aiohttp.ClientSession()
        site = web.Application(client_max_size=64 * 2**20)
        site.router.add_get("/link", self._link)
        site.router.add_post("/_events", self._event)
        site.router.add_route("*", "/{path:.*}", self._proxy)
        self._runner = web.AppRunner(site, access_log=None)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", port, reuse_address=True).start()

    async def stop(self) -> None:
        for task in list(self._running):
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        for socket in list(self.sockets):
            await socket.close()
        await self._session.close()
        await self._runner.cleanup()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    # ---- calls of the bot -------------------------------------------------------------------------------------

    async def ask(self, method: str, arguments: Mapping[str, Any], token: str = "xoxb-test-0") -> dict[str, Any]:
        """A call of the workspace itself."""
        headers = {"Authorization": f"Bearer {token}"}
        async with self._session.post(f"{self.workspace}/api/{method}", json=arguments, headers=headers) as answer:
            if answer.content_type != "application/json":
                return {"ok": False, "error": "unknown_method"}
            found: dict[str, Any] = await answer.json()
            return found

    async def _proxy(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        if not request.path.startswith("/api/"):
            return await self._other(request, body)
        method = request.path.removeprefix("/api/")
        arguments = _arguments(request, body)
        self.calls.append((time.monotonic(), method, arguments))
        fault = next((item for item in self.faults if item.method == method and item.times > 0), None)
        if fault is not None:
            fault.times -= 1
            await asyncio.sleep(fault.delay)
            if fault.error or fault.status != 200:
                headers = {"Retry-After": f"{fault.retry_after:g}"} if fault.retry_after is not None else {}
                told = {"ok": False, "error": fault.error or "ratelimited", **fault.extra}
                return web.json_response(told, status=fault.status, headers=headers)
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        token = f"xoxb-test-{len(self.calls) // _CALLS_A_TOKEN % 40}" if given == TOKEN else given
        answer = await self._own(method, arguments, given, token)
        if answer is None:
            answer = await self._passed(method, arguments, token)
        if fault is not None and fault.lost:
            assert request.transport is not None
            request.transport.abort()
        return web.json_response(answer)

    async def _passed(self, method: str, arguments: Mapping[str, Any], token: str) -> dict[str, Any]:
        answer = json.loads(json.dumps(await self.ask(method, arguments, token)).replace(self.workspace, self.url))
        for message in answer.get("messages", ()):
            self._dressed(message)
        if method == "users.info" and answer.get("ok"):
            answer["user"]["is_restricted"] = answer["user"]["id"] in self.guests
        if method == "conversations.info" and answer.get("ok"):
            answer["channel"]["is_ext_shared"] = answer["channel"]["id"] in self.external
            answer["channel"]["is_private"] |= answer["channel"]["id"] in self.private
        return dict(answer)

    async def _other(self, request: web.Request, body: bytes) -> web.StreamResponse:
        """Uploads, downloads, pages: as they are, but for the sign-in page that comes without a token."""
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        out = self.signed_out or (given != TOKEN and not given.startswith(("xoxp-", "xoxb-")))
        if request.path.startswith("/files-pri/") and out:
            return web.Response(text=_SIGN_IN, content_type="text/html")
        headers = {name: value for name, value in request.headers.items() if name.lower() in ("content-type", "cookie")}
        if given:
            headers["Authorization"] = f"Bearer {'xoxb-test-0' if given == TOKEN else given}"
        url = f"{self.workspace}{request.path_qs}"
        async with self._session.request(
            request.method, url, data=body, headers=headers, allow_redirects=False
        ) as answer:
            kept = {
                name: value
                for name, value in answer.headers.items()
                if name.lower() in ("content-type", "location", "set-cookie")
            }
            return web.Response(body=await answer.read(), status=answer.status, headers=kept)

    async def _own(self, method: str, given: dict[str, Any], bearer: str, token: str) -> dict[str, Any] | None:
        """Methods that the workspace does not know."""
        match method:
            case "apps.connections.open":
                if bearer != APP_TOKEN:
                    return {"ok": False, "error": "invalid_auth"}
                ticket = uuid.uuid4().hex
                self._tickets.add(ticket)
                return {"ok": True, "url": f"ws://127.0.0.1:{self.port}/link?ticket={ticket}"}
            case "users.conversations":
                return await self._conversations(given, token)
            case "agents.sessions.setStatus":
                return {"ok": True} if self.agent else {"ok": False, "error": "not_an_agent"}
            case "assistant.threads.setSuggestedPrompts":
                return {"ok": bool(given.get("prompts")) and "thread_ts" not in given}
            case "chat.startStream" | "chat.appendStream" | "chat.stopStream":
                return await self._stream(method, given, token)
            case "chat.update" if given.get("ts") in self.streams:
                return {"ok": False, "error": "streaming_state_conflict"}
            case "auth.test" if bearer == "xoxb-unknown":  # the workspace takes any token for somebody's
                return {"ok": False, "error": "invalid_auth"}
        return None

    async def _conversations(self, given: Mapping[str, Any], token: str) -> dict[str, Any]:
        kinds = str(given.get("types", "public_channel")).split(",")
        user = given.get("user") or BOT_USER
        listed = await self.ask("conversations.list", {"types": ",".join(kinds), "limit": 1000}, token)
        found = []
        for channel in listed.get("channels", ()):
            if channel["id"] in self.private and "private_channel" not in kinds:
                continue
            members = await self.ask("conversations.members", {"channel": channel["id"], "limit": 1000}, token)
            if user in members.get("members", ()) and not (given.get("exclude_archived") and channel["is_archived"]):
                found.append({**channel, "is_ext_shared": channel["id"] in self.external})
        return {"ok": True, "channels": found, "response_metadata": {"next_cursor": ""}}

    async def _stream(self, method: str, given: dict[str, Any], token: str) -> dict[str, Any]:
        channel = str(given.get("channel", ""))
        said = given.get("markdown_text", "") + "".join(
            chunk.get("text", "") for chunk in given.get("chunks", ()) if chunk.get("type") == "markdown_text"
        )
        if method == "chat.startStream":
            if not channel.startswith("D") and not (given.get("recipient_user_id") and given.get("recipient_team_id")):
                return {"ok": False, "error": "missing_recipient_user_id"}
            posted = await self.ask(
                "chat.postMessage",
                {"channel": channel, "thread_ts": given.get("thread_ts"), "text": said or " "},
                token,
            )
            if posted.get("ok"):
                self.streams[posted["ts"]] = said
                return {"ok": True, "channel": channel, "ts": posted["ts"]}
            return posted
        ts = str(given.get("ts"))
        if ts not in self.streams:
            return {"ok": False, "error": "message_not_in_streaming_state"}
        if len(said) > 12_000:
            return {"ok": False, "error": "msg_too_long"}
        self.streams[ts] += said
        shown = {"channel": channel, "ts": ts, "text": self.streams[ts] or " "}
        answer = await self.ask("chat.update", shown, token)
        if method == "chat.stopStream":
            del self.streams[ts]
        return {"ok": bool(answer.get("ok")), "channel": channel, "ts": ts, "error": answer.get("error", "")}

    # ---- deliveries to the bot --------------------------------------------------------------------------------

    async def _link(self, request: web.Request) -> web.StreamResponse:
        ticket = request.query.get("ticket", "")
        if ticket not in self._tickets:
            return web.Response(status=403)
        self._tickets.discard(ticket)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        self.sockets.append(socket)
        self.awaited = True
        await socket.send_json({"type": "hello", "num_connections": len(self.sockets), "debug_info": {"host": "front"}})
        try:
            async for message in socket:
                if message.type == aiohttp.WSMsgType.TEXT:
                    self._acknowledged(json.loads(message.data))
        finally:
            with contextlib.suppress(ValueError):
                self.sockets.remove(socket)
        return socket

    def _acknowledged(self, data: Mapping[str, Any]) -> None:
        if self._is_dropped():
            return
        waiting = self._waiting.get(str(data.get("envelope_id")))
        if waiting is not None and not waiting.done():
            waiting.set_result(data.get("payload"))

    def _is_dropped(self) -> bool:
        """Whether Slack never sees this acknowledgement."""
        self.dropped_acks -= (dropped := self.dropped_acks > 0)
        return dropped

    async def disconnect(self, reason: str = "refresh_requested") -> None:
        for socket in list(self.sockets):
            await socket.send_json({"type": "disconnect", "reason": reason, "debug_info": {"host": "front"}})

    async def deliver(self, kind: str, payload: Mapping[str, Any]) -> Any:
        """Deliver ``events_api``, ``interactive`` or ``slash_commands`` until it is acknowledged; its answer."""
        envelope = str(uuid.uuid4())
        patience = self.ack_seconds if kind == "events_api" else PRESS_SECONDS
        for attempt, wait in enumerate((0.0, *self.retries)):
            await asyncio.sleep(wait)
            if attempt:
                await self._somebody()
            began = time.monotonic()
            try:
                send = self._by_socket if self.sockets else self._by_http
                answer = await asyncio.wait_for(send(kind, payload, envelope, attempt), patience)
                self.acks.append((time.monotonic() - began, kind))
                return answer
            except (TimeoutError, aiohttp.ClientError, ConnectionError, _NotTaken):
                if kind != "events_api":
                    return None
        self.given_up.append(payload)
        return None

    async def _somebody(self) -> None:
        """Slack's minutes between its tries are long enough for a bot to be back, however slow the machine is."""
        until = time.monotonic() + _AWAY_SECONDS
        while not self.sockets and not await self.is_open() and time.monotonic() < until:  # noqa: ASYNC110 - either will do
            await asyncio.sleep(0.03)

    async def is_open(self) -> bool:
        """Whether somebody listens at one of the doors."""
        for door in self.doors:
            at = urlsplit(door)
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection(at.hostname, at.port)
                writer.close()
                return True
        return False

    async def _by_socket(self, kind: str, payload: Mapping[str, Any], envelope: str, attempt: int) -> Any:
        if not self.sockets:
            raise _NotTaken  # the last one closed a moment ago
        socket = self.sockets[next(self._turn) % len(self.sockets)]
        self._waiting[envelope] = asyncio.get_running_loop().create_future()
        retry = {"retry_attempt": attempt, "retry_reason": "timeout" if attempt else ""} if kind == "events_api" else {}
        sent = {"envelope_id": envelope, "type": kind, "payload": payload, **retry}
        await socket.send_json({**sent, "accepts_response_payload": kind != "events_api"})
        return await self._waiting[envelope]

    async def _by_http(self, kind: str, payload: Mapping[str, Any], envelope: str, attempt: int) -> Any:
        if not self.doors:
            raise _NotTaken
        raw, content = _raw(kind, payload)
        now = str(int(time.time()))
        headers = {
            **signed(raw, now),
            "Content-Type": content,
            **({"X-Slack-Retry-Num": str(attempt), "X-Slack-Retry-Reason": "http_timeout"} if attempt else {}),
        }
        door = self.doors[next(self._turn) % len(self.doors)]
        async with self._session.post(door, data=raw.encode(), headers=headers) as answer:
            text = await answer.text()
            if answer.status >= 300 or self._is_dropped():
                raise _NotTaken
            return json.loads(text) if text.startswith("{") else text or None

    async def _event(self, request: web.Request) -> web.Response:
        event = (await request.json()).get("event", {})
        if event.get("type") == "message":
            await self._dress_event(event)
        self.spread(event)
        return web.Response()

    def spread(self, event: dict[str, Any], **outer: Any) -> None:
        """Send an inner event to the bot as Slack does: wrapped, with a mention's twin, now and then twice."""
        if not self.awaited:
            return
        twins = [event]
        said = event.get("text") or ""
        written = event.get("type") == "message" and event.get("subtype") in (None, "file_share")
        if written and f"<@{BOT_USER}>" in said and event.get("user") != BOT_USER:
            left_out = ("subtype", "channel_type")
            twins.append({**{k: v for k, v in event.items() if k not in left_out}, "type": "app_mention"})
        for item in twins:
            wrapped = wrap(item, **outer)
            self.arrived.setdefault(str(item.get("ts")), time.monotonic())
            self._run(self.deliver("events_api", wrapped))
            self._redelivered += self.redeliver
            if self._redelivered >= 1:
                self._redelivered -= 1
                self._run(self.deliver("events_api", wrapped))

    async def _dress_event(self, event: dict[str, Any]) -> None:
        self._dressed(event)
        channel = str(event.get("channel"))
        if channel not in self._channels:
            answer = await self.ask("conversations.info", {"channel": channel})
            self._channels[channel] = answer.get("channel") or {}
        info = self._channels[channel]
        kind = "im" if info.get("is_im") else "mpim" if info.get("is_mpim") else ""
        event["channel_type"] = kind or ("group" if info.get("is_private") else "channel")
        for file in event.get("files", ()):
            file.update(json.loads(json.dumps(file).replace(self.workspace, self.url)))

    def _dressed(self, message: dict[str, Any]) -> None:
        if message.get("user") == BOT_USER:
            message.setdefault("bot_id", BOT_ID)
            message.setdefault("app_id", APP)

    def _run(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    @property
    def idle(self) -> bool:
        """Whether every delivery was taken, or given up as Slack gives up."""
        return not self._running

    def times(self, method: str) -> int:
        """How often the bot called a method."""
        return sum(item == method for _, item, _ in self.calls)


class _NotTaken(Exception):
    pass


def wrap(event: Mapping[str, Any], **outer: Any) -> dict[str, Any]:
    """An inner event in its outer fields."""
    return {
        "token": "unused",
        "team_id": TEAM,
        "api_app_id": APP,
        "event": dict(event),
        "type": "event_callback",
        "event_id": "Ev" + uuid.uuid4().hex[:10].upper(),
        "event_time": int(time.time()),
        "event_context": "4-x",
        "is_ext_shared_channel": False,
        "authorizations": [
            {
                "enterprise_id": None,
                "team_id": TEAM,
                "user_id": BOT_USER,
                "is_bot": True,
                "is_enterprise_install": False,
            }
        ],
        **outer,
    }


def signed(raw: str, when: str, secret: str = SECRET) -> dict[str, str]:
    """The headers that vouch for a delivery sent at ``when``."""
    made = hmac.new(secret.encode(), f"v0:{when}:{raw}".encode(), hashlib.sha256).hexdigest()
    return {"X-Slack-Request-Timestamp": when, "X-Slack-Signature": f"v0={made}"}


def _arguments(request: web.Request, body: bytes) -> dict[str, Any]:
    content = request.headers.get("Content-Type", "")
    given: dict[str, Any] = dict(request.query)
    if "json" in content and body:
        given |= json.loads(body)
    elif "urlencoded" in content:
        given |= dict(parse_qsl(body.decode("utf-8", "replace")))
    return given


def _raw(kind: str, payload: Mapping[str, Any]) -> tuple[str, str]:
    if kind == "events_api":
        return json.dumps(payload), "application/json"
    form = payload if kind == "slash_commands" else {"payload": json.dumps(payload)}
    return urlencode(form), "application/x-www-form-urlencoded"
