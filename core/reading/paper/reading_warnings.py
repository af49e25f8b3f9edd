"""What the passages of a paper say of how well it was read, for the paper's warnings."""

from collections.abc import Sequence

from core.domain.model import Passage
from core.grounding.quotes import UNREAD_SIGN

MAX_SHOWN_PAGES = 8
MIN_SCATTERED = 0.5
"""Share of passages that are tables of single words from which a page's words were not put together to lines."""


def text_warnings(passages: Sequence[Passage]) -> tuple[str, ...]:
    """A sentence on signs that could not be read, and one on text that fell apart into words."""
    warnings = []
    pages = sorted({passage.page for passage in passages if UNREAD_SIGN in passage.text})
    if pages:
        warnings.append(f"Signs on {_pages(pages)} could not be read; sentences that hold them are not quoted.")
    scattered = sum(passage.kind == "table" and len(passage.text.split()) < 2 for passage in passages)
    if scattered > MIN_SCATTERED * len(passages):
        warnings.append("The words of this PDF could not be put together to lines; little of it can be found.")
    return tuple(warnings)


def _pages(pages: Sequence[int]) -> str:
    numbers = [f"{page:,}" for page in pages]
    if len(numbers) == 1:
        return f"page {numbers[0]}"
    if len(numbers) > MAX_SHOWN_PAGES:
        return f"{len(numbers):,} pages"
    return f"pages {', '.join(numbers[:-1])} and {numbers[-1]}"
