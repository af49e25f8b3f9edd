"""The user guide as a page of its own: the same Markdown file that the repository has, drawn in the page's type."""

import asyncio
from pathlib import Path

from aiohttp import web

_HEAD = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width, initial-scale=1"><title>Guide · Footnote</title>'
    '<link rel="icon" href="/static/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="/static/page.css">'
    '<link rel="stylesheet" href="/static/css/guide.css"></head><body><main class="guide">'
)
_TAIL = '<p><a href="/">Back to the page</a></p></main></body></html>'


class UserGuide:
    """Serves ``file`` and the pictures beside it; where there is none (an installed copy) it says so."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def routes(self) -> tuple[web.RouteDef, ...]:
        """Where each is asked."""
        return (
            web.get("/guide", _redirect),
            web.get("/guide/", self.guide),
            web.get("/guide/pictures/{name}", self.picture),
        )

    async def guide(self, request: web.Request) -> web.Response:
        """The guide as HTML; what stands in it as HTML stays text."""
        text = await asyncio.to_thread(self._drawn)
        return web.Response(text=f"{_HEAD}{text}{_TAIL}", content_type="text/html")

    async def picture(self, request: web.Request) -> web.Response:
        """A picture that the guide shows."""
        folder = self._file.parent / "pictures"
        name = Path(request.match_info["name"]).name
        if not name.endswith(".png") or not await asyncio.to_thread((folder / name).is_file):
            raise web.HTTPNotFound
        return web.Response(body=await asyncio.to_thread((folder / name).read_bytes), content_type="image/png")

    def _drawn(self) -> str:
        from markdown_it import MarkdownIt  # loaded by whoever opens the guide, not by every start

        if not self._file.is_file():
            return "<h1>Guide</h1><p>The guide is in the folder docs of Footnote's source.</p>"
        html: str = (
            MarkdownIt("commonmark", {"html": False}).enable("table").render(self._file.read_text(encoding="utf-8"))
        )
        return html


async def _redirect(request: web.Request) -> web.Response:
    raise web.HTTPFound("/guide/")
