import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.grounding.entailment.rules import check_entailment

PAIRS = [
    # Spanish, German, French, Chinese, Japanese: the claim, the quote, whether it holds.
    ("La tasa de mortalidad disminuyó un 12%.", "La tasa de mortalidad disminuyó un 12% en 2019.", True),
    ("La tasa de mortalidad aumentó un 12%.", "La tasa de mortalidad disminuyó un 12% en 2019.", False),
    ("La tasa de mortalidad no disminuyó.", "La tasa de mortalidad disminuyó en 2019.", False),
    ("Die Proben enthielten Quarz.", "Die Proben enthielten Quarz und Glimmer.", True),
    ("Die Proben enthielten keinen Quarz.", "Die Proben enthielten Quarz und Glimmer.", False),
    ("Die Proben enthielten Gips.", "Die Proben enthielten Quarz und Glimmer.", False),
    ("Le traitement a réduit la douleur.", "Le traitement a réduit la douleur chez les adultes.", True),
    ("Le traitement a augmenté la douleur.", "Le traitement a réduit la douleur chez les adultes.", False),
    ("模型的准确率为92%。", "在测试集上，模型的准确率为92%。", True),
    ("模型的召回率为92%。", "在测试集上，模型的准确率为92%。", False),
    ("该药物有效。", "该药物无效。", False),
    ("モデルの精度は92%であった。", "テストではモデルの精度は92%であった。", True),
    ("モデルの再現率は92%であった。", "テストではモデルの精度は92%であった。", False),
    # A bare number, a name, a part of a denial, a remark about the sources.
    ("380.5 million.", "we resolve a total 380.5M citation links between papers", True),
    ("380.6 million.", "we resolve a total 380.5M citation links between papers", False),
    ("S2ORC's corpus has 81.1 million papers.", "The S2ORC corpus has 81.1M papers.", True),
    ("The effect was significant.", "The effect was not significant.", False),
    ("The effect was insignificant.", "The effect was significant.", False),
    ("Group B is smaller than group A.", "Group A is larger than group B.", True),
    ("Group A is smaller than group B.", "Group A is larger than group B.", False),
    ("BERT was outperformed by RoBERTa.", "RoBERTa outperformed BERT on all tasks.", True),
    ("RoBERTa was outperformed by BERT.", "RoBERTa outperformed BERT on all tasks.", False),
    ("LeafNet reached 90 and RootNet 85.", "LeafNet reached 90 and RootNet reached 85.", True),
    ("RootNet reached 90.", "LeafNet reached 90 and RootNet reached 85.", False),
    ("", "Anything at all may stand here.", False),
    ("Nothing shared.", "Anything at all may stand here.", False),
]


@pytest.mark.parametrize(("sentence", "quote", "holds"), PAIRS)
def test_support(sentence: str, quote: str, holds: bool) -> None:
    verdict = check_entailment(sentence, [quote])
    assert verdict.supported is holds, verdict.reasons
    assert verdict.supported is not bool(verdict.reasons)


def test_nothing_supports_without_a_quote() -> None:
    assert not check_entailment("The effect was significant.", []).supported


def test_names_from_the_title_may_be_used_but_prove_nothing() -> None:
    quote = "The model reaches 88.4 F1 on the test set."
    assert check_entailment(
        "LeafBERT reaches 88.4 F1 on the test set.", [quote], known="LeafBERT: a model of leaves"
    ).supported
    assert not check_entailment(
        "LeafBERT reaches 88.4 F1 on the test set.", [quote], known="A model of leaves"
    ).supported
    assert not check_entailment("The leaves are green.", [quote], known="LeafBERT: the leaves are green").supported


@given(st.text(max_size=120), st.text(max_size=120))
def test_any_text_gets_a_verdict(sentence: str, quote: str) -> None:
    verdict = check_entailment(sentence, [quote])
    assert 0 <= verdict.coverage <= 1


NOUNS = ["shade", "oak", "leaf", "area", "root", "mass", "light", "water", "soil", "growth", "rate", "high", "plot"]
WORDS = st.lists(st.sampled_from(NOUNS), min_size=4)


@given(WORDS, st.integers(2, 10**6))
def test_a_verbatim_sentence_is_always_supported(words: list[str], number: int) -> None:
    sentence = f"The {' '.join(words)} was not {number}."
    assert check_entailment(sentence, ["Before it.", sentence, "After it."]).supported
    assert check_entailment(sentence.upper(), [sentence]).supported


def test_a_code_is_a_name_and_not_the_number_that_it_begins_with() -> None:
    quotes = ["Lines 5 to 6 end here.", "Strain 6cd32 grew in shaded plots."]
    assert not check_entailment("The end is 6cd32620.", quotes).supported
    assert check_entailment("In shaded plots strain 6cd32 grew.", quotes).supported


@given(st.integers(2, 10**6), st.integers(2, 10**6))
def test_another_number_is_never_supported(number: int, other: int) -> None:
    quote = f"In shaded plots {number} seedlings died."
    assert check_entailment(f"In shaded plots {other} seedlings died.", [quote]).supported is (number == other)
