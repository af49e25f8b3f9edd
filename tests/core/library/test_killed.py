"""kill -9 in the middle of writing: what was confirmed is there, nothing is half, nothing is left over."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.library import OpenLibrary, open_library, workspace_folder
from core.text import index_tokens
from tests.core.library.busy_writer import numbered
from tests.core.library.making import HERE, scope

ROOT = Path(__file__).parents[3]
KILLS = 6
EVERYWHERE = scope("general", "secret")


def killed_at(folder: Path, seed: int, confirmations: int, delay: float) -> list[tuple[str, int]]:
    """Run the writer, kill it ``delay`` seconds after so many confirmed changes; returns what it confirmed."""
    command = [sys.executable, "-m", "tests.core.library.busy_writer", str(folder), str(seed)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        lines = [writer.stdout.readline() for _ in range(confirmations)]
        time.sleep(delay)
        writer.kill()
        lines += writer.stdout.read().splitlines()
    words = [line.split() for line in lines]
    return [(what, int(number)) for what, number in words]


@pytest.mark.slow
async def test_a_killed_writer_leaves_nothing_half(tmp_path: Path) -> None:
    rng = random.Random(11)
    sure, maybe = set[int](), set[int]()
    for seed in range(1, KILLS + 1):
        confirmed = killed_at(tmp_path, seed, rng.randrange(2, 14), rng.random() * 0.15)
        for what, number in confirmed:
            if what == "added":
                sure.add(number)
            elif what == "removing":
                sure.discard(number)
                maybe.add(number)
            else:
                maybe.discard(number)
        opened = await open_library(tmp_path / "data", HERE)
        found = await whole_papers(opened, tmp_path)
        assert sure <= found
        # Besides what was confirmed there may be the change that was under way, and no other.
        assert {number for number in found - sure if number not in maybe} <= {next_number(confirmed)}
        await opened.forgetting.settled()
        await opened.close()
        sure |= found
        maybe.clear()


def next_number(confirmed: list[tuple[str, int]]) -> int:
    """The number of the paper that the writer would have added next."""
    return max(number for what, number in confirmed if what == "added") + 1


async def whole_papers(opened: OpenLibrary, folder: Path) -> set[int]:
    """Numbers of the papers in the library, each compared with what it must be, to the last row and file."""
    library = opened.library
    papers = await library.papers(EVERYWHERE)
    passages = 0
    for paper in papers:
        made = numbered(folder, int(paper.title.split()[1]))
        assert paper.id == made.paper.id
        assert list(await library.paper_passages(EVERYWHERE, paper.id)) == list(made.reading.passages)
        assert (await library.pdf(EVERYWHERE, paper.id)).read_bytes() == made.pdf.read_bytes()
        (figure,) = await library.figures(EVERYWHERE, paper.id)
        assert figure.image == made.reading.figures[0].image
        within = EVERYWHERE.within(frozenset({paper.id}))
        hits = await opened.lexical.matching(within, index_tokens("paper"), limit=500)
        assert len(hits) == len(made.reading.passages)
        passages += len(made.reading.passages)
    assert len(await library.vector_numbers()) == len(await library.numbers(EVERYWHERE)) == passages
    async with library._database.read() as connection:
        for check in ("PRAGMA integrity_check", "PRAGMA foreign_key_check"):
            rows = [row[0] for row in await connection.execute_fetchall(check)]
            assert rows in ([], ["ok"])
        indexed = await connection.execute_fetchall("SELECT count(*) FROM lexical_row")
        assert next(iter(indexed))[0] == passages
    await library._database.write(
        lambda c: c.execute_fetchall("INSERT INTO lexical (lexical) VALUES ('integrity-check')")
    )
    home = workspace_folder(folder / "data", HERE)
    assert {path.name for path in (home / "papers").iterdir()} == {f"{paper.id}.pdf" for paper in papers}
    assert len(list((home / "figures").iterdir())) == len(papers)
    return {int(paper.title.split()[1]) for paper in papers}
