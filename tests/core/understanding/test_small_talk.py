"""What is said to Footnote itself is told from what is asked of papers, both ways, in the main languages."""

import pytest

from core.agent import messages
from core.assistant.asking.ask import ask
from core.domain.request_context import RequestContext
from core.understanding import refusals, small_talk
from tests.core.agent.small_library import NOON, SCOPE, THREAD, Heard, SmallLibrary, dependencies

SAID: dict[small_talk.Aside, tuple[str, ...]] = {
    "nothing": ("?", "...", "👍", "???!", "  "),
    "thanks": (
        "thanks",
        "thanks, that was helpful!",
        "Thank you so much.",
        "ok, great",
        "perfect, exactly what I needed",
        "got it",
        "Danke schön!",
        "merci beaucoup",
        "¡Muchas gracias!",
        "grazie mille",
        "谢谢！",
        "ありがとうございます",
    ),
    "greeting": (
        "hi",
        "Hi there!",
        "good morning everyone",
        "Guten Tag",
        "bom dia",
        "buenos días",
        "你好",
        "こんにちは",
    ),
    "self": (
        "Who are you?",
        "what can you do?",
        "help",
        "How are you?",
        "What is this bot?",
        "Was kannst du?",
        "Qui es-tu ?",
        "¿Qué puedes hacer?",
        "Cosa puoi fare?",
        "O que você pode fazer?",
        "你是谁？",
        "使い方",
    ),
    "forget": (
        "delete everything",
        "forget everything",
        "Delete all papers",
        "remove this paper",
        "please delete paper 2",
        "Could you remove the wheat paper?",
        "delete the paper about mice",
        "Lösche alles",
        "bitte alle Papiere löschen",
        "Lösche den Artikel über Weizen",
        "supprime tous les articles",
        "borra todo",
        "elimina tutto",
        "apaga tudo",
        "删除所有论文",
        "すべての論文を削除してください",
    ),
    "clear": ("forget this conversation", "clear the chat", "vergiss diese Unterhaltung"),
    "stop": ("stop", "please stop", "cancel it", "arrête", "basta", "停止"),
    "reindex": ("reindex", "rebuild the index", "please reindex all papers"),
    "add": ("add this paper", "upload a new paper"),
    "export": ("export this thread", "download the bibliography"),
    "settings": ("show settings", "change the settings"),
}
ASKED = (
    "Delete which term from the model improved results?",
    "Which papers were removed?",
    "Remove stop words from the text?",
    "Remove the document classifier: what happens to F1?",
    "Delete the paper's outliers",
    "What did deleting all papers of the corpus change?",
    "How do you forget papers?",
    "Does it stop?",
    "stopping criterion",
    "Stop words",
    "reset gate",
    "Update rule",
    "the index?",
    "Import tariffs",
    "export growth",
    "Which settings were used?",
    "show the settings of the model",
    "Clear cell carcinoma",
    "Great tits: how many were ringed?",
    "Is it helpful?",
    "What is useful?",
    "good models",
    "ok and the data?",
    "the help of nurses",
    "How does it work?",
    "What is this?",
    "and the second?",
    "2019?",
    "more",
    "why?",
    "Was war das?",
    "¿Para qué sirve el modelo?",
    "alles über Weizen",
    "什么是干旱？",
)


@pytest.mark.parametrize(("aside", "message"), [(aside, one) for aside, said in SAID.items() for one in said])
def test_what_is_said_to_it_is_noticed(aside: small_talk.Aside, message: str) -> None:
    assert small_talk.read(message) == aside
    assert refusals.read(message).refusal == aside


@pytest.mark.parametrize("message", ASKED)
def test_what_may_be_a_question_stays_one(message: str) -> None:
    assert small_talk.read(message) == ""


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("?", messages.empty_question()),
        ("42", messages.empty_question()),
        ("thanks, that was helpful!", messages.thanks_reply()),
        ("hi", messages.greeting()),
        ("who are you?", messages.introduction()),
        ("delete everything", messages.order_hint("forget")),
    ],
)
async def test_it_is_answered_in_words_and_nothing_is_searched_or_changed(message: str, told: str) -> None:
    held = dependencies()
    answer = await ask(
        message, RequestContext(scope=SCOPE, thread=THREAD, at=NOON, trace_id="t", progress=Heard()), held
    )
    assert (answer.outcome, answer.sentences, answer.message) == ("declined", (), told)
    assert len(await held.library.papers(SCOPE)) == 3
    assert held.retriever.searches == []  # type: ignore[attr-defined]


async def test_a_greeting_is_one_where_there_is_no_paper_yet_too() -> None:
    empty = dependencies(SmallLibrary(held=(), texts=()))
    answer = await ask(
        "hello", RequestContext(scope=SCOPE, thread=THREAD, at=NOON, trace_id="t", progress=Heard()), empty
    )
    assert (answer.outcome, answer.message) == ("declined", messages.greeting())


@pytest.mark.parametrize("aside", [one for one in SAID if one not in ("nothing", "thanks", "greeting", "self")])
def test_an_order_is_told_which_command_does_it(aside: str) -> None:
    named = {"stop": "stop", "forget": "forget PAPER", "reindex": "footnote reindex", "add": "fetch"}
    assert f"“{named.get(aside, aside)}”" in messages.order_hint(aside)
