"""Fetches a file that a chat platform keeps: only from the platform's own hosts, never more than allowed.

It stands alone because its guards are the same everywhere: the token goes to no other host, redirects are
followed by hand, a sign-in page is told from a PDF, and what arrives is counted while it arrives.
"""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TypeAlias
from urllib.parse import urljoin, urlsplit

from adapters.common.retry import wait_of
from core.domain.errors import (
    EmptyFile,
    NotAPdf,
    PaperRejected,
    PlatformFailure,
    PlatformRefused,
    RateLimited,
    TooLarge,
)

if TYPE_CHECKING:
    from aiohttp import ClientResponse, ClientSession

_REDIRECTS = 5
_CHUNK = 256 * 1024
_SILENT_SECONDS = 30.0
_MAGIC_WITHIN = 1024  # readers accept a header that some bytes precede

Allowed: TypeAlias = Callable[[str], bool]
Looks: TypeAlias = Callable[[bytes, str, str], None]
"""Looks at a file's beginning, its content type and the platform's name; raises where it is not what it should be."""


def hosts(*names: str) -> Allowed:
    """Whether an address may be fetched: HTTPS at one of ``names`` or below it, HTTP on this machine alone."""

    def allowed(url: str) -> bool:
        try:
            parts = urlsplit(url)
            host = (parts.hostname or "").lower()
        except ValueError:
            return False
        if parts.scheme == "http" and host not in ("127.0.0.1", "::1", "localhost"):
            return False
        if parts.scheme not in ("https", "http") or parts.username or parts.password:
            return False
        return any(host == name or host.endswith(f".{name}") for name in names)

    return allowed


async def fetch_pdf(
    url: str, to: Path, *, limit: int, allowed: Allowed, platform: str, headers: Mapping[str, str] | None = None
) -> None:
    """Write the PDF at ``url`` to ``to``, at most ``limit`` bytes.

    ``headers`` go to allowed addresses only. Raises ``TooLarge``, ``NotAPdf``, ``EmptyFile``, ``PaperRejected``
    where it is gone, ``PlatformRefused`` where a sign-in page comes instead, ``RateLimited`` or ``PlatformFailure``.
    """
    await _fetched(url, to, _a_pdf, limit=limit, allowed=allowed, platform=platform, headers=headers)


async def fetch_text(
    url: str, to: Path, *, limit: int, allowed: Allowed, platform: str, headers: Mapping[str, str] | None = None
) -> None:
    """The same for a file that is text, such as a bibliography; what it holds is for its reader to say."""
    await _fetched(url, to, _a_text, limit=limit, allowed=allowed, platform=platform, headers=headers)


async def _fetched(
    url: str, to: Path, looks: Looks, *, limit: int, allowed: Allowed, platform: str, headers: Mapping[str, str] | None
) -> None:
    from aiohttp import ClientError, ClientSession, ClientTimeout

    timeout = ClientTimeout(total=None, sock_connect=_SILENT_SECONDS, sock_read=_SILENT_SECONDS)
    try:
        async with ClientSession(timeout=timeout, auto_decompress=True) as session:
            await _followed(session, url, to, looks, limit, allowed, platform, dict(headers or {}))
    except (ClientError, TimeoutError) as failure:
        raise PlatformFailure(f"The file could not be fetched from {platform} just now.") from failure


async def _followed(
    session: "ClientSession",
    url: str,
    to: Path,
    looks: Looks,
    limit: int,
    allowed: Allowed,
    platform: str,
    headers: Mapping[str, str],
) -> None:
    for _ in range(_REDIRECTS + 1):
        if not allowed(url):
            raise PaperRejected(f"The file does not lie at {platform} itself; please upload the PDF here.")
        async with session.get(url, headers=headers, allow_redirects=False) as answer:
            if answer.status in (301, 302, 303, 307, 308):
                url = urljoin(url, answer.headers.get("Location", ""))
                continue
            _check(answer, limit, platform)
            await _written(answer, to, looks, limit, platform)
            return
    raise PlatformFailure(f"{platform} sent the download around in circles.")


def _check(answer: "ClientResponse", limit: int, platform: str) -> None:
    if answer.status in (404, 410):
        raise PaperRejected(f"The file is no longer at {platform}.")
    if answer.status in (401, 403):
        raise PlatformRefused(f"{platform} does not let Footnote read this file; the app may lack the right to files.")
    if answer.status == 429:
        raise RateLimited(f"{platform} asks to wait before more files are fetched.", wait_of(answer.headers))
    if answer.status >= 400:
        raise PlatformFailure(f"{platform} could not deliver the file (status {answer.status}).")
    if (answer.content_length or 0) > limit:
        raise _too_large(limit)


async def _written(answer: "ClientResponse", to: Path, looks: Looks, limit: int, platform: str) -> None:
    head = b""
    size = 0
    file = await asyncio.to_thread(_opened, to)
    try:
        async for chunk in answer.content.iter_chunked(_CHUNK):
            size += len(chunk)
            if size > limit:
                raise _too_large(limit)
            if len(head) < _MAGIC_WITHIN:
                head += chunk[: _MAGIC_WITHIN - len(head)]
                if len(head) == _MAGIC_WITHIN:
                    looks(head, answer.content_type, platform)
            await asyncio.to_thread(_write, file, chunk)
        looks(head, answer.content_type, platform)
    except BaseException:
        await asyncio.to_thread(_dropped, file, to)
        raise
    await asyncio.to_thread(file.close)
    if answer.content_length is not None and "Content-Encoding" not in answer.headers and size < answer.content_length:
        raise PlatformFailure(f"{platform} broke off in the middle of the file.")


def _a_pdf(head: bytes, content_type: str, platform: str) -> None:
    if b"%PDF" in head:
        return
    _a_text(head, content_type, platform)
    raise NotAPdf("The file is not a PDF, whatever its name says.")


def _a_text(head: bytes, content_type: str, platform: str) -> None:
    if not head:
        raise EmptyFile("The file is empty.")
    start = head.lstrip().lower()
    if content_type == "text/html" or start.startswith((b"<!doctype html", b"<html")):
        raise PlatformRefused(
            f"{platform} sent its sign-in page instead of the file: the app lacks the right to read files, "
            "or its token is no longer valid. Whoever installed Footnote can mend that by installing it again."
        )


def _too_large(limit: int) -> TooLarge:
    return TooLarge(f"The file is larger than the {limit / 1e6:g} MB that this Footnote takes.")


def _opened(to: Path) -> BinaryIO:
    try:
        return to.open("wb")
    except OSError as failure:
        raise PlatformFailure("The file could not be written down; is the disk full?") from failure


def _write(file: BinaryIO, chunk: bytes) -> None:
    try:
        file.write(chunk)
    except OSError as failure:
        raise PlatformFailure("The file could not be written down; is the disk full?") from failure


def _dropped(file: BinaryIO, to: Path) -> None:
    file.close()
    to.unlink(missing_ok=True)
