"""The numbers that a PDF gives its pages ("iv", "484"): what a reader finds printed and what is cited."""

import codecs
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pymupdf

MAX_LENGTH = 12
"""Characters of a page's label; a longer one is no number."""
_HEXADECIMAL = re.compile(r"<((?:[0-9A-Fa-f]{2})+)>")


def read_page_labels(document: "pymupdf.Document") -> tuple[str, ...]:
    """The labels of all pages; empty where they only count the sheets or are not one of its own for each page."""
    try:
        labels = [_decode(str(page.get_label())) for page in document]
    except MemoryError:
        raise
    except Exception:  # broken labels are none
        return ()
    return () if _counts_sheets(labels) or not _are_usable(labels) else tuple(labels)


def _counts_sheets(labels: Sequence[str]) -> bool:
    return all(label == str(number) for number, label in enumerate(labels, start=1))


def _are_usable(labels: Sequence[str]) -> bool:
    is_printable = all(label.isprintable() and 0 < len(label) <= MAX_LENGTH for label in labels)
    return is_printable and len(set(labels)) == len(labels)


def _decode(label: str) -> str:
    """A label whose prefix MuPDF gives as it is written in the file, in hexadecimal."""
    return _HEXADECIMAL.sub(lambda found: _decode_text(bytes.fromhex(found[1])), label)


def _decode_text(data: bytes) -> str:
    is_utf16 = data.startswith(codecs.BOM_UTF16_BE)
    return data.decode("utf-16" if is_utf16 else "latin-1")
