"""Who may see the page: this machine alone, whoever holds the printed link, and no other site in their browser.

A page on the loopback address is reachable for every site the reader has open, so the address in ``Host`` (against
rebinding of names), the ``Origin`` of everything that changes something and the browser's own word on where a
request comes from are all looked at before anything else is.
"""

import hmac
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aiohttp import web
from aiohttp.typedefs import Middleware

_MONTH = 30 * 24 * 3600
_READING = frozenset({"GET", "HEAD"})
_OPEN = ("/static/",)
_HOSTS = ("127.0.0.1", "localhost", "[::1]")
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def new_key() -> str:
    """Random text for a link or a cookie, too long to guess."""
    return secrets.token_urlsafe(24)


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessGuard:
    """``link`` is the key of the printed address, ``cookie`` what a browser that came by it carries from then on."""

    link: str
    cookie: str
    port: Callable[[], int]

    @property
    def name(self) -> str:
        """The cookie's name; ports share cookies, so that it names the port."""
        return f"footnote-{self.port()}"

    @property
    def address(self) -> str:
        """The link that is printed."""
        return f"http://127.0.0.1:{self.port()}/?key={self.link}"

    def refusal(self, request: web.Request) -> str:
        """Why a request is turned away whatever it carries, or empty."""
        host = request.headers.get("Host", "")
        if host not in {f"{name}:{self.port()}" for name in _HOSTS}:
            return "This page answers only under the address of this machine."
        if request.method not in _READING and request.headers.get("Origin", "") != f"http://{host}":
            return "This was asked from another page, and only Footnote's own may ask for it."
        came_from = request.headers.get("Sec-Fetch-Site", "same-origin")
        if request.path != "/" and came_from not in ("same-origin", "none"):
            return "This was asked from another page, and only Footnote's own may ask for it."
        return ""

    def knows(self, request: web.Request) -> bool:
        """Whether the request carries the cookie."""
        return hmac.compare_digest(request.cookies.get(self.name, "").encode(), self.cookie.encode())

    def opens(self, request: web.Request) -> bool:
        """Whether the request brings the key of the printed link."""
        key = request.query.get("key", "")
        return request.path == "/" and bool(key) and hmac.compare_digest(key.encode(), self.link.encode())

    def middleware(self) -> Middleware:
        """What stands before every handler."""

        @web.middleware
        async def guard(request: web.Request, handler: _Handler) -> web.StreamResponse:
            if words := self.refusal(request):
                return _refuse(request, 403, words)
            if self.opens(request):
                return self._let_in()
            if self.knows(request) or request.path.startswith(_OPEN):
                return await handler(request)
            return _refuse(request, 401, "Please open the link that Footnote printed when it was started.")

        return guard

    def _let_in(self) -> web.Response:
        """The key becomes a cookie and leaves the address.

        By a page that goes on by itself, not by a redirect: a strict cookie is not sent with the redirect of a
        link that was clicked on another site (a mail, a chat).
        """
        answer = web.Response(
            text=_page('<meta http-equiv="refresh" content="0;url=/"><title>Footnote</title>', ""),
            content_type="text/html",
        )
        answer.set_cookie(self.name, self.cookie, httponly=True, samesite="Strict", path="/", max_age=_MONTH)
        return answer


async def harden(request: web.Request, response: web.StreamResponse) -> None:
    """Put what every answer carries on ``response``."""
    response.headers.update(HEADERS)
    response.headers.setdefault("Cache-Control", "no-store")


def _refuse(request: web.Request, status: int, words: str) -> web.Response:
    if request.path == "/":
        text = _page("<title>Footnote</title>", f"<main class='locked'><h1>Footnote</h1><p>{words}</p></main>")
        return web.Response(status=status, text=text, content_type="text/html")
    return web.json_response({"words": words}, status=status)


def _page(head: str, body: str) -> str:
    style = '<link rel="stylesheet" href="/static/page.css"><link rel="icon" href="/static/icon.svg">'
    return f'<!doctype html><html lang="en"><meta charset="utf-8">{style}{head}<body>{body}</body></html>'
