import pytest

from evals.datasets import Gold, Question
from evals.metrics import (
    Found,
    citation_shares,
    keyword_hit,
    norm,
    outcome_right,
    page_cited,
    rank,
    recall_at,
    reciprocal_rank,
    squeeze,
    stands_in,
    token_f1,
    within_budget,
    within_rank,
    without_margin_numbers,
)

GOLD = Gold(paper="a.pdf", page=3, evidence="the quick brown fox")


def found(text: str, *, paper: str = "a.pdf", page: int = 3, last_page: int | None = None) -> Found:
    return Found(paper=paper, page=page, text=text, last_page=last_page)


def question(*gold: Gold, keyword_pages: frozenset[int] = frozenset()) -> Question:
    return Question(id="q", type="number", text="?", expected="answer", gold=gold, keyword_pages=keyword_pages)


def test_squeeze_keeps_letters_and_digits_of_every_script() -> None:
    assert squeeze("Eﬃcient co-\noperation: 3.5 % — 論文") == "efficientcooperation35論文"


def test_norm_keeps_signs_but_no_hyphens_and_spaces() -> None:
    assert norm("Con-\nstant equals 52.5\u00ad units") == "constantequals52.5units"


@pytest.mark.parametrize(
    ("text", "keyword", "hit"),
    [
        ("an accuracy of 0.8", "0.8", True),
        ("an accuracy of 0.85", "0.8", False),
        ("an accuracy of 10.8", "0.8", False),
        ("a total of 1,100", "100", False),
        ("a total of 100,000", "100", False),
        ("a total of 100, then", "100", True),
        ("resolved 80M clusters", "80.0|80 million|80M", True),
        ("the JACCARD  index", "jaccard index", True),
        ("prejaccard", "jaccard", False),
        ("titles", "title", True),
        ("version v3", "3", False),
        ("ana 3", "3", True),
        ("über 7", "ber", False),
        ("nothing", "|", False),
    ],
)
def test_a_keyword_begins_at_a_word_and_a_number_ends_where_it_ends(text: str, keyword: str, hit: bool) -> None:
    assert keyword_hit(text, keyword) is hit


def test_words_stand_within_an_edit_distance_only_where_one_is_allowed() -> None:
    words = "abcdefghijklmnopqrstuvwxyz0123456789abcd"
    text = "xx" + words.replace("j", "1").replace("u", "") + "yy"
    assert not stands_in(words, text)
    assert stands_in(words, text, tolerance=0.05)
    assert not stands_in(words, text.replace("m", "3"), tolerance=0.05)


def test_an_insertion_before_the_unchanged_piece_is_within_the_distance() -> None:
    assert stands_in("a" * 5 + "bcdefghijklmnopqrs", "a" * 5 + "ZbcdefghijklmnopqrX", tolerance=0.1)


def test_nothing_stands_nowhere() -> None:
    assert not stands_in("", "anything", tolerance=0.05)


def test_a_hit_needs_paper_page_and_words() -> None:
    passages = [
        found("The quick brown fox", paper="b.pdf"),
        found("The quick brown fox", page=2),
        found("The quick brown cat"),
        found("The quick, brown-\nFOX jumps"),
    ]
    ranking = rank([GOLD], passages)
    assert ranking.span_ranks == (4,)
    assert ranking.page_rank == 3
    assert ranking.paper_rank == 2


def test_a_chunk_over_several_pages_covers_each_of_them() -> None:
    assert rank([GOLD], [found("the quick brown fox", page=2, last_page=4)]).span_ranks == (1,)
    assert rank([GOLD], [found("the quick brown fox", page=4, last_page=5)]).span_ranks == (None,)


def test_image_papers_are_compared_within_the_distance() -> None:
    gold = Gold(paper="scan.pdf", page=1, evidence="measured moss cover on tiled roofs")
    read = found("measured rnoss cover on tiled roofs", paper="scan.pdf", page=1)
    assert rank([gold], [read]).span_ranks == (None,)
    near = found("measured mosz cover on tiled roofs", paper="scan.pdf", page=1)
    assert rank([gold], [near], image_papers=frozenset({"scan.pdf"})).span_ranks == (1,)


def test_recall_is_the_share_of_spans_and_the_budget_asks_where_the_first_hit_ends() -> None:
    other = Gold(paper="a.pdf", page=3, evidence="lazy dog")
    passages = [found("x" * 1990), found("lazy dog x"), found("the quick brown fox")]
    ranking = rank([GOLD, other, Gold(paper="a.pdf", page=9, evidence="never")], passages)
    assert ranking.span_ranks == (3, 2, None)
    assert recall_at(ranking, 1) == 0
    assert recall_at(ranking, 2) == pytest.approx(1 / 3)
    assert recall_at(ranking, 10) == pytest.approx(2 / 3)
    assert reciprocal_rank(ranking) == 0.5
    assert ranking.hit_end == 2000
    assert within_budget(ranking, 2000) == 1
    assert within_budget(ranking, 1999) == 0


def test_a_hit_beyond_rank_ten_has_no_reciprocal_rank() -> None:
    assert reciprocal_rank(rank([GOLD], [*[found("no")] * 10, found("the quick brown fox")])) == 0


def test_within_rank_counts_from_one() -> None:
    assert (within_rank(5, 5), within_rank(6, 5), within_rank(None, 5)) == (1, 0, 0)


@pytest.mark.parametrize(
    ("expected", "right"),
    [
        ("answer", {"answered"}),
        ("abstain", {"not_found", "unclear"}),
        ("clarify", {"clarify"}),
        ("decline", {"declined", "not_found"}),
    ],
)
def test_right_outcomes(expected: str, right: set[str]) -> None:
    every = {"answered", "unclear", "not_found", "clarify", "declined", "crashed"}
    assert {outcome for outcome in every if outcome_right(expected, outcome)} == right


def test_every_gold_page_is_cited_and_no_more_than_half_go_elsewhere() -> None:
    two = question(GOLD, Gold(paper="b.pdf", page=1, evidence="x"))
    assert page_cited(two, "answered", [("a.pdf", 3), ("b.pdf", 1)])
    assert not page_cited(two, "answered", [("a.pdf", 3)])
    assert not page_cited(two, "unclear", [("a.pdf", 3), ("b.pdf", 1)])
    one = question(GOLD)
    assert page_cited(one, "answered", [("a.pdf", 3), ("a.pdf", 4)])
    assert not page_cited(one, "answered", [("a.pdf", 3), ("a.pdf", 4), ("c.pdf", 3)])
    assert not page_cited(one, "answered", [])


def test_a_keyword_page_stands_in_for_the_gold_page() -> None:
    asked = question(GOLD, keyword_pages=frozenset({5}))
    assert page_cited(asked, "answered", [("a.pdf", 5)])
    assert not page_cited(asked, "answered", [("b.pdf", 5)])
    assert citation_shares(asked, [("a.pdf", 5), ("a.pdf", 9)]) == (0.5, 1.0)


def test_margin_numbers_go_and_nothing_else() -> None:
    assert without_margin_numbers("we find\n389\nthat 12\nstars") == "we find\nthat 12\nstars"


def test_token_f1_is_one_for_the_same_words_and_nothing_for_none_shared() -> None:
    assert token_f1("The moss, 38 percent.", "38 percent the moss") == 1
    assert token_f1("a b", "a c") == pytest.approx(0.5)
    assert token_f1("", "a") == 0
