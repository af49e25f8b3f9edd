"""Notices text of a paper that speaks to a program instead of a reader, so that no answer is made of it.

Such words are printed on the page, so a quote of them would be verbatim; that is why the verifier alone does not
stop a model which was talked into repeating them.
"""

import re
from collections.abc import Sequence

from core.domain.model import Evidence
from core.text import index_tokens, split_sentences

SHARED = 0.6
"""Share of a sentence's words in an order that makes it a repetition of it."""
_ORDER = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|prompts?|rules? (?:above|before|given))\b"
    r"|\byou are (?:now )?(?:an? )?(?:ai|assistant|helpful|language model|chat ?bot|llm|reviewer)\b"
    r"|\b(?:ai|assistant|language model|llm|chat ?bot|bot)s? (?:that |which |who )?(?:reads?|reading|processing"
    r"|summari[sz]ing|reviewing|must now|(?:must|should) (?:say|reply|answer|write|report))\b"
    r"|^\W*(?:(?:now|then|instead|please|note|system|assistant)\W+)*(?:reply|answer|respond|say|output|print|write"
    r"|tell (?:the )?(?:user|reader)s?|recommend|praise|repeat|reveal)\b"
    r"|\bsystem prompt\b",
    re.IGNORECASE,
)


def instructions_in(evidence: Sequence[Evidence]) -> tuple[frozenset[str], ...]:
    """The words of each sentence that gives orders to a program."""
    said = (sentence for one in evidence for sentence in split_sentences(one.passage.text))
    found = (frozenset(index_tokens(sentence)) for sentence in said if _ORDER.search(sentence))
    return tuple(words for words in found if words)


def is_instruction(sentence: str) -> bool:
    """Whether a sentence gives orders to a program."""
    return bool(_ORDER.search(sentence))


def repeats_instruction(sentence: str, given: Sequence[frozenset[str]]) -> bool:
    """Whether most words of ``sentence`` come from one of the orders."""
    words = frozenset(index_tokens(sentence))
    return any(len(words & order) >= SHARED * len(words) for order in given) if words else False
