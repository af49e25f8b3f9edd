"""Tasks that misbehave in a reader process the way a native library can."""

import os
import signal
import time
from pathlib import Path


def echo(value: int) -> int:
    return value


def hang(*_: object) -> None:
    while True:
        time.sleep(1)


def spin(*_: object) -> None:
    while True:
        pass


def doze(seconds: float) -> float:
    """Wait without working."""
    time.sleep(seconds)
    return seconds


def hang_after(began: str) -> None:
    """Leave an empty file at ``began``, then hang."""
    Path(began).touch()
    hang()


def crash(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def devour(*_: object) -> int:
    return len(bytearray(8 << 30))


def process_id() -> int:
    return os.getpid()


def loaded(*names: str) -> list[str]:
    import sys

    return [name for name in names if name in sys.modules]
