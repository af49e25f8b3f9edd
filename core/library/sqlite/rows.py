"""How papers, passages, figures and conversations lie in rows, and how they come back as values.

A row has two halves: columns that hold no words, and a body in ``wording`` that holds them all.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any, TypeAlias

from core.domain.codec import from_json, to_json
from core.domain.model import (
    Box,
    Citation,
    Figure,
    LayerReading,
    Metadata,
    Paper,
    Passage,
    Relation,
    Share,
    Table,
    Turn,
)
from core.domain.ports import InContext, Searched

Row: TypeAlias = Sequence[Any]

PASSAGE = "p.number, p.id, p.ordinal, p.page, p.kind, p.boxes, p.next_id, p.from_ocr, w.body"
SEARCHED = "p.number, p.ordinal, p.kind, w.body"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperWords:
    """The body of a paper."""

    metadata: Metadata
    warnings: tuple[str, ...] = ()
    unread: tuple[int, ...] = ()
    page_labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnWords:
    """The body of a turn."""

    text: str
    citations: tuple[Citation, ...] = ()


def to_storable(text: str) -> str:
    """The text without halves of surrogate pairs, which some PDFs hold and no file can."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def to_storable_row(row: Sequence[object]) -> tuple[object, ...]:
    """Every text of a row made storable."""
    return tuple(to_storable(value) if isinstance(value, str) else value for value in row)


def paper_from_row(row: Row, shares: Sequence[Share], relations: Sequence[Relation]) -> Paper:
    """A paper from id, pages, kind and body, known by the name and time of the first of ``shares`` (at least one)."""
    paper_id, pages, kind, body = row
    words = from_json(PaperWords, body)
    first = first_added(shares)
    return Paper(
        id=paper_id,
        file_name=first.file_name,
        metadata=words.metadata,
        pages=pages,
        kind=kind,
        added_at=added_at(first),
        shares=tuple(shares),
        relations=tuple(relations),
        warnings=words.warnings,
        page_labels=words.page_labels,
    )


def passage_body(passage: Passage) -> str:
    """The words of a passage, by position: their names would take as much room as a short passage."""
    table = None if passage.table is None else [passage.table.header, passage.table.rows]
    layer = [(item.start, item.end, item.words, int(item.apart)) for item in passage.layer]
    words = [passage.section, passage.text, passage.indexed_text, passage.label]
    return to_json([*words, table, layer, passage.ends, passage.read_by])


def passage_row(passage: Passage) -> tuple[object, ...]:
    """id, ordinal, page, kind, boxes, next_id, from_ocr."""
    boxes = pack_boxes(passage.boxes)
    place = (passage.id, passage.ordinal, passage.page, passage.kind, boxes)
    return to_storable_row((*place, passage.next_id, int(passage.from_ocr)))


def passage_from_row(row: Row, paper_id: str) -> Passage:
    """A passage from the ``PASSAGE`` columns."""
    section, text, indexed_text, label, table, layer, ends, read_by = json.loads(row[8])
    return Passage(
        id=row[1],
        paper_id=paper_id,
        ordinal=row[2],
        page=row[3],
        section=tuple(section),
        kind=row[4],
        text=text,
        indexed_text=indexed_text,
        boxes=unpack_boxes(row[5]),
        ends=tuple(ends),
        label=label,
        table=None if table is None else Table(header=tuple(table[0]), rows=tuple(tuple(line) for line in table[1])),
        next_id=row[6],
        from_ocr=bool(row[7]),
        layer=tuple(
            LayerReading(start=start, end=end, words=words, apart=bool(apart)) for start, end, words, apart in layer
        ),
        read_by=read_by,
    )


def searched_from_row(row: Row, paper_id: str) -> Searched:
    """What is scored of a passage, from the ``SEARCHED`` columns."""
    section, text, indexed_text, label, *_ = json.loads(row[3])
    return Searched(
        paper_id=paper_id,
        ordinal=row[1],
        kind=row[2],
        section=tuple(section),
        text=text,
        indexed_text=indexed_text,
        label=label,
    )


def contexts_from_rows(found: Iterable[Row]) -> dict[int, InContext]:
    """From ``PASSAGE`` columns, the number of the passage they stand beside, and the paper's number and id."""
    known: dict[int, Passage] = {}
    around: dict[int, list[int]] = {}
    for row in found:
        if row[0] not in known:
            known[row[0]] = passage_from_row(row, row[-1])
        around.setdefault(row[-3], []).append(row[0])
    return {
        number: InContext(
            passage=known[number],
            context=tuple(
                known[other] for other in beside if other != number and known[other].section == known[number].section
            ),
        )
        for number, beside in around.items()
    }


def figure_body(figure: Figure) -> str:
    """All of a figure but its picture, which lies in a file."""
    return to_json(replace(figure, image=b""))


def share_row(paper: int, share: Share) -> tuple[object, ...]:
    """paper, channel, message, file_id, user, at, added_at."""
    place = (paper, share.channel, share.message, share.file_id)
    return to_storable_row((*place, share.user, share.at.isoformat(), added_at(share).isoformat()))


def added_at(share: Share) -> datetime:
    """When the paper came into the library by this share; when it was dropped, where nothing else is known."""
    return share.added_at or share.at


def first_added(shares: Sequence[Share]) -> Share:
    """The share by which a paper came first, of those given."""
    return min(shares, key=lambda share: (added_at(share), share.channel, share.message, share.file_id))


def share_from_row(row: Row, paper_id: str) -> Share:
    """A share from channel, message, file_id, user, at, added_at and body."""
    return Share(
        paper_id=paper_id,
        channel=row[0],
        message=row[1],
        file_id=row[2],
        user=row[3],
        at=datetime.fromisoformat(row[4]),
        added_at=datetime.fromisoformat(row[5]),
        file_name=from_json(str, row[6]),
    )


def turn_from_row(row: Row) -> Turn:
    """A turn from role, at, forgotten and body."""
    role, at, forgotten, body = row
    words = TurnWords(text="") if forgotten else from_json(TurnWords, body)
    return Turn(
        role=role,
        text=words.text,
        at=datetime.fromisoformat(at),
        citations=words.citations,
        forgotten=bool(forgotten),
    )


def pack_boxes(boxes: Sequence[Box]) -> bytes:
    """Boxes to a hundredth of a point, as differences to the box before: about nine bytes a printed line."""
    packed, last = bytearray(), [0, 0, 0, 0, 0]
    for box in boxes:
        now = [box.page, *(round(edge * 100) for edge in (box.x0, box.y0, box.x1, box.y1))]
        for before, after in zip(last, now, strict=True):
            step = after - before
            number = step * 2 if step >= 0 else -step * 2 - 1
            while number > 127:
                packed.append(number & 127 | 128)
                number >>= 7
            packed.append(number)
        last = now
    return bytes(packed)


@lru_cache(maxsize=1_024)  # a paper that is asked about is asked about again
def unpack_boxes(packed: bytes) -> tuple[Box, ...]:
    """What ``pack_boxes`` packed."""
    steps: list[int] = []
    number = shift = 0
    for byte in packed:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            steps.append(-(number + 1) // 2 if number & 1 else number // 2)
            number = shift = 0
    boxes: list[Box] = []
    page = x0 = y0 = x1 = y1 = 0
    for start in range(0, len(steps), 5):
        page += steps[start]
        x0 += steps[start + 1]
        y0 += steps[start + 2]
        x1 += steps[start + 3]
        y1 += steps[start + 4]
        boxes.append(Box(page=page, x0=x0 / 100, y0=y0 / 100, x1=x1 / 100, y1=y1 / 100))
    return tuple(boxes)
