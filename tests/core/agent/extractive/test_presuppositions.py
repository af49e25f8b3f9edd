"""What a question takes for granted and the paper never says, and how much that counts."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from core.agent.extractive import answerability, presuppositions, sentence_ranking
from core.agent.reasoner import RunContext
from core.assistant.asking.ask import ask
from core.domain.model import Evidence, Scope
from core.domain.ports import Filters, Hit
from core.domain.request_context import RequestContext
from core.understanding import answer_types
from core.understanding.query_terms import Term, terms, weighted
from core.understanding.route import Part
from tests.core.agent.small_library import ALL, NOON, SCOPE, THREAD, Heard, SmallLibrary, dependencies, paper, passage

OATS = paper("oats", "Frost damage in oats", authors=("Ada Lindqvist",), year=2019)
SEEDS = paper("seeds", "The Zadoks scale of growth")
TEXT = passage("oats", 1, 2, "Oats lost 31 percent of their grain to frost at the Uppsala station in trial T9.")
FOUND = (Evidence(passage=TEXT, paper=OATS, score=1.0),)


class Said(SmallLibrary):
    """An index of papers that say these tokens and no others."""

    def __init__(self, *tokens: str) -> None:
        super().__init__(held=(), texts=())
        self.tokens = frozenset(tokens)

    async def matching(
        self, scope: Scope, terms: Sequence[str], *, limit: int, filters: Filters = ALL
    ) -> Sequence[Hit]:
        return [Hit(number=0, score=1.0)] if self.tokens & frozenset(terms) else []


def part_of(question: str, language: str = "en") -> Part:
    return Part(number=1, question=question, query=question, kind=answer_types.kind_of(question), language=language)


def picked(part: Part) -> tuple[sentence_ranking.Picked, ...]:
    return sentence_ranking.pick(
        part, sentence_ranking.units(FOUND), terms(part.question), (), {}, sentence_ranking.Weights()
    )


async def unsaid(question: str, said: Said, language: str = "en") -> list[str]:
    held = SmallLibrary(held=(OATS, SEEDS), texts=(TEXT,))
    made = replace(dependencies(held), lexical=said)  # type: ignore[arg-type]
    run = RunContext(request=RequestContext(scope=SCOPE, thread=THREAD), dependencies=made, papers=(OATS, SEEDS))
    part = part_of(question, language)
    return [term.surface for term in await presuppositions.unsaid(part, picked(part), terms(question), run)]


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("How much grain did oats lose at the Uppsala station?", []),
        ("How much grain did oats lose at the Lund station?", ["Lund"]),
        ("How much grain did oats lose in trial T11?", ["T11"]),
        ("How much grain did oats lose in 2023?", ["2023"]),
        ("How much grain did Lindqvist report lost in 2019?", []),
        ("How much grain did oats lose by the Zadoks scale?", []),
        ("How much straw did the wretched plants lose?", []),
    ],
)
async def test_names_codes_and_numbers_that_the_paper_never_says(question: str, missing: list[str]) -> None:
    assert await unsaid(question, Said("uppsala", "t9")) == missing


async def test_only_codes_are_shared_across_languages_and_in_german_a_capital_tells_nothing() -> None:
    assert await unsaid("Wie viel Korn verlor der Hafer in der Station T11?", Said(), "de") == ["T11"]


async def test_a_question_put_to_several_papers_takes_nothing_for_granted() -> None:
    part = replace(part_of("Which papers mention Lund?"), per_paper=4)
    made = replace(dependencies(SmallLibrary(held=(OATS,), texts=(TEXT,))), lexical=Said())  # type: ignore[arg-type]
    run = RunContext(request=RequestContext(scope=SCOPE, thread=THREAD), dependencies=made, papers=(OATS,))
    assert await presuppositions.unsaid(part, picked(part), terms(part.question), run) == ()


async def test_a_name_that_the_paper_never_says_is_not_answered_about() -> None:
    texts = (TEXT, passage("oats", 2, 3, "Rain fell on 40 days."), passage("seeds", 1, 1, "Seeds came from Lund."))
    held = SmallLibrary(held=(OATS, SEEDS), texts=texts)

    async def outcome(question: str) -> str:
        answer = await ask(
            question,
            RequestContext(scope=SCOPE, thread=THREAD, at=NOON, trace_id="t", progress=Heard()),
            dependencies(held),
        )
        return answer.outcome

    assert await outcome("How much grain did oats lose to frost at the Uppsala station?") == "answered"
    assert (
        await outcome("How much grain did oats lose to frost at the Lund station of Bergstrom in 2023?") != "answered"
    )


def test_the_thing_that_is_counted_must_stand_near_the_answer() -> None:
    def counted(question: str) -> float:
        part = part_of(question)
        return answerability.signs(part, picked(part), terms(question)).counted

    assert counted("How much grain was lost?") == 1.0
    assert counted("How many farmers were asked?") == 0.0
    assert counted("What did oats lose?") == 1.0


def test_what_is_unsaid_weighs_by_its_rarity_and_at_most_once() -> None:
    part = part_of("How much grain did oats lose at Lund?")
    lost: tuple[Term, ...] = weighted(terms("at Lund Bergstrom Malmo"), {}, 100)
    seen = answerability.signs(part, picked(part), terms(part.question), lost)
    assert seen.unsaid == 1.0
    assert answerability.score(seen) < answerability.score(replace(seen, unsaid=0.0))
