"""What is checked before a page is read: that the file is a PDF, opens, and stays within the limits.

``check_file`` reads the first bytes alone and is safe anywhere; ``inspect_document`` opens the PDF and so runs in a
reader process. Every refusal is one sentence that names the limit.
"""

import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from core.config import ReadingConfig
from core.domain.errors import Damaged, EmptyFile, NotAPdf, PaperRejected, PasswordNeeded, TooLarge, TooManyPages
from core.reading.page import glyph_repair
from core.reading.page_labels import read_page_labels
from core.reading.placeholders import refuse_placeholder

if TYPE_CHECKING:
    import pymupdf

MEGABYTE = 1 << 20
PDF_MAGIC = b"%PDF-"
PDF_MAGIC_WINDOW = 1024
"""Readers accept junk before the magic; Adobe's implementation notes say within the first 1,024 bytes."""
INFLATE_CHUNK = 1 << 16
MAX_INFLATED_MEGABYTES = 1_000.0
"""What the streams of a file may inflate to: a small file can be a large bomb."""
MAX_PROBED_PAGES = 4
"""Pages on which the ligatures of fonts that have any are looked at; spelling out every page costs time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentInfo:
    """A PDF that may be read: number of pages, which of them (from 1) hold nothing, the file's own fields."""

    pages: int
    blank: frozenset[int] = frozenset()
    metadata: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    page_labels: tuple[str, ...] = ()
    ligatures: bool = False
    """Fonts name ligatures, whose letters the text layer may lack."""
    repaired: bool = False
    """The file is damaged and was repaired on opening."""


def check_file(pdf: Path, config: ReadingConfig) -> None:
    """Refuse by size and first bytes. Raises ``EmptyFile``, ``TooLarge``, ``NotAPdf`` or ``Damaged``."""
    try:
        size = pdf.stat().st_size
        with pdf.open("rb") as file:
            head = file.read(PDF_MAGIC_WINDOW + len(PDF_MAGIC))
    except OSError as error:
        raise Damaged("The file could not be opened.") from error
    if not size:
        raise EmptyFile("The file is empty (0 bytes).")
    if size > config.max_megabytes * MEGABYTE:
        raise TooLarge(f"The file has {size / MEGABYTE:,.1f} MB; the limit is {config.max_megabytes:,g} MB.")
    if PDF_MAGIC not in head:
        raise NotAPdf(f"This is not a PDF{_sniff_format(head)}, although its name may say so.")


def _sniff_format(head: bytes) -> str:
    start = head.lstrip()[:200].lower()
    if start.startswith((b"<!doctype html", b"<html", b"<?xml")) or b"<html" in start:
        return " but a web page"
    if start.startswith(b"pk\x03\x04"):
        return " but a zip archive or office document"
    if start.startswith((b"%!ps", b"\xff\xd8\xff", b"\x89png")):
        return " but a picture or PostScript file"
    return ""


def open_pdf(pdf: Path) -> "pymupdf.Document":
    """The opened document. Raises ``Damaged`` or ``PasswordNeeded``."""
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    try:
        if _is_utf8(pdf):
            document = pymupdf.open(str(pdf), filetype="pdf")
        else:
            document = pymupdf.open(stream=pdf.read_bytes(), filetype="pdf")  # MuPDF takes names in UTF-8 alone
    except MemoryError:
        raise
    except Exception as error:
        raise Damaged("The PDF is damaged beyond repair and could not be opened.") from error
    if document.needs_pass:
        raise PasswordNeeded("The PDF is protected: it cannot be read without its password.")
    return document


def _is_utf8(pdf: Path) -> bool:
    try:
        str(pdf).encode()
    except UnicodeEncodeError:
        return False
    return True


def inspect_document(
    pdf: Path, config: ReadingConfig, *, inflated_megabytes: float = MAX_INFLATED_MEGABYTES
) -> DocumentInfo:
    """Open the PDF and check pages and inflated size. Raises ``PaperRejected`` with the reason."""
    document = open_pdf(pdf)
    try:
        pages = document.page_count
        if pages < 1:
            raise Damaged("The PDF is damaged: no page of it could be recovered.")
        if pages > config.max_pages:
            raise TooManyPages(f"The PDF has {pages:,} pages; the limit is {config.max_pages:,}.")
        check_inflated_size(document, inflated_megabytes)
        refuse_placeholder(document)
        fields = {str(key): str(value) for key, value in (document.metadata or {}).items() if value}
        notes = _repair_note(document) + _active_content_notes(document)
        blank = _blank_pages(document)
        return DocumentInfo(
            pages=pages,
            blank=blank,
            metadata=fields,
            notes=notes,
            page_labels=read_page_labels(document),
            ligatures=_has_truncated_ligatures(document, blank),
            repaired=bool(document.is_repaired),
        )
    except (PaperRejected, MemoryError):
        raise
    except Exception as error:
        raise Damaged("The PDF is damaged: its pages could not be listed.") from error
    finally:
        document.close()


def _repair_note(document: "pymupdf.Document") -> tuple[str, ...]:
    if not document.is_repaired:
        return ()
    return ("The PDF is damaged and was repaired to be read; parts of it may be missing.",)


def _active_content_notes(document: "pymupdf.Document") -> tuple[str, ...]:
    notes = []
    attached = document.embfile_count()
    if attached:
        notes.append(f"{attached:,} attached file{'s were' if attached > 1 else ' was'} left alone.")
    if _has_script(document):
        notes.append("The PDF carries scripts; none was run.")
    return tuple(notes)


def _has_script(document: "pymupdf.Document") -> bool:
    catalog = document.pdf_catalog()
    if document.xref_get_key(catalog, "Names/JavaScript")[0] != "null":
        return True
    return any(document.xref_get_key(catalog, f"{action}/S")[1] == "/JavaScript" for action in ("OpenAction", "AA/WC"))


def _has_truncated_ligatures(document: "pymupdf.Document", blank: frozenset[int]) -> bool:
    fonts: set[int] = set()
    for number in range(document.page_count):
        if number + 1 in blank:
            continue
        try:
            # A font that is no object of its own has the number 0.
            fonts.update(font[0] for font in document.get_page_fonts(number, full=True) if font[0])
        except MemoryError:
            raise
        except Exception:  # a broken page is the page reader's matter
            continue
    if not glyph_repair.has_named_ligatures(document, fonts):
        return False
    printed = [number for number in range(document.page_count) if number + 1 not in blank]
    step = max(1, len(printed) // MAX_PROBED_PAGES)
    return any(_is_ligature_truncated(document, number) for number in printed[::step][:MAX_PROBED_PAGES])


def _is_ligature_truncated(document: "pymupdf.Document", number: int) -> bool:
    try:
        return glyph_repair.has_truncated_ligatures(document.load_page(number))
    except MemoryError:
        raise
    except Exception:  # a broken page is the page reader's matter
        return False


def _blank_pages(document: "pymupdf.Document") -> frozenset[int]:
    """Pages without any content stream: nothing can be drawn on them but annotations, which are not read."""
    blank = set()
    for index in range(document.page_count):
        try:
            kind, value = document.xref_get_key(document.page_xref(index), "Contents")
        except Exception:
            continue
        if kind == "null" or (kind == "array" and not value.strip("[] \n")):
            blank.add(index + 1)
    return frozenset(blank)


def check_inflated_size(document: "pymupdf.Document", megabytes: float) -> None:
    """Refuse a PDF whose streams inflate to more than ``megabytes``, without holding what they inflate to.

    Pictures are in memory one at a time while a page is read, so the largest one counts and not their sum.
    """
    limit = int(megabytes * MEGABYTE)
    total = largest_picture = 0
    for xref in range(1, document.xref_length()):
        try:
            if not document.xref_is_stream(xref):
                continue
            if document.xref_get_key(xref, "Subtype")[1] == "/Image":
                largest_picture = max(largest_picture, _image_size(document, xref))
            else:
                total += _inflated_size(document, xref, limit - total)
        except MemoryError:
            raise
        except Exception:  # a broken object is the page reader's matter
            continue
        if total + largest_picture > limit:
            raise TooLarge(f"What the PDF packs inflates to more than the limit of {megabytes:,g} MB.")


def _image_size(document: "pymupdf.Document", xref: int) -> int:
    def number(key: str, otherwise: int) -> int:
        kind, value = document.xref_get_key(xref, key)
        return int(float(value)) if kind in ("int", "float", "real") else otherwise

    channels = 1 if document.xref_get_key(xref, "ColorSpace")[1] in ("/DeviceGray", "null") else 3
    return number("Width", 0) * number("Height", 0) * channels * max(number("BitsPerComponent", 8), 8) // 8


def _inflated_size(document: "pymupdf.Document", xref: int, limit: int) -> int:
    """Bytes that a stream inflates to, counted up to ``limit`` and then given up."""
    raw: bytes = document.xref_stream_raw(xref)
    filters = document.xref_get_key(xref, "Filter")[1].count("FlateDecode")
    if not filters:
        return len(raw)
    return _count_inflated_bytes(raw, filters, limit)


def _count_inflated_bytes(data: bytes, layers: int, limit: int) -> int:
    """Bytes that ``data`` comes to after ``layers`` inflations, counted up to ``limit`` and then given up."""
    pieces: Iterator[bytes] = (data[start : start + INFLATE_CHUNK] for start in range(0, len(data), INFLATE_CHUNK))
    for _ in range(layers):
        pieces = _inflated_pieces(pieces)
    counted = 0
    for piece in pieces:
        counted += len(piece)
        if counted > limit:
            break
    return counted


def _inflated_pieces(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """What a deflate stream inflates to, in pieces of at most ``INFLATE_CHUNK`` bytes, up to its end or first error.

    Many PDF writers put line ends after the stream, inside its length. zlib leaves them in ``unconsumed_tail`` for
    good once the stream has ended, so ``eof`` decides and not whether input is left.
    """
    inflater = zlib.decompressobj()
    for packed in pieces:
        left = packed
        while left:
            try:
                yield inflater.decompress(left, INFLATE_CHUNK)
            except zlib.error:
                return
            if inflater.eof:
                return
            left = inflater.unconsumed_tail
