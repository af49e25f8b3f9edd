"""Studies are found again by their key, and go with any paper that they were made of."""

from pathlib import Path

import pytest

from core.domain.model import Sentence
from core.domain.studies import Provenance, Review, Section, Summary
from core.library import open_library
from core.library.sqlite.opening import OpenLibrary
from tests.core.library.making import GENERAL, HERE, NOON, citation, make, scope, share
from tests.core.library.sqlite.test_forgetting import files_with, ports

PLAIN = Provenance(mode="extractive")


def summary(paper_id: str, words: str) -> Summary:
    section = Section(name="Results", sentences=(Sentence(text=words, markers=(1,)),))
    return Summary(paper_id=paper_id, sections=(section,), citations=(citation(paper_id, words),), making=PLAIN)


async def with_paper(tmp_path: Path, name: str, words: str, channel: str = "general") -> tuple[OpenLibrary, str]:
    opened = await open_library(tmp_path / "data", HERE)
    made = make(tmp_path, [words], title=name, channel=channel)
    await ports(opened).add(made)
    return opened, made.paper.id


async def test_a_study_is_found_by_its_key_and_kind_and_by_nothing_else(tmp_path: Path) -> None:
    opened, paper = await with_paper(tmp_path, "One", "Bees dance.")
    item = summary(paper, "Bees dance.")
    await opened.studies.keep(item, "k1", papers=[paper], at=NOON)
    assert await opened.studies.kept(Summary, "k1") == item
    assert await opened.studies.kept(Summary, "k2") is None
    assert await opened.studies.kept(Review, "k1") is None
    other = summary(paper, "Bees rest.")
    await opened.studies.keep(other, "k1", papers=[paper], at=NOON)
    assert await opened.studies.kept(Summary, "k1") == other
    await opened.close()


async def test_forgetting_a_paper_takes_its_studies_and_their_words_off_the_disk(tmp_path: Path) -> None:
    opened, paper = await with_paper(tmp_path, "One", "Zwackelbees dance.")
    second = make(tmp_path, ["Ants walk."], title="Two")
    await ports(opened).add(second)
    await opened.studies.keep(summary(paper, "Zwackelbees dance."), "k1", papers=[paper], at=NOON)
    await opened.studies.keep(summary(second.paper.id, "Ants walk."), "k2", papers=[second.paper.id], at=NOON)
    both = Review(subject="dance", papers=(paper, second.paper.id), sections=(), citations=(), making=PLAIN)
    await opened.studies.keep(both, "k3", papers=[paper, second.paper.id], at=NOON)
    forgotten = await opened.library.remove([paper])
    assert forgotten.counts["studies"] == 2
    assert await opened.studies.kept(Summary, "k1") is None
    assert await opened.studies.kept(Review, "k3") is None
    assert await opened.studies.kept(Summary, "k2") is not None
    await opened.forgetting.settled()
    await opened.close()
    assert files_with(tmp_path / "data", "Zwackelbees", "zwackelbees") == []


async def test_a_study_that_was_under_way_when_its_paper_was_forgotten_is_not_kept(tmp_path: Path) -> None:
    opened, paper = await with_paper(tmp_path, "One", "Bees dance.")
    await opened.library.remove([paper])
    await opened.studies.keep(summary(paper, "Bees dance."), "k1", papers=[paper], at=NOON)
    assert await opened.studies.kept(Summary, "k1") is None
    await opened.close()


@pytest.mark.parametrize("channel", ["general", "secret"])
async def test_a_paper_that_lives_on_elsewhere_keeps_its_studies(tmp_path: Path, channel: str) -> None:
    opened, paper = await with_paper(tmp_path, "One", "Bees dance.", channel)
    other = "secret" if channel == GENERAL.id else GENERAL.id
    await opened.library.share(share(paper, other, message="m2"))
    await opened.studies.keep(summary(paper, "Bees dance."), "k1", papers=[paper], at=NOON)
    await opened.library.withdraw(scope(channel), [paper])
    assert await opened.studies.kept(Summary, "k1") is not None
    await opened.library.withdraw(scope(other), [paper])
    assert await opened.studies.kept(Summary, "k1") is None
    await opened.close()
