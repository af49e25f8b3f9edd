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
    id_ = text_of(file, "id")
    mode = text_of(file, "mode")
    if not id_ or mode in ("tombstone", "hidden_by_limit"):
        return None
    withheld = text_of(file, "file_access") == "check_file_info"
    name = text_of(file, "name") or text_of(file, "title") or "file.pdf"
    kinds = (text_of(file, "mimetype"), text_of(file, "filetype"))
    if not withheld and "application/pdf" not in kinds and "pdf" not in kinds and not name.lower().endswith(".pdf"):
        return None
    return _file(file, id_, name, "application/pdf", f"{team} {'' if withheld else _address(file)}")


def bibliography_of(file: Payload, *, team: str) -> SharedFile | None:
    """The file, where its name is one that a bibliography may have."""
    id_, name = text_of(file, "id"), text_of(file, "name")
    if not id_ or text_of(file, "mode") in ("tombstone", "hidden_by_limit") or not may_be_bibliography(name):
        return None
    return _file(file, id_, name, BIBLIOGRAPHY, f"{team} {_address(file)}")


def _file(file: Payload, id_: str, name: str, mime: str, locator: str) -> SharedFile:
    size = file.get("size")
    return SharedFile(id=id_, name=name, mime=mime, size=size if isinstance(size, int) else 0, locator=locator)


def _address(file: Payload) -> str:
    return text_of(file, "url_private_download") or text_of(file, "url_private")
