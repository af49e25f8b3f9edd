"""Signs of life of one job in Slack: a native stream with task cards where there is one, paced edits elsewhere.

An answer grows sentence by sentence in one message, whose id is stored before anything more goes into it. The
finished reply then takes that message's place; until then there is a way to stop.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from adapters.common.progress import NEW_ANSWER_PREFIXES, QUESTION_PREFIXES, Edits, stage_words
from adapters.slack import render
from adapters.slack.delivery import Delivery
from adapters.slack.payload import text_of
from adapters.slack.web_api import SlackRefused, SlackUnsure, WebApi
from core.domain.citation_format import sentence_text
from core.domain.errors import FootnoteError, PlatformFailure, RateLimited
from core.domain.model import Citation, Sentence, Thread
from core.domain.platforms import Posted

_STREAM_SECONDS = 0.6
_EDIT_SECONDS = 1.2
_CHUNK = 3_000
_TASK = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Whose signs these are. ``asker`` is empty where it is not known (any more); ``label`` names a file."""

    thread: Thread
    key: str
    asker: str
    label: str

    @property
    def answers(self) -> bool:
        """Whether it is a question, which streams and can be stopped."""
        return self.key.startswith(QUESTION_PREFIXES)


@dataclass(frozen=True, slots=True, kw_only=True)
class _State:
    status: str = ""
    sentences: tuple[str, ...] = ()


class Abilities:
    """What a workspace's Slack has turned out not to know, so that it is not asked for again."""

    def __init__(self) -> None:
        self._lacking: set[tuple[str, str]] = set()

    def has(self, workspace: str, what: str) -> bool:
        """Whether it may be tried."""
        return (workspace, what) not in self._lacking

    def lacks(self, workspace: str, what: str) -> None:
        """It was refused."""
        self._lacking.add((workspace, what))


class StreamedReply:
    """The ``Progress`` of one job; ``end`` must be awaited before the reply is sent."""

    def __init__(
        self, calls: WebApi, posts: Delivery, job: Job, *, reply_id: str, posted: Posted, abilities: Abilities
    ) -> None:
        self._calls = calls
        self._posts = posts
        self._job = job
        self._id = reply_id
        self._posted = posted
        self._abilities = abilities
        self._state = _State()
        self._shown = _State()
        self._streaming = False
        self._session = False
        self._tasks = 0
        pace = _STREAM_SECONDS if job.answers else _EDIT_SECONDS
        self._edits: Edits[_State] = Edits(self._show, seconds=pace)

    async def step(self, name: str, done: int, total: int) -> None:
        """Show what is being done; newer steps pass over older ones that were not shown yet."""
        words = stage_words(name, of=self._job.label)
        counted = f" ({done} of {total})" if total > 1 and not self._job.answers else ""
        self._change(replace(self._state, status=f"{words}{counted} …"))

    async def sentence(self, sentence: Sentence, citations: Sequence[Citation]) -> None:
        """Show a sentence that passed verification."""
        words = sentence_text(sentence)
        self._change(replace(self._state, sentences=(*self._state.sentences, words)))

    async def end(self) -> None:
        """Show nothing more and close the stream. Raises ``PlatformFailure`` where it cannot be closed now."""
        await self._edits.close()
        thread = self._job.thread
        if self._streaming:
            await self._posts.end_stream(thread, self._id)
            self._streaming = False
        elif self._session:
            await self._status("active")

    def _change(self, state: _State) -> None:
        if state != self._state:
            self._state = state
            self._edits.show(state)

    async def _show(self, state: _State) -> None:
        if self._streaming:
            await self._append(state)
        elif not self._id and self._may_stream() and await self._began(state):
            await self._keep()
        else:
            # In a thread that this process did not begin there may be a message already: it is found and gone on with.
            await self._edited(state)
        self._shown = state

    def _may_stream(self) -> bool:
        job, workspace = self._job, self._job.thread.channel.workspace.id
        direct = job.thread.channel.id.startswith("D")
        return bool(
            job.key.startswith(NEW_ANSWER_PREFIXES)
            and job.thread.id
            and (job.asker or direct)
            and self._abilities.has(workspace, "stream")
        )

    async def _began(self, state: _State) -> bool:
        thread, workspace = self._job.thread, self._job.thread.channel.workspace
        if (await self._posts.found(thread, self._job.key)).parts:
            return False
        self._session = await self._status("processing")
        try:
            answer = await self._calls(
                workspace,
                "chat.startStream",
                channel=thread.channel.id,
                thread_ts=thread.id,
                recipient_user_id=self._job.asker,
                recipient_team_id=workspace.id if self._job.asker else "",
                task_display_mode="timeline",
                chunks=self._chunks(state),
            )
        except RateLimited:
            return False
        except SlackUnsure:
            self._posts.unsure(self._job.key)
            raise
        except SlackRefused as refusal:
            if refusal.code not in ("channel_not_found", "not_in_channel", "is_archived"):
                self._abilities.lacks(workspace.id, "stream")
            return False
        self._id = text_of(answer, "ts")
        self._streaming = True
        return True

    async def _append(self, state: _State) -> None:
        chunks = self._chunks(state)
        if chunks:
            thread = self._job.thread
            await self._calls(
                thread.channel.workspace, "chat.appendStream", channel=thread.channel.id, ts=self._id, chunks=chunks
            )

    async def _edited(self, state: _State) -> None:
        stop = self._job.thread.id if self._job.answers else ""
        message = render.partial_answer(state.sentences, state.status, stop=stop)
        if self._id:
            await self._posts.edit(self._job.thread, self._id, message, key=self._job.key)
            return
        self._id = await self._posts.put(self._job.thread, message, key=self._job.key)
        await self._keep()

    async def _keep(self) -> None:
        """Have the message's id stored; where that fails, the look at the thread finds it by its key."""
        self._posts.posted(self._job.key, self._id)
        try:
            await self._posted(self._id)
        except FootnoteError as failure:
            raise PlatformFailure("The id of a message could not be stored.") from failure

    async def _status(self, status: str) -> bool:
        """Slack's own "is working" with its stop button, where the app is an agent there."""
        thread = self._job.thread
        workspace = thread.channel.workspace
        if not thread.id or not self._abilities.has(workspace.id, "session"):
            return False
        try:
            await self._calls(
                workspace,
                "agents.sessions.setStatus",
                channel_id=thread.channel.id,
                thread_ts=thread.id,
                status=status,
            )
        except SlackRefused:
            self._abilities.lacks(workspace.id, "session")
            return False
        except PlatformFailure:
            return False
        return True

    def _chunks(self, state: _State) -> list[object]:
        """What of ``state`` is new, as Slack's streaming chunks."""
        chunks: list[object] = []
        if state.status != self._shown.status:
            if self._shown.status:
                chunks.append(self._task(self._shown.status, "complete"))
            self._tasks += 1
            chunks.append(self._task(state.status, "in_progress"))
        fresh = " ".join(render.escape_stream(sentence) for sentence in state.sentences[len(self._shown.sentences) :])
        if fresh and self._shown.sentences:
            fresh = f" {fresh}"
        pieces = (fresh[start : start + _CHUNK] for start in range(0, len(fresh), _CHUNK))
        chunks += [{"type": "markdown_text", "text": piece} for piece in pieces]
        return chunks

    def _task(self, status: str, how: str) -> object:
        return {"type": "task_update", "id": f"step-{self._tasks}", "title": status[:_TASK], "status": how}
