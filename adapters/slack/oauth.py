"""The pages by which workspaces and organisations install Footnote (OAuth v2), with a one-time state a visit.

slack-bolt's own flow talks to a store of its own shape; these two pages need four calls of ours instead, and
what is stored is encrypted.
"""

import hmac
import html
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

from adapters.slack.installations import Installation, ManyWorkspaces
from adapters.slack.payload import part_of, text_of
from adapters.slack.settings import SlackSettings
from adapters.slack.web_api import WebApi
from core.domain.errors import PlatformFailure

if TYPE_CHECKING:
    from aiohttp import web
    from aiohttp.web import Request, Response

BOT_SCOPES = (
    "app_mentions:read",
    "assistant:write",
    "channels:history",
    "channels:read",
    "chat:write",
    "commands",
    "files:read",
    "files:write",
    "groups:history",
    "groups:read",
    "im:history",
    "im:read",
    "im:write",
    "mpim:history",
    "mpim:read",
    "reactions:write",
    "users:read",
)
_COOKIE = "footnote-slack-state"
_SECONDS = 600
_PAGE = "<!doctype html><meta charset=utf-8><title>Footnote</title><p>{words}</p>"
_AGAIN = "This installation link was not begun here, or has run out. Please begin again at /slack/install."


class InstallPages:
    """``/slack/install`` and ``/slack/oauth_redirect``."""

    def __init__(self, settings: SlackSettings, calls: WebApi, installations: ManyWorkspaces) -> None:
        self._settings = settings
        self._calls = calls
        self._installations = installations

    def add_to(self, site: "web.Application") -> None:
        """Serve both pages."""
        site.router.add_get("/slack/install", self._begin)
        site.router.add_get("/slack/oauth_redirect", self._end)

    async def _begin(self, request: "Request") -> "Response":
        from aiohttp import web

        state = await self._installations.issue_state()
        parameters = {
            "client_id": self._settings.client_id,
            "scope": ",".join(BOT_SCOPES),
            "user_scope": "",
            "state": state,
            "redirect_uri": self._settings.redirect_url,
        }
        where = f"{_site(self._settings.api_url)}/oauth/v2/authorize?" + urlencode(
            {name: value for name, value in parameters.items() if value or name == "user_scope"}
        )
        answer = web.Response(status=302, headers={"Location": where})
        secure = self._settings.redirect_url.startswith("https://")
        answer.set_cookie(_COOKIE, state, max_age=_SECONDS, httponly=True, secure=secure, samesite="Lax", path="/slack")
        return answer

    async def _end(self, request: "Request") -> "Response":
        state = request.query.get("state", "")
        cookie = request.cookies.get(_COOKIE, "")
        same = hmac.compare_digest(state.encode(), cookie.encode())
        if not state or not same or not await self._installations.consume_state(state):
            return _page(_AGAIN, status=400)
        if "error" in request.query:
            return _page("Nothing was installed: Slack says that it was not allowed.", status=400)
        try:
            installation = await self._exchanged(request.query.get("code", ""))
        except PlatformFailure as failure:
            return _page(f"Nothing was installed. {failure.words}", status=400)
        await self._installations.save(installation)
        return _page("Footnote is installed. Invite it to a channel with /invite @Footnote and drop a PDF.", status=200)

    async def _exchanged(self, code: str) -> Installation:
        """The installation that a code stands for. Raises ``PlatformFailure`` where Slack does not accept it."""
        answer = await self._calls.as_(
            "",
            "oauth.v2.access",
            kind="oauth.v2.access",
            client_id=self._settings.client_id,
            client_secret=self._settings.client_secret,
            code=code,
            redirect_uri=self._settings.redirect_url,
        )
        is_organisation = bool(answer.get("is_enterprise_install"))
        token = text_of(answer, "access_token")
        identity = await self._calls.as_(token, "auth.test", kind="auth.test")
        return Installation(
            enterprise=text_of(part_of(answer, "enterprise"), "id"),
            team="" if is_organisation else text_of(part_of(answer, "team"), "id"),
            token=token,
            bot_user=text_of(answer, "bot_user_id") or text_of(identity, "user_id"),
            bot_id=text_of(identity, "bot_id"),
            app_id=text_of(answer, "app_id"),
            scopes=text_of(answer, "scope"),
        )


def _site(api_url: str) -> str:
    parts = urlsplit(api_url)
    return f"{parts.scheme}://{parts.netloc}"


def _page(words: str, *, status: int) -> "Response":
    from aiohttp import web

    return web.Response(status=status, text=_PAGE.format(words=html.escape(words)), content_type="text/html")
