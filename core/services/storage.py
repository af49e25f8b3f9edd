"""The workspaces of a data folder as they lie on disk: which there are, how large, and whether they may be written.

What looks after the machine asks this; no workspace is opened for it.
"""

import asyncio
from pathlib import Path

from core.domain.model import Forgotten, Workspace
from core.library import (
    Size,
    channels,
    check_not_lost,
    make_private_database,
    make_private_folder,
    may_write,
    restrict_data_folder,
    sizes,
    workspace_folder,
)
from core.library.files.originals import clear_folder
from core.library.sqlite.database import translated
from core.text import hash_words_as_text

__all__ = [
    "DataFolder",
    "Size",
    "channels",
    "check_not_lost",
    "hash_words_as_text",
    "make_private_database",
    "make_private_folder",
    "may_write",
    "restrict_data_folder",
    "sizes",
    "workspace_folder",
]


class DataFolder:
    """The workspaces below a data folder; implements ``WorkspaceStorage``."""

    def __init__(self, data: Path) -> None:
        self._data = data

    async def clear(self, workspace: Workspace) -> Forgotten:
        """Delete the folder of a workspace whose library is closed. Raises ``LibraryFailure``."""
        with translated():
            papers, files = await asyncio.to_thread(clear_folder, workspace_folder(self._data, workspace))
        counts = {"papers": len(papers), "files": files} if files else {}
        return Forgotten(papers=papers, counts=counts)
