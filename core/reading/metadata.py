"""What identifies a paper, read from its first page: a first version with title and authors by size and place."""

from collections.abc import Mapping, Sequence

from core.domain.model import Metadata
from core.reading.blocks import PageRead


def metadata(pages: Sequence[PageRead], file_metadata: Mapping[str, str]) -> Metadata:
    """Title: the title box, or the largest lines of the first page; authors: not read yet."""
    if not pages:
        return Metadata(title="")
    titles = [block for block in pages[0].blocks if block.kind == "title" and block.lines]
    if titles:
        best = max(titles, key=lambda block: max(line.size for line in block.lines))
        return Metadata(title=" ".join(" ".join(line.text for line in best.lines).split()))
    lines = [line for block in pages[0].blocks if block.kind not in ("page-header", "picture") for line in block.lines]
    if not lines:
        return Metadata(title=file_metadata.get("title", ""))
    largest = max(line.size for line in lines)
    return Metadata(title=" ".join(" ".join(line.text for line in lines if line.size > 0.95 * largest).split()))
