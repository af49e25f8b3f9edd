"""Cuts a paper's parts into passages: never over a page or a section, about as long as asked, whole sentences."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from core.domain.model import Passage, PassageKind
from core.reading.blocks import Line
from core.reading.paper.parts import BULLET, Part, PartRole
from core.reading.paper.passage_drafts import PassageDraft, formula_drafts, line_box, picture_drafts, table_drafts
from core.reading.paper.tables import linearise_table
from core.reading.paper.word_joining import Vocabulary
from core.text import sentence_spans

_KINDS: Mapping[PartRole, PassageKind] = {"list": "list", "caption": "caption"}
_RUNNING: tuple[PartRole, ...] = ("text", "list", "formula")
_NO_PASSAGES: tuple[PartRole, ...] = ("heading", "reference", "front", "furniture")
_ENDED = re.compile(r"[.!?:;。！？][\"'”’)\]]*\s*(?:\[[\d,\s–-]+\]|\^?\d{1,3})?\s*$")

PASSAGE_CHARACTERS = 600
"""A text passage ends at the first sentence end past this many characters."""


def chunk_passages(parts: Sequence[Part], *, paper_id: str, title: str, characters: int) -> tuple[Passage, ...]:
    """All passages of a paper in reading order; ids are made of the paper's id and the passage's number."""
    words = Vocabulary(line.text for part in parts for line in part.block.lines)
    drafts = [draft for section in _sections(parts) for draft in _section_drafts(section, words, characters)]
    filled = [draft for draft in drafts if any(char.isalnum() for char in draft.text)]
    passages = [
        Passage(
            id=f"{paper_id[:16]}-{ordinal:05d}",
            paper_id=paper_id,
            ordinal=ordinal,
            page=draft.page,
            section=draft.section,
            kind=draft.kind,
            text=draft.text,
            indexed_text=_build_indexed_text(title, draft),
            boxes=draft.boxes,
            ends=draft.ends,
            label=draft.label or None,
            table=draft.table,
            from_ocr=draft.from_ocr,
        )
        for ordinal, draft in enumerate(filled)
    ]
    return _link_continuations(passages, filled)


def _sections(parts: Sequence[Part]) -> Iterator[list[list[Part]]]:
    """For each section the groups of parts that make passages: running text by page, footnotes, each float alone.

    What interrupts the text of a section (a figure, a footnote) follows behind the section, so that a sentence
    which goes on over a page end goes on in the very next passage.
    """
    running: list[list[Part]] = []
    aside: list[list[Part]] = []
    for part in parts:
        if part.role in _NO_PASSAGES:
            continue
        if part.role not in _RUNNING:
            _append_to_group(aside, part, joins=part.role == "footnote" == _last_role(aside))
            continue
        if running and running[-1][0].section != part.section:
            yield [*running, *aside]
            running, aside = [], []
        _append_to_group(running, part, joins=True)
    yield [*running, *aside]


def _last_role(groups: Sequence[Sequence[Part]]) -> PartRole | None:
    return groups[-1][-1].role if groups else None


def _append_to_group(groups: list[list[Part]], part: Part, *, joins: bool) -> None:
    """Add the part to the last group if it may join it and stands on the same page, else begin a new one."""
    if joins and groups and groups[-1][-1].page == part.page:
        groups[-1].append(part)
    else:
        groups.append([part])


def _section_drafts(groups: Sequence[list[Part]], words: Vocabulary, characters: int) -> Iterator[PassageDraft]:
    for group in groups:
        yield from _drafts(group, words, characters)
    for group in groups:
        yield from _numbered_formula_drafts(group)


def _drafts(group: Sequence[Part], words: Vocabulary, characters: int) -> Iterator[PassageDraft]:
    first = group[0]
    if first.role == "table":
        yield from table_drafts(first, characters)
    elif first.role == "picture":
        yield from picture_drafts(first)
    else:
        yield from _text_drafts(group, words, characters)


def _numbered_formula_drafts(group: Sequence[Part]) -> Iterator[PassageDraft]:
    """The numbered formulas of running text once more on their own, each with the words before it to find it by."""
    before = ""
    for part in group:
        if part.role == "formula":
            yield from formula_drafts(part, before)
        else:
            before = " ".join(part.text.split())[-300:]


def _text_drafts(group: Sequence[Part], words: Vocabulary, characters: int) -> Iterator[PassageDraft]:
    lines = [(line, part) for part in group for line in part.block.lines if line.text.strip()]
    text, starts = _join_paragraphs(lines, words)
    ends = [start + len(" ".join(line.text.split())) for start, (line, _) in zip(starts, lines, strict=True)]
    for begin, end in _split_by_length(text, characters):
        inside = [n for n in range(len(lines)) if starts[n] < end and ends[n] > begin]
        piece = text[begin:end].strip()
        offset = begin + text[begin:end].index(piece)
        yield _text_draft(
            group[0],
            [lines[n] for n in inside],
            piece,
            ends=tuple(min(ends[n] - offset, len(piece)) for n in inside),
        )


def _text_draft(first: Part, lines: Sequence[tuple[Line, Part]], text: str, *, ends: tuple[int, ...]) -> PassageDraft:
    parts = [part for _, part in lines]
    return PassageDraft(
        page=first.page,
        section=first.section,
        kind=_passage_kind(parts),
        text=text,
        boxes=tuple(line_box(first.page, line) for line, _ in lines),
        ends=ends,
        label=next((part.label for part in parts if part.label), ""),
        from_ocr=first.from_ocr,
        note=first.role == "footnote",
    )


def _join_paragraphs(lines: Sequence[tuple[Line, Part]], words: Vocabulary) -> tuple[str, list[int]]:
    """Running text of the lines, a blank line between paragraphs, and the offset at which each line begins."""
    text, starts = "", []
    last: Part | None = None
    for line, part in lines:
        printed = " ".join(line.text.split())
        is_new_box = last is not None and part is not last
        if last is None:
            text = printed
        elif is_new_box and _starts_paragraph(text, printed, last, part):
            text += _paragraph_break(last, part) + printed
        elif part.role == "list" and BULLET.match(printed):
            text += "\n" + printed
        else:
            text = words.join(text, printed)
        starts.append(len(text) - len(printed))
        last = part
    return text, starts


def _paragraph_break(last: Part, part: Part) -> str:
    return "\n" if part.role == last.role == "list" else "\n\n"


def _starts_paragraph(before: str, after: str, last: Part, part: Part) -> bool:
    """Whether a box begins a paragraph of its own, or goes on with a sentence that a column end or formula cut."""
    if "formula" in (last.role, part.role):
        return False
    return _ENDED.search(before[-12:]) is not None or part.role != last.role or not after[:1].islower()


def _passage_kind(parts: Sequence[Part]) -> PassageKind:
    kinds = [_KINDS.get(part.role, "text") for part in parts]
    return max(dict.fromkeys(kinds), key=kinds.count) if kinds else "text"


def _split_by_length(text: str, characters: int) -> Iterator[tuple[int, int]]:
    """Ranges of whole sentences of at least ``characters``, a short rest joined to the last."""
    cuts = [0]
    for _, end in _split_overlong(text, sentence_spans(text), 2 * characters):
        if end - cuts[-1] >= characters:
            cuts.append(end)
    rest = len(text) - cuts[-1]
    if len(cuts) > 1 and rest < 0.3 * characters:
        cuts.pop()
    yield from ((begin, end) for begin, end in pairwise([*cuts, len(text)]) if text[begin:end].strip())


def _split_overlong(text: str, spans: Sequence[tuple[int, int]], most: int) -> Iterator[tuple[int, int]]:
    """The same spans, the overlong ones cut at spaces."""
    for begin, end in spans:
        while end - begin > most:
            cut = text.rfind(" ", begin + most // 2, begin + most)
            if cut < 0:
                cut = begin + most
            yield begin, cut
            begin = cut
        yield begin, end


def _build_indexed_text(title: str, draft: PassageDraft) -> str:
    """What is searched: title, section, caption, the words themselves, a table's rows with header names."""
    body = linearise_table(draft.table, draft.first_row, draft.groups) if draft.table else ""
    label = draft.label if draft.kind == "formula" else ""
    above = (title, " > ".join(draft.section), draft.caption, label, draft.context)
    return "\n".join(piece for piece in (*above, draft.text, body) if piece)


def _link_continuations(passages: Sequence[Passage], drafts: Sequence[PassageDraft]) -> tuple[Passage, ...]:
    """``next_id`` where a passage's last sentence goes on in the next one: text in text, a page's note in a note."""
    linked = list(passages)
    last: dict[bool, int] = {}
    for index, (passage, draft) in enumerate(zip(passages, drafts, strict=True)):
        if passage.kind not in ("text", "list"):
            continue
        before = last.get(draft.note)
        if before is not None and _continues_in(drafts[before], draft):
            linked[before] = replace(linked[before], next_id=passage.id)
        last[draft.note] = index
    return tuple(linked)


def _continues_in(last: PassageDraft, draft: PassageDraft) -> bool:
    if _ENDED.search(last.text[-12:]):
        return False
    if draft.note:
        return draft.page - last.page in (0, 1) and draft.text[:1].islower()
    return draft.section == last.section
