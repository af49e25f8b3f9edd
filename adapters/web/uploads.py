"""Takes a dropped file from the wire into the page's folder, and gives up politely on what is no paper.

A file stays there until its paper is read and confirmed: whoever restarts in between reads it from here.
"""

import asyncio
import re
import shutil
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from adapters.common.download import write_checked
from core.domain.errors import EmptyFile, NotAPdf, PaperRejected, PlatformFailure, TooLarge

_ID = re.compile(r"^[a-z0-9-]{8,64}$")
_LARGEST_BIBLIOGRAPHY = 10_000_000


class Uploads:
    """Files by id in one folder; ``limit`` in bytes."""

    def __init__(self, folder: Path, *, limit: int) -> None:
        self._folder = folder
        self.limit = limit

    def path(self, id_: str) -> Path:
        """Where the file of this id lies. Raises ``PaperRejected`` for what is no id."""
        if not _ID.match(id_):
            raise PaperRejected("This file has no proper name to be kept under.")
        return self._folder / f"{id_}.pdf"

    async def take_bibliography(self, id_: str, chunks: AsyncIterator[bytes]) -> int:
        """Keep a small file of references; returns its size. Raises like ``take``, whatever its beginning is."""
        return await self._kept(id_, chunks, _must_not_be_empty, limit=min(self.limit, _LARGEST_BIBLIOGRAPHY))

    async def take(self, id_: str, chunks: AsyncIterator[bytes], *, announced: int | None) -> int:
        """Keep a paper as it comes; returns its size.

        Raises ``TooLarge`` (before anything is read where the size was announced), ``NotAPdf`` once its beginning
        is there, ``EmptyFile``, ``PlatformFailure`` where the disk refuses. Nothing is kept then.
        """
        if announced is not None and announced > self.limit:
            raise _too_large(announced, self.limit)
        return await self._kept(id_, chunks, _must_be_pdf, limit=self.limit)

    async def _kept(self, id_: str, chunks: AsyncIterator[bytes], check: Callable[[bytes], None], *, limit: int) -> int:
        path = self.path(id_)
        part = path.with_suffix(".part")
        try:
            await asyncio.to_thread(self._folder.mkdir, parents=True, exist_ok=True, mode=0o700)
            size = await write_checked(chunks, part, check, limit=limit, too_large=_too_large(None, limit))
            await asyncio.to_thread(part.replace, path)
        except OSError as failure:
            raise PlatformFailure("The file could not be kept; is the disk full?") from failure
        finally:
            await asyncio.to_thread(part.unlink, missing_ok=True)
        return size

    async def put(self, id_: str, data: bytes) -> int:
        """Keep ``data`` as it is; returns its size."""

        async def whole() -> AsyncIterator[bytes]:
            yield data

        return await self.take(id_, whole(), announced=len(data))

    async def copy(self, id_: str, to: Path, *, limit: int) -> None:
        """Copy a kept file. Raises ``PaperRejected`` where it is gone, ``TooLarge``, ``PlatformFailure``."""
        try:
            path = self.path(id_)
            if (await asyncio.to_thread(path.stat)).st_size > limit:
                raise TooLarge(f"The file is larger than the {limit / 1e6:g} MB that Footnote takes here.")
            await asyncio.to_thread(shutil.copyfile, path, to)
        except FileNotFoundError as gone:
            raise PaperRejected("The file is no longer there; please drop it once more.") from gone
        except OSError as failure:
            raise PlatformFailure("The file could not be copied; is the disk full?") from failure

    async def drop(self, id_: str) -> None:
        """Let a file go; one that is not there is fine."""
        await asyncio.to_thread(self.path(id_).unlink, missing_ok=True)

    async def sweep(self, needed: frozenset[str]) -> int:
        """Let go of every file whose id is not wanted any more; returns how many."""
        return await asyncio.to_thread(self._swept, needed)

    def _swept(self, needed: frozenset[str]) -> int:
        old = [path for path in self._folder.glob("*") if path.suffix == ".part" or path.stem not in needed]
        for path in old:
            path.unlink(missing_ok=True)
        return len(old)


def _too_large(size: int | None, limit: int) -> TooLarge:
    verb = f"has {size / 1e6:,.0f} MB" if size else "is larger"
    return TooLarge(f"The file {verb}; Footnote takes up to {limit / 1e6:g} MB here.")


def _must_be_pdf(beginning: bytes) -> None:
    _must_not_be_empty(beginning)
    if b"%PDF" not in beginning:
        raise NotAPdf("This is not a PDF, whatever its name says; Footnote reads PDFs.")


def _must_not_be_empty(beginning: bytes) -> None:
    if not beginning:
        raise EmptyFile("The file is empty.")
