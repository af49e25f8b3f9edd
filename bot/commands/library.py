"""Commands on the papers of a place: list, look at a page, correct, forget."""

import re

from bot import replies
from bot.commands.request import Action, Command, Request
from core.domain.errors import NotInScope
from core.domain.model import Paper
from core.domain.reply import Reply

_CORRECTION = re.compile(r"^(?P<paper>.+?)\s*[:,]\s*(?P<field>[a-zA-Z]+)\s*=\s*(?P<value>.*)$", re.DOTALL)


async def papers(request: Request) -> Reply:
    """The papers of this place."""
    return replies.papers(await request.engine.papers(request.scope))


async def page(request: Request) -> Reply:
    """A page as a picture."""
    return replies.page(*await request.desk.page_named(request.scope, request.words))


async def correct(request: Request) -> Reply:
    """A user's correction of what identifies a paper."""
    asked = _CORRECTION.match(request.words)
    if asked is None:
        return replies.say("Please write it as: correct PAPER: FIELD = VALUE, for example correct 2: year = 2019.")
    paper = await request.desk.paper(request.scope, asked["paper"])
    changes = {asked["field"]: asked["value"]}
    return replies.corrected(await request.engine.correct(request.scope, paper.id, changes, user=request.user))


async def forget(request: Request) -> Reply:
    """Remove a paper, where this person may."""
    if not request.words:
        return replies.say("Please say which paper: forget PAPER, by its number in the list or words of its title.")
    paper = await request.desk.paper(request.scope, request.words)
    await _check_may_remove(request, paper)
    gone = await request.engine.forget(request.scope, [paper.id])
    return replies.forgotten(gone, [paper.title])


async def _check_may_remove(request: Request, paper: Paper) -> None:
    """Raises ``NotInScope`` where the channel's settings leave removing to others."""
    removers = (await request.engine.channels.settings(request.channel)).removers
    if removers == "anyone" or await request.platform.may_manage(request.channel, request.user):
        return
    here = [share for share in paper.shares if share.channel in request.scope.channels]
    if removers == "sharer" and all(share.user == request.user for share in here):
        return
    who = "whoever shared it or a manager of this channel" if removers == "sharer" else "a manager of this channel"
    raise NotInScope(f"“{paper.title}” can be removed by {who}; nothing was changed.")


COMMANDS = {
    "papers": Command(usage="papers", does="lists the papers of this place", run=papers),
    "page": Command(usage="page PAPER NUMBER", does="shows a page as a picture", run=page),
    "correct": Command(
        usage="correct PAPER: FIELD = VALUE",
        does="corrects title, authors, year, doi, arxiv, venue or language",
        run=correct,
    ),
    "forget": Command(usage="forget PAPER", does="removes a paper and every word of it", run=forget),
}
BUTTONS: dict[str, Action] = {}
FORMS: dict[str, Action] = {}
