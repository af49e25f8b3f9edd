"""The truth of each workspace: one SQLite file and a folder of originals beside it."""

from core.library.files import workspace_folder
from core.library.lexical import FieldWeights
from core.library.opening import OpenLibrary, open_library

__all__ = ["FieldWeights", "OpenLibrary", "open_library", "workspace_folder"]
