"""Forgetting leaves no word on the disk, whatever lay around it, and finishes after a crash."""

import asyncio
import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from core.domain.model import Box, Figure, Heading, Reference, Workspace
from core.library import OpenLibrary, open_library, workspace_folder
from core.library.sqlite import forgetting
from core.text import hash_words_as_text
from tests.core.library.making import (
    HERE,
    NOON,
    SECRET,
    Made,
    Ports,
    answer,
    citation,
    make,
    scope,
    share,
    thread,
    turn,
)


@dataclass
class Listener:
    """Someone else who keeps words."""

    heard: list[tuple[str, frozenset[str], frozenset[str]]] = field(default_factory=list)
    left: list[tuple[frozenset[str], frozenset[str]]] = field(default_factory=list)
    failing: bool = False

    async def forget_papers(
        self,
        workspace: Workspace,
        papers: frozenset[str],
        words: frozenset[str],
        *,
        channels: frozenset[str] | None = None,
    ) -> Mapping[str, int]:
        if self.failing:
            raise KeyboardInterrupt
        if channels is not None:
            self.left.append((papers, channels))
            return {}
        self.heard.append((workspace.key, papers, words))
        return {"replies": 3}


def ports(opened: OpenLibrary) -> Ports:
    return Ports(opened.library, opened.lexical, opened.memory)


def own_words(mark: str, rng: random.Random, count: int) -> list[str]:
    """Words that only one paper has, each with its mark in front."""
    return [f"{mark}{rng.randrange(16**6):06x}" for _ in range(count)]


def rich(folder: Path, mark: str, rng: random.Random) -> Made:
    """A paper with words of its own everywhere a paper can hold words; long, short and very long passages."""
    texts = [" ".join(own_words(mark, rng, rng.choice((2, 12, 60, 900)))) for _ in range(rng.randrange(1, 40))]
    box = Box(page=1, x0=0, y0=0, x1=9, y1=9)
    figure = Figure(
        id="f",
        paper_id="",
        page=1,
        label=f"{mark}label",
        caption=" ".join(own_words(mark, rng, 9)),
        nearby=" ".join(own_words(mark, rng, 40)),
        box=box,
        image=f"PNG {mark}".encode(),
    )
    made = make(
        folder,
        texts,
        title=" ".join(own_words(mark, rng, 6)),
        authors=tuple(own_words(mark, rng, 2)),
        figures=[figure],
        references=[
            Reference(paper_id="", ordinal=n, raw=" ".join(own_words(mark, rng, 15))) for n in range(rng.randrange(40))
        ],
        headings=[Heading(text=" ".join(own_words(mark, rng, 4)), page=1, level=1) for _ in range(8)],
        channel=rng.choice(("general", "secret")),
    )
    made.pdf.rename(folder / "current.pdf")
    return replace(made, pdf=folder / "current.pdf")


async def talk(ports: Ports, made: Made, mark: str, rng: random.Random) -> None:
    """A conversation that quotes the paper, and a question and a remark that repeat its words uncited."""
    quote = made.reading.passages[0].text
    cited = citation(made.paper.id, quote)
    where = thread(name=f"t{rng.randrange(3)}")
    await ports.memory.append(where, turn(f"What is {quote.split()[0]}?"), turn(quote, cited, minutes=1))
    await ports.memory.keep_answer(where, answer(f"What is {quote.split()[0]}?", quote, cited, trace_id=mark), at=NOON)
    await ports.memory.keep_feedback(where, mark, user="ann", verdict="wrong", words=quote.split()[-1], at=NOON)


def files_with(data: Path, *marks: str) -> list[str]:
    """Files under ``data`` whose bytes hold one of the marks, in the log and in unused pages too."""
    return [
        f"{path.name} holds {mark}"
        for path in sorted(data.rglob("*"))
        if path.is_file()
        for mark in marks
        if mark.encode() in path.read_bytes()
    ]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
async def test_no_file_holds_a_word_of_a_forgotten_paper(tmp_path: Path, seed: int) -> None:
    rng, data = random.Random(seed), tmp_path / "data"
    opened = await open_library(data, HERE)
    living: dict[str, Made] = {}
    gone: list[str] = []
    for step in range(28):
        if len(living) < 3 or rng.random() < 0.6:
            mark = f"q{step:02d}z"
            living[mark] = rich(tmp_path, mark, rng)
            await ports(opened).add(living[mark])
            await talk(ports(opened), living[mark], mark, rng)
            if rng.random() < 0.3:
                title = " ".join(own_words(mark, rng, 12))
                metadata = replace(living[mark].paper.metadata, title=title)
                await opened.library.correct(living[mark].paper.id, metadata, user="ann")
            assert files_with(data, mark) != []
        else:
            mark = rng.choice(sorted(living))
            await opened.library.remove([living.pop(mark).paper.id])
            gone.append(mark)
            assert files_with(data, *gone) == []
    assert len(gone) > 3
    await opened.forgetting.settled()
    everything = scope("general", "secret")
    for mark, made in living.items():
        found = await opened.library.paper_passages(everything, made.paper.id)
        assert list(found) == list(made.reading.passages), mark
    await opened.close()
    assert files_with(data, *gone) == []


async def test_what_others_said_stays(tmp_path: Path) -> None:
    opened = await open_library(tmp_path / "data", HERE)
    kept, gone = make(tmp_path, ["tapirs swim"], title="Kept"), make(tmp_path, ["okapis hide"], title="Gone")
    await ports(opened).add(kept)
    await ports(opened).add(gone)
    said = [
        turn("Do tapirs swim?"),
        turn("Tapirs swim.", citation(kept.paper.id, "tapirs swim")),
        turn("And okapis?"),
        turn("Okapis hide.", citation(gone.paper.id, "okapis hide")),
    ]
    await opened.memory.append(thread(), *said)
    report = await opened.library.remove([gone.paper.id])
    turns = await opened.memory.recent(thread(), limit=9)
    assert list(turns[:2]) == said[:2]
    assert [(item.text, item.citations, item.forgotten) for item in turns[2:]] == [("", (), True), ("", (), True)]
    assert report.counts == {"passages": 1, "vectors": 1, "files": 1, "shares": 1, "turns": 2}
    await opened.close()


async def test_the_last_place_taken_away_leaves_no_word(tmp_path: Path) -> None:
    data = tmp_path / "data"
    opened = await open_library(data, HERE)
    made = make(tmp_path, ["okapiword hides"], title="Okapi")
    await ports(opened).add(made)
    assert files_with(data, "okapiword") != []
    await opened.library.unshare(channel="general", message="m1")
    assert files_with(data, "okapiword") == []
    await opened.close()


async def test_withdrawing_reports_the_same_whether_or_not_the_paper_lives_on_elsewhere(tmp_path: Path) -> None:
    reports = []
    for place in ("alone", "elsewhere"):
        opened = await open_library(tmp_path / place, HERE, others=[Listener()])
        made = make(tmp_path, ["okapis hide", "and seek"])
        await ports(opened).add(made)
        cited = citation(made.paper.id, "okapis hide")
        await opened.memory.append(thread(), turn("Where?"), turn("They hide.", cited))
        if place == "elsewhere":
            await opened.library.share(share(made.paper.id, "secret", message="m2"))
            await opened.memory.append(thread(SECRET), turn("Hidden.", cited))
        reports.append(await opened.library.withdraw(scope("general"), [made.paper.id]))
        assert await opened.library.papers(scope("general")) == []
        assert [item.forgotten for item in await opened.memory.recent(thread(), limit=9)] == [False, True]
        living = await opened.library.papers(scope("secret"))
        assert [item.id for item in living] == ([made.paper.id] if place == "elsewhere" else [])
        secret = await opened.memory.recent(thread(SECRET), limit=9)
        assert [item.text for item in secret] == (["Hidden."] if place == "elsewhere" else [])
        await opened.close()
    assert reports[0] == reports[1]


async def test_a_picture_that_two_papers_share_stays_until_both_are_gone(tmp_path: Path) -> None:
    data = tmp_path / "data"
    opened = await open_library(data, HERE)
    box = Box(page=1, x0=0, y0=0, x1=9, y1=9)
    picture = Figure(
        id="f", paper_id="", page=1, label="Figure 1", caption="", nearby="", box=box, image=b"the same picture"
    )
    first, second = (make(tmp_path, [name], title=name, figures=[picture]) for name in ("one", "two"))
    await ports(opened).add(first)
    await ports(opened).add(second)
    await opened.library.remove([first.paper.id])
    (figure,) = await opened.library.figures(scope(), second.paper.id)
    assert figure.image == b"the same picture"
    await opened.library.remove([second.paper.id])
    assert files_with(data, "the same picture") == []
    await opened.close()


async def test_others_are_told_of_papers_and_of_words_that_only_they_held(tmp_path: Path) -> None:
    listener = Listener()
    opened = await open_library(tmp_path / "data", HERE, others=[listener])
    gone = make(tmp_path, ["okapis and tapirs"], title="Gone")
    await ports(opened).add(gone)
    await ports(opened).add(make(tmp_path, ["tapirs alone"], title="Kept"))
    report = await opened.library.remove([gone.paper.id])
    ((key, papers, words),) = listener.heard
    assert (key, papers) == (HERE.key, frozenset({gone.paper.id}))
    assert hash_words_as_text("okapis gone") <= words
    assert words.isdisjoint(hash_words_as_text("tapirs"))
    assert report.counts["replies"] == 3
    await opened.close()


async def test_others_are_told_at_the_next_start_where_a_crash_came_in_between(tmp_path: Path) -> None:
    data, listener = tmp_path / "data", Listener()
    opened = await open_library(data, HERE, others=[Listener(failing=True)])
    made = make(tmp_path, ["okapiword hides"], title="Gone")
    await ports(opened).add(made)
    with pytest.raises(KeyboardInterrupt):
        await opened.library.remove([made.paper.id])
    await opened.close()
    opened = await open_library(data, HERE, others=[listener])
    await opened.forgetting.settled()
    ((_, papers, words),) = listener.heard
    assert papers == {made.paper.id}
    assert hash_words_as_text("okapiword") <= words
    assert files_with(data, "okapiword") == []
    await opened.close()
    opened = await open_library(data, HERE, others=[listener])
    assert len(listener.heard) == 1
    await opened.close()


async def test_others_are_told_of_a_channel_that_a_paper_left_even_after_a_crash(tmp_path: Path) -> None:
    data, listener = tmp_path / "data", Listener()
    made = make(tmp_path, ["okapis hide"])
    opened = await open_library(data, HERE, others=[Listener(failing=True)])
    await ports(opened).add(made)
    await opened.library.share(share(made.paper.id, "secret", message="m2"))
    with pytest.raises(KeyboardInterrupt):
        await opened.library.withdraw(scope("general"), [made.paper.id])
    await opened.close()
    opened = await open_library(data, HERE, others=[listener])
    assert listener.left == [(frozenset({made.paper.id}), frozenset({"general"}))] and listener.heard == []
    assert [item.id for item in await opened.library.papers(scope("secret"))] == [made.paper.id]
    await opened.library.withdraw(scope("secret"), [made.paper.id])
    assert [papers for _, papers, _ in listener.heard] == [frozenset({made.paper.id})] and len(listener.left) == 1
    await opened.close()


async def test_settling_clears_the_numbers_of_the_index_too(tmp_path: Path) -> None:
    opened = await open_library(tmp_path / "data", HERE)
    papers = [make(tmp_path, [f"paper {n} of words" for _ in range(20)], title=f"Paper {n}") for n in range(12)]
    for made in papers:
        await ports(opened).add(made)
    for made in papers:
        await opened.library.remove([made.paper.id])
    await opened.forgetting.settled()
    async with opened.library._database.read() as connection:
        rows = await connection.execute_fetchall("SELECT total(length(block)) FROM lexical_data WHERE id > 10")
        notes = await connection.execute_fetchall("SELECT key FROM meta WHERE key IN ('clearing', 'forgetting')")
    assert next(iter(rows))[0] == 0
    assert list(notes) == []
    await opened.close()


async def test_what_is_forgotten_at_the_very_end_of_a_clearing_is_cleared_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = await open_library(tmp_path / "data", HERE)
    early, late = (make(tmp_path, [f"{title} words"] * 9, title=title) for title in ("Early", "Late"))
    for made in (early, late):
        await ports(opened).add(made)
    give_back = forgetting.Forgetting._give_back

    async def with_one_more(self: forgetting.Forgetting) -> None:
        if late.paper.id in {paper.id for paper in await opened.library.papers(scope())}:
            await opened.library.remove([late.paper.id])
        await give_back(self)

    monkeypatch.setattr(forgetting.Forgetting, "_give_back", with_one_more)
    await opened.library.remove([early.paper.id])
    await opened.forgetting.settled()
    async with opened.library._database.read() as connection:
        notes = await connection.execute_fetchall("SELECT key FROM meta WHERE key IN ('clearing', 'forgetting')")
    assert list(notes) == []
    await opened.close()


async def test_blank_words_are_given_back_and_turns_keep_their_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forgetting, "_LEAST_BLANK", 10_000)
    opened = await open_library(tmp_path / "data", HERE)
    big = make(tmp_path, ["okapi " * 400 for _ in range(50)], title="Big")
    small = make(tmp_path, ["tapirs swim"], title="Small")
    await ports(opened).add(big)
    await ports(opened).add(small)
    await opened.memory.append(thread(), turn("Okapi.", citation(big.paper.id, "okapi")))
    before = await opened.library._database.size()
    await opened.library.remove([big.paper.id])
    await opened.forgetting.settled()
    assert await opened.library._database.size() < before / 2
    assert [item.text for item in await opened.library.paper_passages(scope(), small.paper.id)] == ["tapirs swim"]
    assert [item.forgotten for item in await opened.memory.recent(thread(), limit=9)] == [True]
    assert len(await opened.lexical.matching(scope(), ["swim"], limit=5)) == 1
    await opened.close()


async def test_a_library_that_is_closed_while_clearing_goes_on_when_it_is_opened_again(tmp_path: Path) -> None:
    data = tmp_path / "data"
    opened = await open_library(data, HERE)
    papers = [make(tmp_path, [f"number {n} {w}" for w in range(40)], title=f"Paper {n}") for n in range(6)]
    for made in papers:
        await ports(opened).add(made)
    await opened.library.remove([papers[0].paper.id])
    await opened.close()
    opened = await open_library(data, HERE)
    await opened.forgetting.settled()
    assert len(await opened.lexical.matching(scope(), ["number"], limit=500)) == 200
    await opened.close()


async def test_papers_are_added_and_found_while_others_are_forgotten(tmp_path: Path) -> None:
    data = tmp_path / "data"
    opened = await open_library(data, HERE)
    old = [make(tmp_path, [f"oldword{n} common"] * 5, title=f"Old {n}") for n in range(6)]
    new = [make(tmp_path, [f"newword{n} common"] * 5, title=f"New {n}") for n in range(6)]
    for made in old:
        await ports(opened).add(made)
    await asyncio.gather(
        *(opened.library.remove([made.paper.id]) for made in old), *(ports(opened).add(made) for made in new)
    )
    await opened.forgetting.settled()
    assert {paper.id for paper in await opened.library.papers(scope())} == {made.paper.id for made in new}
    assert len(await opened.lexical.matching(scope(), ["common"], limit=99)) == 30
    assert files_with(data, *(f"oldword{n}" for n in range(6))) == []
    await opened.close()


def test_a_workspace_has_a_folder_of_its_own_whatever_its_key() -> None:
    keys = [("slack", "T1"), ("slack", "t1"), ("slack", "../../etc"), ("discord", "T1"), ("local", "Ж" * 300)]
    folders = [workspace_folder(Path("/data"), Workspace(platform=p, id=i)) for p, i in keys]
    assert len(set(folders)) == len({folder.name.casefold() for folder in folders}) == len(keys)
    assert all(folder.parent == Path("/data") and len(folder.name) < 80 for folder in folders)


async def test_the_name_of_a_file_goes_with_its_share_and_is_found_nowhere_else(tmp_path: Path) -> None:
    made = make(tmp_path, ["wheat"], title="", channel="secret")
    opened = await open_library(tmp_path / "data", HERE)
    named = replace(made.paper, shares=(share(made.paper.id, "secret", file_name="zyxmerger.pdf"),))
    await ports(opened).add(replace(made, paper=named))
    await opened.library.share(share(made.paper.id, message="m2", file_name="plain.pdf"))
    known = await opened.lexical.document_frequencies(scope(), ["zyxmerger"])
    assert not any(known.values())
    await opened.library.unshare(channel="secret", message="m1")
    (left,) = await opened.library.papers(scope("secret", "general"))
    assert left.file_name == "plain.pdf"
    folder = workspace_folder(tmp_path / "data", HERE)
    assert not [path for path in folder.rglob("*") if path.is_file() and b"zyxmerger" in path.read_bytes()]
    await opened.close()
