"""The cross-encoder behind the port: loaded as a real one is, from a folder made here."""

import json
from pathlib import Path

import pytest

from core.domain.entailment import EntailmentPair
from core.domain.errors import ModelUnavailable
from core.search import CrossEncoderEntailment
from tests.core.search.tiny_models import save_tiny_cross_encoder, save_tiny_inference_model

QUOTE = "The heat of 3 stars fell and the wheat had a low yield."
REWORDED = "Wheat yield was low and stars cooled."


def pair(sentence: str) -> EntailmentPair:
    return EntailmentPair(sentence=sentence, quotes=(QUOTE,))


@pytest.mark.slow
@pytest.mark.parametrize(("label", "verdict"), [("entailment", "yes"), ("contradiction", "no"), ("neutral", "unsure")])
async def test_labels_are_read_from_the_models_configuration(tmp_path: Path, label: str, verdict: str) -> None:
    model = CrossEncoderEntailment(str(save_tiny_inference_model(tmp_path, label)))
    assert [item.verdict for item in await model.judge([pair(REWORDED)])] == [verdict]
    assert model.identity == str(tmp_path)


@pytest.mark.slow
async def test_what_the_rules_decide_the_model_cannot_change(tmp_path: Path) -> None:
    agreeing = CrossEncoderEntailment(str(save_tiny_inference_model(tmp_path, "entailment")))
    verdicts = await agreeing.judge([pair("The heat of 4 stars fell."), pair(REWORDED)])
    assert [item.verdict for item in verdicts] == ["no", "yes"]


async def test_what_the_rules_prove_needs_no_model() -> None:
    absent = CrossEncoderEntailment("/nowhere/inference")
    assert [item.verdict for item in await absent.judge([pair(QUOTE)])] == ["yes"]
    with pytest.raises(ModelUnavailable, match="does not exist"):
        await absent.judge([pair(REWORDED)])


@pytest.mark.slow
async def test_a_model_without_the_label_entailment_is_refused(tmp_path: Path) -> None:
    save_tiny_cross_encoder(tmp_path)
    assert "entailment" not in json.loads((tmp_path / "config.json").read_text())["id2label"].values()
    with pytest.raises(ModelUnavailable, match="which of its outputs means entailment"):
        await CrossEncoderEntailment(str(tmp_path)).judge([pair(REWORDED)])
