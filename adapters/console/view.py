"""How the terminal looks: replies, footnotes, streamed sentences and signs of life, drawn with rich.

Control characters of papers and file names are dropped here, so that no PDF can speak to the terminal.
"""

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TaskID, TextColumn
from rich.table import Table
from rich.text import Text as Styled

from adapters.common.markdown import Code, Grid, Line, Text, parse, plain
from core.domain.citation_format import footnote_text, sentence_text
from core.domain.model import Sentence
from core.domain.reply import Reply

_STYLES = {"plain": "", "bold": "bold", "code": "cyan"}
_MARKS = {"paragraph": "", "bullet": "• ", "quote": "│ "}


def visible(words: str) -> str:
    """``words`` without control characters; line ends stay."""
    return "".join(char for char in words if char.isprintable() or char in "\n\t")


class View:
    """Draws on one rich console; ``live`` where lines may be redrawn."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live = console.is_terminal
        self._bars = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            console=console,
            transient=True,
        )
        self._tasks: dict[str, TaskID] = {}
        self._stages: dict[str, str] = {}

    def step(self, key: str, what: str, name: str, done: int, total: int) -> None:
        """A sign of life of job ``key``: a moving bar in a terminal, one line a stage elsewhere."""
        words = visible(f"{what}: {name}" if what else name)
        if not self._live:
            if self._stages.get(key) != name:
                self._print(Styled(f"… {words}", style="dim"))
            self._stages[key] = name
            return
        if key not in self._tasks:
            self._tasks[key] = self._bars.add_task(words)
            self._bars.start()
        self._bars.update(self._tasks[key], description=words, completed=done, total=total or None)

    def ended(self, key: str) -> None:
        """Job ``key`` has no more to tell."""
        self._stages.pop(key, None)
        if key in self._tasks:
            self._bars.remove_task(self._tasks.pop(key))
        if self._live and not self._tasks:
            self._bars.stop()

    def sentence(self, sentence: Sentence) -> None:
        """One verified sentence, as soon as there is one."""
        self._print(Styled(visible(sentence_text(sentence))))

    def reply(self, reply: Reply, *, streamed: bool) -> None:
        """A whole reply, or what is left of it when its sentences have been shown already."""
        if not streamed:
            self.body(reply.body)
        for note in reply.footnotes:
            self._indented(Styled(visible(footnote_text(note)), style="dim"))
        if reply.footer:
            self._print(Styled(visible(reply.footer), style="dim italic"))
        self._print(Styled(""))

    def body(self, body: str) -> None:
        """The blocks of a reply's body."""
        for block in parse(body):
            match block:
                case Text(kind=kind, line=line):
                    self._print(Styled(_MARKS[kind]).append_text(_styled(line)))
                case Grid(header=header, rows=rows):
                    self._print(_table(header, rows))
                case Code(text=text):
                    self._print(Styled(visible(text), style="cyan"))

    def say(self, words: str) -> None:
        """A sentence of the terminal itself."""
        self._print(Styled(visible(words), style="dim"))

    def _indented(self, words: Styled) -> None:
        self._print(Padding(words, (0, 0, 0, 2)) if self._live else Styled("  ").append_text(words))

    def _print(self, thing: Styled | Padding | Table) -> None:
        self._console.print(thing, soft_wrap=not self._live, highlight=False)


def _styled(line: Line) -> Styled:
    styled = Styled()
    for run in line:
        styled.append(visible(run.text), style=_STYLES[run.style])
    return styled


def _table(header: Sequence[Line], rows: Sequence[Sequence[Line]]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for cell in header:
        table.add_column(visible(plain(cell)), overflow="fold")
    for row in rows:
        table.add_row(*(_styled(cell) for cell in row))
    return table
