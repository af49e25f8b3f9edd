"""``model``: what language model is set and which there are; connecting one; fetching models that help the search."""

import click

from bot.cli.common import run_async, start
from bot.model_setup import EnvFileModelSetup
from core.domain.errors import ModelKeyRefused, NotInScope
from core.domain.model_setup import ModelServer, ModelSetup

_MOST_SHOWN = 20


@click.group(invoke_without_command=True)
@click.pass_context
def model(ctx: click.Context) -> None:
    """Show the language model that is set, those that servers on this machine offer, and what else would help."""
    if ctx.invoked_subcommand is not None:
        return
    from core.services.model_setup import OPTIONAL_MODELS

    setup = _setup(ctx)
    click.echo(setup.current())
    servers = run_async(_found(setup))
    click.echo("\nOn this machine:" if servers else "\nNo server of language models answers on this machine.")
    for server in servers:
        click.echo(_server_lines(server))
    click.echo("\nTo connect one: footnote model connect [URL] [--model NAME]; a hosted one by its URL.")
    click.echo("\nWhat else helps, each with its setting; nothing is fetched unasked (footnote model fetch NAME):")
    for offer in OPTIONAL_MODELS:
        click.echo(f"  {offer.name}: {offer.does}. {offer.repository}, {offer.size}, {offer.licence}; {offer.variable}")


@model.command()
@click.argument("url", required=False, default="")
@click.option("--model", "name", default="", help="Name of the model; needed where the server offers several.")
@click.pass_context
def connect(ctx: click.Context, url: str, name: str) -> None:
    """Try a model with control questions, say what it can do, and write it into the settings.

    URL may be left out where one server answers on this machine. A key is asked for where one is needed.
    """
    setup = _setup(ctx)
    address = url or _only_server(run_async(_found(setup)))
    click.echo(f"Trying {address} …", err=True)
    try:
        lines = run_async(_connect(setup, address, name, ""))
    except ModelKeyRefused as refused:
        click.echo(refused.words, err=True)
        key = click.prompt("Key (not shown)", hide_input=True, err=True).strip()
        lines = run_async(_connect(setup, address, name, key))
    for line in lines:
        click.echo(line)


@model.command()
@click.argument("name")
@click.pass_context
def fetch(ctx: click.Context, name: str) -> None:
    """Fetch a model that helps the search from the hub (HF_ENDPOINT names another) into the data folder."""
    from core.services.model_setup import fetch_model

    settings = start(ctx)
    fetched, folder = run_async(fetch_model(name, settings.data))
    click.echo(f"{fetched.repository} is in {folder} and works. To use it, set")
    click.echo(f"  {fetched.variable}={folder}")
    if fetched.then:
        click.echo(f"and run: {fetched.then}")


def _setup(ctx: click.Context) -> EnvFileModelSetup:
    return EnvFileModelSetup(start(ctx), ctx.find_root().obj[1])


async def _found(setup: ModelSetup) -> list[ModelServer]:
    return list(await setup.servers())


async def _connect(setup: ModelSetup, address: str, name: str, key: str) -> list[str]:
    return list(await setup.connect(address, name, key))


def _only_server(servers: list[ModelServer]) -> str:
    """Raises ``NotInScope`` where there is none, or where there are several."""
    if not servers:
        raise NotInScope("No server of language models answers on this machine; start one, or give its URL.")
    if len(servers) > 1:
        addresses = ", ".join(server.base_url for server in servers)
        raise NotInScope(f"Several servers answer here; name one: {addresses}.")
    return servers[0].base_url


def _server_lines(server: ModelServer) -> str:
    lines = [f"  {server.base_url} (the port of {server.program})"]
    if not server.models:
        lines.append("    wants a key")
    for offered in server.models[:_MOST_SHOWN]:
        context = f", takes in {offered.context_tokens:,} tokens" if offered.context_tokens else ""
        lines.append(f"    {offered.name}{context}")
    return "\n".join(lines)
