"""Synthetic papers and questions for measuring large workspaces.

Words follow the law of Zipf and Mandelbrot; the most frequent are true stop words, papers have topics, passages vary
in length, and a question takes its words from a passage, common ones included. As in real papers is the share of
passages that hold a question's words, which is what a lexical index pays for.
"""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from core.domain.model import Box, Metadata, Paper, Passage, Reading, Scope, Share, Workspace
from evals.measured_search import OpenLibrary, open_library

if TYPE_CHECKING:
    import numpy as np

CHANNELS = 10
PASSAGES = 80
DIMENSION = 384
WORKSPACE = Workspace(platform="local", id="synthetic")
EVERYTHING = Scope(workspace=WORKSPACE, channels=frozenset({f"C{number}" for number in range(CHANNELS)}))
_WORDS = 100_000
_STOP_SHARE = 0.4
_TOPICS = 40
_TOPIC_WORDS = 400
_OF_TOPIC = 0.25
"""Share of the remaining words that come from the paper's topic; a group's library has a few dozen topics."""
_STOP = (
    "the of and in to a is that for with as by on are was were be this from at which an or it we have not their these "
    "has can between more been also than such they but our its into may all other one most some when if no only both "
    "there each through those over then so do how any under who where about because does"
).split()
_SYLLABLES = [first + vowel for first in "b c d f g h k l m n p r s t v w z".split() for vowel in "aeiou"]
_CORNERS = ("oldest", "tallest", "driest", "northern")
_AT = datetime(2026, 1, 1, tzinfo=UTC)


class SyntheticPapers:
    """Makes papers, and questions about what is in them; the same seed makes the same.

    ``made`` papers count as made already: a library that was filled before goes on with others of the same topics.
    """

    def __init__(self, seed: int, *, made: int = 0) -> None:
        import numpy as np

        self._random = np.random.default_rng(seed)
        share = 1.0 / (np.arange(_WORDS) + 30.0) ** 1.1
        self._below = np.cumsum(share / share.sum())
        self._topics = self._random.integers(200, _WORDS // 4, size=(_TOPICS, _TOPIC_WORDS))
        steep = 1.0 / (np.arange(_TOPIC_WORDS) + 5.0)
        self._below_topic = np.cumsum(steep / steep.sum())
        self._made = made
        if made:
            self._random = np.random.default_rng([seed, made])

    def paper(self) -> tuple[Paper, Reading, "np.ndarray[tuple[int, int], np.dtype[np.float32]]"]:
        """One paper of ``PASSAGES`` passages with random unit vectors."""
        import numpy as np

        self._made += 1
        paper_id = sha256(f"paper {self._made}".encode()).hexdigest()
        topic = int(self._random.integers(_TOPICS))
        title = " ".join(self._words(9, topic))
        passages = tuple(self._passage(paper_id, title, topic, index) for index in range(PASSAGES))
        metadata = Metadata(title=title, authors=(f"Author {self._made}",), year=2000 + self._made % 25)
        share = Share(
            paper_id=paper_id, channel=f"C{self._made % CHANNELS}", message=f"m{self._made}", user="u", at=_AT
        )
        paper = Paper(
            id=paper_id,
            file_name=f"{self._made}.pdf",
            metadata=metadata,
            pages=10,
            kind="born digital",
            added_at=_AT,
            shares=(share,),
        )
        vectors = self._random.standard_normal((PASSAGES, DIMENSION)).astype("float32")
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return paper, Reading(metadata=metadata, kind="born digital", pages=10, passages=passages), vectors

    def question(self, passage: Passage, words: int = 7) -> str:
        """Words of a passage as they come, the stop words left out, in a question's frame."""
        content = [word for word in dict.fromkeys(passage.text.lower().replace(".", "").split()) if word not in _STOP]
        chosen = sorted(self._random.permutation(len(content))[:words].tolist())
        picked = [content[index] for index in chosen]
        half = len(picked) // 2
        return f"How does the {' '.join(picked[:half])} in the {' '.join(picked[half:])}?"

    def _words(self, count: int, topic: int) -> list[str]:
        import numpy as np

        general = np.searchsorted(self._below, self._random.random(count)).clip(max=_WORDS - 1)
        special = self._topics[topic][
            np.searchsorted(self._below_topic, self._random.random(count)).clip(max=_TOPIC_WORDS - 1)
        ]
        ranks = np.where(self._random.random(count) < _OF_TOPIC, special, general)
        small = np.minimum(self._random.geometric(0.05, count) - 1, len(_STOP) - 1)
        ranks = np.where(self._random.random(count) < _STOP_SHARE, small, ranks + len(_STOP))
        return [spelt(rank) for rank in ranks.tolist()]

    def _passage(self, paper_id: str, title: str, topic: int, index: int) -> Passage:
        section = (f"{index // 8 + 1} {title.split()[index // 8 % 9]}",)
        text = self._text(topic)
        boxes = tuple(Box(page=index // 8 + 1, x0=72, y0=72 + 12 * n, x1=520, y1=84 + 12 * n) for n in range(10))
        return Passage(
            id=sha256(f"{paper_id}{index}".encode()).hexdigest()[:20],
            paper_id=paper_id,
            ordinal=index,
            page=index // 8 + 1,
            section=section,
            kind="table" if index % 20 == 19 else "text",
            text=text,
            indexed_text=f"{title}\n{section[0]}\n{text}",
            boxes=boxes,
        )

    def _text(self, topic: int) -> str:
        """Three to seven sentences of 8 to 30 words."""
        lengths = self._random.integers(8, 30, size=int(self._random.integers(3, 8))).tolist()
        words = self._words(sum(lengths), topic)
        sentences = []
        for length in lengths:
            taken, words = words[:length], words[length:]
            sentences.append(" ".join([taken[0].capitalize(), *taken[1:]]) + ".")
        return " ".join(sentences)


async def fill_library(folder: Path, passages: int, workspace: Workspace = WORKSPACE) -> None:
    """Add papers to the library in ``folder`` until there are enough; what it holds from before counts.

    A file ``paper.pdf`` in the folder stands for all of them.
    """
    pdf = await asyncio.to_thread(_write_stub, folder)
    async with library_in(folder, workspace) as opened:
        await _fill(opened, passages, replace(EVERYTHING, workspace=workspace), pdf)


@asynccontextmanager
async def library_in(folder: Path, workspace: Workspace = WORKSPACE) -> AsyncIterator[OpenLibrary]:
    """The library in ``folder``, closed at the end: its connections would keep the process alive after an error."""
    opened = await open_library(folder, workspace)
    try:
        yield opened
    finally:
        await opened.close()


async def _fill(opened: OpenLibrary, passages: int, scope: Scope, pdf: Path) -> None:
    present = len(await opened.library.numbers(scope))
    papers = SyntheticPapers(7, made=present // PASSAGES)
    for done in range(present, passages, PASSAGES):
        paper, reading, vectors = papers.paper()
        await opened.library.add(paper, reading, vectors, embedder="synthetic", pdf=pdf)
        if done % 4_000 == 0:
            sys.stderr.write(f"\r{done} of {passages} passages")


def _write_stub(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    pdf = folder / "paper.pdf"
    pdf.write_bytes(b"%PDF-1.7\n")
    return pdf


def write_long_pdf(path: Path, *, pages: int) -> Path:
    """A paper of full pages of plain English, each sentence with numbers of its own."""
    import pymupdf

    with pymupdf.open() as document:
        for page in range(pages):
            sentences = (
                f"Plot {page * 100 + number} was visited on day {number + 1} of season {page + 1}; its stakes stood "
                f"where they had been left, and the {_CORNERS[number % 4]} corner was photographed first."
                for number in range(22)
            )
            new = document.new_page()
            new.insert_text((72, 60), f"{page + 1} Plots of season {page + 1}", fontsize=14, fontname="hebo")
            new.insert_textbox((72, 80, 523, 790), " ".join(sentences), fontsize=10)
        document.save(path)
    return path


@cache
def spelt(rank: int) -> str:
    """The word of this rank: a stop word, or syllables that no other rank has."""
    if rank < len(_STOP):
        return _STOP[rank]
    left, syllables = rank - len(_STOP), ["x"]
    while left or len(syllables) < 3:
        left, syllable = divmod(left, len(_SYLLABLES))
        syllables.append(_SYLLABLES[syllable])
    return "".join(syllables)
