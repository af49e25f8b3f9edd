"""A handful of broken files through the fuzz harness; the thousands are run by hand and in nightly checks."""

from pathlib import Path

import pytest

from tests.core.reading import fuzz


@pytest.mark.slow
async def test_broken_files_end_in_a_clear_verdict_and_the_reader_lives(tmp_path: Path) -> None:
    ended = await fuzz.run(15, seed=3, folder=tmp_path)
    assert [(name, found.words) for name, found, _ in ended if found.outcome == "broken"] == []
    assert len(ended) == 16


def test_the_same_seed_gives_the_same_variants(tmp_path: Path) -> None:
    originals = [b"%PDF-1.7 one two three", b"%PDF-1.7 four five six"]
    first = list(fuzz.variants(originals, 20, seed=1))
    assert first == list(fuzz.variants(originals, 20, seed=1))
    assert first != list(fuzz.variants(originals, 20, seed=2))
    assert {name for name, _ in first} == {"flipped", "truncated", "spliced", "retokened", "generated"}
