"""The use case "clear this workspace": everything in it is deleted, once its key is given as confirmation."""

from core.domain.errors import FootnoteError
from core.domain.model import Forgotten, Workspace
from core.domain.stores import ClearsWorkspace


class NotConfirmed(FootnoteError):
    """Clearing a workspace was asked for without its key as confirmation; nothing was done."""


async def clear_confirmed(workspace: Workspace, *, confirmed: str, storage: ClearsWorkspace) -> Forgotten:
    """Delete all of a workspace, whose library must be closed. ``confirmed`` must be the workspace's key.

    Raises ``NotConfirmed`` otherwise, ``LibraryFailure`` where the disk refuses.
    """
    if confirmed != workspace.key:
        raise NotConfirmed(
            "This deletes every paper, answer and conversation of the workspace. "
            f"To confirm, give its key: {workspace.key}"
        )
    return await storage(workspace)
