"""The command line of the evaluation: quality on a corpus, comparisons of runs, and benchmarks of cost.

Papers that were read once are kept under the results folder and found again; ``--fresh`` reads them anew. The
commands over a corpus print a table and write JSON, a Markdown page and plots.
"""

import argparse
import asyncio
import shutil
import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from evals import compare, configuration, datasets, plots, reports
from evals.benchmarks import BENCHMARKS
from evals.reports import Json, Run

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from core.config import Config
    from core.domain.language_models import LanguageModel
    from core.services.engine import Engine
    from evals.measured_search import SignalWeights
    from evals.stages import Stage

WRONG_INPUT = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What was asked for: the corpus, Footnote's settings, how many cases at most."""

    corpus: datasets.Corpus
    config: "Config"
    limit: int | None

    @property
    def settings(self) -> dict[str, Json]:
        """What is stored with the run."""
        return {
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "papers": len(self.corpus.papers),
            "corpus_fingerprint": self.corpus.fingerprint,
            "limit": self.limit,
            "footnote": configuration.as_json(self.config),
        }


Measure: TypeAlias = Callable[[Order], Coroutine[object, object, Run]]


@asynccontextmanager
async def _engine(
    order: Order, model: "LanguageModel | None" = None, weights: "SignalWeights | None" = None
) -> "AsyncIterator[Engine]":
    from core.services.engine import Engine

    order.config.data.mkdir(parents=True, exist_ok=True)
    async with Engine(order.config, model=model, weights=weights) as engine:
        yield engine


async def _retrieval(order: Order) -> Run:
    from evals import retrieval
    from evals.baseline import Baseline
    from evals.session import Session

    baseline = await asyncio.to_thread(Baseline.build, order.corpus, configuration.RESULTS / "baseline")
    settings = {**order.settings, "returned": retrieval.RETURNED, "baseline": dict(baseline.settings)}
    async with _engine(order) as engine:
        session = Session(engine=engine)
        return await retrieval.run(order.corpus, session, baseline, limit=order.limit, settings=settings)


async def _answers(order: Order) -> Run:
    from evals import answers
    from evals.metrics import SemanticSimilarity
    from evals.session import Session

    async with _engine(order) as engine:
        session = Session(engine=engine)
        similarity = SemanticSimilarity()
        return await answers.run(order.corpus, session, similarity, limit=order.limit, settings=order.settings)


async def _refusal(order: Order) -> Run:
    from evals import refusal

    def opener(strictness: float) -> "AbstractAsyncContextManager[Engine]":
        agent = replace(order.config.agent, strictness=strictness)
        return _engine(replace(order, config=replace(order.config, agent=agent)))

    return await refusal.run(order.corpus, opener, limit=order.limit, settings=order.settings)


async def _stages(order: Order) -> Run:
    from evals import stages

    search = order.config.search

    def opener(stage: "Stage") -> "AbstractAsyncContextManager[Engine]":
        config = replace(order.config, search=replace(search, reranker=stage.reranker))
        return _engine(replace(order, config=config), weights=stage.weights)

    return await stages.run(order.corpus, opener, search.reranker, limit=order.limit, settings=order.settings)


async def _parsing(order: Order) -> Run:
    from evals import parsing
    from evals.session import Session

    cache = order.config.data / "readings"
    async with _engine(order) as engine:
        cache.mkdir(parents=True, exist_ok=True)
        session = Session(engine=engine)
        return await parsing.run(order.corpus, session, cache=cache, limit=order.limit, settings=order.settings)


async def _hard(order: Order) -> Run:
    from evals import hard

    async with _engine(order) as engine:
        return await hard.run(order.corpus, engine, limit=order.limit, settings=order.settings)


async def _extraction(order: Order) -> Run:
    from evals import extraction

    def opened(model: "LanguageModel | None") -> "AbstractAsyncContextManager[Engine]":
        return _engine(order, model)

    return await extraction.run(order.corpus, opened, limit=order.limit, settings=order.settings)


async def _page_marks(order: Order) -> Run:
    from evals import page_marks
    from evals.session import Session

    async with _engine(order) as engine:
        session = Session(engine=engine)
        return await page_marks.run(order.corpus, session, limit=order.limit, settings=order.settings)


MEASURES: Mapping[str, tuple[Measure, str]] = {
    "retrieval": (_retrieval, "is the right passage first, in how few characters; Footnote and a plain baseline"),
    "answers": (_answers, "outcome, page cited, quotes on their page, keywords, planted instructions"),
    "parsing": (_parsing, "headings, titles, authors, captions, reading order, evidence, characters"),
    "hard": (_hard, "difficult files: verdict, message, time, memory, what is and is not found"),
    "refusal": (_refusal, "what is answered and refused as strictness grows"),
    "stages": (_stages, "recall by stage of the search"),
    "extraction": (_extraction, "cells of the standard table against two sheets of printed facts"),
    "page-marks": (_page_marks, "marks on page pictures against where the words are printed"),
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evals", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (measure, about) in MEASURES.items():
        measured = commands.add_parser(name, help=about, description=about)
        configuration.add_corpus_arguments(measured)
        measured.add_argument("--out", type=Path, metavar="FILE", help="the JSON; Markdown and plots go beside it")
        measured.add_argument("--fresh", action="store_true", help="read the papers anew")
        measured.add_argument("--limit", type=int, metavar="N", help="only the first N questions, papers or files")
        measured.set_defaults(run=lambda given, measure=measure: _measure(given, measure))
    _add_studies(commands)
    listed = "\n".join(f"  {name:20} {about}" for name, about in BENCHMARKS.items())
    benchmark = commands.add_parser(
        "benchmark",
        help=f"cost on this machine: {', '.join(BENCHMARKS)}",
        description=f"Cost on this machine. Each prints its figures; --out FILE writes them as JSON.\n\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    benchmark.add_argument("name", choices=BENCHMARKS, metavar="NAME", help="as listed above")
    benchmark.add_argument("options", nargs=argparse.REMAINDER, help="NAME --help lists them")
    benchmark.set_defaults(run=_benchmark)
    return parser


def _add_studies(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Commands with options of their own."""
    from evals.entailment import pairs

    ablation = commands.add_parser("ablation", help="what each choice of the search is worth")
    configuration.add_corpus_arguments(ablation)
    ablation.add_argument("--only", default="", metavar="PATTERN", help="rows whose name holds this, and the default")
    ablation.add_argument(
        "--embedder", action="append", default=[], metavar="MODEL", help="a row with this model's vectors; repeatable"
    )
    ablation.add_argument("--out", type=Path, metavar="FILE", help="write JSON")
    ablation.set_defaults(run=_ablation)
    models = commands.add_parser("model-comparison", help="answers without a model, with parts of one and with all")
    configuration.add_corpus_arguments(models)
    models.add_argument("--limit", type=int, default=1_000_000, metavar="N", help="questions, the types in turns")
    models.add_argument("--only", default="", help="extractive,oracle,agreeable,search words,claims")
    models.add_argument("--out", type=Path, metavar="FILE", help="write the verdicts as JSON")
    models.set_defaults(run=_model_comparison)
    written = commands.add_parser("entailment", help="errors of the entailment check on written pairs")
    pairs.add_arguments(written)
    written.set_defaults(run=pairs.run)
    runs = commands.add_parser("compare", help="two stored runs side by side")
    runs.add_argument("before", type=Path)
    runs.add_argument("after", type=Path)
    runs.add_argument("--cases", action="append", default=[], metavar="MEASURE", help="list its changed cases")
    runs.set_defaults(run=_compare)
    readers = commands.add_parser("feedback-to-testset", help="make a test set of what readers said of answers")
    readers.add_argument("--data", type=Path, required=True, metavar="DIR", help="the bot's data folder")
    readers.add_argument("--workspace", required=True, metavar="KEY", help="for example slack:T1")
    readers.add_argument(
        "--channel", action="append", required=True, metavar="ID", help="whose papers and answers go out; repeatable"
    )
    readers.add_argument("--out", type=Path, required=True, metavar="DIR", help="the corpus folder to write")
    readers.set_defaults(run=_testset)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 0 when it ran to its end, 2 when what it was given cannot be used."""
    given = _parser().parse_args(arguments)
    try:
        return int(given.run(given))
    except (datasets.CorpusInvalid, configuration.SettingUnknown, OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return WRONG_INPUT


def _measure(given: argparse.Namespace, measure: Measure) -> int:
    corpus, config = configuration.open_corpus(given)
    if given.fresh and config.data.is_dir():
        _empty(config.data)
    run = asyncio.run(measure(Order(corpus=corpus, config=config, limit=given.limit)))
    reports.show(run)
    stamp = f"{datetime.now(UTC):%Y%m%d-%H%M%S}"
    out = given.out or configuration.RESULTS / f"{given.command}-{stamp}.json"
    for path in reports.write(run, out, draw=plots.draw):
        sys.stderr.write(f"wrote {path}\n")
    for note in corpus.notes:
        sys.stderr.write(f"note: {note}\n")
    return 0


def _empty(data: Path) -> None:
    """Remove what the evaluation put there and leave the workspaces of other platforms alone."""
    for folder in [*data.glob("evals*"), data / "readings"]:
        shutil.rmtree(folder, ignore_errors=True)


def _ablation(given: argparse.Namespace) -> int:
    from evals import ablation

    return ablation.run(*configuration.open_corpus(given), given)


def _model_comparison(given: argparse.Namespace) -> int:
    from evals import model_comparison

    return model_comparison.run(*configuration.open_corpus(given), given)


def _benchmark(given: argparse.Namespace) -> int:
    from evals.benchmarks import harness

    return harness.main(given.name, given.options)


def _compare(given: argparse.Namespace) -> int:
    compare.show(compare.load(given.before), compare.load(given.after), measures=given.cases)
    return 0


def _testset(given: argparse.Namespace) -> int:
    from core.domain.model import Workspace
    from evals import feedback_testset

    platform, _, name = given.workspace.partition(":")
    workspace = Workspace(platform=platform, id=name)
    made = asyncio.run(feedback_testset.export(given.data, workspace, given.channel, given.out))
    sys.stdout.write(f"{len(made.rows)} questions over {len(made.papers)} papers in {given.out}\n")
    for why in made.left_out:
        sys.stderr.write(f"left out: {why}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
