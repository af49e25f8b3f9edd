"""Pictures of a run. matplotlib is optional: without it a run says so and goes on."""

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from evals.reports import OURS, Run
from evals.statistics import Measure

_STAGE = {OURS: "all, as shown"}
Painter: TypeAlias = Callable[[Any, Run], None]


def draw(run: Run, stem: Path) -> list[Path]:
    """Write one PNG a plot as ``stem``-NAME.png; returns the files, none where matplotlib is missing."""
    try:
        import matplotlib
    except ImportError:
        print("plots left out: matplotlib is not installed (pip install 'footnote[evals]')", file=sys.stderr)  # noqa: T201
        return []
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    written = []
    for name, paint in _PLOTS.get(run.command, {"measures": _measures}).items():
        figure, axes = plt.subplots(figsize=(8, 4.5), layout="constrained")
        paint(axes, run)
        target = stem.with_name(f"{stem.name}-{name}.png")
        figure.savefig(target, dpi=120)
        plt.close(figure)
        written.append(target)
    return written


def _bars(axes: Any, groups: Mapping[str, Mapping[str, Measure]], names: Sequence[str]) -> None:
    """Grouped bars with their intervals: one group a name, one bar a system or type."""
    width = 0.8 / max(1, len(groups))
    for number, (label, measures) in enumerate(groups.items()):
        shown = [measures.get(name, Measure(value=0, n=0, low=0, high=0)) for name in names]
        positions = [at + number * width for at in range(len(names))]
        low = [max(0.0, measure.value - measure.low) for measure in shown]
        high = [max(0.0, measure.high - measure.value) for measure in shown]
        axes.bar(positions, [measure.value for measure in shown], width, yerr=[low, high], capsize=2, label=label)
    middle = 0.4 - width / 2
    axes.set_xticks([at + middle for at in range(len(names))], names, rotation=30, ha="right")
    axes.set_ylim(0, 1.02)
    if len(groups) > 1:
        axes.legend()


def _recall(axes: Any, run: Run) -> None:
    _bars(axes, run.systems, ["B2000", "B6000", "page_R@5", "R@1", "R@3", "R@5", "R@10", "MRR"])
    axes.set_title("Retrieval, with 95 % intervals")


def _types(axes: Any, run: Run) -> None:
    names = list(dict.fromkeys(name for measures in run.by_type.values() for name in measures))[:3]
    turned = {name: {kind: m[name] for kind, m in run.by_type.items() if name in m} for name in names}
    _bars(axes, turned, list(run.by_type))
    axes.set_title("By type of question")


def _depths(axes: Any, run: Run) -> None:
    """Recall against the number of passages, a line a stage; the interval of the last."""
    for name, measures in run.systems.items():
        points = sorted((int(key[2:]), measure) for key, measure in measures.items() if key.startswith("R@"))
        positions = [k for k, _ in points]
        axes.plot(positions, [measure.value for _, measure in points], marker="o", label=_STAGE.get(name, name))
        if name == OURS:
            axes.fill_between(positions, [m.low for _, m in points], [m.high for _, m in points], alpha=0.1)
    axes.set(xscale="log", xlabel="passages returned", ylabel="share of gold evidence among them", ylim=(0, 1.02))
    axes.set_xticks(positions, [str(k) for k in positions])
    axes.set_title("Recall by stage")
    axes.legend(fontsize="small", loc="lower right")


def _curve(axes: Any, run: Run) -> None:
    """What is kept and what is turned away at each operating point, with intervals."""
    measures = run.systems["footnote"]
    names = dict.fromkeys(name.partition("@")[0] for name in measures)
    for name in names:
        points = [(float(key.partition("@")[2]), m) for key, m in measures.items() if key.partition("@")[0] == name]
        positions = [point for point, _ in points]
        axes.plot(positions, [measure.value for _, measure in points], marker="o", label=name)
        axes.fill_between(positions, [m.low for _, m in points], [m.high for _, m in points], alpha=0.1)
    axes.set(xlabel="strictness", ylabel="share of questions", ylim=(0, 1.02), title="Refusal, with 95 % intervals")
    axes.legend(fontsize="small")


def _measures(axes: Any, run: Run) -> None:
    shown = {name: m for name, m in run.systems["footnote"].items() if m.n and 0 <= m.value <= 1}
    _bars(axes, {"footnote": shown}, list(shown))
    axes.set_title(run.command)


_PLOTS: Mapping[str, Mapping[str, Painter]] = {
    "retrieval": {"recall": _recall, "types": _types},
    "answers": {"measures": _measures, "types": _types},
    "refusal": {"curve": _curve},
    "stages": {"recall": _depths},
}
