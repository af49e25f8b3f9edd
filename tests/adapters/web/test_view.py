"""A message as the page draws it."""

from dataclasses import replace

from adapters.web.messages import Message, channel_id, file_name
from adapters.web.view import Piece, block_views, message_view
from core.domain.model import Derivation
from core.domain.reply import Button, Footnote, Reply
from tests.adapters.web.clients import NOW, SENTENCE, answered, citation, paper

REPLY = Message(id="r", channel="general", thread="t", by="footnote", at=NOW)


def test_markers_are_told_from_a_papers_own_numbers() -> None:
    (block,) = block_views(r"As in Lee \[2\], it is so \[2\]. Yes. \[1\]\[2\] More \[7\]", [citation(1), citation(2)])
    marked = [piece.marker for piece in block.pieces if piece.marker]
    assert marked == [1, 2]
    assert "".join(piece.text for piece in block.pieces) == "As in Lee [2], it is so [2]. Yes.  More [7]"


def test_a_number_that_the_quote_itself_prints_is_no_marker() -> None:
    printed = citation(1, quote="We use the Softcite corpus [2] as a base  [1] here.")
    body = r"We use the Softcite corpus \[2\] as a base \[1\] here. \[1\] It is large. \[2\]"
    (block,) = block_views(body, [printed, citation(2)])
    assert [piece.marker for piece in block.pieces if piece.marker] == [1, 2]
    assert "corpus [2] as a base [1] here." in "".join(piece.text for piece in block.pieces)


def test_a_footnote_has_its_place_and_boxes() -> None:
    (note,) = message_view(replace(REPLY, reply=answered())).notes
    assert (note.title, note.byline, note.place) == ("On comets", "Ada Ferris et al., 2021", "p. 2, § 2 Results")
    assert note.quotes[0].boxes == ((10.0, 20.0, 110.0, 32.0),)


def test_a_computation_is_shown_with_what_it_stands_on() -> None:
    derived = replace(citation(3), spans=(), derivation=Derivation(expression="42 - 2", result="40", operands=(1, 2)))
    reply = Reply(kind="answer", body="x", footnotes=(Footnote(citation=derived, paper=paper()),))
    (note,) = message_view(replace(REPLY, reply=reply)).notes
    assert (note.computed, note.operands, note.quotes) == ("42 - 2 = 40", (1, 2), ())


def test_an_answer_still_being_written_has_its_sentences_and_notes() -> None:
    shown = message_view(
        replace(REPLY, state="working", sentences=(SENTENCE,), citations=(citation(),)), titles=[paper()]
    )
    (block,) = shown.blocks
    assert block.pieces == (Piece(text="The tail measured 42 degrees. "), Piece(marker=1), Piece(text=" "))
    assert shown.notes[0].title == "On comets" and shown.state == "working"


def test_a_list_of_what_is_offered_as_buttons_is_not_shown_twice() -> None:
    body = "**On comets**\n\nAsk, for example:\n- Why?\n- How?\n\nThe end."
    buttons = (Button(label="Why?", action="ask", value="a/0"), Button(label="How?", action="ask", value="a/1"))
    shown = message_view(replace(REPLY, reply=Reply(kind="ingest", body=body, buttons=buttons)))
    assert ["".join(piece.text for piece in item.pieces) for item in shown.blocks] == ["On comets", "The end."]


def test_a_table_keeps_its_markers_in_the_cells() -> None:
    (block,) = block_views("| Paper | Size |\n| --- | --- |\n| A | 12 \\[1\\] |", [citation(1)])
    assert block.kind == "table" and [piece.marker for piece in block.rows[0][1]] == [0, 1]


def test_names_of_files_and_channels_are_made_harmless() -> None:
    assert file_name("../../etc/pass\u202ewd.pdf") == "passwd.pdf" and file_name("C:\\x\\y.pdf") == "y.pdf"
    assert file_name("\n") == "paper.pdf"
    assert channel_id("Ünïcode & Co", []) == "ünïcode-co" and channel_id("!!", ["channel"]) == "channel-2"
