"""Control questions for a model that judges: one that cannot tell what a passage answers is not believed when it does.

Each is a passage of our own with a question that it answers or one that it only sounds like answering. A weak model
finds everything sufficient, or nothing; neither passes. They are asked once, when for the first time a verdict of
the model would make an answer out of nothing, and never again by the same process.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from core.agent.generative import context_window, prompts
from core.agent.generative.pointed_quote import named
from core.domain.errors import ModelReplyUnusable, ModelUnavailable
from core.domain.language_models import LanguageModel
from core.domain.model import Evidence, Metadata, Paper, Passage

MISSED = 1
"""How many questions that a passage answers may be taken for unanswered; none may be taken for answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """A passage, a question, and words of the passage that answer it; no words where it does not."""

    title: str
    passage: str
    question: str
    answer: str = ""


CONTROLS: tuple[Control, ...] = (
    Control(
        title="Shade and the flowering of hill tea",
        passage="We followed 64 bushes on two slopes for three seasons. Bushes under nets flowered eleven days later "
        "than bushes in full sun. Leaf weight did not differ between the groups.",
        question="How much later did bushes under nets flower?",
        answer="eleven days later",
    ),
    Control(
        title="Shade and the flowering of hill tea",
        passage="We followed 64 bushes on two slopes for three seasons. Bushes under nets flowered eleven days later "
        "than bushes in full sun. Leaf weight did not differ between the groups.",
        question="How much did the nets cost?",
    ),
    Control(
        title="Spotting cracks in bridge cables by sound",
        passage="The detector was trained on 9,200 recordings. It missed 4 percent of the cracked cables and raised "
        "a false alarm for 7 percent of the sound ones. Recordings were cut to two seconds.",
        question="What share of cracked cables did the detector miss?",
        answer="4 percent",
    ),
    Control(
        title="Spotting cracks in bridge cables by sound",
        passage="The detector was trained on 9,200 recordings. It missed 4 percent of the cracked cables and raised "
        "a false alarm for 7 percent of the sound ones. Recordings were cut to two seconds.",
        question="On which graphics card was the detector trained?",
    ),
    Control(
        title="Reading aloud in the first school year",
        passage="Pupils read to a partner for ten minutes a day. After one term their fluency had risen, most of all "
        "among those who had begun slowest. Teachers wished for more books.",
        question="Which pupils gained most in fluency?",
        answer="begun slowest",
    ),
    Control(
        title="Reading aloud in the first school year",
        passage="Pupils read to a partner for ten minutes a day. After one term their fluency had risen, most of all "
        "among those who had begun slowest. Teachers wished for more books.",
        question="Which statistical test was used to compare the pupils?",
    ),
    Control(
        title="Salt tolerance of a dune grass",
        passage="Seedlings were watered with brine of rising strength. Growth stopped at 280 millimoles a litre "
        "because the roots no longer took up potassium. Two of thirty plants died.",
        question="Why did growth stop?",
        answer="no longer took up potassium",
    ),
    Control(
        title="Salt tolerance of a dune grass",
        passage="Seedlings were watered with brine of rising strength. Growth stopped at 280 millimoles a litre "
        "because the roots no longer took up potassium. Two of thirty plants died.",
        question="Which gene makes the grass tolerant of salt?",
    ),
)


class Controls:
    """Knows whether a model has passed; asks it at most once."""

    def __init__(self, model: LanguageModel, controls: Sequence[Control] = CONTROLS) -> None:
        self._model = model
        self._controls = controls
        self._asking = asyncio.Lock()
        self._passed: bool | None = None

    async def passed(self) -> bool:
        """Whether the model tells what a passage answers. A model that is away has not passed, and is asked anew."""
        async with self._asking:
            if self._passed is None:
                try:
                    right = await asyncio.gather(*(self._right(one) for one in self._controls))
                except ModelUnavailable:
                    return False
                pairs = list(zip(self._controls, right, strict=True))
                missed = sum(not fine for one, fine in pairs if one.answer)
                taken_in = sum(not fine for one, fine in pairs if not one.answer)
                self._passed = not taken_in and missed <= MISSED
            return self._passed

    async def _right(self, control: Control) -> bool:
        evidence = (_evidence(control),)
        prompt = prompts.judging(control.question, context_window.fenced(evidence))
        try:
            said = await self._model.structured(prompt, prompts.JUDGED, system=prompts.JUDGE)
        except ModelReplyUnusable:
            return False
        return _told(said, control, evidence)


def _told(said: Mapping[str, object], control: Control, evidence: Sequence[Evidence]) -> bool:
    sufficient = said.get("sufficient") is True
    if not control.answer:
        return not sufficient
    found = named(str(said.get("quote", "")), evidence)
    return sufficient and found is not None and control.answer in found.words


def _evidence(control: Control) -> Evidence:
    metadata = Metadata(title=control.title)
    paper = Paper(
        id="control",
        file_name="",
        metadata=metadata,
        pages=1,
        kind="born digital",
        added_at=datetime(2000, 1, 1, tzinfo=UTC),
    )
    passage = Passage(
        id="control",
        paper_id=paper.id,
        ordinal=0,
        page=1,
        section=(),
        kind="text",
        text=control.passage,
        indexed_text=control.passage,
    )
    return Evidence(passage=passage, paper=paper, score=1.0)
