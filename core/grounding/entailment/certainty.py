"""Whether a claim is as sure, as strong and as causal as its quotes: may, aims to, whether, significantly, nearly.

What makes a finding stronger than it is printed is mostly one small word put in or left out, so every such word has to
be where it is in the quotes.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise, zip_longest

from core.grounding.entailment.claims import Claim, Word, closest_clause, segments
from core.grounding.entailment.lexicon import poles, words_of
from core.grounding.entailment.passive_voice import acts

_AIMS_TEXT = """
whether aim aims aimed goal objective purpose designed intended intends sought seeks attempted planned
"""
_AIMS = frozenset(_AIMS_TEXT.split())
"""What follows them is wanted, asked or meant, not found."""
AIMED = 0.6
"""The share of a claim's words that stand behind such a word where the claim tells what was only aimed at."""
_EFFECTS_TEXT = """
reduce reduces reduced lower lowers lowered raise raises raised increase increases increased decrease decreases
decreased improve improves improved worsen worsens worsened prevent prevents prevented protect protects protected
enhance enhances enhanced boost boosts boosted shorten shortens shortened prolong prolongs prolonged
"""
_EFFECTS = frozenset(_EFFECTS_TEXT.split())
_EFFECT_NOUNS = frozenset("reduction reductions improvement improvements effect effects".split())
_STRONG_TEXT = """
strongly markedly substantially dramatically considerably greatly sharply drastically vastly hugely massively strikingly
profoundly remarkably
"""
_STRONG = frozenset(_STRONG_TEXT.split())
_STRONGER = frozenset(["much", "far", "many"])
"""Strong only before a word that compares: "much larger"."""
_NOT_QUITE = frozenset("nearly almost partially partly virtually".split())


def certainty(said: Claim, quoted: Claim) -> str:
    """A supposition or an aim is not told as a fact, nor a relation or a difference as an effect."""
    return _supposed_told(said, quoted) or _aimed_at(said, quoted) or _caused(said, quoted)


def strength(said: Claim, quoted: Claim) -> str:
    """Nothing is significant, strong or much larger that is not so in the quotes, and what is "nearly" stays so."""
    texts = {word.text for word in quoted.words}
    significant = any(text.startswith("significan") for text in texts)
    strong = significant or texts & (_STRONG | _STRONGER)
    for word, after in zip_longest(said.words, said.words[1:]):
        if word.text.startswith("significan") and not significant:
            return f"not in the quote: {word.printed}"
        much = word.text in _STRONGER and after is not None and after.text in poles()
        if (word.text in _STRONG or much) and not strong:
            return f"not in the quote: {word.printed}"
    kept = any(word.text in _NOT_QUITE for word in said.words)
    for word, after in pairwise(quoted.words):
        if word.text in _NOT_QUITE and not kept and not after.small and not after.number and after.key in said.keys:
            return f"degree left out: {word.printed}"
    return ""


def _supposed_told(said: Claim, quoted: Claim) -> str:
    own = sum(_hedges(word) for word in said.words)
    hedged = list(_hedged(said, quoted))
    if len({word.clause for word in hedged}) > own:
        return f"certainty differs: {hedged[0].printed}"
    for head in _supposed(quoted):
        if head in said.keys and head not in _supposed(said) and _stated(said, head):
            return f"certainty differs at: {head}"
    return ""


def _hedges(word: Word) -> bool:
    """Whether a word leaves open what it is said of; the month of May does not."""
    return word.text in words_of("hedges") and (word.printed != "May" or word.opens)


def _hedged(said: Claim, quoted: Claim) -> Iterator[Word]:
    """Hedges of the quotes that stand in, or before the "that" of, a clause which the claim tells."""
    parts = (*segments(said), *segments(said, 2))
    near = {word.clause for part in parts for word in closest_clause(part, quoted)}
    for at, word in enumerate(quoted.words):
        if _hedges(word):
            following = quoted.words[at + 1] if at + 1 < len(quoted.words) else word
            if word.clause in near or (following.text == "that" and following.clause + 1 in near):
                yield word


def _supposed(one: Claim) -> list[str]:
    """Content words that closely follow a word such as "may", within its clause."""
    heads = []
    for at, word in enumerate(one.words):
        if word.text in ("may", "might", "could") and _hedges(word):
            after = [other for other in one.words[at + 1 : at + 5] if not other.small and other.clause == word.clause]
            heads += [other.key for other in after[:1]]
    return heads


def _stated(one: Claim, head: str) -> bool:
    """Whether no hedge stands in the clause of a word, up to the word."""
    at = next(at for at, word in enumerate(one.words) if word.key == head)
    before = [word for word in one.words[:at] if word.clause == one.words[at].clause]
    return not any(_hedges(word) for word in before)


def _aimed_at(said: Claim, quoted: Claim) -> str:
    if any(word.text in _AIMS or _hedges(word) for word in said.words):
        return ""
    for at, word in enumerate(quoted.words):
        if word.text not in _AIMS:
            continue
        aim = {other.key for other in _until_found(quoted.words[at + 1 :], word.clause) if not other.small}
        if len(aim & said.keys) >= AIMED * len(said.keys):
            return f"certainty differs: {word.printed}"
    return ""


def _until_found(words: Sequence[Word], clause: int) -> Iterator[Word]:
    """The words of a clause up to one that tells a finding."""
    for word in words:
        if word.clause != clause or word.text in words_of("claiming"):
            return
        yield word


def _caused(said: Claim, quoted: Claim) -> str:
    mine, theirs = ({word.text for word in one.words} for one in (said, quoted))
    if mine & words_of("causes") and theirs & words_of("links") and not theirs & words_of("causes"):
        return "a relation is told as a cause"
    told = {act.verb.text for act in acts(quoted)} | (theirs - {"lower"})
    if told & (_EFFECTS | _EFFECT_NOUNS | words_of("causes")):
        return ""
    effects = [act.verb.printed for act in acts(said) if act.verb.text in _EFFECTS]
    if effects and (theirs & words_of("links") or any(_compares(text) for text in theirs)):
        return f"a relation is told as an effect: {effects[0]}"
    return ""


def _compares(text: str) -> bool:
    return text in poles() and (text.endswith("er") or text in ("more", "less"))
