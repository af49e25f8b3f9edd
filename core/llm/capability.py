"""Control questions decide what a model is used for: to write claims, to give search words alone, or for nothing.

They are put with the prompts of real answers, over passages of our own: to prove a number by a verbatim quote and say
what is missing, to say that nothing answers, to read faithful and false sentences, to give search words. The outcome is
kept for the endpoint, the model and the version of the prompts, so that it is asked for once and not by every process.
"""

import asyncio
import json
import re
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from core.domain.entailment import EntailmentPair
from core.domain.errors import ModelReplyUnusable, ModelUnavailable
from core.domain.language_models import Capability, EndpointMemory, LanguageModel, Meter
from core.domain.model import Usage
from core.llm import prompts
from core.llm.second_reading import SecondReading
from core.text import alphanumeric_key

__all__ = ["Capability", "ControlQuestions", "ControlReport"]

_MARK = "c0117a1e"
PASSAGES: Sequence[tuple[str, str]] = (
    (
        "Reading aloud in the first school year | Imboden | 2016 | Results | p. 4",
        "Pupils read to a partner for ten minutes a day. After one term their fluency had risen, most of all among "
        "those who had begun slowest. Teachers wished for more books.",
    ),
    (
        "Spotting cracks in bridge cables by sound | Raske et al. | 2021 | Evaluation | p. 6",
        "The detector was trained on 9,200 recordings. It missed 4 percent of the cracked cables and raised a false "
        "alarm for 7 percent of the sound ones. Recordings were cut to two seconds.",
    ),
    (
        "Salt tolerance of a dune grass | Okell and Brandt | 2019 | Growth | p. 3",
        "Seedlings were watered with brine of rising strength. Growth stopped at 280 millimoles a litre because the "
        "roots no longer took up potassium. Two of thirty plants died.",
    ),
    (
        "Night trains and the sleep of their staff | Verhoef | 2014 | Methods | p. 2",
        "We asked 118 attendants on four lines to keep a diary for three weeks. Attendants who slept in two parts may "
        "have been less tired, but the difference was within the error of the scale.",
    ),
)
_HALF = "What share of the cracked cables did the detector miss, and on which graphics card was it trained?"
_HALF_FACT = "4 percent"
_NOTHING = "Which gene makes the dune grass tolerant of salt?"
_PAIRS: Sequence[tuple[int, str, str, bool]] = (
    (1, "It missed 4 percent of the cracked cables", "Four in a hundred cracked cables went unnoticed.", True),
    (1, "It missed 4 percent of the cracked cables", "The detector missed 4 percent of the sound cables.", False),
    (2, "Growth stopped at 280 millimoles a litre", "Bei 280 Millimol pro Liter hörte das Wachstum auf.", True),
    (
        2,
        "Growth stopped at 280 millimoles a litre because the roots no longer took up potassium",
        "The roots no longer took up potassium because growth had stopped.",
        False,
    ),
    (0, "most of all among those who had begun slowest", "The slowest readers at the start gained most.", True),
    (
        3,
        "Attendants who slept in two parts may have been less tired",
        "Sleep in two parts made staff less tired.",
        False,
    ),
)
"""Number of the passage from 0, quote, sentence, and whether the quote bears the sentence out."""
_MOST_FAITHFUL_MISSED = 1
_TURNS = ("Asked: On how many recordings was the bridge cable detector trained?", "Answered: On 9,200 recordings.")
_FOLLOW_UP = "And how often did it give a false alarm?"
_FEWEST_WORDS = 3

_MISSING = re.compile(r'"missing"\s*:\s*\[[^\]]*\w')


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlReport:
    """What the control questions found, what kept the model from more, and what they took."""

    capability: Capability
    shortcomings: tuple[str, ...] = ()
    seconds: float = 0.0
    usage: Usage = field(default_factory=Usage)


class _Counter(Meter):
    def __init__(self) -> None:
        self.usage = Usage()

    def spent(self, usage: Usage) -> None:
        self.usage += usage


class ControlQuestions:
    """Knows what a model can be used for; asks it only where ``memory`` does not know it for these prompts."""

    def __init__(
        self, model: LanguageModel, memory: EndpointMemory, *, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._model = model
        self._memory = memory
        self._now = now
        self._asking = asyncio.Lock()

    def known(self) -> ControlReport | None:
        """What was found before, by whichever process."""
        facts = self._memory.facts()
        if facts.capability is None or facts.prompts != prompts.VERSION:
            return None
        return ControlReport(capability=facts.capability, shortcomings=facts.shortcomings)

    async def capability(self) -> Capability:
        """What the model is used for. Raises ``ModelUnavailable`` where it is away, and is asked again next time."""
        async with self._asking:
            report = self.known() or await self.ask()
        return report.capability

    async def ask(self) -> ControlReport:
        """Put the questions and keep what they found. Raises ``ModelUnavailable``, and keeps nothing then."""
        await self._model.warm()  # loading our own libraries is no time of the model's
        counter, began = _Counter(), self._now()
        checks = (self._half_answer, self._no_answer, self._second_reading, self._search_words)
        found = await asyncio.gather(*(_outcome(check(counter)) for check in checks))
        for failure in found:
            if isinstance(failure, ModelUnavailable):
                raise failure
        writing = [words for words in cast(list[str], found[:-1]) if words]
        searching = cast(str, found[-1])
        report = ControlReport(
            capability="none" if searching and writing else "search_words" if writing else "claims",
            shortcomings=tuple([*writing, searching] if writing and searching else writing),
            seconds=self._now() - began,
            usage=counter.usage,
        )
        self._memory.learn(
            lambda facts: replace(
                facts, capability=report.capability, shortcomings=report.shortcomings, prompts=prompts.VERSION
            )
        )
        return report

    async def _half_answer(self, meter: Meter) -> str:
        reply = await self._claims(_HALF, meter)
        claims = _claims(reply)
        right = [claim for claim in claims if any(_HALF_FACT in quote for _, quote in _quotes(claim))]
        if not claims or not all(map(_is_quoted, claims)):
            return "it did not quote word for word from the passage that it named"
        if not any("4" in str(claim["sentence"]) for claim in right):
            return "it did not find the number that was asked for"
        return "" if _MISSING.search(reply) else "it did not say what the passages lack"

    async def _no_answer(self, meter: Meter) -> str:
        reply = await self._claims(_NOTHING, meter)
        answered = not _MISSING.search(reply) or not all(map(_is_quoted, _claims(reply)))
        return "it gave an answer where the passages have none" if answered else ""

    async def _second_reading(self, meter: Meter) -> str:
        pairs = [_pair(index, quote, sentence) for index, quote, sentence, _ in _PAIRS]
        verdicts = await SecondReading(self._model, meter).judge(pairs)
        accepted = [verdict.entailed for verdict in verdicts]
        faithful = [pair[3] for pair in _PAIRS]
        if any(yes and not true for yes, true in zip(accepted, faithful, strict=True)):
            return "it took a false sentence for a true one"
        missed = sum(faithful) - sum(accepted)
        return "it took true sentences for false ones" if missed > _MOST_FAITHFUL_MISSED else ""

    async def _search_words(self, meter: Meter) -> str:
        papers = [head.partition(" | ")[0] for head, _ in PASSAGES]
        asked = prompts.search_words(_FOLLOW_UP, _TURNS, papers, 3)
        reply = await self._model.structured(asked, prompts.SEARCHED, system=prompts.SEARCH_WORDS, meter=meter)
        words = " ".join(cast(Sequence[str], reply["words"])).split()
        return "" if len(words) >= _FEWEST_WORDS and reply["question"] else "it gave no words to search with"

    async def _claims(self, question: str, meter: Meter) -> str:
        shown = "\n\n".join(f"[{number}] {_MARK} {head}\n{text}" for number, (head, text) in enumerate(PASSAGES, 1))
        passages = f"Passages, each behind its number and {_MARK}:\n\n{shown}"
        asked = prompts.claims(passages, prompts.answering(question, ()), 3)
        pieces = self._model.stream(asked, system=prompts.CLAIMS, schema=prompts.CLAIMED, meter=meter)
        return "".join([piece async for piece in pieces])


async def _outcome(check: Awaitable[str]) -> str | ModelUnavailable:
    """What a check found: nothing where it was passed, else why not, or that the model is away."""
    try:
        return await check
    except ModelReplyUnusable as failure:
        return failure.words[:1].lower() + failure.words[1:].rstrip(".")
    except ModelUnavailable as failure:
        return failure


def _claims(reply: str) -> Sequence[Mapping[str, object]]:
    """The claims of a reply, whatever stands around them."""
    decoder = json.JSONDecoder(strict=False)
    found: list[Mapping[str, object]] = []
    for match in re.finditer(r"\{", reply):
        try:
            value, _ = decoder.raw_decode(reply[match.start() :])
        except ValueError:
            continue
        if isinstance(value, dict) and str(value.get("sentence", "")).strip():
            found.append(value)
    return found


def _quotes(claim: Mapping[str, object]) -> Sequence[tuple[str, str]]:
    """The quotes of a claim, each with the number of its passage as it was written."""
    passages, quotes = claim.get("passages"), claim.get("quotes")
    if not isinstance(passages, list) or not isinstance(quotes, list):
        return ()
    return [(str(number), str(quote)) for number, quote in zip(passages, quotes, strict=False)]


def _is_quoted(claim: Mapping[str, object]) -> bool:
    """Whether a claim has quotes and each stands in its passage, but for signs and spaces."""
    numbered = {str(number): alphanumeric_key(text) for number, (_, text) in enumerate(PASSAGES, 1)}
    quotes = [(number, alphanumeric_key(quote)) for number, quote in _quotes(claim)]
    return bool(quotes) and all(quote and quote in numbered.get(number, "") for number, quote in quotes)


def _pair(index: int, quote: str, sentence: str) -> EntailmentPair:
    title, *_, section, _ = PASSAGES[index][0].split(" | ")
    return EntailmentPair(quotes=(quote,), sentence=sentence, title=title, section=section)
