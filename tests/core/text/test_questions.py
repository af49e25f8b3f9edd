"""Which messages read like questions, whatever their language."""

import pytest

from core.text.questions import is_question


@pytest.mark.parametrize(
    "text",
    [
        "how many readers were there",
        "is it true (really?)",
        "and the second paper",
        "Welche Daten wurden benutzt",
        "mit welcher Methode wurde gemessen",
        "In welchem Jahr",
        "Quelles données ont été utilisées",
        "À quelle température",
        "¿Qué datos usaron",
        "Cuántos pacientes participaron",
        "Qual método foi usado",
        "Come sono stati raccolti i dati",
        "Какие данные использовались",
        "使用了什么数据",
        "どのデータを使いましたか",
        "어떤 데이터를 사용했나요",
        "ما البيانات المستخدمة",
        "אילו נתונים שימשו",
        "Hvilke data?",
        "データ？",
        "البيانات؟",
    ],
)
def test_a_question_is_recognised_by_its_mark_or_by_its_question_word(text: str) -> None:
    assert is_question(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "see you tomorrow",
        "Come to the meeting at five",
        "see https://example.org/?a=b",
        "Danke, das sehe ich mir an",
        "Merci beaucoup",
        "La reunión es mañana",
        "Wir treffen uns, wenn alle da sind",
        "Спасибо, до завтра",
        "我明天来",
        "ありがとうございます",
        "감사합니다",
        "شكرا جزيلا",
    ],
)
def test_what_people_say_to_each_other_is_no_question(text: str) -> None:
    assert not is_question(text)
