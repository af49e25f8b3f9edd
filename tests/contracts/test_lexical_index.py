"""What every ``LexicalIndex`` promises."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.domain.errors import NotInScope
from core.domain.model import Scope
from core.domain.ports import Filters
from core.text import index_tokens, query_tokens
from tests.contracts.library_ports import ports
from tests.core.library.making import THERE, Ports, make, passage, scope, share

__all__ = ["ports"]


async def texts(ports: Ports, query: str, *channels: str, limit: int = 10, filters: Filters = Filters()) -> list[str]:  # noqa: B008
    within = scope(*channels)
    hits = await ports.lexical.matching(within, query_tokens(query), limit=limit, filters=filters)
    assert all(hit.score > 0 for hit in hits)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    return [item.text for item in await ports.library.passages(within, [hit.number for hit in hits])]


FILLER = [f"filler number {name}" for name in ("alpha", "beta", "gamma", "delta", "epsilon", "zeta")]


async def test_rarer_and_more_matches_rank_first(ports: Ports, tmp_path: Path) -> None:
    words = ["zebra stripes", "zebra stripes quagga", "stripes", *FILLER]
    await ports.add(make(tmp_path, words))
    assert await texts(ports, "quagga zebra stripes") == ["zebra stripes quagga", "zebra stripes", "stripes"]
    assert await texts(ports, "quagga zebra stripes", limit=1) == ["zebra stripes quagga"]


async def test_nothing_matches_unknown_words_or_no_words(ports: Ports, tmp_path: Path) -> None:
    await ports.add(make(tmp_path, ["zebra", *FILLER]))
    assert await texts(ports, "okapi") == []
    assert list(await ports.lexical.matching(scope(), [], limit=10)) == []
    assert await texts(ports, "zebra", limit=0) == []


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("We train RoBERTa-large for F1 98.7 points", "98.7"),
        ("We train RoBERTa-large for F1 98.7 points", "roberta-large"),
        ("本文提出了一种新的图神经网络模型", "神经网络"),
        ("大規模言語モデルの評価", "言語モデル"),
        ("naïve Bayes und Größe", "größe"),
        ("σ-algebra of β₂ terms", "σ-algebra"),
        ('quotes " and * and ( brackets AND NOT near', '" * ( brackets'),
    ],
)
async def test_words_of_any_script_and_shape_survive(ports: Ports, tmp_path: Path, text: str, query: str) -> None:
    await ports.add(make(tmp_path, [text, *FILLER]))
    assert await texts(ports, query) == [text]


async def test_a_paper_of_another_channel_never_ranks(ports: Ports, tmp_path: Path) -> None:
    await ports.add(make(tmp_path, ["zebra here", *FILLER]))
    await ports.add(make(tmp_path, ["zebra zebra zebra hidden"], title="Hidden", channel="secret"))
    assert await texts(ports, "zebra", "general", limit=1) == ["zebra here"]
    assert await texts(ports, "hidden", "general") == []
    assert await texts(ports, "zebra", "nowhere") == []
    assert await texts(ports, "zebra", "secret") == ["zebra zebra zebra hidden"]


async def test_scopes_and_filters_limit_before_ranking(ports: Ports, tmp_path: Path) -> None:
    parts = [
        passage("p", 0, "zebra zebra text"),
        passage("p", 1, "zebra row", kind="table", section=("4 Results",)),
        *[passage("p", 2 + place, text) for place, text in enumerate(FILLER)],
    ]
    old = make(tmp_path, ["a"], passages=parts, year=1990)
    new = make(tmp_path, ["zebra new", *FILLER], title="New", year=2024, authors=("Bo Berg",))
    await ports.add(old)
    await ports.add(new)
    assert await texts(ports, "zebra", limit=1, filters=Filters(kinds=frozenset({"table"}))) == ["zebra row"]
    assert await texts(ports, "zebra", limit=1, filters=Filters(section="results")) == ["zebra row"]
    assert await texts(ports, "zebra", limit=1, filters=Filters(since=2000)) == ["zebra new"]
    assert await texts(ports, "zebra", limit=1, filters=Filters(author="berg")) == ["zebra new"]
    hits = await ports.lexical.matching(scope(papers=[new.paper.id]), ["zebra"], limit=1)
    allowed = await ports.library.numbers(scope(papers=[new.paper.id]))
    assert [hit.number for hit in hits] == allowed[:1].tolist()


async def test_many_papers_and_channels_are_scoped_like_few(ports: Ports, tmp_path: Path) -> None:
    made = [make(tmp_path, [f"zebra {place}"], title=f"Paper {place}", channel=f"c{place}") for place in range(60)]
    for item in made:
        await ports.add(item)
    allowed = frozenset(f"c{place}" for place in range(55))
    wide = replace(scope(), channels=allowed)
    hits = await ports.lexical.matching(wide, ["zebra"], limit=100)
    assert {hit.number for hit in hits} == set((await ports.library.numbers(wide)).tolist())
    assert len(hits) == 55
    narrow = replace(scope(), channels=frozenset(f"c{place}" for place in range(60)))
    narrow = narrow.within(frozenset(item.paper.id for item in made[3:58]))
    hits = await ports.lexical.matching(narrow, ["zebra"], limit=100)
    assert {hit.number for hit in hits} == set((await ports.library.numbers(narrow)).tolist())
    assert len(hits) == 55


async def test_sharing_and_unsharing_move_what_is_found(ports: Ports, tmp_path: Path) -> None:
    made = make(tmp_path, ["zebra", *FILLER])
    await ports.add(made)
    await ports.library.share(share(made.paper.id, "secret", message="m2"))
    assert await texts(ports, "zebra", "secret") == ["zebra"]
    await ports.library.unshare(channel="general", message="m1")
    assert await texts(ports, "zebra", "general") == []
    assert await texts(ports, "zebra", "secret") == ["zebra"]


async def test_title_and_section_words_find_their_passages(ports: Ports, tmp_path: Path) -> None:
    parts = [passage("p", 0, "alpha", section=("3 Wombats",)), passage("p", 1, "beta"), passage("p", 2, "gamma")]
    await ports.add(make(tmp_path, ["x"], passages=parts, title="Marsupials at Large"))
    await ports.add(make(tmp_path, FILLER, title="Another"))
    assert sorted(await texts(ports, "marsupials")) == ["alpha", "beta", "gamma"]
    assert await texts(ports, "wombats") == ["alpha"]


async def test_a_forgotten_paper_leaves_index_and_frequencies(ports: Ports, tmp_path: Path) -> None:
    gone, kept = make(tmp_path, ["zebra shared", "zebra"]), make(tmp_path, ["shared", *FILLER], title="Kept")
    await ports.add(gone)
    await ports.add(kept)
    terms = [*index_tokens("zebra"), *index_tokens("shared"), *index_tokens("okapi")]
    before = await ports.lexical.document_frequencies(scope(), terms)
    assert list(before.values()) == [2, 2, 0]
    await ports.library.remove([gone.paper.id])
    after = await ports.lexical.document_frequencies(scope(), terms)
    assert list(after.values()) == [0, 1, 0]
    assert await texts(ports, "zebra") == []
    assert await texts(ports, "shared") == ["shared"]
    await ports.add(gone)
    assert len(await texts(ports, "zebra")) == 2


async def test_a_scope_of_another_workspace_is_refused(ports: Ports) -> None:
    elsewhere = Scope(workspace=THERE, channels=frozenset({"general"}))
    with pytest.raises(NotInScope):
        await ports.lexical.matching(elsewhere, ["zebra"], limit=1)
    with pytest.raises(NotInScope):
        await ports.lexical.document_frequencies(elsewhere, ["zebra"])


async def test_passages_that_are_named_get_the_scores_that_a_search_gives(ports: Ports, tmp_path: Path) -> None:
    await ports.add(
        make(tmp_path, ["zebra stripes", "zebra zebra quagga and a much longer passage", "stripes", *FILLER])
    )
    terms = query_tokens("zebra stripes okapi")
    hits = await ports.lexical.matching(scope(), terms, limit=10)
    numbers = (await ports.library.numbers(scope())).tolist()
    found = await ports.lexical.scores(scope(), terms, [*numbers, 10_000])
    assert len(hits) == 3
    assert found == pytest.approx({hit.number: hit.score for hit in hits}, rel=1e-9)
    assert await ports.lexical.scores(scope(), terms, []) == {}
    assert await ports.lexical.scores(scope("elsewhere"), terms, numbers) == {}
    with pytest.raises(NotInScope):
        await ports.lexical.scores(Scope(workspace=THERE, channels=frozenset({"general"})), terms, numbers)
