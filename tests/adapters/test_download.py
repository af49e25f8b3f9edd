"""The guarded download, against a server on this machine that misbehaves in every way that matters."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from adapters.common.download import allow_hosts, fetch_pdf, fetch_text
from core.domain.errors import (
    EmptyFile,
    NotAPdf,
    PaperRejected,
    PlatformFailure,
    PlatformRefused,
    RateLimited,
    TooLarge,
)

PDF = b"%PDF-1.7\n" + b"x" * 5_000
LIMIT = 10_000


async def _pdf(request: web.Request) -> web.Response:
    if request.headers.get("Authorization") != "Bearer t":
        return web.Response(text="<!DOCTYPE html><title>Sign in</title>", content_type="text/html")
    return web.Response(body=PDF, content_type="application/pdf")


async def _endless(request: web.Request) -> web.StreamResponse:
    answer = web.StreamResponse(headers={"Content-Type": "application/pdf"})
    await answer.prepare(request)
    await answer.write(b"%PDF-1.4")
    for _ in range(100):
        await answer.write(b"y" * 1_000)
    return answer


async def _broken(request: web.Request) -> web.StreamResponse:
    answer = web.StreamResponse(headers={"Content-Length": "9000"})
    await answer.prepare(request)
    await answer.write(PDF)
    assert request.transport is not None
    request.transport.close()
    return answer


@pytest.fixture
async def site() -> AsyncIterator[str]:
    app = web.Application()
    app.router.add_get("/paper.pdf", _pdf)
    app.router.add_get("/endless", _endless)
    app.router.add_get("/broken", _broken)
    app.router.add_get("/empty", always(body=b""))
    app.router.add_get("/word", always(body=b"PK\x03\x04 a document"))
    app.router.add_get("/gone", always(status=404))
    app.router.add_get("/closed", always(status=403))
    app.router.add_get("/busy", always(status=429, headers={"Retry-After": "7"}))
    app.router.add_get("/ill", always(status=503))
    app.router.add_get("/moved", always(status=302, headers={"Location": "/paper.pdf"}))
    app.router.add_get("/loop", always(status=302, headers={"Location": "/loop"}))
    away = {"Location": "http://localhost.example.org/steal"}
    app.router.add_get("/away", always(status=302, headers=away))
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


def always(**given: Any) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def answer(request: web.Request) -> web.Response:
        return web.Response(**given)

    return answer


async def fetch(url: str, to: Path, token: str = "t") -> None:
    await fetch_pdf(
        url,
        to,
        limit=LIMIT,
        allowed=allow_hosts("127.0.0.1"),
        platform="Slack",
        headers={"Authorization": f"Bearer {token}"},
    )


@pytest.mark.parametrize("path", ["/paper.pdf", "/moved"])
async def test_a_pdf_arrives_whole_and_redirects_within_the_platform_are_followed(
    site: str, tmp_path: Path, path: str
) -> None:
    await fetch(site + path, tmp_path / "a.pdf")

    assert (tmp_path / "a.pdf").read_bytes() == PDF


@pytest.mark.parametrize(
    ("path", "error", "said"),
    [
        ("/endless", TooLarge, "larger than the 0.01 MB"),
        ("/empty", EmptyFile, "empty"),
        ("/word", NotAPdf, "not a PDF"),
        ("/gone", PaperRejected, "no longer at Slack"),
        ("/closed", PlatformRefused, "the right to files"),
        ("/ill", PlatformFailure, "status 503"),
        ("/broken", PlatformFailure, "just now"),
        ("/loop", PlatformFailure, "in circles"),
        ("/away", PaperRejected, "does not lie at Slack"),
    ],
)
async def test_whatever_goes_wrong_is_said_and_leaves_no_file(
    site: str, tmp_path: Path, path: str, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        await fetch(site + path, tmp_path / "a.pdf")

    assert not (tmp_path / "a.pdf").exists()


async def test_a_sign_in_page_is_not_saved_as_a_pdf(site: str, tmp_path: Path) -> None:
    with pytest.raises(PlatformRefused, match="sign-in page"):
        await fetch(site + "/paper.pdf", tmp_path / "a.pdf", token="revoked")

    assert not (tmp_path / "a.pdf").exists()


async def test_a_text_arrives_as_it_is_and_a_sign_in_page_is_none(site: str, tmp_path: Path) -> None:
    allowed = allow_hosts("127.0.0.1")
    await fetch_text(f"{site}/word", tmp_path / "a.bib", limit=LIMIT, allowed=allowed, platform="Slack")
    with pytest.raises(PlatformRefused, match="sign-in page"):
        await fetch_text(f"{site}/paper.pdf", tmp_path / "b.bib", limit=LIMIT, allowed=allowed, platform="Slack")

    assert (tmp_path / "a.bib").read_bytes()
    assert not (tmp_path / "b.bib").exists()


async def test_asked_to_wait_it_says_for_how_long(site: str, tmp_path: Path) -> None:
    with pytest.raises(RateLimited) as told:
        await fetch(site + "/busy", tmp_path / "a.pdf")

    assert told.value.seconds == 7


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        ("https://files.slack.com/files-pri/T1-F1/a.pdf", True),
        ("https://slack.com/a.pdf", True),
        ("http://files.slack.com/a.pdf", False),
        ("https://files.slack.com.evil.org/a.pdf", False),
        ("https://evilslack.com/a.pdf", False),
        ("https://files.slack.com@evil.org/a.pdf", False),
        ("https://user:word@files.slack.com/a.pdf", False),
        ("file:///etc/passwd", False),
        ("https://[::1", False),
        ("", False),
    ],
)
def test_the_token_goes_to_the_platforms_own_hosts_alone(url: str, allowed: bool) -> None:
    assert allow_hosts("slack.com")(url) is allowed
