"""A question for an aspect of a paper is answered from the parts of the paper that hold it."""

import pytest

from core.assistant.asking.ask import ask
from core.domain.model import Answer
from core.domain.request_context import RequestContext
from tests.core.agent.small_library import NOON, SCOPE, THREAD, Heard, SmallLibrary, dependencies, paper, passage

OTTERS = paper("otters", "Otters on quiet rivers", abstract="Otters were counted on quiet rivers.")
REEDS = paper("reeds", "Growth of reeds in harbours")
TEXTS = (
    passage("otters", 1, 1, "Rivers that are quiet hold many otters, as others wrote.", section="1 Introduction"),
    passage("otters", 2, 3, "We counted the otters from two boats at dawn on 40 days.", section="2 Methods"),
    passage("otters", 3, 5, "We found that quiet rivers hold three times as many otters.", section="3 Results"),
    passage("otters", 4, 7, "A limitation of this study is that all dens lay on one bank.", section="4 Limitations"),
    passage("otters", 5, 8, "The survey was funded by the Lakes Trust.", section="Funding"),
    passage("otters", 6, 8, "All counts are available at github.com/otters/counts.", section="Data availability"),
    passage("reeds", 1, 2, "Reeds grew by 12 percent in harbours. The year was dry.", section="Results"),
    passage("reeds", 2, 6, "Only one harbour was studied.", section="Limitations"),
)


async def asked(question: str) -> Answer:
    library = SmallLibrary(held=(OTTERS, REEDS), texts=TEXTS)
    request = RequestContext(scope=SCOPE, thread=THREAD, at=NOON, trace_id="t", progress=Heard())
    return await ask(question, request, dependencies(library))


@pytest.mark.parametrize(
    ("question", "page"),
    [
        ("Who paid for the otters study?", 8),
        ("Where can the data of the otters paper be found?", 8),
        ("How was the otters study done?", 3),
        ("What are the main results of the otters paper?", 5),
        ("Which limitations does the otters paper have?", 7),
    ],
)
async def test_the_part_that_holds_it_answers(question: str, page: int) -> None:
    answer = await asked(question)
    assert answer.outcome == "answered"
    assert [span.page for span in answer.citations[0].spans] == [page]
    assert len(answer.sentences) == 1


async def test_several_papers_that_could_be_meant_are_offered() -> None:
    answer = await asked("What are the limitations?")
    assert answer.outcome == "clarify"
    assert set(answer.candidates) == {"otters", "reeds"}
