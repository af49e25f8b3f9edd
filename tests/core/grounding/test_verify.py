import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.domain.model import Box, Sentence, Table
from core.grounding.citations import strip_markers
from core.grounding.quotes import find_quote
from core.grounding.verify import (
    CheckedSentence,
    DescribedFigure,
    DraftSentence,
    RejectedSentence,
    Verifier,
    verify,
)
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
        "RootNet outperforms LeafNet by 4.1 points on VegSet.",
        "Shade increased leaf area by 12% in oak seedlings.",
        "Shade reduced leaf area by 21% in oak seedlings.",
        "It is all very interesting.",
        "[1]",
        "",
    ],
)
def test_the_rules_alone_let_no_false_answer_through(text: str) -> None:
    result = verify([DraftSentence(text=text, sources=(("a", FIRST), ("b", SECOND)))], EVIDENCE)
    assert result.sentences == ()
    assert result.citations == ()
    assert result.dropped[0].reasons


def test_a_sentence_without_a_printed_quote_is_rejected_and_its_quotes_are_named() -> None:
    for sources in ((), (("a", "AdamW was never used."),)):
        outcome = Verifier(EVIDENCE).check(DraftSentence(text="AdamW was used.", sources=sources))
        assert isinstance(outcome, RejectedSentence)
        assert all(quote in outcome.reasons[0] for _, quote in sources)


@pytest.mark.parametrize("named", ["a", "b", "", "unknown"])
def test_a_quote_is_found_where_it_is_printed_whichever_passage_is_named(named: str) -> None:
    result = verify([DraftSentence(text="AdamW was used.", sources=((named, "AdamW was used"),))], EVIDENCE)
    assert [(span.page, span.passage_id) for span in result.citations[0].spans] == [(3, "a")]


def test_one_quote_that_is_not_printed_does_not_lose_the_others() -> None:
    draft = DraftSentence(text="AdamW was used.", sources=(("a", "SGD was used"), ("a", "AdamW was used")))
    assert said(draft) == ["AdamW was used."]


def test_what_the_rules_cannot_prove_waits_for_a_second_reading_with_all_that_a_reader_sees() -> None:
    text = "It took less than half a day to fit the nets."
    checked = Verifier(EVIDENCE).check(DraftSentence(text=text, sources=(("a", "Training took 9 hours"),)))
    assert isinstance(checked, CheckedSentence)
    assert (checked.form, checked.verdict.entailed) == ("paraphrase", False)
    assert checked.pair.quotes == ("Training took 9 hours on two GPUs.",), "the whole sentence, not the words cut out"
    assert (checked.pair.sentence, checked.pair.section.startswith("3 Results")) == (text, True)
    assert checked.pair.title.startswith("A study of leaves")


def test_quotes_of_one_passage_are_one_footnote() -> None:
    verifier = Verifier(EVIDENCE)
    draft = DraftSentence(
        text="x", sources=(("a", "AdamW was used"), ("b", "root mass"), ("a", "Training took 9 hours"))
    )
    proofs = verifier.printed(draft)
    assert [(proof.evidence.passage.id, len(proof.stretches)) for proof in proofs] == [("a", 2), ("b", 1)]


@pytest.mark.parametrize("marker", ["[7]", "[1, 9]", "[1-9]", "[100]", "[1][2]", "[^3]", "【4†source】"])
def test_invented_markers_go(marker: str) -> None:
    quote = "Training took 9 hours on two GPUs"
    assert said(DraftSentence(text=f"{quote} {marker}.", sources=(("a", quote),))) == [f"{quote}."]


def test_a_papers_own_marker_is_kept_in_its_sentence_and_counts_for_nothing() -> None:
    own = "As shown in [3], deeper nets overfit on VegSet."
    result = verify([DraftSentence(text=own, sources=(("a", own),))], EVIDENCE)
    assert result.sentences[0].text == own
    assert (result.sentences[0].markers, result.sentences[0].form) == ((1,), "quote")
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


def test_words_cut_out_of_a_denial_are_neither_a_quote_nor_proof() -> None:
    cut = evidence(passage("We found no evidence that the drug improved survival of the mice."))
    text = "The drug improved survival of the mice."
    assert verify([DraftSentence(text=text, sources=(("a", text),))], cut).sentences == ()


def test_a_row_of_a_table_is_quoted_with_its_head_and_may_be_written_with_bars() -> None:
    table = Table(header=("Model", "F1"), rows=(("LeafNet", "88.7"), ("RootNet", "79.4")))
    text = "Table 1: Results\nModel F1\nLeafNet 88.7\nRootNet 79.4"
    printed = passage(text, kind="table", table=table)
    result = verify([DraftSentence(text="RootNet 79.4", sources=(("a", "RootNet | 79.4"),))], evidence(printed))
    assert result.sentences[0].form == "quote"
    quotes = [span.quote for span in result.citations[0].spans]
    assert quotes == ["Table 1: Results", "Model F1", "RootNet 79.4"], "a text layer may order lines otherwise"


def test_a_computation_cites_its_operands() -> None:
    numbers = evidence(passage("Accuracy rose from 80.0 to 84.0 with LeafNet."))
    text, sources = "LeafNet added 4.0 points.", (("a", "Accuracy rose from 80.0 to 84.0"),)
    verifier = Verifier(numbers)
    checked = verifier.check(DraftSentence(text=text, sources=sources, computation="84.0 - 80.0"))
    assert isinstance(checked, CheckedSentence) and not checked.verdict.entailed, "somebody has to read it"
    assert "84.0 - 80.0 = 4" in checked.pair.quotes
    sentence = verifier.accept(checked)
    assert (sentence.markers, sentence.form) == ((1, 2), "derived")
    derivation = verifier.citations[1].derivation
    assert derivation is not None
    assert derivation.operands == (1,)
    for wrong in ("84.0 - 79.0", "84.0 + 80.0", "8 - 4", "84.0"):
        outcome = verifier.check(DraftSentence(text=text, sources=sources, computation=wrong))
        assert isinstance(outcome, RejectedSentence), wrong


def test_a_sentence_may_say_a_papers_year_behind_its_authors_and_no_other() -> None:
    quote = "Shade reduced leaf area by 12%"
    for text, fine in (
        ("Holm (2019) found that shade reduced leaf area by 12% in oak seedlings.", True),
        ("Holm et al. 2019 found that shade reduced leaf area by 12% in oak seedlings.", True),
        ("Holm (2018) found that shade reduced leaf area by 12% in oak seedlings.", False),
        ("In 2019 shade reduced leaf area by 12% in oak seedlings.", False),
    ):
        found = evidence(passage(SECOND), authors=("Ida Holm", "Bo Lee"), year=2019)
        outcome = Verifier(found).check(DraftSentence(text=text, sources=(("a", quote),)))
        assert isinstance(outcome, CheckedSentence) is fine, text


def test_a_quote_stands_in_for_a_sentence_unless_it_is_cited_already() -> None:
    verifier = Verifier(EVIDENCE)
    proofs = verifier.printed(DraftSentence(text="x", sources=(("a", "AdamW was used"), ("b", "root mass"))))
    first = verifier.quote_instead(proofs)
    assert first == Sentence(text="AdamW was used.", markers=(1,), form="quote")
    second = verifier.quote_instead(proofs)
    assert second is not None and second.text == "It did not change root mass."
    assert verifier.quote_instead(proofs) is None


def test_the_description_of_a_figure_is_cited_by_its_caption_and_never_quoted() -> None:
    seen = passage("The curve falls.", passage_id="c#seen", kind="figure")
    caption = passage("Figure 1: Loss. Bands show runs.", passage_id="c", kind="figure")
    box = Box(page=3, x0=0, y0=0, x1=1, y1=1)
    verifier = Verifier(evidence(seen), [DescribedFigure(described=seen, caption=caption, box=box, seen_by="eye")])
    draft = DraftSentence(text="The curve falls.", sources=(("c#seen", "The curve falls"),))
    assert verifier.quote_instead(verifier.printed(draft)) is None
    assert isinstance(verifier.sentence(draft), Sentence)
    assert verifier.citations[0].spans[0].quote == "Figure 1: Loss." and verifier.citations[0].seen_by == "eye"


def test_a_sentence_over_a_page_end_is_cited_with_both_pages() -> None:
    first = passage("The leaves were collected in the", passage_id="a", page=3, next_id="b")
    second = passage("spring of 1998 near Uppsala.", passage_id="b", page=4)
    text = "The leaves were collected in the spring of 1998 near Uppsala."
    result = verify([DraftSentence(text=text, sources=(("a", text),))], evidence(first, context=(second,)))
    assert [span.page for span in result.citations[0].spans] == [3, 4]


SENTENCES = [
    "AdamW was used.",
    "Training took 9 hours on two GPUs.",
    "Shade reduced leaf area by 12% in oak seedlings.",
]


@given(st.sampled_from(SENTENCES), st.integers(0, 10**6), st.data())
def test_a_number_put_into_a_sentence_never_passes(sentence: str, number: int, data: st.DataObject) -> None:
    words = sentence.split()
    at = data.draw(st.integers(0, len(words)))
    invented = " ".join([*words[:at], str(number), *words[at:]])
    assume(number != 1 and str(number) not in sentence)
    assert said(DraftSentence(text=invented, sources=(("a", FIRST), ("b", SECOND)))) == []


@given(st.sampled_from(SENTENCES), st.text(max_size=30), st.text(max_size=30))
def test_every_citation_is_printed_whatever_is_claimed(sentence: str, key: str, quote: str) -> None:
    result = verify([DraftSentence(text=sentence, sources=((key, quote), (key, sentence)))], EVIDENCE)
    assert [one.text for one in result.sentences] == [sentence]
    texts = {one.passage.id: one.passage.text for one in EVIDENCE}
    for citation in result.citations:
        assert all(find_quote(span.quote, texts[span.passage_id]) for span in citation.spans)
