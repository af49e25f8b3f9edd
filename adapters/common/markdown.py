"""The text of a reply, parsed once for all platforms: its small Markdown subset, and its footnotes in words. Pure.

Paragraphs, bullet lists, quotes, tables and fenced code; bold and code inside a line; a backslash takes any
character literally. What a paper or a person wrote goes through ``escape`` and can never turn into layout.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from core.domain.paper_labels import pages_label
from core.domain.reply import Footnote

_SPECIAL = re.compile(r"([\\`*_~\[\]|<>#@])")
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
    """``words`` on one line, with every character that could mean layout or a mention taken literally."""
    return _SPECIAL.sub(r"\\\1", " ".join(words.split()))


def plain(line: Line) -> str:
    """The words of a line without their style."""
    return "".join(run.text for run in line)


def parse(body: str) -> tuple[Block, ...]:
    """The blocks of ``body`` in order."""
    blocks: list[Block] = []
    lines = body.split("\n")
    start = 0
    while start < len(lines):
        if lines[start].startswith("```"):
            end = end_of_code(lines, start)
            blocks.append(_code(lines[start + 1 : end]))
        elif lines[start].startswith("|"):
            end = end_of_table(lines, start)
            blocks.append(_grid(lines[start:end]))
        else:
            end = _text(lines, start, blocks)
        start = end
    return tuple(blocks)


def end_of_code(lines: Sequence[str], start: int) -> int:
    """The index behind the fence that closes the code of line ``start``, or behind the last line."""
    return next((index + 1 for index in range(start + 1, len(lines)) if lines[index].startswith("```")), len(lines))


def end_of_table(lines: Sequence[str], start: int) -> int:
    """The index behind the last row of the table that begins at line ``start``."""
    return next((index for index in range(start, len(lines)) if not lines[index].startswith("|")), len(lines))


def inline(text: str) -> Line:
    """The runs of one line."""
    runs: list[Run] = []
    words = ""
    end = 0
    for match in _INLINE.finditer(text):
        words += text[end : match.start()]
        end = match.end()
        if match["literal"]:
            words += match["literal"]
            continue
        runs += [Run(text=words), _styled(match)]
        words = ""
    runs.append(Run(text=words + text[end:]))
    return tuple(run for run in runs if run.text or run.style != "plain")


def _styled(match: re.Match[str]) -> Run:
    if match["bold"]:
        return Run(text=re.sub(r"\\(.)", r"\1", match["bold"]), style="bold")
    return Run(text=match["code"], style="code")


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in the subset; cells are escaped here."""
    lines = [header, ["---"] * len(header)]
    body = [[escape(cell) for cell in row] for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in [*lines, *body])


def _text(lines: Sequence[str], start: int, blocks: list[Block]) -> int:
    """Append the text block that begins at line ``start``, if that is not blank; the index behind it."""
    line = lines[start]
    if not line.strip():
        return start + 1
    if line.startswith("- "):
        blocks.append(Text(kind="bullet", line=inline(line[2:])))
        return start + 1
    if line.startswith("> "):
        blocks.append(Text(kind="quote", line=inline(line[2:])))
        return start + 1
    end = start
    while end < len(lines) and _is_of_paragraph(lines[end]):
        end += 1
    blocks.append(Text(kind="paragraph", line=inline(" ".join(lines[start:end]))))
    return end


def _is_of_paragraph(line: str) -> bool:
    return bool(line.strip()) and not line.startswith(("- ", "> ", "|", "```"))


def _code(lines: Sequence[str]) -> Code:
    is_closed = bool(lines) and lines[-1].startswith("```")
    return Code(text="\n".join(lines[:-1] if is_closed else lines))


def _grid(lines: Sequence[str]) -> Grid:
    header, *further = [tuple(inline(cell.strip()) for cell in _cells(line)) for line in lines]
    width = len(header)
    rows = [row for row in further if not _is_rule(row)]
    return Grid(header=header, rows=tuple((row + ((),) * width)[:width] for row in rows))


def _is_rule(row: Sequence[Line]) -> bool:
    return all(cell and set(plain(cell)) <= set("-: ") for cell in row)


def _cells(line: str) -> Sequence[str]:
    return re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))


def footnote_text(note: Footnote) -> str:
    """For example: [1] Title, p. 5, § 2.3 Results, Table 2: “quoted words”."""
    citation = note.citation
    quotes = " … ".join(f"“{' '.join(span.quote.split())}”" for span in citation.spans)
    head = f"[{citation.marker}] {_source(note)}"
    derivation = citation.derivation
    if derivation is None:
        return f"{head}: {quotes}"
    operands = ", ".join(f"[{marker}]" for marker in derivation.operands)
    computed = f"{derivation.expression} = {derivation.result}, from {operands}"
    return f"{head}: {', '.join(filter(None, (computed, quotes)))}"


def section_text(section: tuple[str, ...]) -> str:
    """The innermost heading behind a section sign, or nothing."""
    return f"§ {section[-1]}" if section else ""


def _source(note: Footnote) -> str:
    citation = note.citation
    pages = pages_label(note.paper.page_labels, (span.page for span in citation.spans))
    parts = (note.paper.title, pages, section_text(citation.section), citation.label or "")
    return ", ".join(part for part in parts if part)
