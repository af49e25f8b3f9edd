"""The one place where whatever a client, a connection or a server throws becomes an error with plain words."""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from core.domain.errors import ModelReplyUnusable, ModelUnavailable

MAX_RETRY_AFTER = 20.0
"""Seconds that an endpoint may ask to wait; a question is not kept waiting for longer."""
BROKE_OFF_MESSAGE = "The {model} broke off in the middle of its reply."
EMPTY_MESSAGE = "The {model} sent an empty reply."
ENDING_MESSAGES: Mapping[str, str] = {
    "length": "The {model} reached its limit in one reply ({set}_MAX_TOKENS, or what {set}_CONTEXT_TOKENS leaves it).",
    "content_filter": "The {model}'s provider withheld the reply (its content filter).",
}
"""What a reader is told of a reply that ended for another reason than that it was complete."""
_STATUS_MESSAGES = {
    401: "refused the key; check {set}_API_KEY",
    402: "wants the account paid before it answers",
    403: "does not allow this key to use the model; check {set}_API_KEY",
    404: "does not know the address or the model; check {set}_BASE_URL and {set}_MODEL",
    413: "finds the request too long; lower {set}_CONTEXT_TOKENS",
    429: "asks for fewer requests",
}
_REDIRECTED = "sends requests on to another address, which is not followed; check {set}_BASE_URL"
_QUOTA_USED_UP = "says that the account's quota is used up"
_RETRYABLE_STATUS = frozenset({408, 409, 425, 429})
_REFUSALS = frozenset({400, 413, 422})
_QUOTA = re.compile(r"insufficient_quota|exceeded your current quota|billing", re.IGNORECASE)
_TOO_LONG = re.compile(
    r"context[ _](?:length|window|size)|prompt is too long|too many (?:input |prompt )?tokens|maximum (?:input|prompt)",
    re.IGNORECASE,
)
_MOST_TOKENS = re.compile(
    r"(?:n_ctx\W{1,4}|maximum (?:context|input|prompt)\D{0,30}|context (?:length|window|size) (?:of|is)\D{0,12})"
    r"([\d,]{3,})",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallFailure:
    """What went wrong in one try. ``wait`` is what the endpoint asked for, in seconds; ``status`` 0 is none at all.

    ``too_long``: the request is longer than the model's context, of ``context_tokens`` where the server says so.
    """

    error: ModelUnavailable
    status: int = 0
    again: bool = False
    wait: float = 0.0
    detail: str = ""
    too_long: bool = False
    context_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelLabel:
    """How a reader knows the model and whoever runs the bot knows its settings."""

    model: str = "language model"
    variables: str = "FOOTNOTE_LLM"

    def said(self, words: str) -> str:
        """``words`` with the names in place."""
        return words.replace("{model}", self.model).replace("{set}", self.variables)


class ReplyInterrupted(ModelUnavailable):
    """The connection ended before the reply did."""


class NotAnEndpoint(ModelUnavailable):
    """What answers there is no language model: a proxy, a login page, another program."""


def web_page_failure(status: int) -> NotAnEndpoint:
    """The error for a page of HTML."""
    return NotAnEndpoint(
        f"What answers at {{set}}_BASE_URL sent a web page instead of a reply ({status}); is the address right, and is "
        "there a proxy or a login in between?"
    )


def classify_error(fault: BaseException, named: ModelLabel) -> CallFailure:
    """Sort a fault; its own words never reach a reader."""
    failure = _classify(fault)
    return replace(failure, error=type(failure.error)(named.said(failure.error.words)))


def _classify(fault: BaseException) -> CallFailure:
    import openai

    if isinstance(fault.__cause__, ModelUnavailable):
        fault = fault.__cause__  # what our own checks of request and response raise, the client wraps
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


def _failure_from_status(status: int, headers: Mapping[str, str], message: str) -> CallFailure:
    wait = retry_after_seconds(headers, datetime.now(UTC))
    if status in _REFUSALS and _TOO_LONG.search(message):
        return _too_long(status, message)
    if status >= 500:
        words = f"The {{model}}'s server reports a fault of its own ({status})."
        return CallFailure(error=ModelUnavailable(words), status=status, again=True, wait=wait, detail=message)
    said = _status_words(status, message)
    if status == 429 and wait:
        said += f" and to wait {wait:.0f} s"
    again = status in _RETRYABLE_STATUS and wait <= MAX_RETRY_AFTER and said != _QUOTA_USED_UP
    error = ModelUnavailable(f"The {{model}}'s server {said} ({status}).")
    return CallFailure(error=error, status=status, again=again, wait=wait, detail=message)


def _status_words(status: int, message: str) -> str:
    if status == 429 and _QUOTA.search(message):
        return _QUOTA_USED_UP
    return _REDIRECTED if 300 <= status < 400 else _STATUS_MESSAGES.get(status, "refused the request")


def _too_long(status: int, message: str) -> CallFailure:
    match = _MOST_TOKENS.search(message)
    most = int(match[1].replace(",", "") or 0) if match else 0
    words = (
        f"The request is longer than the {most:,} tokens that the {{model}} takes in; "
        f"set {{set}}_CONTEXT_TOKENS={most}."
        if most
        else "The request is longer than the {model} takes in; lower {set}_CONTEXT_TOKENS."
    )
    error = ModelUnavailable(words)
    return CallFailure(error=error, status=status, detail=message, too_long=True, context_tokens=most)


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
