"""The one place where whatever a client, a connection or a server throws becomes an error with plain words."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from core.domain.errors import ModelReplyUnusable, ModelUnavailable

MAX_RETRY_AFTER = 20.0
"""Seconds that an endpoint may ask to wait; a question is not kept waiting for longer."""
BROKE_OFF_MESSAGE = "The {model} broke off in the middle of its reply."
_STATUS_MESSAGES = {
    400: "refused the request; does {set}_CONTEXT_TOKENS fit its context?",
    401: "refused the key; check {set}_API_KEY",
    403: "does not allow this key to use the model; check {set}_API_KEY",
    404: "does not know the address or the model; check {set}_BASE_URL and {set}_MODEL",
    413: "finds the request too long; lower {set}_CONTEXT_TOKENS",
    422: "refused the request",
    429: "asks for fewer requests",
}
_RETRYABLE_STATUS = frozenset({408, 409, 425, 429})


@dataclass(frozen=True, slots=True, kw_only=True)
class CallFailure:
    """What went wrong in one try. ``wait`` is what the endpoint asked for, in seconds; ``status`` 0 is none at all."""

    error: ModelUnavailable
    status: int = 0
    again: bool = False
    wait: float = 0.0
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelLabel:
    """How a reader knows the model and whoever runs the bot knows its settings."""

    model: str = "language model"
    variables: str = "FOOTNOTE_LLM"

    def said(self, words: str) -> str:
        """``words`` with the names in place."""
        return words.replace("{model}", self.model).replace("{set}", self.variables)


def classify_error(fault: BaseException, named: ModelLabel) -> CallFailure:
    """Sort a fault; its own words never reach a reader."""
    failure = _classify(fault)
    return replace(failure, error=type(failure.error)(named.said(failure.error.words)))


def _classify(fault: BaseException) -> CallFailure:
    import openai

    if isinstance(fault, ModelUnavailable):
        return CallFailure(error=fault, again=isinstance(fault, ReplyInterrupted))
    if isinstance(fault, openai.APIStatusError):
        return _failure_from_status(fault.status_code, fault.response.headers, fault.message)
    if isinstance(fault, (TimeoutError, openai.APITimeoutError, asyncio.TimeoutError)):
        return CallFailure(error=ModelUnavailable("The {model} did not answer in time ({set}_TIMEOUT_SECONDS)."))
    if isinstance(fault, openai.APIConnectionError):
        return CallFailure(error=ModelUnavailable("The {model} cannot be reached ({set}_BASE_URL)."), again=True)
    if type(fault).__module__.partition(".")[0] in ("httpx", "httpx2", "httpcore", "httpcore2"):
        return CallFailure(error=ReplyInterrupted(BROKE_OFF_MESSAGE), again=True)
    return CallFailure(error=ModelReplyUnusable("The {model} sent a reply that cannot be read."))


class ReplyInterrupted(ModelUnavailable):
    """The connection ended before the reply did."""


def _failure_from_status(status: int, headers: Mapping[str, str], message: str) -> CallFailure:
    wait = retry_after_seconds(headers, datetime.now(UTC))
    if status >= 500:
        words = f"The {{model}}'s server reports a fault of its own ({status})."
        return CallFailure(error=ModelUnavailable(words), status=status, again=True, wait=wait, detail=message)
    said = _STATUS_MESSAGES.get(status, "refused the request")
    if status == 429 and wait:
        said += f" and to wait {wait:.0f} s"
    again = status in _RETRYABLE_STATUS and wait <= MAX_RETRY_AFTER
    error = ModelUnavailable(f"The {{model}}'s server {said} ({status}).")
    return CallFailure(error=error, status=status, again=again, wait=wait, detail=message)


def retry_after_seconds(headers: Mapping[str, str], now: datetime) -> float:
    """Seconds that ``Retry-After`` asks to wait, as a number or a date; 0 where it does not."""
    said = headers.get("retry-after", "").strip()
    if not said:
        return 0.0
    try:
        return max(0.0, float(said))
    except ValueError:
        pass
    try:
        at = parsedate_to_datetime(said)
    except ValueError:
        return 0.0
    return max(0.0, (at.replace(tzinfo=at.tzinfo or UTC) - now).total_seconds())
