from core.domain.model import Scope
from core.domain.ports import Filters
from core.search import FlatIndex, HybridRetriever, NullReranker, SyncedIndex
from tests.core.search.fakes import HERE, SCOPE, MemoryLibrary, passage


async def shelf() -> MemoryLibrary:
    library = MemoryLibrary()
    await library.put(
        "wheat",
        passage("wheat", 0, "Heat stress lowered the grain yield of wheat by a third."),
        passage("wheat", 1, "Plots were irrigated twice a week."),
        passage("wheat", 2, "Yield by treatment: control 5.1, heat 3.4 tonnes.", kind="table"),
    )
    await library.put(
        "silver",
        passage("silver", 0, "Silver nanoparticles inhibited the growth of bacteria."),
        passage("silver", 1, "The particles measured 20 nm on average."),
        channel="P",
    )
    return library


def retriever(library: MemoryLibrary) -> HybridRetriever:
    live = SyncedIndex(library, library.embedder_used.dimension)  # type: ignore[arg-type]
    return HybridRetriever(
        library=library,  # type: ignore[arg-type]
        lexical=library,
        dense=live.current,
        embedder=library.embedder_used,
        reranker=NullReranker(),
    )


async def test_the_answering_passage_comes_first_with_its_neighbours() -> None:
    found = await retriever(await shelf()).search("How did heat stress change grain yield?", SCOPE)
    assert found[0].passage.id == "wheat-0"
    assert [one.id for one in found[0].context] == ["wheat-1"]
    assert found[0].ranks["dense"] == 1 and found[0].ranks["lexical"] == 1


async def test_another_channel_is_never_searched() -> None:
    found = await retriever(await shelf()).search("silver nanoparticles bacteria", SCOPE)
    assert found and {one.paper.id for one in found} == {"wheat"}


async def test_nothing_in_scope_finds_nothing() -> None:
    nowhere = Scope(workspace=HERE, channels=frozenset({"X"}))
    assert list(await retriever(await shelf()).search("silver", nowhere)) == []


async def test_filters_are_kept_before_ranking() -> None:
    tables = Filters(kinds=frozenset({"table"}))
    found = await retriever(await shelf()).search("grain yield under heat stress", SCOPE, filters=tables)
    assert [one.passage.id for one in found] == ["wheat-2"]


async def test_a_cap_per_paper_brings_the_second_paper_in() -> None:
    both = Scope(workspace=HERE, channels=frozenset({"C", "P"}))
    found = await retriever(await shelf()).search("heat stress and wheat yield", both, per_paper=1)
    assert sorted(one.paper.id for one in found) == ["silver", "wheat"]


async def test_what_was_found_is_remembered_until_the_library_changes() -> None:
    library = await shelf()
    search = retriever(library)
    await search.search("heat stress wheat", SCOPE)
    reads = library.reads
    first = await search.search("heat  stress wheat", SCOPE)
    assert library.reads == reads
    await library.put("barley", passage("barley", 0, "Heat stress wheat heat stress wheat."))
    again = await search.search("heat stress wheat", SCOPE)
    assert "barley-0" not in [one.passage.id for one in first]
    assert "barley-0" in [one.passage.id for one in again]


async def test_nothing_of_a_forgotten_paper_stays_in_the_cache() -> None:
    library = await shelf()
    search = retriever(library)
    await search.search("heat stress wheat", SCOPE)
    assert len(search._results) == 1
    library.drop("wheat")
    await search.search("silver", SCOPE)
    assert all(not evidence for evidence in search._results._entries.values())


async def test_a_forgotten_paper_is_not_found_again() -> None:
    library = await shelf()
    search = retriever(library)
    assert (await search.search("irrigated plots", SCOPE))[0].paper.id == "wheat"
    library.drop("wheat")
    assert list(await search.search("irrigated plots", SCOPE)) == []


async def test_copies_of_one_passage_are_shown_once() -> None:
    library = await shelf()
    words = "Heat stress lowered the grain yield of wheat by a third."
    await library.put("copy", passage("copy", 0, words))
    found = await retriever(library).search("grain yield of wheat", SCOPE)
    assert [one.passage.text for one in found].count(words) == 1


async def test_an_index_catches_up_without_reading_everything_again() -> None:
    library = await shelf()
    live = SyncedIndex(library, library.embedder_used.dimension)  # type: ignore[arg-type]
    index = await live.current()
    assert isinstance(index, FlatIndex) and len(index) == 5
    before = library.vector_blocks_read
    new = await library.put("barley", passage("barley", 0, "Barley."))
    library.drop("silver")
    assert (await live.current()) is index
    assert index.numbers().tolist() == [1, 2, 3, *new]
    assert library.vector_blocks_read == before + 1


async def test_an_index_is_made_anew_for_another_embedder() -> None:
    library = await shelf()
    live = SyncedIndex(library, library.embedder_used.dimension)  # type: ignore[arg-type]
    first = await live.current()
    library.identity, library.version = "another", library.version + 1
    assert (await live.current()) is not first
