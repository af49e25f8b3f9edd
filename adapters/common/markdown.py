"""The text of a reply, parsed once for all platforms: its small Markdown subset, and its footnotes in words. Pure.

Paragraphs, bullet lists, quotes, tables and fenced code; bold and code inside a line; a backslash takes any
character literally. What a paper or a person wrote goes through ``escape`` and can never turn into layout.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from core.domain.model import Citation
from core.domain.reply import Footnote

_SIGNS = re.compile(r"([\\`*_~\[\]|<>#@])")
_INLINE = re.compile(r"\\(?P<literal>.)|\*\*(?P<bold>(?:\\.|[^*\\])+)\*\*|`(?P<code>[^`]+)`")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Words in one style."""

    text: str
    style: Literal["plain", "bold", "code"] = "plain"


Line: TypeAlias = tuple[Run, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A paragraph, a bullet or a line of a quote."""

    kind: Literal["paragraph", "bullet", "quote"]
    line: Line


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table; every row has as many cells as the header."""

    header: tuple[Line, ...]
    rows: tuple[tuple[Line, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """Lines that are shown as they are."""

    text: str


Block: TypeAlias = Text | Grid | Code


def escape(words: str) -> str:
    """``words`` on one line, with every sign that could mean layout or a mention taken literally."""
    return _SIGNS.sub(r"\\\1", " ".join(words.split()))


def plain(line: Line) -> str:
    """The words of a line without their style."""
    return "".join(run.text for run in line)


def parse(body: str) -> tuple[Block, ...]:
    """The blocks of ``body`` in order."""
    blocks: list[Block] = []
    lines = body.split("\n")
    at = 0
    while at < len(lines):
        if lines[at].startswith("```"):
            end = next((i for i in range(at + 1, len(lines)) if lines[i].startswith("```")), len(lines))
            blocks.append(Code(text="\n".join(lines[at + 1 : end])))
            at = end + 1
        elif lines[at].startswith("|"):
            end = next((i for i in range(at, len(lines)) if not lines[i].startswith("|")), len(lines))
            blocks.append(_grid(lines[at:end]))
            at = end
        else:
            at = _text(lines, at, blocks)
    return tuple(blocks)


def inline(text: str) -> Line:
    """The runs of one line."""
    runs: list[Run] = []
    words = ""
    at = 0
    for found in _INLINE.finditer(text):
        words += text[at : found.start()]
        at = found.end()
        if found["literal"]:
            words += found["literal"]
            continue
        if words:
            runs.append(Run(text=words))
            words = ""
        if found["bold"]:
            runs.append(Run(text=re.sub(r"\\(.)", r"\1", found["bold"]), style="bold"))
        else:
            runs.append(Run(text=found["code"], style="code"))
    words += text[at:]
    if words:
        runs.append(Run(text=words))
    return tuple(runs)


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in the subset; cells are escaped here."""
    lines = [header, ["---"] * len(header)]
    body = [[escape(cell) for cell in row] for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in [*lines, *body])


def _text(lines: Sequence[str], at: int, blocks: list[Block]) -> int:
    line = lines[at]
    if not line.strip():
        return at + 1
    if line.startswith("- "):
        blocks.append(Text(kind="bullet", line=inline(line[2:])))
        return at + 1
    if line.startswith("> "):
        blocks.append(Text(kind="quote", line=inline(line[2:])))
        return at + 1
    end = at
    while end < len(lines) and lines[end].strip() and not lines[end].startswith(("- ", "> ", "|", "```")):
        end += 1
    blocks.append(Text(kind="paragraph", line=inline(" ".join(lines[at:end]))))
    return end


def _grid(lines: Sequence[str]) -> Grid:
    rows = [tuple(inline(cell.strip()) for cell in _cells(line)) for line in lines]
    body = [row for row in rows[1:] if not all(set(plain(cell)) <= set("-: ") and cell for cell in row)]
    width = len(rows[0])
    return Grid(header=rows[0], rows=tuple((row + ((),) * width)[:width] for row in body))


def _cells(line: str) -> Sequence[str]:
    return re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))


def footnote_text(note: Footnote) -> str:
    """For example: [1] Title, p. 5, § 2.3 Results, Table 2: “quoted words”."""
    citation = note.citation
    head = f"[{citation.marker}] {_place(note)}"
    quotes = " … ".join(f"“{' '.join(span.quote.split())}”" for span in citation.spans)
    if citation.derivation is not None:
        operands = ", ".join(f"[{marker}]" for marker in citation.derivation.operands)
        computed = f"{citation.derivation.expression} = {citation.derivation.result}, from {operands}"
        return f"{head}: {computed}" + (f", {quotes}" if quotes else "")
    return f"{head}: {quotes}"


def section_text(section: tuple[str, ...]) -> str:
    """The innermost heading with its sign, or nothing."""
    return f"§ {section[-1]}" if section else ""


def pages_text(citation: Citation) -> str:
    """``p. 5`` or ``pp. 5–6``, or nothing for a computation without a span."""
    pages = sorted({span.page for span in citation.spans})
    if not pages:
        return ""
    return f"p. {pages[0]}" if len(pages) == 1 else f"pp. {pages[0]}–{pages[-1]}"


def _place(note: Footnote) -> str:
    citation = note.citation
    parts = (note.paper.title, pages_text(citation), section_text(citation.section), citation.label or "")
    return ", ".join(part for part in parts if part)
