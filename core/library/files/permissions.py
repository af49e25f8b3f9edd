"""Keeps what is stored to the user who runs Footnote: folders 0700 and files 0600, whatever the umask.

Where the system has no such modes, or the folder belongs to somebody else, nothing is changed and nothing fails.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path

_FOLDER, _FILE = 0o700, 0o600
_STORED = ("papers", "figures")


def make_private_folder(folder: Path) -> None:
    """Make ``folder`` where it is not there, for its owner alone. Raises ``OSError`` where it cannot be made."""
    folder.mkdir(parents=True, exist_ok=True, mode=_FOLDER)
    _restrict(folder, _FOLDER)


def make_private_database(file: Path) -> None:
    """Make an SQLite file where it is not there, for its owner alone. Raises ``OSError`` where it cannot be made.

    SQLite gives the files that it keeps beside one the mode of that file.
    """
    os.close(os.open(file, os.O_CREAT | os.O_RDWR, _FILE))
    for path in (file, file.with_name(f"{file.name}-wal"), file.with_name(f"{file.name}-shm")):
        _restrict(path, _FILE)


def restrict_data_folder(data: Path) -> None:
    """Make the data folder and restrict what an earlier version stored there for all to read. Raises ``OSError``."""
    make_private_folder(data)
    for file in filter(Path.is_file, data.glob("*.db*")):
        _restrict(file, _FILE)
    for file in data.glob("*/library.db"):
        restrict_workspace_folder(file.parent)


def restrict_workspace_folder(home: Path) -> None:
    """Restrict the folder of a workspace with its originals and pictures, where that was not done yet."""
    for folder in (home / name for name in _STORED):
        if folder.is_dir() and _mode(folder) & ~_FOLDER:
            for path in folder.iterdir():
                _restrict(path, _FILE)
            _restrict(folder, _FOLDER)  # last, so that what was cut short is done again
    for file in home.glob("library.db*"):
        _restrict(file, _FILE)
    _restrict(home, _FOLDER)


def open_privately(path: str, flags: int) -> int:
    """An ``opener`` for ``open``: a file that it makes is its owner's alone."""
    return os.open(path, flags, _FILE)


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def _restrict(path: Path, mode: int) -> None:
    """Take away what ``mode`` does not allow; what the owner may not do stays so, as in a folder made read-only."""
    if os.name == "posix" and not path.is_symlink():
        with suppress(OSError):
            allowed = _mode(path) & mode
            if _mode(path) != allowed:
                path.chmod(allowed)
