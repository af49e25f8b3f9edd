"""Which chat platforms the settings switch on; each is imported only where it is wanted."""

from collections.abc import Sequence

from bot.settings import Settings
from core.domain.platforms import ChatPlatform


def configured(settings: Settings) -> Sequence[ChatPlatform]:
    """The platforms that have what they need; none where no token is set. Raises ``SettingsInvalid``."""
    platforms: list[ChatPlatform] = []
    if settings.slack.on:
        from adapters.slack.platform import SlackPlatform

        platforms.append(SlackPlatform(settings.slack, settings.data))
    if settings.discord.configured:
        from adapters.discord.platform import DiscordPlatform

        platforms.append(DiscordPlatform(settings.discord))
    return platforms
