"""How a line is set: typeface, size, weight. What a heading looks like is told from how the paper sets its text."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.reading.blocks import Line, Span

_MONOSPACED = re.compile(
    r"mono|courier|typewriter|consol|inconsolata|menlo|fixed|code|cmtt|cmsltt|cmitt|sftt|ectt|lmtt|txtt|pcr[rb]",
    re.IGNORECASE,
)
_BOLD = re.compile(r"bold|black|heavy|semibold|demi|medi(?:um)?(?![a-z])|cmb|sfbx|ecbx|-bd\b", re.IGNORECASE)
_LARGE_INITIAL = 1.8
"""Size over that of the text from which one letter is an initial; capitals beside small ones are up to 1.5."""
_SUBSET = re.compile(r"^[A-Z]{6}\+")


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeStyle:
    """How characters are set; ``size`` in points, in steps of a half, so that rounding makes no new style."""

    font: str
    size: float
    bold: bool
    italic: bool
    capitals: bool = False

    @property
    def monospaced(self) -> bool:
        """Whether it looks like program code."""
        return _MONOSPACED.search(self.font) is not None


def span_style(span: Span) -> TypeStyle:
    """The style of a run of characters."""
    font, bold = _typeface(span.font)
    return TypeStyle(font=font, size=round(span.size * 2) / 2, bold=span.bold or bold, italic=span.italic)


@lru_cache(maxsize=1024)
def _typeface(font: str) -> tuple[str, bool]:
    """The font's name without subset tag and counting digits, and whether the name says that it is bold."""
    name = _SUBSET.sub("", font).rstrip("0123456789")
    return name, _BOLD.search(name) is not None


def visible_spans(line: Line) -> tuple[Span, ...]:
    """The spans of a line that print something."""
    return tuple(span for span in line.spans if span.text.strip())


def dominant_style(spans: Iterable[Span]) -> TypeStyle | None:
    """The style of most letters; capitals where they are all capitals, small ones included, in the large ones' size."""
    weight: Counter[TypeStyle] = Counter()
    letters = ""
    for span in _without_large_initial(list(spans)):
        own = "".join(filter(str.isalpha, span.text))
        weight[span_style(span)] += len(own)
        letters += own
    if not letters:
        return None
    (best, _), *_ = weight.most_common(1)
    size = max(style.size for style in weight if style.font == best.font)
    return TypeStyle(font=best.font, size=size, bold=best.bold, italic=best.italic, capitals=_is_capitals(letters))


def _without_large_initial(spans: Sequence[Span]) -> Sequence[Span]:
    """The spans without a first letter that is set over two lines or more."""
    printed = [span for span in spans if span.text.strip()]
    is_initial = len(printed) > 1 and is_large_initial(printed[0], printed[1])
    return printed[1:] if is_initial else printed


def is_large_initial(span: Span, following: Span) -> bool:
    """Whether ``span`` is the large letter that opens a paragraph set in the type of ``following``."""
    return len(span.text.strip()) == 1 and span.size >= _LARGE_INITIAL * following.size


def _is_capitals(letters: str) -> bool:
    """Whether all letters that have a case, at least four, are capitals."""
    cased = [char for char in letters if char.isupper() or char.islower()]
    return len(cased) > 3 and all(char.isupper() for char in cased)


def body_style(lines: Sequence[Line]) -> TypeStyle | None:
    """The style that most of the running text is set in."""
    weight: Counter[TypeStyle] = Counter()
    for line in lines:
        for span in line.spans:
            weight[span_style(span)] += len(span.text)
    return weight.most_common(1)[0][0] if weight else None
