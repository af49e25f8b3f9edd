"""Whether how much or how many a claim says agrees with its quotes: all, most, some, only, at least, at most."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from core.grounding.entailment.claims import (
    MAX_OPENING_WORDS,
    ParsedText,
    Word,
    closest_clause,
    count_negations,
    merge_short_clauses,
    opening_prepositions,
    source_sentence_words,
)
from core.grounding.entailment.lexicon import quantifier_kinds, word_list


def check_quantity(said: ParsedText, quoted: ParsedText) -> str:
    """All, most, some, few, only, half: as in the quotes."""
    kinds = quantifier_kinds()
    mine = {kinds[word.text]: word for word in said.words if word.text in kinds}
    theirs = {
        kinds[word.text]
        for word in quoted.words
        if word.text in kinds and not (kinds[word.text] == "all" and word.negated)
    }
    for kind, word in mine.items():
        negative = kind == "none" and count_negations(quoted)
        if kind not in theirs and kind != "nearly" and not negative and not (kind == "all" and word.negated):
            return f"quantity not in the quote: {word.printed}"
    moved = _moved_quantifier(said, quoted)
    if moved:
        return moved
    near = {word.clause for segment in merge_short_clauses(said) for word in closest_clause(segment, quoted)}
    for at, word in enumerate(quoted.words[:-1]):
        kind = kinds.get(word.text, "")
        if kind not in ("some", "few", "most", "half", "only") or kind in mine or word.clause not in near:
            continue
        after = [one for one in quoted.words[at + 1 : at + 4] if not one.small][: 2 if kind == "only" else 1]
        bound = quoted.words[at + 1].text in word_list("subordinating")
        kept = [one for one in after if (one.clause == word.clause or bound) and one.key in said.keys]
        if kept and not kept[0].number:
            return f"quantity left out: {word.printed}"
    return ""


def _moved_quantifier(said: ParsedText, quoted: ParsedText) -> str:
    """What all of something is said of in the claim is not what the quotes say of some of it."""
    mine, theirs = _quantifiers_by_word(said), _quantifiers_by_word(quoted)
    for key, kinds in mine.items():
        other = theirs.get(key, set())
        if other and not kinds & other:
            return f"quantity differs: {min(kinds)}, not {min(other)}"
    return ""


def _quantifiers_by_word(one: ParsedText) -> dict[str, set[str]]:
    """For content words that directly follow a quantifier, of which kinds it is."""
    found: dict[str, set[str]] = {}
    for word, after in pairwise(one.words):
        kind = quantifier_kinds().get(word.text, "same" if word.text == "same" else "")
        if kind in ("all", "some", "few", "half", "same", "none") and not after.small and after.clause == word.clause:
            found.setdefault(after.key, set()).add(kind)
    return found


def check_partitives(said: ParsedText, quoted: ParsedText) -> str:
    """What is said of a part is not told of the whole: of "two of the five", "20 of these", "on short texts none"."""
    for at, word in enumerate(quoted.words[:-2]):
        if not word.number or quoted.words[at + 1].text != "of":
            continue
        whole = [one.key for one in quoted.words[at + 3 : at + 6] if not one.small][:2]
        if quoted.words[at + 2].text in _WHOLE and set(whole) & said.keys and not _mentions_part(said, word):
            return f"a part told as the whole: {word.printed} of {quoted.words[at + 2].printed}"
        if quoted.words[at + 2].text in _THESE and _of_another(said, word):
            return f"a part of a part: {word.printed} of {quoted.words[at + 2].printed}"
    return _missing_opening(said, quoted)


def _mentions_part(said: ParsedText, part: Word) -> bool:
    kinds = quantifier_kinds()
    shared = any(word.number and after.text == "of" for word, after in pairwise(said.words))
    some = any(kinds.get(word.text) in ("some", "few", "half", "most") for word in said.words)
    return shared or some or part.key in said.keys


def _of_another(said: ParsedText, part: Word) -> bool:
    """Whether the claim has the number of the part beside that of a whole which is another's."""
    if part.key not in said.keys or any(word.text in _THESE for word in said.words):
        return False
    pairs = zip(said.words, said.words[1:], said.words[2:], strict=False)
    return any(one.text == "of" and other.text in _WHOLE and last.number for one, other, last in pairs)


def _missing_opening(said: ParsedText, quoted: ParsedText) -> str:
    """ "No", "all" or "never" with the words left out that the quotes open with: "on short texts it makes no error"."""
    if not any(quantifier_kinds().get(word.text) in ("all", "none") for word in said.words):
        return ""
    near = {word.sentence for word in source_sentence_words(said, quoted)}
    for at in opening_prepositions(quoted.words):
        if quoted.words[at].sentence not in near:
            continue
        opening = list(takewhile(lambda one: not one.opens and one.text not in _WHOLE, quoted.words[at + 2 :]))
        keys = {one.key for one in [quoted.words[at + 1], *opening] if not one.small}
        if keys and len(keys) <= MAX_OPENING_WORDS and not keys & said.keys:
            return f"condition left out: {quoted.words[at].printed}"
    return ""


_WHOLE = frozenset("the these those our".split())
_THESE = frozenset("these those them whom which".split())
_BOUNDS = {
    **dict.fromkeys(("at least", "more than", "greater than", "larger than", "no less than", "over", "above"), 1),
    **dict.fromkeys(("exceeding", "exceeds", "exceed", "mindestens", "al menos", "au moins", "longer than"), 1),
    **dict.fromkeys(("at most", "less than", "fewer than", "smaller than", "no more than", "under", "below"), -1),
    **dict.fromkeys(("up to", "within", "höchstens", "como máximo", "au plus", "lower than", "shorter than"), -1),
}


def check_bounds(said: ParsedText, quoted: ParsedText) -> str:
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


_TO = frozenset("to through – - — bis".split())
_OPEN_END = frozenset(
    """from to up at least most minimum maximum minimal maximal between over under above below until upto than lowest
    highest range ranged ranging as early late earliest latest""".split()
)


def check_ranges(said: ParsedText, quoted: ParsedText) -> str:
    """One end of a range is not told as the value: "9 days" of "9 to 14 days"."""
    told = {word.key for word in said.words if word.number}
    spans = dict(_spans(quoted))
    for at, word in enumerate(said.words):
        other = spans.get(word.key, "") if word.number else ""
        before = {one.text for one in said.words[max(0, at - 3) : at]}
        if other and other not in told and not before & _OPEN_END:
            return f"one end of a range: {word.printed}"
    return ""


def _spans(one: ParsedText) -> Iterator[tuple[str, str]]:
    """Both ends of every range, each with the other; a change "from 3 to 5" is none, nor is a number told twice."""
    count = Counter(word.key for word in one.words)
    for at, word in enumerate(one.words):
        for other in one.words[at + 1 : at + 3]:
            between = one.text[word.start + len(word.printed) : other.start].strip(" %")
            before = one.words[at - 1].text if at else ""
            joined = between in _TO or (between == "and" and before == "between")
            single = count[word.key] == count[other.key] == 1
            if word.number and other.number and joined and single and before != "from":
                yield word.key, other.key
                yield other.key, word.key
