"""The door to records over a real library: the shelf, kinship, files out, bibliographies in, pages, corrections."""

import csv
import io
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from core.assistant.papers.paper_list import NotATag
from core.assistant.records.bibliography_export import cite_keys
from core.assistant.records.bibliography_import import NotABibliography
from core.domain.errors import NotInScope
from core.domain.model import Channel, Metadata, Paper, Passage, Reference, Table
from core.domain.records import AnswerCorrection
from tests.core.services.filled_workspace import CLUB, HOME, START, Hand, opened, said, scope, shelve, thread

HOUR = timedelta(hours=1)
SECRET = Channel(workspace=HOME, id="secret", visibility="restricted")
OKAPI = "We show that okapis sleep for five hours a day in dense forest near rivers."
VILLAGE = "We find that okapis sleep for six hours a day in dense forest near villages."
MOTH = "We conclude that moths avoid street lamps with amber filters in all seasons."


async def test_the_shelf_is_paged_newest_first_and_numbered_as_papers_can_be_named(tmp_path: Path) -> None:
    async with opened(tmp_path, Hand()) as engine:
        for number in range(1, 18):
            await shelve(engine, tmp_path, f"Paper {number:02d}", [f"Words {number}."], at=START + number * HOUR)
        first, last = [await engine.records.list_papers(scope(), page=page) for page in (1, 2)]
        beyond = await engine.records.list_papers(scope(), page=99)
        assert [paper.title for paper in first.papers[:2]] == ["Paper 17", "Paper 16"]
        assert (first.numbers[0], first.total, first.page, first.pages) == (17, 17, 1, 2)
        assert [paper.title for paper in last.papers] == ["Paper 02", "Paper 01"] and last.numbers == (2, 1)
        assert beyond == last
        for number in first.numbers[:3]:
            found = await engine.papers.find(scope(), str(number))
            assert [paper.id for paper in found] == [first.papers[17 - number].id]


async def test_the_shelf_is_searched_by_words_tags_status_and_years(tmp_path: Path) -> None:
    async with opened(tmp_path, Hand()) as engine:
        okapi = await shelve(engine, tmp_path, "Sleep of okapis", [OKAPI], at=START)
        moth = await shelve(engine, tmp_path, "Moths at lamps", [MOTH], at=START + HOUR)
        await engine.records.tag(CLUB, scope(), okapi.id, "#field work", user="ann")
        await engine.records.tag(CLUB, scope(), moth.id, "lamps", user="ann")
        await engine.records.read(CLUB, scope(), moth.id, "to read", user="bob")
        await engine.papers.correct(scope(), moth.id, {"year": "2011"}, user="ann")
        titles = {
            words: [paper.title for paper in (await engine.records.list_papers(scope(), words)).papers]
            for words in (
                "okapi",
                '#"field work"',
                "#lamps",
                "to read",
                "since 2015",
                "before 2015",
                "okapi lamps",
                "lamp",
            )
        }
        with pytest.raises(NotATag):
            await engine.records.tag(CLUB, scope(), moth.id, " # ", user="ann")
    both = {"okapi": "Sleep of okapis", '#"field work"': "Sleep of okapis", "since 2015": "Sleep of okapis"}
    for words in both:
        assert titles[words] == ["Sleep of okapis"], words
    for words in ("#lamps", "to read", "before 2015", "lamp"):
        assert titles[words] == ["Moths at lamps"], words
    assert titles["okapi lamps"] == []


async def test_what_cites_what_is_told_within_the_scope_and_never_beyond(tmp_path: Path) -> None:
    def entry(raw: str, **told: str) -> Reference:
        return Reference(paper_id="", ordinal=0, raw=raw, page=7, **told)  # type: ignore[arg-type]

    async with opened(tmp_path, Hand()) as engine:
        old = await shelve(engine, tmp_path, "The long sleep of forest okapis", [OKAPI], at=START)
        entries = [
            entry("Lee, A. (2020). The long sleep of forest okapis. J. Okapi."),
            entry("Nobody. Elsewhere. 1999."),
        ]
        new = await shelve(engine, tmp_path, "Okapis near villages", [VILLAGE], at=START + HOUR, references=entries)
        hidden = await shelve(
            engine, tmp_path, "Hidden", [MOTH], at=START, channel=SECRET, references=[replace(entries[0], ordinal=1)]
        )
        found = await engine.records.related(scope(), new.id)
        assert [(item.cited.id, item.reference.page) for item in found.cites] == [(old.id, 7)]
        assert [item.paper.id for item in found.nearest] == [old.id]
        assert found.nearest[0].here is not None and found.nearest[0].here.text == VILLAGE
        back = await engine.records.related(scope(), old.id)
        assert [item.citing.id for item in back.cited_by] == [new.id]
        wide = await engine.records.related(scope("club", "secret"), old.id)
        assert {item.citing.id for item in wide.cited_by} == {new.id, hidden.id}
        assert [(item.citing.id, item.cited.id) for item in await engine.records.citations(scope())] == [
            (new.id, old.id)
        ]
        with pytest.raises(NotInScope):
            await engine.records.related(scope(), hidden.id)


async def test_a_thread_leaves_as_markdown_whose_footnotes_are_numbered_through(tmp_path: Path) -> None:
    async with opened(tmp_path, Hand()) as engine:
        okapi = await shelve(engine, tmp_path, "Sleep of *okapis*", [OKAPI], at=START)
        moth = await shelve(engine, tmp_path, "Moths", [MOTH], at=START)
        await said(engine, "How long?", okapi, at=START + HOUR, quote=OKAPI)
        await said(engine, "And [moths]?", moth, at=START + 2 * HOUR, quote=MOTH)
        await said(engine, "Once more, how long?", okapi, at=START + 3 * HOUR, quote=OKAPI)
        private = await said(engine, "Is it bad?", okapi, at=START + 3 * HOUR, quote=OKAPI)
        await engine.records.keep_private(thread(), private)
        sent = await engine.records.thread_file(thread(), scope())
        cited = await engine.records.cited_in(thread(), scope())
        with pytest.raises(NotInScope, match="Nothing was answered"):
            await engine.records.thread_file(thread("other"), scope())
    text = sent.data.decode()
    assert [line for line in text.splitlines() if line.startswith("## ")] == [
        "## How long?",
        r"## And \[moths\]?",
        "## Once more, how long?",
    ]
    assert f"{OKAPI}[^1]" in text and f"{MOTH}[^2]" in text and text.count("[^1]: ") == 1
    assert rf"[^1]: Ann Lee (2020). *Sleep of \*okapis\**, p. 1, § 1 Introduction: “{OKAPI}”" in text
    assert "Is it bad?" not in text
    assert [paper.id for paper in cited] == [okapi.id, moth.id]


async def test_a_bibliography_holds_the_papers_asked_for_and_none_out_of_scope(tmp_path: Path) -> None:
    async with opened(tmp_path, Hand()) as engine:
        okapi = await shelve(engine, tmp_path, "Sleep of okapis", [OKAPI], at=START)
        hidden = await shelve(engine, tmp_path, "Hidden", [MOTH], at=START, channel=SECRET)
        sent = await engine.records.bibliography(scope(), [hidden.id, okapi.id], "bibtex")
        with pytest.raises(NotInScope):
            await engine.records.bibliography(scope(), [hidden.id], "ris")
    assert sent.data.decode().count("@") == 1 and "lee2020sleep" in sent.data.decode()


async def test_related_work_quotes_with_keys_that_its_bibliography_has(tmp_path: Path) -> None:
    async with opened(tmp_path, Hand()) as engine:
        papers = [
            await shelve(engine, tmp_path, title, [text], at=START)
            for title, text in (("Sleep of okapis", OKAPI), ("Okapis near villages", VILLAGE), ("Moths", MOTH))
        ]
        work = await engine.records.related_work(scope(), "How long do okapis sleep in dense forest?")
        every = await engine.records.related_work(scope())
        none = await engine.records.related_work(scope("empty"), "okapis")
    assert {item.paper.title for item in work.sentences} == {"Sleep of okapis", "Okapis near villages"}
    assert all(item.sentence.text in (OKAPI, VILLAGE) and item.sentence.markers for item in work.sentences)
    markdown, tex, bib = (item.data.decode() for item in work.files)
    for item in work.sentences:
        assert f"[-@{item.key}, p. 1]" in markdown and f"\\citet[p.~1]{{{item.key}}}" in tex and f"{{{item.key}," in bib
    assert [item.key for item in every.sentences] == list(cite_keys(papers).values())
    assert (none.sentences, none.files) == ((), ())


async def test_a_papers_tables_leave_as_csv_with_the_page_of_each_row_and_no_formula(tmp_path: Path) -> None:
    from core.assistant.records.exports import table_csv

    table = Table(header=("Species", "Hours"), rows=(("okapi", "-5.2"), ("=HYPERLINK(1)", "6, or\n7")))
    passage = Passage(
        id="p", paper_id="x", ordinal=0, page=4, section=(), kind="table", text="t", indexed_text="t", table=table
    )
    paper = Paper(
        id="x",
        file_name="x.pdf",
        metadata=Metadata(title="Okapi"),
        pages=4,
        kind="born digital",
        added_at=START,
        page_labels=("i", "ii", "701", "702"),
    )
    sent = table_csv(passage, paper, name="table-1.csv")
    rows = list(csv.reader(io.StringIO(sent.data.decode("utf-8-sig"))))
    assert rows == [
        ["Species", "Hours", "page"],
        ["okapi", "-5.2", "702"],
        ["'=HYPERLINK(1)", "6, or\n7", "702"],
    ]


BIB = """
@article{a, title={Sleep of Okapis}, author={Lee, Ann and Roe, Bo}, year={2019},
  doi={10.5555/okapi}, journal={J. Okapi}}
@article{b, title={Something else entirely}, author={Poe, Cy}, year={2001}}
"""


async def test_a_bibliography_fills_what_is_missing_and_tells_what_differs(tmp_path: Path) -> None:
    async with opened(tmp_path, Hand()) as engine:
        okapi = await shelve(engine, tmp_path, "Sleep of okapis", [OKAPI], at=START)
        done = await engine.records.import_bibliography(scope(), BIB.encode(), user="ann")
        (held,) = await engine.papers.in_scope(scope())
        assert [(paper.id, names) for paper, names in done.filled] == [(okapi.id, ("doi", "venue"))]
        assert (done.entries, done.matched, done.unread) == (2, 1, 0)
        assert {(item.field, item.here, item.there) for item in done.differing} == {
            ("authors", "Ann Lee", "Ann Lee; Bo Roe"),
            ("year", "2020", "2019"),
        }
        told = (held.metadata.doi, held.metadata.venue, held.metadata.year, held.metadata.authors)
        assert told == ("10.5555/okapi", "J. Okapi", 2020, ("Ann Lee",))
        again = await engine.records.import_bibliography(
            scope(), BIB.encode(), user="ann", overwrite=frozenset({okapi.id})
        )
        (held,) = await engine.papers.in_scope(scope())
        assert (held.metadata.year, held.metadata.authors, again.differing) == (2019, ("Ann Lee", "Bo Roe"), ())
        with pytest.raises(NotABibliography):
            await engine.records.import_bibliography(scope(), b"%PDF-1.7", user="ann")


async def test_what_a_reader_corrected_by_hand_is_not_overwritten_by_a_bibliography(tmp_path: Path) -> None:
    async with opened(tmp_path, Hand()) as engine:
        okapi = await shelve(engine, tmp_path, "Sleep of okapis", [OKAPI], at=START)
        await engine.papers.correct(scope(), okapi.id, {"venue": "Forest Letters", "year": "2018"}, user="bob")
        done = await engine.records.import_bibliography(scope(), BIB.encode(), user="ann")
        (held,) = await engine.papers.in_scope(scope())
    assert (held.metadata.venue, held.metadata.year, held.metadata.doi) == ("Forest Letters", 2018, "10.5555/okapi")
    assert [names for _, names in done.filled] == [("doi",)]
    assert {("venue", "Forest Letters", "J. Okapi"), ("year", "2018", "2019")} <= {
        (item.field, item.here, item.there) for item in done.differing
    }


async def test_a_footnotes_page_is_drawn_with_its_boxes_and_only_for_who_may_see_it(tmp_path: Path) -> None:
    async with opened(tmp_path, Hand()) as engine:
        okapi = await shelve(engine, tmp_path, "Sleep of okapis", [OKAPI], at=START)
        code = await said(engine, "How long?", okapi, at=START + HOUR, quote=OKAPI)
        (shown,) = await engine.records.pages(thread(), scope(), code, 1)
        assert (shown.page, shown.quotes, shown.png) == (1, (OKAPI,), f"{okapi.id[:4]} page 1, 1 boxes".encode())
        for place, where, marker, words in (
            (thread(), scope(), 2, "no footnote 2; there are 1"),
            (thread("other"), scope(), 1, "no longer stored"),
            (thread(), scope("elsewhere"), 1, "no longer here"),
        ):
            with pytest.raises(NotInScope, match=words):
                await engine.records.pages(place, where, code, marker)
        await engine.papers.forget(scope(), [okapi.id])
        with pytest.raises(NotInScope):
            await engine.records.pages(thread(), scope(), code, 1)


async def test_a_correction_comes_back_with_the_same_question_in_places_that_may_see_it(tmp_path: Path) -> None:
    async with opened(tmp_path, Hand()) as engine:
        okapi = await shelve(engine, tmp_path, "Sleep of okapis", [OKAPI], at=START)
        code = await said(engine, "How long do okapis sleep in 2019?", okapi, at=START + HOUR)
        await engine.threads.judge(thread(), code, user="bob", verdict="wrong", words="six hours, page 2")
        good = await said(engine, "How do okapis sleep?", okapi, at=START + HOUR)
        await engine.threads.judge(thread(), good, user="bob", verdict="good")
        remark = AnswerCorrection(user="bob", words="six hours, page 2", at=START)
        same = await engine.records.remarks(scope(), "okapis: how long do they sleep, in 2019")
        assert [(item.user, item.words) for item in same] == [(remark.user, remark.words)]
        for other in (
            "How long do okapis sleep in 2018?",
            "How do okapis sleep?",
            "How long do moths sleep in 2019?",
            "",
        ):
            assert await engine.records.remarks(scope(), other) == (), other
        assert await engine.records.remarks(scope("secret"), "How long do okapis sleep in 2019?") == ()
        assert [(item.user, item.verdict) for item in await engine.records.feedback(scope())] == [
            ("bob", "wrong"),
            ("bob", "good"),
        ]
        await engine.papers.forget(scope(), [okapi.id])
        assert await engine.records.remarks(scope(), "How long do okapis sleep in 2019?") == ()
