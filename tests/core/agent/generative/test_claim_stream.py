"""Claims out of pieces of a reply, however a model dresses them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.agent.generative.claim_stream import ClaimStream, StreamedClaim
from tests.llm.brains import claim, claims

ONE = StreamedClaim(sentence="Halland kept its yield.", quotes=((3, "kept 91 percent"),))
BARE = json.dumps(claim("Halland kept its yield.", "kept 91 percent", passages=[3]))


def read(text: str, size: int = 7) -> tuple[list[StreamedClaim], ClaimStream]:
    stream = ClaimStream()
    found = [one for at in range(0, len(text), size) for one in stream.more(text[at : at + size])]
    return [*found, *stream.more("\n")], stream


def test_a_claim_is_given_as_soon_as_its_object_ends() -> None:
    reply = claims(json.loads(BARE), json.loads(BARE) | {"sentence": "Yield fell."}, missing=["the price"])
    stream = ClaimStream()
    cut = reply.index("}") + 1
    assert stream.more(reply[: cut - 1]) == []
    assert stream.more(reply[cut - 1 : cut]) == [ONE]
    assert [one.sentence for one in stream.more(reply[cut:])] == ["Yield fell."]
    assert stream.missing == ("the price",)


@pytest.mark.parametrize(
    "reply",
    [
        BARE,
        f"Here are the claims:\n```json\n[{BARE}]\n```",
        f"{BARE},\n",
        '{"claims": [' + BARE,
        '{"Sentence": "Halland kept its yield.", "Quote": "kept 91 percent", "Passage": "3"}',
        '{"sentence": "Halland kept its yield.", "quotes": ["[3] kept 91 percent"]}',
        '{"sentence": "Halland kept its yield.", "passages": [3], "quotes": [{"no": 3, "words": "kept 91 percent"}]}',
        '{"passages": [3], "quotes": ["kept 91 percent",], "sentence": "Halland kept its yield.",}',
        '{"passages": [3], "quotes": ["kept 91 percent"], "sentence": "Halland kept its yield."',
    ],
)
def test_a_claim_is_read_however_it_is_dressed(reply: str) -> None:
    expected = [] if reply.endswith('yield."') else [ONE]
    assert read(reply)[0] == expected


def test_quotation_marks_inside_a_quote_do_not_lose_it() -> None:
    sloppy = '{"passages": [2], "quotes": ["called "dry" plots"], "sentence": "Some plots were dry."}'
    (found,), _ = read(sloppy + "\n" + BARE)[0][:1], None
    assert found == StreamedClaim(sentence="Some plots were dry.", quotes=((2, 'called "dry" plots'),))
    odd = '{"passages": [2], "quotes": ["a 5" pipe"], "sentence": "It was a pipe."}\n'
    assert read(odd + BARE)[0][-1] == ONE, "a mark too many costs its own line only"


def test_two_quotes_with_one_number_are_of_that_passage() -> None:
    (found,), _ = read('{"passages": [4], "quotes": ["one two", "three four"], "sentence": "S."}')
    assert found.quotes == ((4, "one two"), (4, "three four"))


def test_a_reply_of_another_form_has_nothing() -> None:
    for text in ("I am sorry, I cannot.", '{"answer": {"nested": ["deep"]}}', "", "{"):
        found, stream = read(text)
        assert found == [] and not stream.anything
    assert read('{"claims": [], "missing": []}')[1].anything


@given(
    st.lists(st.tuples(st.text(min_size=1), st.text(min_size=1)), min_size=1, max_size=4),
    st.integers(min_value=1, max_value=40),
)
def test_what_json_holds_comes_out_whatever_the_pieces(pairs: list[tuple[str, str]], size: int) -> None:
    reply = claims(*(claim(sentence, quote, passages=[1]) for sentence, quote in pairs))
    found, _ = read(reply, size)
    assert len(found) == len(pairs)
