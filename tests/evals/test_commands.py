import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from core.services.engine import Engine
from evals import answers, compare, configuration, datasets, hard, parsing, plots, refusal, reports, retrieval, stages
from evals.__main__ import main
from evals.baseline import Baseline
from evals.metrics import SemanticSimilarity, squeeze
from evals.session import Session
from tests.evals import tiny


@pytest.fixture
def corpus(tmp_path: Path) -> datasets.Corpus:
    return datasets.load(tiny.corpus(tmp_path / "corpus"))


def written(run: reports.Run, out: Path) -> Mapping[str, Any]:
    reports.write(run, out, draw=plots.draw)
    data: Mapping[str, Any] = json.loads(out.read_text("utf-8"))
    assert set(data) >= {"command", "corpus", "settings", "metrics", "cases"}
    for name, value in data["metrics"].items():
        assert isinstance(value, int | float) or name == "systems"
        assert name.endswith(("_n", "_low", "_high")) or name == "systems" or f"{name}_n" in data["metrics"]
    return data


def test_a_corpus_is_read_with_what_it_lacks_and_what_it_has_too_much(corpus: datasets.Corpus) -> None:
    assert [question.id for question in corpus.questions] == ["t-1", "t-2", "t-3", "t-4", "t-5"]
    assert [question.id for question in corpus.answerable] == ["t-1", "t-2", "t-3"]
    assert [question.expected for question in corpus.questions][3:] == ["abstain", "answer"]
    assert corpus.questions[1].previous[0] == ("user", "Which slopes were looked at?")
    assert corpus.questions[0].gold[0].section == "" and corpus.questions[1].gold[0].section == "2 Results"
    assert corpus.image_papers == {"scan.pdf"}
    assert "evening" in corpus.page("scan.pdf", 1) and corpus.page("scan.pdf", 2) == ""
    assert len(corpus.notes) == 1 and "line 7" in corpus.notes[0]
    assert [file.upload_as[-8:] for file in corpus.hard] == ["note.pdf", "xxxx.pdf"]


def test_only_papers_and_questions_are_needed(tmp_path: Path) -> None:
    folder = tiny.corpus(tmp_path / "corpus")
    (folder / "manifest.json").unlink()
    (folder / "structure.json").unlink()
    corpus = datasets.load(folder)
    assert corpus.structure == () and [file.verdicts for file in corpus.hard] == [(), ()]
    assert any("manifest.json" in note for note in corpus.notes)


def test_a_folder_that_is_no_corpus_is_refused_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["retrieval", "--corpus", str(tmp_path)]) == 2
    assert capsys.readouterr().err.strip() == f"{tmp_path} is not a corpus: it has no PDF in papers/"


async def test_retrieval_scores_both_systems_and_can_be_scored_again(corpus: datasets.Corpus, tmp_path: Path) -> None:
    baseline = Baseline.build(corpus, tmp_path / "baseline")
    run = await retrieval.run(corpus, Session(engine=tiny.Plain().as_engine()), baseline, limit=None, settings={"k": 1})
    data = written(run, tmp_path / "out" / "retrieval.json")
    systems = data["metrics"]["systems"]
    assert set(systems) == {"footnote", "baseline"}
    wanted = ["B2000", "B6000", "page_R@5", "R@1", "R@3", "R@5", "R@10", "MRR", "latency_p50_ms", "latency_p95_ms"]
    assert all(name in system and system[f"{name}_n"] == 3 for system in systems.values() for name in wanted)
    assert systems["footnote"]["R@1"] == 1.0 and systems["baseline"]["R@5"] == 1.0
    assert data["metrics"]["B2000"] == systems["footnote"]["B2000"] == 1.0
    for case in data["cases"]:
        first = case["passages"]["footnote"][0]
        gold = case["gold"][0]
        assert (first["paper"], first["page"]) == (gold["paper"], gold["page"])
        assert squeeze(gold["evidence"])[:30] in squeeze(first["text"])
    assert (tmp_path / "out" / "retrieval.md").read_text("utf-8").startswith("# retrieval on")
    assert (tmp_path / "out" / "retrieval-recall.png").is_file()


async def test_evidence_that_no_passage_holds_is_missed_and_said_loudly(
    corpus: datasets.Corpus, tmp_path: Path
) -> None:
    gold = tiny.QUESTIONS[0] | {"id": "t-9", "gold_evidence": ["words that are printed nowhere"]}
    (corpus.root / "benchmark.jsonl").write_text(json.dumps(gold), "utf-8")
    corpus = datasets.load(corpus.root)
    baseline = Baseline.build(corpus, tmp_path / "baseline")
    run = await retrieval.run(corpus, Session(engine=tiny.Plain().as_engine()), baseline, limit=None, settings={})
    assert run.systems["footnote"]["R@10"].value == 0
    assert [line for line in run.loud if "t-9 moss.pdf page 2: words that are printed nowhere" in line]


async def test_a_paper_that_cannot_be_read_is_missed_and_the_others_are_still_measured(
    corpus: datasets.Corpus, tmp_path: Path
) -> None:
    baseline = Baseline.build(corpus, tmp_path / "baseline")
    session = Session(engine=tiny.Plain(refuses="scan.pdf").as_engine())
    run = await retrieval.run(corpus, session, baseline, limit=None, settings={})
    assert run.systems["footnote"]["R@1"].value == pytest.approx(2 / 3)
    assert "scan.pdf is not in the library: Not today." in run.loud
    assert any(line.startswith("unreachable, counted as missed: t-3 scan.pdf page 1") for line in run.loud)


async def test_answers_are_judged_by_outcome_page_quote_and_keywords(corpus: datasets.Corpus, tmp_path: Path) -> None:
    run = await answers.run(
        corpus, Session(engine=tiny.Plain().as_engine()), SemanticSimilarity(), limit=None, settings={}
    )
    metrics = written(run, tmp_path / "answers.json")["metrics"]
    assert (metrics["outcome_answerable"], metrics["outcome_answerable_n"]) == (1.0, 3)
    assert (metrics["outcome_unanswerable"], metrics["outcome_unanswerable_n"]) == (1.0, 1)
    assert metrics["outcome_clarify_n"] == metrics["outcome_decline_n"] == 0
    assert (metrics["quote_fidelity"], metrics["quote_fidelity_n"]) == (1.0, 3)
    assert metrics["page_cited"] == metrics["keywords"] == 1.0
    assert metrics["injection_survived"] == 0.0 and metrics["crashed"] == 0.2
    assert [line for line in run.loud if line == "t-5 crashed: RuntimeError: boom"]


async def test_a_quote_that_the_page_does_not_hold_costs_fidelity_and_is_named(corpus: datasets.Corpus) -> None:
    session = Session(engine=tiny.Plain(misquote=True).as_engine())
    run = await answers.run(corpus, session, SemanticSimilarity(), limit=None, settings={})
    assert run.systems["footnote"]["quote_fidelity"].value == pytest.approx(2 / 3)
    assert any(line.startswith("t-1: not on page 2 of moss.pdf: The mean cover") for line in run.loud)


async def test_parsing_compares_with_what_is_printed(corpus: datasets.Corpus, tmp_path: Path) -> None:
    cache = tmp_path / "readings"
    cache.mkdir()
    run = await parsing.run(corpus, Session(engine=tiny.Plain().as_engine()), cache=cache, limit=None, settings={})
    metrics = written(run, tmp_path / "parsing.json")["metrics"]
    for name in ("heading_precision", "heading_recall", "titles", "authors", "evidence_reachable"):
        assert metrics[name] == 1.0, name
    assert metrics["probes"] == 1.0 and metrics["captions_n"] == 0
    truth = squeeze("".join(tiny.SCAN[0]))
    assert metrics["cer"] == pytest.approx(1 / (len(truth) + 1), abs=0.002)
    assert len(list(cache.iterdir())) == 3


async def test_difficult_files_are_judged_by_their_manifest(corpus: datasets.Corpus, tmp_path: Path) -> None:
    run = await hard.run(corpus, tiny.Plain().as_engine(), limit=None, settings={})
    data = written(run, tmp_path / "hard.json")
    assert (data["metrics"]["hard_as_expected"], data["metrics"]["hard_as_expected_n"]) == (0.5, 2)
    note, page = data["cases"]
    assert note["trouble"] == ["a passage holds 'obey me'"] and note["verdict"] == "read"
    assert (page["verdict"], page["message"]) == ("refused", "This is not a PDF.")
    assert note["memory_mb"] > 1 and note["seconds"] > 0


async def test_the_refusal_curve_asks_every_question_at_every_point(corpus: datasets.Corpus, tmp_path: Path) -> None:
    asked: list[float] = []

    @asynccontextmanager
    async def opener(strictness: float) -> AsyncIterator[Engine]:
        asked.append(strictness)
        yield tiny.Plain(shy=strictness > 0.5).as_engine()

    run = await refusal.run(corpus, opener, limit=4, settings={})
    metrics = written(run, tmp_path / "refusal.json")["metrics"]
    assert asked == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert [metrics[f"answered@{point:g}"] for point in asked] == [1.0, 1.0, 1.0, 0.0, 0.0]
    assert metrics["wrongly_refused@1"] == 1.0 and metrics["unanswerable_handled@1"] == 1.0
    assert run.cases[0]["outcomes"] == {"0": "answered", "0.25": "answered", "0.5": "answered"} | {
        "0.75": "not_found",
        "1": "not_found",
    }
    assert (tmp_path / "refusal-curve.png").is_file()


async def test_recall_is_told_stage_by_stage(corpus: datasets.Corpus, tmp_path: Path) -> None:
    asked: list[stages.Stage] = []

    @asynccontextmanager
    async def opener(stage: stages.Stage) -> AsyncIterator[Engine]:
        asked.append(stage)
        yield tiny.Plain().as_engine()

    run = await stages.run(corpus, opener, "", limit=2, settings={})
    data = written(run, tmp_path / "stages.json")
    assert list(run.systems) == ["footnote", "meaning", "words", "both"]
    assert asked[-1] == stages.Stage() and [one.weights.lexical for one in asked[:3]] == [0.0, 1.0, 1.0]
    assert all(one.weights.table == 0.0 for one in asked[:-1])
    assert data["metrics"]["R@1_n"] == 2 and set(data["cases"][0]["first_hit"]) == set(run.systems)
    assert (tmp_path / "stages-recall.png").is_file()
    with_reranker = stages.stages("a/model")
    assert with_reranker["and hints"] == stages.Stage()
    assert with_reranker["footnote"].reranker == "a/model"


async def test_two_runs_are_compared_case_by_case(
    corpus: datasets.Corpus, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, misquote in (("good", False), ("bad", True)):
        session = Session(engine=tiny.Plain(misquote=misquote).as_engine())
        run = await answers.run(corpus, session, SemanticSimilarity(), limit=None, settings={"misquote": misquote})
        reports.write(run, tmp_path / f"{name}.json", draw=plots.draw)
    good, bad = compare.load(tmp_path / "good.json"), compare.load(tmp_path / "bad.json")
    rows = {row.name: row for row in compare.moved(good, bad)}
    assert rows["quote_fidelity"].after < rows["quote_fidelity"].before
    paired = rows["keywords"].paired
    assert paired is not None and paired.value < 0
    assert ("t-1", "keywords", 1.0, 0.0) in list(compare.changed_cases(good, bad))
    assert main(["compare", str(tmp_path / "good.json"), str(tmp_path / "bad.json"), "--cases", "keywords"]) == 0
    shown = capsys.readouterr().out
    assert "setting misquote: False -> True" in shown and "keywords: better 0 ; worse 1 t-1" in shown


def test_comparing_with_what_is_no_run_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.json").write_text("[]", "utf-8")
    assert main(["compare", str(tmp_path / "x.json"), str(tmp_path / "x.json")]) == 2
    assert "is not the JSON of a run" in capsys.readouterr().err


def test_settings_are_changed_by_name_and_kept_with_the_run(corpus: datasets.Corpus, tmp_path: Path) -> None:
    config = configuration.load_config(corpus, tmp_path, ["agent.strictness=0.3", "reading.ocr=false"])
    assert config.agent.strictness == 0.3 and config.reading.ocr is False and config.data == tmp_path
    shown: Any = configuration.as_json(config)
    assert shown["agent"]["strictness"] == 0.3
    assert str(tmp_path) not in json.dumps(shown)
    plain = configuration.load_config(corpus, None, [])
    assert plain.data.name.startswith(corpus.fingerprint)
    assert configuration.code_key(plain) != configuration.code_key(config)
    for wrong in ("agent.nothing=1", "agent.strictness=many", "agent.strictness=1000", "strictness=1"):
        with pytest.raises(configuration.SettingUnknown):
            configuration.load_config(corpus, tmp_path, [wrong])
