"""Which language a text is in, by its script or its small words, and the words that questions are made of.

A light guess that needs no model: it decides which stop words a question loses and what a paper's card says.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

_ENGLISH = """
a about above after again all also am an and any are as at be because been before being below between both but
by can could did do does doing down during each either few for from further had has have having he her here hers him
his how i if in into is it its itself just me more most my no nor not of off on once only or other our ours
out over own per same she should so some such than that the their theirs them then there these they this those
through to too under until up upon us very was we were what when where whether which while who whom whose why
will with within without would you your yours shall may might must tell show give explain describe please let
paper papers
"""
_SPANISH = """
el la los las un una unos unas de del al a y o e u que en con por para se su sus lo le les es son fue fueron
ser está están como más pero no si ya muy cuál cuáles cuánto cuántos cuánta cuántas qué quién quiénes cómo
cuándo dónde este esta estos estas ese esa entre sobre sin desde hasta cual cuales cuando donde
"""
_FRENCH = """
le la les un une des de du d l au aux et ou que qu qui quoi en dans par pour sur avec sans ce cet cette ces se
son sa ses leur leurs il elle ils elles on est sont été être a ont avait ne pas plus comme mais quel quelle
quels quelles combien comment quand où pourquoi quoi nous vous y c s n j sous entre
"""
_GERMAN = """
der die das den dem des ein eine einen einem einer eines und oder aber in im an am auf aus bei mit nach von
vom zu zum zur für über unter durch ist sind war waren wird werden wurde wurden hat haben sich nicht auch als
wie was wer wo wann warum welche welcher welches welchen wieviel viele es er sie wir ihr man dass ob diese
dieser dieses zwischen
"""
_PORTUGUESE = """
o a os as um uma uns umas de do da dos das e ou que em no na nos nas com por para pelo pela se seu sua seus
suas ao aos à às é são foi foram ser está estão como mais mas não qual quais quanto quantos quanta quantas
quem quando onde este esta estes estas esse essa entre sobre sem
"""
_ITALIAN = """
il lo la i gli le un uno una di del dello della dei degli delle a al allo alla ai alle da dal dalla in nel
nella nei nelle con su sul sulla per tra fra e o che chi cui si è sono era erano come più ma non quale quali
quanto quanti quanta quante quando dove perché cosa questo questa questi queste loro suo sua essere stato
stati ha hanno
"""

STOP_WORDS_OF: Mapping[str, frozenset[str]] = {
    "en": frozenset(_ENGLISH.split()),
    "es": frozenset(_SPANISH.split()),
    "fr": frozenset(_FRENCH.split()),
    "de": frozenset(_GERMAN.split()),
    "pt": frozenset(_PORTUGUESE.split()),
    "it": frozenset(_ITALIAN.split()),
}
_ALSO_ENGLISH = """
die war son sin come hat man on ai art et e u o i y c s n j l d ha da fra era plus pour den
"""
_AMBIGUOUS = frozenset(_ALSO_ENGLISH.split())
"""Small words of one language that carry meaning in English or as symbols."""

STOP_WORDS: frozenset[str] = STOP_WORDS_OF["en"] | (frozenset[str]().union(*STOP_WORDS_OF.values()) - _AMBIGUOUS)
"""What may be left out of a question whose language is not known: lower case, accents kept."""

_SCRIPTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7af\u1100-\u11ff]")),
    ("zh", re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("ar", re.compile("[\u0600-\u06ff\u0750-\u077f]")),
    ("he", re.compile("[\u0590-\u05ff]")),
)
CJK = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")
"""A character of Chinese, Japanese or Korean: by itself it says about as much as a word."""
_WORD = re.compile(r"[^\W\d_]+")
_SAMPLE = 4_000


@lru_cache(maxsize=256)
def detect_language(text: str) -> str:
    """One of en, es, fr, de, pt, it, zh, ja, ko, ru, ar, he, or an empty string where nothing tells."""
    sample = text[:_SAMPLE]
    letters = sum(map(str.isalpha, sample))
    if not letters:
        return ""
    counts = {name: len(script.findall(sample)) for name, script in _SCRIPTS}
    if counts["ja"] * 10 >= letters or (counts["ja"] and counts["ja"] + counts["zh"] > letters / 2):
        return "ja"
    name = max(counts, key=lambda one: counts[one])
    if counts[name] > letters * 0.3:
        return name
    return _detect_by_stop_words([word.lower() for word in _WORD.findall(sample)])


def _detect_by_stop_words(words: list[str]) -> str:
    hits = {name: sum(_weight(word) for word in words if word in small) for name, small in STOP_WORDS_OF.items()}
    best = max(hits, key=lambda name: hits[name])
    if hits[best] < 1 or (hits[best] < 2 and len(words) > 3) or hits[best] * 10 < len(words):
        return ""
    rivals = [name for name in hits if hits[name] == hits[best]]
    if len(rivals) == 1:
        return best
    own = {name: _count_unique_stop_words(words, name) for name in rivals}
    return max(rivals, key=lambda name: own[name])


def _weight(word: str) -> float:
    return 0.4 if word in _AMBIGUOUS else 1.0


def _count_unique_stop_words(words: list[str], name: str) -> int:
    """How many words are small words of this language and of no other."""
    others = frozenset[str]().union(*(small for other, small in STOP_WORDS_OF.items() if other != name))
    return sum(word in STOP_WORDS_OF[name] and word not in others for word in words)
