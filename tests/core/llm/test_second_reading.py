"""Verdicts of a language model on sentences and their quotes."""

from collections.abc import Mapping

import pytest

from core.domain.entailment import EntailmentPair
from core.domain.errors import ModelReplyUnusable
from core.domain.language_models import UNMETERED, Meter
from core.llm.null_models import NullLanguageModel
from core.llm.second_reading import SecondReading

PAIRS = [
    EntailmentPair(sentence="Yield fell.", quotes=("Yield fell by 3 t.",), section="Results", title="Barley"),
    EntailmentPair(sentence="It rose.", quotes=("It fell.",)),
]


class Reads(NullLanguageModel):
    """A model with one reply, that keeps what it was asked."""

    identity = "reader"

    def __init__(self, *verdicts: str, usable: bool = True) -> None:
        self.verdicts = list(verdicts)
        self.usable = usable
        self.prompt = ""

    async def structured(
        self, prompt: str, schema: Mapping[str, object], *, system: str = "", meter: Meter = UNMETERED
    ) -> Mapping[str, object]:
        self.prompt = prompt
        if not self.usable:
            raise ModelReplyUnusable("no form")
        return {"verdicts": self.verdicts}


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        (["1 yes", "2 no: it fell"], [("yes", ""), ("no", "it fell")]),
        (["2. NO, it fell", "1: Yes."], [("yes", ""), ("no", "it fell")]),
        (["yes", "no: it fell"], [("yes", ""), ("no", "it fell")]),
        (["1 yes"], [("yes", ""), ("unsure", "")]),
        (["2 no"], [("unsure", ""), ("no", "the quotes do not say this")]),
        (["yes"], [("unsure", ""), ("unsure", "")]),
        (["1 yes", "1 no: doubtful", "2 yes"], [("unsure", ""), ("yes", "")]),
        (["1 nothing of it", "2 yes"], [("unsure", ""), ("yes", "")]),
        ([], [("unsure", ""), ("unsure", "")]),
    ],
)
async def test_verdicts_are_read_by_their_number_and_what_is_not_told_is_not_proved(
    verdicts: list[str], expected: list[tuple[str, str]]
) -> None:
    found = await SecondReading(Reads(*verdicts)).judge(PAIRS)
    assert [(one.verdict, one.reason) for one in found] == expected


async def test_all_pairs_are_shown_with_where_they_stand() -> None:
    model = Reads("1 yes", "2 yes")
    await SecondReading(model).judge(PAIRS)
    assert "Paper: Barley\nSection: Results\nQuote: “Yield fell by 3 t.”\nSentence: “Yield fell.”" in model.prompt
    assert "2.\n" in model.prompt


async def test_a_reply_of_another_form_proves_nothing_and_nothing_is_asked_about_no_pairs() -> None:
    assert {one.verdict for one in await SecondReading(Reads(usable=False)).judge(PAIRS)} == {"unsure"}
    assert await SecondReading(NullLanguageModel()).judge([]) == ()
