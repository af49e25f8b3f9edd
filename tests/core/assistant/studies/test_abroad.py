"""Papers in other languages than English fill a table too: own PDFs, read as any other, without a language model."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from core.aspects.section_zones import Zone, zone_of
from core.aspects.statements import extract_statements
from core.assistant.studies.extract import extract
from core.assistant.studies.takeaways import takeaway
from core.config import ReadingConfig
from core.domain.model import Metadata, Paper, Passage
from core.domain.progress import NoProgress
from core.domain.studies import STANDARD, Extraction
from core.reading.reader import LayoutReader
from core.text import alphanumeric_key
from tests.core.agent.small_library import paper, passage
from tests.core.assistant.studies.papers_abroad import ALL, CHINESE, FRENCH, GERMAN, SPANISH, Abroad
from tests.core.assistant.studies.study_context import Room, dependencies


async def _read(one: Abroad, reader: LayoutReader, folder: Path) -> tuple[Metadata, tuple[Passage, ...]]:
    pdf = folder / f"{one.language}.pdf"
    pdf.write_bytes(one.pdf())
    read = await reader.read(pdf, paper_id=_id(one), progress=NoProgress())
    return read.metadata, tuple(read.passages)


def _id(one: Abroad) -> str:
    return one.language * 32


async def _row(one: Abroad, metadata: Metadata, texts: tuple[Passage, ...]) -> Extraction:
    held: Paper = replace(paper(_id(one), metadata.title), metadata=metadata)
    (row,) = await extract([held.id], STANDARD, dependencies(room=Room(held=(held,), texts=texts)))
    return row


def _right(one: Abroad, row: Extraction) -> Mapping[str, bool]:
    """Whether each filled cell tells what the paper reports."""
    return {
        cell.field: any(words in cell.text for words in one.tells[cell.field].split("|"))
        for cell in row.cells
        if cell.reported
    }


async def test_tables_of_papers_in_other_languages_are_filled_with_what_they_report(tmp_path: Path) -> None:
    reader = LayoutReader(ReadingConfig(workers=1, ocr=False, seconds_per_page=60))
    papers = (SPANISH, FRENCH, GERMAN, CHINESE)
    try:
        read = await asyncio.gather(*(_read(one, reader, tmp_path) for one in papers))
    finally:
        await reader.close()
    for one, (metadata, texts) in zip(papers, read, strict=True):
        row = await _row(one, metadata, texts)
        right = _right(one, row)
        assert metadata.language == one.language
        assert {name for name, fits in right.items() if not fits} == set(), one.language
        assert len(right) >= 5, (one.language, sorted(right))
        words = {text.id: alphanumeric_key(text.text) for text in texts}
        spans = [span for cell in row.cells for cited in cell.citations for span in cited.spans]
        assert all(alphanumeric_key(span.quote) in words[span.passage_id] for span in spans)


@pytest.mark.parametrize("one", ALL, ids=[one.language for one in ALL])
async def test_limitations_and_further_work_are_known_in_each_language(one: Abroad) -> None:
    sections = one.draft.sections
    texts = tuple(
        passage(_id(one), number, 1 + number // 3, " ".join(section.paragraphs), section=section.heading)
        for number, section in enumerate(sections, 1)
    )
    metadata = Metadata(title=one.draft.title, language=one.language, abstract=sections[0].paragraphs[0])
    right = _right(one, await _row(one, metadata, texts))
    assert right["Limitations"] and right["Future work"]


@pytest.mark.parametrize("one", ALL, ids=[one.language for one in ALL])
def test_what_a_paper_found_is_its_takeaway_in_each_language(one: Abroad) -> None:
    abstract = one.draft.sections[0]
    texts = [passage(_id(one), 1, 1, " ".join(abstract.paragraphs), section=abstract.heading)]
    told = takeaway(extract_statements(texts, Metadata(title=one.draft.title, language=one.language)))
    assert told is not None
    assert any(words in told.text for words in one.tells["Main results"].split("|"))


@pytest.mark.parametrize(
    ("heading", "zone"),
    [
        ("2. Metodología", "method"),
        ("Marco teórico", "related"),
        ("Población y muestra", "data"),
        ("Consideraciones finales", "conclusion"),
        ("Matériel et méthodes", "method"),
        ("Remerciements", "back"),
        ("3 Ergebnisse", "results"),
        ("Datenerhebung", "data"),
        ("Untersuchungsmethode", "method"),
        ("Grenzen der Studie", "limitations"),
        ("Considerações finais", "conclusion"),
        ("Risultati", "results"),
        ("Campione", "data"),
        ("2.1 数据来源", "data"),
        ("材料与方法", "method"),
        ("三、实证结果", "results"),
        ("结论与展望", "future"),
        ("El Estado y la sociedad", "other"),
        ("Die Stadt am Fluss", "other"),
    ],
)
def test_headings_open_the_same_parts_in_every_language(heading: str, zone: Zone) -> None:
    assert zone_of((heading,), 5) == zone
