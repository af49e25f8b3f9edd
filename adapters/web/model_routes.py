"""The page's requests about the language model: what is set, what this machine offers, and connecting one."""

from collections.abc import Sequence

from aiohttp import web

from adapters.web.requests import answer, read_body
from core.domain.errors import ModelKeyRefused
from core.domain.model_setup import ModelSetup


class ModelRoutes:
    """Handlers; each answers with JSON. A key goes to ``setup`` and comes back in no answer."""

    def __init__(self, setup: ModelSetup) -> None:
        self._setup = setup

    def routes(self) -> Sequence[web.RouteDef]:
        """Where each is asked."""
        return (web.get("/api/model", self.look), web.post("/api/model", self.connect))

    async def look(self, request: web.Request) -> web.Response:
        """What is set now, and the servers of this machine."""
        return answer({"current": self._setup.current(), "servers": await self._setup.servers()})

    async def connect(self, request: web.Request) -> web.Response:
        """Try a model and write it into the settings: ``url``, ``model``, ``key``.

        Answers with ``lines`` that tell what came of it, or with ``key`` where one is wanted, which says so.
        """
        body = await read_body(request)
        try:
            lines = await self._setup.connect(
                body.text("url", most=500).strip(), body.text("model").strip(), body.text("key", most=500).strip()
            )
        except ModelKeyRefused as refused:
            return answer({"key": refused.words})
        return answer({"lines": list(lines)})
