"""Cuts a paper's parts into passages: never over a page or a section, about as long as asked, whole sentences."""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.domain.model import Box, Passage, PassageKind, Table
from core.reading.blocks import Line
from core.reading.joining import Words
from core.reading.parts import Part, Role
from core.reading.tables import as_table, header_rows, in_words, rows_of
from core.text import sentence_spans

_KINDS: Mapping[Role, PassageKind] = {
    "text": "text",
    "list": "list",
    "footnote": "text",
    "furniture": "text",
    "caption": "caption",
    "formula": "formula",
    "picture": "figure",
    "table": "table",
}
_FEWEST_LETTERS = 12
"""Letters in words below which a figure's lettering is no passage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A passage before it has its number and its neighbours."""

    page: int
    section: tuple[str, ...]
    kind: PassageKind
    text: str
    boxes: tuple[Box, ...]
    label: str = ""
    table: Table | None = None
    first_row: int = 1
    caption: str = ""
    from_ocr: bool = False


def passages(parts: Sequence[Part], *, paper_id: str, title: str, characters: int) -> tuple[Passage, ...]:
    """All passages of a paper in reading order."""
    words = Words(line.text for part in parts for line in part.block.lines)
    drafts = [draft for group in _groups(parts) for draft in _drafts(group, words, characters)]
    done = [
        Passage(
            id=f"{paper_id[:16]}-{ordinal:05d}",
            paper_id=paper_id,
            ordinal=ordinal,
            page=draft.page,
            section=draft.section,
            kind=draft.kind,
            text=draft.text,
            indexed_text=_indexed(title, draft),
            boxes=draft.boxes,
            label=draft.label or None,
            table=draft.table,
            from_ocr=draft.from_ocr,
        )
        for ordinal, draft in enumerate(drafts)
        if any(character.isalnum() for character in draft.text)
    ]
    return _linked(done)


def _groups(parts: Sequence[Part]) -> Iterator[list[Part]]:
    """Neighbouring parts that one passage may hold."""
    group: list[Part] = []
    for part in parts:
        if part.role in ("heading", "reference", "furniture"):
            continue
        if group and _goes_on(group[-1], part):
            group.append(part)
            continue
        if group:
            yield group
        group = [part]
    if group:
        yield group


def _goes_on(last: Part, part: Part) -> bool:
    same_place = last.page == part.page and last.section == part.section
    running = ("text", "list", "formula")
    same_kind = last.role == part.role if part.role == "footnote" else last.role in running and part.role in running
    return same_place and same_kind


def _drafts(group: Sequence[Part], words: Words, characters: int) -> Iterator[Draft]:
    if group[0].role == "table":
        yield from _table_drafts(group[0], characters)
        return
    if group[0].role == "picture":
        yield from _picture_draft(group[0])
        return
    lines = [(line, part) for part in group for line in part.block.lines if line.text.strip()]
    if not lines:
        return
    text, starts = _text_of([line.text for line, _ in lines], words)
    for begin, end in _pieces(text, characters):
        inside = [
            number
            for number, start in enumerate(starts)
            if start < end and (starts[number + 1] if number + 1 < len(starts) else len(text)) > begin
        ]
        own = [lines[number][1] for number in inside]
        yield Draft(
            page=group[0].page,
            section=group[0].section,
            kind=_kind(own),
            text=text[begin:end].strip(),
            boxes=tuple(_box(group[0].page, lines[number][0]) for number in inside),
            label=next((part.label for part in own if part.label), ""),
            from_ocr=group[0].from_ocr,
        )


def _picture_draft(part: Part) -> Iterator[Draft]:
    """The lettering of a figure, if there are words in it to find: axis numbers alone are not."""
    lines = [line for line in part.block.lines if line.text.strip()]
    letters = sum(len(word) for line in lines for word in re.findall(r"[^\W\d_]{3,}", line.text))
    if letters < _FEWEST_LETTERS:
        return
    yield Draft(
        page=part.page,
        section=part.section,
        kind="figure",
        text="\n".join(" ".join(line.text.split()) for line in lines),
        boxes=tuple(_box(part.page, line) for line in lines),
        label=part.label,
        caption=part.caption,
        from_ocr=part.from_ocr,
    )


def _text_of(lines: Sequence[str], words: Words) -> tuple[str, list[int]]:
    """Running text of the lines, and the offset at which each begins."""
    text, starts = "", []
    for line in lines:
        line = " ".join(line.split())
        text = words.joined(text, line) if text else line
        starts.append(len(text) - len(line))
    return text, starts


def _kind(parts: Sequence[Part]) -> PassageKind:
    kinds = [_KINDS[part.role] for part in parts]
    return max(dict.fromkeys(kinds), key=kinds.count) if kinds else "text"


def _box(page: int, line: Line) -> Box:
    x0, y0, x1, y1 = line.rect
    return Box(page=page, x0=x0, y0=y0, x1=x1, y1=y1)


def _pieces(text: str, characters: int) -> Iterator[tuple[int, int]]:
    """Stretches of whole sentences of at least ``characters``, a short rest joined to the last."""
    begin = 0
    cuts: list[int] = []
    for _, end in _short(text, sentence_spans(text), 2 * characters):
        if end - begin >= characters:
            cuts.append(end)
            begin = end
    if cuts and len(text) - cuts[-1] < 0.3 * characters:
        cuts.pop()
    edges = [0, *cuts, len(text)]
    yield from ((a, b) for a, b in itertools.pairwise(edges) if text[a:b].strip())


def _short(text: str, spans: Sequence[tuple[int, int]], most: int) -> Iterator[tuple[int, int]]:
    """The same spans, the overlong ones cut at spaces."""
    for begin, end in spans:
        while end - begin > most:
            cut = text.rfind(" ", begin + most // 2, begin + most)
            if cut < 0:
                cut = begin + most
            yield begin, cut
            begin = cut
        yield begin, end


def _table_drafts(part: Part, characters: int) -> Iterator[Draft]:
    """A table's rows as one passage or several; each knows the rows that name the columns."""
    rows = rows_of(part.block)
    top = 0 if part.header_rows else header_rows(rows)
    header = (*part.header_rows, *rows[:top])
    start, number = 0, 1
    while start < len(rows):
        end, size = start, 0
        while end < len(rows) and (size < 1.5 * characters or end <= top):
            size += len(rows[end].text) + 1
            end += 1
        if sum(len(row.text) for row in rows[end:]) < 0.3 * characters:
            end = len(rows)
        body = rows[max(start, top) : end]
        yield Draft(
            page=part.page,
            section=part.section,
            kind="table",
            text="\n".join(row.text for row in rows[start:end]),
            boxes=tuple(
                Box(page=part.page, x0=r.rect[0], y0=r.rect[1], x1=r.rect[2], y1=r.rect[3]) for r in rows[start:end]
            ),
            label=part.label,
            table=as_table(header, body),
            first_row=number,
            caption=part.caption,
            from_ocr=part.from_ocr,
        )
        number += len(body)
        start = end


def _indexed(title: str, draft: Draft) -> str:
    body = in_words(draft.table, draft.first_row) if draft.table else ""
    return "\n".join(piece for piece in (title, " > ".join(draft.section), draft.caption, draft.text, body) if piece)


def _linked(done: Sequence[Passage]) -> tuple[Passage, ...]:
    """``next_id`` where a passage's last sentence goes on in the next running passage."""
    linked = list(done)
    last: int | None = None
    for number, passage in enumerate(linked):
        if passage.kind not in ("text", "list"):
            continue
        if last is not None and not re.search(r"[.!?:;。！？][\"'”’)\]]*\s*$", linked[last].text):
            linked[last] = replace(linked[last], next_id=passage.id)
        last = number
    return tuple(linked)
