"""Commands and buttons on answers and the threads they stand in: judge, search wider, share; list, continue, forget."""

from dataclasses import replace

from adapters.common.markdown import escape, table
from bot.commands.request import Action, Command, Request
from bot.replies import general
from bot.replies.plurals import pluralize
from core.domain.errors import NotInScope
from core.domain.model import Answer
from core.domain.records import ThreadNote
from core.domain.reply import Field, Form, Reply


async def judge_good(request: Request) -> Reply:
    """The reader found the answer right."""
    await _stored(request, request.words)
    await request.engine.threads.judge(request.thread, request.words, user=request.user, verdict="good")
    return _quiet("Thank you, noted.")


async def judge_wrong(request: Request) -> Reply:
    """The form behind "wrong" was sent: what the right answer or page is."""
    answer = await _stored(request, request.words)
    correction = " · ".join(part for part in (request.field("answer"), request.field("page")) if part)
    await request.engine.threads.judge(
        request.thread, request.words, user=request.user, verdict="wrong", words=correction
    )
    again = " It will be shown with later answers to this question." if correction else ""
    return _quiet(f"Thank you: noted that the answer to “{answer.question}” is wrong.{again}")


async def search_wider(request: Request) -> Reply:
    """Ask the same question of the same papers again, looking further."""
    asked = await _stored(request, request.words)
    private = await request.engine.records.is_private(request.thread, request.words)
    return await request.asks(
        asked.question, papers=asked.restricted_to, reach="wide", audience="asker" if private else "thread"
    )


async def show_more(request: Request) -> Reply:
    """Show what was quoted beside an answer and left folded."""
    answer = await _stored(request, request.words)
    return await general.fetch_papers_and_show_more(answer, request.engine.papers, request.scope)


async def share(request: Request) -> Reply:
    """Show the thread an answer that its asker has had alone."""
    answer = await _stored(request, request.words)
    await request.engine.records.publish(request.thread, request.words)
    return await general.fetch_papers_and_answer(answer, request.engine.papers, request.scope)


async def ask_starter(request: Request) -> Reply:
    """Ask a starter question of a paper; the value is the paper's id (its beginning) and the question's index."""
    id_, _, index = request.words.partition("/")
    paper = await request.paper_by_id(id_)
    starters = await request.engine.papers.starters(request.scope, paper.id)
    if not index.isdigit() or int(index) >= len(starters):
        raise NotInScope("That question is no longer offered; please write it instead.")
    asked = starters[int(index)]
    reply = await request.asks(asked, papers=frozenset({paper.id}), reach="usual", audience="thread")
    return replace(reply, body=f"> {escape(asked)}\n\n{reply.body}")


def wrong_form(trace_id: str) -> Form:
    """Asks what would have been right; both fields may stay empty."""
    return Form(
        name="wrong",
        title="What would be right?",
        value=trace_id,
        fields=(
            Field(name="answer", label="The right answer", kind="text", required=False),
            Field(name="page", label="Paper and page", hint="for example: Smith 2020, p. 4", required=False),
        ),
    )


async def _stored(request: Request, trace_id: str) -> Answer:
    answer = await request.engine.threads.answer(request.thread, trace_id)
    if answer is None:
        raise NotInScope("That answer is no longer stored; please ask again.")
    return answer


def _quiet(words: str) -> Reply:
    return replace(general.notice(words), audience="asker")


BUTTONS: dict[str, Action] = {
    "good": judge_good,
    "wider": search_wider,
    "more": show_more,
    "share": share,
    "ask": ask_starter,
}
FORMS: dict[str, Action] = {"wrong": judge_wrong}


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
