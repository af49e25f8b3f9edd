import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.grounding.citations import strip_markers
from core.grounding.quotes import find_quote
from core.grounding.verify import Computation, DraftSentence, is_refusal, verify
from tests.core.grounding.papers import evidence, passage

FIRST = (
    "The VegSet collection holds 21,000 vegetable images in 15 classes. AdamW was used. "
    "Training took 9 hours on two GPUs. "
    "As shown in [3], deeper nets overfit on VegSet. LeafNet outperforms RootNet by 4.1 points on VegSet."
)
SECOND = "Shade reduced leaf area by 12% in oak seedlings. It did not change root mass."
EVIDENCE = evidence(passage(FIRST, passage_id="a", page=3), passage(SECOND, passage_id="b", page=5))


def said(*drafts: DraftSentence) -> list[str]:
    return [sentence.text for sentence in verify(drafts, EVIDENCE).sentences]


@pytest.mark.parametrize(
    "text",
    [
        "The VegSet collection holds 99,000 vegetable images [1].",
        "The VegSet collection holds 21,000 vegetable images and won a Nobel prize in Stockholm [1].",
        "The sources do not mention the cost [1].",
        "The provided context does not contain information about the cost.",
        "RootNet outperforms LeafNet by 4.1 points on VegSet.",
        "Shade increased leaf area by 12% in oak seedlings.",
        "Shade changed root mass.",
        "Shade reduced leaf area by 21% in oak seedlings.",
        "Shade reduced leaf area by 12% in beech seedlings.",
        "It is all very interesting.",
        "[1]",
        "",
    ],
)
def test_false_answers_are_stopped(text: str) -> None:
    result = verify([DraftSentence(text=text, sources=(("a", "AdamW was used."), ("b", SECOND)))], EVIDENCE)
    assert result.sentences == ()
    assert result.citations == ()
    assert result.dropped[0].reasons


def test_a_right_three_word_answer_passes() -> None:
    result = verify([DraftSentence(text="AdamW was used.")], EVIDENCE)
    assert result.sentences[0].markers == (1,)
    assert result.citations[0].spans[0].quote == "AdamW was used."


def test_a_right_claim_with_the_wrong_source_gets_the_right_one() -> None:
    draft = DraftSentence(
        text="Shade reduced leaf area by 12% in oak seedlings [1].", sources=(("a", "AdamW was used."),)
    )
    result = verify([draft], EVIDENCE)
    assert result.sentences[0].text == "Shade reduced leaf area by 12% in oak seedlings."
    assert [(span.page, span.passage_id) for span in result.citations[0].spans] == [(5, "b")]


@pytest.mark.parametrize("marker", ["[7]", "[1, 9]", "[1-9]", "[100]", "[1][2]", "[^3]", "【4†source】"])
def test_invented_markers_go(marker: str) -> None:
    assert said(DraftSentence(text=f"Training took 9 hours on two GPUs {marker}.")) == [
        "Training took 9 hours on two GPUs."
    ]


def test_a_papers_own_marker_is_kept_in_its_sentence_and_counts_for_nothing() -> None:
    own = "As shown in [3], deeper nets overfit on VegSet."
    result = verify([DraftSentence(text=own, sources=(("a", own),))], EVIDENCE)
    assert result.sentences[0].text == own
    assert result.sentences[0].markers == (1,)
    assert strip_markers('They say "as shown in [3], nets overfit" [2].') == 'They say "as shown in [3], nets overfit".'


def test_markers_count_in_order_of_use_and_the_same_words_share_one() -> None:
    result = verify(
        [
            DraftSentence(text="It did not change root mass.", sources=(("b", "It did not change root mass."),)),
            DraftSentence(text="AdamW was used.", sources=(("a", "AdamW was used"),)),
            DraftSentence(text="It did not change root mass!", sources=(("b", "did not change root mass"),)),
        ],
        EVIDENCE,
    )
    assert [sentence.markers for sentence in result.sentences] == [(1,), (2,), (1,)]
    assert [citation.marker for citation in result.citations] == [1, 2]


def test_words_cut_out_of_a_denial_do_not_support_their_opposite() -> None:
    cut = evidence(passage("We found no evidence that the drug improved survival of the mice."))
    assert verify([DraftSentence(text="The drug improved survival of the mice.")], cut).sentences == ()


def test_a_computation_cites_its_operands() -> None:
    numbers = evidence(passage("Accuracy rose from 80.0 to 84.0 with LeafNet."))
    draft = DraftSentence(
        text="Accuracy rose by 4.0 points with LeafNet.",
        sources=(("a", "Accuracy rose from 80.0 to 84.0"),),
        computation=Computation(expression="84.0 - 80.0", result="4.0"),
    )
    result = verify([draft], numbers)
    assert result.sentences[0].markers == (1, 2)
    derivation = result.citations[1].derivation
    assert derivation is not None
    assert derivation.operands == (1,)
    wrong = DraftSentence(
        text=draft.text, sources=draft.sources, computation=Computation(expression="84.0 - 79.0", result="4.0")
    )
    assert verify([wrong], numbers).sentences == ()


def test_a_sentence_over_a_page_end_is_cited_with_both_pages() -> None:
    first = passage("The leaves were collected in the", passage_id="a", page=3, next_id="b")
    second = passage("spring of 1998 near Uppsala.", passage_id="b", page=4)
    text = "The leaves were collected in the spring of 1998 near Uppsala."
    result = verify([DraftSentence(text=text, sources=(("a", text),))], evidence(first, context=(second,)))
    assert [span.page for span in result.citations[0].spans] == [3, 4]


@pytest.mark.parametrize(
    "text", ["The paper does not report the cost.", "No information on cost is provided in the text."]
)
def test_refusals_are_known(text: str) -> None:
    assert is_refusal(text)


SENTENCES = [
    "AdamW was used.",
    "Training took 9 hours on two GPUs.",
    "Shade reduced leaf area by 12% in oak seedlings.",
]


@given(st.sampled_from(SENTENCES), st.integers(0, 10**6), st.data())
def test_adversarial_drafts_never_pass(sentence: str, number: int, data: st.DataObject) -> None:
    words = sentence.split()
    at = data.draw(st.integers(0, len(words)))
    invented = " ".join([*words[:at], str(number), *words[at:]])
    assume(number != 1 and str(number) not in sentence)
    assert said(DraftSentence(text=invented, sources=(("a", FIRST), ("b", SECOND)))) == []


@given(st.sampled_from(SENTENCES), st.text(max_size=30), st.text(max_size=30))
def test_every_citation_is_printed_whatever_is_claimed(sentence: str, key: str, quote: str) -> None:
    result = verify([DraftSentence(text=sentence, sources=((key, quote), ("a", quote)))], EVIDENCE)
    assert [one.text for one in result.sentences] == [sentence]
    texts = {one.passage.id: one.passage.text for one in EVIDENCE}
    for citation in result.citations:
        assert all(find_quote(span.quote, texts[span.passage_id]) for span in citation.spans)
