"""Calls of Slack's Web API: one session, a token a workspace, Slack's errors in words that a person can act on.

The only file that sees Slack's exceptions; a call that was told to wait keeps the others of its kind back.
"""

from collections.abc import AsyncIterator, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Protocol

from adapters.common.retry import RateLimits, retry_after
from adapters.slack.payload import part_of, parts_of, text_of
from core.domain.errors import PlatformFailure, PlatformRefused, RateLimited
from core.domain.model import Workspace

if TYPE_CHECKING:
    from aiohttp import ClientSession
    from slack_sdk.errors import SlackApiError
    from slack_sdk.web.async_client import AsyncWebClient

_TIMEOUT = 20
_PAGE = 200
_READS = frozenset(
    {
        "conversations.info",
        "conversations.history",
        "conversations.replies",
        "conversations.members",
        "users.conversations",
        "users.info",
        "files.info",
        "files.list",
        "files.getUploadURLExternal",
        "chat.getPermalink",
        "auth.test",
    }
)
_TOKEN = ("invalid_auth", "account_inactive", "token_revoked", "token_expired", "not_authed", "no_permission")
_NOT_THERE = ("not_in_channel", "channel_not_found")
_BRIEF = frozenset({"internal_error", "fatal_error", "service_unavailable", "request_timeout", "team_added_to_org"})
_WORDS: Mapping[str, str] = {
    **dict.fromkeys(_TOKEN, "Slack no longer accepts Footnote's token; please install the app again."),
    **dict.fromkeys(_NOT_THERE, "Footnote is not in this channel; please /invite it."),
    "is_archived": "This channel is archived, so nothing can be written there.",
    "restricted_action": "The rules of this workspace do not let Footnote write here.",
    "restricted_action_thread_only_channel": "In this channel Footnote may only write in threads.",
    "restricted_action_read_only_channel": "This channel is read-only for Footnote.",
    "not_allowed_token_type": "Slack wants another kind of token for this; please check Footnote's tokens.",
}


class SlackRefused(PlatformRefused):
    """Slack said no, with its ``code``."""

    def __init__(self, words: str, code: str) -> None:
        super().__init__(words)
        self.args = (words, code)
        self.code = code


class SlackUnsure(PlatformFailure):
    """No answer came: the call may have been done."""


class Tokens(Protocol):
    """Whose token speaks for a workspace."""

    async def token(self, workspace: Workspace) -> str:
        """Raises ``SlackRefused`` where Footnote is not installed there."""


class WebApi:
    """The Web API for all workspaces; an async context manager that holds the connections."""

    def __init__(self, tokens: Tokens, *, api_url: str) -> None:
        self._tokens = tokens
        self._api_url = api_url
        self._rate_limits = RateLimits()
        self._session: ClientSession | None = None
        self._clients: dict[str, AsyncWebClient] = {}

    async def __aenter__(self) -> "WebApi":
        from aiohttp import ClientSession, ClientTimeout

        self._session = ClientSession(timeout=ClientTimeout(total=_TIMEOUT))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.close()

    def client(self, token: str) -> "AsyncWebClient":
        """A client that speaks with ``token``; an empty one speaks without."""
        from slack_sdk.web.async_client import AsyncWebClient

        if token not in self._clients:
            self._clients[token] = AsyncWebClient(
                token=token or None,
                base_url=self._api_url,
                timeout=_TIMEOUT,
                session=self._session,
                retry_handlers=[],  # a call that may have been done is never repeated blindly
            )
        return self._clients[token]

    async def __call__(self, workspace: Workspace, method: str, **arguments: object) -> Mapping[str, object]:
        """Call ``method`` for a workspace, leaving out what is None or empty text.

        Raises ``RateLimited``, ``SlackRefused`` (with Slack's code), ``SlackUnsure`` or ``PlatformFailure``.
        """
        token = await self._tokens.token(workspace)
        return await self.as_(token, method, kind=f"{workspace.id} {method}", **arguments)

    async def as_(self, token: str, method: str, *, kind: str, **arguments: object) -> Mapping[str, object]:
        """The same with a token at hand; ``kind`` is what a "too many requests" holds for."""
        from aiohttp import ClientError
        from slack_sdk.errors import SlackApiError, SlackClientError

        await self._rate_limits.wait_turn(kind)
        sent = {name: value for name, value in arguments.items() if value is not None and value != ""}
        client = self.client(token)
        try:
            if method in _READS:
                answer = await client.api_call(method, http_verb="GET", params=sent)
            else:
                answer = await client.api_call(method, json=sent)
        except SlackApiError as error:
            raise self._in_words(error, method, kind) from error
        except (ClientError, TimeoutError, SlackClientError, OSError) as error:
            raise SlackUnsure("Slack could not be reached just now.") from error
        data = answer.data
        return data if isinstance(data, dict) else {}

    async def pages(
        self, workspace: Workspace, method: str, name: str, **arguments: object
    ) -> AsyncIterator[Mapping[str, object]]:
        """All objects under ``name``, page after page."""
        cursor = ""
        while True:
            answer = await self(workspace, method, limit=_PAGE, cursor=cursor, **arguments)
            for payload in parts_of(answer, name):
                yield payload
            cursor = text_of(part_of(answer, "response_metadata"), "next_cursor")
            if not cursor:
                return

    def _in_words(self, error: "SlackApiError", method: str, kind: str) -> PlatformFailure:
        response = error.response
        code = str(response.get("error") or "") if hasattr(response, "get") else ""
        status = getattr(response, "status_code", 0)
        if status == 429 or code in ("ratelimited", "rate_limited"):
            seconds = retry_after(getattr(response, "headers", {}))
            self._rate_limits.hold_back(kind, seconds)
            return RateLimited("Slack asks for patience; this goes on by itself.", seconds)
        if status >= 500 or code in _BRIEF:
            return SlackUnsure("Slack has trouble of its own just now.")
        if code == "missing_scope":
            return SlackRefused(_scope_words(str(response.get("needed") or "")), code)
        return SlackRefused(_WORDS.get(code, f"Slack refused {method} ({code or 'without a reason'})."), code)


def _scope_words(needed: str) -> str:
    scope = f"the scope {needed}" if needed else "a scope"
    return (
        f"The Slack app lacks {scope}: add it under OAuth & Permissions (or take Footnote's manifest anew) "
        "and install the app again."
    )
