"""Where a passage reads otherwise than the file's own text layer, so that a quote can be verbatim in the file.

Passages hold what a reader sees: letters that a font lost are mended, numbers in the margin left out, floats taken
out of the way. Others check a quote against the bare layer. This aligns the two, and needs no PDF.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from core.domain.model import LayerReading, Passage
from core.text import alphanumeric_key_with_offsets

_NEAR = 12
"""Letters and digits within which text and layer come together again; what is further off stands elsewhere."""
_SURE = 5
"""Letters that must agree behind a difference."""
_FOUND = 8
"""Letters by which the text is looked for anywhere on the page; fewer are there by chance."""


def attach_layer_readings(passages: Sequence[Passage], layers: Mapping[int, str]) -> tuple[Passage, ...]:
    """The passages with what the text layers of their pages (by number) say otherwise."""
    read = {page: TextLayer(layer) for page, layer in layers.items()}
    none = TextLayer("")
    return tuple(replace(one, layer=read.get(one.page, none).readings(one.text)) for one in passages)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """Letters ``start`` to ``end`` of the text, which the layer has from ``at`` on."""

    start: int
    end: int
    at: int

    @property
    def behind(self) -> int:
        """Where the layer goes on."""
        return self.at + self.end - self.start


@dataclass(frozen=True, slots=True, kw_only=True)
class _Gap:
    """Letters ``start`` to ``end`` of the text, for which the layer has its letters ``at`` to ``to``."""

    start: int
    end: int
    at: int
    to: int
    apart: bool = False

    def joined(self, other: "_Gap") -> "_Gap":
        """Both as one; where the layer jumps, what was told apart stays out of the quote."""
        end, apart = max(self.end, other.end), self.apart or other.apart
        return _Gap(start=self.start, end=end, at=self.at, to=max(self.to, other.to), apart=apart)


class TextLayer:
    """The text layer of one page, by its letters and digits."""

    def __init__(self, words: str) -> None:
        self._words = words
        self._letters, self._offsets = alphanumeric_key_with_offsets(words)

    def readings(self, text: str) -> tuple[LayerReading, ...]:
        """Where ``text`` differs from the layer, in order; empty where it stands there letter by letter.

        A greedy alignment over exact runs, so that it costs next to nothing where the two agree.
        """
        letters, offsets = alphanumeric_key_with_offsets(text)
        if not letters or not self._letters or letters in self._letters:
            return ()
        runs = list(self._runs(text, letters, offsets))
        if not runs:
            return (LayerReading(start=0, end=len(text), apart=True),)
        gaps = self._gaps(text, letters, offsets, runs)
        return tuple(self._reading(text, offsets, gap) for gap in gaps)

    def _reading(self, text: str, offsets: Sequence[int], gap: _Gap) -> LayerReading:
        start, end = _text_range(text, offsets, gap.start, gap.end)
        if gap.apart or gap.to <= gap.at:
            return LayerReading(start=start, end=end, apart=gap.apart)
        words = self._words[self._offsets[gap.at] : self._offsets[gap.to - 1] + 1]
        return LayerReading(start=start, end=end, words=words)

    def _runs(self, text: str, letters: str, offsets: Sequence[int]) -> Iterator[_Run]:
        start, cursor = 0, 0
        while start < len(letters):
            run = self._near(letters, start, cursor) if cursor else None
            run = run or self._anywhere(letters, start, cursor)
            if run is None and _has_space_before(text, offsets, start):
                run = self._only(letters, start, _word_end(text, offsets, start))
            if run is None:
                start += 1
                continue
            yield run
            start, cursor = run.end, run.behind

    def _near(self, letters: str, start: int, cursor: int) -> _Run | None:
        """Where the two agree again behind a small difference: the smallest one."""
        for apart in range(1, _NEAR + 1):
            for more in range(apart + 1):
                begin, at = start + apart - more, cursor + more
                sure = letters[begin : begin + _SURE]
                if sure and self._letters.startswith(sure, at):
                    return self._run(letters, begin, at)
        return None

    def _anywhere(self, letters: str, start: int, cursor: int) -> _Run | None:
        """The longest run from ``start``, behind ``cursor`` if it can be."""
        least = min(_FOUND, len(letters) - start)
        if letters[start : start + least] not in self._letters:
            return None
        low, high = least, len(letters) - start
        while low < high:
            middle = (low + high + 1) // 2
            if letters[start : start + middle] in self._letters:
                low = middle
            else:
                high = middle - 1
        piece = letters[start : start + low]
        at = self._letters.find(piece, cursor)
        return _Run(start=start, end=start + low, at=at if at >= 0 else self._letters.find(piece))

    def _only(self, letters: str, start: int, end: int) -> _Run | None:
        """A word too short to be found by its letters, where the page has it only once."""
        word = letters[start:end]
        places: list[int] = []
        at = self._letters.find(word)
        while at >= 0 and len(places) < 2:
            if self._gap(at) and self._gap(at + len(word)):
                places.append(at)
            at = self._letters.find(word, at + 1)
        return _Run(start=start, end=end, at=places[0]) if len(places) == 1 else None

    def _run(self, letters: str, start: int, at: int) -> _Run:
        end = start
        most = min(len(letters), start + len(self._letters) - at)
        while end < most and letters[end] == self._letters[at + end - start]:
            end += 1
        return _Run(start=start, end=end, at=at)

    def _gaps(self, text: str, letters: str, offsets: Sequence[int], runs: Sequence[_Run]) -> Iterator[_Gap]:
        """What lies between the runs, whole words, none over another."""
        size = len(letters)
        before = _Run(start=0, end=0, at=self._before(letters, runs[0]))
        after = _Run(start=size, end=size, at=self._after(letters, runs[-1]))
        held: _Gap | None = None
        for one, other in pairwise((before, *runs, after)):
            missing, more = other.start - one.end, other.at - one.behind
            if not missing and not more:
                continue
            if 0 <= more <= _NEAR and (missing <= _NEAR or one is before or other is after):
                gap = self._difference(text, offsets, one, other)
            else:
                gap = self._jump(text, letters, offsets, one, other)
            if held is not None and gap.start < held.end:
                gap, held = held.joined(gap), None
            if held is not None:
                yield held
            held = gap
        if held is not None:
            yield held

    def _before(self, letters: str, run: _Run) -> int:
        """Where the layer begins to say what the text has before its first run."""
        for known in range(min(run.start, _NEAR), 0, -1):
            at = self._letters.find(letters[:known], max(0, run.at - run.start - 3), run.at)
            if at >= 0:
                return at
        at = run.at
        while at > max(0, run.at - run.start - 2) and not self._gap(at):
            at -= 1
        return at

    def _after(self, letters: str, run: _Run) -> int:
        """Where the layer ends to say what the text has behind its last run."""
        left = len(letters) - run.end
        for known in range(min(left, _NEAR), 0, -1):
            at = self._letters.find(letters[-known:], run.behind, run.behind + left + 3)
            if at >= 0:
                return at + known
        at = run.behind
        while at < min(len(self._letters), run.behind + left + 2) and not self._gap(at):
            at += 1
        return at

    def _gap(self, at: int) -> bool:
        """Whether a word begins with letter ``at`` of the layer."""
        if not 0 < at < len(self._letters):
            return True
        return any(c.isspace() for c in self._words[self._offsets[at - 1] : self._offsets[at]])

    def _difference(self, text: str, offsets: Sequence[int], one: _Run, other: _Run) -> _Gap:
        """The whole words of the text around a small difference, and what the layer has for them."""
        start, end = one.end, other.start
        while start > one.start and not _has_space_before(text, offsets, start):
            start -= 1
        while end < other.end and not _has_space_before(text, offsets, end):
            end += 1
        return _Gap(start=start, end=end, at=one.behind - (one.end - start), to=other.at + (end - other.start))

    def _jump(self, text: str, letters: str, offsets: Sequence[int], one: _Run, other: _Run) -> _Gap:
        """A place where the layer goes on elsewhere, moved to the space between two words where both sides allow."""
        back = 0
        while other.start == one.end and not _has_space_before(text, offsets, one.end - back):
            here, there = one.end - back - 1, other.at - back - 1
            if here < one.start or there < 0 or letters[here] != self._letters[there]:
                back = 0
                break
            back += 1
        return _Gap(start=one.end - back, end=other.start - back, at=0, to=0, apart=True)


def _has_space_before(text: str, offsets: Sequence[int], letter: int) -> bool:
    """Whether white space stands before letter ``letter`` of the text."""
    if not 0 < letter < len(offsets):
        return True
    return any(c.isspace() for c in text[offsets[letter - 1] : offsets[letter]])


def _word_end(text: str, offsets: Sequence[int], letter: int) -> int:
    end = letter + 1
    while not _has_space_before(text, offsets, end):
        end += 1
    return end


def _text_range(text: str, offsets: Sequence[int], start: int, end: int) -> tuple[int, int]:
    """Letters ``start`` to ``end`` as a stretch of the text; an empty one lies before letter ``end``."""
    stop = offsets[end - 1] + 1 if end > start else offsets[end] if end < len(offsets) else len(text)
    return (offsets[start] if end > start else stop), stop
