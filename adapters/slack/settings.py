"""What a deployment says about Slack. Apart from the process's settings because adapters know nothing of these."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Mode: TypeAlias = Literal["socket", "http"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackSettings:
    """Tokens and choices; without ``bot_token`` and ``client_id`` Slack is switched off.

    With ``bot_token`` Footnote serves one workspace; with ``client_id`` it is installed into many by OAuth.
    Raises ``ValueError`` that begins with the field's name.
    """

    bot_token: str = field(default="", repr=False)
    app_token: str = field(default="", repr=False)
    signing_secret: str = field(default="", repr=False)
    mode: Mode = "socket"
    host: str = "127.0.0.1"
    port: int = 3000
    client_id: str = ""
    client_secret: str = field(default="", repr=False)
    redirect_url: str = ""
    token_key: str = field(default="", repr=False)
    grace_days: float = field(default=7.0, metadata={"fixed": True})
    external: bool = False
    api_url: str = "https://slack.com/api/"

    def __post_init__(self) -> None:
        if self.mode not in ("socket", "http"):
            raise ValueError("mode must be socket or http")
        if not 0 <= self.port <= 65_535:
            raise ValueError("port must lie between 0 and 65,535")
        if not 0 <= self.grace_days <= 365:
            raise ValueError("grace_days must lie between 0 and 365")
        if not self.api_url.startswith(("https://", "http://127.0.0.1", "http://localhost")):
            raise ValueError("api_url must begin with https://")
        if self.on:
            self._check_tokens()

    @property
    def on(self) -> bool:
        """Whether Slack is switched on."""
        return bool(self.bot_token or self.client_id)

    @property
    def many(self) -> bool:
        """Whether workspaces install Footnote themselves."""
        return bool(self.client_id)

    @property
    def secrets(self) -> frozenset[str]:
        """What must never be logged."""
        values = (self.bot_token, self.app_token, self.signing_secret, self.client_secret, self.token_key)
        return frozenset(filter(None, values))

    def _check_tokens(self) -> None:
        if self.many:
            self._check_oauth()
        elif not self.bot_token.startswith("xoxb-"):
            raise ValueError("bot_token must begin with xoxb- (OAuth & Permissions, Bot User OAuth Token)")
        if self.mode == "socket" and not self.app_token.startswith("xapp-"):
            raise ValueError("app_token must begin with xapp- (Basic Information, App-Level Tokens) in socket mode")
        if self.mode == "http" and not self.signing_secret:
            raise ValueError("signing_secret must be set in http mode (Basic Information, App Credentials)")

    def _check_oauth(self) -> None:
        if self.bot_token:
            raise ValueError(
                "client_id cannot stand beside bot_token: serve one workspace by its token, or many by OAuth"
            )
        if not self.client_secret:
            raise ValueError("client_secret must be set with client_id")
        if not self.token_key:
            raise ValueError("token_key must be set with client_id: it encrypts the tokens of workspaces")
