"""What people press, choose, fill in and call up: buttons, forms, autocompletion, the shortcut, ``/footnote``.

Slack waits three seconds and a trigger lives as long, so a form is opened here at once by the backend; everything
that takes longer becomes a durable job before Slack is answered.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from adapters.common.conversations import Recent, command_in
from adapters.common.markdown import Run
from adapters.slack import blocks as kit
from adapters.slack import forms, render
from adapters.slack.channels import Channels
from adapters.slack.delivery import HIDDEN_THREAD_PREFIX, ONE_READER_SUFFIX, metadata
from adapters.slack.events import is_timestamp, readable_text
from adapters.slack.forms import InteractionSource, decode_context, encode_context, source_of
from adapters.slack.installations import NAME, Installations
from adapters.slack.message_listener import MessageListener
from adapters.slack.payload import Payload, part_of, parts_of, pdf_of, text_of
from adapters.slack.web_api import SlackRefused, WebApi
from core.domain.events import ButtonPressed, CommandGiven, FormSent, QuestionAsked, RequestFields
from core.domain.model import Channel, Paper, Scope, Thread, Workspace
from core.domain.platforms import Backend, CommandWords

_DOUBLE_SECONDS = 3.0
_MOST_PAPERS = 100_000
_OWN = {
    "ask": CommandWords(usage="ask QUESTION", does="asks the papers", public=True),
    "stop": CommandWords(usage="stop", does="ends the answer that is being written"),
}
"""What this platform adds to the commands of the process."""
_INVITE = "Footnote is not in this channel; write /invite @Footnote first."


class Interactions:
    """Takes interactive payloads and slash commands."""

    def __init__(
        self,
        backend: Backend,
        calls: WebApi,
        installations: Installations,
        channels: Channels,
        listener: MessageListener,
    ) -> None:
        self._backend = backend
        self._calls = calls
        self._installations = installations
        self._channels = channels
        self._listener = listener
        self._recent_presses: Recent[str] = Recent()

    async def take(self, payload: Payload) -> Mapping[str, object] | None:
        """One interactive payload; returns what Slack is answered, if anything."""
        where = source_of(payload)
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

    @property
    def _commands(self) -> Mapping[str, CommandWords]:
        return {**self._backend.commands, **_OWN}

    async def slash(self, body: Payload) -> str:
        """``/footnote …``; returns what only the person sees at once."""
        where = InteractionSource(
            workspace=Workspace(platform=NAME, id=text_of(body, "team_id")),
            channel=text_of(body, "channel_id"),
            thread="",
            message=f"slash-{text_of(body, 'trigger_id')}",
            user=text_of(body, "user_id"),
        )
        text = readable_text(text_of(body, "text"), bot="")
        name, arguments = command_in(f"/{text}", self._commands) or ("ask", text)
        if not text:
            name, arguments = "help", ""
        if name == "ask" and not arguments:
            await self._open(
                where, text_of(body, "trigger_id"), forms.question_form("", (), kept=encode_context(where, "ask", ""))
            )
            return ""
        return await self._given(where, name, arguments, text_of(body, "trigger_id"))

    async def _given(self, where: InteractionSource, name: str, arguments: str, trigger: str) -> str:
        channel = await self._listener.place(where.workspace, where.channel)
        opens = await self._backend.form(
            name, arguments, thread=Thread(channel=channel, id=""), scope=await self._scope(where), user=where.user
        )
        if opens is not None and not arguments:
            await self._open(where, trigger, render.modal(opens, kept=encode_context(where, opens.name, opens.value)))
            return ""
        if not self._commands[name].public:
            await self._command(Thread(channel=channel, id=""), where, name, arguments)
            return "On it …"
        try:
            root = await self._said_aloud(where, name, arguments)
        except SlackRefused as refusal:
            return _INVITE if refusal.code in ("not_in_channel", "channel_not_found") else refusal.words
        thread = Thread(channel=channel, id=root)
        if name == "ask":
            await self._ask(
                thread, where, forms.QuestionInput(text=arguments, papers=frozenset(), audience="thread"), root
            )
        else:
            await self._command(thread, where, name, arguments)
        return ""

    async def _command(self, thread: Thread, where: InteractionSource, name: str, arguments: str) -> None:
        request = await self._request(thread, where, where.message)
        await self._listener.accept(CommandGiven(**request, name=name, words=arguments))

    async def _ask(
        self, thread: Thread, where: InteractionSource, form_question: forms.QuestionInput, message: str
    ) -> None:
        await self._listener.accept(
            QuestionAsked(
                **await self._request(thread, where, message),
                text=form_question.text,
                papers=form_question.papers,
                audience=form_question.audience,
            )
        )

    async def _request(self, thread: Thread, where: InteractionSource, message: str) -> RequestFields:
        visible = await self._listener.bound(where.workspace)
        return RequestFields(thread=thread, user=where.user, at=datetime.now(UTC), message=message, visible=visible)

    async def _said_aloud(self, where: InteractionSource, name: str, arguments: str) -> str:
        """A message that begins the thread of what was asked for by a slash command; nobody else sees the command."""
        person = (await self._channels.person(where.workspace, where.user)).name
        text = f"{person} asks: {arguments}" if name == "ask" else f"{person}: {name} {arguments}".rstrip()
        answer = await self._calls(
            where.workspace,
            "chat.postMessage",
            channel=where.channel,
            text=render.escape_text(kit.cut(text, 2_500)),
            blocks=[kit.rich([kit.section((Run(text=text[: kit.LONGEST_TEXT]),))])],
            mrkdwn=False,
            parse="none",
            metadata=metadata(f"root:{where.message}"),
        )
        return text_of(answer, "ts")

    async def _pressed(self, where: InteractionSource, payload: Payload, action: Payload) -> None:
        value = text_of(action, "value") or text_of(part_of(action, "selected_option"), "value")
        name, arguments = kit.parse_press(value)
        if not name or self._is_double(where, value, text_of(action, "action_ts")):
            return
        where = await self._with_channel(where, text_of(action, "block_id"))
        channel = await self._listener.place(where.workspace, where.channel)
        thread = Thread(channel=channel, id=where.thread)
        if name == "stop":
            await self._backend.stop(thread, user=where.user)
            return
        opens = await self._backend.form(
            name, arguments, thread=thread, scope=await self._scope(where), user=where.user
        )
        if opens is not None:
            modal = render.modal(opens, kept=encode_context(where, opens.name, opens.value))
            await self._open(where, text_of(payload, "trigger_id"), modal)
            return
        alone = ONE_READER_SUFFIX if where.alone and name != "share" else ""
        request = await self._request(thread, where, f"press-{where.message}")
        press = f"{text_of(action, 'action_ts')}-{where.user}{alone}"
        await self._listener.accept(ButtonPressed(**request, action=name, value=arguments, press=press))

    async def _sent(self, payload: Payload, where: InteractionSource) -> None:
        view = part_of(payload, "view")
        context = decode_context(text_of(view, "private_metadata"))
        channel, thread, message = (context.get(name, "") for name in ("channel", "thread", "message"))
        where = await self._with_channel(replace(where, channel=channel, thread=thread, message=message), "")
        form_channel = await self._listener.place(where.workspace, where.channel)
        values = part_of(part_of(view, "state"), "values")
        if text_of(view, "callback_id") == forms.CALLBACK:
            await self._asked(where, form_channel, forms.parse_question(values), text_of(view, "id"))
            return
        request = await self._request(Thread(channel=form_channel, id=where.thread), where, f"form-{where.message}")
        await self._listener.accept(
            FormSent(
                **request,
                form=context.get("form", ""),
                value=context.get("value", ""),
                press=text_of(view, "id"),
                fields=forms.parse_fields(values),
            )
        )

    async def _asked(
        self, where: InteractionSource, channel: Channel, form_question: forms.QuestionInput, view: str
    ) -> None:
        """The question form was sent: in its thread, or in one that begins with the question said aloud."""
        if not form_question.text:
            return
        root = where.thread
        if not root:
            # A thread of its own even where nothing is to be seen: what one person asks is no other's conversation.
            aloud = form_question.audience == "thread"
            root = (
                await self._said_aloud(where, "ask", form_question.text) if aloud else f"{HIDDEN_THREAD_PREFIX}{view}"
            )
        await self._ask(Thread(channel=channel, id=root), where, form_question, f"asked-{view}")

    async def _suggested(self, payload: Payload, where: InteractionSource) -> Mapping[str, object]:
        context = decode_context(text_of(part_of(payload, "view"), "private_metadata"))
        scope = await self._scope(where, context.get("channel", ""))
        papers = await self._backend.papers(scope, words=text_of(payload, "value"))
        return {"options": [forms.option(paper) for paper in papers]}

    async def _about(self, payload: Payload, where: InteractionSource) -> None:
        """The message shortcut: a question about a message, or about the papers that it carries."""
        message = part_of(payload, "message")
        ts = text_of(message, "ts")
        where = replace(where, thread=text_of(message, "thread_ts") or ts, message=ts)
        installation = await self._installations.of(where.workspace)
        text = readable_text(text_of(message, "text"), bot=installation.bot_user if installation is not None else "")
        files = {
            pdf.id for file in parts_of(message, "files") if (pdf := pdf_of(file, team=where.workspace.id)) is not None
        }
        chosen: list[Paper] = []
        if files:
            text = ""
            papers = await self._backend.papers(await self._scope(where), limit=_MOST_PAPERS)
            chosen = [paper for paper in papers if any(share.file_id in files for share in paper.shares)]
        form = forms.question_form(text, chosen, kept=encode_context(where, forms.CALLBACK, ""))
        await self._open(where, text_of(payload, "trigger_id"), form)

    async def _open(self, where: InteractionSource, trigger: str, view: kit.Block) -> None:
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

    async def _scope(self, where: InteractionSource, channel: str = "") -> Scope:
        """What this person may see from here, exactly; it shows papers at once."""
        visible = await self._channels.visible(where.workspace, where.user)
        current = channel or where.channel
        return Scope(workspace=where.workspace, channels=visible | ({current} if current else frozenset()))

    async def _with_channel(self, where: InteractionSource, block: str) -> InteractionSource:
        """A press in the Home tab has no channel: it goes on in the direct conversation. ``block`` knows the thread."""
        tag = block.partition("/")[0]
        thread = tag if is_timestamp(tag) or tag.startswith(HIDDEN_THREAD_PREFIX) else where.thread
        channel = where.channel
        if not channel:
            opened = await self._calls(where.workspace, "conversations.open", users=where.user)
            channel = text_of(part_of(opened, "channel"), "id")
        return replace(where, channel=channel, thread=thread)

    def _is_double(self, where: InteractionSource, value: str, ts: str) -> bool:
        """Whether the same person pressed the same button a moment ago."""
        key = f"{where.workspace.id}/{where.channel}/{where.message}/{where.user}/{value}"
        before = self._recent_presses.get(key, "")
        self._recent_presses.remember(key, ts)
        return is_timestamp(before) and is_timestamp(ts) and 0 <= float(ts) - float(before) < _DOUBLE_SECONDS
