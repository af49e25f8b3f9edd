"""Fetches a file that a chat platform keeps: only from the platform's own hosts, never more than allowed.

It stands alone because its guards are the same everywhere: the token goes to no other host, redirects are
followed by hand, a sign-in page is told from a PDF, and what arrives is counted while it arrives.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urljoin, urlsplit

from adapters.common.retry import retry_after
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
Check: TypeAlias = Callable[[bytes, str, str], None]
"""Takes a file's beginning, its content type and the platform's name; raises where it is not what it should be."""


def allow_hosts(*names: str) -> Allowed:
    """Whether an address may be fetched: HTTPS at one of ``names`` or below it, HTTP on this machine alone."""
    below = tuple(f".{name}" for name in names)

    def allowed(url: str) -> bool:
        try:
            parts = urlsplit(url)
            host = (parts.hostname or "").lower()
        except ValueError:
            return False
        is_local = host in ("127.0.0.1", "::1", "localhost")
        is_safe = parts.scheme == "https" or (parts.scheme == "http" and is_local)
        has_login = bool(parts.username or parts.password)
        is_known = host in names or host.endswith(below)
        return is_safe and is_known and not has_login

    return allowed


async def fetch_pdf(
    url: str, to: Path, *, limit: int, allowed: Allowed, platform: str, headers: Mapping[str, str] | None = None
) -> None:
    """Write the PDF at ``url`` to ``to``, at most ``limit`` bytes.

    ``headers`` go to allowed addresses only. Raises ``TooLarge``, ``NotAPdf``, ``EmptyFile``, ``PaperRejected``
    where it is gone, ``PlatformRefused`` where a sign-in page comes instead, ``RateLimited`` or ``PlatformFailure``.
    """
    await _fetch(url, to, _check_pdf, limit=limit, allowed=allowed, platform=platform, headers=headers)


async def fetch_text(
    url: str, to: Path, *, limit: int, allowed: Allowed, platform: str, headers: Mapping[str, str] | None = None
) -> None:
    """The same for a file that is text, such as a bibliography; what it holds is for its reader to say."""
    await _fetch(url, to, _check_text, limit=limit, allowed=allowed, platform=platform, headers=headers)


async def _fetch(
    url: str, to: Path, check: Check, *, limit: int, allowed: Allowed, platform: str, headers: Mapping[str, str] | None
) -> None:
    from aiohttp import ClientError, ClientSession, ClientTimeout

    timeout = ClientTimeout(total=None, sock_connect=_SILENT_SECONDS, sock_read=_SILENT_SECONDS)
    try:
        async with ClientSession(timeout=timeout, auto_decompress=True) as session:
            await _follow(session, url, to, check, limit, allowed, platform, dict(headers or {}))
    except (ClientError, TimeoutError) as failure:
        raise PlatformFailure(f"The file could not be fetched from {platform} just now.") from failure


async def _follow(
    session: "ClientSession",
    url: str,
    to: Path,
    check: Check,
    limit: int,
    allowed: Allowed,
    platform: str,
    headers: Mapping[str, str],
) -> None:
    for _ in range(_REDIRECTS + 1):
        if not allowed(url):
            raise PaperRejected(f"The file does not lie at {platform} itself; please upload the PDF here.")
        async with session.get(url, headers=headers, allow_redirects=False) as response:
            if response.status in (301, 302, 303, 307, 308):
                url = urljoin(url, response.headers.get("Location", ""))
                continue
            _check_status(response, limit, platform)
            await _write_body(response, to, check, limit, platform)
            return
    raise PlatformFailure(f"{platform} sent the download around in circles.")


def _check_status(response: "ClientResponse", limit: int, platform: str) -> None:
    if (response.content_length or 0) > limit and response.status < 400:
        raise _too_large(limit)
    match response.status:
        case 404 | 410:
            raise PaperRejected(f"The file is no longer at {platform}.")
        case 401 | 403:
            raise PlatformRefused(
                f"{platform} does not let Footnote read this file; the app may lack the right to files."
            )
        case 429:
            raise RateLimited(f"{platform} asks to wait before more files are fetched.", retry_after(response.headers))
        case status if status >= 400:
            raise PlatformFailure(f"{platform} could not deliver the file (status {status}).")


async def _write_body(response: "ClientResponse", to: Path, check: Check, limit: int, platform: str) -> None:
    chunks = response.content.iter_chunked(_CHUNK)
    size = await write_checked(
        chunks, to, lambda head: check(head, response.content_type, platform), limit=limit, too_large=_too_large(limit)
    )
    if "Content-Encoding" not in response.headers and size < (response.content_length or 0):
        raise PlatformFailure(f"{platform} broke off in the middle of the file.")


async def write_checked(
    chunks: AsyncIterator[bytes], to: Path, check: Callable[[bytes], None], *, limit: int, too_large: TooLarge
) -> int:
    """Write chunks to a file as they come and return their size; ``check`` is shown the file's beginning.

    Raises what it raises, ``too_large`` beyond ``limit`` bytes, and ``PlatformFailure`` where the disk refuses;
    nothing is kept then.
    """
    head, size = b"", 0
    with _disk_errors():
        file = await asyncio.to_thread(to.open, "wb")
    try:
        with file:
            async for chunk in chunks:
                size += len(chunk)
                if size > limit:
                    raise too_large
                if len(head) < _MAGIC_WITHIN:
                    head += chunk[: _MAGIC_WITHIN - len(head)]
                    if len(head) == _MAGIC_WITHIN:
                        check(head)
                with _disk_errors():
                    await asyncio.to_thread(file.write, chunk)
        check(head)
    except BaseException:
        await asyncio.to_thread(to.unlink, missing_ok=True)
        raise
    return size


@contextmanager
def _disk_errors() -> Iterator[None]:
    """The disk's errors in words; those of the wire are told apart by not being raised in the block."""
    try:
        yield
    except OSError as failure:
        raise PlatformFailure("The file could not be kept; is the disk full?") from failure


def _check_pdf(head: bytes, content_type: str, platform: str) -> None:
    if b"%PDF" not in head:
        _check_text(head, content_type, platform)
        raise NotAPdf("The file is not a PDF, whatever its name says.")


def _check_text(head: bytes, content_type: str, platform: str) -> None:
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
