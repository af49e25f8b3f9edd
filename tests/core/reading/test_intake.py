"""What is refused before a page is read, and in which words."""

import random
import zlib
from pathlib import Path

import pymupdf
import pytest

from core.config import ReadingConfig
from core.domain.errors import Damaged, EmptyFile, NotAPdf, PasswordNeeded, Placeholder, TooLarge, TooManyPages
from core.reading import intake, worker
from core.reading.intake import MEGABYTE
from tests.core.reading import making

LIMITS = ReadingConfig(max_megabytes=1, max_pages=3)


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"")
    with pytest.raises(EmptyFile, match="empty"):
        intake.check_file(tmp_path / "a.pdf", LIMITS)


def test_a_web_page_named_pdf_is_called_a_web_page(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"<!DOCTYPE html><html><body>Please sign in</body></html>")
    with pytest.raises(NotAPdf, match="web page"):
        intake.check_file(tmp_path / "a.pdf", LIMITS)


def test_a_file_over_the_size_limit_is_refused_with_both_sizes(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7" + b" " * (2 << 20))
    with pytest.raises(TooLarge, match=r"2\.0 MB; the limit is 1 MB"):
        intake.check_file(tmp_path / "a.pdf", LIMITS)


def test_junk_before_the_magic_is_allowed(tmp_path: Path) -> None:
    pdf = making.write(tmp_path / "a.pdf", making.prose)
    pdf.write_bytes(b"\r\njunk\r\n" + pdf.read_bytes())
    intake.check_file(pdf, LIMITS)
    assert intake.inspect_document(pdf, LIMITS).pages == 1


def test_a_page_limit_names_both_numbers(tmp_path: Path) -> None:
    pdf = making.write(tmp_path / "a.pdf", making.prose, pages=4)
    with pytest.raises(TooManyPages, match="4 pages; the limit is 3"):
        intake.inspect_document(pdf, LIMITS)


def test_a_password_is_asked_for_and_an_owner_password_is_not(tmp_path: Path) -> None:
    document = pymupdf.open()
    making.prose(document.new_page())
    document.save(tmp_path / "user.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="u", owner_pw="o")
    document.save(tmp_path / "owner.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="", owner_pw="o")
    with pytest.raises(PasswordNeeded, match="password"):
        intake.inspect_document(tmp_path / "user.pdf", LIMITS)
    assert intake.inspect_document(tmp_path / "owner.pdf", LIMITS).pages == 1


def test_a_bomb_is_refused_by_what_it_inflates_to(tmp_path: Path) -> None:
    pdf = making.bomb(tmp_path / "a.pdf", megabytes=60)
    assert pdf.stat().st_size < 200_000
    with pytest.raises(TooLarge, match="inflates to more than the limit of 20 MB"):
        intake.inspect_document(pdf, LIMITS, inflated_megabytes=20)
    assert intake.inspect_document(pdf, LIMITS, inflated_megabytes=100).pages == 1


WORDS = " ".join(random.Random(3).choices(["moss", "roof", "slate", "winter", "(38) Tj", "0 0 m"], k=40_000)).encode()
"""More than any chunk, packed as well as unpacked."""
AFTER_THE_END = {
    "nothing": b"",
    "line feed": b"\n",
    "carriage return and line feed": b"\r\n",
    "zeros": bytes(9),
    "more than a chunk": b"\r\n" * intake.INFLATE_CHUNK,
    "another stream": zlib.compress(WORDS),
}


def packed(data: bytes, *, layers: int, after: bytes) -> bytes:
    for _ in range(layers):
        data = zlib.compress(data) + after
    return data


@pytest.mark.parametrize("layers", [1, 2, 3])
@pytest.mark.parametrize("after", AFTER_THE_END.values(), ids=AFTER_THE_END.keys())
def test_a_packed_stream_is_counted_to_its_end_whatever_follows(tmp_path: Path, layers: int, after: bytes) -> None:
    content = packed(WORDS, layers=layers, after=after)
    pdf = making.with_content(tmp_path / "a.pdf", content, filters=["/FlateDecode"] * layers)
    assert intake.inspect_document(pdf, LIMITS).pages == 1
    with pymupdf.open(pdf) as document:
        intake.check_inflated_size(document, (len(WORDS) + 2_000) / MEGABYTE)
        with pytest.raises(TooLarge):
            intake.check_inflated_size(document, (len(WORDS) - 2_000) / MEGABYTE)


@pytest.mark.parametrize("after", [b"\r\n", bytes(200_000)])
def test_a_stream_that_breaks_before_its_end_is_counted_as_far_as_it_goes(tmp_path: Path, after: bytes) -> None:
    cut = zlib.compress(WORDS)[:-2_000] + after
    pdf = making.with_content(tmp_path / "a.pdf", cut, filters=["/FlateDecode"])
    assert intake.inspect_document(pdf, LIMITS).pages == 1


def test_a_bomb_with_bytes_after_its_end_is_refused_all_the_same(tmp_path: Path) -> None:
    content = packed(bytes(60 << 20), layers=2, after=b"\r\n")
    pdf = making.with_content(tmp_path / "a.pdf", content, filters=["/FlateDecode", "/FlateDecode"])
    with pytest.raises(TooLarge, match="inflates to more than the limit of 20 MB"):
        intake.inspect_document(pdf, LIMITS, inflated_megabytes=20)


def test_pages_that_fit_one_by_one_are_not_added_up(tmp_path: Path) -> None:
    """Pictures are held one at a time: ten scans of 15 MB each stay within 20 MB."""
    document = pymupdf.open()
    for shade in range(3):
        page = document.new_page()
        picture = pymupdf.Pixmap(pymupdf.csRGB, (0, 0, 2_300, 2_300))
        picture.clear_with(200 + shade)
        page.insert_image(page.rect, pixmap=picture)
    document.save(tmp_path / "a.pdf", deflate=True)
    assert intake.inspect_document(tmp_path / "a.pdf", LIMITS, inflated_megabytes=20).pages == 3


def test_bytes_that_only_begin_like_a_pdf_are_damaged(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7\n" + bytes(range(256)) * 20)
    with pytest.raises(Damaged, match="damaged"):
        intake.inspect_document(tmp_path / "a.pdf", LIMITS)


def test_blank_pages_are_known_without_reading_them(tmp_path: Path) -> None:
    document = pymupdf.open()
    for _ in range(3):
        document.new_page()
    making.prose(document[1])
    document.save(tmp_path / "a.pdf")
    assert intake.inspect_document(tmp_path / "a.pdf", LIMITS).blank == {1, 3}


def test_scripts_and_attachments_are_told_and_left_alone(tmp_path: Path) -> None:
    import pikepdf

    pdf = making.write(tmp_path / "a.pdf", making.prose)
    with pikepdf.open(pdf, allow_overwriting_input=True) as document:
        document.Root.OpenAction = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS="app.alert(1)")
        document.attachments["extra.txt"] = b"secret"
        document.save(pdf)
    assert intake.inspect_document(pdf, LIMITS).notes == (
        "1 attached file was left alone.",
        "The PDF carries scripts; none was run.",
    )


def test_a_form_that_is_drawn_on_opening_is_refused(tmp_path: Path) -> None:
    import pikepdf

    pdf = making.write(tmp_path / "a.pdf", making.prose)
    with pikepdf.open(pdf, allow_overwriting_input=True) as document:
        form = pikepdf.Dictionary(Fields=pikepdf.Array(), XFA=document.make_stream(b"<xdp/>"))
        document.Root.AcroForm = form
        document.save(pdf)
    with pytest.raises(Placeholder, match="print the form to a PDF"):
        intake.inspect_document(pdf, LIMITS)


def test_a_portfolio_is_refused_by_the_names_of_what_it_holds(tmp_path: Path) -> None:
    import pikepdf

    pdf = making.write(tmp_path / "a.pdf", making.prose)
    with pikepdf.open(pdf, allow_overwriting_input=True) as document:
        document.attachments["geese.pdf"] = b"%PDF-1.7"
        document.attachments["ducks.pdf"] = b"%PDF-1.7"
        document.Root.Collection = pikepdf.Dictionary(View=pikepdf.Name.D)
        document.save(pdf)
    with pytest.raises(Placeholder, match=r"holds “ducks\.pdf” and “geese\.pdf”; please share what is in it"):
        intake.inspect_document(pdf, LIMITS)


def test_a_font_that_is_no_object_of_its_own_is_no_damage(tmp_path: Path) -> None:
    import pikepdf

    pdf = making.write(tmp_path / "a.pdf", making.prose)
    with pikepdf.open(pdf, allow_overwriting_input=True) as document:
        fonts = document.pages[0].Resources.Font
        for name, font in list(fonts.items()):
            fonts[name] = pikepdf.Dictionary(dict(font.items()))
        document.save(pdf)
    assert intake.inspect_document(pdf, LIMITS).pages == 1


def test_what_is_filled_into_a_form_is_read(tmp_path: Path) -> None:
    def draw(page: pymupdf.Page) -> None:
        making.prose(page)
        widget = pymupdf.Widget()
        widget.field_type, widget.field_name = pymupdf.PDF_WIDGET_TYPE_TEXT, "town"
        widget.field_value, widget.rect = "Moss was weighed in Kettlewick", pymupdf.Rect(72, 300, 400, 320)
        page.add_widget(widget)

    page = worker.read_page(making.write(tmp_path / "a.pdf", draw), 1, ReadingConfig(ocr=False), False)
    assert "Moss was weighed in Kettlewick" in [line.text for block in page.blocks for line in block.lines]


@pytest.mark.parametrize(
    ("rules", "labels"),
    [
        ([{"startpage": 0, "style": "r", "firstpagenum": 1}, {"startpage": 1, "style": "D", "firstpagenum": 701}],
         ("i", "701", "702")),
        ([{"startpage": 0, "style": "D", "prefix": "S-", "firstpagenum": 4}], ("S-4", "S-5", "S-6")),
        ([{"startpage": 0, "style": "D", "firstpagenum": 1}], ()),
        ([{"startpage": 0, "prefix": "Appendix"}], ()),
        ([], ()),
    ],
)  # fmt: skip
def test_pages_have_the_labels_that_the_file_gives_them(
    tmp_path: Path, rules: list[dict[str, object]], labels: tuple[str, ...]
) -> None:
    document = pymupdf.open()
    for _ in range(3):
        making.prose(document.new_page())
    if rules:
        document.set_page_labels(rules)
    document.save(tmp_path / "a.pdf")
    assert intake.inspect_document(tmp_path / "a.pdf", LIMITS).page_labels == labels


def test_a_labels_prefix_in_unicode_is_read(tmp_path: Path) -> None:
    import pikepdf

    pdf = making.write(tmp_path / "a.pdf", making.prose)
    with pikepdf.open(pdf, allow_overwriting_input=True) as document:
        rule = pikepdf.Dictionary(S=pikepdf.Name.D, P=pikepdf.String("Čl–"), St=7)
        document.Root.PageLabels = pikepdf.Dictionary(Nums=pikepdf.Array([0, rule]))
        document.save(pdf)
    assert intake.inspect_document(pdf, LIMITS).page_labels == ("Čl–7",)
