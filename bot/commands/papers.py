"""Commands on the papers of a channel: list, show a page, tag, correct, forget."""

import re
from collections.abc import Sequence
from functools import partial

from bot.commands import answers
from bot.commands.request import Action, Command, Request
from bot.replies import general, records
from core.domain.channel_settings import ChannelSettings
from core.domain.errors import NotInScope
from core.domain.events import ButtonPressed
from core.domain.model import Channel, Paper, Scope
from core.domain.records import ReadingStatus
from core.domain.reply import Reply

_PAGE = re.compile(r"\bpage (\d{1,4})$", re.IGNORECASE)
_STATUSES: tuple[ReadingStatus, ...] = ("to read", "reading", "read")
_CORRECTION = re.compile(r"^(?P<paper>.+?)\s*[:,]\s*(?P<field>[a-zA-Z]+)\s*=\s*(?P<value>.*)$", re.DOTALL)


async def papers(request: Request) -> Reply:
    """The papers here, a page at a time, or those that some words, a tag or a status mean."""
    number, words = _page_and_words(request)
    found = await request.engine.records.list_papers(request.scope, words, page=number)
    return records.paper_list(found, user=request.user)


def _page_and_words(request: Request) -> tuple[int, str]:
    """A button brings ``PAGE/WORDS``; a command brings words, of which a last ``page 2`` is the page."""
    if isinstance(request.given, ButtonPressed):
        page, _, words = request.words.partition("/")
        return (int(page) if page.isdigit() else 1), words
    named = _PAGE.search(request.words)
    return (int(named[1]), request.words[: named.start()].strip()) if named else (1, request.words)


async def tag(request: Request) -> Reply:
    """Put tags on a paper in this channel."""
    paper, tags = await _paper_and_rest(request, "tag PAPER: TAG, TAG")
    for name in tags:
        await request.engine.records.tag(request.channel, request.scope, paper.id, name, user=request.user)
    return records.paper_notice(paper, f"is tagged {', '.join(tags)}.")


async def untag(request: Request) -> Reply:
    """Take tags off a paper in this channel."""
    paper, tags = await _paper_and_rest(request, "untag PAPER: TAG")
    untag_paper = partial(request.engine.records.untag, request.channel, request.scope, paper.id)
    gone = [name for name in tags if await untag_paper(name)]
    return records.paper_notice(paper, f"is no longer tagged {', '.join(gone)}." if gone else "has no such tag here.")


async def mark(request: Request) -> Reply:
    """Note how far somebody, or the whole channel, is with a paper."""
    paper, rest = await _paper_and_rest(request, "mark PAPER: to read, reading or read")
    words = " ".join(rest).lower()
    status = next((known for known in _STATUSES if words.removesuffix(" here") == known), None)
    if status is None:
        return general.notice(
            "Please write it as: mark PAPER: to read, reading or read; with here behind it for everybody."
        )
    user = "" if words.endswith(" here") else request.user
    await request.engine.records.read(request.channel, request.scope, paper.id, status, user=user)
    return records.paper_notice(paper, f"is marked: {status}{'' if user else ', for this channel'}.")


async def related(request: Request) -> Reply:
    """A paper among the others, or what cites what here."""
    if not request.words:
        return records.citations(await request.engine.records.citations(request.scope))
    paper = await request.backend.paper(request.scope, request.words)
    return records.related(await request.engine.records.related(request.scope, paper.id))


async def _paper_and_rest(request: Request, usage: str) -> tuple[Paper, list[str]]:
    """What stands before and behind the colon. Raises ``NotInScope`` where there is none."""
    words, colon, rest = request.words.rpartition(":")
    parts = [part.strip() for part in rest.split(",") if part.strip()]
    if not colon or not words.strip() or not parts:
        raise NotInScope(f"Please write it as: {usage}.")
    return await request.backend.paper(request.scope, words), parts


async def page(request: Request) -> Reply:
    """A page as a picture."""
    return general.page(*await request.backend.page_named(request.scope, request.words))


async def correct(request: Request) -> Reply:
    """A user's correction of what identifies a paper."""
    asked = _CORRECTION.match(request.words)
    if asked is None:
        return general.notice("Please write it as: correct PAPER: FIELD = VALUE, for example correct 2: year = 2019.")
    paper = await request.backend.paper(request.scope, asked["paper"])
    changes = {asked["field"]: asked["value"]}
    return general.correction(await request.engine.papers.correct(request.scope, paper.id, changes, user=request.user))


async def forget(request: Request) -> Reply:
    """Ask whether a paper is to be removed, where this person may; nothing is removed yet."""
    if request.words.casefold() in ("this thread", "thread", "this conversation"):
        return await answers.clear(request)
    if not request.words:
        return general.notice("Please say which paper: forget PAPER, by its number in the list or words of its title.")
    paper = await request.backend.paper(request.scope, request.words)
    channels = await removable_channels(request, paper)
    names = {
        user: await request.platform.name_of(request.channel.workspace, user)
        for user in dict.fromkeys(share.user for share in paper.shares)
    }
    return general.ask_to_forget(paper, names, channels=channels, here=request.channel.id)


async def forget_confirmed(request: Request) -> Reply:
    """Remove the paper of the pressed button from every channel where whoever pressed it may."""
    paper = await _paper_of_button(request)
    channels = await removable_channels(request, paper)
    scope = Scope(workspace=request.scope.workspace, channels=channels)
    gone = await request.engine.papers.forget(scope, [paper.id])
    left = {share.channel for share in paper.shares} - channels
    return general.removal(gone, [paper.title], left=len(left))


async def cancel_forget(request: Request) -> Reply:
    """Removing a paper was cancelled."""
    paper = await _paper_of_button(request)
    return records.paper_notice(paper, "stays; nothing was removed.")


async def _paper_of_button(request: Request) -> Paper:
    """The paper whose id begins with the button's value. Raises ``NotInScope``."""
    if len(request.words) < general.ID_IN_BUTTON:
        raise NotInScope("That paper is no longer here.")
    return await request.paper_by_id(request.words)


async def removable_channels(request: Request, paper: Paper) -> frozenset[str]:
    """The channels in this person's reach that they may remove the paper from.

    Each channel where the paper lies is asked, wherever the command was given. Raises ``NotInScope`` where there is
    none.
    """
    channels = sorted({share.channel for share in paper.shares} & request.scope.channels)
    allowed = [id_ for id_ in channels if await _may_remove(request, paper, id_)]
    if not allowed:
        who = await _removers(request, channels)
        raise NotInScope(f"“{paper.title}” can be removed by {who}; nothing was changed.")
    return frozenset(allowed)


async def _removers(request: Request, channels: Sequence[str]) -> str:
    """Who may remove a paper that lies in ``channels``, in words."""
    settings = [await _settings(request, id_) for id_ in channels]
    channel = "this channel" if channels == [request.channel.id] else "the channels where it lies"
    if any(item.removers == "sharer" for item in settings):
        return f"whoever shared it or a manager of {channel}"
    return f"a manager of {channel}"


async def _may_remove(request: Request, paper: Paper, id_: str) -> bool:
    """Whether this person may remove a paper from the channel ``id_``: by its settings, or as its manager."""
    removers = (await _settings(request, id_)).removers
    sharers = {share.user for share in paper.shares if share.channel == id_}
    if removers == "anyone" or (removers == "sharer" and sharers == {request.user}):
        return True
    channel = await request.platform.channel(request.channel.workspace, id_)
    return await request.platform.may_manage(channel, request.user)


async def _settings(request: Request, channel: str) -> ChannelSettings:
    return await request.engine.channels.settings(Channel(workspace=request.channel.workspace, id=channel))


COMMANDS = {
    "papers": Command(
        usage="papers WORDS", does="lists the papers here, or those of some words, #tag or status", run=papers
    ),
    "related": Command(
        usage="related PAPER",
        does="what it cites here, what cites it, what is near; alone: who cites whom",
        run=related,
        public=True,
        takes_paper=True,
    ),
    "tag": Command(
        usage="tag PAPER: TAGS",
        does="puts tags on a paper",
        run=tag,
        takes_paper=True,
        takes_text=True,
    ),
    "untag": Command(
        usage="untag PAPER: TAGS", does="takes tags off a paper", run=untag, takes_paper=True, takes_text=True
    ),
    "mark": Command(
        usage="mark PAPER: STATUS", does="to read, reading or read, for you; here: for all", run=mark, takes_paper=True
    ),
    "page": Command(
        usage="page PAPER NUMBER",
        does="shows a page as a picture",
        run=page,
        public=True,
        takes_paper=True,
        takes_text=True,
    ),
    "correct": Command(
        usage="correct PAPER: FIELD = VALUE",
        does="corrects title, authors, year, doi, arxiv, venue or language",
        run=correct,
        takes_paper=True,
        takes_text=True,
    ),
    "forget": Command(
        usage="forget PAPER",
        does="removes a paper and every word of it, after asking",
        run=forget,
        public=True,
        takes_paper=True,
        takes_text=True,
        who_may="sharer",
    ),
}
BUTTONS: dict[str, Action] = {"papers": papers, "forget": forget_confirmed, "keep": cancel_forget}
