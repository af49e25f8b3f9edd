"""Papers come from public addresses only, whatever names, redirects and pages say, and never more than allowed."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path

import pytest
from aiohttp import web

from core.domain.errors import EmptyFile, FootnoteError, NotAPdf, PaperRejected, PlatformFailure, RateLimited, TooLarge
from core.fetching import Fetcher, FetchTarget
from core.fetching.fetcher import FetchLimits
from core.fetching.public_addresses import NonPublicAddress, is_public

PDF = b"%PDF-1.7\n" + b"moss " * 2_000
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Site:
    """A server on loopback that many made-up hosts lead to; ``asked`` are hosts and paths in order."""

    def __init__(self) -> None:
        self.pages: dict[str, Handler] = {}
        self.asked: list[str] = []
        self.addresses: dict[str, list[Sequence[str]]] = {}
        self.port = 0

    async def serve(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(f"{request.host.partition(':')[0]}{request.path}")
        handler = self.pages.get(request.path)
        return await handler(request) if handler else web.Response(status=404)

    async def lookup(self, host: str) -> Sequence[str]:
        """The next addresses that a host gives; the last one for ever, loopback where nothing is said."""
        given = self.addresses.get(host, [["127.0.0.1"]])
        return given.pop(0) if len(given) > 1 else given[0]

    def wanted(self, path: str, host: str = "papers.example") -> FetchTarget:
        return FetchTarget(name="the paper", url=f"http://{host}:{self.port}{path}", file_name="paper.pdf")

    def gives(self, path: str, body: bytes, kind: str = "application/pdf", **more: object) -> None:
        async def handler(request: web.Request) -> web.StreamResponse:
            return web.Response(body=body, content_type=kind, **more)  # type: ignore[arg-type]

        self.pages[path] = handler

    def leads(self, path: str, to: str) -> None:
        async def handler(request: web.Request) -> web.StreamResponse:
            return web.Response(status=302, headers={"Location": to.replace("PORT", str(self.port))})

        self.pages[path] = handler


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    found = Site()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", found.serve)
    runner = web.AppRunner(app)
    await runner.setup()
    listening = web.TCPSite(runner, "127.0.0.1", 0)
    await listening.start()
    found.port = runner.addresses[0][1]
    yield found
    await runner.cleanup()


def loopback_is_public(address: str) -> bool:
    """For these tests 127.0.0.1 stands for the internet; everything else is judged as usual."""
    return address == "127.0.0.1" or is_public(address)


async def no_pause(seconds: float) -> None:
    return None


def fetcher(site: Site, **settings: float) -> Fetcher:
    limits = FetchLimits(**settings)  # type: ignore[arg-type]
    ports = frozenset({site.port})
    return Fetcher(limits=limits, lookup=site.lookup, allowed=loopback_is_public, ports=ports, pause=no_pause)


async def refused(site: Site, wanted: FetchTarget, to: Path, **settings: float) -> FootnoteError:
    with pytest.raises(FootnoteError) as caught:
        await fetcher(site, **settings).fetch(wanted, to)
    assert not await asyncio.to_thread(to.exists)
    assert caught.value.words.endswith(".") and "127" not in caught.value.words
    return caught.value


async def test_a_pdf_is_written_down(site: Site, tmp_path: Path) -> None:
    site.gives("/moss.pdf", PDF)
    await fetcher(site).fetch(site.wanted("/moss.pdf"), tmp_path / "a.pdf")
    assert (tmp_path / "a.pdf").read_bytes() == PDF


async def test_redirects_are_followed_and_the_page_of_a_paper_points_to_its_pdf(site: Site, tmp_path: Path) -> None:
    site.leads("/doi", "http://publisher.example:PORT/article")
    page = b'<!doctype html><html><head><meta name="citation_pdf_url" content="/files/moss.pdf"></head></html>'
    site.gives("/article", page, "text/html")
    site.gives("/files/moss.pdf", PDF)
    await fetcher(site).fetch(site.wanted("/doi"), tmp_path / "a.pdf")
    assert (tmp_path / "a.pdf").read_bytes() == PDF
    assert site.asked == ["papers.example/doi", "publisher.example/article", "publisher.example/files/moss.pdf"]


@pytest.mark.parametrize(
    "address",
    [
        "10.0.0.7",
        "192.168.1.1",
        "172.16.3.4",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "::1",
        "fd00::1",
        "fe80::1",
        "::ffff:10.0.0.1",
        "64:ff9b::a00:1",
        "2002:a00:1::",
    ],
)
async def test_nothing_behind_our_own_walls_is_asked(site: Site, tmp_path: Path, address: str) -> None:
    assert not is_public(address)
    site.gives("/moss.pdf", PDF)
    site.addresses["inside.example"] = [[address]]
    site.addresses["both.example"] = [["127.0.0.1", address]]
    for host in ("inside.example", "both.example"):
        assert isinstance(await refused(site, site.wanted("/moss.pdf", host), tmp_path / "a.pdf"), NonPublicAddress)
    literal = f"[{address}]" if ":" in address else address
    assert isinstance(await refused(site, site.wanted("/moss.pdf", literal), tmp_path / "a.pdf"), NonPublicAddress)
    assert site.asked == []


SPELLINGS_OF_A_PRIVATE_ADDRESS = [
    "\uff11\uff10.0.0.7",
    "10\u30020\u30020\u30027",
    "\u2469.0.0.7",
    "10.0.0.7.",
    "[fd00::\uff11]",
    "[::ffff:a00:7]",
    "[0:0:0:0:0:ffff:10.0.0.7]",
    "167772167",
    "10.7",
    "012.0.0.7",
    "0xa.7",
    "\uff10xa000007",
    "010.0.0.8",
]


@pytest.mark.parametrize("host", SPELLINGS_OF_A_PRIVATE_ADDRESS)
async def test_an_address_is_refused_however_it_is_spelled(site: Site, tmp_path: Path, host: str) -> None:
    site.leads("/there", f"http://{host}:PORT/moss.pdf")
    for wanted in (site.wanted("/moss.pdf", host), site.wanted("/there")):
        failure = await refused(site, wanted, tmp_path / "a.pdf")
        assert isinstance(failure, PaperRejected) and failure.words.endswith("nothing was fetched.")
    assert site.asked == ["papers.example/there"]


@pytest.mark.parametrize("address", ["192.88.99.1", "192.0.0.9", "fec0::1", "3fff::1", "::7f00:1"])
def test_addresses_of_special_purpose_are_not_public(address: str) -> None:
    assert not is_public(address)


async def test_an_address_is_checked_again_when_its_socket_is_opened(site: Site, tmp_path: Path) -> None:
    site.gives("/moss.pdf", PDF)
    answers = iter([True, False])

    def allowed_once(address: str) -> bool:
        return next(answers)

    changing = Fetcher(
        lookup=site.lookup,
        allowed=allowed_once,
        ports=frozenset({site.port}),
        pause=no_pause,
    )
    with pytest.raises(NonPublicAddress):
        await changing.fetch(site.wanted("/moss.pdf"), tmp_path / "a.pdf")
    assert site.asked == []


async def test_a_redirect_inside_is_not_followed(site: Site, tmp_path: Path) -> None:
    for at, to in enumerate(("http://inside.example:PORT/", "http://10.0.0.7:PORT/", "http://[::1]:PORT/")):
        site.addresses["inside.example"] = [["10.0.0.8"]]
        site.leads(f"/{at}", to)
        assert isinstance(await refused(site, site.wanted(f"/{at}"), tmp_path / "a.pdf"), NonPublicAddress)
    assert site.asked == [f"papers.example/{at}" for at in range(3)]


async def test_a_name_that_changes_its_address_is_checked_at_every_connection(site: Site, tmp_path: Path) -> None:
    site.leads("/first", "http://rebinding.example:PORT/second")
    site.gives("/second", PDF)
    site.addresses["rebinding.example"] = [["127.0.0.1"], ["10.0.0.7"]]
    site.leads("/start", "http://rebinding.example:PORT/first")
    assert isinstance(await refused(site, site.wanted("/start"), tmp_path / "a.pdf"), NonPublicAddress)
    assert "rebinding.example/second" not in site.asked


@pytest.mark.parametrize(
    "url", ["ftp://papers.example/a", "file:///etc/passwd", "http://u:p@papers.example/", "http://"]
)
async def test_only_plain_web_addresses_are_fetched(site: Site, tmp_path: Path, url: str) -> None:
    assert isinstance(
        await refused(site, FetchTarget(name="it", url=url, file_name="a.pdf"), tmp_path / "a.pdf"), PaperRejected
    )


async def test_other_ports_are_not_asked(site: Site, tmp_path: Path) -> None:
    wanted = FetchTarget(name="it", url="http://papers.example:22/", file_name="a.pdf")
    assert isinstance(await refused(site, wanted, tmp_path / "a.pdf"), PaperRejected)


async def test_what_is_too_large_is_stopped_with_and_without_a_length(site: Site, tmp_path: Path) -> None:
    site.gives("/told.pdf", PDF)

    async def endless(request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse()
        await answer.prepare(request)
        for _ in range(200):
            await answer.write(PDF)
        return answer

    site.pages["/endless.pdf"] = endless
    for path in ("/told.pdf", "/endless.pdf"):
        assert isinstance(await refused(site, site.wanted(path), tmp_path / "a.pdf", megabytes=0.005), TooLarge)


async def test_other_things_are_refused_in_one_sentence(site: Site, tmp_path: Path) -> None:
    site.gives("/empty", b"")
    site.gives("/text", b"plain words " * 200, "text/plain")
    site.gives("/closed", b"<html><body>Buy this article</body></html>", "text/html")
    site.gives("/gone", b"x", status=404)
    site.gives("/paywall", b"x", status=403)
    site.gives("/busy", b"x", status=429, headers={"Retry-After": "7"})
    site.gives("/broken", b"x", status=500)
    site.leads("/round", "/round")
    kinds = {
        "/empty": EmptyFile,
        "/text": NotAPdf,
        "/closed": PaperRejected,
        "/gone": PaperRejected,
        "/paywall": PaperRejected,
        "/busy": RateLimited,
        "/broken": PlatformFailure,
        "/round": PaperRejected,
    }
    for path, kind in kinds.items():
        assert isinstance(await refused(site, site.wanted(path), tmp_path / "a.pdf"), kind), path


async def test_a_host_that_is_not_known_or_silent_is_a_failure_to_try_again(site: Site, tmp_path: Path) -> None:
    site.addresses["nowhere.example"] = [[]]
    assert isinstance(await refused(site, site.wanted("/", "nowhere.example"), tmp_path / "a.pdf"), PlatformFailure)

    ended = asyncio.Event()

    async def silent(request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse()
        await answer.prepare(request)
        await answer.write(PDF)
        await ended.wait()
        return answer

    site.pages["/silent"] = silent
    failure = await refused(site, site.wanted("/silent"), tmp_path / "a.pdf", silent_seconds=0.2)
    ended.set()
    assert isinstance(failure, PlatformFailure) and failure.retry


async def test_arxiv_is_asked_politely(site: Site, tmp_path: Path) -> None:
    site.gives("/pdf/1", PDF)
    paused: list[float] = []

    async def pause(seconds: float) -> None:
        paused.append(seconds)

    polite = Fetcher(
        lookup=site.lookup,
        allowed=loopback_is_public,
        ports=frozenset({site.port}),
        pause=pause,
        now=lambda: 100.0,
    )
    for _ in range(2):
        await polite.fetch(site.wanted("/pdf/1", "arxiv.org"), tmp_path / "a.pdf")
    await polite.fetch(site.wanted("/pdf/1"), tmp_path / "a.pdf")
    assert paused == [3.0]
