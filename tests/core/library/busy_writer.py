"""A process that changes a library without a pause and says what was confirmed, to be killed by a test.

``python -m tests.core.library.busy_writer FOLDER SEED``. Every line is one confirmed change.
"""

import asyncio
import random
import sys
from pathlib import Path

from core.domain.model import Box, Figure, Paper
from core.library import open_library
from tests.core.library.making import EMBEDDER, HERE, Made, citation, make, share, thread, turn

BOX = Box(page=1, x0=0, y0=0, x1=9, y1=9)


def numbered(folder: Path, number: int) -> Made:
    """The same paper for the same number, in every process."""
    rng = random.Random(number)
    texts = [" ".join(f"word{rng.randrange(5_000)}" for _ in range(80)) for _ in range(5 + number % 40)]
    picture = Figure(
        id="f", paper_id="", page=1, label="Figure 1", caption="", nearby="", box=BOX, image=f"PNG {number}".encode()
    )
    return make(folder, texts, title=f"Paper {number}", figures=[picture])


async def work(folder: Path, seed: int) -> None:
    """Add, share, quote and remove papers for ever."""
    opened = await open_library(folder / "data", HERE)
    rng, living = random.Random(seed), list[Paper]()
    number = seed * 1_000
    while True:
        if len(living) < 3 or rng.random() < 0.5:
            number += 1
            made = numbered(folder, number)
            await opened.library.add(made.paper, made.reading, made.vectors, embedder=EMBEDDER, pdf=made.pdf)
            living.append(made.paper)
            say("added", number)
            await opened.memory.append(thread(), turn(f"Paper {number}.", citation(made.paper.id, "word")))
        elif rng.random() < 0.3:
            paper = rng.choice(living)
            await opened.library.share(share(paper.id, "secret", message=f"again {number}"))
        else:
            paper = living.pop(rng.randrange(len(living)))
            say("removing", int(paper.title.split()[1]))
            await opened.library.remove([paper.id])
            say("removed", int(paper.title.split()[1]))


def say(what: str, number: int) -> None:
    """Tell the test, at once."""
    sys.stdout.write(f"{what} {number}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(work(Path(sys.argv[1]), int(sys.argv[2])))
