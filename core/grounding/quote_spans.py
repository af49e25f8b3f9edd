"""From a stretch of a passage to the quote that a footnote shows: verbatim in the file's own text layer.

What is read, searched and checked is a passage's ``text``; what leaves in a citation is what the file itself says
there, so that anyone finds it with the tools they have. This is the one place where a ``Span`` is made.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from core.domain.model import Box, LayerReading, Passage, Span
from core.text import normalise


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageSpan:
    """Characters ``start`` to ``end`` of a passage's text."""

    passage: Passage
    start: int
    end: int

    @property
    def words(self) -> str:
        """As a reader sees them: what claims are checked against."""
        return normalise(self.passage.text[self.start : self.end])


def build_quote_spans(stretches: Iterable[PassageSpan]) -> tuple[Span, ...]:
    """The quotes of the stretches, in order: one each, more where the text layer holds its parts far apart."""
    return tuple(span for stretch in stretches for span in _spans(stretch))


def _spans(stretch: PassageSpan) -> Iterator[Span]:
    passage = stretch.passage
    start, end, inside = _widen_to_words(stretch)
    begin = start
    for other in (*(one for one in inside if one.apart), None):
        stop = end if other is None else other.start
        quote = _layer_text(passage.text, begin, stop, [one for one in inside if begin <= one.start < stop])
        if any(sign.isalnum() for sign in quote):
            boxes = tuple(_boxes(passage, begin, stop))
            yield Span(passage_id=passage.id, page=passage.page, quote=quote, boxes=boxes)
        begin = stop if other is None else other.end


def _widen_to_words(stretch: PassageSpan) -> tuple[int, int, list[LayerReading]]:
    """The stretch with the words whole that the layer reads otherwise, and what it reads otherwise inside."""
    start, end = stretch.start, stretch.end
    for one in stretch.passage.layer:
        if one.start < start < one.end:
            start = one.end if one.apart else one.start
        if one.start < end < one.end:
            end = one.start if one.apart else one.end
    return start, end, [one for one in stretch.passage.layer if _is_inside(one, start, end)]


def _is_inside(one: LayerReading, start: int, end: int) -> bool:
    """Whether the difference lies in a stretch; what the layer adds at its very edge does not."""
    return start < one.start < end if one.start == one.end else start <= one.start and one.end <= end


def _layer_text(text: str, start: int, end: int, differing: Sequence[LayerReading]) -> str:
    pieces = []
    for one in differing:
        if not one.apart:
            extra = f" {one.words} " if one.start == one.end else one.words
            pieces += [text[start : one.start], extra]
            start = one.end
    return normalise("".join([*pieces, text[start:end]]))


def _boxes(passage: Passage, start: int, end: int) -> Iterable[Box]:
    """Boxes of the lines that hold characters ``start`` to ``end``.

    Where the passage does not tell where its lines end, the text's own line ends do, and otherwise the widths of
    the boxes.
    """
    boxes = passage.boxes
    if not boxes:
        return ()
    lines = passage.text.split("\n")
    if len(passage.ends) == len(boxes):
        ends = list(passage.ends)
    elif len(lines) == len(boxes):
        ends = list(accumulate(len(line) + 1 for line in lines))
    else:
        widths = [max(box.x1 - box.x0, 0.01) for box in boxes]
        whole = sum(widths)
        ends = [round(len(passage.text) * reached / whole) for reached in accumulate(widths)]
    starts = [0, *ends[:-1]]
    return [box for box, low, high in zip(boxes, starts, ends, strict=True) if low < end and high > start]
