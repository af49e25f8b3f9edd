"""What the buttons under an answer do: judge it, search wider, share it, ask a starter question."""

from dataclasses import replace

from adapters.common.markdown import escape
from bot.commands.request import Action, Command, Request
from bot.replies import general
from core.domain.errors import NotInScope
from core.domain.model import Answer
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


COMMANDS: dict[str, Command] = {}
BUTTONS: dict[str, Action] = {
    "good": judge_good,
    "wider": search_wider,
    "more": show_more,
    "share": share,
    "ask": ask_starter,
}
FORMS: dict[str, Action] = {"wrong": judge_wrong}
