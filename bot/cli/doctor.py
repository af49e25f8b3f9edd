"""``doctor``: one line for each part, and an exit code that says whether all is well."""

from collections.abc import AsyncIterator
from dataclasses import asdict

import click

from bot.cli.app import FAILED, OK
from bot.cli.common import json_option, run_async, start, write_json
from bot.doctor import Check
from bot.doctor import quick as quick_checks
from bot.doctor import thorough as thorough_checks
from bot.settings import Settings


@click.command()
@click.option("--quick", is_flag=True, help="Only what takes a moment: data folder, disk, waiting work.")
@json_option
@click.pass_context
def doctor(ctx: click.Context, quick: bool, as_json: bool) -> int:
    """Check every part, one line each. Exit code 1 where something does not work."""
    settings = start(ctx)
    checks = run_async(_all(settings, quick, as_json))
    all_ok = all(check.ok for check in checks)
    if as_json:
        write_json({"checks": [asdict(check) for check in checks], "ok": all_ok})
    return OK if all_ok else FAILED


async def _all(settings: Settings, quick: bool, as_json: bool) -> list[Check]:
    checks = []
    async for check in quick_checks(settings) if quick else _thorough(settings):
        if not as_json:
            click.echo(f"{'ok  ' if check.ok else 'FAIL'}  {check.name:14}  {check.words}")
        checks.append(check)
    return checks


async def _thorough(settings: Settings) -> AsyncIterator[Check]:
    from core.services.engine import Engine

    async with Engine(settings.config) as engine:
        async for check in thorough_checks(settings, engine):
            yield check
