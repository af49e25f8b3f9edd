"""Personal names out of the lines beneath a title, in the order in which they are printed.

Told from setting first (authors are set alike, and otherwise than where they work), then from the shape of
a name. Emails, marks, degrees and places fall away.
"""

import re
from collections.abc import Iterator, Sequence

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
_DEGREES = re.compile(
    r"\b(?:Ph\.?\s?D|M\.\s?D\.|MD|M\.?\s?Sc|B\.?\s?Sc|Dr|Prof|Jr|Sr|FRCS|MPH|RN|MBA|PharmD|DPhil)\b\.?"
)
_WORD = re.compile(r"^[^\W\d_](?:[^\W\d_]|['’`´.\-‐–])*$")


def extract_authors(below: Sequence[Block]) -> tuple[str, ...]:
    """Names of the authors in printed order; empty where none can be told."""
    found: list[str] = []
    style: tuple[float, bool] | None = None
    for block in below:
        for line, listed in _group_lines(block):
            names = _parse_names(line, listed)
            if not names:
                continue
            own = _style(line[0])
            if style is None:
                style = own
            if own is None or style is None or abs(own[0] - style[0]) > _ALIKE * style[0]:
                continue
            found += [name for name in names if name not in found]
    return tuple(found)


def _group_lines(block: Block) -> Iterator[tuple[tuple[Line, ...], bool]]:
    """Runs of lines to be read together: a list that flows over lines whole, else each line by itself.

    A block ends where its first line names a place: what follows is the rest of an address.
    """
    lines: list[Line] = []
    for line in block.lines:
        if line.vertical or not visible_spans(line):
            continue
        if _PLACE.search(_EMAIL.sub("", _mark_separators(line))):
            break
        lines.append(line)
    if not lines:
        return
    flows = any(_CUTS.search(line.text.strip()) for line in lines)
    alike = [line for line in lines if _is_same_style(line, lines[0])]
    if flows:
        yield tuple(alike), True
    else:
        for line in alike:
            yield (line,), False


def _is_same_style(one: Line, other: Line) -> bool:
    a, b = _style(one), _style(other)
    return a is not None and b is not None and abs(a[0] - b[0]) <= _ALIKE * b[0]


def _style(line: Line) -> tuple[float, bool] | None:
    lead = next(
        (span for span in visible_spans(line) if not span.superscript and any(c.isalpha() for c in span.text)), None
    )
    style = dominant_style([lead]) if lead else None
    return (style.size, style.bold) if style else None


def _parse_names(lines: Sequence[Line], listed: bool) -> list[str]:
    pieces = _join_flowing_lines(lines) if listed else [piece for line in lines for piece in _pieces(line)]
    names = [_normalise_name(piece) for piece in pieces if _is_name(piece)]
    # A line with one name among many other things is a sentence or an address, not a list of authors.
    return names if names and len(names) >= 0.5 * len([piece for piece in pieces if len(piece.split()) > 1]) else []


def _join_flowing_lines(lines: Sequence[Line]) -> list[str]:
    return _split(" ".join(_mark_separators(line) for line in lines))


def _pieces(line: Line) -> list[str]:
    return _split(_mark_separators(line))


def _mark_separators(line: Line) -> str:
    """The line's names with a cut wherever setting parts them: a raised mark, a wide gap, another type.

    Small capitals come as a smaller type that touches the capital before it; they belong to the name.
    """
    spans = visible_spans(line)
    lead = next((span for span in spans if not span.superscript and any(c.isalpha() for c in span.text)), None)
    if lead is None:
        return ""
    text, before = "", None
    for span in line.spans:
        if not span.text.strip():
            text += " "
            continue
        touches = before is not None and span.rect[0] - before.rect[2] < 0.15 * lead.size
        apart = before is not None and span.rect[0] - before.rect[2] > 0.55 * lead.size
        belongs = not span.superscript and (_is_same_type(span, lead) or (touches and span.text.isupper()))
        text += "\t" if apart else ""
        # Runs of an OCR reading or of some typesetters carry no spaces between words of their own.
        text += " " if not touches and before is not None and not text.endswith((" ", "\t")) else ""
        text += span.text if belongs or (not any(c.isalpha() for c in span.text) and not span.superscript) else " , "
        before = span if belongs else None
    return text


def _is_same_type(one: Span, other: Span) -> bool:
    bold = [style.bold for style in (dominant_style([one]), dominant_style([other])) if style is not None]
    return abs(one.size - other.size) <= _ALIKE * other.size and len(set(bold)) <= 1


def _split(text: str) -> list[str]:
    text = _DEGREES.sub(" ", _EMAIL.sub(",", text))
    text = _MARKS.sub(",", text)
    pieces = [" ".join(piece.split()).strip(" ,:-–—{}()[]") for piece in _CUTS.split(text)]
    return [piece for piece in pieces if piece.strip(".")]


def _is_name(piece: str) -> bool:
    words = piece.split()
    if not 2 <= len(words) <= 6 or _PLACE.search(piece) or not all(_WORD.match(word) for word in words):
        return False
    carrying = [word for word in words if word not in _PARTICLE]
    if len(carrying) < 2 and not (len(carrying) == 1 and len(words) > 2):
        return False
    full = [word for word in carrying if len(word.strip(".")) > 1 and not word.endswith(".")]
    return bool(full) and all(word[0].isupper() or not word[0].islower() for word in carrying)


def _normalise_name(piece: str) -> str:
    """The name as one writes it: surnames in capitals come down."""
    return " ".join(_lower_surname(word) for word in piece.split())


def _lower_surname(word: str) -> str:
    parts = re.split(r"([\-‐–'’])", word)
    letters = [part for part in parts if part.isalpha()]
    if letters and word.isupper() and max(len(part) for part in letters) > 2:
        return "".join(part[:1] + part[1:].lower() for part in parts)
    return word
