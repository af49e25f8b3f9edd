"""Where the reference list of a paper is: under its heading, or told by the shape of its entries."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from core.reading.paper.heading_text import is_references_heading
from core.reading.paper.parts import Part

_OF_REFERENCE = re.compile(r"\b(?:1[89]|20)\d\d|^\s*\[|^\s*\d+\.\s|https?:")
_LONG = 400
_UPPER = r"[^\W\d_a-zà-öø-ÿ]"
_NAME = rf"{_UPPER}[\w'’´`-]+"
_ENTRY = re.compile(
    r"^\s*(?:\(?\d{1,3}[.)]?)?\s*"
    rf"(?:{_NAME},?\s+(?:{_UPPER}\.?[- ]?){{1,3}}[,;.:&(]"
    rf"|(?:{_UPPER}\.[- ]?){{1,3}}\s?{_NAME}"
    rf"|{_NAME}(?:\s{_UPPER}\.)?\s{_NAME}(?:,|\.|\sand\s|\set\sal))"
)
"""What an entry opens with: its label, and an author, the initials behind or before the family name, or in full."""
_YEAR = re.compile(r"\b(?:1[89]|20)\d\d[a-z]?\b")
_YEAR_OR_ADDRESS = re.compile(rf"{_YEAR.pattern}|https?:")
_LABEL = re.compile(r"^\s*\[\w[\w+\-]{0,12}\]\s")
_FEWEST = 4
"""Entries in a row from which they are a reference list, though no heading says so."""


def mark_references(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The parts, those of the reference list with the role "reference"."""
    headed = _mark_under_heading(parts)
    return headed if any(part.role == "reference" for part in headed) else _mark_by_shape(parts)


def _mark_under_heading(parts: Sequence[Part]) -> tuple[Part, ...]:
    inside = False
    done = []
    for part in parts:
        if part.role == "heading":
            inside = is_references_heading(part.title)
        done.append(replace(part, role="reference") if inside and _may_be_reference(part) else part)
    return tuple(done)


def _may_be_reference(part: Part) -> bool:
    """Whether a part under the list's heading belongs to it: all but long prose without a year or a number in front."""
    is_prose = part.block.kind == "text" and len(part.text) > _LONG and _OF_REFERENCE.search(part.text) is None
    return part.role in _TEXT and not is_prose


_TEXT = ("text", "list", "footnote")


def _mark_by_shape(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The parts, entries that follow each other in the second half of the paper as its reference list."""
    texts = [index for index, part in enumerate(parts) if part.role in _TEXT and index >= len(parts) // 2]
    marked: set[int] = set()
    for is_entry, run in groupby(texts, key=lambda index: _is_entry(parts[index].text)):
        entries = list(run)
        if is_entry and len(entries) >= _FEWEST:
            marked.update(entries)
    return tuple(replace(part, role="reference") if index in marked else part for index, part in enumerate(parts))


def _is_entry(text: str) -> bool:
    """Whether a year stands behind an author or a label in square brackets; an address will do behind a label."""
    if _LABEL.match(text):
        return _YEAR_OR_ADDRESS.search(text) is not None
    return _ENTRY.match(text) is not None and _YEAR.search(text) is not None
