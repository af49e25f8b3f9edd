"""Passages and evidence for the grounding tests, made from a few sentences."""

from datetime import UTC, datetime

from core.domain.model import Box, Evidence, Metadata, Paper, Passage, PassageKind, Table


def paper(
    paper_id: str = "p1", title: str = "A study of leaves", authors: tuple[str, ...] = (), year: int | None = None
) -> Paper:
    return Paper(
        id=paper_id,
        file_name="leaves.pdf",
        metadata=Metadata(title=title, authors=authors, year=year),
        pages=9,
        kind="born digital",
        added_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def passage(
    text: str,
    *,
    passage_id: str = "a",
    page: int = 3,
    kind: PassageKind = "text",
    next_id: str | None = None,
    boxes: tuple[Box, ...] = (),
    table: Table | None = None,
) -> Passage:
    return Passage(
        id=passage_id,
        paper_id="p1",
        ordinal=0,
        page=page,
        section=("3 Results",),
        kind=kind,
        text=text,
        indexed_text=text,
        next_id=next_id,
        boxes=boxes,
        table=table,
    )


def evidence(
    *passages: Passage, context: tuple[Passage, ...] = (), authors: tuple[str, ...] = (), year: int | None = None
) -> list[Evidence]:
    whose = paper(authors=authors, year=year)
    return [Evidence(passage=one, paper=whose, score=1.0, context=context) for one in passages]
