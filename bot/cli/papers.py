"""``papers``, ``forget``, ``export`` and ``reindex``: the list of papers and its upkeep."""

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

import click

from bot.cli import progress_bars
from bot.cli.app import USAGE
from bot.cli.common import Target, json_option, paper_row, run_async, start, target_options, write_json
from bot.cli.open_library import open_for_reading, open_for_writing
from bot.cli.options import NamedPath
from bot.replies import general, records
from bot.replies.plurals import pluralize
from bot.settings import Settings
from core.domain.citation_format import byline
from core.domain.errors import NotACorrection
from core.domain.model import Forgotten, Paper
from core.domain.records import PaperList
from core.domain.reply import Reply


@click.command()
@click.argument("words", nargs=-1)
@target_options
@json_option
@click.pass_context
def papers(ctx: click.Context, words: tuple[str, ...], where: Target, as_json: bool) -> None:
    """List the papers of the channels named, or those of WORDS (of title, authors or venue, a #tag, since 2020).

    The numbers are those by which the other commands know the papers.
    """
    listed = run_async(_papers(start(ctx), where, " ".join(words)))
    if as_json:
        rows = zip(listed.numbers, listed.papers, strict=True)
        write_json({"papers": [{"number": number} | paper_row(paper) for number, paper in rows]})
        return
    _show(records.paper_list(listed))


@click.command()
@click.argument("paper")
@click.option(
    "--set", "changes", metavar="FIELD=VALUE", multiple=True, required=True, help="Repeatable; authors parted by ;"
)
@target_options
@json_option
@click.pass_context
def correct(ctx: click.Context, paper: str, changes: tuple[str, ...], where: Target, as_json: bool) -> None:
    """Correct title, authors, year, doi, arxiv, venue or language of PAPER."""
    parted = [change.partition("=") for change in changes]
    if any(not equals for _, equals, _ in parted):
        raise click.UsageError("Write each change as FIELD=VALUE, for example --set year=2019.")
    wanted = {name: value for name, _, value in parted}
    try:
        now = run_async(_correct(start(ctx), where, paper, wanted))
    except NotACorrection as refusal:
        raise click.UsageError(refusal.words) from refusal
    if as_json:
        write_json(paper_row(now))
        return
    _show(general.correction(now))


@click.command()
@click.argument("paper", required=False)
@click.option("--all", "everything", is_flag=True, help="The whole workspace, with every channel of it.")
@click.option("--yes", is_flag=True, help="Remove PAPER without asking, as is done without a terminal.")
@click.option(
    "--yes-forget", metavar="NAME", default="", help="The workspace's name, for scripts; answers the question."
)
@target_options
@json_option
@click.pass_context
def forget(
    ctx: click.Context,
    paper: str | None,
    everything: bool,
    yes: bool,
    yes_forget: str,
    where: Target,
    as_json: bool,
) -> int | None:
    """Remove PAPER (its number in the list, its id, file name or words of its title) and every word of it."""
    settings = start(ctx)
    if everything == bool(paper):
        raise click.UsageError("Name one paper, or give --all to remove everything.")
    if everything:
        typed = yes_forget or click.prompt(
            f"This removes every paper and conversation of {where.workspace.key}. "
            f"Type its name ({where.name}) to go on",
            err=True,
        )
        if typed.strip() not in (where.name, where.workspace.key):
            click.echo("That is not its name; nothing was removed.", err=True)
            return USAGE
        titles: list[str] = []
        removed = run_async(_clear(settings, where))
    else:
        meant = run_async(_named(settings, where, paper or ""))
        asked = not (yes or as_json) and sys.stdin.isatty()
        if asked and not click.confirm(f"Remove {_title_and_authors(meant)}?", err=True):
            click.echo("Nothing was removed.", err=True)
            return None
        removed, titles = run_async(_forget(settings, where, meant)), [meant.title]
    if as_json:
        write_json({"papers": list(removed.papers), "counts": dict(removed.counts)})
    else:
        _show(general.removal(removed, titles))
    return None


@click.command()
@click.argument("paper", required=False)
@click.option(
    "--out", type=NamedPath(path_type=Path, dir_okay=False), help="File to write; standard output without it."
)
@target_options
@click.pass_context
def export(ctx: click.Context, paper: str | None, out: Path | None, where: Target) -> None:
    """Write papers (or the one PAPER) with all their passages as JSON."""
    written = json.dumps(run_async(_export(start(ctx), where, paper)), ensure_ascii=False, indent=1)
    if out is None:
        click.echo(written)
        return
    try:
        out.write_text(written + "\n", encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{out} cannot be written ({error.strerror}).") from error
    click.echo(f"Written to {out}.", err=True)


@click.command()
@target_options
@json_option
@click.pass_context
def reindex(ctx: click.Context, where: Target, as_json: bool) -> None:
    """Make all vectors of the workspace anew with the embedder that is configured now."""
    count = run_async(_reindex(start(ctx), where))
    if as_json:
        write_json({"passages": count})
        return
    click.echo(f"{pluralize(count, 'passage')} {'has' if count == 1 else 'have'} new vectors.")


async def _papers(settings: Settings, where: Target, words: str) -> PaperList:
    async with open_for_reading(settings, where) as tools:
        return await tools.engine.records.list_papers(where.scope, words, per_page=sys.maxsize)


async def _correct(settings: Settings, where: Target, words: str, changes: Mapping[str, str]) -> Paper:
    async with open_for_writing(settings, where) as tools:
        paper = await tools.backend.paper(where.scope, words)
        return await tools.engine.papers.correct(where.scope, paper.id, changes, user="terminal")


async def _named(settings: Settings, where: Target, words: str) -> Paper:
    async with open_for_reading(settings, where) as tools:
        return await tools.backend.paper(where.scope, words)


def _title_and_authors(paper: Paper) -> str:
    known = byline(paper)
    return f"“{paper.title}”" + (f" ({known})" if known else "")


async def _forget(settings: Settings, where: Target, paper: Paper) -> Forgotten:
    from bot.wiring import open_tools

    async with open_tools(settings) as tools:  # finding the paper has checked already that the workspace exists
        return await tools.engine.papers.forget(where.scope, [paper.id])


async def _clear(settings: Settings, where: Target) -> Forgotten:
    async with open_for_writing(settings, where) as tools:
        return await tools.engine.papers.clear(where.workspace, confirmed=where.workspace.key)


async def _export(settings: Settings, where: Target, words: str | None) -> dict[str, object]:
    async with open_for_reading(settings, where) as tools:
        listed = (
            [await tools.backend.paper(where.scope, words)]
            if words
            else await tools.engine.papers.in_scope(where.scope)
        )
        rows = []
        for paper in listed:
            passages = await tools.engine.papers.passages(where.scope, paper.id)
            rows.append(paper_row(paper) | {"passages": [asdict(passage) for passage in passages]})
    return {"workspace": where.workspace.key, "channels": sorted(where.channels), "papers": rows}


async def _reindex(settings: Settings, where: Target) -> int:
    async with open_for_writing(settings, where) as tools:
        with progress_bars.single_bar("embedding") as progress:
            return await tools.engine.papers.reindex(where.workspace, progress)


def _show(reply: Reply) -> None:
    from rich.console import Console

    from adapters.console.view import View

    View(Console()).reply(reply, streamed=False)
