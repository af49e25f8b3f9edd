"""Pieces of a page that are no sentences about the work: headings, broken words, entries of a bibliography. Pure."""

import re

HEADING_WORDS = 12
"""Words without a full stop, at most, that are taken for a heading or a running head."""
_ENDS = re.compile(r"[.!?:;。！？；：…][\"'”’»)\]\d,–-]*$")
_BROKEN = re.compile(r"[^\W\d_]-$")
_AUTHOR = r"[^\W\d_][\w'’-]+,?\s(?:[A-Z]\.?[\s-]?){1,3}(?=[,.;&(\s]|$)"
_ENTRY = re.compile(rf"^\W*(?:\[?\d{{1,3}}[\].]?\s+)?{_AUTHOR}.{{0,400}}(?<!\d)(?:19|20)\d\d(?!\d)")
_PRINTED_IN = re.compile(
    r"\b\d+\s?\(\d+\)|\b\d+\s?:\s?\d+|\bpp?\.\s?\d|\bvol\.|\bdoi\b|\d\s?[–-]\s?\d{2,}|\bIn Proc|\barXiv\b",
    re.IGNORECASE,
)


def is_heading(text: str) -> bool:
    """Whether ``text`` is a heading or another line that was never a sentence: short, and without an end."""
    return len(text.split()) <= HEADING_WORDS and not _ENDS.search(text)


def is_broken(text: str) -> bool:
    """Whether ``text`` ends inside a word."""
    return bool(_BROKEN.search(text))


def is_bibliography_entry(text: str) -> bool:
    """Whether ``text`` begins with an author's name and initials and has the year and place of a publication."""
    return bool(_ENTRY.search(text) and _PRINTED_IN.search(text))
