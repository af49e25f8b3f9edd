"""Errors of the entailment check on automatic changes to real sentences.

Sentences come from the PDFs of any folder, so that the check is measured on words nobody wrote for it. A sentence is
changed in one way, by a fixed seed, and checked against what is printed around it. Papers fall into two halves by
their names: ``--half dev`` is for working on the check, ``--half test`` for reporting.
"""

import argparse
import hashlib
import json
import random
import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evals.datasets import Corpus
from evals.entailment.mutations import FALSE, TRUE, Change, Printed, rewritten
from evals.measured_answers import check_entailment, normalise, parse_text, split_sentences

PER_PAPER = 150
REWORDED: Mapping[str, Change] = {f"{kind}, reworded": change for kind, change in FALSE.items()}
"""The same changes made to a sentence that is put differently already."""
_PROSE = re.compile(r"[A-ZÀ-Ý0-9][^\n]{50,320}[.。]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A changed sentence, of which kind of change, with the printed sentence and what is quoted for it."""

    kind: str
    false: bool
    sentence: str
    printed: Printed


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A case with what the check says."""

    case: Case
    supported: bool
    reasons: tuple[str, ...]


def half(name: str) -> str:
    """Which half a paper of this file name belongs to, the same on every machine."""
    return "dev" if hashlib.sha256(name.encode()).digest()[0] % 2 else "test"


def printed_sentences(paper: str, pages: Iterable[str], rng: random.Random) -> list[Printed]:
    """Up to ``PER_PAPER`` sentences of prose, each with its neighbours and with words from elsewhere in the paper."""
    every: list[tuple[str, ...]] = [tuple(split_sentences(_joined(page))) for page in pages]
    prose = [(row, at) for row in every for at in range(len(row)) if _is_prose(row[at])]
    words = sorted(
        {word.printed for row, at in prose for word in parse_text(normalise(row[at])).content if _plain(word)}
    )
    chosen = rng.sample(prose, min(PER_PAPER, len(prose)))
    return [
        Printed(
            paper=paper,
            sentence=row[at],
            before=tuple(item for item in row[max(0, at - 1) : at] if len(item) < 400),
            after=tuple(item for item in row[at + 1 : at + 2] if len(item) < 400),
            words=tuple(rng.sample(words, min(40, len(words)))),
        )
        for row, at in chosen
    ]


def _joined(page: str) -> str:
    """A page in one line, without numbers that stand alone in theirs: pages, lines of a manuscript."""
    page = re.sub(r"^\s*\d+\s*\n", "", page, flags=re.MULTILINE)
    return re.sub(r"\s+", " ", re.sub(r"(?<=[a-z])-\n(?=[a-z])", "", page))


def _is_prose(text: str) -> bool:
    letters = sum(char.isalpha() or char.isspace() for char in text)
    known = parse_text(normalise(text))
    return (
        bool(_PROSE.fullmatch(text))
        and letters >= 0.85 * len(text)
        and len(known.content) >= 5
        and any(word.small for word in known.words)
    )


def _plain(word: object) -> bool:
    printed = getattr(word, "printed", "")
    return printed.isalpha() and printed.islower() and len(printed) >= 4


def cases(corpus: Corpus, part: str, seed: int) -> Iterator[Case]:
    """Each kind of change where a sentence has room for it, once at most."""
    for path in corpus.papers:
        if part not in ("all", half(path.name)):
            continue
        for printed in printed_sentences(path.name, corpus.pages(path.name), random.Random(f"{seed} {path.name}")):
            for false, changes in ((True, FALSE), (False, TRUE)):
                yield from _changed(printed, changes, false, seed)
            reworded = rewritten(printed, random.Random(f"{seed} {printed.sentence}"))
            if reworded != printed.sentence:
                put = replace(printed, sentence=reworded, original=printed.sentence)
                yield from _changed(put, REWORDED, True, seed)


def _changed(printed: Printed, changes: Mapping[str, Change], false: bool, seed: int) -> Iterator[Case]:
    for kind, change in changes.items():
        sentence = change(printed, random.Random(f"{seed} {kind} {printed.sentence}"))
        if sentence and sentence != printed.sentence:
            yield Case(kind=kind, false=false, sentence=sentence, printed=printed)


def judge(every: Iterable[Case]) -> list[Outcome]:
    """Hold each changed sentence against the printed one and its neighbours."""
    outcomes = []
    for case in every:
        verdict = check_entailment(case.sentence, case.printed.quotes)
        outcomes.append(Outcome(case=case, supported=verdict.supported, reasons=verdict.reasons))
    return outcomes


def table(outcomes: Sequence[Outcome]) -> list[tuple[str, int, int]]:
    """Per kind of change its name, how often the check was wrong, and out of how many."""
    rows = []
    for false, title, changes in ((True, "false accepts", {**FALSE, **REWORDED}), (False, "false rejects", TRUE)):
        group = [item for item in outcomes if item.case.false is false]
        rows.append((title, _wrong(group), len(group)))
        for kind in changes:
            same = [item for item in group if item.case.kind == kind]
            rows.append((f"{title}: {kind}", _wrong(same), len(same)))
    return rows


def _wrong(group: Sequence[Outcome]) -> int:
    return sum(item.supported is item.case.false for item in group)


def corpus_of(folder: Path) -> Corpus:
    """The PDFs of a folder, or of the ``papers`` in it, as a corpus without questions."""
    inside = folder / "papers" if (folder / "papers").is_dir() else folder
    return Corpus(root=inside.parent, papers=tuple(sorted(inside.glob("*.[pP][dD][fF]"))), questions=())


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("folder", type=Path, help="a folder of PDFs, or a corpus with papers/ in it")
    parser.add_argument("--half", choices=("dev", "test", "all"), default="all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print the table as JSON")
    parser.add_argument("--show", default="", help="list the errors of kinds that begin with these words")


def run(options: argparse.Namespace) -> int:
    """Print false accepts by kind of change and false rejects by kind of harmless rewrite."""
    corpus = corpus_of(options.folder)
    if not corpus.papers:
        raise ValueError(f"There is no PDF in {options.folder}.")
    every = list(cases(corpus, options.half, options.seed))
    began = time.process_time()
    outcomes = judge(every)
    milliseconds = (time.process_time() - began) / max(len(every), 1) * 1000
    rows = table(outcomes)
    if options.json:
        values = {name: {"wrong": wrong, "total": total} for name, wrong, total in rows}
        shown = {"command": "entailment-mutations", "half": options.half, "seed": options.seed, "metrics": values}
        sys.stdout.write(json.dumps(shown, indent=1) + "\n")
        return 0
    for name, wrong, total in rows:
        sys.stdout.write(f"{name:<54} {wrong:>4} of {total:>4}  {wrong / max(total, 1):6.1%}\n")
    sys.stdout.write(f"{len(every)} changes, {milliseconds:.2f} ms of processor time each\n")
    if options.show:
        _show(outcomes, options.show)
    return 0


def _show(outcomes: Sequence[Outcome], kinds: str) -> None:
    for item in outcomes:
        if item.supported is item.case.false and item.case.kind.startswith(kinds):
            sys.stdout.write(f"\n{item.case.kind}: {'; '.join(item.reasons) or 'accepted'}\n  {item.case.sentence}\n")
            sys.stdout.write(f"  {item.case.printed.sentence}\n")
