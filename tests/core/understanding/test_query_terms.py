from core.understanding.query_terms import terms


def asked(question: str) -> list[str]:
    return [term.surface for term in terms(question)]


def test_authors_who_are_not_named_are_nothing_that_is_asked() -> None:
    assert asked("What dose did Noor et al. use for barley?") == asked("What dose did Noor use for barley?")
    assert asked("Noor et. al: which dose?") == ["Noor", "dose"]
    assert asked("How much al dente pasta?") == ["al", "dente", "pasta"]


def test_words_that_every_question_is_built_from_say_nothing() -> None:
    assert asked("What does the paper say about frost?") == ["frost"]


def test_a_compound_is_one_term_that_is_held_in_parts() -> None:
    (term,) = terms("barley-wheat?")
    assert term.held(frozenset({"barley"})) == 0.5
