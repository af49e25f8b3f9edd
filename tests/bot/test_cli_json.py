"""The keys of the JSON that programs read: they may be added to, and none may go or change its name."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path

from bot.cli.ask import answer_row
from core.domain.model import Answer, Derivation, Evidence, Passage, Sentence, Workspace
from core.library import open_library
from tests.bot.actors import citation, paper
from tests.bot.test_cli import footnote
from tests.core.library.making import EMBEDDER, make

ANSWER_KEYS = [
    "question",
    "outcome",
    "mode",
    "sentences",
    "more",
    "citations",
    "message",
    "nearest",
    "candidates",
    "notes",
    "faithfulness",
    "relevancy",
    "rounds",
    "trace_id",
    "seconds",
    "model",
    "prompts",
    "calls",
    "tokens",
    "cost",
]
CITATION_KEYS = ["marker", "paper_id", "title", "file", "section", "label", "spans", "derivation"]
NEAREST_KEYS = ["paper_id", "title", "file", "page", "section", "kind", "text", "score"]
PAPER_KEYS = [
    "number",
    "id",
    "title",
    "authors",
    "year",
    "doi",
    "arxiv_id",
    "venue",
    "language",
    "pages",
    "kind",
    "file",
    "added_at",
    "warnings",
]


async def made_library(data: Path) -> None:
    """A workspace with one paper."""
    library = await open_library(data, Workspace(platform="local", id="main"))
    stored = make(data, ["Slow comets drift."], title="Slow Comets", days=0)
    await library.library.add(stored.paper, stored.reading, stored.vectors, embedder=EMBEDDER, pdf=stored.pdf)
    await library.close()


def test_the_list_of_papers_keeps_its_keys(tmp_path: Path) -> None:
    asyncio.run(made_library(tmp_path))
    listed = json.loads(footnote(tmp_path, "papers", "--json").stdout)
    (row,) = listed["papers"]
    assert list(listed) == ["papers"]
    assert list(row) == PAPER_KEYS


def test_an_answer_keeps_its_keys_down_to_the_quotes() -> None:
    computed = replace(citation(1), derivation=Derivation(expression="1 + 1", result="2", operands=(1,)))
    passage = Passage(
        id="p", paper_id="a" * 64, ordinal=1, page=7, section=("3 Results",), kind="text", text="w", indexed_text=""
    )
    answer = Answer(
        question="q",
        outcome="answered",
        mode="extractive",
        sentences=(Sentence(text="A footnote is a promise.", markers=(1,)),),
        citations=(computed,),
        nearest=(Evidence(passage=passage, paper=paper(), score=1.0),),
    )
    row = json.loads(json.dumps(answer_row(answer, {"a" * 64: paper()})))
    assert list(row) == ANSWER_KEYS
    assert row["sentences"] == [{"text": "A footnote is a promise.", "markers": [1], "form": "quote"}]
    assert list(row["citations"][0]) == CITATION_KEYS
    assert row["citations"][0]["spans"] == [{"page": 5, "quote": "A footnote is a promise."}]
    assert row["citations"][0]["derivation"] == {"expression": "1 + 1", "result": "2"}
    assert list(row["nearest"][0]) == NEAREST_KEYS
