"""The command line of the evaluation: ``python -m evals --help`` names what can be measured.

Papers that were read once are kept under the results folder and found again; ``--fresh`` reads them anew.
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

from evals import compare, datasets, opening, plots, reports
from evals.reports import Json, Run

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from core.config import Config
    from core.domain.endpoints import LanguageModel
    from core.engine import Engine
    from core.search import SignalWeights
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
            "footnote": opening.recorded(self.config),
        }


Command: TypeAlias = Callable[[Order], Coroutine[object, object, Run]]


@asynccontextmanager
async def _engine(
    order: Order, model: "LanguageModel | None" = None, weights: "SignalWeights | None" = None
) -> "AsyncIterator[Engine]":
    from core.engine import Engine

    order.config.data.mkdir(parents=True, exist_ok=True)
    async with Engine(order.config, model=model, weights=weights) as engine:
        yield engine


async def _retrieval(order: Order) -> Run:
    from evals import retrieval
    from evals.baseline import Baseline
    from evals.shelf import Shelf

    baseline = await asyncio.to_thread(Baseline.build, order.corpus, opening.RESULTS / "baseline")
    settings = {**order.settings, "returned": retrieval.RETURNED, "baseline": dict(baseline.settings)}
    async with _engine(order) as engine:
        shelf = Shelf(assistant=engine)
        return await retrieval.run(order.corpus, shelf, baseline, limit=order.limit, settings=settings)


async def _answers(order: Order) -> Run:
    from evals import answers
    from evals.shelf import Shelf
    from evals.similarity import Similarities

    async with _engine(order) as engine:
        shelf = Shelf(assistant=engine)
        return await answers.run(order.corpus, shelf, Similarities(), limit=order.limit, settings=order.settings)


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
    from evals.shelf import Shelf

    cache = order.config.data / "readings"
    async with _engine(order) as engine:
        cache.mkdir(parents=True, exist_ok=True)
        shelf = Shelf(assistant=engine)
        return await parsing.run(order.corpus, shelf, cache=cache, limit=order.limit, settings=order.settings)


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
    from evals.shelf import Shelf

    async with _engine(order) as engine:
        shelf = Shelf(assistant=engine)
        return await page_marks.run(order.corpus, shelf, limit=order.limit, settings=order.settings)


COMMANDS: Mapping[str, Command] = {
    "retrieval": _retrieval,
    "parsing": _parsing,
    "answers": _answers,
    "hard": _hard,
    "refusal": _refusal,
    "stages": _stages,
    "extraction": _extraction,
    "page-marks": _page_marks,
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evals", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in COMMANDS:
        one = commands.add_parser(name, help=f"measure {name} on a corpus")
        one.add_argument("--corpus", type=Path, required=True, metavar="DIR", help="a folder with papers and questions")
        one.add_argument("--out", type=Path, metavar="FILE", help="the JSON; Markdown and plots go beside it")
        one.add_argument("--data", type=Path, metavar="DIR", help="keep and reuse the read papers here")
        one.add_argument("--fresh", action="store_true", help="read the papers anew")
        one.add_argument("--limit", type=int, metavar="N", help="only the first N questions, papers or files")
        one.add_argument(
            "--set",
            action="append",
            default=[],
            metavar="PART.NAME=VALUE",
            help="change a setting, as reading.max_pages=20",
        )
    two = commands.add_parser("compare", help="two stored runs side by side")
    two.add_argument("before", type=Path)
    two.add_argument("after", type=Path)
    two.add_argument(
        "--cases", action="append", default=[], metavar="MEASURE", help="list changed cases of this measure"
    )
    words = commands.add_parser("feedback-to-testset", help="make a test set of what readers said of answers")
    words.add_argument("--data", type=Path, required=True, metavar="DIR", help="the bot's data folder")
    words.add_argument("--workspace", required=True, metavar="KEY", help="for example slack:T1")
    words.add_argument(
        "--channel", action="append", required=True, metavar="ID", help="whose papers and answers go out; repeatable"
    )
    words.add_argument("--out", type=Path, required=True, metavar="DIR", help="the corpus folder to write")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 0 when it ran to its end, 2 when what it was given cannot be used."""
    given = _parser().parse_args(arguments)
    try:
        if given.command == "compare":
            compare.show(compare.load(given.before), compare.load(given.after), measures=given.cases)
            return 0
        if given.command == "feedback-to-testset":
            return _testset(given)
        return _measure(given)
    except (datasets.CorpusInvalid, opening.SettingUnknown, OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return WRONG_INPUT


def _measure(given: argparse.Namespace) -> int:
    corpus = datasets.load(given.corpus)
    config = opening.configured(corpus, given.data, given.set)
    if given.fresh and config.data.is_dir():
        _empty(config.data)
    run = asyncio.run(COMMANDS[given.command](Order(corpus=corpus, config=config, limit=given.limit)))
    reports.show(run)
    stamp = f"{datetime.now(UTC):%Y%m%d-%H%M%S}"
    out = given.out or opening.RESULTS / f"{given.command}-{stamp}.json"
    for path in reports.write(run, out, draw=plots.draw):
        sys.stderr.write(f"wrote {path}\n")
    for note in corpus.notes:
        sys.stderr.write(f"note: {note}\n")
    return 0


def _testset(given: argparse.Namespace) -> int:
    from core.domain.model import Workspace
    from evals import feedback_testset

    platform, _, name = given.workspace.partition(":")
    made = asyncio.run(
        feedback_testset.export(given.data, Workspace(platform=platform, id=name), given.channel, given.out)
    )
    sys.stdout.write(f"{len(made.rows)} questions over {len(made.papers)} papers in {given.out}\n")
    for why in made.left_out:
        sys.stderr.write(f"left out: {why}\n")
    return 0


def _empty(data: Path) -> None:
    """Take out what evaluation put there; a folder that holds anything of another platform is left alone."""
    for place in [*data.glob("evals*"), data / "readings"]:
        shutil.rmtree(place, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
