"""What a reading got right of a printed paper: headings, captions, reading order, evidence, characters. Pure.

Works on a plain ``PaperRead``, so that a run can be scored again from its JSON.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from evals.datasets import Caption, Gold, Probe, Structure
from evals.metrics import TOLERANCE, Found, squeeze, stands_in

_CAPTION_LETTERS = 24
"""Letters of a caption's start that must agree; what is printed behind a short caption is not part of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperRead:
    """What a reader made of one paper. ``passages`` are (kind, passage) in reading order.

    ``captions`` are (page, text), from caption passages, figures and the first line of tables; ``labels`` name
    each table and figure once ("Table 3"). ``references`` are the entries of the reference list with their page.
    """

    paper: str
    title: str
    authors: tuple[str, ...]
    headings: tuple[tuple[str, int], ...]
    captions: tuple[tuple[int, str], ...]
    passages: tuple[tuple[str, Found], ...]
    tables: int
    figures: int
    kind: str = ""
    warnings: tuple[str, ...] = ()
    references: tuple[tuple[str, int], ...] = ()


def headings_in_order(read: Sequence[tuple[str, int]], printed: Sequence[tuple[str, int]]) -> int:
    """How many headings agree in letters, digits and page, in printed order (longest common subsequence)."""
    from rapidfuzz.distance import LCSseq

    left, right = ([(squeeze(text), page) for text, page in headings] for headings in (read, printed))
    return int(LCSseq.similarity(left, right))


def title_right(read: PaperRead, printed: Structure) -> bool:
    """The same letters and digits."""
    return squeeze(read.title) == squeeze(printed.title)


def authors_right(read: PaperRead, printed: Structure) -> bool:
    """The same names in the same order, letters and digits."""
    return [squeeze(name) for name in read.authors] == [squeeze(name) for name in printed.authors]


def caption_found(caption: Caption, read: PaperRead) -> bool:
    """Whether a caption on that page begins as the printed one does."""
    wanted = squeeze(caption.start)
    return any(page == caption.page and _same_start(wanted, squeeze(text)) for page, text in read.captions)


def _same_start(wanted: str, text: str) -> bool:
    letters = min(_CAPTION_LETTERS, len(wanted), max(len(text), 8))
    return text[:letters] == wanted[:letters]


def probe_adjacent(probe: Probe, body: str) -> bool:
    """Whether ``after`` comes directly behind ``before`` in the squeezed running text ``body``."""
    return squeeze(probe.before) + squeeze(probe.after) in body


def running_text(read: PaperRead) -> str:
    """The squeezed text of the body in reading order; what floats or stands apart is left out."""
    return squeeze("".join(found.text for kind, found in read.passages if kind in ("text", "list", "formula")))


def evidence_reachable(span: Gold, read: PaperRead, image_papers: frozenset[str]) -> bool:
    """Whether one passage of the page holds the evidence, or two of it that follow each other where it is cut."""
    words = squeeze(span.evidence)
    tolerance = TOLERANCE if span.paper in image_papers else 0.0
    on_page = [squeeze(found.text) for _, found in read.passages if found.covers(span)]
    return any(stands_in(words, text, tolerance=tolerance) for text in on_page)


def evidence_in_two(span: Gold, read: PaperRead) -> bool:
    """Whether the evidence starts at the end of a passage on its page and goes on at the start of a later one."""
    words = squeeze(span.evidence)
    texts = [(found, squeeze(found.text)) for _, found in read.passages if found.paper == span.paper]
    for number, (found, text) in enumerate(texts):
        if not found.covers(span):
            continue
        held = next((size for size in range(len(words) - 1, 0, -1) if text.endswith(words[:size])), 0)
        if held and any(other.startswith(words[held:]) for _, other in texts[number + 1 : number + 12]):
            return True
    return False


def page_text(read: PaperRead, page: int) -> str:
    """Everything that was read on a page, headings too, in reading order."""
    return "\n".join(found.text for _, found in read.passages if found.page == page)
