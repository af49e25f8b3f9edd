"""A progress bar on standard error, so that standard output holds the results alone."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


@contextmanager
def bar(title: str, total: int) -> Iterator[Callable[[str], None]]:
    """Show ``title`` and how many of ``total`` are done; call what is yielded with the name of the next one."""
    if not sys.stderr.isatty():
        yield _plain(title, total)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TextColumn("{task.fields[name]}"), console=Console(stderr=True)) as progress:
        task = progress.add_task(title, total=total, name="")
        started = False

        def step(name: str) -> None:
            nonlocal started
            progress.update(task, name=name[:60], advance=1 if started else 0)
            started = True

        yield step
        progress.update(task, completed=total, name="")


def _plain(title: str, total: int) -> Callable[[str], None]:
    """A line now and then, where nothing can be drawn over."""
    done = 0

    def step(name: str) -> None:
        nonlocal done
        done += 1
        if total <= 40 or done % (total // 10) == 0:
            sys.stderr.write(f"{title} {done}/{total} {name}\n")
            sys.stderr.flush()

    return step
