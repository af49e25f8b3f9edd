"""What a platform of one person on one machine answers where nobody could be kept out: the terminal and the local page.

It stands apart so that both say the same; whoever sits at the machine owns the data folder and may do everything.
"""

from collections.abc import AsyncIterator, Sequence

from core.domain.events import PdfShared
from core.domain.model import Channel, Workspace


class SingleUser:
    """The part of ``ChatPlatform`` that is about other people, members and earlier times."""

    async def installed(self, workspace: Workspace) -> bool:
        """Nobody ever takes Footnote out of one's own machine."""
        return True

    async def may_manage(self, channel: Channel, user: str) -> bool:
        """Whoever sits at this machine may do everything."""
        return True

    async def earlier_files(self, channel: Channel) -> AsyncIterator[PdfShared]:
        """No files that Footnote was not told of: whatever was dropped is read already."""
        nothing: Sequence[PdfShared] = ()
        for event in nothing:
            yield event
