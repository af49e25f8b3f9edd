"""Papers found by what a person remembers of them."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.assistant.papers.paper_list import paper_list
from core.domain.model import Metadata, Paper
from core.domain.ports import Library
from core.domain.records import PaperTags
from core.library import open_library
from core.understanding.papers import PaperResolver
from tests.core.library.making import EMBEDDER, HERE, make, scope


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    opened = await open_library(tmp_path / "data", HERE)
    papers = (
        make(tmp_path, ["a"], title="Attention Is All You Need", authors=("Ashish Vaswani",), year=2017, days=1),
        make(tmp_path, ["b"], title="Deep Residual Learning", authors=("Kaiming He",), year=2015, days=2),
        make(tmp_path, ["c"], title="Deep Learning of Okapis", authors=("Bo Berg",), year=2020, days=3),
        make(tmp_path, ["d"], title="Deep Secrets", authors=("Cy Cole",), year=2021, channel="secret"),
    )
    for made in papers:
        await opened.library.add(made.paper, made.reading, made.vectors, embedder=EMBEDDER, pdf=made.pdf)
    corrected = Metadata(title="Deep Residual Learning", authors=("Kaiming He",), year=2015, arxiv_id="1512.03385")
    await opened.library.correct(papers[1].paper.id, corrected, user="ann")
    yield opened.library
    await opened.close()


async def titles(library: Library, hint: str) -> list[str]:
    return [paper.title for paper in PaperResolver(await library.papers(scope())).find(hint)]


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        ("attention is all you need", ["Attention Is All You Need"]),
        ("Vaswani 2017", ["Attention Is All You Need"]),
        ("1512.03385", ["Deep Residual Learning"]),
        ("deep learning", ["Deep Residual Learning", "Deep Learning of Okapis"]),
        ("okapis by berg", ["Deep Learning of Okapis"]),
        ("secrets", []),
        ("something else", []),
        ("  ", []),
    ],
)
async def test_a_hint_finds_what_it_means_and_nothing_out_of_scope(
    library: Library, hint: str, expected: list[str]
) -> None:
    assert await titles(library, hint) == expected


async def test_the_beginning_of_an_id_names_one_paper(library: Library) -> None:
    (*_, newest) = await library.papers(scope())
    assert await titles(library, newest.id[:8]) == [newest.title]


@pytest.mark.parametrize("words", ["", "deep", "#unread", "since 2016", "in 2020", "to read"])
async def test_every_number_of_a_list_names_that_very_paper_however_the_list_was_narrowed(
    tmp_path: Path, words: str
) -> None:
    papers = [
        make(tmp_path, [str(n)], title=f"{'Deep' if n % 3 else 'Wide'} paper {n}", year=2010 + n % 11, days=n).paper
        for n in range(1, 81)
    ]
    tagged = {one.id: PaperTags(tags=("unread",), statuses=(("", "to read"),)) for one in papers[::4]}
    pages = paper_list(papers, tagged, words).pages
    assert pages > 1 or words == "in 2020"
    shown: dict[int, Paper] = {}
    for page in range(1, pages + 1):
        part = paper_list(papers, tagged, words, page)
        shown |= dict(zip(part.numbers, part.papers, strict=True))
    assert shown and [PaperResolver(papers).find(f"#{number}") for number in shown] == [
        (paper,) for paper in shown.values()
    ]
    whole = paper_list(papers, tagged, words, per_page=1_000)
    assert dict(zip(whole.numbers, whole.papers, strict=True)) == shown


async def test_a_new_paper_changes_no_number(tmp_path: Path) -> None:
    papers = [make(tmp_path, [str(n)], title=f"Paper {n}", days=n).paper for n in range(1, 5)]
    before, after = paper_list(papers[:3], {}), paper_list(papers, {})
    assert before.numbers == (3, 2, 1) and after.numbers == (4, 3, 2, 1)
    assert after.papers[1:] == before.papers
