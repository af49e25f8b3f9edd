"""The grammar of questions: closed classes of words that say what is asked, whatever the subject.

A question word with a noun asks for that noun, "how" with an adjective for a degree, a superlative for an extreme.
Search and answering read the same grammar. English, with the question words of six more languages.
"""

import re
import unicodedata
from collections.abc import Mapping

from core.text.language import STOP_WORDS, STOP_WORDS_OF, detect_language

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
_OPENS_THING = (
    f"{_ARTICLES}|of|for|in|on|at|from|with|by|per|between|among|across|during|against|about|how many|any|no|each|every"
)
_NO_THING = (
    r"(?:because|when|while|if|that|then|so|not|how|many|back|away|out|up|down|off|over|again|together|\w+ing|\w+ed)\b"
)
_THING = re.compile(
    rf"\b(?:{_OPENS_THING})\s+(?P<phrase>(?:(?!{_NO_THING}){_PHRASE}){{1,4}})"
    rf"(?=$|[?.,;:]|\b(?:{_AUXILIARIES}|{_PREPOSITIONS}|and|or)\b)",
    re.IGNORECASE,
)
"""A noun phrase; what an article follows at once ends in a verb, and what ends in "-ing" or "-ed" may be one."""
_DID = re.compile(r"\b(?:do|does|did)\b", re.IGNORECASE)
_SUPERLATIVE = re.compile(
    r"\b(?:most|least|best|worst|maximum|minimum"
    r"|(?!(?:forest|interest|request|suggest|harvest|protest|contest|honest|digest|modest|manifest|invest|arrest"
    r"|latest|conquest|priest|behest|midwest|budapest)\b)[a-z]{3,}est)\b",
    re.IGNORECASE,
)


_QUESTION_WORDS: Mapping[str, frozenset[str]] = {
    name: frozenset(words.split())
    for name, words in {
        # What else an English message to Footnote begins with: an auxiliary, an imperative, what goes on from before.
        "en": "what which who whom whose when where why how and so explain describe compare summarise summarize list "
        "show tell give find is are was were do does did can could should would has have",
        "es": "qué cuál cuáles cuánto cuántos cuánta cuántas quién quiénes cómo cuándo dónde cual cuales cuando donde",
        "fr": "quel quelle quels quelles lequel laquelle lesquels lesquelles combien comment quand où pourquoi qui que "
        "quoi est-ce",
        "de": "was wie wer wen wem wessen wo woher wohin womit wodurch wofür woran worauf wann warum weshalb wieso "
        "welche welcher welches welchen welchem wieviel wieviele",
        "pt": "qual quais quanto quantos quanta quantas quem quando onde como quê que porque",
        "it": "quale quali quanto quanti quanta quante quando dove perché cosa chi come che qual",
        "ru": "что какой какая какое какие каких каким какими какую кто кого где когда почему зачем как сколько чей",
        "ar": "ما ماذا من متى أين كيف لماذا هل كم أي",
        "he": "מה מי מתי איפה היכן איך כיצד למה מדוע כמה האם איזה איזו אילו",
    }.items()
}
"""Words that a question begins with, or has behind one small word ("mit welcher"), by language, lower case."""
_QUESTION_PARTS: Mapping[str, re.Pattern[str]] = {
    "zh": re.compile("什么|什麼|哪|谁|誰|怎么|怎麼|怎样|怎樣|如何|为何|為何|何时|何時|多少|是否|[吗嗎呢][。！\\s]*$"),
    "ja": re.compile("何|なに|なぜ|どの|どれ|どこ|どんな|どうして|どうやって|いつ|誰|だれ|いくつ|いくら|か[。\\s]*$"),
    "ko": re.compile("무엇|무슨|뭐|어떤|어느|누구|누가|언제|어디|왜|어떻게|얼마|몇|[까나]요?[.\\s]*$"),
}
"""The same where words are not parted by spaces or carry endings; they may stand anywhere."""
_CLOSING = " \t\n\r\"'”’»)]*_~.!…"


def is_question(text: str) -> bool:
    """Whether a message reads like a question: by its question mark of any script, or by the words it begins with."""
    return _ends_with_question_mark(text) or _has_question_word(text)


def _ends_with_question_mark(text: str) -> bool:
    last = text.rstrip(_CLOSING)[-1:]
    return bool(last) and "QUESTION MARK" in unicodedata.name(last, "")


def _has_question_word(text: str) -> bool:
    if any(pattern.search(text) for pattern in _question_patterns(text)):
        return True
    words = re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", text.casefold())
    behind_small_word = words[1:] if words and words[0] in STOP_WORDS else []
    return any(
        _begins_like_question(opening, name) for opening in (words, behind_small_word) for name in _QUESTION_WORDS
    )


def _question_patterns(text: str) -> list[re.Pattern[str]]:
    name = detect_language(text)
    return [_QUESTION_PARTS[name]] if name in _QUESTION_PARTS else []


def _begins_like_question(words: list[str], name: str) -> bool:
    """Whether the first word asks in one language and the next is no small word of English alone ("come to us")."""
    first, second = (*words, "", "")[:2]
    is_english_next = second in STOP_WORDS_OF["en"] and second not in STOP_WORDS_OF.get(name, ())
    return first in _QUESTION_WORDS[name] and (name == "en" or not is_english_next)


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


def named_things(question: str) -> tuple[str, ...]:
    """Noun phrases that an article, preposition or quantifier opens ("the gold particles"), but for what is asked for.

    English alone; the last word of each is its head. Behind "did" a phrase of several words may end in the verb, so
    none is given.
    """
    asked, did = asked_noun(question).casefold(), _DID.search(question)
    found = [
        match["phrase"].strip()
        for match in _THING.finditer(question)
        if did is None or match.start() < did.start() or " " not in match["phrase"].strip()
    ]
    return tuple(phrase for phrase in found if phrase and phrase.casefold() not in asked)
