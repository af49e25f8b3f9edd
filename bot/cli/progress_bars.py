"""Progress bars on standard error, so that standard output stays for results."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from bot.cli.options import printable
from core.domain.model import Citation, Sentence


class _Bar:
    """The engine's progress of one piece of work, as one bar."""

    def __init__(self, bars: Progress, task: TaskID, what: str) -> None:
        self._bars = bars
        self._task = task
        self._what = what

    async def step(self, name: str, done: int, total: int) -> None:
        """Move the bar."""
        self._bars.update(self._task, description=f"{self._what}{name}", completed=done, total=total or None)

    async def sentence(self, sentence: Sentence, citations: Sequence[Citation]) -> None:
        """Nothing: the command prints the whole answer at its end."""


class PaperBars:
    """One bar for all papers, one more for each that is being read."""

    def __init__(self, bars: Progress, total: int) -> None:
        self._bars = bars
        self._all = bars.add_task("papers", total=total)

    @contextmanager
    def paper(self, name: str) -> Iterator[_Bar]:
        """The bar of one paper; when it goes, the bar of all papers moves on."""
        shown = printable(name)
        short = shown if len(shown) <= 40 else f"{shown[:25]}…{shown[-14:]}"
        task = self._bars.add_task(short, total=None)
        try:
            yield _Bar(self._bars, task, f"{short}: ")
        finally:
            self._bars.remove_task(task)
            self._bars.advance(self._all)


@contextmanager
def paper_bars(total: int) -> Iterator[PaperBars]:
    """Bars for ``total`` papers."""
    with _bars() as bars:
        yield PaperBars(bars, total)


@contextmanager
def single_bar(what: str) -> Iterator[_Bar]:
    """One bar."""
    with _bars() as bars:
        yield _Bar(bars, bars.add_task(what, total=None), "")


def _bars() -> Progress:
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=30),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,  # into a file, an empty line would be all that is left of them
    )
