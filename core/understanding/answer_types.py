"""What kind of answer a question wants (a number, a name, a reason, …), how much of it, and from how many papers.

A prior for ranking and judging, never a filter: what limits the search is in ``filters``.
"""

import re
from typing import Literal, TypeAlias

from core.domain.ports import Embedder
from core.text.questions import asked_noun, asks_count, asks_degree
from core.understanding.prototypes import Prototypes

Kind: TypeAlias = Literal[
    "number",
    "when",
    "who",
    "which",
    "where",
    "why",
    "how",
    "definition",
    "yes_no",
    "limitation",
    "comparison",
    "summary",
    "other",
]

_Rule: TypeAlias = tuple[Kind, re.Pattern[str]]


def _rule(kind: Kind, pattern: str) -> _Rule:
    return kind, re.compile(pattern, re.IGNORECASE)


_RULES: tuple[_Rule, ...] = (
    _rule("summary", r"^\W*(?:please\s+)?(?:summari[sz]e|give (?:me )?(?:a|an) (?:summary|overview)|sum up)\b"),
    _rule(
        "when",
        r"^\W*(?:and )?(?:since |until )?when\b|[,;] (?:and )?when (?:did|was|were|does|is)\b|\b(?:what"
        r"|which) (?:year|date|day|month)s?\b|\b(?:quand|wann|cuándo|quando)\b|"
        r"\b(?:welchem|welches) jahr\b|quelle année|en qué año|em que ano|哪一?年|何年|いつ",
    ),
    _rule(
        "definition",
        r"\bwhat (?:does|do|is|are)\b.*\b(?:mean|means|stand for|abbreviation|called|definition|refer to)\b"
        r"|\bdefin(?:e|es|ed|ition)\b|"
        r"^\W*what (?:is|are) (?:an?|the)? ?[\"“«\w'-]+(?: [\w'\"”»-]+){0,3}\W*\??$|\bstand(?:s)? for\b",
    ),
    _rule("limitation", r"\b(?:limitations?|weakness(?:es)?|shortcomings?|drawbacks?|caveats?)\b"),
    _rule("why", r"\bwhy\b|\bwhat (?:is|was) the reason\b|\bpourquoi\b|\bwarum\b|\bpor qué\b|\bpor que\b|为什么|なぜ"),
    _rule(
        "comparison",
        r"^\W*(?:compare|contrast)\b|\bhow (?:do|did|does) .*\b(?:compare|differ)\b|\bdifferences? between\b"
        r"|\bversus\b|\bvs\b",
    ),
    _rule("who", r"\b(?:who|whom)\b|^\W*(?:and )?whose\b|\b(?:qui est|wer|wem|quién|quiénes|quem|chi)\b|谁|誰"),
    _rule(
        "where",
        r"\b(?:where|in which (?:country|city|region|place|figure|table|section))\b|\b(?:où|wo|dónde|onde|dove)\b",
    ),
    _rule("how", r"\bhow\b|\bcomment\b|\bwie\b|\bcómo\b|\bcomo\b|怎么|如何|どのよう"),
    _rule(
        "which",
        r"\b(?:which|what)\b|\b(?:quel(?:le)?s?|welche[rsnm]?|was|qué|cuál(?:es)?|qual|quais|quale|quali|che)\b|^\W*que\b|哪|什么|何",
    ),
    _rule("yes_no", r"^\W*(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would|should|may)\b"),
)
_ACROSS = re.compile(
    r"\b(?:two|both|three|several|all|these|those|of the|which|what|other|different|across|between|any|the) "
    r"(?:of (?:the|these|those) )?(?:papers|articles|studies|publications|authors' groups)\b"
    r"|\beach (?:of (?:the|these|those) )?(?:papers?|article|study|studies)\b"
    r"|\b(?:beiden|welche|mehrere) (?:aufsätze|artikel|arbeiten|studien)\b"
    r"|\b(?:dos|ambos|qué|quels?|quelles|deux|les deux|dois|quais) (?:artículos|estudios|articles|études|artigos)\b",
    re.IGNORECASE,
)
_TWO = re.compile(r"\b(?:two|both|beiden|dos|ambos|deux|dois)\b", re.IGNORECASE)
SIDE_BY_SIDE = 3
"""Papers shown side by side where the question does not say how many."""

_SEVERAL = re.compile(
    r"\b(?:two|three|four|five|six|both|several|respectively|list|and|or|each|compare|differ\w*"
    r"|und|oder|beide\w*|zwei|drei|et|ou|deux|trois|y|dos|tres|e|dois|duas|três)\b|、|和|と",
    re.IGNORECASE,
)


def asks_several(question: str) -> bool:
    """Whether an answer must hold more than one thing ("which two", "A and B", "each")."""
    return bool(_SEVERAL.search(question))


def papers_asked(question: str) -> int:
    """How many papers are to be shown side by side: 0 where the question is not put to several."""
    if not _ACROSS.search(question):
        return 0
    return 2 if _TWO.search(question) else SIDE_BY_SIDE


def kind_of(question: str) -> Kind:
    """The kind of answer asked for, by grammar alone: the first rule that fits."""
    first: Kind = next((kind for kind, pattern in _RULES if pattern.search(question)), "other")
    if first in ("summary", "when") or not (asks_count(question) or asks_degree(question)):
        return first
    return "number"


_NOUNS = Prototypes(
    {
        "quantity": (
            "How many were there?",
            "What percentage was it?",
            "How large was the measured value?",
            "What was the score?",
            "How long did it take?",
            "How much does it cost?",
            "What was the mean and its error?",
            "How strong was the effect?",
        ),
        "thing": (
            "Who did it?",
            "Which method was used?",
            "Which tool was used?",
            "Which substance was it?",
            "Where was it?",
            "Which species was it?",
            "Which group of people?",
            "Which data were used?",
            "What is the reason?",
            "Which task was done?",
            "Which part is it?",
            "What is it about?",
        ),
    },
    nearest=3,
)
_QUANTITY = 0.05
"""By how much a noun must be nearer to quantities; a thing taken for a quantity costs more than the reverse."""


async def answer_type(question: str, embedder: Embedder) -> Kind:
    """The kind of answer asked for; "which" with a noun that is a quantity ("which diameter") asks for a number."""
    kind = kind_of(question)
    noun = asked_noun(question) if kind == "which" else ""
    if not noun:
        return kind
    likeness = await _NOUNS.likeness(f"What was the {noun}?", embedder)
    return "number" if likeness["quantity"] - likeness["thing"] > _QUANTITY else kind
