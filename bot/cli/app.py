"""The command line's frame: commands load when they are called, errors become one sentence and an exit code."""

import difflib
import io
import logging
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

import click

from bot.cli.options import NamedPath, printable
from core.domain.errors import FootnoteError, NotInScope, SettingsInvalid

OK, FAILED, USAGE, REFUSED, NOT_FOUND, INTERRUPTED = 0, 1, 2, 3, 4, 130

# Where each command lives, and its line of help, so that --help imports none of them.
COMMANDS: Mapping[str, tuple[str, str]] = {
    "run": (
        "bot.cli.run",
        "Start the bot on every platform that is set up; where none is, a page on this machine.",
    ),
    "chat": ("bot.cli.run", "Talk to the bot in this terminal."),
    "ingest": ("bot.cli.ingest", "Read PDFs, or folders of them, into the library."),
    "ask": ("bot.cli.ask", "Ask one question and get the cited answer."),
    "papers": ("bot.cli.papers", "List the papers."),
    "correct": ("bot.cli.papers", "Correct what is known of a paper: title, authors, year and the like."),
    "forget": ("bot.cli.papers", "Remove a paper and every word of it, or a whole workspace."),
    "export": ("bot.cli.papers", "Write papers and their passages as JSON."),
    "reindex": ("bot.cli.papers", "Make all vectors anew, after the embedder has changed."),
    "model": ("bot.cli.model", "Show, connect or fetch models."),
    "doctor": ("bot.cli.doctor", "Check every part, one line each."),
    "demo": ("bot.cli.run", "Show it all on a small paper made on the spot."),
}

EPILOG = """\b
Exit codes: 0 all well; 1 something failed; 2 wrong usage or settings; 3 some files were
refused; 4 a paper or file was not found; 130 interrupted."""


class _Lazy(click.Group):
    """A group that imports a command's module when the command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command itself, imported now."""
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(COMMANDS[cmd_name][0]), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that was called; one that is not there is refused with the name that is nearest to it."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = difflib.get_close_matches(args[0].lower(), COMMANDS, n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise click.UsageError(f"No such command '{args[0]}'.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in ``--help``, from the table."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, words) for name, (_, words) in COMMANDS.items()])


def _version(ctx: click.Context, option: click.Parameter, asked: bool) -> None:
    if not asked or ctx.resilient_parsing:
        return
    from importlib.metadata import PackageNotFoundError, version

    try:
        click.echo(f"footnote {version('footnote')}")
    except PackageNotFoundError:  # run from a checkout that was not installed
        click.echo("footnote, from a checkout")
    ctx.exit()


@click.group(cls=_Lazy, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--data", type=NamedPath(path_type=Path, file_okay=False), help="Data folder, instead of FOOTNOTE_DATA.")
@click.option(
    "--env-file", type=NamedPath(path_type=Path, exists=True, dir_okay=False), help="Settings file, instead of .env."
)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version.")
@click.pass_context
def footnote(ctx: click.Context, data: Path | None, env_file: Path | None) -> None:
    """Answers questions about papers, every sentence footnoted with paper, page and quote."""
    # A file that was named must be there; the usual one need not be.
    ctx.obj = (data, env_file or Path(".env"))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave the process with an exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A title in letters that the terminal's encoding lacks must not end a command half-way.
        sys.stdout.reconfigure(errors="backslashreplace")
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    try:
        code = footnote.main(args=arguments, prog_name="footnote", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted.", err=True)
        return INTERRUPTED
    except FootnoteError as error:
        click.echo(error.words, err=True)
        return _exit_code(error)
    except BrokenPipeError:
        sys.stderr.close()
        return FAILED
    except Exception as fault:
        return _unforeseen(fault)
    return code if isinstance(code, int) else OK


def _exit_code(error: FootnoteError) -> int:
    match error:
        case SettingsInvalid():
            return USAGE
        case NotInScope():
            return NOT_FOUND
        case _:
            return FAILED


def _unforeseen(fault: Exception) -> int:
    """One sentence for an error that is none of Footnote's own; where it happened is in the log at debug."""
    logging.getLogger("bot.cli").debug("command failed", exc_info=fault)
    if isinstance(fault, OSError) and fault.filename and fault.strerror:
        click.echo(f"{printable(str(fault.filename))} cannot be used ({fault.strerror}).", err=True)
    else:
        words = " ".join(str(fault).split()) or "no words"
        click.echo(f"This could not be done ({type(fault).__name__}: {words}).", err=True)
    return FAILED
