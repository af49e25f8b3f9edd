"""Bibliographies out and in: read back by other tools than those that wrote them, value by value."""

import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.assistant.records.bibliography_export import bibliography, bibtex, cite_keys, csl, ris
from core.assistant.records.bibliography_import import NotABibliography, parse_bibliography
from core.domain.model import Metadata, Paper
from core.text.person_names import parse_name

HARD = Metadata(
    title="S2ORC & the 100 % case: x_1 ~ $5 #tags for {BERT}",
    authors=("Kyle Lo", "Jan van der Berg", "José García-Pérez", "ATLAS Collaboration", "王小明", "Ken Griffey Jr."),
    year=2020,
    doi="10.1000/a_b(2020)1",
    arxiv_id="1911.02782v3",
    venue="Proceedings of the 58th Annual Meeting",
    abstract="We cut 50 % of “errors” & more.",
    language="en",
)
PLAIN = Metadata(title="Wheat under heat", authors=("Ann Lee",), year=2018, venue="PLOS ONE", doi="10.1371/x")


def paper(metadata: Metadata, number: int = 0) -> Paper:
    return Paper(
        id=f"{number:064x}",
        file_name=f"file-{number}.pdf",
        metadata=metadata,
        pages=3,
        kind="born digital",
        added_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def shelf(*metadata: Metadata) -> list[Paper]:
    return [paper(one, number) for number, one in enumerate(metadata, start=1)]


def keyed(write: Callable[[Sequence[Paper], Mapping[str, str]], str], papers: Sequence[Paper]) -> str:
    return write(papers, cite_keys(papers))


def from_latex(text: str) -> str:
    from pylatexenc.latex2text import LatexNodes2Text

    return str(LatexNodes2Text().latex_to_text(text))


def test_bibtex_is_read_back_by_pybtex() -> None:
    from pybtex.database import parse_string

    entries = parse_string(keyed(bibtex, shelf(HARD, PLAIN)), "bibtex").entries
    first, second = entries["lo2020s2orc"], entries["lee2018wheat"]
    assert (first.type, second.type) == ("inproceedings", "article")
    fields = {name: from_latex(first.fields[name]) for name in ("title", "booktitle", "abstract")}
    assert fields == {"title": HARD.title, "booktitle": HARD.venue, "abstract": HARD.abstract}
    assert {name: first.fields[name] for name in ("year", "doi", "eprint")} == {
        "year": "2020",
        "doi": HARD.doi,
        "eprint": HARD.arxiv_id,
    }
    people = [
        (" ".join(p.first_names), " ".join(p.prelast_names), " ".join(p.last_names), " ".join(p.lineage_names))
        for p in first.persons["author"]
    ]
    assert people == [
        ("Kyle", "", "Lo", ""),
        ("Jan", "van der", "Berg", ""),
        ("José", "", "García-Pérez", ""),
        ("", "", "{ATLAS Collaboration}", ""),
        ("", "", "{王小明}", ""),
        ("Ken", "", "Griffey", "Jr."),
    ]


def test_a_name_with_a_capital_inside_is_kept_from_styles_that_lower_titles() -> None:
    assert "{S2ORC}" in keyed(bibtex, shelf(HARD))
    assert "title = {Wheat under heat}" in keyed(bibtex, shelf(PLAIN))


def test_ris_is_read_back_by_pybtexris() -> None:
    from pybtex.database import parse_string

    entries = parse_string(keyed(ris, shelf(HARD, PLAIN)), "ris").entries
    first = entries["lo2020s2orc"]
    told = {name: first.fields[name] for name in ("title", "year", "doi", "abstract")}
    assert told == {
        "title": HARD.title,
        "year": "2020",
        "doi": HARD.doi,
        "abstract": HARD.abstract,
    }
    assert {HARD.venue, "en"} <= set(first.fields.values())
    people = [(" ".join(p.first_names), " ".join((*p.prelast_names, *p.last_names))) for p in first.persons["author"]]
    assert people[:3] == [("Kyle", "Lo"), ("Jan", "van der Berg"), ("José", "García-Pérez")]
    assert entries["lee2018wheat"].type == "article"


def test_csl_json_is_read_back_by_citeproc() -> None:
    from citeproc.source.json import CiteProcJSON

    source = CiteProcJSON(json.loads(keyed(csl, shelf(HARD, PLAIN))))
    first, second = source["lo2020s2orc"], source["lee2018wheat"]
    assert (str(first.type), str(second.type)) == ("paper-conference", "article-journal")
    told = (str(first.title), str(first["DOI"]), str(first["container_title"]), str(first.abstract))
    assert told == (HARD.title, HARD.doi, HARD.venue, HARD.abstract)
    assert int(first.issued.year) == 2020
    names = [(str(name.family or ""), str(name.given or "")) for name in first.author[:3]]
    assert names == [("Lo", "Kyle"), ("Berg", "Jan"), ("García-Pérez", "José")]
    items = json.loads(keyed(csl, shelf(HARD)))
    assert items[0]["author"][3] == {"literal": "ATLAS Collaboration"}
    assert items[0]["author"][1]["non-dropping-particle"] == "van der"


@pytest.mark.parametrize("form", ["bibtex", "ris", "csl"])
def test_what_is_exported_is_understood_when_it_comes_back(form: str) -> None:
    papers = shelf(HARD, PLAIN)
    sent = bibliography(papers, form, cite_keys(papers))  # type: ignore[arg-type]
    first, second = parse_bibliography(sent.data).entries
    told = (first.title, first.year, first.doi, first.arxiv_id, first.venue, first.abstract, first.language)
    assert told == (HARD.title, 2020, HARD.doi, HARD.arxiv_id, HARD.venue, HARD.abstract, "en")
    assert first.authors == HARD.authors
    assert (second.title, second.authors, second.arxiv_id) == (PLAIN.title, PLAIN.authors, "")


def test_a_paper_of_which_nothing_is_known_is_still_an_entry() -> None:
    bare = shelf(Metadata(title=""))
    assert "@misc{anonymousndfile" in keyed(bibtex, bare)
    assert parse_bibliography(keyed(csl, bare).encode()).entries[0].title == "file-1.pdf"


def test_keys_that_meet_get_letters() -> None:
    same = shelf(*[PLAIN] * 4)
    assert list(cite_keys(same).values()) == ["lee2018wheat", "lee2018wheata", "lee2018wheatb", "lee2018wheatc"]


def test_a_paper_keeps_its_key_in_every_file_that_is_made_of_the_library() -> None:
    library = shelf(*[replace(PLAIN, title=title) for title in ("Wheat in rain", "Wheat in wind", "Wheat in snow")])
    keys = cite_keys(library)
    assert list(keys.values()) == ["lee2018wheat", "lee2018wheata", "lee2018wheatb"]
    for chosen in (library[1:], library[::-1], library[2:]):
        written = bibliography(chosen, "bibtex", keys).data.decode()
        assert re.findall(r"@article{(\w+),", written) == [keys[item.id] for item in chosen]


@pytest.mark.parametrize(
    ("author", "title", "key"),
    [
        ("Øyvind Łoś", "Þing of birds", "los2001thing"),
        ("Ægir Ðuran", "Œuvres", "duran2001oeuvres"),
        ("王小明", "湖中的蛙", "paper2001000000"),
        ("Ann Lee", "湖中的蛙", "lee2001000000"),
        ("أحمد", "Frogs of the lake", "paper2001frogs"),
    ],
)
def test_a_key_is_made_of_names_and_words_in_any_script(author: str, title: str, key: str) -> None:
    (only,) = cite_keys(shelf(Metadata(title=title, authors=(author,), year=2001))).values()
    assert only == key


def test_ris_has_nothing_but_tagged_lines_and_the_suffix_behind_the_given_name() -> None:
    written = keyed(ris, shelf(HARD, PLAIN, Metadata(title="Oats", authors=("Jan van der Berg Jr.",))))
    assert all(re.match(r"[A-Z][A-Z0-9]  - ", line) for line in written.splitlines() if line)
    assert "AU  - van der Berg, Jan, Jr." in written


text = st.text(st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp")), max_size=60).map(
    lambda t: " ".join(t.split())
)


@given(
    title=text.filter(lambda t: any(sign.isalpha() for sign in t)),
    author=text,
    venue=text,
    year=st.integers(1500, 2099),
)
def test_any_title_author_and_venue_leave_a_file_that_is_read_whole(
    title: str, author: str, venue: str, year: int
) -> None:
    from pybtex.database import parse_string

    papers = shelf(Metadata(title=title, authors=(author,) if author else (), venue=venue or None, year=year), PLAIN)
    keys = cite_keys(papers)
    assert set(parse_string(keyed(bibtex, papers), "bibtex").entries.keys()) == set(keys.values())
    assert [entry.year for entry in parse_bibliography(keyed(bibtex, papers).encode()).entries] == [year, 2018]
    assert [entry.title for entry in parse_bibliography(keyed(csl, papers).encode()).entries][1] == PLAIN.title
    assert [entry.year for entry in parse_bibliography(keyed(ris, papers).encode()).entries] == [year, 2018]


ZOTERO_BIBTEX = r"""
@comment{exported}
@string{plos = "PLOS ONE"}
@article{thomason_untargeted_2018,
  title = {Untargeted metabolomics of {\textit{wheat}} in {M{\"u}nchen}: {S2ORC}},
  volume = {13}, journal = plos, date = {2018-06-01}, doi = {https://doi.org/10.1371/JOURNAL.pone.0197919},
  author = {Thomason, Kayla and {van der Berg}, Jan and {Smith and Sons} and M{\"u}ller, J{\o}rgen and others},
  langid = {english},
}
@misc{broken, title = {never closed
@online{vaswani, title={Attention Is All You Need}, author={Ashish Vaswani and Noam Shazeer}, year=2017,
  eprint={1706.03762v5}, archivePrefix={arXiv}, url={http://arxiv.org/abs/1706.03762}}
"""


def test_a_zotero_export_is_read_with_its_latex_resolved() -> None:
    got = parse_bibliography(ZOTERO_BIBTEX.encode())
    first = got.entries[0]
    assert first.title.replace("  ", " ") == "Untargeted metabolomics of wheat in München: S2ORC"
    assert first.authors == ("Kayla Thomason", "Jan van der Berg", "Smith and Sons", "Jørgen Müller")
    assert (first.year, first.doi, first.venue, first.language) == (
        2018,
        "10.1371/journal.pone.0197919",
        "PLOS ONE",
        "en",
    )
    assert got.entries[-1].arxiv_id == "1706.03762v5"
    assert got.unread >= 1


def test_a_zotero_ris_export_is_read() -> None:
    lines = (
        "\ufeffTY  - JOUR|T1  - Attention Is All You Need|AU  - Vaswani, Ashish|AU  - Müller, J.|PY  - 2017///",
        "JF  - NeurIPS|DO  - 10.48550/arXiv.1706.03762|ZZ  - unknown|ER  - ||TY  - JOUR|AU  - No, Title|ER  - |",
    )
    exported = "|".join(lines).replace("|", "\r\n")
    got = parse_bibliography(exported.encode())
    assert (len(got.entries), got.unread) == (1, 1)
    (entry,) = got.entries
    assert (entry.title, entry.authors, entry.year) == (
        "Attention Is All You Need",
        ("Ashish Vaswani", "J. Müller"),
        2017,
    )
    assert (entry.arxiv_id, entry.doi, entry.venue) == ("1706.03762", "", "NeurIPS")


@pytest.mark.parametrize("data", [b"", b"%PDF-1.7", b"hello", b"[1, 2]", b'{"a": 1}', b"[" * 100_000, b"\xff\xfe@@"])
def test_what_is_no_bibliography_is_refused_in_one_sentence(data: bytes) -> None:
    with pytest.raises(NotABibliography) as refusal:
        parse_bibliography(data)
    assert refusal.value.words.count(".") >= 1 and len(refusal.value.words) < 160


@given(st.binary(max_size=400))
def test_no_bytes_break_the_reader(data: bytes) -> None:
    for head in (b"", b"@article{a, title={", b"TY  - JOUR\nT1  - ", b'[{"title": "'):
        try:
            assert parse_bibliography(io.BytesIO(head + data).read()).unread >= 0
        except NotABibliography as refusal:
            assert refusal.words


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Ludwig van Beethoven", ("Ludwig", "van", "Beethoven")),
        ("Maria de la Cruz", ("Maria", "de la", "Cruz")),
        ("Ahmed al Hassan", ("Ahmed", "al", "Hassan")),
        ("Quoc V. Le", ("Quoc V.", "", "Le")),
        ("Loan Do", ("Loan", "", "Do")),
        ("van Rijn, Jan", ("Jan", "van", "Rijn")),
        ("Charles Munthali³", ("Charles", "", "Munthali")),
        ("Munthali³*, Charles", ("Charles", "", "Munthali")),
        ("King, Martin Luther, Jr.", ("Martin Luther", "", "King")),
    ],
)
def test_names_are_taken_apart(name: str, expected: tuple[str, str, str]) -> None:
    parts = parse_name(name)
    assert (parts.given, parts.particle, parts.family) == expected
