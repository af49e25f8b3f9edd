"""The grammar of questions: closed classes of words that say what is asked, whatever the subject.

A question word with a noun asks for that noun, "how" with an adjective for a degree, a superlative for an extreme.
Search and answering read the same grammar. English, with the question words of six more languages.
"""

import re

_AUXILIARIES = (
    "is|are|was|were|be|been|do|does|did|has|have|had|can|could|may|might|must|shall|should|will|would|cannot"
)
_ARTICLES = "the|an?|this|that|these|those|its|their|his|her|our|your|my"
_PRONOUNS = "i|you|he|she|it|we|they|one|there|who|what|which|when|where|why"
_PREPOSITIONS = "of|for|in|on|at|from|to|with|by|per|between|among|across|after|before|during|under|over|about|as|than"
_OF_MANNER = (
    f"{_AUXILIARIES}|{_ARTICLES}|{_PRONOUNS}|{_PREPOSITIONS}|and|or|else|come|not|exactly|precisely|specifically"
)
_COUNT = re.compile(
    r"\bhow (?:many|much)\b|\b(?:combien|wie ?viele?n?|cuánt[oa]s?|cuant[oa]s?|quant[oaie]s?)\b"
    r"|多少|几[个個篇]|幾|いくつ|何(?:人|個|件|本|％|%)",
    re.IGNORECASE,
)
# Adjectives do not end in a single "s" ("how proteins can fold" asks for no degree), but for "-ous" and "-less".
_DEGREE = re.compile(
    rf"\bhow (?!(?:{_OF_MANNER})\b)(?![a-z]*[^su\W]s\b)[a-z-]{{2,}} (?:{_AUXILIARIES}|{_ARTICLES})\b"
    r"|\bwie (?!(?:ist|sind|war|waren|wird|werden|wurden?|hat|haben|kann|können)\b)\w+"
    r" (?:ist|sind|war|waren|wird|werden|wurden?|hat|haben)\b"
    r"|\b(?:qué tan|cuán|quão)\b",
    re.IGNORECASE,
)
_PHRASE = rf"(?:(?!(?:{_AUXILIARIES}|{_PREPOSITIONS}|{_PRONOUNS}|{_ARTICLES}|and|or)\b)[\w'’.-]+\s*)"
_NOUN = (
    re.compile(
        rf"\b(?:what|which)\s+(?P<noun>{_PHRASE}{{1,5}})(?=\b(?:{_AUXILIARIES}|{_PREPOSITIONS}|and|or)\b|[,;?]|$)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\bwhat (?:is|are|was|were) (?:{_ARTICLES}) (?P<noun>{_PHRASE}{{1,5}})"
        rf"(?=\b(?:{_PREPOSITIONS}|that|which|and)\b|[,;?]|$)",
        re.IGNORECASE,
    ),
    # In these languages the noun follows the question word at once, and what describes it comes after.
    re.compile(
        r"(?:^|[^\w])(?:qué|quel(?:le)?s?|qual|quale|quais|quali|welche[rsnm]?|^\W*que) (?P<noun>[^\W\d_]{4,})\b",
        re.IGNORECASE,
    ),
)
_SUPERLATIVE = re.compile(
    r"\b(?:most|least|best|worst|maximum|minimum"
    r"|(?!(?:forest|interest|request|suggest|harvest|protest|contest|honest|digest|modest|manifest|invest|arrest"
    r"|latest|conquest|priest|behest|midwest|budapest)\b)[a-z]{3,}est)\b",
    re.IGNORECASE,
)


def asks_count(question: str) -> bool:
    """Whether "how many" or "how much" is asked."""
    return bool(_COUNT.search(question))


def asks_degree(question: str) -> bool:
    """Whether a degree is asked for: "how" and an adjective or adverb."""
    return bool(_DEGREE.search(question))


def asked_noun(question: str) -> str:
    """The noun that a question word asks for ("what mean particle size did" gives "mean particle size"), or nothing."""
    found = next((match for pattern in _NOUN if (match := pattern.search(question))), None)
    return found["noun"].strip() if found else ""


def has_superlative(question: str) -> bool:
    """Whether an extreme is asked for: "the fastest", "most"."""
    return bool(_SUPERLATIVE.search(question))
