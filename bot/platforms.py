"""Which platforms the settings switch on, and the local page made from them; each is imported where it is used."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import MappingProxyType

from adapters.web.message_store import MessageStore
from adapters.web.settings import WebSettings
from bot.settings import Settings
from core.domain.errors import SettingsInvalid
from core.domain.model import Workspace
from core.domain.platforms import ChatPlatform

_GUIDE = Path(__file__).parents[1] / "docs" / "guide.md"
PLATFORM_ALIASES: Mapping[str, str] = MappingProxyType({"local": "page"})
"""Page and terminal share workspaces; under another platform name neither delivers the jobs of the other."""


def configured_platforms(settings: Settings) -> Sequence[ChatPlatform]:
    """The platforms that have what they need; none where no token is set. Raises ``SettingsInvalid``."""
    platforms: list[ChatPlatform] = []
    if settings.slack.on:
        from adapters.slack.platform import SlackPlatform

        platforms.append(SlackPlatform(settings.slack, settings.data))
    if settings.discord.configured:
        from adapters.discord.platform import DiscordPlatform

        platforms.append(DiscordPlatform(settings.discord))
    return platforms


def page_wanted(web: WebSettings, others: Sequence[ChatPlatform]) -> bool:
    """Whether the page is served beside the chat platforms that are set up."""
    return web.enabled == "on" or (web.enabled == "auto" and not others)


class PageMessages:
    """Forgets papers in what pages keep of conversations, open in this process, in another or in none."""

    def __init__(self, data: Path) -> None:
        self._data = data

    async def forget_papers(
        self,
        workspace: Workspace,
        papers: frozenset[str],
        words: frozenset[str],
        *,
        channels: frozenset[str] | None = None,
    ) -> Mapping[str, int]:
        """Withdraw what shows ``papers`` or holds one of ``words``, everywhere or in ``channels``; counts by kind."""
        store = MessageStore(_folder(self._data, workspace) / "page.db", tokens=_hash_words)
        return await store.forget_papers(workspace, papers, words, channels=channels)


def local_page(
    settings: Settings,
    workspace: Workspace,
    *,
    env_file: Path,
    opened: Callable[[str], None],
    now: Callable[[], datetime],
) -> ChatPlatform:
    """The page of a workspace; ``opened`` is called with the link to it, a model that is connected there is written
    into ``env_file``. Raises ``SettingsInvalid``.
    """
    if workspace.platform != "local":
        raise SettingsInvalid("The page shows a workspace of this machine; name it without a platform.")
    # Imported here: whoever has no page need not load its server.
    from adapters.web.conversations import Conversations
    from adapters.web.platform import WebPlatform
    from adapters.web.server import PageOptions, serve
    from bot.model_setup import EnvFileModelSetup
    from bot.samples import sample_papers
    from core.domain.readers import PICTURE_DPI

    conversations = Conversations(
        workspace,
        _folder(settings.data, workspace),
        limit=int(settings.reading.max_megabytes * 1_000_000),
        tokens=_hash_words,
    )
    opening = PageOptions(
        port=settings.web.port,
        dpi=PICTURE_DPI,
        samples=sample_papers,
        guide=_GUIDE,
        now=now,
        opened=opened,
        models=EnvFileModelSetup(settings, env_file),
    )

    return WebPlatform(conversations, served=lambda backend: serve(conversations, opening, backend), now=now)


def _folder(data: Path, workspace: Workspace) -> Path:
    """Inside the workspace's own folder, so that whoever deletes a workspace deletes its conversations too."""
    from core.services.storage import workspace_folder

    return workspace_folder(data, workspace) / "page"


def _hash_words(text: str) -> Collection[str]:
    from core.services.storage import hash_words

    return hash_words(text)
