"""What people press, choose, fill in and call up: buttons, forms, autocompletion, the shortcut, ``/footnote``.

Slack waits three seconds and a trigger lives as long, so a form is opened here at once by the backend; everything
that takes longer becomes a durable job before Slack is answered.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from adapters.common.conversations import ALOUD, Lately, command_in
from adapters.common.markdown import Run
from adapters.slack import blocks as kit
from adapters.slack import forms, render
from adapters.slack.channels import Channels
from adapters.slack.delivery import ALONE, APART, metadata
from adapters.slack.events import is_timestamp, words
from adapters.slack.forms import Where, kept, unkept, where_of
from adapters.slack.installations import NAME, Installations
from adapters.slack.message_listener import MessageListener
from adapters.slack.payload import Payload, part_of, parts_of, pdf_of, text_of
from adapters.slack.web_api import SlackRefused, WebApi
from core.domain.events import ButtonPressed, CommandGiven, FormSent, QuestionAsked
from core.domain.model import Channel, Paper, Scope, Thread, Workspace
from core.domain.platforms import Backend

_DOUBLE_SECONDS = 3.0
_MOST_PAPERS = 100_000
_INVITE = "Footnote is not in this channel; write /invite @Footnote first."


class Interactions:
    """Takes interactive payloads and slash commands."""

    def __init__(
        self, backend: Backend, calls: WebApi, installations: Installations, channels: Channels, intake: MessageListener
    ) -> None:
        self._backend = backend
        self._calls = calls
        self._installations = installations
        self._channels = channels
        self._intake = intake
        self._lately = Lately()

    async def take(self, payload: Payload) -> Mapping[str, object] | None:
        """One interactive payload; returns what Slack is answered, if anything."""
        where = where_of(payload)
        match text_of(payload, "type"):
            case "block_actions":
                for action in parts_of(payload, "actions"):
                    await self._pressed(where, payload, action)
            case "view_submission":
                await self._sent(payload, where)
            case "block_suggestion":
                return await self._suggested(payload, where)
            case "message_action":
                await self._about(payload, where)
        return None

    async def slash(self, body: Payload) -> str:
        """``/footnote …``; returns what only the person sees at once."""
        where = Where(
            workspace=Workspace(platform=NAME, id=text_of(body, "team_id")),
            channel=text_of(body, "channel_id"),
            thread="",
            message=f"slash-{text_of(body, 'trigger_id')}",
            user=text_of(body, "user_id"),
        )
        said = words(text_of(body, "text"), bot="")
        name, rest = command_in(f"/{said}", {*self._backend.commands, "ask", "stop"}) or ("ask", said)
        if not said:
            name, rest = "help", ""
        if name == "ask" and not rest:
            await self._open(where, text_of(body, "trigger_id"), forms.form("", (), kept=kept(where, "ask", "")))
            return ""
        return await self._given(where, name, rest, text_of(body, "trigger_id"))

    async def _given(self, where: Where, name: str, rest: str, trigger: str) -> str:
        channel = await self._intake.place(where.workspace, where.channel)
        opens = await self._backend.form(
            name, rest, thread=Thread(channel=channel, id=""), scope=await self._scope(where), user=where.user
        )
        if opens is not None and not rest:
            await self._open(where, trigger, render.modal(opens, kept=kept(where, opens.name, opens.value)))
            return ""
        if name != "ask" and name not in ALOUD:
            await self._command(Thread(channel=channel, id=""), where, name, rest)
            return "On it …"
        try:
            root = await self._said_aloud(where, name, rest)
        except SlackRefused as refusal:
            return _INVITE if refusal.code in ("not_in_channel", "channel_not_found") else refusal.words
        thread = Thread(channel=channel, id=root)
        if name == "ask":
            await self._ask(thread, where, forms.Asked(text=rest, papers=frozenset(), audience="thread"), root)
        else:
            await self._command(thread, where, name, rest)
        return ""

    async def _command(self, thread: Thread, where: Where, name: str, rest: str) -> None:
        await self._intake.accept(
            CommandGiven(
                thread=thread,
                user=where.user,
                at=datetime.now(UTC),
                message=where.message,
                name=name,
                words=rest,
                visible=await self._intake.bound(where.workspace),
            )
        )

    async def _ask(self, thread: Thread, where: Where, asked: forms.Asked, message: str) -> None:
        await self._intake.accept(
            QuestionAsked(
                thread=thread,
                user=where.user,
                at=datetime.now(UTC),
                message=message,
                text=asked.text,
                papers=asked.papers,
                audience=asked.audience,
                visible=await self._intake.bound(where.workspace),
            )
        )

    async def _said_aloud(self, where: Where, name: str, rest: str) -> str:
        """A message that begins the thread of what was asked for by a slash command; nobody else sees the command."""
        person = (await self._channels.person(where.workspace, where.user)).name
        said = f"{person} asks: {rest}" if name == "ask" else f"{person}: {name} {rest}".rstrip()
        answer = await self._calls(
            where.workspace,
            "chat.postMessage",
            channel=where.channel,
            text=render.escaped(kit.cut(said, 2_500)),
            blocks=[kit.rich([kit.section((Run(text=said[: kit.LONGEST_TEXT]),))])],
            mrkdwn=False,
            parse="none",
            metadata=metadata(f"root:{where.message}"),
        )
        return text_of(answer, "ts")

    async def _pressed(self, where: Where, payload: Payload, action: Payload) -> None:
        value = text_of(action, "value") or text_of(part_of(action, "selected_option"), "value")
        name, rest = kit.pressed(value)
        if not name or self._is_double(where, value, text_of(action, "action_ts")):
            return
        where = await self._with_channel(where, text_of(action, "block_id"))
        channel = await self._intake.place(where.workspace, where.channel)
        thread = Thread(channel=channel, id=where.thread)
        if name == "stop":
            await self._backend.stop(thread, user=where.user)
            return
        opens = await self._backend.form(name, rest, thread=thread, scope=await self._scope(where), user=where.user)
        if opens is not None:
            modal = render.modal(opens, kept=kept(where, opens.name, opens.value))
            await self._open(where, text_of(payload, "trigger_id"), modal)
            return
        await self._intake.accept(
            ButtonPressed(
                thread=thread,
                user=where.user,
                at=datetime.now(UTC),
                message=f"press-{where.message}",
                action=name,
                value=rest,
                press=f"{text_of(action, 'action_ts')}-{where.user}"
                + (ALONE if where.alone and name != "share" else ""),
                visible=await self._intake.bound(where.workspace),
            )
        )

    async def _sent(self, payload: Payload, where: Where) -> None:
        view = part_of(payload, "view")
        held = unkept(text_of(view, "private_metadata"))
        channel, thread, message = (held.get(name, "") for name in ("channel", "thread", "message"))
        where = await self._with_channel(replace(where, channel=channel, thread=thread, message=message), "")
        place = await self._intake.place(where.workspace, where.channel)
        values = part_of(part_of(view, "state"), "values")
        if text_of(view, "callback_id") == forms.CALLBACK:
            await self._asked(where, place, forms.sent(values), text_of(view, "id"))
            return
        await self._intake.accept(
            FormSent(
                thread=Thread(channel=place, id=where.thread),
                user=where.user,
                at=datetime.now(UTC),
                message=f"form-{where.message}",
                form=held.get("form", ""),
                value=held.get("value", ""),
                press=text_of(view, "id"),
                fields=forms.filled(values),
                visible=await self._intake.bound(where.workspace),
            )
        )

    async def _asked(self, where: Where, channel: Channel, asked: forms.Asked, view: str) -> None:
        """The question form was sent: in its thread, or in one that begins with the question said aloud."""
        if not asked.text:
            return
        root = where.thread
        if not root:
            # A thread of its own even where nothing is to be seen: what one person asks is no other's conversation.
            aloud = asked.audience == "thread"
            root = await self._said_aloud(where, "ask", asked.text) if aloud else f"{APART}{view}"
        await self._ask(Thread(channel=channel, id=root), where, asked, f"asked-{view}")

    async def _suggested(self, payload: Payload, where: Where) -> Mapping[str, object]:
        held = unkept(text_of(part_of(payload, "view"), "private_metadata"))
        scope = await self._scope(where, held.get("channel", ""))
        found = await self._backend.papers(scope, words=text_of(payload, "value"))
        return {"options": [forms.option(paper) for paper in found]}

    async def _about(self, payload: Payload, where: Where) -> None:
        """The message shortcut: a question about a message, or about the papers that it carries."""
        message = part_of(payload, "message")
        ts = text_of(message, "ts")
        where = replace(where, thread=text_of(message, "thread_ts") or ts, message=ts)
        held = await self._installations.of(where.workspace)
        said = words(text_of(message, "text"), bot=held.bot_user if held is not None else "")
        files = {
            pdf.id for file in parts_of(message, "files") if (pdf := pdf_of(file, team=where.workspace.id)) is not None
        }
        chosen: list[Paper] = []
        if files:
            said = ""
            papers = await self._backend.papers(await self._scope(where), limit=_MOST_PAPERS)
            chosen = [paper for paper in papers if any(share.file_id in files for share in paper.shares)]
        form = forms.form(said, chosen, kept=kept(where, forms.CALLBACK, ""))
        await self._open(where, text_of(payload, "trigger_id"), form)

    async def _open(self, where: Where, trigger: str, view: kit.Block) -> None:
        """Open a modal; where the trigger has run out, say so to whoever waits for it."""
        try:
            await self._calls(where.workspace, "views.open", trigger_id=trigger, view=view)
        except SlackRefused as refusal:
            if "trigger" not in refusal.code:
                raise
            if where.channel:
                await self._calls(
                    where.workspace,
                    "chat.postEphemeral",
                    channel=where.channel,
                    user=where.user,
                    thread_ts=where.thread if is_timestamp(where.thread) else "",
                    text="Slack gave up waiting for the form; please press once more.",
                )

    async def _scope(self, where: Where, channel: str = "") -> Scope:
        """What this person may see from here, exactly; it shows papers at once."""
        visible = await self._channels.visible(where.workspace, where.user)
        here = channel or where.channel
        return Scope(workspace=where.workspace, channels=visible | ({here} if here else frozenset()))

    async def _with_channel(self, where: Where, block: str) -> Where:
        """A press in the Home tab has no channel: it goes on in the direct conversation. ``block`` knows the thread."""
        told = block.partition("/")[0]
        thread = told if is_timestamp(told) or told.startswith(APART) else where.thread
        channel = where.channel
        if not channel:
            opened = await self._calls(where.workspace, "conversations.open", users=where.user)
            channel = text_of(part_of(opened, "channel"), "id")
        return replace(where, channel=channel, thread=thread)

    def _is_double(self, where: Where, value: str, at: str) -> bool:
        """Whether the same person pressed the same button a moment ago."""
        key = f"{where.workspace.id}/{where.channel}/{where.message}/{where.user}/{value}"
        before = self._lately.word(key)
        self._lately.tell(key, at)
        return is_timestamp(before) and is_timestamp(at) and 0 <= float(at) - float(before) < _DOUBLE_SECONDS
