"""DOI, year and venue of a first page: the paper's own, whole, and not those of a copy or of others."""

import pytest

from core.reading.paper.metadata import extract_metadata
from core.reading.paper.publication_data import find_own_doi, find_publication_year
from tests.core.reading.paper.fronts import block, body, line, page


@pytest.mark.parametrize(
    ("lines", "doi"),
    [
        (["doi:10.1099/tern.0000042.", "Academic editor: Eva Holm"], "10.1099/tern.0000042"),
        (["doi:10.1099/tern.", "0000042"], "10.1099/tern.0000042"),
        (["https://doi.org/10.1099/tern-2011-", "0042"], "10.1099/tern-2011-0042"),
        (["10.1099/(SICI)12-3(199901)5:2<9::AID-T4>3.0.CO;2-Z"], "10.1099/(sici)12-3(199901)5:2<9::aid-t4>3.0.co;2-z"),
        (["10.1099/12(1999)5%3C9:TERN%3E2.0.CO;2"], "10.1099/12(1999)5<9:tern>2.0.co;2"),
        (["10.1099/tern;PMID:4242"], "10.1099/tern"),
        (["https://doi.org/10.1099/tern?download=true"], "10.1099/tern"),
        (["doi 10.1099/2011.04.02.42.this version of April"], "10.1099/2011.04.02.42"),
        (["10.1099/ternPublished 2011"], "10.1099/tern"),
        (["10.1099/R7Qmtk and"], "10.1099/r7qmtk"),
        (["DOI: 10.1099/ tern.42"], "10.1099/tern.42"),
        (["(doi:10.1099/S00(11)42-7)."], "10.1099/s00(11)42-7"),
        (["The code is at https://doi.org/10.5281/zenodo.42"], None),
        (["Data: 10.5281/zenodo.42", "10.1099/tern"], "10.1099/tern"),
        (["Data and Materials 4 (2011), doi:10.1099/dm.42"], "10.1099/dm.42"),
        (["https://doi.org/10.1099/nnnnnnn.nnnnnnn"], None),
    ],
)
def test_a_doi_is_the_papers_own_and_whole(lines: list[str], doi: str | None) -> None:
    assert find_own_doi(lines) == doi


@pytest.mark.parametrize(
    ("lines", "year"),
    [
        (["Tern Notes 4 (1993) 12-19", "Downloaded from https://tern.example by a guest on 4 May 2022"], 1993),
        (["Downloaded on May 4, 2022. Copyright: the press.", "Tern Mechanics, 2011"], 2011),
        (["Tern Chem. 2004, 4, 7. Downloaded on May 4, 2022 - published by the Tern Press"], 2004),
        (["Retrieved May 4, 2022, from the archive", "Tern notes (2006)"], 2006),
        (["Printed on 4 May 2022", "Use within copyright law, 2022", "Tern notes 2006"], 2006),
        (["Copyright 2013 by the authors. Downloaded on 4 May 2022."], 2013),
        (["© The Author(s) 2014", "Terns of the bank (Holm, 2019)"], 2014),
        (["arXiv:1703.04242v1 [q-bio] 9 Mar 2017", "To appear in 2019."], 2017),
        (["Available at https://publishedterns.example/2021/x", "Tern Letters 9 (2015)"], 2015),
        (["Published", "24 July 2018", "Received 2 May 2019"], 2018),
        (["Accepted 4 May 2022", "Downloaded on 4 May 2022"], 2022),
    ],
)
def test_the_year_is_that_of_publication_and_not_of_a_copy(lines: list[str], year: int) -> None:
    assert find_publication_year(lines, latest=2030) == year


@pytest.mark.parametrize(
    ("printed", "venue"),
    [
        ("Published in Tern Ecology Letters 9, 12-19 (2015)", "Tern Ecology Letters"),
        ("Journal of Terns, Vol. 4, No. 2", "Journal of Terns"),
        ("Journal of Terns 31 (2016) 104-118", "Journal of Terns"),
        ("Proceedings of the 12th Conference on Terns, 2016", "Proceedings of the 12th Conference on Terns"),
        ("Annals of Terns (2016) 4", "Annals of Terns"),
    ],
)
def test_a_venue_has_no_volume_pages_or_year(printed: str, venue: str) -> None:
    front = page(block("page-header", line(printed, 30, size=8)), body(200))
    assert extract_metadata([front], [], {}).venue == venue


def test_a_doi_on_the_last_page_counts_where_the_paper_cites_itself_there() -> None:
    front = page(block("title", line("Terns of the outer bank in winter", 60, size=18)), body(200))
    own = block("text", line("Cite as: Holm, E. Terns of the outer bank in winter. Tern Notes 4.", 600))
    other = block("text", line("Dahl, P. Gulls of the inner bank. doi:10.1099/gull.7", 300))
    last = page(other, block("text", line("doi:10.1099/tern.42", 585)), own, number=2)
    between = page(block("text", line("Lind, U. Auks. doi:10.1099/auk.9", 300)), body(400), number=3)
    assert extract_metadata([front, last], [], {}).doi == "10.1099/tern.42"
    assert extract_metadata([front, between], [], {}).doi is None
