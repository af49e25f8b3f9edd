"""Fetches the open PDF of a paper: from public addresses only, every redirect checked, never more than allowed.

Where an address leads to a page about the paper, the page's own pointer to the PDF is followed (the
``citation_pdf_url`` that publishers print for search engines); nothing else of a page is read.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import urljoin

from core.domain.errors import EmptyFile, NotAPdf, PaperRejected, PlatformFailure, RateLimited, TooLarge
from core.fetching.identifiers import FetchTarget
from core.fetching.public_addresses import (
    AddressPredicate,
    HostLookup,
    RefusedConnection,
    build_resolver,
    check_ip_literal,
    is_public,
    not_public,
    resolve_host,
    socket_factory,
)

if TYPE_CHECKING:
    from aiohttp import ClientResponse, ClientSession
    from yarl import URL

_CHUNK = 64 * 1024
_PAGE = 2_000_000
"""Bytes of a page about a paper that are looked through."""
_PDF_WITHIN = 1024
_REDIRECTED = (301, 302, 303, 307, 308)
_WEB_PORTS = frozenset({80, 443})
_POLITE_SECONDS = 3.0
"""Between two papers from one host, as arXiv asks of programs."""
_HEADERS = {
    "User-Agent": "Footnote (reading assistant of a research group)",
    "Accept": "application/pdf, text/html;q=0.8",
    "Accept-Encoding": "identity",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchLimits:
    """What one fetched paper may take: its size, a server's silence and all of it in seconds, redirects."""

    megabytes: float = 100.0
    silent_seconds: float = 30.0
    seconds: float = 300.0
    redirects: int = 5


LIMITS = FetchLimits()


class _PdfLinkParser(HTMLParser):
    """Finds the address of the PDF in the head of a page about a paper."""

    def __init__(self) -> None:
        super().__init__()
        self.found = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Only what says in so many words that it is the paper's PDF."""
        given = dict(attrs)
        if tag == "meta" and (given.get("name") or "").lower() == "citation_pdf_url" and not self.found:
            self.found = (given.get("content") or "").strip()


class Fetcher:
    """Fetches one paper at a time from each host, politely. All arguments are for tests."""

    def __init__(
        self,
        *,
        limits: FetchLimits = LIMITS,
        lookup: HostLookup = resolve_host,
        allowed: AddressPredicate = is_public,
        ports: frozenset[int] = _WEB_PORTS,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limits = limits
        self._lookup = lookup
        self._allowed = allowed
        self._ports = ports
        self._pause = pause
        self._now = now
        self._last_request: dict[str, float] = {}
        self._polite = asyncio.Lock()

    async def fetch(self, wanted: FetchTarget, to: Path) -> None:
        """Write the PDF of ``wanted`` to ``to``.

        Raises ``PaperRejected`` (its subclass says why: not public, not a PDF, too large), ``RateLimited`` or
        ``PlatformFailure``, where trying again may help; then nothing is left at ``to``.
        """
        from aiohttp import ClientConnectorError, ClientError

        try:
            async with asyncio.timeout(self._limits.seconds):
                async with self._session() as session:
                    address, page = await self._follow_redirects(session, wanted.url, to)
                    if page:
                        _, page = await self._follow_redirects(session, _join_url(address, page), to)
                    if page:
                        raise PaperRejected(f"There is no open PDF of {wanted.name}; please upload it here.")
        except (ClientError, TimeoutError, OSError) as failure:
            if isinstance(failure, ClientConnectorError) and isinstance(failure.os_error, RefusedConnection):
                raise not_public() from failure
            raise PlatformFailure(f"{wanted.name} could not be fetched just now.") from failure

    @asynccontextmanager
    async def _session(self) -> "AsyncIterator[ClientSession]":
        from aiohttp import ClientSession, ClientTimeout, DummyCookieJar, TCPConnector

        silent = self._limits.silent_seconds
        connector = TCPConnector(
            resolver=build_resolver(self._lookup, self._allowed),
            socket_factory=socket_factory(self._allowed),
            use_dns_cache=False,
            force_close=True,
            limit=1,
        )
        timeout = ClientTimeout(total=None, sock_connect=silent, sock_read=silent)
        async with ClientSession(
            connector=connector, timeout=timeout, cookie_jar=DummyCookieJar(), trust_env=False, headers=_HEADERS
        ) as session:
            yield session

    async def _follow_redirects(self, session: "ClientSession", url: str, to: Path) -> tuple[str, str]:
        """The last address, and where a page pointed to instead of being the PDF."""
        for _ in range(self._limits.redirects + 1):
            checked = self._check_url(url)
            await self._wait_for(checked.raw_host or "")
            async with session.get(checked, allow_redirects=False) as answer:
                if answer.status in _REDIRECTED:
                    target = _join_url(url, answer.headers.get("Location", ""))
                    if url.startswith("https:") and not target.startswith("https:"):
                        raise PaperRejected("The address leads away from a secure connection; nothing was fetched.")
                    url = target
                    continue
                _raise_for_status(answer, self._limit)
                return url, await self._save_or_find_link(answer, to)
        raise PaperRejected("The address leads around in circles; nothing was fetched.")

    def _check_url(self, url: str) -> "URL":
        """The address as the client reads it, whose host is the one that is checked. Raises ``PaperRejected``."""
        from yarl import URL

        try:
            read = URL(url)
            host, port = read.raw_host or "", read.port
        except ValueError as error:
            raise _invalid_address_error() from error
        plain = read.scheme in ("http", "https") and bool(host) and read.raw_user is None
        if not plain or port not in self._ports:
            raise PaperRejected("Only plain web addresses can be fetched.")
        check_ip_literal(host, self._allowed)
        return read

    async def _wait_for(self, host: str) -> None:
        async with self._polite:
            since = self._now() - self._last_request.get(host, -_POLITE_SECONDS)
            if since < _POLITE_SECONDS and host.endswith("arxiv.org"):
                await self._pause(_POLITE_SECONDS - since)
            self._last_request[host] = self._now()

    @property
    def _limit(self) -> int:
        return int(self._limits.megabytes * 1_000_000)

    async def _save_or_find_link(self, answer: "ClientResponse", to: Path) -> str:
        """Write down a PDF; of a page about one, the address that it points to."""
        head = await answer.content.read(_PDF_WITHIN)
        while len(head) < _PDF_WITHIN and not answer.content.at_eof():
            head += await answer.content.read(_PDF_WITHIN - len(head))
        if b"%PDF" in head:
            await self._write_pdf(answer, head, to)
            return ""
        if not head:
            raise EmptyFile("The address gave an empty file.")
        start = head.lstrip().lower()
        if answer.content_type not in ("text/html", "application/xhtml+xml") and not start.startswith(b"<"):
            raise NotAPdf("What lies at that address is not a PDF.")
        page = head
        while len(page) < _PAGE and not answer.content.at_eof():
            page += await answer.content.read(_CHUNK)
        return await asyncio.to_thread(_find_pdf_link, page)

    async def _write_pdf(self, answer: "ClientResponse", head: bytes, to: Path) -> None:
        size, file = len(head), await asyncio.to_thread(to.open, "wb")
        try:
            await asyncio.to_thread(file.write, head)
            async for chunk in answer.content.iter_chunked(_CHUNK):
                size += len(chunk)
                if size > self._limit:
                    raise _too_large_error(self._limit)
                await asyncio.to_thread(file.write, chunk)
        except BaseException:
            await asyncio.to_thread(_close_and_delete, file, to)
            raise
        await asyncio.to_thread(file.close)


def _join_url(url: str, target: str) -> str:
    """Where ``target`` leads from ``url``. Raises ``PaperRejected`` where it is no address."""
    try:
        return urljoin(url, target)
    except ValueError as error:
        raise _invalid_address_error() from error


def _invalid_address_error() -> PaperRejected:
    return PaperRejected("That is no address; nothing was fetched.")


def _raise_for_status(answer: "ClientResponse", limit: int) -> None:
    if answer.status in (401, 402, 403, 404, 410, 451):
        raise PaperRejected("There is no open PDF at that address; please upload the paper here.")
    if answer.status in (429, 503):
        wait = answer.headers.get("Retry-After", "")
        raise RateLimited("The server asks to wait before more is fetched.", float(wait) if wait.isdigit() else 30.0)
    if answer.status >= 400:
        raise PlatformFailure(f"The server could not deliver the paper (status {answer.status}).")
    if (answer.content_length or 0) > limit:
        raise _too_large_error(limit)


def _too_large_error(limit: int) -> TooLarge:
    return TooLarge(f"The paper is larger than the {limit / 1e6:g} MB that may be fetched.")


def _find_pdf_link(page: bytes) -> str:
    finder = _PdfLinkParser()
    finder.feed(page.decode("utf-8", "replace"))
    if not finder.found:
        raise PaperRejected("That page names no open PDF; please upload the paper here.")
    return finder.found


def _close_and_delete(file: BinaryIO, to: Path) -> None:
    file.close()
    to.unlink(missing_ok=True)
