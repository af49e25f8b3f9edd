"""Conversations as they are listed, remembered in short and stopped. They stand beside the turns they are made of."""

from dataclasses import dataclass
from datetime import datetime

from core.domain.model import Citation, Thread


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadNote:
    """A conversation in a list: its first question, how many were asked, when last, and the papers it cites."""

    thread: Thread
    opening: str
    questions: int
    last_at: datetime
    papers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Recollection:
    """The running summary of a thread's older turns.

    ``covers`` is how many turns it stands for, counted from the first; ``citations`` are what these cited and make
    sure that the summary goes with a forgotten paper. ``model`` names the language model that wrote it, or is empty.
    """

    text: str
    covers: int
    citations: tuple[Citation, ...] = ()
    model: str = ""
