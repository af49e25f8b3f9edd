"""Tables of studies as replies: one numbering over all papers, and every citation whole."""

from dataclasses import replace

from bot.replies import studies
from core.domain.model import Citation, Derivation
from core.domain.reply import Attachment
from core.domain.studies import Cell, Extraction, Provenance
from tests.bot.actors import citation, paper

FILE = Attachment(name="table.csv", mime="text/csv", data=b"")
FIRST, SECOND = paper(), paper("b" * 64, "On Margins")


def row(paper_id: str, text: str, *citations: Citation) -> Extraction:
    cell = Cell(field="Organism", text=text, citations=citations)
    return Extraction(paper_id=paper_id, cells=(cell,), making=Provenance(mode="extractive"))


def test_footnotes_count_on_from_paper_to_paper_and_lose_nothing_of_a_citation() -> None:
    figure = replace(citation(1, paper_id=SECOND.id), label="Figure 2", seen_by="a vision model")
    derivation = Derivation(expression="1 + 1", result="2", operands=(1,))
    computed = replace(citation(2, paper_id=SECOND.id), derivation=derivation)
    rows = [row(FIRST.id, "Mice", citation(1), citation(2)), row(SECOND.id, "Rats", figure, computed)]
    reply = studies.extraction_table(rows, {FIRST.id: FIRST, SECOND.id: SECOND}, FILE)
    assert [note.citation.marker for note in reply.footnotes] == [1, 2, 3, 4]
    assert reply.footnotes[2].citation == replace(figure, marker=3)
    assert reply.footnotes[3].citation == replace(computed, marker=4, derivation=replace(derivation, operands=(3,)))
    assert r"Mice \[1\]\[2\]" in reply.body and r"Rats \[3\]\[4\]" in reply.body
