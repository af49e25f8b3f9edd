"""Commands on threads: list those of a channel, continue one, forget this one, rate the support of an answer."""

from adapters.common.markdown import escape, table
from bot.commands.request import Action, Command, Request
from bot.replies import general
from bot.replies.plurals import pluralize
from core.domain.errors import NotInScope
from core.domain.reply import Reply
from core.domain.thread_summaries import ThreadNote

_OPENING = 90


async def threads(request: Request) -> Reply:
    """The channel's conversations, the one used last first."""
    listed = await request.engine.threads.listed(request.channel)
    if not listed:
        return general.notice("Nothing was asked in this channel yet.")
    rows = [
        [str(number), _short(note.opening), str(note.questions), f"{note.last_at:%Y-%m-%d}", await _link(request, note)]
        for number, note in enumerate(listed, 1)
    ]
    body = table(["#", "First question", "Questions", "Last", ""], rows)
    hint = escape("To go on with one here: reopen NUMBER. To have this one forgotten: forget this thread.")
    papers = frozenset(paper for note in listed for paper in note.papers)
    return Reply(kind="status", body=f"{body}\n\n{hint}", papers=papers)


async def reopen(request: Request) -> Reply:
    """Go on here with what was said in another thread of this channel."""
    listed = await request.engine.threads.listed(request.channel)
    number = int(request.words) if request.words.isdigit() else 0
    if not 1 <= number <= len(listed):
        raise NotInScope("Please write it as: reopen NUMBER, with a number of the list that threads gives.")
    note = listed[number - 1]
    turns = await request.engine.threads.reopen(note.thread, request.thread)
    if not turns:
        return general.notice("That is this conversation already.")
    return general.notice(
        f"I remember here what was said there ({pluralize(turns, 'turn')}), beginning with “{_short(note.opening)}”."
    )


async def clear(request: Request) -> Reply:
    """Forget what was asked and answered in this thread, where this person may."""
    removers = (await request.engine.channels.settings(request.channel)).removers
    if removers == "managers" and not await request.platform.may_manage(request.channel, request.user):
        raise NotInScope("A manager of this channel can do this; nothing was forgotten.")
    turns = await request.engine.threads.forget(request.thread)
    if not turns:
        return general.notice("Nothing was asked in this thread yet.")
    return general.notice(
        f"Forgotten: what was asked and answered in this thread ({pluralize(turns, 'turn')}). The papers stay."
    )


async def trust(request: Request) -> Reply:
    """How well the last answer of this thread is supported, and how relevant it is."""
    trusted = await request.engine.threads.trust(request.thread)
    return general.notice(trusted or "There is no answer in this thread whose footnotes could be measured.")


async def _link(request: Request, note: ThreadNote) -> str:
    link = await request.platform.link(note.thread)
    return f"[open]({link})" if link else ""


def _short(text: str) -> str:
    words = " ".join(text.split()) or "(forgotten)"
    return words if len(words) <= _OPENING else words[:_OPENING].rsplit(" ", 1)[0] + " …"


COMMANDS = {
    "threads": Command(usage="threads", does="lists what was asked in this channel", run=threads),
    "reopen": Command(usage="reopen NUMBER", does="goes on here with another conversation of this channel", run=reopen),
    "clear": Command(usage="clear", does="forgets what was asked and answered in this thread", run=clear),
    "trust": Command(usage="trust", does="says how well the last answer is borne out", run=trust),
}
BUTTONS: dict[str, Action] = {}
FORMS: dict[str, Action] = {}
