import asyncio
import os
from collections.abc import Mapping

import pytest

from bot.health import HOST, Health
from core.domain.errors import LibraryFailure, SettingsInvalid


async def counts() -> Mapping[str, int]:
    return {"waiting": 2, "running": 0}


async def broken() -> Mapping[str, int]:
    raise LibraryFailure("the disk is full")


async def asked(port: int, request: bytes) -> bytes:
    reader, writer = await asyncio.open_connection(HOST, port)
    writer.write(request)
    await writer.drain()
    got = await reader.read()
    writer.close()
    return got


async def test_health_and_metrics_are_served_on_this_machine() -> None:
    async with Health(counts, lambda: 1.5).serving(0) as port:
        assert (await asked(port, b"GET /healthz HTTP/1.1\r\n\r\n")).endswith(b"\r\n\r\nok\n")
        metrics = await asked(port, b"GET /metrics?x=1 HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b'footnote_jobs{state="waiting"} 2\n' in metrics and b"footnote_uptime_seconds 1.5\n" in metrics
        assert b" 404 " in await asked(port, b"GET / HTTP/1.1\r\n\r\n")
        assert b" 405 " in await asked(port, b"POST /healthz HTTP/1.1\r\n\r\n")


async def test_a_job_file_that_cannot_be_read_is_not_healthy() -> None:
    assert (await Health(broken, lambda: 0.0).page("/healthz"))[0] == 503


async def test_a_port_that_is_taken_is_one_clear_sentence() -> None:
    async with Health(counts, lambda: 0.0).serving(0) as port:
        with pytest.raises(SettingsInvalid, match=f"^FOOTNOTE_HEALTH_PORT: port {port} is taken"):
            async with Health(counts, lambda: 0.0).serving(port):
                pass


async def test_nonsense_harms_nobody() -> None:
    async with Health(counts, lambda: 0.0).serving(0) as port:
        assert await asked(port, os.urandom(20_000)) == b""
        assert b"ok\n" in await asked(port, b"GET /healthz HTTP/1.1\r\n\r\n")
