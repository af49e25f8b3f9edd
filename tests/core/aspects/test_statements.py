"""What of a paper can be quoted as a statement, where it stands, and which aspect it tells."""

from dataclasses import replace

import pytest

from core.aspects import definitions
from core.aspects.section_zones import Zone, zone_of
from core.aspects.statement_ranking import (
    above_least_score,
    counts_something,
    rank_statements,
    score_statement,
    select_statements,
)
from core.aspects.statements import Statement, extract_statements
from core.aspects.template_fields import find_aspect
from core.assistant.studies.extract import format_template, parse_template
from core.assistant.studies.takeaways import takeaway
from core.domain.errors import SettingsInvalid
from core.domain.model import Metadata
from core.domain.studies import STANDARD, TemplateField
from core.text import index_tokens
from tests.core.agent.small_library import passage

PLAIN = Metadata(title="On Bees", language="en")


def statement(text: str, zone: Zone = "other", place: int = 0) -> Statement:
    return Statement(
        passage=passage("p", 1, 1, text), text=text, zone=zone, place=place, tokens=frozenset(index_tokens(text))
    )


def test_a_sentence_cut_by_a_page_end_is_one_statement_that_ends_in_the_next_passage() -> None:
    first = replace(
        passage("p", 1, 3, "Bees dance in the dark hive. We observed twelve hives and compared the dan-"), next_id="p/2"
    )
    second = passage("p", 2, 4, "ces of their foragers over a year. The hives stood in gardens of the town.")
    found = extract_statements([first, second], PLAIN)
    assert [one.text for one in found] == [
        "Bees dance in the dark hive.",
        "We observed twelve hives and compared the dances of their foragers over a year.",
        "The hives stood in gardens of the town.",
    ]
    assert [one.following.id if one.following else None for one in found] == [None, "p/2", None]


def test_the_head_of_a_part_of_the_abstract_is_not_said_with_it() -> None:
    (one,) = extract_statements([passage("p", 1, 1, "Methods: we watched twelve hives over a year.")], PLAIN)
    assert one.bare == "We watched twelve hives over a year."
    assert one.draft().text == one.bare


def test_each_sentence_of_an_abstract_belongs_to_the_part_whose_head_came_last() -> None:
    text = (
        "Background: Little is known about the dance of bees. Methods: We watched twelve hives over a year. "
        "The hives stood in gardens of the town. Results: Bees danced longer for sweeter flowers."
    )
    found = extract_statements([passage("p", 1, 1, text, section="Abstract")], PLAIN)
    assert [one.part for one in found] == ["introduction", "method", "method", "results"]


def test_the_takeaway_of_an_abstract_of_parts_stands_under_its_results() -> None:
    text = (
        "Background: Earlier studies found that bees dance in the dark. Methods: We report on twelve hives. "
        "Results: Dances for sweeter flowers were found to be longer. Conclusions: We conclude that bees know it."
    )
    told = takeaway(extract_statements([passage("p", 1, 1, text, section="Abstract")], PLAIN))
    assert told is not None and told.part in ("results", "conclusion")


def test_words_that_tie_a_sentence_to_the_one_before_are_not_said_with_it() -> None:
    (one,) = extract_statements([passage("p", 1, 5, "Moreover, we watched twelve hives over a year.")], PLAIN)
    assert one.bare == "We watched twelve hives over a year."
    assert not one.is_dependent


def test_a_sentence_that_speaks_of_what_the_one_before_named_leans_on_it() -> None:
    text = "They danced longer for the sweeter flowers. This study followed twelve hives over a year."
    assert [one.is_dependent for one in extract_statements([passage("p", 1, 5, text)], PLAIN)] == [True, False]


def test_a_footnote_between_a_sentence_and_its_end_is_not_taken_for_its_end() -> None:
    first = replace(
        passage("p", 1, 3, "Bees dance in the dark hive. We observed twelve hives with public"), next_id="p/2"
    )
    note = passage("p", 2, 3, "∗ Authors contributed equally.")
    assert [one.text for one in extract_statements([first, note], PLAIN)][:1] == ["Bees dance in the dark hive."]
    assert not any("public" in one.text for one in extract_statements([first, note], PLAIN))


@pytest.mark.parametrize(
    "text",
    [
        "Table of contents and notes",
        "and this begins in the middle of a sentence of the page.",
        "x = 3.14 × 10^5 + 0.25 / 7 − 12, y = 44.1, z = 9.81 (4).",
        "© 2020 The authors; this is an open access article under a licence.",
        "See here.",
        "Citation: Bloom A, Carder B (2018) On the dance of bees in the dark. Hive Notes 3: 12.",
        "R> fit <- glm(visits ~ age, data = hives) gives the number of visits for each age.",
        "The hives stood 412 in gardens of the old town, whose owners 413 had kept bees for long.",
        "This work was supported by the town and its many gardens.",
        "(By the second rule, we consider all hives; by the first rule (see there), those in gardens.)",
    ],
)
def test_what_is_no_sentence_of_the_paper_is_no_statement(text: str) -> None:
    assert extract_statements([passage("p", 1, 1, text)], PLAIN) == ()


@pytest.mark.parametrize("section", ["References", "Acknowledgments", "Author contributions", "7 Funding"])
def test_back_matter_makes_no_statements(section: str) -> None:
    assert (
        extract_statements([passage("p", 1, 9, "We thank the town for its many gardens.", section=section)], PLAIN)
        == ()
    )


def test_a_second_abstract_in_another_language_is_left_out() -> None:
    foreign = "Die Bienen tanzen im dunklen Stock und zeigen einander den Weg zu den Blüten, die sie gefunden haben."
    found = extract_statements([passage("p", 1, 1, foreign, section="Zusammenfassung")], PLAIN)
    assert found == ()


@pytest.mark.parametrize(
    ("section", "page", "zone"),
    [
        ("Abstract", 1, "abstract"),
        ("Summary", 1, "abstract"),
        ("Summary", 14, "conclusion"),
        ("2.1 Materials and methods", 3, "method"),
        ("5 Results and discussion", 5, "results"),
        ("Limitations", 8, "limitations"),
        ("Introducción", 1, "introduction"),
        ("The dance", 4, "other"),
    ],
)
def test_the_part_of_a_paper_is_told_by_its_heading(section: str, page: int, zone: Zone) -> None:
    assert zone_of((section,), page) == zone


def test_the_abstract_is_known_by_its_words_where_it_has_no_heading() -> None:
    text = "We show that bees dance longer for sweeter flowers than for others."
    metadata = replace(PLAIN, abstract=text)
    bare = replace(passage("p", 1, 1, text), section=())
    assert [one.zone for one in extract_statements([bare], metadata)] == ["abstract"]
    assert [one.zone for one in extract_statements([bare], PLAIN)] == ["introduction"]


@pytest.mark.parametrize(
    ("name", "text", "zone"),
    [
        ("Size", "A total of 312 patients were enrolled in the trial.", "method"),
        ("Dataset", "We used survey data from three villages in the north.", "data"),
        ("Metrics", "Models were compared by accuracy and F1 score on held-out folds.", "method"),
        ("Limitations", "A limitation of this study is its small sample of villages.", "discussion"),
        ("Future work", "Future work should examine whether the effect lasts.", "conclusion"),
        ("Future work", "We plan to extend the tool to other languages.", "conclusion"),
        ("Main results", "We found that the treatment reduced pain by 40% compared with placebo.", "abstract"),
        ("Training or procedure", "The network was trained for 40 epochs with a batch size of 32.", "method"),
        ("Main results", "We show in Figure 3 that the treatment reduced pain by 40%.", "results"),
        ("Limitations", "A potential drawback of our approach is that the hives were chosen by hand.", "method"),
        ("Limitations", "Una limitación de este estudio es el tamaño de la muestra.", "discussion"),
    ],
)
def test_an_aspect_is_believed_where_a_sentence_tells_it(name: str, text: str, zone: Zone) -> None:
    aspect = definitions.STANDARD[name]
    assert above_least_score(aspect, rank_statements(aspect, [statement(text, zone)]))


@pytest.mark.parametrize(
    ("name", "text", "zone"),
    [
        ("Limitations", "Findings from this study have been related to those of similar studies.", "discussion"),
        ("Main results", "We could not find a tool that met the needs of beekeepers.", "abstract"),
        ("Future work", "We conclude by outlining future work on hives in towns.", "abstract"),
        ("Dataset", "We also remove hives that were sampled in two surveys.", "data"),
        ("Main results", "We present the results for all hives in Table 4.", "results"),
        ("Training or procedure", "We also see this trend in the training of young beekeepers.", "introduction"),
        ("Limitations", "Existing corpora are not without their limitations (Smith, 2012).", "introduction"),
        ("Limitations", "The study revealed important shortcomings in the records of the ward.", "discussion"),
        ("Future work", "In Section 7 we discuss directions for future work.", "introduction"),
        ("Main results", "Smith et al. (2012) found that the treatment reduced pain.", "introduction"),
        ("Main results", "Further research is needed to confirm these results.", "conclusion"),
        ("Size", "The trial began in 2012 and ended in 2015.", "method"),
        ("Training or procedure", "Next, we provide more details about the training of the model.", "method"),
        ("Metrics", "The villages lie on the northern slope of the valley.", "method"),
    ],
)
def test_what_only_sounds_like_an_aspect_is_not_believed(name: str, text: str, zone: Zone) -> None:
    aspect = definitions.STANDARD[name]
    assert not above_least_score(aspect, rank_statements(aspect, [statement(text, zone)]))


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("We read 81.1M English-language academic papers.", True),
        ("There were 42 patients.", True),
        ("It was published in 2019 by others.", False),
        ("Yields rose by 12% in a year.", False),
        ("The blocks weighed 40 kg each.", False),
    ],
)
def test_things_that_are_counted_are_told_from_years_shares_and_measures(text: str, counts: bool) -> None:
    assert counts_something(text) is counts


def test_what_is_chosen_says_different_things_in_reading_order() -> None:
    texts = [
        "We found that bees dance longer for sweet flowers.",
        "We found that bees dance longer for sweet flowers indeed.",
        "Our results show that wind shortens the dance by 20%.",
    ]
    found = rank_statements(
        definitions.RESULTS, [statement(text, "abstract", place) for place, text in enumerate(texts)]
    )
    told = select_statements(found, most=3, within=5.0)
    assert len(told) == 2
    assert told[-1].text == texts[2]
    assert [one.place for one in told] == sorted(one.place for one in told)
    assert select_statements(found, most=3, within=5.0, beside=[0, 1, 2]) == ()


def test_a_field_is_known_by_its_usual_names_and_else_by_its_words() -> None:
    assert find_aspect(TemplateField(name="Sample size")).cues == definitions.SIZE.cues
    assert find_aspect(TemplateField(name="Findings")).cues == definitions.RESULTS.cues
    own = find_aspect(TemplateField(name="Irrigation", hint="litres of water a day"))
    assert score_statement(own, statement("Irrigation was 4 litres of water a day.", "method")) > own.least
    assert score_statement(own, statement("The villages lie on the northern slope.", "method")) == 0.0
    amount = find_aspect(TemplateField(name="Dose"))
    assert score_statement(amount, statement("The dose was raised slowly.", "method")) == 0.0


def test_a_template_is_read_from_what_a_channel_writes_and_written_back() -> None:
    template = parse_template("Organism; Sample size (number of animals); Assay: what was measured with")
    assert [(one.name, one.hint) for one in template.fields] == [
        ("Organism", ""),
        ("Sample size", "number of animals"),
        ("Assay", "what was measured with"),
    ]
    assert parse_template(format_template(template)) == template
    assert parse_template("Organism, Assay").names == ("Organism", "Assay")
    assert parse_template("  ") == STANDARD


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Organism; organism", "“organism” is there twice"),
        ("; ".join(f"Field {n}" for n in range(17)), "at most 16 fields"),
        ("Organism; ???", "“\\?\\?\\?” is no field"),
        ("x" * 61, "is no field"),
    ],
)
def test_a_template_that_makes_no_table_is_refused_in_one_sentence(text: str, why: str) -> None:
    with pytest.raises(SettingsInvalid, match=why):
        parse_template(text)
