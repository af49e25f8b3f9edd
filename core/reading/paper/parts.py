"""A paper as one run of parts, each with its page, role and place in the outline: what chunking works on."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from core.reading.blocks import Block, PageContent
from core.reading.paper.tables import TableRow, count_header_rows, extract_rows
from core.reading.paper.type_style import TypeStyle

PartRole: TypeAlias = Literal[
    "heading", "text", "list", "table", "picture", "caption", "formula", "footnote", "furniture", "front", "reference"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A block in reading order. ``level`` is that of a heading (from 1), 0 for all else.

    ``section`` is the path of headings above it, for a heading with itself at the end; ``label`` is that of a
    caption, table, picture or formula. ``title`` is a heading's text. A run-in heading has no block of lines of
    its own: its words open the text part that follows. ``caption`` is that of a table or picture, ``continued``
    whether it goes on from an earlier page, ``header_rows`` are then those of its beginning.
    """

    page: int
    block: Block
    role: PartRole
    level: int = 0
    section: tuple[str, ...] = ()
    label: str = ""
    title: str = ""
    listed: bool = True
    caption: str = ""
    continued: bool = False
    header_rows: tuple[TableRow, ...] = ()
    run_in: TypeStyle | None = None
    from_ocr: bool = False

    @property
    def header_count(self) -> int:
        """How many of a table's own rows name its columns."""
        return count_header_rows(extract_rows(self.block))

    @property
    def text(self) -> str:
        """Its printed lines, one a line."""
        return "\n".join(line.text.strip() for line in self.block.lines)


_ROLES: Mapping[str, PartRole] = {
    "title": "text",
    "section-header": "text",
    "text": "text",
    "list-item": "list",
    "table": "table",
    "picture": "picture",
    "caption": "caption",
    "formula": "formula",
    "footnote": "footnote",
    "page-header": "furniture",
    "page-footer": "furniture",
}


BULLET = re.compile(r"^\s*(?:[•▪◦●‣·*–■□➢✓]|-\s|\(?\d{1,3}[.)]\s|\(?[a-z]\)\s|\[\w{1,12}\])")
"""What an item of a list opens with."""


def part_from_block(page: PageContent, block: Block) -> Part:
    """The part that a block is by its layout class; a list's item without a mark is a paragraph.

    Where the lines of a draft are numbered, the layout model takes paragraphs for lists.
    """
    is_unmarked = block.kind == "list-item" and block.lines and BULLET.match(block.lines[0].text) is None
    role = "text" if is_unmarked else _ROLES[block.kind]
    return Part(page=page.number, block=block, role=role, from_ocr=page.from_ocr)
