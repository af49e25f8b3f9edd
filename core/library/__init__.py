"""The truth of each workspace: one SQLite file and a folder of originals beside it."""

from core.library.files.originals import workspace_folder
from core.library.files.permissions import make_private_database, make_private_folder, restrict_data_folder
from core.library.sqlite.database import may_write
from core.library.sqlite.opening import OpenLibrary, clear_workspace, open_library
from core.library.sqlite.recovery import check_not_lost
from core.library.sqlite.sizes import Size, channels, sizes
from core.library.sqlite.subscriptions import DIGEST, Clockwork

__all__ = [
    "DIGEST",
    "Clockwork",
    "OpenLibrary",
    "Size",
    "channels",
    "check_not_lost",
    "clear_workspace",
    "make_private_database",
    "make_private_folder",
    "may_write",
    "open_library",
    "restrict_data_folder",
    "sizes",
    "workspace_folder",
]
