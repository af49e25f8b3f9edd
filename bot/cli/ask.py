"""``ask``: one question, one cited answer."""

import click

from bot.cli import progress_bars
from bot.cli.common import Target, json_option, run_async, start, target_options, write_json
from bot.cli.open_library import open_for_writing
from bot.observability import new_trace
from bot.replies import general
from bot.settings import Settings
from core.domain.model import Answer, Citation, Evidence, Paper, Sentence, Thread


@click.command()
@click.argument("question")
@click.option("--thread", default="", help="Name of a conversation to go on with; without it each question is new.")
@target_options
@json_option
@click.pass_context
def ask(ctx: click.Context, question: str, thread: str, where: Target, as_json: bool) -> None:
    """Ask one question and get the answer with its footnotes.

    Exit code 0 whatever the outcome: "not found" is an answer too; --json has it under "outcome".
    """
    settings = start(ctx)
    thread = thread or f"cli-{new_trace()}"
    answer, papers = run_async(_ask(settings, where, question, thread))
    if as_json:
        write_json(answer_row(answer, papers))
        return
    from rich.console import Console

    from adapters.console.view import View

    View(Console()).reply(general.answer(answer, papers), streamed=False)
    if answer.outcome == "clarify":
        click.echo(f"To reply, name this conversation: footnote ask --thread {thread} 1", err=True)


async def _ask(settings: Settings, where: Target, question: str, thread: str) -> tuple[Answer, dict[str, Paper]]:
    from bot.wiring import clock
    from core.domain.request_context import RequestContext

    trace_id = new_trace()
    async with open_for_writing(settings, where) as tools:
        with progress_bars.single_bar("searching") as progress:
            request = RequestContext(
                scope=where.scope,
                thread=Thread(channel=where.channel, id=thread),
                user="cli",
                at=clock(),
                trace_id=trace_id,
                progress=progress,
            )
            answer = await tools.engine.questions.ask(question, request)
        cited = frozenset(citation.paper_id for citation in answer.citations) | frozenset(answer.candidates)
        papers = await tools.engine.papers.in_scope(where.scope.within(cited)) if cited else ()
    return answer, {paper.id: paper for paper in papers}


def answer_row(answer: Answer, papers: dict[str, Paper]) -> dict[str, object]:
    """An answer as JSON for programs; its keys are a contract."""
    return {
        "question": answer.question,
        "outcome": answer.outcome,
        "mode": answer.mode,
        "sentences": [_sentence(item) for item in answer.sentences],
        "more": [_sentence(item) for item in answer.more],
        "citations": [_citation(item, papers.get(item.paper_id)) for item in answer.citations],
        "message": answer.message,
        "nearest": [_near(item) for item in answer.nearest],
        "candidates": [papers[id_].title for id_ in answer.candidates if id_ in papers],
        "notes": list(answer.notes),
        "faithfulness": answer.faithfulness,
        "relevancy": answer.relevancy,
        "rounds": answer.rounds,
        "trace_id": answer.trace_id,
        "seconds": dict(answer.timings),
        "model": answer.model,
        "prompts": answer.prompts,
        "calls": answer.usage.calls,
        "tokens": answer.usage.prompt_tokens + answer.usage.reply_tokens,
        "cost": answer.cost,
    }


def _sentence(item: Sentence) -> dict[str, object]:
    return {"text": item.text, "markers": list(item.markers), "form": item.form}


def _citation(citation: Citation, paper: Paper | None) -> dict[str, object]:
    derivation = citation.derivation
    return {
        "marker": citation.marker,
        "paper_id": citation.paper_id,
        "title": paper.title if paper else "",
        "file": paper.file_name if paper else "",
        "section": list(citation.section),
        "label": citation.label,
        "spans": [{"page": span.page, "quote": span.quote} for span in citation.spans],
        "derivation": derivation and {"expression": derivation.expression, "result": derivation.result},
    }


def _near(near: Evidence) -> dict[str, object]:
    passage = near.passage
    return {
        "paper_id": near.paper.id,
        "title": near.paper.title,
        "file": near.paper.file_name,
        "page": passage.page,
        "section": list(passage.section),
        "kind": passage.kind,
        "text": passage.text,
        "score": round(near.score, 6),
    }
