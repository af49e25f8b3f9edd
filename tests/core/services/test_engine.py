"""The engine's own promises over real parts: papers in, answers out, nothing across walls, nothing twice."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.config import Config
from core.domain.errors import EmbedderMismatch, NotInScope
from core.domain.model import Channel, Scope, Share, Thread, Workspace
from core.domain.request_context import RequestContext
from core.services.engine import Engine
from core.services.shared_models import shared_models
from tests.core.search.fake_embedder import FakeEmbedder
from tests.pdfs.papers import BATTERIES, LICHENS, write_pdf

_HOME = Workspace(platform="test", id="home")
_AWAY = Workspace(platform="test", id="away")


def _scope(*channels: str, workspace: Workspace = _HOME) -> Scope:
    return Scope(workspace=workspace, channels=frozenset(channels))


def _share(channel: str, message: str) -> Share:
    return Share(paper_id="", channel=channel, message=message, user="ada", at=datetime(2026, 3, 1, tzinfo=UTC))


def _thread(channel: str, workspace: Workspace = _HOME) -> Thread:
    return Thread(channel=Channel(workspace=workspace, id=channel), id="t1")


@pytest.fixture
async def engine(tmp_path: Path, models: Path) -> AsyncIterator[Engine]:
    """A fresh data folder behind real parts."""
    config = Config(data=tmp_path / "data")
    config = replace(config, embedder=replace(config.embedder, cache=models))
    async with Engine(config) as opened:
        yield opened


async def test_a_dropped_paper_is_read_and_answers_with_a_footnote(engine: Engine, tmp_path: Path) -> None:
    report = await engine.papers.ingest(
        _share("c", "1"), scope=_scope("c"), pdf=write_pdf(LICHENS, tmp_path), file_name="lichens.pdf"
    )
    assert report.outcome == "indexed"
    assert report.paper is not None
    assert report.paper.title == LICHENS.title
    assert report.counts["tables"] == 1
    answer = await engine.questions.ask(
        "What was the mean lichen cover on north-facing slopes?", RequestContext(scope=_scope("c"), thread=_thread("c"))
    )
    assert answer.outcome == "answered"
    assert "38 percent" in " ".join(sentence.text for sentence in answer.sentences)
    assert all(sentence.markers for sentence in answer.sentences)
    assert answer.citations[0].paper_id == report.paper.id
    assert answer.citations[0].spans[0].page == 1


async def test_what_a_heading_names_is_answered_by_what_stands_under_it(engine: Engine, tmp_path: Path) -> None:
    report = await engine.papers.ingest(
        _share("c", "1"), scope=_scope("c"), pdf=write_pdf(LICHENS, tmp_path), file_name="lichens.pdf"
    )
    assert "Which limitations do the authors name?" in report.questions
    answer = await engine.questions.ask(
        "Which limitations do the authors name?", RequestContext(scope=_scope("c"), thread=_thread("c"))
    )
    assert answer.outcome == "answered"
    assert "one valley" in " ".join(sentence.text for sentence in answer.sentences)


async def test_the_same_bytes_again_are_known_and_gain_a_place(engine: Engine, tmp_path: Path) -> None:
    pdf = write_pdf(LICHENS, tmp_path)
    await engine.papers.ingest(_share("c", "1"), scope=_scope("c"), pdf=pdf, file_name="a.pdf")
    again = await engine.papers.ingest(_share("c", "2"), scope=_scope("c"), pdf=pdf, file_name="b.pdf")
    assert again.outcome == "known"
    assert "already shared in this channel" in again.reason
    (paper,) = await engine.papers.in_scope(_scope("c"))
    assert [share.message for share in paper.shares] == ["1", "2"]


async def test_bytes_known_only_out_of_sight_are_new_here(engine: Engine, tmp_path: Path) -> None:
    pdf = write_pdf(LICHENS, tmp_path)
    await engine.papers.ingest(_share("private", "1"), scope=_scope("private"), pdf=pdf, file_name="secret-name.pdf")
    here = await engine.papers.ingest(_share("open", "2"), scope=_scope("open"), pdf=pdf, file_name="b.pdf")
    assert here.outcome == "indexed"
    assert here.reason == ""
    assert here.paper is not None
    assert {share.channel for share in here.paper.shares} == {"open"}
    assert here.counts["passages"] > 3


async def test_nothing_crosses_the_wall_between_workspaces(engine: Engine, tmp_path: Path) -> None:
    pdf = write_pdf(LICHENS, tmp_path)
    report = await engine.papers.ingest(_share("c", "1"), scope=_scope("c"), pdf=pdf, file_name="a.pdf")
    assert report.paper is not None
    away = _scope("c", workspace=_AWAY)
    assert await engine.papers.in_scope(away) == []
    answer = await engine.questions.ask(
        "What was the mean lichen cover?", RequestContext(scope=away, thread=_thread("c", _AWAY))
    )
    assert answer.outcome == "not_found"
    assert answer.nearest == ()
    with pytest.raises(NotInScope):
        await engine.papers.forget(away, [report.paper.id])
    assert len(await engine.papers.in_scope(_scope("c"))) == 1


async def test_forgetting_takes_a_paper_out_of_search_at_once(engine: Engine, tmp_path: Path) -> None:
    for draft, message in ((LICHENS, "1"), (BATTERIES, "2")):
        await engine.papers.ingest(
            _share("c", message), scope=_scope("c"), pdf=write_pdf(draft, tmp_path), file_name="p.pdf"
        )
    before = await engine.papers.search("hard carbon anodes", _scope("c"))
    assert any("carbon" in found.passage.text for found in before)
    (batteries,) = [paper for paper in await engine.papers.in_scope(_scope("c")) if paper.title == BATTERIES.title]
    forgotten = await engine.papers.forget(_scope("c"), [batteries.id])
    assert forgotten.papers == (batteries.id,)
    after = await engine.papers.search("hard carbon anodes", _scope("c"))
    assert all(found.paper.id != batteries.id for found in after)


async def test_a_file_that_is_no_pdf_is_refused_in_words(engine: Engine, tmp_path: Path) -> None:
    page = tmp_path / "page.pdf"
    page.write_text("<html>Please sign in</html>")
    report = await engine.papers.ingest(_share("c", "1"), scope=_scope("c"), pdf=page, file_name="page.pdf")
    assert report.outcome == "rejected"
    assert "PDF" in report.reason
    empty = tmp_path / "empty.pdf"
    empty.touch()
    report = await engine.papers.ingest(_share("c", "2"), scope=_scope("c"), pdf=empty, file_name="empty.pdf")
    assert report.outcome == "rejected"
    assert "empty" in report.reason
    assert await engine.papers.in_scope(_scope("c")) == []


async def test_another_embedder_is_refused_until_everything_is_indexed_anew(engine: Engine, tmp_path: Path) -> None:
    await engine.papers.ingest(_share("c", "1"), scope=_scope("c"), pdf=write_pdf(LICHENS, tmp_path), file_name="a.pdf")
    other = replace(shared_models(engine.config), embedder=FakeEmbedder())
    await engine.close()
    async with Engine(engine.config, models=other) as changed:
        with pytest.raises(EmbedderMismatch, match="footnote reindex"):
            await changed.questions.ask(
                "What was the mean cover?", RequestContext(scope=_scope("c"), thread=_thread("c"))
            )
        assert await changed.papers.reindex(_HOME) > 3
        found = await changed.papers.search("soil moisture", _scope("c"))
        assert "Soil moisture" in " ".join(item.passage.text for item in found)


@dataclass
class Told:
    """Someone else who keeps words of papers."""

    papers: list[frozenset[str]] = field(default_factory=list)

    async def forget_papers(
        self,
        workspace: Workspace,
        papers: frozenset[str],
        words: frozenset[str],
        *,
        channels: frozenset[str] | None = None,
    ) -> Mapping[str, int]:
        self.papers.append(papers)
        return {}


async def test_whoever_keeps_words_of_papers_is_told_of_a_workspace_that_is_cleared(
    engine: Engine, tmp_path: Path
) -> None:
    told = Told()
    async with Engine(engine.config, others=[told]) as keeping:
        report = await keeping.papers.ingest(
            _share("c", "1"), scope=_scope("c"), pdf=write_pdf(LICHENS, tmp_path), file_name="a.pdf"
        )
        assert report.paper is not None
        await keeping.papers.clear(_HOME, confirmed=_HOME.key)
        assert told.papers == [frozenset({report.paper.id})]
        assert await keeping.papers.in_scope(_scope("c")) == []
