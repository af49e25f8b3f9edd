"""Logs as an event name with fields, a trace id on every line, secrets redacted.

Nothing a person wrote and nothing a paper says is logged at INFO or above: callers name what happened and
pass ids and numbers. Libraries that log more than that are held to warnings.
"""

import json
import logging
import re
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Literal, TextIO

BLOT = "[redacted]"
_trace: ContextVar[str] = ContextVar("trace", default="")
_OURS = ("bot", "core", "adapters", "evals")
_SECRETS = re.compile(
    r"""
    xox[a-z]-[\w-]+ | xapp-[\w-]+                                  # Slack
    | \b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}                    # Discord
    | \bsk-[\w-]{8,} | \bhf_\w{8,} | \bgh[pousr]_\w{8,}            # model and code hosts
    | (?<=Bearer\ )[\w.~+/=-]+ | (?<=Bot\ )[\w.-]{20,}
    | (?<=://)[^\s/@:]+:[^\s/@]+(?=@)                              # user and password of a URL
    | (?<=token=)[^\s&"']+ | (?<=api_key=)[^\s&"']+ | (?<=secret=)[^\s&"']+ | (?<=password=)[^\s&"']+
    """,
    re.VERBOSE | re.IGNORECASE,
)


def redact(text: str, known: frozenset[str] = frozenset()) -> str:
    """``text`` without anything that looks like a secret, or is one of the ``known`` ones."""
    for secret in known:
        text = text.replace(secret, BLOT)
    return _SECRETS.sub(BLOT, text)


def new_trace() -> str:
    """Eight hexadecimal digits that a person can read out to whoever keeps the logs."""
    return secrets.token_hex(4)


@contextmanager
def tracing(trace_id: str) -> Iterator[None]:
    """Everything logged inside carries ``trace_id``."""
    token = _trace.set(trace_id)
    try:
        yield
    finally:
        _trace.reset(token)


class Log:
    """A named log that takes an event name and fields."""

    def __init__(self, name: str) -> None:
        self._logger = logging.getLogger(name)

    def debug(self, event: str, **fields: object) -> None:
        """For whoever looks for a fault; may hold words."""
        self._logger.debug(event, extra={"fields": fields})

    def info(self, event: str, **fields: object) -> None:
        """What happened, in ids and numbers."""
        self._logger.info(event, extra={"fields": fields})

    def warning(self, event: str, **fields: object) -> None:
        """What went wrong and was dealt with."""
        self._logger.warning(event, extra={"fields": fields})

    def error(self, event: str, error: BaseException | None = None, **fields: object) -> None:
        """What went wrong and was not; where it happened, but not the error's own words."""
        if error is not None:
            fields |= {"error": type(error).__name__, "where": _where(error)}
        self._logger.error(event, extra={"fields": fields})
        if error is not None:
            self._logger.debug(event, exc_info=error)


def _where(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return ""
    return f"{trace.tb_frame.f_globals.get('__name__', '?')}:{trace.tb_lineno}"


class _LineFormatter(logging.Formatter):
    """One line a record: time, level, trace, event, fields; as text or JSON."""

    def __init__(self, form: Literal["text", "json"], known: frozenset[str]) -> None:
        super().__init__()
        self._form = form
        self._known = known

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, object] = {"at": at, "level": record.levelname.lower(), "log": record.name}
        if trace := _trace.get():
            line["trace"] = trace
        line["event"] = record.getMessage()
        line |= getattr(record, "fields", {})
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        if self._form == "json":
            return redact(json.dumps(line, ensure_ascii=False, default=str), self._known)
        words = " ".join(f"{name}={value}" for name, value in line.items() if name not in ("at", "level", "event"))
        return redact(f"{at} {record.levelname.lower():7} {line['event']} {words}", self._known)


def configure_logging(
    *,
    level: str,
    form: Literal["text", "json"],
    secrets_known: frozenset[str] = frozenset(),
    stream: TextIO | None = None,
) -> None:
    """Send logs to ``stream`` (standard error); ``level`` is for Footnote, others are held to warnings."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(_LineFormatter(form, secrets_known))
    root = logging.getLogger()
    for old in [handler for handler in root.handlers if isinstance(handler.formatter, _LineFormatter)]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    for name in _OURS:
        logging.getLogger(name).setLevel(level.upper())
