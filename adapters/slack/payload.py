"""Looks fields and files up in what Slack sends. Pure.

Payloads are other people's data: every field is taken with its type, and what is missing or of another kind is empty.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from core.domain.model import SharedFile
from core.domain.records import BIBLIOGRAPHY, may_be_bibliography

Payload: TypeAlias = Mapping[str, object]


def text_of(payload: Payload, name: str) -> str:
    """The string under ``name``, or empty."""
    value = payload.get(name)
    return value if isinstance(value, str) else ""


def part_of(payload: Payload, name: str) -> Payload:
    """The object under ``name``, or an empty one."""
    value = payload.get(name)
    return value if isinstance(value, Mapping) else {}


def list_of(payload: Payload, name: str) -> Sequence[object]:
    """The list under ``name``, or an empty one."""
    value = payload.get(name)
    return value if isinstance(value, list | tuple) else ()


def parts_of(payload: Payload, name: str) -> Iterator[Payload]:
    """The objects of the list under ``name``."""
    return (part for part in list_of(payload, name) if isinstance(part, Mapping))


def pdf_of(file: Payload, *, team: str) -> SharedFile | None:
    """The file, where it is (or, in a shared channel, may be) a PDF; its locator is ``TEAM ADDRESS``."""
    if not _is_there(file):
        return None
    name = text_of(file, "name") or text_of(file, "title") or "file.pdf"
    if text_of(file, "file_access") == "check_file_info":  # Slack withholds type and address until it is asked
        return _file(file, name, "application/pdf", f"{team} ")
    kinds = {text_of(file, "mimetype"), text_of(file, "filetype")}
    is_pdf = not kinds.isdisjoint({"application/pdf", "pdf"}) or name.lower().endswith(".pdf")
    return _file(file, name, "application/pdf", f"{team} {_address(file)}") if is_pdf else None


def bibliography_of(file: Payload, *, team: str) -> SharedFile | None:
    """The file, where its name is one that a bibliography may have."""
    name = text_of(file, "name")
    if not _is_there(file) or not may_be_bibliography(name):
        return None
    return _file(file, name, BIBLIOGRAPHY, f"{team} {_address(file)}")


def _is_there(file: Payload) -> bool:
    return bool(text_of(file, "id")) and text_of(file, "mode") not in ("tombstone", "hidden_by_limit")


def _file(file: Payload, name: str, mime: str, locator: str) -> SharedFile:
    size = file.get("size")
    bytes_ = size if isinstance(size, int) else 0
    return SharedFile(id=text_of(file, "id"), name=name, mime=mime, size=bytes_, locator=locator)


def _address(file: Payload) -> str:
    return text_of(file, "url_private_download") or text_of(file, "url_private")
