"""A small paper of our own as a PDF, for the demonstration and for seeing whether reading works.

Written byte by byte, because the one library that could write it belongs to the reading room.
"""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

_WIDTH, _HEIGHT, _MARGIN = 595, 842, 64
_FONTS = {"title": ("B", 17, 24, 56), "heading": ("B", 12, 22, 72), "text": ("R", 10, 14, 92)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A piece of text; ``title``, ``heading`` and ``text`` differ in font and size."""

    kind: Literal["title", "heading", "text"]
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The sample's name, its bytes, and questions that it answers."""

    name: str
    pdf: bytes
    questions: tuple[str, ...]


_PAGES: Sequence[Sequence[Block]] = (
    (
        Block(kind="title", words="Do margins slow readers down? A small study of notes on paper"),
        Block(kind="text", words="Ida Noor and Tom Weller"),
        Block(kind="text", words="University of Lowmere, 2024"),
        Block(kind="heading", words="Abstract"),
        Block(
            kind="text",
            words="Notes can stand at the foot of the page, in the margin or at the end of the book. We asked 48 "
            "readers to find the source of a claim in each of the three layouts. Footnotes were fastest: readers "
            "needed 6.2 seconds on average, against 7.9 seconds with margin notes and 21.4 seconds with endnotes.",
        ),
        Block(kind="heading", words="1 Introduction"),
        Block(
            kind="text",
            words="A claim without a source asks for trust, and a source that is hard to find asks for patience. "
            "Typographers have argued about the right place of notes for centuries, mostly without measuring. "
            "This study measures how long it takes to get from a claim to its source.",
        ),
    ),
    (
        Block(kind="heading", words="2 Method"),
        Block(
            kind="text",
            words="Forty-eight volunteers, all students of history, read the same twelve pages. Each reader saw "
            "four pages in each layout, in an order that was drawn by lot. A camera above the desk recorded when "
            "a reader's finger reached the note. Readers who had seen the text before were left out.",
        ),
        Block(kind="heading", words="3 Results"),
        Block(
            kind="text",
            words="Readers found 97 percent of the footnotes, 95 percent of the margin notes and 81 percent of the "
            "endnotes. The difference between footnotes and margin notes was small and may be due to chance. "
            "Endnotes were slower for every single reader.",
        ),
        Block(kind="heading", words="4 Limitations"),
        Block(
            kind="text",
            words="All readers were students of history and used to footnotes. The pages were printed; nothing "
            "here says how notes work on a screen.",
        ),
    ),
)


def sample() -> Sample:
    """The sample paper."""
    questions = (
        "How long did readers need to find a footnote?",
        "How many endnotes did readers find?",
        "What are the limitations of the study?",
    )
    return Sample(name="margins-and-notes.pdf", pdf=write_pdf(_PAGES), questions=questions)


def write_pdf(pages: Sequence[Sequence[Block]]) -> bytes:
    """A PDF with one column of plain Latin text a page."""
    count = len(pages)
    kids = " ".join(f"{5 + 2 * number} 0 R" for number in range(count))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Times-Bold /Encoding /WinAnsiEncoding >>",
    ]
    for number, blocks in enumerate(pages):
        drawn = _drawn(blocks)
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {_WIDTH} {_HEIGHT}] /Contents {6 + 2 * number} 0 R "
            "/Resources << /Font << /R 3 0 R /B 4 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream")
    return _file(objects)


def _drawn(blocks: Sequence[Block]) -> str:
    lines = []
    y = _HEIGHT - _MARGIN
    for block in blocks:
        font, size, leading, width = _FONTS[block.kind]
        y -= leading // 2
        for words in textwrap.wrap(block.words, width):
            y -= leading
            literal = words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
            lines.append(f"BT /{font} {size} Tf {_MARGIN} {y} Td ({literal}) Tj ET")
    return "\n".join(lines)


def _file(objects: Sequence[str]) -> bytes:
    out = b"%PDF-1.4\n"
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("cp1252")
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    head = f"xref\n0 {size}\n0000000000 65535 f \n"
    tail = f"trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
    return out + (head + table + tail).encode("ascii")
