"""How Slack reaches the process: Socket Mode (no public address) or signed HTTP, and the pages that install it.

slack-bolt verifies signatures, authorises and frames; one middleware takes every delivery. It answers Slack only
after the delivery is kept, so that a crash in between makes Slack deliver again rather than lose it.
"""

import json
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from adapters.slack.installations import NAME, Installation, Installations, ManyWorkspaces
from adapters.slack.interactions import Interactions
from adapters.slack.message_listener import MessageListener
from adapters.slack.oauth import InstallPages
from adapters.slack.payload import Payload, part_of, parts_of, text_of
from adapters.slack.settings import SlackSettings
from adapters.slack.web_api import SlackRefused, WebApi
from core.domain.errors import SettingsInvalid
from core.domain.model import Workspace

if TYPE_CHECKING:
    from slack_bolt.app.async_app import AsyncApp

_log = logging.getLogger(__name__)
_EVENTS = "/slack/events"
_LARGEST_BODY = 4 * 1024 * 1024


@asynccontextmanager
async def connect(
    settings: SlackSettings,
    calls: WebApi,
    installations: Installations,
    listener: MessageListener,
    interactions: Interactions,
) -> AsyncIterator[None]:
    """Deliveries are taken while it is open. Raises ``SettingsInvalid`` where Slack does not let Footnote in."""
    app = _app(settings, calls, installations, listener, interactions)
    async with AsyncExitStack() as stack:
        if settings.mode == "http" or settings.many:
            await stack.enter_async_context(_serve_http(settings, calls, installations, app))
        if settings.mode == "socket":
            await stack.enter_async_context(_open_socket(settings, calls, app))
        yield


def _app(
    settings: SlackSettings,
    calls: WebApi,
    installations: Installations,
    listener: MessageListener,
    interactions: Interactions,
) -> "AsyncApp":
    from slack_bolt.app.async_app import AsyncApp
    from slack_bolt.authorization import AuthorizeResult
    from slack_bolt.request.async_request import AsyncBoltRequest
    from slack_bolt.response import BoltResponse

    async def authorize(enterprise_id: str | None, team_id: str | None) -> AuthorizeResult | None:
        if team_id and enterprise_id:
            await installations.seen(team_id, enterprise_id)
        installation = await installations.of(Workspace(platform=NAME, id=team_id or ""))
        if installation is None:
            return None
        return AuthorizeResult(
            enterprise_id=enterprise_id,
            team_id=team_id,
            bot_token=installation.token,
            bot_id=installation.bot_id,
            bot_user_id=installation.bot_user,
        )

    app = AsyncApp(
        logger=logging.getLogger(f"{__name__}.bolt"),
        signing_secret=settings.signing_secret or "socket mode checks no signature",
        client=calls.client(""),
        authorize=authorize,  # type: ignore[arg-type]  # None is how Bolt is told that nobody is installed
        ignoring_self_events_enabled=False,  # what the bot itself wrote tells who spoke last
        attaching_function_token_enabled=False,
    )

    async def take(req: AsyncBoltRequest) -> BoltResponse:
        return BoltResponse(status=200, body=await _take_delivery(req.body, listener, interactions))

    app.middleware(take)
    return app


async def _take_delivery(body: Payload, listener: MessageListener, interactions: Interactions) -> str:
    """Take one delivery; returns the body of the answer to Slack."""
    kind = text_of(body, "type")
    if kind == "event_callback":
        team, enterprise = _workspace_of(body)
        await listener.take(
            part_of(body, "event"), team=team, enterprise=enterprise, shared=bool(body.get("is_ext_shared_channel"))
        )
        return ""
    if text_of(body, "command"):
        reply = await interactions.slash(body)
        return json.dumps({"response_type": "ephemeral", "text": reply}) if reply else ""
    answer = await interactions.take(body)
    return json.dumps(answer) if answer is not None else ""


def _workspace_of(body: Payload) -> tuple[str, str]:
    """Workspace and organisation of a delivery; of an organisation's installation the workspace it happened in."""
    first: Mapping[str, object] = next(iter(parts_of(body, "authorizations")), {})
    team = text_of(body, "team_id") or text_of(first, "team_id")
    enterprise = text_of(body, "enterprise_id") or text_of(first, "enterprise_id")
    shared = bool(body.get("is_ext_shared_channel"))
    if shared and text_of(first, "team_id"):
        team = text_of(first, "team_id")  # in a shared channel the outer team may be the sender's
    return team, enterprise


@asynccontextmanager
async def _open_socket(settings: SlackSettings, calls: WebApi, app: "AsyncApp") -> AsyncIterator[None]:
    from slack_bolt.adapter.socket_mode.async_handler import AsyncSocketModeHandler

    await _check_app_token(settings, calls)
    handler = AsyncSocketModeHandler(
        app, settings.app_token, logger=logging.getLogger(f"{__name__}.socket"), web_client=calls.client("")
    )
    try:
        await handler.connect_async()  # type: ignore[no-untyped-call]
        yield
    finally:
        await handler.close_async()  # type: ignore[no-untyped-call]


async def _check_app_token(settings: SlackSettings, calls: WebApi) -> None:
    """Ask for a connection once: the handler would go on trying with a token that never works."""
    try:
        await calls.as_(settings.app_token, "apps.connections.open", kind="apps.connections.open")
    except SlackRefused as refusal:
        raise SettingsInvalid(
            f"Slack refused FOOTNOTE_SLACK_APP_TOKEN for Socket Mode ({refusal.code}): it needs an app-level token "
            "with connections:write, and Socket Mode switched on in the app."
        ) from refusal


@asynccontextmanager
async def _serve_http(
    settings: SlackSettings, calls: WebApi, installations: Installations, app: "AsyncApp"
) -> AsyncIterator[None]:
    """HTTP for deliveries, and for installing where workspaces do that themselves."""
    from aiohttp import web
    from slack_bolt.adapter.aiohttp import to_aiohttp_response
    from slack_bolt.request.async_request import AsyncBoltRequest

    async def deliver(request: web.Request) -> web.Response:
        body = (await request.read()).decode("utf-8", "replace")
        try:
            delivery = AsyncBoltRequest(body=body, query=request.query_string, headers=dict(request.headers))
        except (ValueError, TypeError, AttributeError):
            return web.Response(status=401)  # what is no delivery at all cannot have been signed by Slack
        return await to_aiohttp_response(await app.async_dispatch(delivery))

    site = web.Application(client_max_size=_LARGEST_BODY)
    if settings.mode == "http":
        site.router.add_post(_EVENTS, deliver)
    if isinstance(installations, ManyWorkspaces):
        InstallPages(settings, calls, installations).add_to(site)
    runner = web.AppRunner(site, access_log=None)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, settings.host, settings.port).start()
        except OSError as error:
            raise SettingsInvalid(
                f"FOOTNOTE_SLACK_PORT {settings.port} cannot be listened on at {settings.host}; is it taken?"
            ) from error
        yield
    finally:
        await runner.cleanup()


async def identify_token(calls: WebApi, token: str) -> Installation:
    """What Slack says of a bot token. Raises ``SettingsInvalid`` where it is not accepted."""
    try:
        answer = await calls.as_(token, "auth.test", kind="auth.test")
    except SlackRefused as refusal:
        raise SettingsInvalid(f"Slack refused FOOTNOTE_SLACK_BOT_TOKEN ({refusal.code}); please check it.") from refusal
    return Installation(
        enterprise=text_of(answer, "enterprise_id"),
        team="" if answer.get("is_enterprise_install") else text_of(answer, "team_id"),
        token=token,
        bot_user=text_of(answer, "user_id"),
        bot_id=text_of(answer, "bot_id"),
    )
