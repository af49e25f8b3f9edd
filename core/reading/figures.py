"""Pictures that belong together, and figures with their captions and the text that mentions them."""

from collections.abc import Sequence

from core.reading.blocks import Block


def whole_pictures(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Sub-figures joined to one picture where nothing but their own lettering stands between them."""
    return tuple(blocks)
