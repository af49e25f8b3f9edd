"""How papers, passages, figures and references lie in rows, and how they come back as values."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, TypeAlias

from core.domain.model import Figure, Heading, Metadata, Paper, Passage, Reference, Relation, Share, Table
from core.library.codec import from_json, pack_boxes, strings, to_json, unpack_boxes

Row: TypeAlias = Sequence[Any]

PAPER = "p.number, p.id, p.file_name, p.metadata, p.pages, p.kind, p.added_at, p.warnings"
PASSAGE = (
    "p.number, p.id, p.ordinal, p.page, p.section, p.kind, p.text, p.indexed_text, p.boxes, p.label, p.grid, "
    "p.next_id, p.from_ocr"
)
FIGURE = "f.id, f.page, f.label, f.caption, f.nearby, f.box, f.image, f.description"
REFERENCE = "r.ordinal, r.raw, r.label, r.authors, r.title, r.year, r.doi, r.arxiv_id"
HEADING = "h.text, h.page, h.level"


def storable(text: str) -> str:
    """The text without halves of surrogate pairs, which some PDFs hold and no file can."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def storable_row(row: Sequence[object]) -> tuple[object, ...]:
    """Every text of a row made storable."""
    return tuple(storable(value) if isinstance(value, str) else value for value in row)


def paper_row(paper: Paper, unread: Sequence[int]) -> tuple[object, ...]:
    """id, file_name, metadata, year, pages, kind, added_at, warnings, unread."""
    return storable_row(
        (
            paper.id,
            paper.file_name,
            to_json(paper.metadata),
            paper.metadata.year,
            paper.pages,
            paper.kind,
            paper.added_at.isoformat(),
            to_json(paper.warnings),
            to_json(tuple(unread)),
        )
    )


def paper_of(row: Row, shares: Sequence[Share], relations: Sequence[Relation]) -> Paper:
    """A paper from the ``PAPER`` columns."""
    return Paper(
        id=row[1],
        file_name=row[2],
        metadata=from_json(Metadata, row[3]),
        pages=row[4],
        kind=row[5],
        added_at=datetime.fromisoformat(row[6]),
        shares=tuple(shares),
        relations=tuple(relations),
        warnings=strings(row[7]),
    )


def passage_row(paper: int, passage: Passage) -> tuple[object, ...]:
    """The columns of ``passage`` after its number."""
    return storable_row(
        (
            paper,
            passage.id,
            passage.ordinal,
            passage.page,
            to_json(passage.section),
            passage.kind,
            passage.text,
            passage.indexed_text,
            pack_boxes(passage.boxes),
            passage.label,
            None if passage.table is None else to_json(passage.table),
            passage.next_id,
            int(passage.from_ocr),
        )
    )


def passage_of(row: Row, paper_id: str) -> Passage:
    """A passage from the ``PASSAGE`` columns."""
    return Passage(
        id=row[1],
        paper_id=paper_id,
        ordinal=row[2],
        page=row[3],
        section=strings(row[4]),
        kind=row[5],
        text=row[6],
        indexed_text=row[7],
        boxes=unpack_boxes(row[8]),
        label=row[9],
        table=None if row[10] is None else from_json(Table, row[10]),
        next_id=row[11],
        from_ocr=bool(row[12]),
    )


def figure_row(paper: int, ordinal: int, figure: Figure, image: str) -> tuple[object, ...]:
    """The columns of ``figure``; ``image`` is the name of its picture file."""
    box = pack_boxes((figure.box,))
    words = (figure.label, figure.caption, figure.nearby)
    return storable_row((paper, ordinal, figure.id, figure.page, *words, box, image, figure.description))


def figure_of(row: Row, paper_id: str, image: bytes) -> Figure:
    """A figure from the ``FIGURE`` columns."""
    return Figure(
        id=row[0],
        paper_id=paper_id,
        page=row[1],
        label=row[2],
        caption=row[3],
        nearby=row[4],
        box=unpack_boxes(row[5])[0],
        image=image,
        description=row[7],
    )


def reference_row(paper: int, entry: Reference) -> tuple[object, ...]:
    """The columns of ``reference``."""
    found = (to_json(entry.authors), entry.title, entry.year, entry.doi, entry.arxiv_id)
    return storable_row((paper, entry.ordinal, entry.raw, entry.label, *found))


def reference_of(row: Row, paper_id: str) -> Reference:
    """A reference from the ``REFERENCE`` columns."""
    return Reference(
        paper_id=paper_id,
        ordinal=row[0],
        raw=row[1],
        label=row[2],
        authors=tuple(json.loads(row[3])),
        title=row[4],
        year=row[5],
        doi=row[6],
        arxiv_id=row[7],
    )


def heading_row(paper: int, ordinal: int, heading: Heading) -> tuple[object, ...]:
    """The columns of ``heading``."""
    return storable_row((paper, ordinal, heading.text, heading.page, heading.level))


def heading_of(row: Row) -> Heading:
    """A heading from the ``HEADING`` columns."""
    return Heading(text=row[0], page=row[1], level=row[2])


def share_row(paper: int, share: Share) -> tuple[object, ...]:
    """paper, channel, message, file_id, user, at."""
    return storable_row((paper, share.channel, share.message, share.file_id, share.user, share.at.isoformat()))


def share_of(row: Row, paper_id: str) -> Share:
    """A share from channel, message, file_id, user, at."""
    return Share(
        paper_id=paper_id,
        channel=row[0],
        message=row[1],
        file_id=row[2],
        user=row[3],
        at=datetime.fromisoformat(row[4]),
    )
