"""What every test of the bot finds as it was, whatever the one before it did."""

import logging
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def logs_as_they_were() -> Iterator[None]:
    """Commands that run within this process set up its logs; nothing of that is left to the next test."""
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    yield
    root.handlers[:] = before
    root.setLevel(level)
    for name in ("bot", "core", "adapters", "evals"):
        logging.getLogger(name).setLevel(logging.NOTSET)
