"""Which paper a person means: a number of the list, an id, a file name or words of a title. Pure."""

import re
from collections.abc import Sequence

from core.domain.model import Paper


def named(papers: Sequence[Paper], words: str) -> Sequence[Paper]:
    """The papers that ``words`` may mean: one where it is clear, several where it is not, none where nothing fits."""
    words = words.strip().strip("\"'“”")
    if not words:
        return ()
    number = re.fullmatch(r"#?(\d{1,6})", words)
    if number and 1 <= int(number[1]) <= len(papers):
        return (papers[int(number[1]) - 1],)
    low = words.lower()
    for test in (
        lambda paper: paper.id == low,
        lambda paper: len(low) >= 6 and paper.id.startswith(low),
        lambda paper: low in (paper.file_name.lower(), paper.title.lower()),
        lambda paper: low in paper.title.lower() or low in paper.file_name.lower(),
        lambda paper: all(word in _about(paper) for word in low.split()),
    ):
        found = [paper for paper in papers if test(paper)]
        if found:
            return found
    return ()


def _about(paper: Paper) -> str:
    data = paper.metadata
    return " ".join([data.title, *data.authors, str(data.year or ""), paper.file_name]).lower()
