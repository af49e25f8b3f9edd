"""Numbers that the layout model took for text are a table: the ticks of an axis or a program's output are no sentence.

As text they would be cut into sentences and quoted as such; as a table they are found and shown row by row.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from core.reading.blocks import Block, PageContent

_FEWEST = 6
"""Numbers from which a block may be one of numbers."""
_SHARE = 0.6
"""Of its words that are then numbers."""
_NUMBER = re.compile(r"[(\[<]?[-+\u2212\u2013]?\d[\d.,:]*(?:[eE][-+]?\d+)?[%)\]*]*")


def mark_number_listings(pages: Sequence[PageContent]) -> tuple[PageContent, ...]:
    """The pages, their blocks of numbers as tables without a grid."""
    return tuple(replace(page, blocks=tuple(map(_mark_listing, page.blocks))) for page in pages)


def _mark_listing(block: Block) -> Block:
    return replace(block, kind="table") if block.kind in ("text", "list-item") and _is_listing(block) else block


def _is_listing(block: Block) -> bool:
    words = [word for line in block.lines for word in line.text.split()]
    numbers = sum(_NUMBER.fullmatch(word) is not None for word in words)
    return numbers >= _FEWEST and numbers >= _SHARE * len(words)
