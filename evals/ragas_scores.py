"""Scores answers with RAGAS, run as a file by a Python of its own: ``PYTHON -I evals/ragas_scores.py < rows > scores``.

RAGAS wants older versions of libraries that Footnote stands on, so it never shares an environment with it. This file
imports nothing of Footnote; rows and scores pass as JSON. ``evals/with_ragas.py`` calls it.
"""

import asyncio
import json
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

VERSION = "0.4.3"
MISSING = (
    f"RAGAS {VERSION} is not installed for this Python. It needs an environment of its own: python -m venv ragas && "
    f'ragas/bin/pip install "ragas=={VERSION}" "langchain-community<0.4" "langchain-openai<1"; '
    "then name ragas/bin/python with --python.\n"
)
NOT_THERE = 3


def _metrics(judge: Mapping[str, str]) -> dict[str, tuple[Any, tuple[str, ...]]]:
    """The measures by name, each with the parts of a row that it looks at."""
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient
    from ragas.embeddings import OpenAIEmbeddings
    from ragas.llms import llm_factory
    from ragas.metrics.collections import AnswerRelevancy, ContextPrecision, FactualCorrectness, Faithfulness

    # The judge's address and key are the given ones alone, whatever is set for other programs.
    alone = DefaultAsyncHttpxClient(trust_env=False)
    client = AsyncOpenAI(base_url=judge["base_url"], api_key=judge["api_key"] or "none", http_client=alone)
    model = llm_factory(judge["model"], client=client, temperature=0.0)
    found: dict[str, tuple[Any, tuple[str, ...]]] = {
        "faithfulness": (Faithfulness(llm=model), ("user_input", "response", "retrieved_contexts")),
        "context_precision": (ContextPrecision(llm=model), ("user_input", "reference", "retrieved_contexts")),
        "factual_correctness": (FactualCorrectness(llm=model), ("response", "reference")),
    }
    if judge["embedder"]:
        near = OpenAIEmbeddings(client=client, model=judge["embedder"])
        found["answer_relevancy"] = (AnswerRelevancy(llm=model, embeddings=near), ("user_input", "response"))
    return found


async def scores(rows: Sequence[Mapping[str, Any]], judge: Mapping[str, str]) -> list[dict[str, float | None]]:
    """A score by measure for each row; None where the judge's reply could not be used."""
    found: list[dict[str, float | None]] = []
    metrics = _metrics(judge)
    for row in rows:
        scored: dict[str, float | None] = {}
        for name, (metric, parts) in metrics.items():
            try:
                scored[name] = float((await metric.ascore(**{part: row[part] for part in parts})).value)
            except Exception as fault:
                sys.stderr.write(f"{row['id']} {name}: {type(fault).__name__}\n")
                scored[name] = None
        found.append(scored)
    return found


def main() -> int:
    """Read the order from standard input, write versions and scores."""
    os.environ["RAGAS_DO_NOT_TRACK"] = "true"
    try:
        import ragas
    except ImportError as fault:
        sys.stderr.write(f"{MISSING}({fault})\n")
        return NOT_THERE
    order = json.load(sys.stdin)
    found = asyncio.run(scores(order["rows"], order["judge"]))
    sys.stdout.write(json.dumps({"ragas": ragas.__version__, "scores": found}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
