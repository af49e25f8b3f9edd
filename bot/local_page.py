"""The local page put together from the settings; it serves where no chat platform is set up, or where it is wanted."""

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
APART: Mapping[str, str] = MappingProxyType({"local": "page"})
"""The page shares its workspaces with the terminal; their jobs lie apart, so that neither answers for the other."""


def page_wanted(web: WebSettings, others: Sequence[ChatPlatform]) -> bool:
    """Whether the page is served beside the chat platforms that are set up."""
    return web.enabled == "on" or (web.enabled == "auto" and not others)


class PageWords:
    """Forgets papers in what pages keep of conversations, be they open in this process, in another or in none."""

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
        notebook = MessageStore(_folder(self._data, workspace) / "page.db", tokens=_marks)
        return await notebook.forget_papers(workspace, papers, words, channels=channels)


def local_page(
    settings: Settings, workspace: Workspace, *, opened: Callable[[str], None], now: Callable[[], datetime]
) -> ChatPlatform:
    """The page of a workspace; ``opened`` is told the link by which it can be seen. Raises ``SettingsInvalid``."""
    if workspace.platform != "local":
        raise SettingsInvalid("The page shows a workspace of this machine; name it without a platform.")
    # Imported here: whoever has no page need not load its server.
    from adapters.web.conversations import Conversations
    from adapters.web.platform import WebPlatform
    from adapters.web.server import Opening, serving
    from bot.samples import sample_papers
    from core.domain.readers import PICTURE_DPI

    conversations = Conversations(
        workspace,
        _folder(settings.data, workspace),
        limit=int(settings.reading.max_megabytes * 1_000_000),
        tokens=_marks,
    )
    opening = Opening(
        port=settings.web.port,
        dpi=PICTURE_DPI,
        samples=sample_papers,
        guide=_GUIDE,
        now=now,
        opened=opened,
    )

    return WebPlatform(conversations, served=lambda backend: serving(conversations, opening, backend), now=now)


def _folder(data: Path, workspace: Workspace) -> Path:
    """Inside the workspace's own folder, so that whoever deletes a workspace deletes its conversations too."""
    from core.services.storage import workspace_folder

    return workspace_folder(data, workspace) / "page"


def _marks(text: str) -> Collection[str]:
    from core.services.storage import (
        hash_words_as_text,  # loads the stemmer, which the command line's start need not wait for
    )

    return hash_words_as_text(text)
