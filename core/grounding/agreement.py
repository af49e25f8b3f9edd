"""The single ways in which a claim and its quotes can disagree; each check gives the reason, or an empty string.

They work on words and their order alone, so that they cost microseconds and behave alike on every machine.
"""

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

from core.grounding.claims import Claim, Word, claim, negations, unprefixed
from core.grounding.lexicon import CJK_NEGATORS, poles, quantifiers, words_of
from core.grounding.numbers import Number, numbers_in, readings, same
from core.text import sentences, squeeze

LONGEST_ADDITION = 2
"""How many content words in a row may be the writer's own."""
_REPORTING_TEXT = """
author authors paper papers study studies report reports reported reporting show shows showed shown find finds
found finding findings observe observed observes result results achieve achieves achieved obtain obtained
obtains use uses used using according work article describe describes described present presents presented
propose proposes proposed note notes noted state states stated
"""
_REPORTING = frozenset(_REPORTING_TEXT.split())


def names(said: Claim, quoted: Claim) -> str:
    """Every name in the claim stands in the quotes."""
    printed = squeeze(quoted.text)
    held = {squeeze(word.text) for word in quoted.words} | {squeeze(word) for word in quoted.text.split()}
    for at, word in enumerate(said.words):
        name = squeeze(word.printed)
        capital = word.printed[0].isupper() and at > 0 and not word.small
        if not (word.named or capital) or name in held or word.stem in quoted.stems:
            continue
        if len(name) > 3 and name in printed:
            continue
        return f"name not in the quote: {word.printed}"
    return ""


def negation(said: Claim, quoted: Claim) -> str:
    """What the quotes deny, the claim denies, and the other way round."""
    mine, theirs = _negated(said), _negated(quoted)
    for stem in mine.keys() & theirs.keys():
        differs = mine[stem] != theirs[stem] and len(mine[stem]) == len(theirs[stem]) == 1
        if differs and bool(negations(said)) != bool(_near_negation(said, quoted)):
            return f"negation differs at: {stem}"
    return _prefixes(said, quoted) or _prefixes(quoted, said)


def _near_negation(said: Claim, quoted: Claim) -> int:
    """Negations in those clauses of the quotes that share words with the claim."""
    shared = {word.clause for word in quoted.words if not word.small and word.stem in said.stems}
    if any(sign in CJK_NEGATORS for sign in quoted.text):
        return negations(quoted)
    return sum(word.clause in shared and word.text in words_of("negators") for word in quoted.words)


def _negated(one: Claim) -> dict[str, set[bool]]:
    states: dict[str, set[bool]] = {}
    for word in one.words:
        if not word.small:
            states.setdefault(word.stem, set()).add(word.negated)
    return states


def _prefixes(one: Claim, other: Claim) -> str:
    """ "Insignificant" on one side and "significant", not negated, on the other."""
    texts = {word.text for word in other.words}
    own = {word.text for word in one.words}
    for word in one.words:
        plain = unprefixed(word.text)
        alone = plain in texts and plain not in own and word.text not in texts
        if plain and alone and not any(match.negated for match in other.words if match.text == plain):
            return f"negation differs at: {word.text}"
    return ""


def direction(said: Claim, quoted: Claim) -> str:
    """Every word with an opposite stands in the quotes at the same end of its scale, near the same words."""
    for at, word in enumerate(said.words):
        for axis, sign in poles().get(word.text, ()):
            wanted = -sign if word.negated else sign
            found = _ends(quoted, axis)
            if not found:
                return f"not in the quote: {word.printed}"
            context = said.near(at)
            best = max(len(context & near) for _, near in found)
            ends = {end for end, near in found if len(context & near) == best}
            if wanted not in ends and not _turned(said, quoted):
                return f"direction differs at: {word.printed}"
    return ""


def _ends(one: Claim, axis: str) -> list[tuple[int, frozenset[str]]]:
    found = []
    for at, word in enumerate(one.words):
        for other, sign in poles().get(word.text, ()):
            if other == axis:
                found.append((-sign if word.negated else sign, one.near(at)))
    return found


def roles(said: Claim, quoted: Claim) -> str:
    """What is compared, or acts, stands on the same side as in the quotes."""
    if _turned(said, quoted) and not _opposed(said, quoted):
        return "sides of the comparison are exchanged"
    return _reversed(said, quoted)


def _turned(said: Claim, quoted: Claim) -> bool:
    mine, theirs = _sides(said), _sides(quoted)
    if not mine or not theirs:
        return False
    left, right = mine[0] - mine[1], mine[1] - mine[0]
    their_left, their_right = theirs[0] - theirs[1], theirs[1] - theirs[0]
    crossed = left & their_right and right & their_left
    return bool(crossed) and not (left & their_left and right & their_right)


def _sides(one: Claim) -> tuple[frozenset[str], frozenset[str]] | None:
    """Content stems before and after the word that compares."""
    for at, word in enumerate(one.words):
        if word.text in words_of("others") or word.text in words_of("comparing"):
            near = [other for other in one.words if abs(other.clause - word.clause) <= 1 and not other.small]
            before = frozenset(other.stem for other in one.words[:at] if other in near)
            after = frozenset(other.stem for other in one.words[at + 1 :] if other in near)
            if before and after:
                passive = at + 1 < len(one.words) and one.words[at + 1].text == "by"
                return (after, before) if passive else (before, after)
    return None


def _opposed(said: Claim, quoted: Claim) -> bool:
    """Whether the comparing words stand at opposite ends: "A above B" says what "B below A" says."""
    mine = {(axis, sign) for word in said.words for axis, sign in poles().get(word.text, ())}
    theirs = {(axis, sign) for word in quoted.words for axis, sign in poles().get(word.text, ())}
    return any((axis, -sign) in theirs and (axis, sign) not in theirs for axis, sign in mine)


def _reversed(said: Claim, quoted: Claim) -> str:
    """Subject and object around the same verb are exchanged, the voice being the same."""
    if any(word.text == "by" for word in said.words) != any(word.text == "by" for word in quoted.words):
        return ""
    shared = _unique(said) & _unique(quoted)
    mine = [word.stem for word in said.words if word.stem in shared]
    theirs = {word.stem: at for at, word in enumerate(quoted.words) if word.stem in shared}
    for first, verb, last in zip(mine, mine[1:], mine[2:], strict=False):
        if theirs[last] < theirs[verb] < theirs[first]:
            return f"order is exchanged around: {verb}"
    return ""


def _unique(one: Claim) -> set[str]:
    counts = Counter(word.stem for word in one.words if not word.small)
    return {stem for stem, count in counts.items() if count == 1}


def binding(said: Claim, quoted: Claim) -> str:
    """A number belongs to the same words as in the quotes."""
    mine, theirs = numbers_in(said.text), readings(quoted.text)
    for number in mine:
        if not _at_home(said, number, quoted):
            return f"number belongs to another sentence: {number.text}"
        same = [other for other in theirs if other.value == number.value]
        if not same or len(theirs) < 2:
            continue
        noun = _bound(said, number, mine)
        if noun and not any(noun & _bound(quoted, other, theirs) for other in same):
            rivals = [other for other in theirs if other.value != number.value and noun & _bound(quoted, other, theirs)]
            if rivals:
                return f"number belongs to something else: {number.text}"
    return ""


def _at_home(said: Claim, number: Number, quoted: Claim) -> bool:
    """Whether a sentence of the quotes that holds the number also holds a content word of the claim."""
    words = {word.stem for word in said.words if not word.small and not word.text[0].isdigit()}
    homes = [
        sentence
        for sentence in sentences(quoted.text)
        if any(same(number, other, sentence) for other in readings(sentence))
    ]
    return not homes or not words or any(words & claim(sentence).stems for sentence in homes)


def _bound(one: Claim, number: Number, every: Sequence[Number]) -> frozenset[str]:
    """Content stems between a number and its neighbours."""
    low = max((other.end for other in every if other.end <= number.start), default=0)
    high = min((other.start for other in every if other.start >= number.end), default=len(one.text))
    words = _words_between(one, low, high)
    return frozenset(word.stem for word in words if not word.small and not word.text[0].isdigit())


def _words_between(one: Claim, low: int, high: int) -> list[Word]:
    found, at = [], 0
    for word in one.words:
        at = one.text.find(word.printed, at)
        if low <= at < high:
            found.append(word)
        at += len(word.printed)
    return found


def quantity(said: Claim, quoted: Claim) -> str:
    """All, most, some, few, only, half: as in the quotes."""
    kinds = quantifiers()
    mine = {kinds[word.text]: word for word in said.words if word.text in kinds}
    theirs = {kinds[word.text] for word in quoted.words if word.text in kinds}
    for kind, word in mine.items():
        if kind not in theirs and kind != "nearly" and not (kind == "none" and negations(quoted)):
            return f"quantity not in the quote: {word.printed}"
    for at, word in enumerate(quoted.words[:-1]):
        kind = kinds.get(word.text, "")
        after = next((one for one in quoted.words[at + 1 : at + 4] if not one.small), None)
        if kind in ("some", "few", "most", "half", "only") and kind not in mine and after and after.stem in said.stems:
            return f"quantity left out: {word.printed}"
    return ""


def certainty(said: Claim, quoted: Claim) -> str:
    """A supposition is not told as a fact, nor a relation as a cause."""
    hedges, causes, links = words_of("hedges"), words_of("causes"), words_of("links")
    hedged = [at for at, word in enumerate(quoted.words) if word.text in hedges]
    told_as_fact = not any(word.text in hedges for word in said.words)
    if told_as_fact and any(quoted.near(at, 5) & said.stems for at in hedged):
        return f"certainty differs: {quoted.words[hedged[0]].printed}"
    mine = {word.text for word in said.words}
    theirs = {word.text for word in quoted.words}
    if mine & causes and theirs & links and not theirs & causes:
        return "a relation is told as a cause"
    return ""


def conditions(said: Claim, quoted: Claim) -> str:
    """A condition that the quotes set is kept."""
    for at, word in enumerate(quoted.words):
        if word.text not in words_of("conditions") or word.text in ("without", "where"):
            continue
        following = [one for one in quoted.words[at + 1 : at + 9] if not one.small and one.clause == word.clause]
        if following and not any(one.stem in said.stems for one in following):
            return f"condition left out: {word.printed} {following[0].printed}"
    return ""


def added_words(said: Claim, quoted: Claim) -> str:
    """No run of content words that the quotes do not have: an invention inside a cited sentence."""
    run: list[str] = []
    for word in said.words:
        if word.small or word.text in _REPORTING:
            continue
        run = [] if word.stem in quoted.stems else [*run, word.printed]
        if len(run) > LONGEST_ADDITION:
            return f"not in the quote: {' '.join(run)}"
    return ""


def replaced_words(said: Claim, quoted: Claim) -> str:
    """No content word stands where the quotes have another, between the same neighbours."""
    mine = [word for word in said.words if not word.small]
    theirs = [word for word in quoted.words if not word.small]
    matcher = SequenceMatcher(None, [word.stem for word in mine], [word.stem for word in theirs], autojunk=False)
    for kind, low, high, their_low, their_high in matcher.get_opcodes():
        if kind != "replace" or high - low > 2 or their_high - their_low > 2:
            continue
        new = [word for word in mine[low:high] if word.stem not in quoted.stems and word.text not in _REPORTING]
        gone = [word for word in theirs[their_low:their_high] if word.stem not in said.stems]
        if new and gone:
            return f"not in the quote: {new[0].printed} (which has {gone[0].printed})"
    return ""
