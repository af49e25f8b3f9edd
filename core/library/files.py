"""The files beside the library's rows: originals under their hash, pictures under theirs.

A file is complete on disk before the row that names it is committed, and is deleted only after the row is
gone; what a crash leaves over is an orphan, and orphans are swept when the library is opened.
"""

import hashlib
import os
import re
import shutil
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from core.domain.model import Workspace

_TEMPORARY = ".part"


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
    papers = tuple(sorted(path.stem for path in (leaving / "papers").glob("*.pdf")))
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


class Files:
    """Originals and pictures of one workspace. All methods block; call them off the event loop."""

    def __init__(self, folder: Path) -> None:
        self._papers = folder / "papers"
        self._figures = folder / "figures"

    def pdf(self, paper_id: str) -> Path:
        """Where the original of a paper lies, or would."""
        return self._papers / f"{paper_id}.pdf"

    def keep_pdf(self, paper_id: str, source: Path) -> None:
        """Copy the original in, whole or not at all."""
        target = self.pdf(paper_id)
        if target.exists():
            return
        _prepare(target)
        temporary = target.with_suffix(_TEMPORARY)
        with source.open("rb") as reading, temporary.open("wb") as writing:
            shutil.copyfileobj(reading, writing, 1 << 20)
            _settle(writing.fileno())
        _put(temporary, target)

    def keep_picture(self, picture: bytes) -> str:
        """Store a picture and return its name; the same picture is stored once. No picture has no name."""
        if not picture:
            return ""
        name = hashlib.sha256(picture).hexdigest()
        target = self._picture(name)
        if not target.exists():
            _prepare(target)
            temporary = target.with_suffix(_TEMPORARY)
            with temporary.open("wb") as writing:
                writing.write(picture)
                _settle(writing.fileno())
            _put(temporary, target)
        return name

    def picture(self, name: str) -> bytes:
        """The picture of that name; empty where there is none."""
        return self._picture(name).read_bytes() if name and self._picture(name).exists() else b""

    def _picture(self, name: str) -> Path:
        return self._figures / f"{name}.png"

    def drop(self, papers: Collection[str], pictures: Collection[str]) -> tuple[int, int]:
        """Delete originals and pictures; returns how many of each there were."""
        gone_papers = sum(_gone(self.pdf(paper_id)) for paper_id in papers)
        gone_pictures = sum(_gone(self._picture(name)) for name in pictures if name)
        return gone_papers, gone_pictures

    def sweep(self, papers: Collection[str], pictures: Collection[str]) -> int:
        """Delete every file that no row names; returns how many there were."""
        swept = 0
        for folder, kept in ((self._papers, papers), (self._figures, pictures)):
            if folder.is_dir():
                for path in folder.iterdir():
                    if path.suffix == _TEMPORARY or path.stem not in kept:
                        swept += _gone(path)
        return swept


def _prepare(target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)


def _settle(handle: int) -> None:
    os.fsync(handle)


def _put(temporary: Path, target: Path) -> None:
    """Rename, and make the name itself durable where the system lets a folder be synced."""
    temporary.replace(target)
    if os.name == "posix":
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _gone(path: Path) -> int:
    try:
        path.unlink()
    except FileNotFoundError:
        return 0
    return 1
