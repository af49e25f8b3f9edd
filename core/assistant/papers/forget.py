"""The use cases "forget this paper" and "clear this workspace"."""

from collections.abc import Sequence
from typing import Protocol

from core.domain.errors import FootnoteError
from core.domain.model import Forgotten, Scope, Workspace
from core.domain.stores import ClearsWorkspace


class NotConfirmed(FootnoteError):
    """Clearing a workspace was asked for without its key as confirmation; nothing was done."""


class Withdraws(Protocol):
    """A library that can let go of papers as far as a scope reaches."""

    async def withdraw(self, scope: Scope, paper_ids: Sequence[str]) -> Forgotten:
        """Forget papers within the scope. Raises ``NotInScope``."""


async def forget(scope: Scope, paper_ids: Sequence[str], *, library: Withdraws) -> Forgotten:
    """Forget papers as far as the scope reaches; the report is the same whether or not they lie elsewhere too.

    A paper that was shared nowhere else is forgotten whole: rows, vectors, index, files, figures, answers and
    the words of turns. Raises ``NotInScope`` where one of them is not in scope; then nothing was forgotten.
    """
    return await library.withdraw(scope, paper_ids)


async def clear(workspace: Workspace, *, confirmed: str, storage: ClearsWorkspace) -> Forgotten:
    """Delete all of a workspace, whose library must be closed. ``confirmed`` must be the workspace's key.

    Raises ``NotConfirmed`` otherwise, ``LibraryFailure`` where the disk refuses.
    """
    if confirmed != workspace.key:
        raise NotConfirmed(
            "This deletes every paper, answer and conversation of the workspace. "
            f"To confirm, give its key: {workspace.key}"
        )
    return await storage(workspace)
