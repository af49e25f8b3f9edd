"""What stands on the first pages beside title and text: names, addresses, dates, key words, licences.

It is no evidence for anything a paper says, so it makes no passages. Names and addresses are told from prose by their
capitals: most of their words have one.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from core.reading.paper.heading_text import is_keywords_heading, opens_with_keywords
from core.reading.paper.parts import Part
from core.reading.paper.type_style import body_style

_LAST_PAGE = 3
"""A paper's text begins by this page; where no heading is found up to it, nothing is taken for front matter."""
_MOST_CAPITALS = 0.5
"""Of the longer words of prose at most this share begins with a capital; German nouns stay below it."""
_SMALL = 0.93
_WORD = re.compile(r"[^\W\d_]{4,}")
_NOTICE = re.compile(r"\S@\S+\.\w|©|\(c\)\s+(?:19|20)\d\d|creative ?commons", re.IGNORECASE)
_LONGEST_NOTICE = 400
"""An address or a licence is named within so many characters."""


def mark_front_matter(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The parts, those of the front matter and the licences with the role "front"."""
    first = next((index for index, part in enumerate(parts) if part.role == "heading"), None)
    body = body_style([line for part in parts if part.role == "text" for line in part.block.lines])
    if first is None or body is None or parts[first].page > _LAST_PAGE:
        return tuple(parts)
    return tuple(
        replace(part, role="front")
        if part.role in ("text", "footnote") and _is_front(part, body.size, parts[first].page, before=index < first)
        else part
        for index, part in enumerate(parts)
    )


def _is_front(part: Part, body: float, page: int, *, before: bool) -> bool:
    """Whether a part is none of the text, which begins on ``page``; it may stand ``before`` the text."""
    is_small = not part.from_ocr and all(line.size < _SMALL * body for line in part.block.lines)
    is_notice = _NOTICE.search(part.text[:_LONGEST_NOTICE]) is not None
    is_of_names = part.page <= page + 1 and _share_of_capitals(part.text) > _MOST_CAPITALS
    if before:
        return is_notice or is_of_names or part.block.kind in ("title", "section-header")
    if part.role != "footnote" and not is_small:
        return part.page <= page + 1 and _is_of_keywords(part)
    return is_notice or is_of_names or _is_of_keywords(part)


def _is_of_keywords(part: Part) -> bool:
    return opens_with_keywords(part.text) or (bool(part.section) and is_keywords_heading(part.section[-1]))


def _share_of_capitals(text: str) -> float:
    """The share of the words of four letters and more that begin with a capital."""
    words = _WORD.findall(text)
    return sum(word[0].isupper() for word in words) / len(words) if words else 1.0
