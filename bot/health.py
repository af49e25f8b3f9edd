"""/healthz and /metrics for whoever watches the process: a few lines of HTTP on this machine only.

It answers from the job file and the clock, so that a busy model never makes a healthy bot look dead.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager

from core.domain.errors import FootnoteError, SettingsInvalid

HOST = "127.0.0.1"
_SECONDS = 5.0
_LONGEST = 8_192


class Health:
    """Answers two paths; ``counts`` gives the jobs by state, ``uptime`` the seconds since start."""

    def __init__(self, counts: Callable[[], Awaitable[Mapping[str, int]]], uptime: Callable[[], float]) -> None:
        self._counts = counts
        self._uptime = uptime

    @asynccontextmanager
    async def serving(self, port: int) -> AsyncIterator[int]:
        """Listen on ``port`` of this machine (0: any free one) while the block runs; yields the port.

        Raises ``SettingsInvalid`` where somebody else has it.
        """
        try:
            server = await asyncio.start_server(self._answer, HOST, port, limit=_LONGEST)
        except OSError as error:
            words = f"FOOTNOTE_HEALTH_PORT: port {port} is taken or may not be used; choose another, or 0 for none."
            raise SettingsInvalid(words) from error
        async with server:
            yield server.sockets[0].getsockname()[1]

    async def page(self, path: str) -> tuple[int, str]:
        """Status and text of a path."""
        if path not in ("/healthz", "/metrics"):
            return 404, "not found\n"
        try:
            counts = await self._counts()
        except FootnoteError:
            return 503, "the file of waiting work cannot be read\n"
        if path == "/healthz":
            return 200, "ok\n"
        lines = ["# HELP footnote_jobs Pieces of work by state.", "# TYPE footnote_jobs gauge"]
        lines += [f'footnote_jobs{{state="{state}"}} {number}' for state, number in sorted(counts.items())]
        lines += ["# HELP footnote_uptime_seconds Seconds since start.", "# TYPE footnote_uptime_seconds gauge"]
        lines.append(f"footnote_uptime_seconds {self._uptime():.1f}")
        return 200, "\n".join(lines) + "\n"

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(_SECONDS):
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                method, _, rest = head.partition(" ")
                path = rest.partition(" ")[0].partition("?")[0]
                status, text = await self.page(path) if method in ("GET", "HEAD") else (405, "only GET\n")
                writer.write(_response(status, "" if method == "HEAD" else text))
                await writer.drain()
        except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            return  # the client went away or never sent a whole request
        finally:
            writer.close()


def _response(status: int, text: str) -> bytes:
    reason = {200: "OK", 404: "Not Found", 405: "Method Not Allowed", 503: "Service Unavailable"}[status]
    body = text.encode()
    head = f"HTTP/1.1 {status} {reason}\r\nContent-Type: text/plain; charset=utf-8\r\n"
    return f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body
