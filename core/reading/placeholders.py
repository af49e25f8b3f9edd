"""Refuses PDFs whose page only stands for what they carry: a form that is made on opening, or a box of other files."""

from typing import TYPE_CHECKING

from core.domain.errors import Placeholder

if TYPE_CHECKING:
    import pymupdf

MAX_NAMES = 5
"""Files of a portfolio that are named."""


def refuse_placeholder(document: "pymupdf.Document") -> None:
    """Raises ``Placeholder`` in a sentence that names what is inside."""
    if _is_dynamic_form(document):
        raise Placeholder(
            "The PDF is a form that is drawn only when it is opened (XFA), and its page a placeholder; "
            "please print the form to a PDF and share that."
        )
    names = document.embfile_names() if _has(document, "Collection") else []
    if names:
        raise Placeholder(
            f"The PDF is a portfolio that holds {_list_names(names)}; please share what is in it instead."
        )


def _is_dynamic_form(document: "pymupdf.Document") -> bool:
    """Whether the form says that it must be rendered, or its one page has none of its fields."""
    catalog = document.pdf_catalog()
    if document.xref_get_key(catalog, "NeedsRendering") == ("bool", "true"):
        return True
    is_xfa = _has(document, "AcroForm/XFA") and document.page_count == 1
    return is_xfa and document.load_page(0).first_widget is None


def _has(document: "pymupdf.Document", key: str) -> bool:
    return bool(document.xref_get_key(document.pdf_catalog(), key)[0] != "null")


def _list_names(names: list[str]) -> str:
    shown = [f"“{''.join(filter(str.isprintable, name))}”" for name in names[:MAX_NAMES]]
    left = len(names) - len(shown)
    if left:
        return f"{', '.join(shown)} and {left:,} more"
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
