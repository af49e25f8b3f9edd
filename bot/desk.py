"""Immediate, read-only answers: what a platform or a command may ask without waiting in the row of jobs. Scoped."""

import re
from collections.abc import Sequence

from bot.assistant import Assistant
from core.domain.errors import NotInScope
from core.domain.model import Box, Channel, Paper, Scope

_PAGE = re.compile(r"^(?P<paper>.+?)[\s,]+(?:p\.?\s*|page\s+)?(?P<page>\d{1,5})$", re.IGNORECASE)


def scope_of(channel: Channel, visible: frozenset[str]) -> Scope:
    """What may be read from ``channel``: the open channels the person may see, and the channel itself."""
    return Scope(workspace=channel.workspace, channels=visible | {channel.id})


class Desk:
    """Answers from one engine; every question names its scope."""

    def __init__(self, engine: Assistant) -> None:
        self._engine = engine

    async def papers(self, scope: Scope) -> Sequence[Paper]:
        """Papers in scope, oldest first."""
        return await self._engine.papers(scope)

    async def paper(self, scope: Scope, words: str) -> Paper:
        """The one paper that ``words`` mean. Raises ``NotInScope`` in words that say what to do."""
        found = await self._engine.find(scope, words)
        if not found:
            raise NotInScope(f"No paper here goes by “{words}”; the command papers lists those there are.")
        if len(found) > 1:
            listed = await self._engine.papers(scope)
            titles = "; ".join(f"{listed.index(paper) + 1} {paper.title}" for paper in found[:5])
            raise NotInScope(f"“{words}” may mean several papers ({titles}); please give the number.")
        return found[0]

    async def page(self, scope: Scope, words: str, boxes: Sequence[Box] = ()) -> tuple[Paper, int, bytes]:
        """The page that ``words`` mean, such as ``3 p. 5`` (paper 3, page 5), as PNG. Raises ``NotInScope``."""
        found = _PAGE.match(words.strip())
        if found is None:
            raise NotInScope("Please name a paper and a page, for example: page 3 p. 5.")
        paper = await self.paper(scope, found["paper"])
        number = int(found["page"])
        if not 1 <= number <= paper.pages:
            raise NotInScope(f"“{paper.title}” has {paper.pages} pages; there is no page {number}.")
        return paper, number, await self._engine.page_image(scope, paper.id, page=number, boxes=boxes)
