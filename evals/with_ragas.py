"""RAGAS over Footnote's answers: ``python -m evals.with_ragas --corpus DIR --python RAGAS/bin/python``.

Faithfulness, context precision, factual correctness and (with ``--embedder``) answer relevancy as the library itself
computes them, by a judge that is named in the result. The judge is the configured model unless another is named, and
is asked at temperature 0.
"""

import asyncio
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.config import Config
from core.engine import Engine
from evals import answers, opening
from evals.datasets import Corpus
from evals.progress import bar
from evals.ragas_scores import NOT_THERE
from evals.shelf import Shelf
from evals.statistics import Measure, mean
from evals.with_model import stratified

SCORER = Path(__file__).with_name("ragas_scores.py")


class RagasUnusable(Exception):
    """RAGAS could not be run; the words say what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """The model that judges, and the one that measures nearness where there is one."""

    base_url: str
    model: str
    api_key: str = ""
    embedder: str = ""

    @property
    def named(self) -> dict[str, str]:
        """As RAGAS is told."""
        return {
            "base_url": self.base_url,
            "model": self.model,
            "api_key": self.api_key,
            "embedder": self.embedder,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """An answer as RAGAS wants it: question, answer, the passages that it cites, and what would have been right."""

    id: str
    question: str
    answer: str
    contexts: tuple[str, ...]
    reference: str

    @property
    def named(self) -> dict[str, object]:
        """By RAGAS' names."""
        return {
            "id": self.id,
            "user_input": self.question,
            "response": self.answer,
            "retrieved_contexts": list(self.contexts),
            "reference": self.reference,
        }


def scored(rows: Sequence[Row], judge: Judge, python: Path) -> tuple[str, list[Mapping[str, float | None]]]:
    """RAGAS' version and its scores, row by row. Raises ``RagasUnusable``."""
    order = json.dumps({"judge": judge.named, "rows": [row.named for row in rows]})
    try:
        # Isolated (-I): modules that lie beside the file would hide libraries of the same name.
        ran = subprocess.run(
            [str(python), "-I", str(SCORER)], input=order, stdout=subprocess.PIPE, text=True, check=False
        )
    except OSError as fault:
        raise RagasUnusable(f"{python} cannot be run; --python names the Python that has RAGAS.") from fault
    if ran.returncode == NOT_THERE:
        raise RagasUnusable(f"{python} has no RAGAS; see above.")
    if ran.returncode != 0:
        raise RagasUnusable(f"RAGAS ended with an error ({ran.returncode}); see above.")
    found = json.loads(ran.stdout)
    return str(found["ragas"]), list(found["scores"])


def measures(found: Sequence[Mapping[str, float | None]]) -> dict[str, Measure]:
    """Means by measure, over the rows where there is a score."""
    names = list(dict.fromkeys(name for scores in found for name in scores))
    held = {name: [value for scores in found if (value := scores.get(name)) is not None] for name in names}
    return {name: mean(values) for name, values in held.items() if values}


async def asked(corpus: Corpus, config: Config, limit: int) -> list[Row]:
    """Footnote's answers to answerable questions, the types in turns; those it gave none to have nothing to score."""
    questions = stratified(corpus.answerable, limit)
    rows = []
    async with Engine(config) as engine:
        shelf = Shelf(assistant=engine)
        await shelf.fill(corpus.papers)
        with bar("questions", len(questions)) as step:
            for question in questions:
                step(question.id)
                answer = await answers.ask(corpus, shelf, question)
                contexts = tuple(dict.fromkeys(quote.quote for quote in answer.quotes))
                if answer.outcome == "answered" and contexts:
                    rows.append(
                        Row(
                            id=question.id,
                            question=question.text,
                            answer=answer.text,
                            contexts=contexts,
                            reference=question.gold_answer,
                        )
                    )
    return rows


def main() -> int:
    """Ask, have it scored, print; ``--out`` also writes JSON."""
    wanted = opening.arguments("with_ragas", __doc__)
    wanted.add_argument("--python", type=Path, required=True, help="the Python of the environment that has RAGAS")
    wanted.add_argument("--limit", type=int, default=20, help="so many questions, the types in turns")
    wanted.add_argument("--judge", default="", metavar="MODEL", help="another judge than the configured model")
    wanted.add_argument("--judge-url", default="", metavar="URL")
    wanted.add_argument("--embedder", default="", metavar="MODEL", help="for answer relevancy, at the same address")
    given, corpus, config = opening.opened(wanted)
    try:
        judge = Judge(
            base_url=given.judge_url or config.llm.base_url,
            model=given.judge or config.llm.model,
            api_key=config.llm.api_key,
            embedder=given.embedder,
        )
        if not (judge.base_url and judge.model):
            raise RagasUnusable("No judge: set FOOTNOTE_LLM_BASE_URL and _MODEL, or name --judge and --judge-url.")
        rows = asyncio.run(asked(corpus, config, given.limit))
        version, found = scored(rows, judge, given.python)
    except RagasUnusable as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(f"RAGAS {version}, judge {judge.model}, {len(rows)} answers\n")
    for name, one in measures(found).items():
        sys.stdout.write(f"{name:<22} {one.value:.3f} [{one.low:.3f}, {one.high:.3f}] of {one.n}\n")
    if given.out:
        kept = {"command": "with_ragas", "ragas": version, "judge": judge.model, "scores": found}
        given.out.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
