"""What a deployment may set for Discord. A value of the adapter, because the adapters never read the environment."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscordSettings:
    """How the bot connects to Discord; without a token it does not."""

    token: str = field(default="", repr=False)
    """The bot token of the developer portal."""
    message_content: bool = True
    """Ask for the privileged intent that dropped PDFs and follow-ups without a mention need."""
    servers: str = ""
    """Ids of servers, separated by commas, where commands are registered at once; empty registers them everywhere."""
    catch_up_hours: float = field(default=24.0, metadata={"fixed": True})
    """How far back channels are looked through after a time without connection."""
    grace_days: float = field(default=7.0, metadata={"fixed": True})
    """Days after which a server that took the bot out is forgotten, unless it let the bot in again."""

    def __post_init__(self) -> None:
        if not 0 <= self.catch_up_hours <= 336:
            raise ValueError(f"catch_up_hours must lie between 0 and 336, not {self.catch_up_hours:g}")
        if not 0 <= self.grace_days <= 365:
            raise ValueError(f"grace_days must lie between 0 and 365, not {self.grace_days:g}")
        for server in self.server_ids:
            if not server.isdigit():
                raise ValueError(f"servers must be ids of servers (numbers), separated by commas, not {server!r}")

    @property
    def server_ids(self) -> tuple[str, ...]:
        """The servers named, in order."""
        return tuple(server.strip() for server in self.servers.split(",") if server.strip())

    @property
    def configured(self) -> bool:
        """Whether there is anything to connect with."""
        return bool(self.token)
