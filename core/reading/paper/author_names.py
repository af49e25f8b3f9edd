"""Personal names out of the lines beneath a title, in the order in which they are printed.

Told from setting first (authors are set alike, and otherwise than where they work), then from the shape of
a name. Emails, marks, degrees and places fall away.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from core.reading.blocks import Block, Line, Span
from core.reading.paper.type_style import dominant_style, visible_spans

_MARKS = re.compile(r"[\d⁰¹²³⁴⁵⁶⁷⁸⁹*∗†‡§¶⋆☯✉#·•?]+|\(cid:\d+\)")
_EMAIL = re.compile(r"\S*@\S*|\S+\.(?:com|org|edu|net|gov|ac\.\w\w)\b|https?:\S+|\borcid\b", re.IGNORECASE)
_CUTS = re.compile(r"[,;|&\t]|\s(?:and|und|et|y|e|och|og|en|with)\s|^(?:and|und|et|by|with)\s", re.IGNORECASE)
_PLACE = re.compile(
    r"universi|institut|department|depart[ae]ment|\bdept|school|college|faculty|facult[aé]|laborator|\blabs?\b|"
    r"cent(?:er|re|ro)\b|academy|academi|hospital|clinic|division|research|foundation|company|corporation|\binc\b|"
    r"\bltd\b|gmbh|\bllc\b|street|avenue|\broad\b|\bbox\b|programm?e?\b|ministry|museum|observator|society|council|"
    r"agency|association|group\b|hochschule|fakult|école|escuela|学|大学|研究|"
    r"received|accepted|published|revised|submitted|correspond|article|journal|volume|keywords|editor|review|version|"
    r"\bdraft\b|preprint|copyright|license|available|equal|contribut|vignette|package|manual|january|february|march\b|"
    r"april\b|june\b|july\b|august\b|september|october|november|december",
    re.IGNORECASE,
)
_PARTICLE = frozenset("de da do dos das del della di du van von der den la le el al bin ibn ter ten zu af av".split())
_ALIKE = 0.1
"""Sizes that differ by less than this share are one size: scans and small roundings vary."""
_TOUCHING = 0.15
"""Gap in sizes of the type below which a run touches the one before it."""
_WIDE = 0.55
"""Gap from which two runs are set apart."""
_DEGREES = re.compile(
    r"\b(?:Ph\.?\s?D|M\.\s?D\.|MD|M\.?\s?Sc|B\.?\s?Sc|Dr|Prof|Jr|Sr|FRCS|MPH|RN|MBA|PharmD|DPhil)\b\.?"
)
_WORD = re.compile(r"^[^\W\d_](?:[^\W\d_]|['’`´.\-‐–])*$")


def extract_authors(below: Sequence[Block]) -> tuple[str, ...]:
    """Names of the authors in printed order; empty where none can be told."""
    authors: list[str] = []
    first: tuple[float, bool] | None = None
    for lines, listed in (group for block in below for group in _group_lines(block)):
        names = _parse_names(lines, listed)
        style = _style(lines[0]) if names else None
        first = first or style
        if style is not None and first is not None and _is_same_size(style[0], first[0]):
            authors += [name for name in names if name not in authors]
    return tuple(authors)


def _is_same_size(size: float, other: float) -> bool:
    return abs(size - other) <= _ALIKE * other


def _group_lines(block: Block) -> Iterator[tuple[tuple[Line, ...], bool]]:
    """Runs of lines to be read together: a list that flows over lines whole, else each line by itself."""
    lines = _lines_before_address(block)
    flows = any(_CUTS.search(line.text.strip()) for line in lines)
    alike = [line for line in lines if _is_same_style(line, lines[0])]
    if flows:
        yield tuple(alike), True
        return
    for line in alike:
        yield (line,), False


def _lines_before_address(block: Block) -> list[Line]:
    """Lines up to the first that names a place: what follows is the rest of an address."""
    printed = (line for line in block.lines if visible_spans(line) and not line.vertical)
    return list(takewhile(lambda line: not _PLACE.search(_EMAIL.sub("", _mark_separators(line))), printed))


def _is_same_style(line: Line, other: Line) -> bool:
    style, other_style = _style(line), _style(other)
    return style is not None and other_style is not None and _is_same_size(style[0], other_style[0])


def _style(line: Line) -> tuple[float, bool] | None:
    """Size and boldness of the line's first run of letters that is not raised."""
    lead = _lead_span(line)
    style = dominant_style([lead]) if lead else None
    return (style.size, style.bold) if style else None


def _lead_span(line: Line) -> Span | None:
    return next((span for span in visible_spans(line) if not span.superscript and _has_letters(span)), None)


def _has_letters(span: Span) -> bool:
    return any(char.isalpha() for char in span.text)


def _parse_names(lines: Sequence[Line], listed: bool) -> list[str]:
    pieces = _join_flowing_lines(lines) if listed else [piece for line in lines for piece in _pieces(line)]
    names = [_normalise_name(piece) for piece in pieces if _is_name(piece)]
    long = [piece for piece in pieces if len(piece.split()) > 1]
    # A line with one name among many other things is a sentence or an address, not a list of authors.
    return names if len(names) >= 0.5 * len(long) else []


def _join_flowing_lines(lines: Sequence[Line]) -> list[str]:
    return _split(" ".join(_mark_separators(line) for line in lines))


def _pieces(line: Line) -> list[str]:
    return _split(_mark_separators(line))


def _mark_separators(line: Line) -> str:
    """The line's names with a cut wherever setting parts them: a raised mark, a wide gap, another type.

    Small capitals come as a smaller type that touches the capital before it; they belong to the name.
    """
    lead = _lead_span(line)
    if lead is None:
        return ""
    text, before = "", None
    for span in line.spans:
        if not span.text.strip():
            text += " "
            continue
        gap = None if before is None else span.rect[0] - before.rect[2]
        touches = gap is not None and gap < _TOUCHING * lead.size
        is_wide = gap is not None and gap > _WIDE * lead.size
        belongs = _is_part_of_name(span, lead, touches)
        # Runs that OCR read or some typesetters wrote carry no spaces between words of their own.
        lacks_space = gap is not None and not touches and not text.endswith((" ", "\t"))
        text += "\t" if is_wide else " " * lacks_space
        text += span.text if belongs or _is_plain_mark(span) else " , "
        before = span if belongs else None
    return text


def _is_part_of_name(span: Span, lead: Span, touches: bool) -> bool:
    if span.superscript:
        return False
    is_small_capitals = touches and span.text.isupper()
    return is_small_capitals or _is_same_type(span, lead)


def _is_plain_mark(span: Span) -> bool:
    """Whether a run of another type holds no letter and is not raised, as a comma in bold."""
    return not _has_letters(span) and not span.superscript


def _is_same_type(span: Span, other: Span) -> bool:
    styles = (dominant_style([span]), dominant_style([other]))
    bold = {style.bold for style in styles if style is not None}
    return _is_same_size(span.size, other.size) and len(bold) <= 1


def _split(text: str) -> list[str]:
    text = _DEGREES.sub(" ", _EMAIL.sub(",", text))
    text = _MARKS.sub(",", text)
    pieces = [" ".join(piece.split()).strip(" ,:-–—{}()[]") for piece in _CUTS.split(text)]
    return [piece for piece in pieces if piece.strip(".")]


def _is_name(piece: str) -> bool:
    words = piece.split()
    if not _has_words_of_name(words) or _PLACE.search(piece):
        return False
    carrying = [word for word in words if word not in _PARTICLE]
    if not carrying or (len(carrying) == 1 and len(words) == 2):
        return False
    starts_small = any(word[0].islower() for word in carrying)
    return not starts_small and not all(map(_is_initial, carrying))


def _has_words_of_name(words: Sequence[str]) -> bool:
    return 2 <= len(words) <= 6 and all(_WORD.match(word) for word in words)


def _is_initial(word: str) -> bool:
    return word.endswith(".") or len(word.strip(".")) == 1


def _normalise_name(piece: str) -> str:
    """The name as one writes it: surnames in capitals come down."""
    return " ".join(_lower_surname(word) for word in piece.split())


def _lower_surname(word: str) -> str:
    parts = re.split(r"([\-‐–'’])", word)
    letters = [part for part in parts if part.isalpha()]
    if letters and word.isupper() and max(len(part) for part in letters) > 2:
        return "".join(part[:1] + part[1:].lower() for part in parts)
    return word
