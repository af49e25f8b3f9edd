"""The workspaces of a data folder as they lie on disk: which there are, how large, and whether they may be written.

What looks after the machine asks this; no workspace is opened for it.
"""

from collections.abc import Collection

from core.library import (
    WorkspaceSize,
    check_not_lost,
    is_writable,
    list_channels,
    list_workspace_sizes,
    make_private_database,
    make_private_folder,
    restrict_data_folder,
    workspace_folder,
)

__all__ = [
    "WorkspaceSize",
    "check_not_lost",
    "hash_words",
    "is_writable",
    "list_channels",
    "list_workspace_sizes",
    "make_private_database",
    "make_private_folder",
    "restrict_data_folder",
    "workspace_folder",
]


def hash_words(text: str) -> Collection[str]:
    """The words of a text as hashes: what is kept of forgotten words where the words themselves must not stay."""
    from core.text import hash_words_as_text  # loads the stemmer, which a command line's start need not wait for

    return hash_words_as_text(text)
