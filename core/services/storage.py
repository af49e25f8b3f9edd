"""The workspaces of a data folder as they lie on disk: which there are, how large, and whether they may be written.

What looks after the machine asks this; no workspace is opened for it.
"""

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
from core.text import hash_words_as_text

__all__ = [
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
