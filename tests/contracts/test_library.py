"""What every ``Library`` promises."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from core.domain.errors import EmbedderMismatch, NotInScope
from core.domain.model import Box, Figure, Metadata, Reference, Relation, Scope, Table
from core.domain.ports import Filters, Searched
from tests.contracts.library_ports import ports
from tests.core.library.making import (
    HERE,
    NOON,
    THERE,
    Ports,
    answer,
    citation,
    make,
    passage,
    scope,
    share,
    thread,
    turn,
    unit,
)

__all__ = ["ports"]


async def test_a_paper_comes_back_as_it_was_added(ports: Ports, tmp_path: Path) -> None:
    made = make(tmp_path, ["one 中文 ﬁ", "two"])
    await ports.add(made)
    numbers = await ports.library.numbers(scope())
    assert await ports.library.papers(scope()) == [made.paper]
    assert list(await ports.library.paper_passages(scope(), made.paper.id)) == list(made.reading.passages)
    assert await ports.library.passages(scope(), numbers.tolist()) == list(made.reading.passages)
    assert (await ports.library.pdf(scope(), made.paper.id)).read_bytes() == made.pdf.read_bytes()


async def test_tables_figures_and_references_come_back(ports: Ports, tmp_path: Path) -> None:
    box = Box(page=2, x0=10, y0=20, x1=200, y1=300)
    grid = Table(header=("Method", "F1"), rows=(("X", "98.7"),))
    parts = [passage("p" * 64, 0, "Method F1\nX 98.7", kind="table", table=grid, label="Table 1")]
    figure = Figure(
        id="f", paper_id="", page=2, label="Figure 1", caption="A cat", nearby="see", box=box, image=b"\x89PNG cat"
    )
    entry = Reference(paper_id="", ordinal=1, raw="[1] Lee, A. Cats.", label="[1]", authors=("Lee, A.",), year=1999)
    made = make(tmp_path, ["x"], passages=parts, figures=[figure], references=[entry])
    own = made.paper.id
    made = replace(
        made,
        reading=replace(
            made.reading,
            passages=(replace(parts[0], paper_id=own),),
            figures=(replace(figure, paper_id=own),),
            references=(replace(entry, paper_id=own),),
        ),
    )
    await ports.add(made)
    assert list(await ports.library.paper_passages(scope(), own)) == list(made.reading.passages)
    assert list(await ports.library.figures(scope(), own)) == list(made.reading.figures)
    assert list(await ports.library.references(scope(), own)) == list(made.reading.references)


async def test_passages_keep_the_order_asked_for_and_leave_out_what_is_out_of_scope(
    ports: Ports, tmp_path: Path
) -> None:
    await ports.add(make(tmp_path, ["one", "two"]))
    await ports.add(make(tmp_path, ["hidden"], title="Hidden", channel="secret"))
    first, second = (await ports.library.numbers(scope())).tolist()
    (hidden,) = (await ports.library.numbers(scope("secret"))).tolist()
    found = await ports.library.passages(scope(), [second, hidden, first, 999])
    assert [item.text for item in found] == ["two", "one"]


async def test_nothing_of_a_channel_shows_outside_it(ports: Ports, tmp_path: Path) -> None:
    hidden = make(tmp_path, ["hidden"], channel="secret")
    await ports.add(hidden)
    outside = scope("general")
    assert await ports.library.papers(outside) == []
    assert len(await ports.library.numbers(outside)) == 0
    number = int((await ports.library.numbers(scope("secret")))[0])
    assert await ports.library.passages(outside, [number]) == []
    assert await ports.library.searched(outside, [number]) == {}
    assert await ports.library.in_context(outside, [number], reach=1) == {}
    for read in (
        ports.library.paper_passages(outside, hidden.paper.id),
        ports.library.references(outside, hidden.paper.id),
        ports.library.figures(outside, hidden.paper.id),
        ports.library.pdf(outside, hidden.paper.id),
    ):
        with pytest.raises(NotInScope) as refused:
            await read
        assert "secret" not in refused.value.words


async def test_an_unknown_paper_is_refused_in_the_same_words_as_a_hidden_one(ports: Ports, tmp_path: Path) -> None:
    hidden = make(tmp_path, ["hidden"], channel="secret")
    await ports.add(hidden)
    words = []
    for paper_id in (hidden.paper.id, "0" * 64):
        with pytest.raises(NotInScope) as refused:
            await ports.library.paper_passages(scope(), paper_id)
        words.append(refused.value.words)
    assert words[0] == words[1]


async def test_a_scope_of_another_workspace_is_refused_by_every_read(ports: Ports, tmp_path: Path) -> None:
    made = make(tmp_path, ["one"])
    await ports.add(made)
    elsewhere = Scope(workspace=THERE, channels=frozenset({"general"}))
    for read in (
        ports.library.papers(elsewhere),
        ports.library.numbers(elsewhere),
        ports.library.passages(elsewhere, [1]),
        ports.library.paper_passages(elsewhere, made.paper.id),
        ports.library.references(elsewhere, made.paper.id),
        ports.library.figures(elsewhere, made.paper.id),
        ports.library.pdf(elsewhere, made.paper.id),
        ports.library.searched(elsewhere, [1]),
        ports.library.in_context(elsewhere, [1], reach=1),
    ):
        with pytest.raises(NotInScope):
            await read


async def test_shares_and_relations_outside_the_scope_do_not_show(ports: Ports, tmp_path: Path) -> None:
    both, hidden = make(tmp_path, ["one"]), make(tmp_path, ["two"], title="Hidden", channel="secret")
    await ports.add(both)
    await ports.add(hidden)
    await ports.library.share(share(both.paper.id, "secret", message="m2"))
    await ports.library.relate(both.paper.id, Relation(kind="newer version", paper_id=hidden.paper.id))
    (seen,) = await ports.library.papers(scope("general"))
    assert [item.channel for item in seen.shares] == ["general"]
    assert seen.relations == ()
    narrowed = scope("general", "secret", papers=[both.paper.id])
    (whole,) = await ports.library.papers(narrowed)
    assert [item.channel for item in whole.shares] == ["general", "secret"]
    assert whole.relations == (Relation(kind="newer version", paper_id=hidden.paper.id),)


async def test_a_paper_has_the_name_and_the_time_of_the_first_share_that_is_seen(ports: Ports, tmp_path: Path) -> None:
    both, other = make(tmp_path, ["one"], channel="secret", title=""), make(tmp_path, ["two"], title="Other", days=1)
    await ports.add(both)
    await ports.add(other)
    await ports.library.share(share(both.paper.id, message="m2", file_name="plain.pdf", days=2))
    await ports.library.share(share(both.paper.id, message="m3", file_name="later.pdf", days=3))
    here = await ports.library.papers(scope("general"))
    # The oldest bytes are the newest paper here: not even the order tells that they lay elsewhere before.
    assert [paper.title for paper in here] == ["Other", "plain.pdf"]
    assert (here[1].file_name, here[1].added_at) == ("plain.pdf", NOON + timedelta(days=2))
    assert [item.file_name for item in here[1].shares] == ["plain.pdf", "later.pdf"]
    assert [paper.file_name for paper in await ports.library.papers(scope("secret"))] == ["upload.pdf"]


async def test_known_says_yes_wherever_the_paper_lies(ports: Ports, tmp_path: Path) -> None:
    hidden = make(tmp_path, ["hidden"], channel="secret")
    await ports.add(hidden)
    assert await ports.library.known(hidden.paper.id) == hidden.paper
    assert await ports.library.known("0" * 64) is None


async def test_adding_a_known_paper_only_adds_its_place(ports: Ports, tmp_path: Path) -> None:
    made = make(tmp_path, ["one", "two"])
    await ports.add(made)
    before = (await ports.library.numbers(scope())).tolist()
    again = replace(made.paper, shares=(share(made.paper.id, "secret", message="m2"),))
    await ports.add(replace(made, paper=again))
    assert (await ports.library.numbers(scope("general", "secret"))).tolist() == before
    assert (await ports.library.numbers(scope("secret"))).tolist() == before


async def test_sharing_twice_is_harmless_and_an_unknown_paper_is_refused(ports: Ports, tmp_path: Path) -> None:
    made = make(tmp_path, ["one"])
    await ports.add(made)
    await ports.library.share(share(made.paper.id))
    (paper,) = await ports.library.papers(scope())
    assert paper.shares == made.paper.shares
    with pytest.raises(NotInScope):
        await ports.library.share(share("0" * 64))


async def test_taking_one_of_two_places_away_keeps_the_paper_in_the_other(ports: Ports, tmp_path: Path) -> None:
    made = make(tmp_path, ["one"])
    await ports.add(made)
    await ports.library.share(share(made.paper.id, "secret", message="m2"))
    report = await ports.library.unshare(channel="general", message="m1", file_id="f1")
    assert report.papers == ()
    assert report.counts == {"shares": 1}
    assert await ports.library.papers(scope("general")) == []
    assert len(await ports.library.papers(scope("secret"))) == 1


async def test_taking_the_last_place_away_forgets_the_paper(ports: Ports, tmp_path: Path) -> None:
    made = make(tmp_path, ["one", "two"])
    await ports.add(made)
    report = await ports.library.unshare(channel="general", message="m1")
    assert report.papers == (made.paper.id,)
    assert report.counts["passages"] == 2
    assert await ports.library.known(made.paper.id) is None


async def test_a_file_of_a_message_can_be_taken_away_alone(ports: Ports, tmp_path: Path) -> None:
    kept, gone = make(tmp_path, ["kept"], title="Kept"), make(tmp_path, ["gone"], title="Gone")
    await ports.add(kept)
    await ports.add(replace(gone, paper=replace(gone.paper, shares=(share(gone.paper.id, file_id="f2"),))))
    report = await ports.library.unshare(channel="general", message="m1", file_id="f2")
    assert report.papers == (gone.paper.id,)
    assert [paper.id for paper in await ports.library.papers(scope())] == [kept.paper.id]


async def test_taking_an_unknown_place_away_changes_nothing(ports: Ports, tmp_path: Path) -> None:
    await ports.add(make(tmp_path, ["one"]))
    report = await ports.library.unshare(channel="general", message="never")
    assert (report.papers, report.counts) == ((), {})
    assert len(await ports.library.papers(scope())) == 1


async def test_removing_forgets_the_paper_and_what_quotes_it(ports: Ports, tmp_path: Path) -> None:
    made, other = make(tmp_path, ["one"]), make(tmp_path, ["two"], title="Other")
    await ports.add(made)
    await ports.add(other)
    cited, kept = citation(made.paper.id, "one"), citation(other.paper.id, "two")
    await ports.memory.append(thread(), turn("What?"), turn("It is one.", cited, minutes=1), turn("It is two.", kept))
    await ports.memory.keep_answer(thread(), answer("What?", "It is one.", cited), at=made.paper.added_at)
    report = await ports.library.remove([made.paper.id, "0" * 64])
    assert report.papers == (made.paper.id,)
    assert {"passages": 1, "vectors": 1, "shares": 1, "turns": 1, "answers": 1}.items() <= report.counts.items()
    turns = await ports.memory.recent(thread(), limit=9)
    assert [(item.text, item.forgotten) for item in turns] == [("What?", False), ("", True), ("It is two.", False)]
    assert turns[1].citations == ()
    assert await ports.memory.answer(thread(), "trace-1") is None
    assert [paper.id for paper in await ports.library.papers(scope())] == [other.paper.id]


async def test_a_passage_number_is_never_given_twice(ports: Ports, tmp_path: Path) -> None:
    first, second = make(tmp_path, ["one", "two"]), make(tmp_path, ["three"], title="Second")
    await ports.add(first)
    before = (await ports.library.numbers(scope())).tolist()
    await ports.library.remove([first.paper.id])
    await ports.add(second)
    after = (await ports.library.numbers(scope())).tolist()
    assert len(before) == 2
    assert min(after) > max(before)


async def test_vectors_come_back_in_half_precision_by_number(ports: Ports, tmp_path: Path) -> None:
    made = make(tmp_path, ["one", "two", "three"])
    await ports.add(made)
    blocks = [block async for block in ports.library.vectors()]
    numbers = np.concatenate([block[0] for block in blocks])
    vectors = np.concatenate([block[1] for block in blocks])
    assert numbers.tolist() == (await ports.library.numbers(scope())).tolist()
    assert numbers.tolist() == (await ports.library.vector_numbers()).tolist()
    assert vectors.dtype == np.float32
    np.testing.assert_array_equal(vectors, made.vectors.astype(np.float16).astype(np.float32))
    beyond = [number async for block in ports.library.vectors(after=int(numbers[0])) for number in block[0].tolist()]
    assert beyond == numbers[1:].tolist()


async def test_a_collection_remembers_its_embedder(ports: Ports, tmp_path: Path) -> None:
    made, other = make(tmp_path, ["one"]), make(tmp_path, ["two"], title="Other")
    assert await ports.library.embedder() == ""
    await ports.add(made, embedder="first")
    assert await ports.library.embedder() == "first"
    with pytest.raises(EmbedderMismatch, match="footnote reindex"):
        await ports.add(other, embedder="second")
    assert await ports.library.known(other.paper.id) is None
    (number,) = (await ports.library.numbers(scope())).tolist()
    with pytest.raises(ValueError, match="vector"):
        await ports.library.replace_vectors("second", {})
    await ports.library.replace_vectors("second", {number: unit(1, seed=5)[0]})
    await ports.add(other, embedder="second")
    assert await ports.library.embedder() == "second"


async def test_an_emptied_library_takes_any_embedder(ports: Ports, tmp_path: Path) -> None:
    made = make(tmp_path, ["one"])
    await ports.add(made, embedder="first")
    await ports.library.remove([made.paper.id])
    assert await ports.library.embedder() == ""
    await ports.add(made, embedder="second")
    assert await ports.library.embedder() == "second"


async def test_too_few_vectors_are_refused(ports: Ports, tmp_path: Path) -> None:
    made = make(tmp_path, ["one", "two"])
    with pytest.raises(ValueError, match="vector"):
        await ports.add(replace(made, vectors=unit(1)))
    assert await ports.library.known(made.paper.id) is None


async def test_a_correction_takes_the_place_of_what_was_read(ports: Ports, tmp_path: Path) -> None:
    made = make(tmp_path, ["one"], title="Wrnog")
    await ports.add(made)
    right = Metadata(title="Right Title", authors=("Bo Berg",), year=1999, doi="10.1/x")
    await ports.library.correct(made.paper.id, right, user="ann")
    (paper,) = await ports.library.papers(scope(), filters=Filters(until=1999, author="berg"))
    assert paper.metadata == right
    assert await ports.lexical.matching(scope(), ["wrnog"], limit=5) in ((), [])
    assert len(await ports.lexical.matching(scope(), ["right"], limit=5)) == 1
    with pytest.raises(NotInScope):
        await ports.library.correct("0" * 64, right, user="ann")


async def test_papers_come_oldest_first_and_pass_the_filters(ports: Ports, tmp_path: Path) -> None:
    new = make(tmp_path, ["n"], title="New", year=2024, authors=("Zoë Ng",), days=2)
    old = make(tmp_path, ["o"], title="Old", year=1990, days=1)
    undated = make(tmp_path, ["u"], title="Undated", year=None)
    for made in (new, old, undated):
        await ports.add(made)

    async def titles(filters: Filters) -> list[str]:
        return [paper.title for paper in await ports.library.papers(scope(), filters=filters)]

    assert await titles(Filters()) == ["Undated", "Old", "New"]
    assert await titles(Filters(since=1991)) == ["New"]
    assert await titles(Filters(until=1990)) == ["Old"]
    assert await titles(Filters(author="ng")) == ["New"]
    assert await titles(Filters(author="lee", since=1900)) == ["Old"]
    assert await titles(Filters(kinds=frozenset({"table"}))) == []


async def test_numbers_pass_kind_section_year_author_and_paper(ports: Ports, tmp_path: Path) -> None:
    parts = [
        passage("p", 0, "intro"),
        passage("p", 1, "rows", kind="table", section=("4 Results", "4.1 Main Results")),
        passage("p", 2, "more", section=("4 Results",)),
    ]
    first = make(tmp_path, ["a"], passages=parts, year=2001)
    second = make(tmp_path, ["b"], title="Second", year=2002, authors=("Bo Berg",))
    await ports.add(first)
    await ports.add(second)
    item, two, three, four = (await ports.library.numbers(scope())).tolist()

    async def numbers(filters: Filters, papers: list[str] | None = None) -> list[int]:
        found: list[int] = (await ports.library.numbers(scope(papers=papers), filters=filters)).tolist()
        return found

    assert await numbers(Filters(kinds=frozenset({"table"}))) == [two]
    assert await numbers(Filters(section="results")) == [two, three]
    assert await numbers(Filters(section="main results")) == [two]
    assert await numbers(Filters(since=2002)) == [four]
    assert await numbers(Filters(author="berg")) == [four]
    assert await numbers(Filters(), papers=[first.paper.id]) == [item, two, three]
    assert await numbers(Filters(section="results"), papers=[second.paper.id]) == []


async def test_numbers_follow_every_change(ports: Ports, tmp_path: Path) -> None:
    first, second = make(tmp_path, ["one"]), make(tmp_path, ["two"], title="Second")
    await ports.add(first)
    assert len(await ports.library.numbers(scope())) == 1
    versions = [ports.library.version]
    await ports.add(second)
    assert len(await ports.library.numbers(scope())) == 2
    versions.append(ports.library.version)
    await ports.library.share(share(first.paper.id, "secret", message="m2"))
    assert len(await ports.library.numbers(scope("secret"))) == 1
    versions.append(ports.library.version)
    await ports.library.unshare(channel="secret", message="m2")
    assert len(await ports.library.numbers(scope("secret"))) == 0
    versions.append(ports.library.version)
    await ports.library.remove([first.paper.id])
    assert len(await ports.library.numbers(scope())) == 1
    versions.append(ports.library.version)
    assert versions == sorted(set(versions))


async def test_neighbours_stay_within_paper_section_and_reach(ports: Ports, tmp_path: Path) -> None:
    parts = [passage("p", place, f"t{place}", section=("1 A",) if place < 4 else ("2 B",)) for place in range(6)]
    made = make(tmp_path, ["x"], passages=parts)
    parts = [replace(part, paper_id=made.paper.id) for part in parts]
    await ports.add(replace(made, reading=replace(made.reading, passages=tuple(parts))))
    numbers = (await ports.library.numbers(scope())).tolist()
    near = await ports.library.in_context(scope(), [numbers[3], numbers[2], 10_000], reach=1)
    assert {number: [item.text for item in found.context] for number, found in near.items()} == {
        numbers[2]: ["t1", "t3"],
        numbers[3]: ["t2"],
    }
    assert {number: found.passage for number, found in near.items()} == {numbers[2]: parts[2], numbers[3]: parts[3]}
    wide = await ports.library.in_context(scope(), numbers[3:4], reach=2)
    assert [item.text for item in wide[numbers[3]].context] == ["t1", "t2"]


async def test_what_is_scored_of_a_passage_is_read_by_number(ports: Ports, tmp_path: Path) -> None:
    made = make(tmp_path, ["one", "two"])
    await ports.add(made)
    numbers = (await ports.library.numbers(scope())).tolist()
    found = await ports.library.searched(scope(), [numbers[1], 10_000])
    assert found == {numbers[1]: Searched.of(made.reading.passages[1])}


async def test_the_library_knows_whose_it_is(ports: Ports) -> None:
    assert ports.library.workspace == HERE
