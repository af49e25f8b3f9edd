"""What a job is doing, in words: the same on every platform that shows it."""

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


def stage_words(name: str) -> str:
    """The stage ``name`` as a reader is told of it."""
    return _STAGES.get(name, name[:1].upper() + name[1:])
