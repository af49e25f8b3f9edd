"""Tells questions on papers from other requests, and takes foreign instructions out of a question.

A narrow reading on purpose: what is not clearly another task is a question, and the evidence decides.
"""

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from core.agent import addressed

Refusal: TypeAlias = addressed.Aside | Literal["secrets", "task", "advice", "world"]

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
    r"(?:poem|song|story|joke|haiku|limerick|novel|screenplay|e-?mail|cover letter|letter|resume|cv|application"
    r"|speech|"
    r"essay|blog(?: post)?|tweet|advert\w*|slogan|recipe|script|program|function|code|app|website|web page|game|"
    r"shopping list|meal plan|invitation|contract|logo|picture|image)"
)
_TASK = re.compile(
    rf"^\W*(?:(?:please|can you|could you|would you|will you|i (?:need|want|would like) you to|help me(?: to)?|hey"
    rf"|hi|hello)\W+)*"
    rf"(?:{_MAKE}\b.{{0,60}}?\b{_PRODUCT}s?\b|translate\b|role-?play\b|pretend to be\b|act as\b|book (?:me|a|us)\b"
    rf"|order (?:me|a|us)\b|"
    rf"remind me\b|set (?:an? )?(?:alarm|timer|reminder)\b|play\b|solve my\b|do my\b|calculate my\b|sing\b)",
    re.IGNORECASE | re.DOTALL,
)
_OF_PAPER = re.compile(
    r"\b(?:papers?|articles?|stud(?:y|ies)|authors?|publications?|manuscripts?|preprints?|abstracts?|passages?"
    r"|figures?|tables?(?! for\b)|sections?|reviews?|theses|thesis)\b",
    re.IGNORECASE,
)
_ADVICE = re.compile(
    r"\b(?:should|can|may|shall|must|could) (?:i|we|my \w+)\b.{0,60}\b(?:take|stop|eat|drink|inject|use|buy|sell"
    r"|invest|sue|sign|treat|swallow|smoke|mix)\b"
    r".{0,80}\b(?:instead|my|prescri\w+|doctor|dose|medic\w+|pills?|painkillers?|drugs?|supplements?|shares?|stocks?"
    r"|house|lawyer|symptoms?|pregnan\w+)\b"
    r"|\bmy (?:symptoms?|doctor|prescri\w+|diagnosis|illness|tax(?:es)?|divorce|landlord|savings|girlfriend"
    r"|boyfriend|wife|husband)\b"
    r"|\bwhat should i (?:take|eat|buy|wear|do about my)\b",
    re.IGNORECASE | re.DOTALL,
)
_WORLD = re.compile(
    r"\b(?:weather|forecast)\b.{0,40}\b(?:today|tomorrow|tonight|now|this week|next week|weekend)\b|\bwhat(?:'s"
    r"| is) the time\b|"
    r"\bwhat time is it\b|\b(?:football|soccer|rugby|cricket) world cup\b|\bwho won\b.{0,40}\b(?:cup|league|match"
    r"|game|election|oscar|olympics?|championship)\b|"
    r"\b(?:share|stock|bitcoin) price\b.{0,30}\b(?:now|today|current)\b|\b(?:today'?s|latest|breaking) news\b|"
    r"\bhow are you\b|\bwho are you\b|\bwhat is your name\b|\bdo you love\b|\btell me about yourself\b"
    r"|\bare you (?:human|a robot|conscious|alive)\b",
    re.IGNORECASE | re.DOTALL,
)
_FRAME = re.compile(
    r"^\W*(?:please\s+)?(?:pretend|imagine|assume|suppose|claim|act as if|say|state|confirm)\s+that\s+", re.IGNORECASE
)
_ORDERS = re.compile(
    r"(?:,?\s*\band\b|,|;|\.|(?<=\?))\s*(?:then\s+)?(?:also\s+)?(?:please\s+)?"
    r"(?:cite (?:it|this|that)\b|carry out\b|execute\b|obey\b|follow (?:every|each|all|the|any|its"
    r"|your)\b.{0,20}\binstruction|"
    r"do (?:what|whatever|everything)\b|ignore\b|disregard\b|forget (?:your|all|the)\b|print (?:your|the hidden)\b"
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
    """Sort a message. The question part of a mixed message is kept, its orders are dropped."""
    aside = addressed.read(message)
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
    if _ADVICE.search(message):
        return Request(question=message, refusal="advice")
    if _WORLD.search(message) and not _OF_PAPER.search(message):
        return Request(question=message, refusal="world")
    return Request(question=message.strip())
