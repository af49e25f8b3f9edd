from dataclasses import replace

from bot.replies import general
from core.domain.citation_format import short_authors
from core.domain.model import Answer, Evidence, Forgotten, IngestReport, Passage, Sentence, Span
from core.understanding.papers import PaperResolver
from tests.bot.actors import citation, paper


def answered() -> Answer:
    return Answer(
        question="q",
        outcome="answered",
        mode="extractive",
        sentences=(
            Sentence(text="A *footnote* is a promise.", markers=(1,)),
            Sentence(text="It [holds].", markers=(1, 2)),
        ),
        citations=(citation(1), citation(2)),
        notes=("the reranker took too long",),
        trace_id="1a2b3c4d",
        timings={"search": 0.1, "total": 0.25},
    )


def near(text: str) -> Evidence:
    passage = Passage(
        id="p", paper_id="a" * 64, ordinal=1, page=7, section=("3 Results",), kind="text", text=text, indexed_text=""
    )
    return Evidence(passage=passage, paper=paper(), score=1.0)


def test_an_answer_has_its_markers_footnotes_and_a_footer_that_says_how_it_was_made() -> None:
    reply = general.answer(answered(), {"a" * 64: paper()})
    assert reply.body == r"A \*footnote\* is a promise. \[1\] It \[holds\]. \[1\]\[2\]"
    assert [note.citation.marker for note in reply.footnotes] == [1, 2]
    assert reply.footer == (
        "quoted from the papers, no language model · the reranker took too long · 0.2 s · reference 1a2b3c4d"
    )
    assert reply.papers == {"a" * 64}


def test_a_model_is_named_and_its_own_words_are_told_from_quotes() -> None:
    sentences = (
        Sentence(text="A note binds its writer.", markers=(1,), form="paraphrase"),
        Sentence(text="A footnote is a promise.", markers=(2,), form="quote"),
        Sentence(text="It is one, in other words.", markers=(2,), form="paraphrase"),
    )
    given = Answer(
        question="q",
        outcome="answered",
        mode="model",
        model="writer-7",
        sentences=sentences,
        citations=(citation(1), citation(2)),
    )
    reply = general.answer(given, {paper().id: paper()})
    assert [note.paraphrased for note in reply.footnotes] == [True, False]
    assert "written by writer-7" in reply.footer


def test_not_found_says_what_was_searched_and_shows_the_nearest_passages() -> None:
    given = Answer(
        question="q",
        outcome="not_found",
        mode="extractive",
        message="Nothing in 3 papers answers this.",
        nearest=(near("Short words."), near("long " * 100)),
    )
    reply = general.answer(given, {})
    first, second, third, fourth = reply.body.split("\n", 3)
    assert (first, second, third) == ("Nothing in 3 papers answers this.", "", "Closest passages:")
    assert fourth.startswith("- “Short words.” (On Footnotes, p. 7, § 3 Results)\n- “long long")
    assert "long … ”" not in fourth and " …” (On Footnotes" in fourth
    assert reply.papers == {"a" * 64}


def test_asking_back_lists_the_papers_that_may_be_meant() -> None:
    given = Answer(question="q", outcome="clarify", mode="extractive", message="Which?", candidates=("a" * 64,))
    assert general.answer(given, {"a" * 64: paper()}).body == "Which?\n\n- On Footnotes"
    numbered = replace(given, message="Which?\n1. “On Footnotes”\n2. “On Margins”")
    assert general.answer(numbered, {"a" * 64: paper()}).body == "Which?\n\n1. “On Footnotes”\n\n2. “On Margins”"


def test_the_card_of_a_paper_tells_what_was_found_and_what_was_not() -> None:
    report = IngestReport(
        outcome="indexed",
        file_name="f.pdf",
        paper=replace(paper(), warnings=("page 3 holds nothing readable.",)),
        counts={"sections": 4, "tables": 1, "figures": 0, "formulas": 2, "references": 30, "passages": 99},
        key_sentence=Span(passage_id="p", page=1, quote="We show that it holds."),
        questions=("What holds?",),
        seconds=1.234,
    )
    reply = general.ingest_report(report)
    assert reply.body == (
        "**On Footnotes**\n\nAda Lovelace, Grace Hopper, Mary Kenneth · 2021 · 12 pages\n\n"
        "Found: 4 sections, 1 table, 2 formulas, 30 references.\n\n"
        "Not read: page 3 holds nothing readable.\n\n"
        "> We show that it holds. \\[1\\]\n\n"
        "Ask, for example:\n- What holds?"
    )
    assert reply.footnotes[0].citation.spans[0].page == 1
    assert [(button.action, button.value) for button in reply.buttons] == [("ask", "aaaaaaaaaaaaaaaa/0")]
    assert reply.footer == "read in 1.2 s"


def test_a_refused_file_says_why_and_a_failed_one_that_it_may_pass() -> None:
    refused = IngestReport(outcome="rejected", file_name="a_b.pdf", reason="It is empty.")
    assert general.ingest_report(refused).body == "**a\\_b.pdf** was not added: It is empty."
    failed = IngestReport(outcome="failed", file_name="a.pdf", reason="Too slow.")
    assert general.ingest_report(failed).body == "**a.pdf** could not be read this time: Too slow."


def test_names_of_authors_are_shortened_the_usual_way() -> None:
    data = paper().metadata
    shortened = [short_authors(replace(paper(), metadata=replace(data, authors=data.authors[:n]))) for n in range(4)]
    assert shortened == ["", "Ada Lovelace", "Ada Lovelace and Grace Hopper", "Ada Lovelace et al."]


def test_forgetting_nothing_says_so() -> None:
    assert general.removal(Forgotten(papers=(), counts={}), ()).body == "Nothing was removed."


def test_a_paper_goes_by_number_id_file_title_or_words() -> None:
    item = paper("a" * 64, "On Footnotes")
    two = replace(paper("b" * 64, "On Margins and Footnotes"), file_name="margins2020.pdf")
    resolver = PaperResolver([item, two])
    assert resolver.find("2") == (two,)
    assert resolver.find("#1") == (item,)
    assert resolver.find("bbbbbb") == [two]
    assert resolver.find("on footnotes") == [item]
    assert resolver.find("margins2020.pdf") == [two]
    assert resolver.find("footnotes") == [item, two]
    assert resolver.find("lovelace margins") == [two]
    assert [*resolver.find("3"), *resolver.find(""), *resolver.find("nothing")] == []


def test_folded_sentences_stand_behind_a_button_and_their_footnotes_with_them() -> None:
    folded = replace(
        answered(), sentences=answered().sentences[:1], more=(Sentence(text="It was cold.", markers=(2,)),)
    )
    reply = general.answer(folded, {"a" * 64: paper()})
    assert "It was cold." not in reply.body
    assert [note.citation.marker for note in reply.footnotes] == [1]
    assert "more" in [button.action for button in reply.buttons]
    opened = general.more_of(folded, {"a" * 64: paper()})
    assert "It was cold." in opened.body
    assert [note.citation.marker for note in opened.footnotes] == [2]
