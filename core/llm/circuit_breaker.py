"""Keeps a dead endpoint from being asked again and again: after some failures in a row it is left alone for a while."""

import time
from collections.abc import Callable

from core.domain.errors import ModelUnavailable


class CircuitBreaker:
    """Closed while calls succeed; open for ``seconds`` after ``failures`` in a row, then one call may try."""

    def __init__(
        self,
        model: str = "language model",
        *,
        failures: int = 3,
        seconds: float = 30.0,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._model = model
        self._most = failures
        self._seconds = seconds
        self._now = now
        self._failed = 0
        self._until = 0.0

    def check(self) -> None:
        """Raises ``ModelUnavailable`` while the endpoint is left alone; else the caller is the one that tries."""
        if self._failed < self._most:
            return
        left = self._until - self._now()
        if left > 0:
            raise ModelUnavailable(f"The {self._model} has not answered lately and is left alone for {left:.0f} s.")
        self._until = self._now() + self._seconds

    def succeeded(self) -> None:
        """The endpoint answered."""
        self._failed = 0

    def failed(self) -> None:
        """The endpoint did not answer."""
        self._failed += 1
        self._until = self._now() + self._seconds
