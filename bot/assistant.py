"""What the process needs of core: the engine's surface as a protocol, so that tests can put a fake behind it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol

from bot.doors import Groups, Records
from core.domain.channel_settings import ChannelSettings, ModelUse
from core.domain.model import (
    Answer,
    Box,
    Channel,
    Citation,
    Forgotten,
    IngestReport,
    Paper,
    Passage,
    Reach,
    Scope,
    Share,
    Thread,
    Workspace,
)
from core.domain.progress import Progress, Stop
from core.domain.reply import Attachment
from core.domain.studies import Comparison, Extraction, Review, StudyOrder, Summary
from core.domain.threads import ThreadNote
from core.fetching import Fetched, Wanted


class Channels(Protocol):
    """``core.services.channels.Channels``, or what stands in for it."""

    async def settings(self, channel: Channel) -> ChannelSettings:
        """What a channel has set, the rest as usual."""

    async def put(self, channel: Channel, name: str, value: str, *, user: str) -> ChannelSettings:
        """Set one value. Raises ``SettingsInvalid``."""

    async def close(self, channel: Channel) -> Forgotten:
        """Take away every place in a channel that is gone."""


class Threads(Protocol):
    """``core.services.threads.Threads``, or what stands in for it."""

    async def asked_in(self, thread: Thread) -> bool:
        """Whether anything was asked in this thread before."""

    async def answer(self, thread: Thread, trace_id: str) -> Answer | None:
        """A stored answer of this thread."""

    async def judge(self, thread: Thread, trace_id: str, *, user: str, verdict: str, words: str = "") -> None:
        """Keep what a reader thought of an answer."""

    async def listed(self, channel: Channel) -> Sequence[ThreadNote]:
        """The channel's conversations, the one used last first."""

    async def reopen(self, earlier: Thread, here: Thread) -> int:
        """Go on with one in another thread of its channel; returns how many turns came along."""

    async def forget(self, thread: Thread) -> int:
        """Forget what was asked and answered in a thread; returns how many turns went."""

    async def trust(self, thread: Thread) -> str:
        """How far the last answer of a thread is borne out, in a sentence; empty where there is none."""


class Fetching(Protocol):
    """``core.services.fetching.Fetching``, or what stands in for it."""

    def wanted(self, words: str) -> Sequence[Wanted]:
        """The papers that ``words`` name. Raises ``PaperRejected`` for too many."""

    async def fetch(self, wanted: Wanted, to: Path) -> Fetched:
        """Write an open PDF to ``to``. Raises ``PaperRejected``, ``RateLimited`` or ``PlatformFailure``."""


class Studies(Protocol):
    """``core.services.studies.Studies``, or what stands in for it. Every call may raise ``NotInScope``."""

    async def ordered(self, text: str, *, thread: Thread, scope: Scope) -> StudyOrder | None:
        """The study that a message asks for; None where it is a question like any other."""

    async def noted(self, thread: Thread, *, asked: str, said: str, citations: Sequence[Citation]) -> None:
        """Remember in the thread that a study was made."""

    async def file_of(self, made: Comparison | Sequence[Extraction], papers: Mapping[str, Paper]) -> Attachment:
        """A table as CSV, with the pages of each cell."""

    async def summarise(
        self, scope: Scope, paper_id: str, *, model: ModelUse, progress: Progress, stop: Stop, user: str
    ) -> Summary:
        """A paper in sections."""

    async def extract(
        self,
        scope: Scope,
        paper_ids: Sequence[str],
        *,
        fields: str,
        model: ModelUse,
        progress: Progress,
        stop: Stop,
        user: str,
    ) -> Sequence[Extraction]:
        """A row a paper. Raises ``SettingsInvalid`` for fields that make no table."""

    async def compare(
        self,
        scope: Scope,
        paper_ids: Sequence[str],
        *,
        fields: str,
        model: ModelUse,
        progress: Progress,
        stop: Stop,
        user: str,
    ) -> Comparison:
        """Papers side by side."""

    async def review(
        self, scope: Scope, paper_ids: Sequence[str], *, model: ModelUse, progress: Progress, stop: Stop, user: str
    ) -> Review:
        """One paper, or several by theme."""

    async def review_topic(
        self, scope: Scope, topic: str, *, model: ModelUse, progress: Progress, stop: Stop, user: str
    ) -> Review:
        """What the papers in scope say on a topic."""


class Assistant(Protocol):
    """``core.services.engine.Engine``, or what stands in for it."""

    @property
    def groups(self) -> Groups:
        """Digests and journal clubs."""

    @property
    def records(self) -> Records:
        """Lists, tags, exports, pages, corrections."""

    @property
    def channels(self) -> Channels:
        """What channels set for themselves."""

    @property
    def threads(self) -> Threads:
        """Conversations."""

    @property
    def fetching(self) -> Fetching:
        """Papers that lie elsewhere."""

    @property
    def studies(self) -> Studies:
        """Studies of whole papers."""

    async def warm(self) -> None:
        """Load what the first question would wait for."""

    async def ingest(
        self, share: Share, *, scope: Scope, pdf: Path, file_name: str, progress: Progress
    ) -> IngestReport:
        """Take a file in; never raises for what is wrong with the file."""

    async def ask(
        self,
        question: str,
        *,
        thread: Thread,
        scope: Scope,
        progress: Progress,
        trace_id: str,
        at: datetime,
        stop: Stop,
        reach: Reach,
        user: str,
    ) -> Answer:
        """Answer in a thread."""

    async def starters(self, scope: Scope, paper_id: str) -> Sequence[str]:
        """The questions that a paper's card offers. Raises ``NotInScope``."""

    async def papers(self, scope: Scope) -> Sequence[Paper]:
        """Papers in scope, oldest first."""

    async def find(self, scope: Scope, hint: str) -> Sequence[Paper]:
        """Papers in scope that ``hint`` may mean, likeliest first."""

    async def correct(self, scope: Scope, paper_id: str, changes: Mapping[str, str], *, user: str) -> Paper:
        """A user's correction of a paper, by field; the paper as it is then."""

    async def forget(self, scope: Scope, paper_ids: Sequence[str]) -> Forgotten:
        """Forget papers of this scope."""

    async def unshare(self, workspace: Workspace, *, channel: str, message: str, file_id: str = "") -> Forgotten:
        """Take away one place where a paper was shared."""

    async def clear(self, workspace: Workspace, *, confirmed: str) -> Forgotten:
        """Forget a whole workspace; ``confirmed`` repeats its key."""

    async def reindex(self, workspace: Workspace, progress: Progress) -> int:
        """Make all vectors anew; returns how many."""

    async def passages(self, scope: Scope, paper_id: str) -> Sequence[Passage]:
        """All passages of a paper in reading order. Raises ``NotInScope``."""

    async def page_image(self, scope: Scope, paper_id: str, *, page: int, boxes: Sequence[Box] = ()) -> bytes:
        """PNG of a page with boxes marked."""
