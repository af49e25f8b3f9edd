"""Whether how much or how many a claim says agrees with its quotes: all, most, some, only, at least, at most."""

from collections.abc import Sequence
from itertools import pairwise

from core.grounding.claims import Claim, Word, closest_clause, negations, segments
from core.grounding.lexicon import quantifiers, words_of


def quantity(said: Claim, quoted: Claim) -> str:
    """All, most, some, few, only, half: as in the quotes."""
    kinds = quantifiers()
    mine = {kinds[word.text]: word for word in said.words if word.text in kinds}
    theirs = {
        kinds[word.text]
        for word in quoted.words
        if word.text in kinds and not (kinds[word.text] == "all" and word.negated)
    }
    for kind, word in mine.items():
        negative = kind == "none" and negations(quoted)
        if kind not in theirs and kind != "nearly" and not negative and not (kind == "all" and word.negated):
            return f"quantity not in the quote: {word.printed}"
    moved = _moved_quantifier(said, quoted)
    if moved:
        return moved
    near = {word.clause for segment in segments(said) for word in closest_clause(segment, quoted)}
    for at, word in enumerate(quoted.words[:-1]):
        kind = kinds.get(word.text, "")
        if kind not in ("some", "few", "most", "half", "only") or kind in mine or word.clause not in near:
            continue
        after = next((one for one in quoted.words[at + 1 : at + 4] if not one.small), None)
        bound = quoted.words[at + 1].text in words_of("subordinating")
        if after and (after.clause == word.clause or bound) and after.key in said.keys and not after.number:
            return f"quantity left out: {word.printed}"
    return ""


def _moved_quantifier(said: Claim, quoted: Claim) -> str:
    """What all of something is said of in the claim is not what the quotes say of some of it."""
    mine, theirs = _quantified(said), _quantified(quoted)
    for key, kinds in mine.items():
        other = theirs.get(key, set())
        if other and not kinds & other:
            return f"quantity differs: {min(kinds)}, not {min(other)}"
    return ""


def _quantified(one: Claim) -> dict[str, set[str]]:
    """For content words that directly follow a quantifier, of which kinds it is."""
    found: dict[str, set[str]] = {}
    for word, after in pairwise(one.words):
        kind = quantifiers().get(word.text, "same" if word.text == "same" else "")
        if kind in ("all", "some", "few", "half", "same", "none") and not after.small and after.clause == word.clause:
            found.setdefault(after.key, set()).add(kind)
    return found


_BOUNDS = {
    **dict.fromkeys(("at least", "more than", "greater than", "larger than", "no less than", "over", "above"), 1),
    **dict.fromkeys(("exceeding", "exceeds", "exceed", "mindestens", "al menos", "au moins", "longer than"), 1),
    **dict.fromkeys(("at most", "less than", "fewer than", "smaller than", "no more than", "under", "below"), -1),
    **dict.fromkeys(("up to", "within", "höchstens", "como máximo", "au plus", "lower than", "shorter than"), -1),
}


def bounds(said: Claim, quoted: Claim) -> str:
    """A number that the quotes bound from one side is not bounded from the other: at least 20, at most 20."""
    theirs = dict[str, set[int]]()
    for at, word in enumerate(quoted.words):
        if word.number:
            theirs.setdefault(word.key, set()).add(_bound(quoted.words, at))
    for at, word in enumerate(said.words):
        side = _bound(said.words, at) if word.number else 0
        if side and -side in theirs.get(word.key, ()) and side not in theirs[word.key]:
            return f"bound from the other side: {word.printed}"
    return ""


def _bound(words: Sequence[Word], at: int) -> int:
    """1 where a number is the least, -1 where it is the most, 0 where it is neither."""
    before = [word.text for word in words[max(0, at - 3) : at]]
    phrases = (" ".join(before[-length:]) for length in (3, 2, 1))
    return next((_BOUNDS[phrase] for phrase in phrases if phrase in _BOUNDS), 0)
