"""The app's Home tab and the prompts of its Messages tab: courtesies that show a person what there is."""

from adapters.slack import render
from adapters.slack.channels import Channels
from adapters.slack.web_api import WebApi
from core.domain.model import Workspace
from core.domain.platforms import Backend

_PROMPTS = (
    ("What is here?", "papers"),
    ("What can you do?", "help"),
    ("Compare papers", "How do the methods of the papers here differ?"),
    ("Find a number", "Which sample sizes do the papers here report?"),
)


class AppHome:
    """Publishes what ``Backend.home`` says."""

    def __init__(self, backend: Backend, calls: WebApi, channels: Channels) -> None:
        self._backend = backend
        self._calls = calls
        self._channels = channels

    async def opened(self, workspace: Workspace, user: str, tab: str, channel: str) -> None:
        """Somebody looks at a tab of the app. Raises ``PlatformFailure``."""
        if tab == "messages":
            await self._suggest(workspace, channel)
        else:
            await self.publish(workspace, user)

    async def publish(self, workspace: Workspace, user: str) -> None:
        """Show a person's Home tab as of now; papers of private channels are shown in these alone."""
        visible = await self._channels.visible(workspace, user)
        reply = await self._backend.home(workspace, user=user, visible=visible)
        await self._calls(workspace, "views.publish", user_id=user, view=render.home(reply))

    async def _suggest(self, workspace: Workspace, channel: str) -> None:
        prompts = [{"title": title, "message": message} for title, message in _PROMPTS]
        await self._calls(workspace, "assistant.threads.setSuggestedPrompts", channel_id=channel, prompts=prompts)
