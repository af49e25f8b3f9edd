from pathlib import Path

import pytest

from evals import datasets
from evals.baseline import CHUNK_TOKENS, OVERLAP_TOKENS, Baseline, chunks, fuse
from evals.metrics import SemanticSimilarity
from tests.evals import tiny


def test_chunks_overlap_and_know_the_pages_of_their_first_and_last_character() -> None:
    pages = ["a " * 500, "b " * 300]
    joined = "\n".join(pages)
    tokens = [(at, at + 1) for at, char in enumerate(joined) if char in "ab"]
    cut = list(chunks("p.pdf", pages, tokens))
    assert [(piece.page, piece.last_page) for piece in cut] == [(1, 2), (1, 2)]
    assert cut[0].text.count("a") == 500 and cut[0].text.count("b") == CHUNK_TOKENS - 500
    second = CHUNK_TOKENS - OVERLAP_TOKENS
    assert cut[1].text.count("a") == 500 - second and cut[1].text.count("b") == 300


def test_a_paper_shorter_than_a_chunk_is_one_chunk_and_one_without_text_is_none() -> None:
    assert [piece.text for piece in chunks("p.pdf", ["ab"], [(0, 1), (1, 2)])] == ["ab"]
    assert list(chunks("p.pdf", ["", ""], [])) == []


def test_no_chunk_holds_only_what_the_one_before_it_held() -> None:
    text = "x" * (CHUNK_TOKENS)
    tokens = [(at, at + 1) for at in range(CHUNK_TOKENS)]
    assert len(list(chunks("p.pdf", [text], tokens))) == 1


def test_fusion_adds_reciprocal_ranks() -> None:
    ranked = fuse([7, 8], [8, 9])
    assert [number for number, _ in ranked] == [8, 7, 9]
    assert ranked[0][1] == 1 / 62 + 1 / 61


@pytest.mark.slow
def test_the_real_encoder_finds_the_page_that_answers_and_is_asked_once_for_a_corpus(tmp_path: Path) -> None:
    corpus = datasets.load(tiny.corpus(tmp_path / "corpus"))
    built = Baseline.build(corpus, tmp_path / "baseline")
    (found,) = built.search("What share of north slopes did the moss cover?", 1)
    assert (found.paper, found.page) == ("moss.pdf", 1)
    (kept,) = (tmp_path / "baseline").iterdir()
    written = kept.stat().st_mtime_ns
    assert Baseline.build(corpus, tmp_path / "baseline").search("How many bees?", 1)[0].paper == "bees.pdf"
    assert kept.stat().st_mtime_ns == written


@pytest.mark.slow
def test_the_real_encoder_sees_like_topics_as_near() -> None:
    near, far = SemanticSimilarity().pairs(
        [("bees in a park", "insects of cities"), ("bees in a park", "a sum of money")]
    )
    assert near > far
