"""``papers``, ``forget``, ``export`` and ``reindex``: what is on the shelf, and keeping it in order."""

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

import click

from bot.cli import progress_bars
from bot.cli.app import USAGE
from bot.cli.common import Place, finish, json_option, paper_row, place, place_options, start, write_json
from bot.cli.open_library import changing, looking
from bot.cli.options import NamedPath
from bot.replies import general, records
from bot.replies.plurals import counted
from bot.settings import Settings
from core.domain.errors import NotACorrection
from core.domain.model import Forgotten, Paper
from core.domain.records import PaperList
from core.domain.reply import Reply
from core.text.paper_labels import byline


@click.command()
@click.argument("words", nargs=-1)
@place_options
@json_option
@click.pass_context
def papers(
    ctx: click.Context, words: tuple[str, ...], workspace: str, channels: tuple[str, ...], as_json: bool
) -> None:
    """List the papers of the channels named, or those of WORDS (of title, authors or venue, a #tag, since 2020).

    The numbers are those by which the other commands know the papers.
    """
    listed = finish(_papers(start(ctx), place(workspace, channels), " ".join(words)))
    if as_json:
        rows = zip(listed.numbers, listed.papers, strict=True)
        write_json({"papers": [{"number": number} | paper_row(paper) for number, paper in rows]})
        return
    _show(records.shelf(listed))


@click.command()
@click.argument("paper")
@click.option(
    "--set", "changes", metavar="FIELD=VALUE", multiple=True, required=True, help="Repeatable; authors parted by ;"
)
@place_options
@json_option
@click.pass_context
def correct(
    ctx: click.Context, paper: str, changes: tuple[str, ...], workspace: str, channels: tuple[str, ...], as_json: bool
) -> None:
    """Correct title, authors, year, doi, arxiv, venue or language of PAPER."""
    parted = [change.partition("=") for change in changes]
    if any(not equals for _, equals, _ in parted):
        raise click.UsageError("Write each change as FIELD=VALUE, for example --set year=2019.")
    wanted = {name: value for name, _, value in parted}
    try:
        now = finish(_correct(start(ctx), place(workspace, channels), paper, wanted))
    except NotACorrection as refusal:
        raise click.UsageError(refusal.words) from refusal
    if as_json:
        write_json(paper_row(now))
        return
    _show(general.corrected(now))


@click.command()
@click.argument("paper", required=False)
@click.option("--all", "everything", is_flag=True, help="The whole workspace, with every channel of it.")
@click.option("--yes", is_flag=True, help="Remove PAPER without asking, as is done where nobody sits at a terminal.")
@click.option(
    "--yes-forget", metavar="NAME", default="", help="The workspace's name, for scripts; answers the question."
)
@place_options
@json_option
@click.pass_context
def forget(
    ctx: click.Context,
    paper: str | None,
    everything: bool,
    yes: bool,
    yes_forget: str,
    workspace: str,
    channels: tuple[str, ...],
    as_json: bool,
) -> int | None:
    """Remove PAPER (its number in the list, its id, file name or words of its title) and every word of it."""
    settings = start(ctx)
    where = place(workspace, channels)
    if everything == bool(paper):
        raise click.UsageError("Name one paper, or give --all to remove everything.")
    if everything:
        typed = yes_forget or click.prompt(
            f"This removes every paper and conversation of {where.workspace.key}. Type its name ({workspace}) to go on",
            err=True,
        )
        if typed.strip() not in (workspace, where.workspace.key):
            click.echo("That is not its name; nothing was removed.", err=True)
            return USAGE
        titles: list[str] = []
        gone = finish(_clear(settings, where))
    else:
        meant = finish(_named(settings, where, paper or ""))
        asked = not (yes or as_json) and sys.stdin.isatty()
        if asked and not click.confirm(f"Remove {_told(meant)}?", err=True):
            click.echo("Nothing was removed.", err=True)
            return None
        gone, titles = finish(_forget(settings, where, meant)), [meant.title]
    if as_json:
        write_json({"papers": list(gone.papers), "counts": dict(gone.counts)})
    else:
        _show(general.forgotten(gone, titles))
    return None


@click.command()
@click.argument("paper", required=False)
@click.option(
    "--out", type=NamedPath(path_type=Path, dir_okay=False), help="File to write; standard output without it."
)
@place_options
@click.pass_context
def export(ctx: click.Context, paper: str | None, out: Path | None, workspace: str, channels: tuple[str, ...]) -> None:
    """Write papers (or the one PAPER) with all their passages as JSON."""
    written = json.dumps(finish(_export(start(ctx), place(workspace, channels), paper)), ensure_ascii=False, indent=1)
    if out is None:
        click.echo(written)
        return
    try:
        out.write_text(written + "\n", encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{out} cannot be written ({error.strerror}).") from error
    click.echo(f"Written to {out}.", err=True)


@click.command()
@place_options
@json_option
@click.pass_context
def reindex(ctx: click.Context, workspace: str, channels: tuple[str, ...], as_json: bool) -> None:
    """Make all vectors of the workspace anew with the embedder that is configured now."""
    count = finish(_reindex(start(ctx), place(workspace, channels)))
    if as_json:
        write_json({"passages": count})
        return
    click.echo(f"{counted(count, 'passage')} {'has' if count == 1 else 'have'} new vectors.")


async def _papers(settings: Settings, where: Place, words: str) -> PaperList:
    async with looking(settings, where) as shelf:
        return await shelf.engine.records.list_papers(where.scope, words, per_page=sys.maxsize)


async def _correct(settings: Settings, where: Place, words: str, changes: Mapping[str, str]) -> Paper:
    async with changing(settings, where) as tools:
        paper = await tools.backend.paper(where.scope, words)
        return await tools.engine.papers.correct(where.scope, paper.id, changes, user="terminal")


async def _named(settings: Settings, where: Place, words: str) -> Paper:
    async with looking(settings, where) as shelf:
        return await shelf.backend.paper(where.scope, words)


def _told(paper: Paper) -> str:
    known = byline(paper)
    return f"“{paper.title}”" + (f" ({known})" if known else "")


async def _forget(settings: Settings, where: Place, paper: Paper) -> Forgotten:
    from bot.wiring import open_tools

    async with open_tools(settings) as tools:  # not ``changing``: finding the paper has looked at the place already
        return await tools.engine.papers.forget(where.scope, [paper.id])


async def _clear(settings: Settings, where: Place) -> Forgotten:
    async with changing(settings, where) as tools:
        return await tools.engine.papers.clear(where.workspace, confirmed=where.workspace.key)


async def _export(settings: Settings, where: Place, words: str | None) -> dict[str, object]:
    async with looking(settings, where) as shelf:
        listed = (
            [await shelf.backend.paper(where.scope, words)]
            if words
            else await shelf.engine.papers.in_scope(where.scope)
        )
        rows = []
        for paper in listed:
            passages = await shelf.engine.papers.passages(where.scope, paper.id)
            rows.append(paper_row(paper) | {"passages": [asdict(passage) for passage in passages]})
    return {"workspace": where.workspace.key, "channels": sorted(where.channels), "papers": rows}


async def _reindex(settings: Settings, where: Place) -> int:
    async with changing(settings, where) as tools:
        with progress_bars.one("embedding") as progress:
            return await tools.engine.papers.reindex(where.workspace, progress)


def _show(reply: Reply) -> None:
    from rich.console import Console

    from adapters.console.view import View

    View(Console()).reply(reply, streamed=False)
