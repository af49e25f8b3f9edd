"""Which aspect a question asks for as a whole, and where the back matter tells of it."""

import pytest

from core.aspects.asked_aspects import aspect_asked, find_field, find_notices, rank_stated, words_asking
from core.aspects.statement_ranking import Cosines
from core.aspects.statements import extract_statements
from core.aspects.template_fields import find_aspect
from core.domain.model import Metadata, Passage
from core.domain.studies import TemplateField
from core.text.languages.aspect_words import AspectName


def passage(number: int, text: str, *, section: str = "Results") -> Passage:
    return Passage(
        id=f"p{number}",
        paper_id="otters",
        ordinal=number,
        page=number,
        section=(section,),
        kind="text",
        text=text,
        indexed_text=text,
        boxes=(),
    )


@pytest.mark.parametrize(
    ("question", "aspect"),
    [
        ("Who financed the otter survey?", "funding"),
        ("Wer hat die Studie finanziert?", "funding"),
        ("Where can the code of the otter model be downloaded?", "availability"),
        ("Did an ethics committee approve the tagging?", "ethics"),
        ("¿Cuáles son las limitaciones del estudio?", "limitations"),
        ("Which weaknesses does the otter paper name?", "limitations"),
        ("How was the survey carried out?", "methods"),
        ("What were the key findings of the otter study?", "results"),
        ("What did they find?", "results"),
        ("Quel est l'objectif de l'étude ?", "aim"),
        ("How many participants took part?", "size"),
        ("What does the paper conclude?", "conclusion"),
        ("What is the otter paper about?", "about"),
    ],
)
def test_an_aspect_is_asked_for_as_a_whole(question: str, aspect: AspectName) -> None:
    assert aspect_asked(question) == aspect


@pytest.mark.parametrize(
    "question",
    [
        "Which method was used to weigh the pups?",
        "What is the result of dividing the catch by the effort?",
        "How many otters were tagged in spring?",
        "What did they find under the stones?",
    ],
)
def test_what_asks_for_one_thing_in_particular_asks_for_no_aspect(question: str) -> None:
    assert aspect_asked(question) is None


def test_the_words_that_ask_for_an_aspect_leave_those_that_name_the_work() -> None:
    assert "otter" not in words_asking("What are the main results of the otter study?", "results")
    assert "result" in words_asking("What are the main results of the otter study?", "results")


def test_who_paid_is_found_under_its_heading_in_a_note_and_in_the_thanks() -> None:
    texts = (
        passage(1, "Funding: the survey was funded by the Lakes Trust under grant 12."),
        passage(5, "We thank the rangers. The boats were financed by the county.", section="Acknowledgements"),
        passage(6, "The Rivers Agency covered travel.", section="Funding"),
        passage(7, "Otters slept in the reeds near the county road."),
    )
    found = [item.statement.text for item in find_notices("funding", texts)]
    assert found[0].startswith("Funding: the survey was funded")
    assert "The Rivers Agency covered travel." in found
    assert not any("reeds" in text for text in found)


def test_a_field_of_a_study_finds_the_back_matter_and_what_stands_under_its_own_heading() -> None:
    texts = (
        passage(2, "The otters were counted twice a day from two boats.", section="Methods"),
        passage(8, "All dens lay on one bank of the river.", section="5 Limitations"),
        passage(9, "The survey was supported by the Lakes Trust.", section="Funding"),
    )
    statements = extract_statements(texts, Metadata(title="Otters"))

    def first(name: str) -> str:
        aspect = find_aspect(TemplateField(name=name, hint=""))
        found = find_field(aspect, (), statements, texts)
        assert found[0].score >= aspect.least
        return found[0].statement.text

    assert first("funding") == "The survey was supported by the Lakes Trust."
    assert first("Limitations") == "All dens lay on one bank of the river."


def test_what_a_short_sentence_announces_comes_before_it() -> None:
    text = (
        "This study has some limitations. All dens of the survey lay on one bank of the river. "
        "Rain kept the boats ashore for a week in May."
    )
    texts = (
        passage(3, "The otters were counted from boats.", section="Methods"),
        passage(8, text, section="Discussion"),
    )
    ranked, clear = rank_stated("limitations", extract_statements(texts, Metadata(title="Otters")), Cosines())
    assert clear
    assert ranked[0].statement.text.startswith("All dens")
    assert ranked[1].statement.text.startswith("Rain kept")
