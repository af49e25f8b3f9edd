"""A request for a summary or a comparison is told from a question that only mentions one."""

import pytest

from core.understanding.study_requests import intent_of


@pytest.mark.parametrize(
    "message",
    [
        "Summarise the barley paper",
        "Can you summarize it?",
        "Give me a short summary of this article, please",
        "tl;dr",
        "What is this paper about?",
        "I'd like an overview of the DOCSPLIT paper",
        "Please sum up the main points",
    ],
)
def test_ways_to_ask_for_a_summary_are_noticed(message: str) -> None:
    assert intent_of(message) == "summarise"


@pytest.mark.parametrize("message", ["Compare these papers", "LayoutTagger vs BiLSTM", "a comparison of both studies"])
def test_ways_to_ask_for_a_comparison_are_noticed(message: str) -> None:
    assert intent_of(message) == "compare"


@pytest.mark.parametrize(
    "message",
    [
        "How large was the summary table?",
        "What baselines did they compare against?",
        "How did the tuned models compare with the rest?",
        "What help did the nurses get?",
        "Which papers cite the corpus?",
    ],
)
def test_questions_that_only_mention_them_stay_questions(message: str) -> None:
    assert intent_of(message) == "question"
