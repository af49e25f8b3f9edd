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
    found = [passage for passage in reading.passages if passage.kind == kind]
    labels = {passage.label for passage in found if passage.label}
    return len(labels) or len(found)


def key_sentence(reading: Reading) -> Span | None:
    """The sentence of the abstract (or of the first page) that says most plainly what was found."""
    candidates = [(passage, place) for passage in _opening(reading) for place in sentence_spans(passage.text)]
    fitting = [(p, s) for p, s in candidates if 40 <= s[1] - s[0] <= 400 and p.text[slice(*s)].rstrip()[-1:] in ".!?。"]
    if not fitting:
        return None
    passage, sentence = max(enumerate(fitting), key=lambda item: (_claims(_said(*item[1])), -item[0]))[1]
    start, end = sentence
    return next(iter(build_quote_spans([PassageSpan(passage=passage, start=start, end=end)])), None)


def questions(passages: Sequence[Passage]) -> tuple[str, ...]:
    """At most three questions that the paper of these passages has a place to answer."""
    paths = " \n".join(sorted({" ".join(passage.section).lower() for passage in passages}))
    found = [question for pattern, question in _SECTIONS if re.search(pattern, paths)]
    captions = [p for p in passages if p.kind == "caption" and p.label and p.label.lower().startswith("table")]
    if captions:
        found.insert(1, f"What does {captions[0].label} show?")
    return tuple(dict.fromkeys([*found, *_PLAIN]))[:3]


def _opening(reading: Reading) -> Sequence[Passage]:
    abstract = alphanumeric_key(reading.metadata.abstract)
    texts = [passage for passage in reading.passages if passage.kind == "text"]
    inside = [
        p
        for p in texts
        if abstract and len(alphanumeric_key(p.text)) > 40 and alphanumeric_key(p.text)[:60] in abstract
    ]
    named = [p for p in texts if any("abstract" in part.lower() or "summary" in part.lower() for part in p.section)]
    return inside or named or [passage for passage in texts if passage.page == 1]


def _said(passage: Passage, place: tuple[int, int]) -> str:
    return passage.text[slice(*place)]


def _claims(sentence: str) -> int:
    return 1 if _CLAIM.search(sentence) else 0
