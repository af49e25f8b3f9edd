"""Errors of an entailment check on written pairs of a sentence and the quote it rests on.

A pair is a line of JSON: ``quote``, ``sentence``, whether the sentence is ``faithful``, its ``kind`` (how it was
reworded, or what was changed to make it false), and the paper's ``title`` where a reader sees it. Two sets of our own
are read where no file is named: sentences that differ from their passage in one thing, and short ones in own words.
"""

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from core.domain.entailment import Entailment, EntailmentPair, EntailmentVerdict
from evals.measured_answers import RuleEntailment
from evals.measured_search import CrossEncoderEntailment
from evals.statistics import Measure, proportion

OWN = tuple(Path(__file__).with_name(name) for name in ("single_changes.jsonl", "own_words.jsonl"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A sentence with its quote, and whether it follows from it."""

    quote: str
    sentence: str
    faithful: bool
    kind: str
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A pair with what the check says."""

    pair: Pair
    verdict: EntailmentVerdict

    @property
    def is_right(self) -> bool:
        """Whether a faithful sentence is shown, or a false one is not."""
        return self.verdict.entailed is self.pair.faithful


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A share of pairs with its interval."""

    name: str
    measure: Measure


def read_pairs(path: Path) -> list[Pair]:
    """The pairs of a file; keys beside those of ``Pair`` are left out. Raises ``ValueError`` for any other file."""
    pairs = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        try:
            row = json.loads(line)
            pairs.append(
                Pair(
                    quote=row["quote"],
                    sentence=row["sentence"],
                    faithful=row["faithful"],
                    kind=row["kind"],
                    title=row.get("title") or "",
                )
            )
        except (json.JSONDecodeError, KeyError, TypeError, AttributeError) as cause:
            raise ValueError(f"Line {number} of {path} is no pair of a quote and a sentence.") from cause
    return pairs


async def judge(pairs: Sequence[Pair], entailment: Entailment) -> list[Judged]:
    """What the check says of each pair."""
    asked = [EntailmentPair(sentence=pair.sentence, quotes=(pair.quote,), title=pair.title) for pair in pairs]
    verdicts = await entailment.judge(asked)
    return [Judged(pair=pair, verdict=verdict) for pair, verdict in zip(pairs, verdicts, strict=True)]


def shares(judged: Sequence[Judged]) -> Iterator[Share]:
    """False sentences stopped, faithful ones kept and objected to: all together, then by kind."""
    false = [item for item in judged if not item.pair.faithful]
    faithful = [item for item in judged if item.pair.faithful]
    yield from _by_kind("false stopped", false, [item.is_right for item in false])
    yield from _by_kind("faithful kept", faithful, [item.is_right for item in faithful])
    yield from _by_kind("faithful objected to", faithful, [item.verdict.verdict == "no" for item in faithful])


def _by_kind(name: str, judged: Sequence[Judged], flags: Sequence[bool]) -> Iterator[Share]:
    yield Share(name=name, measure=proportion(sum(flags), len(flags)))
    for kind in sorted({item.pair.kind for item in judged}):
        of_kind = [flag for item, flag in zip(judged, flags, strict=True) if item.pair.kind == kind]
        yield Share(name=f"{name}: {kind}", measure=proportion(sum(of_kind), len(of_kind)))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="pairs as JSON lines; our own without it")
    parser.add_argument("--model", default="", metavar="NAME", help="a cross-encoder in place of the rules")
    parser.add_argument("--show", action="store_true", help="list the pairs that were judged wrongly")
    parser.add_argument("--json", action="store_true", help="print shares as JSON")


def run(options: argparse.Namespace) -> int:
    """Print shares by kind, and with ``--show`` every pair that was judged wrongly."""
    pairs = [pair for path in options.files or OWN for pair in read_pairs(path)]
    entailment: Entailment = CrossEncoderEntailment(options.model) if options.model else RuleEntailment()
    began = time.perf_counter()
    judged = asyncio.run(judge(pairs, entailment))
    seconds = time.perf_counter() - began
    rows = list(shares(judged))
    if options.json:
        values = {row.name: asdict(row.measure) for row in rows}
        report = {"command": "entailment", "check": entailment.identity, "metrics": values}
        sys.stdout.write(json.dumps(report, indent=1) + "\n")
        return 0
    for row in rows:
        share = row.measure
        sys.stdout.write(f"{row.name:<44} {share.value:5.2f} [{share.low:.2f}, {share.high:.2f}] of {share.n}\n")
    sys.stdout.write(f"{len(judged)} pairs, {seconds / max(len(judged), 1) * 1000:.2f} ms each\n")
    if options.show:
        _show(judged)
    return 0


def _show(judged: Sequence[Judged]) -> None:
    for item in judged:
        if not item.is_right:
            pair, verdict = item.pair, item.verdict
            sys.stdout.write(f"\n{pair.kind}: {verdict.verdict} {verdict.reason}\n  {pair.sentence}\n  {pair.quote}\n")
