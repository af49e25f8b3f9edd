"""What a run prints and writes: progress and a table on the screen, a JSON file, a Markdown page and plots.

The JSON's top level has ``command``, ``corpus``, ``settings``, ``metrics`` (flat names to numbers; where several
systems ran, those of Footnote, and one such map per system under ``systems``) and ``cases``.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from evals.statistics import Measure, flat

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
Case: TypeAlias = Mapping[str, Json]
Measures: TypeAlias = Mapping[str, Measure]

OURS = "footnote"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One finished run. ``by_type`` has, per kind of case, the measures of Footnote; ``loud`` must be read."""

    command: str
    corpus: str
    settings: Mapping[str, Json]
    systems: Mapping[str, Measures]
    cases: Sequence[Case]
    by_type: Mapping[str, Measures] = field(default_factory=dict)
    differences: Measures = field(default_factory=dict)
    loud: Sequence[str] = ()


Draw: TypeAlias = Callable[[Run, Path], Sequence[Path]]
"""Writes the pictures of a run under a stem and names them: ``evals.plots.draw``."""


def write(run: Run, out: Path, *, draw: Draw) -> list[Path]:
    """Write JSON to ``out``, and Markdown and plots beside it under the same name; returns what was written."""
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(as_json(run), ensure_ascii=False, indent=1) + "\n", "utf-8")
    pictures = draw(run, out.with_suffix(""))
    page = out.with_suffix(".md")
    page.write_text(markdown(run, [picture.name for picture in pictures]), "utf-8")
    return [out, page, *pictures]


def as_json(run: Run) -> dict[str, Json]:
    """The run as JSON values."""
    systems: dict[str, Json] = {name: flat(measures) for name, measures in run.systems.items()}
    metrics: dict[str, Json] = dict(flat(run.systems[OURS]))
    if len(systems) > 1:
        metrics["systems"] = systems
    return {
        "command": run.command,
        "corpus": run.corpus,
        "settings": run.settings,
        "metrics": metrics,
        "by_type": {name: flat(measures) for name, measures in run.by_type.items()},
        "differences": flat(run.differences),
        "loud": list(run.loud),
        "cases": list(run.cases),
    }


def show(run: Run) -> None:
    """Print the table and what must be read to the terminal."""
    from rich.console import Console
    from rich.markup import escape

    console = Console(width=None if sys.stdout.isatty() else 140)
    console.print(_table(f"{run.command} on {run.corpus}", run.systems, run.differences))
    if run.by_type:
        console.print(_type_table(run.by_type))
    for line in run.loud:
        console.print(f"[bold red]![/] {escape(line)}")


def _table(title: str, systems: Mapping[str, Measures], differences: Measures) -> object:
    from rich.table import Table

    table = Table(title=title, caption="in brackets: 95 % interval; a share of few cases is known only roughly")
    table.add_column("measure")
    for name in systems:
        table.add_column(name, justify="right")
    if differences:
        table.add_column("difference", justify="right")
    table.add_column("n", justify="right")
    for row in _rows(systems, differences):
        table.add_row(*row)
    return table


def _rows(systems: Mapping[str, Measures], differences: Measures) -> Iterator[list[str]]:
    for name, measure in systems[OURS].items():
        cells = [_cell(measures.get(name)) for measures in systems.values()]
        if differences:
            cells.append(_cell(differences.get(name), sign="+"))
        yield [name, *cells, str(measure.n)]


def _cell(measure: Measure | None, sign: str = "") -> str:
    if measure is None:
        return ""
    if measure.n == 0:
        return "no case"
    digits = ".3f" if abs(measure.value) < 10 else ".1f"
    value = f"{measure.value:{sign}{digits}}"
    return value if measure.low == measure.high else f"{value} [{measure.low:{digits}}, {measure.high:{digits}}]"


def _type_table(by_type: Mapping[str, Measures]) -> object:
    from rich.table import Table

    names = _names(by_type)
    table = Table(title="footnote by type")
    for name in ("type", *names, "n"):
        table.add_column(name, justify="left" if name == "type" else "right")
    for row in _type_rows(by_type, names):
        table.add_row(*row)
    return table


def _names(by_type: Mapping[str, Measures]) -> list[str]:
    return list(dict.fromkeys(name for measures in by_type.values() for name in measures))


def _type_rows(by_type: Mapping[str, Measures], names: Sequence[str]) -> Iterator[list[str]]:
    for kind, measures in by_type.items():
        cells = [f"{measures[name].value:.2f}" if name in measures else "" for name in names]
        yield [kind, *cells, str(max((measure.n for measure in measures.values()), default=0))]


def markdown(run: Run, pictures: Sequence[str] = ()) -> str:
    """The run as a Markdown page."""
    heads = ["measure", *run.systems, *(["difference"] if run.differences else []), "n"]
    lines = [f"# {run.command} on {run.corpus}", ""]
    lines += [f"**{line}**  " for line in run.loud]
    lines += ["", *_md_table(heads, _rows(run.systems, run.differences))]
    lines += ["", "In brackets: the 95 % interval. A share of few cases is known only roughly.", ""]
    if run.by_type:
        names = _names(run.by_type)
        lines += ["## By type", "", *_md_table(["type", *names, "n"], _type_rows(run.by_type, names)), ""]
    lines += [f"![{name}]({name})" for name in pictures]
    settings = json.dumps(run.settings, indent=1, ensure_ascii=False)
    lines += ["", "## Settings", "", "```json", settings, "```", ""]
    return "\n".join(lines)


def _md_table(heads: Sequence[str], rows: Iterator[list[str]]) -> list[str]:
    ruler = ["---", *("---:" for _ in heads[1:])]
    return [f"| {' | '.join(cells)} |" for cells in (list(heads), ruler, *rows)]


@contextmanager
def progress_bar(title: str, total: int) -> Iterator[Callable[[str], None]]:
    """Show on standard error how many of ``total`` are done; call what is yielded with the name of the next item."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

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
    """A line now and then, for an output that is no terminal."""
    done = 0

    def step(name: str) -> None:
        nonlocal done
        done += 1
        if total <= 40 or done % (total // 10) == 0:
            sys.stderr.write(f"{title} {done}/{total} {name}\n")
            sys.stderr.flush()

    return step
