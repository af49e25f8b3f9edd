"""What a language model does to the answers, step by step: ``python -m evals.model_comparison --corpus DIR``.

The same questions go through the graph without a model, with one that only gives search words, and with one that
writes; beside the configured model (``FOOTNOTE_LLM_*``) stand one that knows the gold and one that agrees to
everything. All of them get a question before anyone gets the next, each time another one first, so that a machine that
is busy for a while is as busy for all. Verdicts are kept with hashes of what was asked and said, never the words.
"""

import argparse
import asyncio
import json
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Literal

from core.config import Config, LlmConfig
from core.domain.language_models import LanguageModel
from core.services.engine import Engine
from core.services.shared_models import shared_models
from evals import answers
from evals.datasets import Corpus, Question
from evals.measured_answers import ModelCapability, open_language_model
from evals.metrics import outcome_right, page_cited
from evals.reference_models import Agreeable, FirstSentence, Oracle, Recorder
from evals.reports import progress_bar
from evals.session import Session
from evals.statistics import percentile


@dataclass(frozen=True, slots=True)
class Trusted:
    """What a model is trusted with, whatever it can."""

    what: Literal["claims", "search_words", "none"]

    async def capability(self) -> Literal["claims", "search_words", "none"]:
        """That."""
        return self.what


_SPLIT = re.compile(r"(?<=\d)\s+(?=[.,]\d)|(?<=\d[.,])\s+(?=\d)")
"""A number that is printed with a gap, such as "0 .2"."""
_NUMBER = re.compile(r"(?<![^\W_])\d+(?:[.,]\d+)*")
"""Not the digits of a name such as S2ORC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One question under one system; ``calls`` are (step, hash of the prompt, hash of the reply)."""

    id: str
    type: str
    expected: str
    outcome: str
    mode: str
    right: bool
    page: bool
    keywords: bool
    answerable: bool
    said: int
    foreign_quotes: int
    foreign_numbers: int
    unquoted: int
    seconds: float
    model_seconds: float
    first_seconds: float
    """Until the first verified sentence was sent; 0 where none was."""
    ahead_seconds: float
    """How long the model went on writing after that."""
    tokens_read: int
    tokens_written: int
    calls: tuple[tuple[str, str, str], ...] = ()


def foreign_numbers(asked: answers.Asked) -> int:
    """Numbers said that neither the quotes behind the sentence nor a shown computation hold."""
    found = 0
    for text, markers in asked.sentences:
        quoted = " ".join(_SPLIT.sub("", quote.quote) for quote in asked.quotes if quote.marker in markers)
        shown = " ".join(words for marker, words in asked.derivations if marker in markers)
        sourced = set(_NUMBER.findall(f"{quoted} {shown}"))
        found += 0 if shown else sum(number not in sourced for number in _NUMBER.findall(_SPLIT.sub("", text)))
    return found


def stratified(questions: Sequence[Question], limit: int) -> list[Question]:
    """``limit`` questions, the types in turns, each type in its own order."""
    kinds: dict[str, list[Question]] = {}
    for item in questions:
        kinds.setdefault(item.type, []).append(item)
    chosen: list[Question] = []
    while len(chosen) < min(limit, len(questions)):
        for rest in kinds.values():
            if rest and len(chosen) < limit:
                chosen.append(rest.pop(0))
    return chosen


@dataclass(kw_only=True)
class System:
    """A way to answer: its session, what it asks a model, and the verdicts on it so far."""

    session: Session
    recorder: Recorder | None
    found: list[Verdict] = field(default_factory=list)


def ways(config: LlmConfig, only: str) -> dict[str, tuple[LanguageModel | None, ModelCapability]]:
    """The systems by name, all of them or those named in ``only``; a configured model in two ways."""
    every: dict[str, tuple[LanguageModel | None, ModelCapability]] = {
        "extractive": (None, Trusted("none")),
        "oracle": (Oracle(), Trusted("claims")),
        "agreeable": (Agreeable(), Trusted("claims")),
    }
    if config.configured:
        every["search words"] = (open_language_model(config), Trusted("search_words"))
        every["claims"] = (open_language_model(config), Trusted("claims"))
    wanted = [name for name in only.split(",") if name]
    return {name: way for name, way in every.items() if not wanted or name in wanted}


async def compared(
    corpus: Corpus,
    config: Config,
    questions: Sequence[Question],
    only: str,
    keep: Callable[[Mapping[str, System]], None],
) -> Mapping[str, System]:
    """Every question once through the graph of each system; ``keep`` is told after each question."""
    bare = replace(config, llm=LlmConfig(context_tokens=config.llm.context_tokens, max_tokens=config.llm.max_tokens))
    shared, systems = shared_models(bare), dict[str, System]()
    async with AsyncExitStack() as stack:
        for name, (model, way) in ways(config.llm, only).items():
            recorder = Recorder(model) if model else None
            engine = await stack.enter_async_context(Engine(bare, models=shared, model=recorder, capability=way))
            systems[name] = System(session=Session(engine=engine), recorder=recorder)
            await systems[name].session.ingest([*corpus.papers, *answers.difficult(corpus, questions)])
        with progress_bar("questions", len(questions)) as step:
            for number, question in enumerate(questions):
                step(question.id)
                for system in _turned(list(systems.values()), number):
                    system.found.append(await _asked(corpus, system.session, question, system.recorder))
                keep(systems)
    return systems


def _turned(systems: Sequence[System], by: int) -> Sequence[System]:
    at = by % len(systems)
    return [*systems[at:], *systems[:at]]


async def _asked(corpus: Corpus, session: Session, question: Question, recorder: Recorder | None) -> Verdict:
    if recorder:
        recorder.clear()
        if isinstance(recorder.model, Oracle):
            recorder.model.question = question
    heard = session.listener = FirstSentence()
    began = time.perf_counter()
    asked = await answers.ask(corpus, session, question)
    seconds = time.perf_counter() - began
    verified = {quote.marker for quote in asked.quotes if quote.stands} | {marker for marker, _ in asked.derivations}
    return Verdict(
        id=question.id,
        type=question.type,
        expected=question.expected,
        outcome=asked.outcome,
        mode=asked.mode,
        right=outcome_right(question.expected, asked.outcome),
        page=page_cited(question, asked.outcome, asked.cited),
        keywords=answers.keywords_said(asked),
        answerable=question.answerable,
        said=len(asked.sentences),
        foreign_quotes=sum(not quote.stands for quote in asked.quotes),
        foreign_numbers=foreign_numbers(asked),
        unquoted=sum(not verified & set(markers) for _, markers in asked.sentences),
        seconds=round(seconds, 3),
        model_seconds=round(recorder.seconds(), 3) if recorder else 0.0,
        first_seconds=round(heard.at - began, 3) if heard.at else 0.0,
        ahead_seconds=round(max(0.0, recorder.written - heard.at), 3) if recorder and heard.at else 0.0,
        tokens_read=asked.usage.prompt_tokens,
        tokens_written=asked.usage.reply_tokens,
        calls=tuple(recorder.calls) if recorder else (),
    )


def row(name: str, found: Sequence[Verdict]) -> str:
    """One line of the table."""
    answerable = [item for item in found if item.answerable]
    refused = [item for item in found if item.expected == "abstain"]

    def share(flags: Sequence[bool]) -> str:
        return f"{sum(flags) / len(flags):.2f}" if flags else "-"

    own = sum(item.seconds - item.model_seconds for item in found)
    model = sum(item.model_seconds for item in found)
    seconds = [item.seconds for item in found]
    written = [item for item in found if item.outcome == "answered"]
    by_model = [item for item in written if item.mode == "model"]
    cells = [
        name,
        share([item.right for item in found]),
        share([item.outcome == "answered" for item in answerable]),
        share([item.page for item in answerable]),
        share([item.keywords for item in answerable]),
        share([item.right for item in refused]),
        share([item.mode == "model" for item in written]),
        str(sum(item.foreign_quotes for item in found)),
        str(sum(item.foreign_numbers for item in found)),
        str(sum(item.unquoted for item in found)),
        f"{sum(len(item.calls) for item in found) / len(found):.1f}",
        f"{sum(item.tokens_read for item in found) / len(found):.0f}",
        f"{sum(item.tokens_written for item in found) / len(found):.0f}",
        f"{percentile(seconds, 0.5):.1f}",
        f"{percentile(seconds, 0.95):.1f}",
        f"{own / model:.0%}" if model else "-",
        share([item.ahead_seconds > 0 for item in by_model]),
    ]
    return "| " + " | ".join(cells) + " |"


HEAD = (
    "| system | outcome right | answered | right page | keywords | refused | written | foreign quotes "
    "| foreign numbers | unquoted | calls | tokens read | written | p50 s | p95 s | own share | sent while writing |\n"
    + "|---" * 17
    + "|"
)


def write(systems: Mapping[str, System], model: str, out: Path) -> None:
    """Write what is known so far to ``out``: a run is long, and may be ended."""
    rows = {name: [asdict(item) for item in system.found] for name, system in systems.items()}
    out.write_text(
        json.dumps({"command": "model-comparison", "model": model, "systems": rows}, indent=1) + "\n", "utf-8"
    )


def run(corpus: Corpus, config: Config, options: argparse.Namespace) -> int:
    """Measure and print; ``--out`` also keeps the verdicts."""
    questions = stratified(corpus.questions, options.limit)

    def keep(systems: Mapping[str, System]) -> None:
        if options.out:
            write(systems, config.llm.model, options.out)

    systems = asyncio.run(compared(corpus, config, questions, options.only, keep))
    sys.stdout.write("\n".join([HEAD, *(row(name, system.found) for name, system in systems.items())]) + "\n")
    return 0
