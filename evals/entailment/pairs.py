"""Errors of the entailment check on 666 written pairs of a sentence and a passage.

Each false sentence differs from its passage in one thing. A third of the passages (part "test") is kept out of sight
while the check is worked on; ``--part dev --show`` lists the errors of the rest.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.measured_answers import check_entailment, split_sentences

PAIRS = Path(__file__).with_name("pairs.jsonl")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A sentence, the passage it is held against, and whether the passage supports it.

    ``kind`` says how a true sentence was worded, or the one thing that was changed to make it false.
    """

    id: str
    field: str
    part: str
    kind: str
    supported: bool
    sentence: str
    passage: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A pair with what the check says."""

    pair: Pair
    supported: bool
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """How many of ``total`` pairs of a kind were judged wrongly."""

    name: str
    wrong: int
    total: int


def pairs(part: str = "all") -> list[Pair]:
    """The pairs of a part: ``dev``, ``test`` or ``all``."""
    rows = [Pair(**json.loads(line)) for line in PAIRS.read_text("utf-8").splitlines()]
    return [row for row in rows if part in ("all", row.part)]


def judge(every: Sequence[Pair]) -> list[Judged]:
    """Run the check over each pair, the passage's sentences as quotes."""
    judged = []
    for pair in every:
        verdict = check_entailment(pair.sentence, split_sentences(pair.passage))
        judged.append(Judged(pair=pair, supported=verdict.supported, reasons=verdict.reasons))
    return judged


def shares(judged: Sequence[Judged]) -> Iterator[Share]:
    """False accepts and false rejects, all together and by kind."""
    for supported, name in ((False, "false accepts"), (True, "false rejects")):
        group = [item for item in judged if item.pair.supported is supported]
        yield _share(name, group)
        for kind in sorted({item.pair.kind for item in group}):
            yield _share(f"{name}: {kind}", [item for item in group if item.pair.kind == kind])


def _share(name: str, group: Sequence[Judged]) -> Share:
    return Share(name=name, wrong=sum(item.supported is not item.pair.supported for item in group), total=len(group))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("--part", choices=("dev", "test", "all"), default="all")
    parser.add_argument("--show", action="store_true", help="list the pairs that were judged wrongly")
    parser.add_argument("--json", action="store_true", help="print shares as JSON")


def run(options: argparse.Namespace) -> int:
    """Print shares by kind, and with ``--show`` every pair that was judged wrongly."""
    began = time.perf_counter()
    judged = judge(pairs(options.part))
    seconds = time.perf_counter() - began
    rows = list(shares(judged))
    if options.json:
        values = {row.name: {"wrong": row.wrong, "total": row.total} for row in rows}
        sys.stdout.write(
            json.dumps({"command": "entailment-pairs", "part": options.part, "metrics": values}, indent=1) + "\n"
        )
        return 0
    for row in rows:
        sys.stdout.write(f"{row.name:<32} {row.wrong:>3} of {row.total:>3}  {row.wrong / max(row.total, 1):6.1%}\n")
    sys.stdout.write(f"{len(judged)} pairs, {seconds / max(len(judged), 1) * 1000:.2f} ms each\n")
    if options.show:
        _show(judged)
    return 0


def _show(judged: Sequence[Judged]) -> None:
    for item in judged:
        if item.supported is not item.pair.supported:
            reasons = "; ".join(item.reasons) or "accepted"
            sys.stdout.write(
                f"\n{item.pair.id} {item.pair.kind}: {reasons}\n  {item.pair.sentence}\n  {item.pair.passage}\n"
            )
