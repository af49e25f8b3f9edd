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
    return tuple(replace(passage, layer=read.get(passage.page, none).differences(passage.text)) for passage in passages)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """Letters ``start`` to ``end`` of the text, which the layer has from ``layer_start`` on."""

    start: int
    end: int
    layer_start: int

    @property
    def behind(self) -> int:
        """Index of the layer's letter behind the run."""
        return self.layer_start + self.end - self.start


@dataclass(frozen=True, slots=True, kw_only=True)
class _Gap:
    """Letters ``start`` to ``end`` of the text, where the layer has its own ``layer_start`` to ``layer_end``."""

    start: int
    end: int
    layer_start: int
    layer_end: int
    apart: bool = False

    def merge(self, following: "_Gap") -> "_Gap":
        """Both as one; where the layer jumps at either, the whole stays out of a quote."""
        end, apart = max(self.end, following.end), self.apart or following.apart
        return _Gap(
            start=self.start,
            end=end,
            layer_start=self.layer_start,
            layer_end=max(self.layer_end, following.layer_end),
            apart=apart,
        )


class TextLayer:
    """The text layer of one page, by its letters and digits."""

    def __init__(self, words: str) -> None:
        self._words = words
        self._letters, self._offsets = alphanumeric_key_with_offsets(words)

    def differences(self, text: str) -> tuple[LayerReading, ...]:
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
        if gap.apart or gap.layer_end <= gap.layer_start:
            return LayerReading(start=start, end=end, apart=gap.apart)
        words = self._words[self._offsets[gap.layer_start] : self._offsets[gap.layer_end - 1] + 1]
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
        for distance in range(1, _NEAR + 1):
            for more in range(distance + 1):
                begin, layer_start = start + distance - more, cursor + more
                sure = letters[begin : begin + _SURE]
                if sure and self._letters.startswith(sure, layer_start):
                    return self._run(letters, begin, layer_start)
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
        layer_start = self._letters.find(piece, cursor)
        return _Run(
            start=start, end=start + low, layer_start=layer_start if layer_start >= 0 else self._letters.find(piece)
        )

    def _only(self, letters: str, start: int, end: int) -> _Run | None:
        """A word too short to be found by its letters, where the page has it only once."""
        word = letters[start:end]
        starts: list[int] = []
        layer_start = self._letters.find(word)
        while layer_start >= 0 and len(starts) < 2:
            if self._gap(layer_start) and self._gap(layer_start + len(word)):
                starts.append(layer_start)
            layer_start = self._letters.find(word, layer_start + 1)
        return _Run(start=start, end=end, layer_start=starts[0]) if len(starts) == 1 else None

    def _run(self, letters: str, start: int, layer_start: int) -> _Run:
        end = start
        most = min(len(letters), start + len(self._letters) - layer_start)
        while end < most and letters[end] == self._letters[layer_start + end - start]:
            end += 1
        return _Run(start=start, end=end, layer_start=layer_start)

    def _gaps(self, text: str, letters: str, offsets: Sequence[int], runs: Sequence[_Run]) -> Iterator[_Gap]:
        """What lies between the runs, whole words, none over another."""
        size = len(letters)
        before = _Run(start=0, end=0, layer_start=self._before(letters, runs[0]))
        after = _Run(start=size, end=size, layer_start=self._after(letters, runs[-1]))
        pending: _Gap | None = None
        for run, following in pairwise((before, *runs, after)):
            missing, more = following.start - run.end, following.layer_start - run.behind
            if not missing and not more:
                continue
            is_at_edge = run is before or following is after
            if not is_at_edge and not missing and self._has_more(run.behind, following.layer_start):
                gap = self._jump(text, letters, offsets, run, following)
            elif 0 <= more <= _NEAR and (missing <= _NEAR or is_at_edge):
                gap = self._difference(text, offsets, run, following)
            else:
                gap = self._jump(text, letters, offsets, run, following)
            if pending is not None and gap.start < pending.end:
                gap, pending = pending.merge(gap), None
            if pending is not None:
                yield pending
            pending = gap
        if pending is not None:
            yield pending

    def _has_more(self, start: int, end: int) -> bool:
        """Whether the layer has whole words (a line's number) or digits from ``start`` to ``end``.

        They are never quoted: words would be read into the sentence, and digits would make another number.
        """
        if start >= end:
            return False
        return self._letters[start:end].isdigit() or (self._gap(start) and self._gap(end))

    def _before(self, letters: str, run: _Run) -> int:
        """Where the layer begins to say what the text has before its first run."""
        for known in range(min(run.start, _NEAR), 0, -1):
            layer_start = self._letters.find(letters[:known], max(0, run.layer_start - run.start - 3), run.layer_start)
            if layer_start >= 0:
                return layer_start
        layer_start = run.layer_start
        while layer_start > max(0, run.layer_start - run.start - 2) and not self._gap(layer_start):
            layer_start -= 1
        return layer_start

    def _after(self, letters: str, run: _Run) -> int:
        """Where the layer ends to say what the text has behind its last run."""
        left = len(letters) - run.end
        for known in range(min(left, _NEAR), 0, -1):
            layer_start = self._letters.find(letters[-known:], run.behind, run.behind + left + 3)
            if layer_start >= 0:
                return layer_start + known
        layer_start = run.behind
        while layer_start < min(len(self._letters), run.behind + left + 2) and not self._gap(layer_start):
            layer_start += 1
        return layer_start

    def _gap(self, layer_start: int) -> bool:
        """Whether a word begins with letter ``at`` of the layer."""
        if not 0 < layer_start < len(self._letters):
            return True
        return any(c.isspace() for c in self._words[self._offsets[layer_start - 1] : self._offsets[layer_start]])

    def _difference(self, text: str, offsets: Sequence[int], run: _Run, following: _Run) -> _Gap:
        """The whole words of the text around a small difference, and what the layer has for them."""
        start, end = run.end, following.start
        while start > run.start and not _has_space_before(text, offsets, start):
            start -= 1
        while end < following.end and not _has_space_before(text, offsets, end):
            end += 1
        return _Gap(
            start=start,
            end=end,
            layer_start=run.behind - (run.end - start),
            layer_end=following.layer_start + (end - following.start),
        )

    def _jump(self, text: str, letters: str, offsets: Sequence[int], run: _Run, following: _Run) -> _Gap:
        """A place where the layer goes on elsewhere, moved to the space between two words where both sides allow."""
        back = 0
        while following.start == run.end and not _has_space_before(text, offsets, run.end - back):
            here, there = run.end - back - 1, following.layer_start - back - 1
            if here < run.start or there < 0 or letters[here] != self._letters[there]:
                back = 0
                break
            back += 1
        return _Gap(start=run.end - back, end=following.start - back, layer_start=0, layer_end=0, apart=True)


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
