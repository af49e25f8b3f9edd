"""What a question takes for granted and the paper never says, and how much that counts."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from core.agent.extractive import answerability, presuppositions, sentence_ranking
from core.agent.reasoner import RunContext
from core.agent.state import Judgement
from core.assistant.asking.ask import ask
from core.domain.model import Evidence, Scope
from core.domain.ports import Filters, Hit
from core.domain.request_context import RequestContext
from core.text import index_tokens
from core.understanding import answer_types
from core.understanding.query_terms import terms, weighted
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


def ranked(part: Part) -> tuple[sentence_ranking.Ranked, ...]:
    return sentence_ranking.rank(
        part, sentence_ranking.units(FOUND), terms(part.question), (), sentence_ranking.Weights()
    )


async def missing(question: str, said: Said, language: str = "en") -> list[str]:
    held = SmallLibrary(held=(OATS, SEEDS), texts=(TEXT,))
    made = replace(dependencies(held), lexical=said)  # type: ignore[arg-type]
    run = RunContext(request=RequestContext(scope=SCOPE, thread=THREAD), dependencies=made, papers=(OATS, SEEDS))
    part = part_of(question, language)
    missing = await presuppositions.missing_terms(part, ranked(part), terms(question), None, run)
    return [item.term.surface for item in missing]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How much grain did oats lose at the Uppsala station?", []),
        ("How much grain did oats lose at the Lund station?", ["Lund"]),
        ("How much grain did oats lose in trial T11?", ["T11"]),
        ("How much grain did oats lose in 2023?", ["2023"]),
        ("How much grain did Lindqvist report in 2019?", []),
        ("How much grain did oats lose by the Zadoks scale?", []),
        ("How much straw did the oats lose?", ["straw"]),
        ("How much grain did oats lose at the Uppsalla station?", []),
        ("How much grian did oats lose?", []),
    ],
)
async def test_words_that_the_paper_never_prints_but_for_typing_errors(question: str, expected: list[str]) -> None:
    assert await missing(question, Said(*index_tokens("uppsala t9 grain lose trial station oats report"))) == expected


async def test_only_codes_are_shared_across_languages_and_in_german_a_capital_tells_nothing() -> None:
    assert await missing("Wie viel Korn verlor der Hafer in der Station T11?", Said(), "de") == ["T11"]


async def test_a_question_put_to_several_papers_takes_nothing_for_granted() -> None:
    part = replace(part_of("Which papers mention Lund?"), per_paper=4)
    made = replace(dependencies(SmallLibrary(held=(OATS,), texts=(TEXT,))), lexical=Said())  # type: ignore[arg-type]
    run = RunContext(request=RequestContext(scope=SCOPE, thread=THREAD), dependencies=made, papers=(OATS,))
    assert await presuppositions.missing_terms(part, ranked(part), terms(part.question), None, run) == ()


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


def test_what_is_missing_weighs_by_its_rarity_up_to_a_limit() -> None:
    part = part_of("How much grain did oats lose at Lund?")
    lost = [
        presuppositions.MissingTerm(term=term, role="name")
        for term in weighted(terms("at Lund Bergstrom Malmo"), {}, 100)
    ]
    seen = answerability.signs(part, ranked(part), terms(part.question), lost)
    assert seen.missing == answerability.MOST_MISSING
    assert answerability.score(seen) < answerability.score(replace(seen, missing=0.0))


def test_a_thing_that_nothing_in_the_paper_comes_near_is_refused_and_named() -> None:
    part = part_of("How much grain did the giraffes lose to frost?")
    (giraffes,) = terms("the giraffes")

    def judged(alike: float) -> Judgement:
        missing = (presuppositions.MissingTerm(term=giraffes, role="head", alike=alike),)
        return answerability.judge_answer(part, ranked(part), terms(part.question), FOUND, 0.0, missing)

    assert judged(0.1).support == "none"
    assert judged(0.1).missing == ("giraffes",)
    assert judged(0.9).support != "none"
