"""``doctor``: one line for each part, and an exit code that says whether all is well."""

from collections.abc import AsyncIterator

import click

from bot import doctor as looking
from bot.cli.app import FAILED, OK
from bot.cli.common import finish, json_option, start, write_json
from bot.settings import Settings


@click.command()
@click.option("--quick", is_flag=True, help="Only what takes a moment: data folder, disk, waiting work.")
@json_option
@click.pass_context
def doctor(ctx: click.Context, quick: bool, as_json: bool) -> int:
    """Check every part, one line each. Exit code 1 where something does not work."""
    settings = start(ctx)
    checks = finish(_all(settings, quick, as_json))
    if as_json:
        rows = [{"name": check.name, "ok": check.ok, "words": check.words} for check in checks]
        write_json({"checks": rows, "ok": all(check.ok for check in checks)})
    return OK if all(check.ok for check in checks) else FAILED


async def _all(settings: Settings, quick: bool, as_json: bool) -> list[looking.Check]:
    checks = []
    async for check in looking.quick(settings) if quick else _thorough(settings):
        if not as_json:
            click.echo(f"{'ok  ' if check.ok else 'FAIL'}  {check.name:14}  {check.words}")
        checks.append(check)
    return checks


async def _thorough(settings: Settings) -> AsyncIterator[looking.Check]:
    from core.services.engine import Engine

    async with Engine(settings.config) as engine:
        async for check in looking.thorough(settings, engine):
            yield check
