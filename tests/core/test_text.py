from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text import (
    STOP_WORDS,
    alphanumeric_key,
    alphanumeric_key_with_offsets,
    detect_language,
    index_tokens,
    normalise,
    query_tokens,
)


@pytest.mark.parametrize(
    ("printed", "plain"),
    [
        ("eﬃcient ﬂow", "efficient flow"),
        ("seg-\nmentation", "segmentation"),
        ("seg\u00ad\nmentation", "segmentation"),
        ("well-\nKnown", "well-Known"),
        ("“a” – ‘b’ − 4", "\"a\" - 'b' - 4"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("  two \t\n words ", "two words"),
        ("10⁵ cells", "10⁵ cells"),
        ("ＡＢＣ１２", "ABC12"),
    ],
)
def test_normal_form(printed: str, plain: str) -> None:
    assert normalise(printed) == plain


@given(st.text())
def test_normal_form_and_key_are_stable(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)
    assert alphanumeric_key(alphanumeric_key(text)) == alphanumeric_key(text)
    key, offsets = alphanumeric_key_with_offsets(text)
    assert len(key) == len(offsets)
    assert offsets == sorted(offsets)
    assert all(0 <= offset < len(text) for offset in offsets)


def test_the_key_is_stable_for_every_character() -> None:
    signs = [chr(code) for code in range(0x30000) if not 0xD800 <= code < 0xE000]
    assert [sign for sign in signs if alphanumeric_key(alphanumeric_key(sign)) != alphanumeric_key(sign)] == []


def test_key_and_offsets() -> None:
    assert alphanumeric_key("The eﬃcient U-Net, v2!") == "theefficientunetv2"
    key, offsets = alphanumeric_key_with_offsets("a ﬃ-b")
    assert (key, offsets) == ("affib", [0, 2, 2, 2, 4])
    assert alphanumeric_key("Cafe\u0301") == alphanumeric_key("CAFÉ")


def test_hyphenated_words_are_found_whole_and_in_parts() -> None:
    assert index_tokens("U-Net") == ["u-net", "u", "net"]
    assert index_tokens("CIFAR-10") == ["cifar-10", "cifar", "10"]
    assert index_tokens("KiTS19 H2O") == ["kits19", "h2o"]


def test_numbers_are_one_token_however_written() -> None:
    assert index_tokens("13,599 13599") == ["13599", "13599"]
    assert index_tokens("0.85 .85 0,85 3.1.2") == ["0.85", "0.85", "0.85", "3.1.2"]


def test_words_are_folded_and_stemmed() -> None:
    assert index_tokens("Naïve networks' runnings") == index_tokens("naive NETWORK running")
    assert index_tokens("Alzheimer's don't l'analyse") == ["alzheim", "dont", "l", "analys"]
    assert index_tokens("seg-\nmentation") == index_tokens("segmentation")


def test_scripts_without_spaces_give_characters_and_pairs() -> None:
    assert index_tokens("学习") == ["学", "习", "学习"]
    assert set(index_tokens("模型")) <= set(index_tokens("深度学习模型很好"))
    assert index_tokens("ResNet模型") == ["resnet", "模", "型", "模型"]


@given(st.text())
def test_tokens_hold_no_white_space(text: str) -> None:
    tokens = index_tokens(text)
    assert all(token and not any(map(str.isspace, token)) for token in tokens)
    assert bool(query_tokens(text)) == bool(tokens)
    assert set(query_tokens(text)) <= set(tokens)


@pytest.mark.parametrize(
    ("question", "tongue", "tokens"),
    [
        ("What is the accuracy of the U-Net?", "en", ["accuraci", "u-net", "u", "net"]),
        ("¿Cuál es la precisión del modelo?", "es", ["precis", "modelo"]),
        ("Welche Daten wurden verwendet?", "de", ["daten", "verwendet"]),
        ("Quelle est la taille du corpus ?", "fr", ["taill", "corpus"]),
        ("Qual é a acurácia do modelo?", "pt", ["acuracia", "modelo"]),
        ("Quale è la dimensione del campione?", "it", ["dimension", "campion"]),
        ("What is it?", "en", ["what", "is", "it"]),
        ("Does AI die in war?", "en", ["ai", "die", "war"]),
        ("AdamW", "", ["adamw"]),
    ],
)
def test_questions_lose_their_small_words(question: str, tongue: str, tokens: list[str]) -> None:
    assert detect_language(question) == tongue
    assert query_tokens(question) == tokens


@pytest.mark.parametrize(
    ("text", "tongue"),
    [
        ("使用了哪些数据集？", "zh"),
        ("どのデータを使いましたか", "ja"),
        ("어떤 데이터를 사용했습니까", "ko"),
        ("Какие данные были использованы?", "ru"),
        ("ما هي البيانات المستخدمة", "ar"),
        ("אילו נתונים שימשו", "he"),
        ("1234 5678", ""),
        ("", ""),
    ],
)
def test_scripts_tell_the_language(text: str, tongue: str) -> None:
    assert detect_language(text) == tongue


def test_stop_words_leave_meaning_alone() -> None:
    assert {"the", "what", "der", "los"} <= STOP_WORDS
    assert not {"ai", "war", "die", "model"} & STOP_WORDS


def test_threads_that_stem_at_once_do_not_mix_words() -> None:
    text = "relational conditional hopefulness adjustable formalities " * 40
    alone = index_tokens(text)
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(lambda _: index_tokens(text), range(64)))
    assert all(tokens == alone for tokens in together)
