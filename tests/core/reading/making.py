"""Small PDFs for the tests of the reading room, each made on the spot so that its truth is known."""

import io
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from pathlib import Path

import pymupdf

PROSE = (
    "We measured moss cover on sixty-four tiled roofs over three winters.",
    "Mean cover on north-facing slopes was 38 percent, against 11 percent elsewhere.",
    "Roofs were photographed each February from a fixed point by two observers.",
    "All roofs stand in one valley, so the findings may not hold for drier places.",
)


def write(path: Path, draw: Callable[[pymupdf.Page], None], pages: int = 1) -> Path:
    """A PDF whose every page ``draw`` has drawn on."""
    document = pymupdf.open()
    for _ in range(pages):
        draw(document.new_page())
    document.save(path)
    document.close()
    return path


def prose(page: pymupdf.Page) -> None:
    """A heading and four lines of plain text."""
    page.insert_text((72, 90), "Moss growth on roofs", fontsize=16)
    for index, line in enumerate(PROSE):
        page.insert_text((72, 130 + 16 * index), line, fontsize=11)


def picture_of(page: pymupdf.Page, draw: Callable[[pymupdf.Page], None], dpi: int = 150) -> None:
    """What ``draw`` draws, as a full-page picture: a scan without a text layer."""
    source = pymupdf.open()
    original = source.new_page(width=page.rect.width, height=page.rect.height)
    draw(original)
    page.insert_image(page.rect, pixmap=original.get_pixmap(dpi=dpi))
    source.close()


def shuffled_to_unicode(path: Path) -> Path:
    """A page whose print is fine and whose text layer says something else: its ToUnicode map is garbage."""
    import pikepdf

    document = pymupdf.open()
    page = document.new_page()
    page.insert_font(fontname="F0", fontbuffer=pymupdf.Font("helv").buffer)
    for index, line in enumerate(PROSE * 4):
        page.insert_text((72, 90 + 18 * index), line, fontsize=11, fontname="F0")
    document.save(path)
    document.close()
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        for thing in pdf.objects:
            if isinstance(thing, pikepdf.Dictionary) and "/ToUnicode" in thing:
                thing["/ToUnicode"] = pdf.make_stream(_garbage_map())
        pdf.save(path)
    return path


def _garbage_map() -> bytes:
    rows = "\n".join(f"<{code:04X}> <{0x2701 + code % 150:04X}>" for code in range(1, 100))
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def\n"
        "1 begincodespacerange <0000> <FFFF> endcodespacerange\n"
        f"99 beginbfchar\n{rows}\nendbfchar endcmap end end"
    ).encode()


def bomb(path: Path, megabytes: int) -> Path:
    """A small file whose one content stream inflates to ``megabytes`` of white space."""
    import zlib

    return with_content(path, zlib.compress(b" " * (megabytes << 20), 9), filters=["/FlateDecode"])


def with_content(path: Path, packed: bytes, filters: Sequence[str]) -> Path:
    """A PDF of one page whose content stream has the bytes ``packed``, to be unpacked by ``filters`` in their order."""
    import pikepdf

    with pikepdf.new() as pdf:
        pdf.add_blank_page()
        stream = pikepdf.Stream(pdf, packed)
        stream["/Filter"] = pikepdf.Array([pikepdf.Name(name) for name in filters])
        pdf.pages[0]["/Contents"] = pdf.make_indirect(stream)
        pdf.save(path, compress_streams=False, stream_decode_level=pikepdf.StreamDecodeLevel.none)
    return path


def printed_as(path: Path, lines: Sequence[str], values: Mapping[str, str], *, font: str = "F0") -> Path:
    """A page that prints ``lines`` and whose text layer has other ``values`` for some of their characters.

    These characters stand in the font ``font``: "F0" is that of the text, "F1" another one. No font names its glyphs.
    """
    buffers = {"F0": _nameless_font("Vera.ttf"), "F1": _nameless_font("VeraBd.ttf")}
    metrics = {name: pymupdf.Font(fontbuffer=buffer) for name, buffer in buffers.items()}
    document = pymupdf.open()
    page = document.new_page()
    for name, buffer in buffers.items():
        page.insert_font(fontname=name, fontbuffer=buffer)
    for index, line in enumerate(lines):
        x = 72.0
        for is_other, run in groupby(line, key=lambda char: char in values):
            text, name = "".join(run), font if is_other else "F0"
            page.insert_text((x, 90 + 18 * index), text, fontsize=11, fontname=name)
            x += metrics[name].text_length(text, fontsize=11)
    document.save(path)
    document.close()
    used = {char: values.get(char, char) for line in lines for char in line}
    _set_values(path, {metrics["F0"].has_glyph(ord(char)): value for char, value in used.items()})
    return path


def _nameless_font(file: str) -> bytes:
    import reportlab
    from fontTools import ttLib  # type: ignore[import-untyped]

    font = ttLib.TTFont(Path(reportlab.__file__).parent / "fonts" / file)
    font["post"].formatType = 3.0
    written = io.BytesIO()
    font.save(written)
    return written.getvalue()


def _set_values(path: Path, values: Mapping[int, str]) -> None:
    """Give the glyphs of all fonts of a PDF these values, by their numbers."""
    import pikepdf

    rows = "\n".join(f"<{glyph:04X}> <{value.encode('utf-16-be').hex()}>" for glyph, value in values.items())
    table = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def\n"
        "1 begincodespacerange <0000> <FFFF> endcodespacerange\n"
        f"{len(values)} beginbfchar\n{rows}\nendbfchar endcmap end end"
    )
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        for thing in pdf.objects:
            if isinstance(thing, pikepdf.Dictionary) and "/ToUnicode" in thing:
                thing["/ToUnicode"] = pdf.make_stream(table.encode())
        pdf.save(path)


def forged_line(path: Path, lines: Sequence[str], printed: str, forged: str) -> Path:
    """A page with ``lines`` and a line that prints ``printed`` while its text layer says ``forged``.

    The line's font has a code for each place in it, as only a forger writes it.
    """
    import pikepdf

    def draw(page: pymupdf.Page) -> None:
        for index, text in enumerate(lines):
            page.insert_text((72, 90 + 18 * index), text)

    write(path, draw)
    codes = range(1, len(printed) + 1)
    names = [{" ": "space", ".": "period"}.get(char, char) for char in printed]
    rows = "\n".join(
        f"<{code:02X}> <{ord(char):04X}>" for code, char in zip(codes, forged.ljust(len(printed)), strict=True)
    )
    table = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def\n"
        "1 begincodespacerange <00> <FF> endcodespacerange\n"
        f"{len(codes)} beginbfchar\n{rows}\nendbfchar endcmap end end"
    )
    widths = [pymupdf.get_text_length(char, fontsize=1000) for char in printed]
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        font = pikepdf.Dictionary(
            Type=pikepdf.Name.Font,
            Subtype=pikepdf.Name.Type1,
            BaseFont=pikepdf.Name.Helvetica,
            FirstChar=1,
            LastChar=len(printed),
            Widths=pikepdf.Array([round(width) for width in widths]),
            Encoding=pikepdf.Dictionary(Differences=pikepdf.Array([1, *(pikepdf.Name(f"/{name}") for name in names)])),
            ToUnicode=pdf.make_stream(table.encode()),
        )
        page = pdf.pages[0]
        page.Resources.Font["/Forged"] = pdf.make_indirect(font)
        shown = "".join(f"{code:02X}" for code in codes)
        page.contents_add(f"BT /Forged 11 Tf 72 500 Td <{shown}> Tj ET".encode())
        pdf.save(path)
    return path
