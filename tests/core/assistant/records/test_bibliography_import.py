"""Bibliographies as programs really write them: encodings, LaTeX, HTML, doubled keys, missing ends, odd names."""

import pytest

from core.assistant.records.bibliography_import import parse_bibliography
from core.domain.records import Entry


def read_bibtex(*fields: str) -> Entry:
    """The only entry of a file with these fields; it has a title and an author of its own where they give none."""
    given = [field.partition("=")[0] for field in fields]
    added = [
        f"{name}={{{value}}}" for name, value in (("title", "Reeds"), ("author", "Mora, Eva")) if name not in given
    ]
    (entry,) = parse_bibliography(f"@article{{k, {', '.join([*fields, *added])}}}".encode()).entries
    return entry


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8", "utf-8-sig", "utf-16"])
def test_a_file_is_read_in_the_encoding_that_it_has(encoding: str) -> None:
    data = "@article{k, title={Vögel am Fluß – ein Maß}, author={Strauß, Zoë}}".encode(encoding)
    (entry,) = parse_bibliography(data).entries
    assert (entry.title, entry.authors) == ("Vögel am Fluß – ein Maß", ("Zoë Strauß",))


def test_lines_of_another_encoding_do_not_spoil_the_rest_of_a_file() -> None:
    lines = ["@article{a, title={Über Moore}}".encode(), "@article{b, title={Über Seen}}".encode("latin-1")]
    assert [entry.title for entry in parse_bibliography(b"\n".join(lines)).entries] == ["Über Moore", "Über Seen"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Losses of 20 % in wet years", "Losses of 20 % in wet years"),
        ("Rats & mice # 7", "Rats & mice # 7"),
        (r"Rats \& mice, 20 \% fewer", "Rats & mice, 20 % fewer"),
        (r"Heat {\textgreater} 40 or a {\textless} b", "Heat > 40 or a < b"),
        (r"Sizes $\leq$ 5 of CH$_4$ and N$_{2}$O", "Sizes ≤ 5 of CH4 and N2O"),
        (r"The \texorpdfthing{magic} word", "The magic word"),
        (r"Speeds \notknown 5", r"Speeds \notknown 5"),
        (r"I{\i}nsects of M{\'\i}rtov and f{\i}elds", "Insects of Mírtov and fields"),
        (r"<em>Rana</em> in NO<sub>3</sub> &lt; 5 &amp; light", "Rana in NO3 < 5 & light"),
    ],
)
def test_signs_of_latex_and_html_in_a_title_become_what_they_print(written: str, meant: str) -> None:
    assert read_bibtex(f"title={{{written}}}").title == meant


def test_names_keep_a_dotless_letter() -> None:
    assert read_bibtex(r"author={Y{\i}ld{\i}z, Ece}").authors == ("Ece Yıldız",)


@pytest.mark.parametrize(
    ("written", "people"),
    [
        ("Mora, E. and et al.", ("E. Mora",)),
        ("Mora, E. and others", ("E. Mora",)),
        ("Eva Mora, Tom Reed, Ida Voss", ("Eva Mora", "Tom Reed", "Ida Voss")),
        ("Mora, E., Reed, T.B., Voss, I.", ("E. Mora", "T.B. Reed", "I. Voss")),
        ("de Mora, Jr., Eva", ("Eva de Mora Jr.",)),
        ("van den Mora, Eva Maria", ("Eva Maria van den Mora",)),
    ],
)
def test_authors_are_told_apart_however_they_are_listed(written: str, people: tuple[str, ...]) -> None:
    assert read_bibtex(f"author={{{written}}}").authors == people


@pytest.mark.parametrize(
    ("written", "doi"),
    [
        (
            r"10.1023/(SICI)2000-1(199805)4:2{\textless}77::AID-REED4{\textgreater}3.0.CO;2-F",
            "10.1023/(sici)2000-1(199805)4:2<77::aid-reed4>3.0.co;2-f",
        ),
        ("10.1023/(SICI)2000-1(199805)4:2$<$78::AID-REED5$>$3.0.CO;2-G", None),
        (r"https://doi.org/10.1023/reed\_4\_2", "10.1023/reed_4_2"),
        ("10.1023/a%2Fb%28c%29", "10.1023/a/b(c)"),
        ("10.1023/87[77:REED]2.0.CO;2", "10.1023/87[77:reed]2.0.co;2"),
    ],
)
def test_a_doi_is_read_before_latex_is_resolved(written: str, doi: str | None) -> None:
    wanted = doi or "10.1023/(sici)2000-1(199805)4:2<78::aid-reed5>3.0.co;2-g"
    assert read_bibtex(f"doi={{{written}}}").doi == wanted


def test_a_field_that_gives_nothing_yields_to_the_next() -> None:
    entry = read_bibtex("year={forthcoming}", "date={2017-02-01/2017-03-01}", "journal=rsj", "booktitle={Reed Days}")
    assert (entry.year, entry.venue) == (2017, "Reed Days")
    assert read_bibtex("doi={none}", "url={https://doi.org/10.1023/reed}").doi == "10.1023/reed"


def test_entries_of_one_key_and_entries_with_a_doubled_field_are_all_taken() -> None:
    file = """@article{k, title={Reeds of spring}}
@misc{broken, title={never closed
@article{k, title={Reeds of autumn}}
@article{m, title={Reeds of winter}, doi={in print}, doi={10.1023/reed.3}, doi={10.1023/reed.4}}"""
    parsed = parse_bibliography(file.encode())
    titles = [entry.title for entry in parsed.entries]
    assert titles == ["Reeds of spring", "Reeds of autumn", "Reeds of winter"]
    assert (parsed.entries[-1].doi, parsed.unread) == ("10.1023/reed.3", 1)


@pytest.mark.parametrize("gap", ["  ", " "])
def test_ris_records_are_told_apart_without_their_ends_and_with_any_space(gap: str) -> None:
    rows = ["TY", "TI", "AU", "TY", "TI", "ER", "TY", "T1"]
    values = ["JOUR", "Reeds", "Mora, Eva, Jr.", "JOUR", "Rushes <i>and</i> sedges", "", "JOUR", "Mosses"]
    lines = [f"{tag}{gap}- {value}".rstrip() for tag, value in zip(rows, values, strict=True)]
    parsed = parse_bibliography("\n".join([*lines, "   of the north"]).encode())
    assert [entry.title for entry in parsed.entries] == ["Reeds", "Rushes and sedges", "Mosses of the north"]
    assert (parsed.entries[0].authors, parsed.unread) == (("Eva Mora Jr.",), 0)


def test_a_wrapped_line_that_looks_like_a_narrow_tag_stays_text() -> None:
    file = "TY  - JOUR\nTI  - Reeds of type\nIV - a survey\nER  - \n"
    assert parse_bibliography(file.encode()).entries[0].title == "Reeds of type IV - a survey"
