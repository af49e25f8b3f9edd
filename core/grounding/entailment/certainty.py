"""Whether a claim is as sure, as strong and as causal as its quotes: may, aims to, whether, significantly, nearly.

What makes a finding stronger than it is printed is mostly one small word put in or left out, so every such word has to
be where it is in the quotes.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise, zip_longest

from core.grounding.entailment.claims import ParsedText, Word, closest_clause, merge_short_clauses
from core.grounding.entailment.lexicon import antonym_poles, word_list
from core.grounding.entailment.passive_voice import extract_verb_frames

_AIMS_TEXT = """
whether aim aims aimed goal objective purpose designed intended intends sought seeks attempted planned
"""
_AIMS = frozenset(_AIMS_TEXT.split())
"""What follows them is wanted, asked or meant, not found."""
MIN_AIM_SHARE = 0.6
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


def check_certainty(said: ParsedText, quoted: ParsedText) -> str:
    """A supposition or an aim is not told as a fact, nor a relation or a difference as an effect."""
    return _supposition_as_fact(said, quoted) or _aim_as_finding(said, quoted) or _association_as_cause(said, quoted)


def check_strength(said: ParsedText, quoted: ParsedText) -> str:
    """Nothing is significant, strong or much larger that is not so in the quotes, and what is "nearly" stays so."""
    texts = {word.text for word in quoted.words}
    significant = any(text.startswith("significan") for text in texts)
    strong = significant or texts & (_STRONG | _STRONGER)
    for word, after in zip_longest(said.words, said.words[1:]):
        if word.text.startswith("significan") and not significant:
            return f"not in the quote: {word.printed}"
        much = word.text in _STRONGER and after is not None and after.text in antonym_poles()
        if (word.text in _STRONG or much) and not strong:
            return f"not in the quote: {word.printed}"
    kept = any(word.text in _NOT_QUITE for word in said.words)
    for word, after in pairwise(quoted.words):
        if word.text in _NOT_QUITE and not kept and not after.small and not after.number and after.key in said.keys:
            return f"degree left out: {word.printed}"
    return ""


def _supposition_as_fact(said: ParsedText, quoted: ParsedText) -> str:
    own = sum(_is_hedge(word) for word in said.words)
    hedged = list(_relevant_hedges(said, quoted))
    if len({word.clause for word in hedged}) > own:
        return f"certainty differs: {hedged[0].printed}"
    for head in _hedged_words(quoted):
        if head in said.keys and head not in _hedged_words(said) and _is_unhedged(said, head):
            return f"certainty differs at: {head}"
    return ""


def _is_hedge(word: Word) -> bool:
    """Whether a word leaves open what it is said of; the month of May does not."""
    return word.text in word_list("hedges") and (word.printed != "May" or word.opens)


def _relevant_hedges(said: ParsedText, quoted: ParsedText) -> Iterator[Word]:
    """Hedges of the quotes that stand in, or before the "that" of, a clause which the claim tells."""
    parts = (*merge_short_clauses(said), *merge_short_clauses(said, 2))
    near = {word.clause for part in parts for word in closest_clause(part, quoted)}
    for at, word in enumerate(quoted.words):
        if _is_hedge(word):
            following = quoted.words[at + 1] if at + 1 < len(quoted.words) else word
            if word.clause in near or (following.text == "that" and following.clause + 1 in near):
                yield word


def _hedged_words(one: ParsedText) -> list[str]:
    """Content words that closely follow a word such as "may", within its clause."""
    heads = []
    for at, word in enumerate(one.words):
        if word.text in ("may", "might", "could") and _is_hedge(word):
            after = [other for other in one.words[at + 1 : at + 5] if not other.small and other.clause == word.clause]
            heads += [other.key for other in after[:1]]
    return heads


def _is_unhedged(one: ParsedText, head: str) -> bool:
    """Whether no hedge stands in the clause of a word, up to the word."""
    at = next(at for at, word in enumerate(one.words) if word.key == head)
    before = [word for word in one.words[:at] if word.clause == one.words[at].clause]
    return not any(_is_hedge(word) for word in before)


def _aim_as_finding(said: ParsedText, quoted: ParsedText) -> str:
    if any(word.text in _AIMS or _is_hedge(word) for word in said.words):
        return ""
    for at, word in enumerate(quoted.words):
        if word.text not in _AIMS:
            continue
        aim = {other.key for other in _until_found(quoted.words[at + 1 :], word.clause) if not other.small}
        if len(aim & said.keys) >= MIN_AIM_SHARE * len(said.keys):
            return f"certainty differs: {word.printed}"
    return ""


def _until_found(words: Sequence[Word], clause: int) -> Iterator[Word]:
    """The words of a clause up to one that tells a finding."""
    for word in words:
        if word.clause != clause or word.text in word_list("claiming"):
            return
        yield word


def _association_as_cause(said: ParsedText, quoted: ParsedText) -> str:
    mine, theirs = ({word.text for word in one.words} for one in (said, quoted))
    if mine & word_list("causes") and theirs & word_list("links") and not theirs & word_list("causes"):
        return "a relation is told as a cause"
    told = {act.verb.text for act in extract_verb_frames(quoted)} | (theirs - {"lower"})
    if told & (_EFFECTS | _EFFECT_NOUNS | word_list("causes")):
        return ""
    effects = [act.verb.printed for act in extract_verb_frames(said) if act.verb.text in _EFFECTS]
    if effects and (theirs & word_list("links") or any(_is_comparative(text) for text in theirs)):
        return f"a relation is told as an effect: {effects[0]}"
    return ""


def _is_comparative(text: str) -> bool:
    return text in antonym_poles() and (text.endswith("er") or text in ("more", "less"))
