"""A message as the page draws it: blocks, footnotes, buttons and files as plain values. Pure.

The page builds its elements from these values and never from markup, so that no paper and no reader can put
anything but words on it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from adapters.common.markdown import Code, Grid, Line, Text, parse
from adapters.web.messages import By, DroppedFile, Message, State
from core.domain.citation_format import byline, computation_text, locator_text
from core.domain.model import Citation, Paper, Sentence
from core.domain.reply import Button, Reply

# A marker stands behind a space or another marker, and before one of these or the end. A paper's own [3] may do so
# too, but then its quote has it in the same words.
_MARKER = re.compile(r"(?:(?<=\s)|(?<=\])|^)\[(\d+)\](?=\s|\[|$)")
_WORDS_BEFORE = 16
BlockKind = Literal["paragraph", "bullet", "quote", "table", "code"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Words in one style, or the marker of a footnote (0: none)."""

    text: str = ""
    style: str = "plain"
    marker: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockView:
    """A block: ``pieces`` of a text, ``header`` and ``rows`` of a table, or ``code``."""

    kind: BlockKind
    pieces: tuple[Piece, ...] = ()
    header: tuple[tuple[Piece, ...], ...] = ()
    rows: tuple[tuple[tuple[Piece, ...], ...], ...] = ()
    code: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteView:
    """Quoted words on a page, and where on it in PDF points (x0, y0, x1, y1)."""

    page: int
    quote: str
    boxes: tuple[tuple[float, float, float, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteView:
    """A footnote. ``computed`` is a shown computation, or empty."""

    marker: int
    paper: str
    title: str
    byline: str
    place: str
    quotes: tuple[QuoteView, ...]
    computed: str = ""
    operands: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FileView:
    """A file that goes with a reply; ``place`` counts them from 0."""

    place: int
    name: str
    mime: str
    alt: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageView:
    """All of a message that the page draws."""

    id: str
    channel: str
    thread: str
    by: By
    at: datetime
    state: State
    revision: int
    kind: str
    key: str = ""
    text: str = ""
    words: str = ""
    files: tuple[DroppedFile, ...] = ()
    blocks: tuple[BlockView, ...] = ()
    notes: tuple[NoteView, ...] = ()
    buttons: tuple[Button, ...] = ()
    attachments: tuple[FileView, ...] = ()
    footer: str = ""
    papers: tuple[str, ...] = ()
    private: bool = False


def message_view(message: Message, *, titles: Sequence[Paper] = ()) -> MessageView:
    """A message as it is drawn; ``titles`` are papers that a reply still being written cites."""
    head = MessageView(
        id=message.id,
        channel=message.channel,
        thread=message.thread,
        by=message.by,
        at=message.at,
        state=message.state,
        revision=message.revision,
        kind=message.reply.kind if message.reply else "",
        key=message.key,
        text=message.text,
        words=message.words,
        files=message.files,
        papers=tuple(sorted(message.papers)),
    )
    if message.reply:
        return _with_reply(head, message.reply)
    return _with_sentences(head, message, {paper.id: paper for paper in titles})


def block_views(body: str, cited: Sequence[Citation] = ()) -> tuple[BlockView, ...]:
    """The blocks of a body; ``cited`` are the citations that have a footnote."""
    printed = tuple(" ".join(span.quote.split()) for citation in cited for span in citation.spans)
    known = _Known(markers=frozenset(citation.marker for citation in cited), printed=printed)
    return tuple(_block(citation, known) for citation in parse(body))


def note_view(citation: Citation, paper: Paper | None) -> NoteView:
    """A footnote; ``paper`` is None while only its id is known."""
    derivation = citation.derivation
    return NoteView(
        marker=citation.marker,
        paper=citation.paper_id,
        title=paper.title if paper else "",
        byline=byline(paper) if paper else "",
        place=locator_text(citation, paper.page_labels if paper else ()),
        quotes=tuple(
            QuoteView(
                page=span.page,
                quote=" ".join(span.quote.split()),
                boxes=tuple((box.x0, box.y0, box.x1, box.y1) for box in span.boxes if box.page == span.page),
            )
            for span in citation.spans
        ),
        computed=computation_text(citation),
        operands=derivation.operands if derivation else (),
    )


def _with_reply(head: MessageView, reply: Reply) -> MessageView:
    return replace(
        head,
        blocks=_without_offered(
            block_views(reply.body, [item.citation for item in reply.footnotes]),
            frozenset(item.label for item in reply.buttons if item.action == "ask"),
        ),
        notes=tuple(note_view(item.citation, item.paper) for item in reply.footnotes),
        buttons=reply.buttons,
        attachments=tuple(
            FileView(place=place, name=file.name, mime=file.mime, alt=file.alt)
            for place, file in enumerate(reply.files)
        ),
        footer=reply.footer,
        private=reply.audience == "asker",
    )


def _with_sentences(head: MessageView, message: Message, titles: dict[str, Paper]) -> MessageView:
    pieces = tuple(piece for sentence in message.sentences for piece in _sentence(sentence))
    return replace(
        head,
        blocks=(BlockView(kind="paragraph", pieces=pieces),) if pieces else (),
        notes=tuple(note_view(citation, titles.get(citation.paper_id)) for citation in message.citations),
    )


def _without_offered(view_blocks: tuple[BlockView, ...], offered: frozenset[str]) -> tuple[BlockView, ...]:
    """The blocks without a list of what is offered as buttons too, and without the line that leads to that list."""
    kept: list[BlockView] = []
    leads_on = False  # whether the block behind is one of the list
    for block in reversed(view_blocks):
        is_offered = block.kind == "bullet" and "".join(piece.text for piece in block.pieces) in offered
        is_lead = block.kind == "paragraph" and leads_on
        leads_on = is_offered
        if not is_offered and not is_lead:
            kept.append(block)
    return tuple(reversed(kept))


def _sentence(sentence: Sentence) -> tuple[Piece, ...]:
    words = Piece(text=f"{sentence.text} ")
    return (words, *(Piece(marker=marker) for marker in sentence.markers), Piece(text=" "))


def _block(block: Text | Grid | Code, known: "_Known") -> BlockView:
    match block:
        case Text(kind=kind, line=line):
            return BlockView(kind=kind, pieces=_pieces(line, known))
        case Grid(header=header, rows=rows):
            return BlockView(
                kind="table",
                header=tuple(_pieces(cell, known) for cell in header),
                rows=tuple(tuple(_pieces(cell, known) for cell in row) for row in rows),
            )
        case Code(text=text):
            return BlockView(kind="code", code=text)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """What tells a footnote's marker from a number that a paper itself prints in brackets."""

    markers: frozenset[int]
    printed: tuple[str, ...]

    def is_marker(self, text: str, match: re.Match[str]) -> bool:
        """Whether it has a footnote, and no quote has it behind the same words."""
        behind = text[max(0, match.start() - _WORDS_BEFORE) : match.end()]
        return int(match[1]) in self.markers and not any(behind in quote for quote in self.printed)


def _pieces(line: Line, known: _Known) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    for run in line:
        end = 0
        for match in _MARKER.finditer(run.text) if run.style == "plain" else ():
            if not known.is_marker(run.text, match):
                continue
            if match.start() > end:
                pieces.append(Piece(text=run.text[end : match.start()]))
            pieces.append(Piece(marker=int(match[1])))
            end = match.end()
        if end < len(run.text):
            pieces.append(Piece(text=run.text[end:], style=run.style))
    return tuple(pieces)
