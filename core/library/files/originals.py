"""The files beside the library's rows: originals under their hash, pictures under theirs.

A new file waits, complete, beside its place until the row that names it is committed; it is deleted only after the
row is gone. What has no row is not deleted for that: the rows may be what is missing, a database lost or put back
from a backup. Only files that still wait, and those that the database notes as forgotten, are ever removed.
"""

import hashlib
import os
import re
import shutil
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from core.domain.model import Workspace
from core.library.files.permissions import make_private_folder, open_privately

_PART = ".part"
"""A file that is still being written."""
_WAITING = ".ready"
"""A file that is complete and waits for its row to be committed."""


def workspace_folder(data: Path, workspace: Workspace) -> Path:
    """The folder of a workspace: readable, legal on every file system, and never shared by two keys.

    Some file systems take ``T1`` and ``t1`` for one name, so a piece of the key's hash goes with it.
    """
    readable = re.sub(r"[^a-z0-9]+", "-", workspace.key.lower()).strip("-")[:48]
    return data / f"{readable}-{hashlib.sha256(workspace.key.encode()).hexdigest()[:12]}"


def clear_folder(folder: Path) -> tuple[tuple[str, ...], int]:
    """Delete a closed workspace; returns the ids of its papers and how many files there were.

    The folder is renamed first, so that a crash half-way leaves no library that looks whole.
    """
    finish_clearing(folder)
    if not folder.exists():
        return (), 0
    leaving = folder.rename(_leaving(folder))
    papers = tuple(sorted({path.stem for path in _originals(leaving / "papers")}))
    files = sum(1 for path in leaving.rglob("*") if path.is_file())
    finish_clearing(folder)
    return papers, files


def finish_clearing(folder: Path) -> None:
    """Delete what a clearing that was cut short has left, be another process about to delete it too."""
    while _leaving(folder).exists():
        with suppress(FileNotFoundError):
            shutil.rmtree(_leaving(folder))


def _leaving(folder: Path) -> Path:
    return folder.with_name(folder.name + ".leaving")


def picture_name(picture: bytes) -> str:
    """What a picture is stored under: its hash. No picture has no name."""
    return hashlib.sha256(picture).hexdigest() if picture else ""


class Files:
    """Originals and pictures of one workspace. All methods block; call them off the event loop."""

    def __init__(self, folder: Path) -> None:
        self._papers = folder / "papers"
        self._figures = folder / "figures"

    def pdf(self, paper_id: str) -> Path:
        """Where the original of a paper lies, or would."""
        return _found(self._pdf(paper_id))

    def keep_pdf(self, paper_id: str, source: Path) -> None:
        """Copy the original in, whole or not at all; unless it is here, it waits for ``settle``."""
        target = self._pdf(paper_id)
        if _found(target).exists():
            return
        with source.open("rb") as reading, _waiting(target) as writing:
            shutil.copyfileobj(reading, writing, 1 << 20)

    def keep_picture(self, picture: bytes) -> str:
        """Store a picture and return its name; the same picture is stored once. It waits for ``settle``."""
        name = picture_name(picture)
        if name and not _found(self._picture(name)).exists():
            with _waiting(self._picture(name)) as writing:
                writing.write(picture)
        return name

    def picture(self, name: str) -> bytes:
        """The picture of that name; empty where there is none."""
        if not name:
            return b""
        try:
            return _found(self._picture(name)).read_bytes()
        except FileNotFoundError:
            return b""

    def waiting(self) -> tuple[frozenset[str], frozenset[str]]:
        """The originals and pictures that wait for their rows."""
        papers, pictures = (
            frozenset(path.stem for path in folder.glob(f"*{_WAITING}")) for folder in (self._papers, self._figures)
        )
        return papers, pictures

    def settle(self, papers: Mapping[str, bool], pictures: Mapping[str, bool]) -> None:
        """Put in its place what waited and has a row now (True); delete what waited in vain (False)."""
        targets = [(self._pdf(paper_id), has_row) for paper_id, has_row in papers.items()]
        targets += [(self._picture(name), has_row) for name, has_row in pictures.items() if name]
        for target, has_row in targets:
            waiting = target.with_suffix(_WAITING)
            if not has_row:
                waiting.unlink(missing_ok=True)
            elif waiting.exists():
                waiting.replace(target)

    def drop(self, papers: Collection[str], pictures: Collection[str]) -> None:
        """Delete originals and pictures, wherever they lie."""
        for target in [*map(self._pdf, papers), *(self._picture(name) for name in pictures if name)]:
            target.unlink(missing_ok=True)
            target.with_suffix(_WAITING).unlink(missing_ok=True)

    def clear_parts(self) -> None:
        """Delete what was being written when a process ended."""
        for folder in (self._papers, self._figures):
            for part in folder.glob(f"*{_PART}"):
                part.unlink(missing_ok=True)

    def _pdf(self, paper_id: str) -> Path:
        return self._papers / f"{paper_id}.pdf"

    def _picture(self, name: str) -> Path:
        return self._figures / f"{name}.png"


def stored_originals(home: Path) -> int:
    """How many originals lie in the folder of a workspace, whether or not rows name them."""
    return sum(1 for path in (home / "papers").glob("*.pdf"))


def _originals(folder: Path) -> list[Path]:
    return [*folder.glob("*.pdf"), *folder.glob(f"*{_WAITING}")]


def _found(target: Path) -> Path:
    """Where a file lies: in its place, or beside it where a process ended before it could put it there."""
    waiting = target.with_suffix(_WAITING)
    return waiting if not target.exists() and waiting.exists() else target


@contextmanager
def _waiting(target: Path) -> Iterator[BinaryIO]:
    """Write a file that then waits beside ``target``; durable once the block is left, with its name."""
    make_private_folder(target.parent)
    part = target.with_suffix(_PART)
    part.unlink(missing_ok=True)  # one that was left would keep its mode
    with open(part, "wb", opener=open_privately) as writing:
        yield writing
        writing.flush()
        os.fsync(writing.fileno())
    part.replace(target.with_suffix(_WAITING))
    if os.name == "posix":
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
