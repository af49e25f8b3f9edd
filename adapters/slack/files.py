"""Files as Slack tells of them: which may be papers or bibliographies, and where they lie. Pure."""

from adapters.slack.payload import Payload, text_of
from core.domain.model import SharedFile
from core.domain.records import BIBLIOGRAPHY, may_be_bibliography


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
