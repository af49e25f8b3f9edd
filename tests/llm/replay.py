"""A real model's recorded replies, given again in their order by step of the question at hand.

What is asked may have changed since (other prompts, other passages): the replies are then as good as those of a model
that did not read closely, and no less a test of what is let through.
"""

import json
from collections import defaultdict
from pathlib import Path

from tests.llm.brains import step_of
from tests.llm.scripted_server import Request, Says

TRANSCRIPTS = Path(__file__).with_name("transcripts")


class Replay:
    """A script for ``ScriptedServer``; set ``question`` before each question."""

    def __init__(self, name: str) -> None:
        self.question = ""
        self._kept: dict[tuple[str, str], list[Says]] = defaultdict(list)
        self._given: dict[tuple[str, str], int] = defaultdict(int)
        self._refused: set[str] = set()
        for line in (TRANSCRIPTS / name).read_text("utf-8").splitlines():
            row = json.loads(line)
            if row["status"] != 200:
                self._refused.add(row["way"])
                continue
            says = Says(
                text=row["said"],
                tool=row["way"] == "function_calling",
                ending="length" if row["ended"] == "length" else "stop",
            )
            self._kept[row["question"], row["step"]].append(says)

    def __call__(self, request: Request) -> Says:
        if request.method in self._refused:
            return Says(status=500, error="not offered")
        key = self.question, step_of(request.words)
        kept = self._kept[key]
        if not kept:
            return Says(status=400, error="never asked")
        number = self._given[key]
        self._given[key] += 1
        return kept[min(number, len(kept) - 1)]
