"""Finds quoted words in a passage: the gate that every footnote has to pass.

Tolerant of white space, hyphenation, ligatures, typographic marks and case, and of nothing else: a letter, a
digit, a decimal point or a minus sign that differs is another quote. What is checked is a passage's ``text``; what
leaves in a citation is what the file's own text layer says there (``build_quote_spans``, which alone makes a ``Span``).
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate

from core.domain.model import Box, LayerReading, Passage, Span
from core.text import CJK, STOP_WORDS, index_tokens, normalise, sentence_spans
from core.text.normalisation import grapheme_clusters, unify_degree_signs, unify_punctuation

_TRIMMED = " \t\r\n\"'.,;:…-"
_LEAST_CHARACTERS = 8
_LEAST_WORDS = 2
_LEAST_CJK = 4
_GROUPED = re.compile(r"(?<!\d)[1-9]\d{0,2}(?:\s\d{3})+(?!\d)")


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


def find_quote(quote: str, text: str) -> tuple[int, int] | None:
    """Start and end in ``text`` of the first place where ``quote`` is printed, or None.

    Quotation marks and stops around the quote do not count; a quote that begins or ends inside a word or a
    number is not found, nor is one too short to say anything (see ``is_substantial``).
    """
    trimmed = trim_quote(quote)
    if not is_substantial(trimmed):
        return None
    needle, _ = matching_key(trimmed)
    hay, offsets = matching_key(text)
    at = hay.find(needle)
    while at >= 0:
        start, end = offsets[at], _end_of(text, offsets, at + len(needle) - 1)
        if _is_on_word_boundaries(text, start, end):
            return start, end
        at = hay.find(needle, at + 1)
    return None


def is_substantial(quote: str) -> bool:
    """Whether a quote says enough to support anything: two words, eight letters or digits, one of the words
    more than a stop word; four characters where the script writes no spaces.
    """
    if len(CJK.findall(quote)) >= _LEAST_CJK:
        return True
    words = re.findall(r"\w+(?:[.,'-]\w+)*", normalise(quote).casefold())
    letters = sum(map(str.isalnum, quote))
    return len(words) >= _LEAST_WORDS and letters >= _LEAST_CHARACTERS and any(word not in STOP_WORDS for word in words)


def trim_quote(quote: str) -> str:
    """``quote`` on one line without the marks that whoever quotes puts around it."""
    return normalise(quote).strip(_TRIMMED)


def is_same_quote(one: str, other: str) -> bool:
    """Whether two texts are the same quote."""
    return quote_key(one) == quote_key(other)


def quote_key(quote: str) -> str:
    """Equal for texts that are the same quote."""
    return matching_key(trim_quote(quote))[0]


@lru_cache(maxsize=1_024)
def matching_key(text: str) -> tuple[str, tuple[int, ...]]:
    """What is compared, and the offset in ``text`` of each of its characters.

    White space goes, except between two digits that are no grouped thousands ("5 13 mg" is not "513 mg");
    a hyphen goes between letters and stays beside a digit.
    """
    text = unify_degree_signs(text)
    grouped = {at for match in _GROUPED.finditer(text) for at in range(*match.span()) if text[at].isspace()}
    signs: list[str] = []
    offsets: list[int] = []
    gap = -1
    for at, cluster in grapheme_clusters(text):
        if cluster[0].isspace():
            gap = at if at not in grouped else gap
            continue
        folded = unicodedata.normalize("NFKC", unify_punctuation(unicodedata.normalize("NFKC", cluster)).casefold())
        for sign in folded:
            if sign.isspace() or unicodedata.category(sign) in ("Cf", "Cc"):
                continue
            if gap >= 0 and sign.isdigit() and signs and signs[-1].isdigit():
                signs.append(" ")
                offsets.append(gap)
            gap = -1
            signs.append(sign)
            offsets.append(at)
    kept = [at for at, sign in enumerate(signs) if not (sign == "-" and _is_between_letters(signs, at))]
    return "".join([signs[at] for at in kept]), tuple(offsets[at] for at in kept)


def _is_between_letters(signs: list[str], at: int) -> bool:
    return 0 < at < len(signs) - 1 and signs[at - 1].isalpha() and signs[at + 1].isalpha()


def _end_of(text: str, offsets: Sequence[int], last: int) -> int:
    end = offsets[last] + 1
    while end < len(text) and unicodedata.category(text[end])[0] == "M":
        end += 1
    return end


def _is_on_word_boundaries(text: str, start: int, end: int) -> bool:
    """Whether a stretch begins and ends between words, and cuts no number in two."""
    before, first = text[max(0, start - 2) : start], text[start]
    last, after = text[end - 1], text[end : end + 2]
    if _is_joined(before[-1:], first) or _is_joined(last, after[:1]):
        return False
    if first.isdigit() and before and (before[-1] in "-−–+±<>≤≥~≈.,$€£" or _is_thousands_separator(text, start - 1)):
        return _is_closing_stop(before)
    return not (
        last.isdigit() and after and (_is_decimal(after) or after[0] in "%‰" or _is_thousands_separator(text, end))
    )


def _is_joined(one: str, other: str) -> bool:
    return bool(one and other and one.isalnum() and other.isalnum() and not (CJK.match(one) or CJK.match(other)))


def _is_closing_stop(before: str) -> bool:
    """A stop or comma after a word ends it; after a digit, or on its own, it belongs to a number."""
    return len(before) == 2 and before[1] in ".," and before[0].isalpha()


def _is_decimal(after: str) -> bool:
    return len(after) == 2 and after[0] in ".," and after[1].isdigit()


def _is_thousands_separator(text: str, at: int) -> bool:
    return text[at].isspace() and any(match.start() < at < match.end() for match in _GROUPED.finditer(text))


def closest_sentences(sentence: str, passage: Passage) -> list[tuple[float, int, int]]:
    """What a passage can be quoted by, as (share of the words of ``sentence`` held, start, end), best first."""
    wanted = content_words(sentence)
    if not wanted:
        return []
    ranked = []
    text = passage.text
    for start, end in quotable_units(passage):
        held = wanted & set(index_tokens(text[start:end]))
        if held:
            ranked.append((len(held) / len(wanted), start, end))
    return sorted(ranked, key=lambda one: (-one[0], one[1]))


def quotable_units(passage: Passage) -> list[tuple[int, int]]:
    """Start and end of what is quoted whole: the rows of a table, the sentences of anything else."""
    if passage.kind != "table":
        return sentence_spans(passage.text)
    return [match.span() for match in re.finditer(r"\S[^\n]*", passage.text)]


def widen_to_units(passage: Passage, start: int, end: int) -> tuple[int, int]:
    """A stretch of a passage widened to what is quoted whole: words cut out of a sentence may say the opposite."""
    touched = [span for span in quotable_units(passage) if span[0] < end and span[1] > start]
    return (touched[0][0], touched[-1][1]) if touched else (start, end)


def content_words(text: str) -> set[str]:
    """Index tokens of ``text`` without stop words."""
    return set(index_tokens(text)) - _small_tokens()


@cache
def _small_tokens() -> frozenset[str]:
    return frozenset(token for word in STOP_WORDS for token in index_tokens(word))


def locate_quote(quote: str, passage: Passage, following: Passage | None = None) -> tuple[PassageSpan, ...]:
    """Where ``quote`` stands: one stretch, two where it goes on in ``following``, none where it is not printed."""
    found = find_quote(quote, passage.text)
    if found:
        return (PassageSpan(passage=passage, start=found[0], end=found[1]),)
    if following is None:
        return ()
    joined = passage.text + "\n" + following.text
    found = find_quote(quote, joined)
    cut = len(passage.text)
    if not found or not found[0] < cut < found[1] - 1:
        return ()
    return (
        PassageSpan(passage=passage, start=found[0], end=cut),
        PassageSpan(passage=following, start=0, end=found[1] - cut - 1),
    )


def build_quote_spans(stretches: Iterable[PassageSpan]) -> tuple[Span, ...]:
    """The quotes of the stretches, in order: one each, more where the text layer holds its parts far apart."""
    return tuple(span for stretch in stretches for span in _spans(stretch))


def _spans(stretch: PassageSpan) -> Iterator[Span]:
    passage = stretch.passage
    start, end, inside = _widen_to_words(stretch)
    begin = start
    for other in (*(reading for reading in inside if reading.apart), None):
        stop = end if other is None else other.start
        quote = _layer_text(passage.text, begin, stop, [reading for reading in inside if begin <= reading.start < stop])
        if any(char.isalnum() for char in quote):
            boxes = tuple(_boxes(passage, begin, stop))
            yield Span(passage_id=passage.id, page=passage.page, quote=quote, boxes=boxes)
        begin = stop if other is None else other.end


def _widen_to_words(stretch: PassageSpan) -> tuple[int, int, list[LayerReading]]:
    """The stretch with the words whole that the layer reads otherwise, and what it reads otherwise inside."""
    start, end = stretch.start, stretch.end
    for reading in stretch.passage.layer:
        if reading.start < start < reading.end:
            start = reading.end if reading.apart else reading.start
        if reading.start < end < reading.end:
            end = reading.start if reading.apart else reading.end
    return start, end, [reading for reading in stretch.passage.layer if _is_inside(reading, start, end)]


def _is_inside(reading: LayerReading, start: int, end: int) -> bool:
    """Whether the difference lies in a stretch; what the layer adds at its very edge does not."""
    if reading.start == reading.end:
        return start < reading.start < end
    return start <= reading.start and reading.end <= end


def _layer_text(text: str, start: int, end: int, differing: Sequence[LayerReading]) -> str:
    pieces = []
    for reading in differing:
        if not reading.apart:
            extra = f" {reading.words} " if reading.start == reading.end else reading.words
            pieces += [text[start : reading.start], extra]
            start = reading.end
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
