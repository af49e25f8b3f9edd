"""What the confirmation of a paper shows beside its metadata: one key sentence and questions to start with. Pure.

The key sentence is the paper's own, quoted with its page; the questions are made only from what the
reader found, so that each of them has somewhere to be answered.
"""

import re
from collections.abc import Mapping, Sequence

from core.domain.model import Passage, PassageKind, Reading, Span
from core.grounding.quotes import PassageSpan, build_quote_spans
from core.text import alphanumeric_key, sentence_spans

_CLAIM = re.compile(
    r"\b(we|our|this (paper|study|work|article|review)|results?|findings?)\b.{0,60}?"
    r"\b(show|shows|showed|find|found|present|presents|propose|introduce|demonstrate|report|conclude|suggest|"
    r"reveal|describe|develop|provide|investigate|argue|examine|analy[sz]e|achieve|outperform)\w*",
    re.IGNORECASE,
)
_SECTIONS: Sequence[tuple[str, str]] = (
    (r"limitation|threats to validity", "Which limitations do the authors name?"),
    (r"method|materials|experimental|procedure|approach", "How was the study done?"),
    (r"result|finding|evaluation|experiment", "What are the main results?"),
    (r"data|corpus|dataset|sample|participants", "Which data were used?"),
    (r"conclusion|discussion", "What do the authors conclude?"),
    (r"future|outlook", "What do the authors want to do next?"),
)
_PLAIN = ("What is this paper about?", "What are the main results?", "What do the authors conclude?")


def counts(reading: Reading) -> Mapping[str, int]:
    """How many of each thing a reader found, for the confirmation card."""
    return {
        "passages": len(reading.passages),
        "sections": len(reading.headings),
        "tables": _numbered(reading, "table"),
        "figures": len(reading.figures),
        "formulas": _numbered(reading, "formula"),
        "references": len(reading.references),
        "unread_pages": len(reading.unread),
    }


def _numbered(reading: Reading, kind: PassageKind) -> int:
    """How many of a kind the paper itself counts; where it numbers none, how many there are.

    What is merely set like a table (a listing, a program's output) is searched but not counted beside those.
    """
    labels = [passage.label for passage in reading.passages if passage.kind == kind]
    return len(set(filter(None, labels))) or len(labels)


def key_sentence(reading: Reading) -> Span | None:
    """The sentence of the abstract (or of the first page) that says most plainly what was found."""
    sentences = [
        PassageSpan(passage=passage, start=start, end=end)
        for passage in _opening(reading)
        for start, end in sentence_spans(passage.text)
    ]
    whole = [sentence for sentence in sentences if _is_whole(_text(sentence))]
    if not whole:
        return None
    best = max(whole, key=lambda sentence: bool(_CLAIM.search(_text(sentence))))
    return next(iter(build_quote_spans([best])), None)


def _text(sentence: PassageSpan) -> str:
    return sentence.passage.text[sentence.start : sentence.end]


def _is_whole(text: str) -> bool:
    return 40 <= len(text) <= 400 and text.rstrip()[-1:] in (".", "!", "?", "。")


def questions(passages: Sequence[Passage]) -> tuple[str, ...]:
    """At most three questions that the paper of these passages has a place to answer."""
    paths = " \n".join(sorted({" ".join(passage.section).lower() for passage in passages}))
    found = [question for pattern, question in _SECTIONS if re.search(pattern, paths)]
    tables = [passage.label for passage in passages if _is_table_caption(passage)]
    if tables:
        found.insert(1, f"What does {tables[0]} show?")
    return tuple(dict.fromkeys([*found, *_PLAIN]))[:3]


def _is_table_caption(passage: Passage) -> bool:
    return passage.kind == "caption" and (passage.label or "").lower().startswith("table")


def _opening(reading: Reading) -> Sequence[Passage]:
    """The passages of the abstract; those of the first page where none is known."""
    abstract = alphanumeric_key(reading.metadata.abstract)
    texts = [passage for passage in reading.passages if passage.kind == "text"]
    inside = [passage for passage in texts if _begins_in(abstract, passage)]
    named = [passage for passage in texts if re.search("abstract|summary", "\n".join(passage.section).lower())]
    return inside or named or [passage for passage in texts if passage.page == 1]


def _begins_in(abstract: str, passage: Passage) -> bool:
    key = alphanumeric_key(passage.text)
    return bool(abstract) and len(key) > 40 and key[:60] in abstract
