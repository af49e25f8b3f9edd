"""Immediate answers that a platform or a command needs without a job of its own. Every one is limited to a scope."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from bot.replies.plurals import pluralize
from core.domain.channel_settings import ChannelSettings
from core.domain.errors import NotInScope
from core.domain.events import QuestionAsked
from core.domain.model import Box, Channel, Paper, Passage, PassageKind, Scope, Workspace
from core.domain.records import number_papers

if TYPE_CHECKING:
    from core.services.engine import Engine

_PAGE = re.compile(r"^(?P<paper>.+?)[\s,]+(?:p\.?\s*|page\s+)?(?P<page>\d{1,5})$", re.IGNORECASE)


def scope_of(channel: Channel, visible: frozenset[str]) -> Scope:
    """What may be read from ``channel``: the open channels the person may see, and the channel itself."""
    return Scope(workspace=channel.workspace, channels=visible | {channel.id})


class Counts(Protocol):
    """The job store, as far as the backend needs it."""

    async def waiting(self, workspace: Workspace, channels: frozenset[str]) -> Mapping[str, int]:
        """Jobs of these channels of a workspace that are not done yet, by lane."""

    async def unread(self, channel: Channel) -> int:
        """How many papers that were dropped into a channel are still to be read."""


class _NoJobs:
    """Counts of a process without a job file: nothing waits."""

    async def waiting(self, workspace: Workspace, channels: frozenset[str]) -> Mapping[str, int]:
        """None of any lane."""
        return {}

    async def unread(self, channel: Channel) -> int:
        """None."""
        return 0


NO_JOBS = _NoJobs()


class ReadBackend:
    """Immediate answers from one engine; every one is limited to a scope."""

    def __init__(self, engine: "Engine", store: Counts) -> None:
        self._engine = engine
        self._store = store

    async def papers(self, scope: Scope, *, words: str = "", limit: int = 25) -> Sequence[Paper]:
        """At most ``limit`` papers in scope, newest first, or those that ``words`` may mean, likeliest first."""
        if words.strip():
            return list(await self._engine.papers.find(scope, words))[:limit]
        return list(reversed(await self._engine.papers.in_scope(scope)))[:limit]

    async def paper(self, scope: Scope, words: str) -> Paper:
        """The one paper that ``words`` mean. Raises ``NotInScope`` in words that say what to do."""
        found = await self._engine.papers.find(scope, words)
        if not found:
            raise NotInScope(f"No paper here goes by “{words}”; the command papers lists those there are.")
        if len(found) > 1:
            numbers = number_papers(await self._engine.papers.in_scope(scope))
            titles = "; ".join(f"{numbers[paper.id]} {paper.title}" for paper in found[:5])
            raise NotInScope(f"“{words}” may mean several papers ({titles}); please give the number.")
        return found[0]

    async def page_named(self, scope: Scope, words: str) -> tuple[Paper, int, bytes]:
        """The page that ``words`` mean, such as ``3 p. 5`` (paper 3, page 5), as PNG. Raises ``NotInScope``."""
        found = _PAGE.match(words.strip())
        if found is None:
            raise NotInScope("Please name a paper and a page, for example: page 3 p. 5.")
        paper = await self.paper(scope, found["paper"])
        number = int(found["page"])
        if not 1 <= number <= paper.pages:
            raise NotInScope(f"“{paper.title}” has {pluralize(paper.pages, 'page')}; there is no page {number}.")
        return paper, number, await self.page(scope, paper.id, number)

    async def page(self, scope: Scope, paper_id: str, page: int, boxes: Sequence[Box] = ()) -> bytes:
        """PNG of a page with boxes marked. Raises ``NotInScope``."""
        return await self._engine.papers.page_image(scope, paper_id, page=page, boxes=boxes)

    async def found(self, scope: Scope, paper_id: str) -> Mapping[str, int]:
        """What was found in a paper: sections, tables, figures, formulas and passages. Raises ``NotInScope``."""
        return _count_findings(await self._engine.papers.passages(scope, paper_id))

    async def settings(self, channel: Channel) -> ChannelSettings:
        """What a channel has set for itself."""
        return await self._engine.channels.settings(channel)

    async def addressed(self, event: QuestionAsked) -> QuestionAsked:
        """A question with whom its answer goes to: the asker alone where the channel wants that first."""
        if event.audience == "asker" or not (await self.settings(event.thread.channel)).private_first:
            return event
        return replace(event, audience="asker")

    async def unread(self, channel: Channel) -> str:
        """That papers of a channel are still to be read, in words; empty where none are."""
        count = await self._store.unread(channel)
        papers = f"{pluralize(count, 'paper')} of this channel {'is' if count == 1 else 'are'}"
        return f"{papers} still being read; ask again then" if count else ""

    async def waiting(self, scope: Scope, *, besides: str = "") -> str:
        """What is still being read or answered in the channels of ``scope``, in words; empty where nothing is.

        ``besides`` is the lane of the job that asks, which does not count itself.
        """
        counts = await self._store.waiting(scope.workspace, scope.channels)
        left = {lane: number - (lane == besides) for lane, number in sorted(counts.items())}
        parts = [pluralize(number, lane.removesuffix("s")) for lane, number in left.items() if number > 0]
        return f"Still to do: {', '.join(parts)}." if parts else ""


def _count_findings(passages: Sequence[Passage]) -> Mapping[str, int]:
    """How many of each kind; what the paper itself numbers counts once, however many passages it takes."""
    sections = {passage.section for passage in passages}
    captions = {passage.label or "" for passage in passages if passage.kind == "caption"}
    figure_captions = [label for label in captions if label.lower().startswith("fig")]
    return {
        "sections": len(sections - {()}),
        "tables": _count_kind(passages, "table"),
        "figures": max(_count_kind(passages, "figure"), len(figure_captions)),
        "formulas": _count_kind(passages, "formula"),
        "passages": len(passages),
    }


def _count_kind(passages: Sequence[Passage], kind: PassageKind) -> int:
    """By label; those of a paper that numbers none of them count one by one."""
    labels = [passage.label for passage in passages if passage.kind == kind]
    return len({label for label in labels if label}) or len(labels)
