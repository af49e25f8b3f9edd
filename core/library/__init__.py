"""The truth of each workspace: one SQLite file and a folder of originals beside it."""

from core.library.files.endpoint_facts import EndpointFile
from core.library.files.originals import workspace_folder
from core.library.files.permissions import make_private_database, make_private_folder, restrict_data_folder
from core.library.sqlite.database import is_writable
from core.library.sqlite.opening import OpenLibrary, clear_workspace, open_library
from core.library.sqlite.recovery import check_not_lost
from core.library.sqlite.schedules import DIGEST, ScheduleReader
from core.library.sqlite.workspace_sizes import WorkspaceSize, list_channels, list_workspace_sizes

__all__ = [
    "DIGEST",
    "EndpointFile",
    "OpenLibrary",
    "ScheduleReader",
    "WorkspaceSize",
    "check_not_lost",
    "clear_workspace",
    "is_writable",
    "list_channels",
    "list_workspace_sizes",
    "make_private_database",
    "make_private_folder",
    "open_library",
    "restrict_data_folder",
    "workspace_folder",
]
