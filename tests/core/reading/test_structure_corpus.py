"""Structure on pages of real papers: that what was measured over all of them stays true of a few."""

import json
from pathlib import Path

import pymupdf
import pytest

from core.reading.blocks import PageContent
from core.reading.page.layout import segment_page
from core.reading.page.lines import to_lines
from core.reading.page.rotation import load_upright_page
from core.reading.paper.structure import build_parts
from core.text import alphanumeric_key

pytestmark = [pytest.mark.corpus, pytest.mark.slow]
_PAGES = 5


def _pages(pdf: Path) -> list[PageContent]:
    document = pymupdf.open(pdf)
    pages = []
    for number in range(1, min(_PAGES, document.page_count) + 1):
        turned = load_upright_page(document, number)
        blocks = segment_page(turned.page, to_lines(turned.lines))
        rect = turned.page.rect
        pages.append(PageContent(number=number, width=rect.width, height=rect.height, kind="text", blocks=blocks))
    return pages


def test_headings_and_order_of_the_first_pages_of_a_two_column_paper(corpus: Path) -> None:
    papers = json.loads((corpus / "structure.json").read_text(encoding="utf-8"))["papers"]
    paper = next(one for one in papers if one["two_column"] and one["reading_order_probes"])
    parts = build_parts(_pages(corpus / "papers" / paper["file"]))
    printed = [alphanumeric_key(one["text"]) for one in paper["headings"] if one["page"] <= _PAGES]
    found = [alphanumeric_key(part.title) for part in parts if part.role == "heading" and part.listed]
    assert len(set(printed) & set(found)) >= 0.95 * len(printed)
    assert len(found) <= len(printed) / 0.95
    body = alphanumeric_key("".join(part.text for part in parts if part.role in ("text", "list", "formula")))
    probes = [one for one in paper["reading_order_probes"] if one["after_page"] <= _PAGES]
    assert all(alphanumeric_key(one["before"]) + alphanumeric_key(one["after"]) in body for one in probes)
