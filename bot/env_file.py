"""Writes settings into ``.env``: what else stands there stays, and the file, its owner's alone, is replaced whole."""

import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

from core.domain.errors import SettingsInvalid

_OWNER_ALONE = 0o600
_PLAIN = re.compile(r"[\w./:@+=,-]*", re.ASCII)
"""What needs no quotation marks, which some readers of such files take for part of the value."""


def write_settings(env_file: Path, values: Mapping[str, str]) -> Path:
    """Set ``values`` by name in ``env_file``, which is made where it is not there; an empty value is the default.

    Returns the file that was written, behind any link. Raises ``SettingsInvalid`` where it cannot be.
    """
    from dotenv import set_key  # comes with pydantic-settings, which reads the same file the same way

    target = Path(os.path.realpath(env_file))
    work: Path | None = None
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f"{target.name}.", suffix=".new")
        work = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(target.read_bytes() if target.exists() else b"")
        for variable, value in values.items():
            set_key(work, variable, value, quote_mode="never" if _PLAIN.fullmatch(value) else "always")
        work.chmod(_OWNER_ALONE)
        work.replace(target)
    except OSError as error:
        raise SettingsInvalid(f"{target} cannot be written ({error.strerror}); nothing was changed.") from error
    except UnicodeDecodeError as error:
        raise SettingsInvalid(f"{target} is no text in UTF-8; nothing was changed.") from error
    finally:
        if work is not None:
            work.unlink(missing_ok=True)
    return target
