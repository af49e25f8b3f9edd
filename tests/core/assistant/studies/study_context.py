"""A few made-up papers with what a study needs around them, and models that answer as a test wants."""

import re
from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar, cast

from core.agent.reasoner import Ledger
from core.assistant.studies.study_context import StudyDependencies
from core.config import LlmConfig
from core.domain.errors import ModelUnavailable
from core.domain.language_models import UNMETERED, Meter
from core.domain.model import Citation, Evidence, Paper, Passage, Scope
from core.domain.ports import Embedder, Filters, Library, Retriever
from core.domain.progress import Stop
from core.llm import prompts
from core.llm.null_models import NullLanguageModel
from core.text import index_tokens, split_sentences
from tests.core.agent.small_library import ALL, NOON, SCOPE, Heard, SmallLibrary, paper, passage
from tests.core.search.fake_embedder import FakeEmbedder
from tests.llm.brains import claim, claims

Study = TypeVar("Study")

BARLEY = paper("b" * 64, "Drought tolerance of barley landraces", authors=["Ann Lee", "Bo Sen", "Cy Ng"], year=2020)
WHEAT = paper("w" * 64, "Heat and the yield of spring wheat", authors=["Dee Fox"], year=2021)
ESSAY = paper("e" * 64, "On the idea of the meadow", authors=["Eve Gray"], year=2019)
TEXTS = (
    passage(
        BARLEY.id,
        1,
        1,
        "Barley is grown on dry land by many farmers. However, little is known about which landraces tolerate drought. "
        "We present a field trial of barley landraces under drought. "
        "We found that landraces yielded 12% more than modern varieties under drought.",
        section="Abstract",
    ),
    passage(
        BARLEY.id,
        2,
        2,
        "Seeds of 84 landraces were collected from farmers in three valleys. "
        "A total of 1,260 plants were grown in the trial. "
        "Plants were watered for 21 days and then kept dry until harvest.",
        section="Materials and methods",
    ),
    passage(
        BARLEY.id,
        3,
        2,
        "Differences between groups were tested by analysis of variance (ANOVA) with P < 0.05. "
        "Grain yield was measured in grams per plant.",
        section="Statistical analysis",
    ),
    passage(
        BARLEY.id,
        4,
        5,
        "A limitation of our study is that it was carried out in one season only. "
        "Further research is needed to confirm these results in wetter years.",
        section="Conclusion",
    ),
    passage(
        WHEAT.id,
        1,
        1,
        "We studied how heat changes the yield of spring wheat. "
        "We found that heat reduced grain yield by 31% under field conditions. "
        "Landraces yielded less than modern varieties under drought in our trial.",
        section="Abstract",
    ),
    passage(
        WHEAT.id,
        2,
        3,
        "Seeds of 12 spring wheat varieties were collected from breeders. "
        "In total 480 plants were grown in two greenhouses. "
        "Plants were exposed to 36 °C for 10 days after flowering.",
        section="Methods",
    ),
    passage(
        WHEAT.id,
        3,
        4,
        "Grain yield was measured in grams per plant and tested with ANOVA.",
        section="Methods",
    ),
    passage(
        ESSAY.id,
        1,
        1,
        "The meadow has long been a picture of rest. Poets walked there in the evening light. "
        "Nobody asked what the meadow was for until the mowers came.",
        section="The meadow",
    ),
)


@dataclass
class Room(SmallLibrary):
    """Papers and passages in memory, with what reads a whole paper."""

    held: tuple[Paper, ...] = (BARLEY, WHEAT, ESSAY)
    texts: tuple[Passage, ...] = TEXTS

    async def paper_passages(self, scope: Scope, paper_id: str) -> Sequence[Passage]:
        return [one for one in self.texts if one.paper_id == paper_id]

    async def search(
        self,
        query: str,
        scope: Scope,
        *,
        k: int | None = None,
        filters: Filters = ALL,
        per_paper: int | None = None,
    ) -> Sequence[Evidence]:
        by_id = {one.id: one for one in self.held}
        return [Evidence(passage=one, paper=by_id[one.paper_id], score=1.0) for one in self.texts]


@dataclass
class Shelf:
    """Studies kept in a dictionary."""

    kept_: dict[str, object] = field(default_factory=dict)
    papers: dict[str, frozenset[str]] = field(default_factory=dict)

    async def kept(self, kind: type[Study], key: str) -> Study | None:
        found = self.kept_.get(key)
        return found if isinstance(found, kind) else None

    async def keep(self, study: object, key: str, *, papers: Collection[str], at: datetime) -> None:
        self.kept_[key] = study
        self.papers[key] = frozenset(papers)


@dataclass
class Says:
    """A model that writes the sentences of ``text`` for everything, each with the printed sentence most like it.

    It fills the fields of a table that ``values`` has, by name, in the same way. Its second reading lets through what
    shares most words with its quote, and everything where it ``agrees``.
    """

    text: str = ""
    values: Callable[[str], str] = lambda _: ""
    identity: str = "parrot"
    away: bool = False
    agrees: bool = False
    asked: list[str] = field(default_factory=list)

    async def structured(
        self, prompt: str, schema: Mapping[str, object], *, system: str = "", meter: Meter = UNMETERED
    ) -> Mapping[str, object]:
        self._heard(prompt)
        if system == prompts.SECOND_READING:
            pairs = re.split(r"^\d+\.$", prompt, flags=re.MULTILINE)[1:]
            return {"verdicts": [f"{at} {self._verdict(pair)}" for at, pair in enumerate(pairs, 1)]}
        names = re.findall(r"^- ([^:]+):", prompt.partition("\nFields:\n")[2], re.MULTILINE)
        filled = {name: self.values(name) for name in names if self.values(name)}
        quotes = [most_alike(value, prompt) for value in filled.values()]
        return {"fields": list(filled), "passages": [0] * len(filled), "quotes": quotes, "values": [*filled.values()]}

    async def stream(
        self,
        prompt: str,
        *,
        system: str = "",
        schema: Mapping[str, object] | None = None,
        meter: Meter = UNMETERED,
    ) -> AsyncGenerator[str, None]:
        self._heard(prompt)
        yield claims(*(claim(sentence, most_alike(sentence, prompt)) for sentence in split_sentences(self.text)))

    def _heard(self, prompt: str) -> None:
        self.asked.append(prompt)
        if self.away:
            raise ModelUnavailable("The model is away.")

    def _verdict(self, pair: str) -> str:
        quotes, _, sentence = pair.partition("\nSentence: ")
        sentence = sentence.partition("”\n")[0]
        wanted, held = set(index_tokens(sentence)), set(index_tokens(quotes))
        return "yes" if self.agrees or len(wanted & held) > 0.6 * len(wanted) else "no: other words"

    async def warm(self) -> None:
        return None

    async def close(self) -> None:
        return None


def most_alike(sentence: str, prompt: str) -> str:
    """The sentence of the passages in a prompt that shares most words with ``sentence``."""
    passages = re.split(r"^\w{8} \[\d+\] .*$", prompt, flags=re.MULTILINE)[1:]
    printed = [part for passage in passages for part in split_sentences(passage.partition("\n\n")[0])]
    wanted = set(index_tokens(sentence))
    return max(printed, key=lambda part: len(wanted & set(index_tokens(part))), default="")


def dependencies(
    model: Says | None = None, *, room: Room | None = None, shelf: Shelf | None = None
) -> StudyDependencies:
    library = room or Room()
    return StudyDependencies(
        scope=SCOPE,
        library=cast(Library, library),
        retriever=cast(Retriever, library),
        embedder=cast(Embedder, FakeEmbedder()),
        model=model or NullLanguageModel(),
        llm=LlmConfig(context_tokens=16_000),
        study_store=shelf or Shelf(),
        now=lambda: NOON,
        progress=Heard(),
        stop=Stop(),
        ledger=Ledger(),
    )


def printed(citations: Sequence[Citation], texts: Sequence[Passage] = TEXTS) -> bool:
    """Whether every quote stands in the passage that it names, on its page."""
    by_id = {one.id: one for one in texts}
    spans = [span for one in citations for span in one.spans]
    return bool(spans) and all(
        by_id[one.passage_id].page == one.page
        and " ".join(one.quote.split()) in " ".join(by_id[one.passage_id].text.split())
        for one in spans
    )
