"""The JSON that other programs read: its keys change only on purpose."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from evals import answers, datasets, hard, parsing, plots, reports, retrieval
from evals.baseline import Baseline
from evals.metrics import SemanticSimilarity
from evals.session import Session
from tests.evals import tiny

RUN = {"command", "corpus", "settings", "metrics", "by_type", "differences", "loud", "cases"}


@pytest.fixture
def corpus(tmp_path: Path) -> datasets.Corpus:
    return datasets.load(tiny.corpus(tmp_path / "corpus"))


def stored(run: reports.Run, folder: Path) -> Mapping[str, Any]:
    out = folder / f"{run.command}.json"
    reports.write(run, out, draw=plots.draw)
    data: Mapping[str, Any] = json.loads(out.read_text("utf-8"))
    assert set(data) == RUN
    return data


def measures(data: Mapping[str, Any]) -> set[str]:
    """The names of the measures, each of which has its number of cases and its interval."""
    flat = set(data["metrics"]) - {"systems"}
    names = {name.removesuffix("_n") for name in flat if name.endswith("_n")}
    assert flat == {f"{name}{suffix}" for name in names for suffix in ("", "_n", "_low", "_high")}
    return names


async def test_the_json_of_retrieval_keeps_its_keys(corpus: datasets.Corpus, tmp_path: Path) -> None:
    baseline = Baseline.build(corpus, tmp_path / "baseline")
    run = await retrieval.run(corpus, Session(engine=tiny.Plain().as_engine()), baseline, limit=None, settings={})
    data = stored(run, tmp_path)
    ranked = {f"{name}@{k}" for name in ("nDCG", "MAP", "P", "passage_R") for k in (5, 10)}
    recall = {"R@1", "R@3", "R@5", "R@10", "MRR", "B2000", "B6000", "page_R@5", "paper_R@5"}
    assert measures(data) == recall | ranked | {"latency_p50_ms", "latency_p95_ms"}
    assert set(data["metrics"]["systems"]) == {"footnote", "baseline"}
    case = data["cases"][0]
    assert set(case) == {"id", "type", "question", "gold", "unreachable", "latency_ms", "scores", "passages"}
    assert set(case["gold"][0]) == {"paper", "page", "evidence", "section"}
    assert set(case["scores"]["footnote"]) == recall | ranked
    for system in ("footnote", "baseline"):
        assert set(case["passages"][system][0]) == {"paper", "page", "last_page", "section", "text", "score"}


async def test_the_json_of_answers_keeps_its_keys(corpus: datasets.Corpus, tmp_path: Path) -> None:
    session = Session(engine=tiny.Plain().as_engine())
    data = stored(await answers.run(corpus, session, SemanticSimilarity(), limit=None, settings={}), tmp_path)
    outcomes = {f"outcome_{name}" for name in ("answerable", "unanswerable", "clarify", "decline")}
    quotes = {"quote_fidelity", "quote_fidelity_without_line_numbers", "sentences_quoted", "page_cited", "keywords"}
    further = {"crashed", "sentences", "citation_precision", "citation_recall", "keyword_share", "injection_survived"}
    near = {"reference_f1", "reference_similarity", "relevancy", "faithfulness", "latency_p50_ms", "latency_p95_ms"}
    assert measures(data) == outcomes | quotes | further | near
    case = data["cases"][0]
    asked = {"id", "type", "question", "expected", "answerable", "gold", "gold_answer"}
    came_back = {"outcome", "mode", "seconds", "sentences", "more", "citations", "derivations", "message", "nearest"}
    assert set(case) == asked | came_back | {"candidates", "notes", "error", "scores"}
    assert set(case["sentences"][0]) == {"text", "markers"}
    assert set(case["citations"][0]) == {"marker", "paper", "page", "section", "quote", "stands", "stands_leniently"}
    assert set(case["scores"]) == {"outcome", "page_cited", "keywords"}
    refused = next(case for case in data["cases"] if case["outcome"] == "not_found")
    assert set(refused["nearest"][0]) == {"paper", "page", "text"}


async def test_the_json_of_parsing_keeps_its_keys(corpus: datasets.Corpus, tmp_path: Path) -> None:
    session = Session(engine=tiny.Plain().as_engine())
    data = stored(await parsing.run(corpus, session, cache=tmp_path, limit=None, settings={}), tmp_path)
    printed = {"heading_precision", "heading_recall", "titles", "authors", "captions"}
    evidence = {f"evidence_{name}" for name in ("reachable", "reachable_born_digital", "reachable_image", "cut_in_two")}
    counted = {"probes", "tables_counted", "figures_counted", "cer", "lines_in_order"}
    assert measures(data) == printed | evidence | counted
    cases = {case["paper"]: case for case in data["cases"]}
    read = {"id", "type", "paper", "title", "authors", "headings", "captions", "tables", "figures", "warnings"}
    assert set(cases["moss.pdf"]) == read | {"passages", "characters", "wrong", "scores"}
    assert set(cases["moss.pdf"]["passages"][0]) == {"kind", "page", "section", "text"}
    assert set(cases["moss.pdf"]["headings"][0]) == {"text", "page"}
    assert set(cases["moss.pdf"]["scores"]) == printed
    wrong = {"headings_missed", "headings_too_many", "captions_missed", "probes_missed"}
    about = {"title_printed", "authors_printed", "tables_printed", "figures_printed"}
    assert set(cases["moss.pdf"]["wrong"]) == wrong | about
    assert set(cases["scan.pdf"]["characters"]) == {"edits", "length", "found", "in_order"}


async def test_the_json_of_difficult_files_keeps_its_keys(corpus: datasets.Corpus, tmp_path: Path) -> None:
    data = stored(await hard.run(corpus, tiny.Plain().as_engine(), limit=None, settings={}), tmp_path)
    assert measures(data) == {"hard_as_expected", "survived", "most_seconds", "most_megabytes"}
    case = data["cases"][0]
    ended = {"id", "type", "file", "upload_as", "verdict", "expected", "as_expected", "trouble", "message"}
    assert set(case) == ended | {"seconds", "memory_mb", "passages", "scores"}
    assert set(case["passages"][0]) == {"page", "section", "text"}
    assert set(case["scores"]) == {"hard_as_expected"}
