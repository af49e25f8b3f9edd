"""What a job is doing, in words: the same on every platform that shows it."""

from core.domain.progress import BEFORE_QUESTION

_STAGES = {
    "fetching": "Fetching the file",
    "reading": "Reading the pages",
    "embedding": "Learning what it says",
    "understanding": "Understanding the question",
    "searching": "Searching the papers",
    "looking": "Looking at figures",
    "writing": "Writing, each sentence checked against its page",
    "reading values": "Reading values out of the papers",
}


def stage_words(name: str, *, of: str = "") -> str:
    """The stage ``name`` as a reader is told of it; ``of`` is the file that is read, where that has to be said."""
    stage = name.removesuffix(BEFORE_QUESTION)
    words = _STAGES.get(stage, stage[:1].upper() + stage[1:])
    if of:
        words += f" of {of}" if stage == "reading" else f": {of}"
    return words + name.removeprefix(stage)
