"""Two stored runs side by side: what moved, by how much more than chance, and on which cases."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.statistics import Measure, difference

_SUFFIXES = ("_n", "_low", "_high")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A run as it was written: flat metrics of Footnote and, per case, its scores."""

    name: str
    command: str
    metrics: Mapping[str, float]
    scores: Mapping[str, Mapping[str, float]]
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """One measure in both runs; ``paired`` is the mean difference over the cases that both have, where told."""

    name: str
    before: float
    after: float
    paired: Measure | None


def load(path: Path) -> Stored:
    """Read a run's JSON. Raises ``ValueError`` where it is none."""
    try:
        data = json.loads(path.read_text("utf-8"))
        metrics = {name: float(value) for name, value in data["metrics"].items() if isinstance(value, int | float)}
        scores = {str(case["id"]): _ours(case.get("scores") or {}) for case in data["cases"]}
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"{path} is not the JSON of a run ({error!r})") from error
    return Stored(
        name=path.stem,
        command=str(data["command"]),
        metrics=metrics,
        scores=scores,
        settings=data.get("settings") or {},
    )


def _ours(scores: Mapping[str, Any]) -> Mapping[str, float]:
    return dict(scores.get("footnote", scores))


def moved(before: Stored, after: Stored) -> Iterator[Moved]:
    """The measures that both runs have, in the order of the first."""
    shared = [key for key in before.scores if key in after.scores]
    for name, value in before.metrics.items():
        if name.endswith(_SUFFIXES) or name not in after.metrics:
            continue
        pairs = [(before.scores[key], after.scores[key]) for key in shared]
        both = [(left[name], right[name]) for left, right in pairs if name in left and name in right]
        paired = difference([right for _, right in both], [left for left, _ in both]) if both else None
        yield Moved(name=name, before=value, after=after.metrics[name], paired=paired)


def changed_cases(before: Stored, after: Stored) -> Iterator[tuple[str, str, float, float]]:
    """(case, measure, before, after) wherever a case's score changed."""
    for key in before.scores:
        for name, value in before.scores[key].items():
            now = after.scores.get(key, {}).get(name, value)
            if abs(now - value) > 1e-9:
                yield key, name, value, now


def changed_settings(before: Mapping[str, Any], after: Mapping[str, Any], at: str = "") -> Iterator[str]:
    """One line a setting that differs."""
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            yield from changed_settings(old, new, f"{at}{name}.")
        elif old != new:
            yield f"{at}{name}: {old} -> {new}"


def show(before: Stored, after: Stored, *, measures: Sequence[str] = ()) -> None:
    """Print the comparison; ``measures`` limits the list of changed cases to these (else the first three)."""
    from rich.console import Console
    from rich.table import Table

    console = Console()
    table = Table(
        title=f"{before.command}: {before.name} -> {after.name}", caption="paired: mean over shared cases [95 %]"
    )
    for name in ("measure", before.name, after.name, "difference", "paired"):
        table.add_column(name, justify="left" if name == "measure" else "right")
    rows = list(moved(before, after))
    for row in rows:
        paired = row.paired and f"{row.paired.value:+.3f} [{row.paired.low:+.3f}, {row.paired.high:+.3f}]"
        cells = (f"{row.before:.3f}", f"{row.after:.3f}", f"{row.after - row.before:+.3f}", paired or "")
        table.add_row(row.name, *cells)
    console.print(table)
    for line in changed_settings(before.settings, after.settings):
        console.print(f"setting {line}", markup=False)
    chosen = measures or [row.name for row in rows if row.paired][:3]
    for name in chosen:
        changes = [(key, old, new) for key, what, old, new in changed_cases(before, after) if what == name]
        won = [key for key, old, new in changes if new > old]
        lost = [key for key, old, new in changes if new < old]
        console.print(f"{name}: better {len(won)} {' '.join(won)}; worse {len(lost)} {' '.join(lost)}", markup=False)
