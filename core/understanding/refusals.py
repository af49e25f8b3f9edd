"""Tells questions on papers from other requests, and takes foreign instructions out of a question.

A narrow reading on purpose: what is not clearly another task is a question, and the evidence decides.
"""

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from core.domain.ports import Embedder
from core.understanding import small_talk
from core.understanding.prototypes import Prototypes

RefusalReason: TypeAlias = Literal["secrets", "task", "advice", "world"]
Refusal: TypeAlias = small_talk.Aside | RefusalReason

_SECRETS = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass|drop|break)\b.{0,30}\b(?:your|all|any|previous|prior|above"
    r"|earlier|the)\b"
    r".{0,20}\b(?:rules?|instructions?|guidelines?|prompts?|restrictions?|polic(?:y|ies))\b"
    r"|\b(?:print|show|reveal|repeat|output|tell|give|leak|display|send|list)\b.{0,30}\byour\b.{0,20}"
    r"\b(?:instructions?|prompts?|rules?|keys?|tokens?|passwords?|secrets?|configuration|credentials|environment)\b"
    r"|\b(?:print|show|reveal|repeat|output|tell|give|leak|display|what(?:'s| is))\b.{0,30}\bsystem prompt\b"
    r"(?!.{0,40}\b(?:of|in|by|that|used?|for|stud\w+|papers?|authors?)\b)"
    r"|\bhidden (?:instructions?|prompt)\b|\bjailbreak|\bdeveloper mode\b"
    r"|\b(?:api|secret|access) (?:keys?|tokens?)\b.{0,25}\b(?:you|your)\b|\byour\b.{0,10}\b(?:api|secret"
    r"|access) (?:keys?|tokens?)\b"
    r"|\b(?:ignorier|vergiss)\w*\b.{0,40}\b(?:anweisung|regel)\w*"
    r"|\b(?:ignore[zr]?|oublie[zr]?)\b.{0,30}\b(?:instructions|consignes|règles)\b"
    r"|\b(?:ignora|olvida)\w*\b.{0,30}\b(?:instrucciones|reglas|instruções|regras)\b",
    re.IGNORECASE | re.DOTALL,
)
_MAKE = (
    r"(?:write|compose|draft|create|make|generate|produce|invent|code|implement|program|build|design|prepare|sing"
    r"|tell)"
)
_PRODUCT = (
    r"(?:poem|song|story|joke|haiku|limerick|novel|screenplay|e-?mail|letter|resume|cv|application"
    r"|speech|"
    r"essay|blog(?: post)?|tweet|advert\w*|slogan|recipe|script|program|function|code|app|website|web page|game|"
    r"shopping list|meal plan|invitation|contract|logo|picture|image)"
)
_FOR_ME = r"(?:(?:me|us)\s+(?!what|which|how|who|whose|why|where|when|whether|if|about)|.{0,60}?\bfor (?:me|us|my)\b)"
"""Whom a thing is made for: what is made for the asker is no question, whatever it is."""
_TASK = re.compile(
    rf"^\W*(?:(?:please|can you|could you|would you|will you|i (?:need|want|would like) you to|help me(?: to)?|hey"
    rf"|hi|hello)\W+)*"
    rf"(?:(?!tell\b){_MAKE}\s+{_FOR_ME}|{_MAKE}\b.{{0,60}}?\b{_PRODUCT}s?\b"
    rf"|translate\b|role-?play\b|pretend to be\b|act as\b|book (?:me|a|us)\b"
    rf"|order (?:me|a|us)\b|"
    rf"remind me\b|set (?:an? )?(?:alarm|timer|reminder)\b|play\b|solve my\b|do my\b|calculate my\b|sing\b)",
    re.IGNORECASE | re.DOTALL,
)
_OF_PAPER = re.compile(
    r"\b(?:papers?|articles?|stud(?:y|ies)|authors?|publications?|manuscripts?|preprints?|abstracts?|passages?"
    r"|figures?|tables?(?! for\b)|sections?|reviews?|theses|thesis)\b",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(
    r"\b(?:i|me|my|mine|myself|we|our|ours|ich|mir|mich|mein\w*|je|moi|mon|ma|mes|yo|mi|mis|eu|meus?|minhas?|io|mio|mia)\b",
    re.IGNORECASE,
)
_TO_THE_BOT = re.compile(
    r"\bhow are you\b|\bwho are you\b|\bwhat is your name\b|\bdo you love\b|\btell me about yourself\b"
    r"|\bare you (?:human|a robot|conscious|alive)\b",
    re.IGNORECASE,
)
_SUBJECTS = Prototypes(
    {
        "advice": (
            "Should I take this medicine?",
            "Can I stop taking the pills my doctor gave me?",
            "Should I buy or sell this investment?",
            "Can I sue my landlord?",
            "What should I do about my illness?",
        ),
        "world": (
            "What will the weather be tomorrow?",
            "Who won the match last night?",
            "What is in the news today?",
            "What time is it?",
            "Which restaurant or shop is open near me?",
        ),
        "paper": (
            "What method did the authors use?",
            "What did the study find?",
            "How many participants took part in the study?",
            "Which data set does the paper use?",
            "What does the table show?",
            "What limitation does the paper name?",
            "Which software does the paper recommend?",
            "What value is reported?",
            "Summarise the paper.",
            "When was it measured?",
        ),
    }
)
_ADVICE, _ADVICE_OVER = 0.28, 0.15
_WORLD, _WORLD_OVER = 0.40, 0.25
"""Least likeness, and least lead over questions on papers: a paper's question turned away costs more than a search
in vain, and only advice is also known by its grammar.
"""
_FRAME = re.compile(
    r"^\W*(?:please\s+)?(?:pretend|imagine|assume|suppose|claim|act as if|say|state|confirm)\s+that\s+", re.IGNORECASE
)
_ORDERS = re.compile(
    r"(?:,?\s*\band\b|,|;|\.|(?<=\?))\s*(?:then\s+)?(?:also\s+)?(?:please\s+)?"
    r"(?:[a-z]+(?: out| with| to)? (?:every|each|all|the|any|its|your)\b.{0,20}\b(?:instruction|order|command)s?\b|"
    r"obey\b|do (?:what|whatever|everything)\b|ignore\b|disregard\b|forget (?:your|all|the)\b"
    r"|print (?:your|the hidden)\b"
    r"|reveal\b|"
    r"(?:answer|reply|respond|say|write)\s+(?:only|just|with|in the style|nothing)\b)[^?.!]*[?.!]?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is left of a message as a question, why it is refused, and whether orders were left aside."""

    question: str
    refusal: Refusal = ""
    cleaned: bool = False


def read(message: str) -> Request:
    """What a message is by its grammar. The question part of a mixed message is kept, its orders are dropped."""
    aside = small_talk.read(message)
    if aside:
        return Request(question=message.strip(), refusal=aside)
    question = _FRAME.sub("", message.strip())
    question = _ORDERS.sub(" ", question).strip()
    cleaned = question != message.strip()
    if cleaned and len(re.findall(r"\w{3,}", question)) >= 3 and not _SECRETS.search(question):
        return Request(question=question, cleaned=True)
    if _SECRETS.search(message):
        return Request(question=message, refusal="secrets")
    if _TASK.search(message) and not _OF_PAPER.search(message):
        return Request(question=message, refusal="task")
    if _TO_THE_BOT.search(message) and not _OF_PAPER.search(message):
        return Request(question=message, refusal="world")
    return Request(question=message.strip())


async def sort(message: str, embedder: Embedder) -> Request:
    """As ``read``, and what a message is about: personal advice and matters of the day are no questions on papers."""
    request = read(message)
    if request.refusal or not any(sign.isalpha() for sign in message):
        return request
    likeness = await _SUBJECTS.likeness(request.question, embedder)
    over = {name: likeness[name] - likeness["paper"] for name in likeness}
    if _FIRST_PERSON.search(message) and likeness["advice"] >= _ADVICE and over["advice"] >= _ADVICE_OVER:
        return Request(question=message, refusal="advice")
    world = likeness["world"] >= _WORLD and over["world"] >= _WORLD_OVER
    if world and not _OF_PAPER.search(message):
        return Request(question=message, refusal="world")
    return request
