"""Ways in which a claim can have all words of its quotes and still say something else: who does what to whom.

Exchanged sides of a comparison, subject and object exchanged, one word put in another's place, a number moved to
something else. Each check gives the reason, or an empty string.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import TypeAlias

from core.grounding.claims import NEARLY_ALL, Claim, Word, claim, closest_clause, segments, source
from core.grounding.lexicon import ends, poles, words_of
from core.grounding.numbers import Number, numbers_in, readings, same
from core.text import sentences

_LONGEST_EXCHANGE = 2
COPIED = 0.75
"""The share of words that a claim and a sentence have in common where the claim repeats the sentence."""
_LIST = re.compile(r"(?:[\d.,;/\s%-]|and|or|e-?\d)+")


def replaced_words(said: Claim, quoted: Claim) -> str:
    """No content word stands where the source has another, between the same neighbours, nor do two change places.

    The whole claim is held against its closest sentence, and each of its clauses against the closest clause.
    """
    pairs = [(said.content, source(said, quoted))]
    pairs += [(segment, closest_clause(segment, quoted)) for segment in segments(said)]
    for mine, theirs in pairs:
        exchanges = list(_exchanges(mine, theirs))
        reasons = (_swapped(exchanges, said), *(_replaced(one, mine, theirs, said, quoted) for one in exchanges))
        if any(reasons):
            return next(filter(None, reasons))
    return ""


_Exchange: TypeAlias = tuple[Sequence[Word], Sequence[Word]]
"""Words of the claim, and those that the part of the quotes looked at has in their place."""


def _exchanges(mine: Sequence[Word], theirs: Sequence[Word]) -> Iterator[_Exchange]:
    matcher = SequenceMatcher(None, [word.key for word in mine], [word.key for word in theirs], autojunk=False)
    for kind, low, high, their_low, their_high in matcher.get_opcodes():
        if kind == "replace":
            yield mine[low:high], theirs[their_low:their_high]


def _swapped(exchanges: Sequence[_Exchange], said: Claim) -> str:
    """Two words that have changed places; in a plain list of numbers the order says nothing."""
    single = {(mine[0].key, theirs[0].key): mine[0] for mine, theirs in exchanges if len(mine) == len(theirs) == 1}
    for (new, gone), word in single.items():
        other = single.get((gone, new))
        if other and other.start > word.start and not _LIST.fullmatch(said.text[word.start : other.start]):
            return f"{word.printed} and {other.printed} have changed places"
    return ""


def _replaced(exchange: _Exchange, mine: Sequence[Word], theirs: Sequence[Word], said: Claim, quoted: Claim) -> str:
    """Why a replaced stretch matters; a word counts as new or gone where it stands more often on one side."""
    ours, others = Counter(word.key for word in mine), Counter(word.key for word in theirs)
    everywhere = Counter(word.key for word in said.content)
    new = [word for word in exchange[0] if ours[word.key] > others[word.key]]
    gone = [word for word in exchange[1] if others[word.key] > everywhere[word.key]]
    if len(new) > _LONGEST_EXCHANGE or len(gone) > _LONGEST_EXCHANGE:
        return ""
    return _exchange(new, gone, said, quoted)


def _exchange(new: Sequence[Word], gone: Sequence[Word], said: Claim, quoted: Claim) -> str:
    if all(word.text in words_of("generic") for word in gone) and all(quoted.holds(word) for word in new):
        return ""
    if len(new) == len(gone) == 1 and _copied(said, quoted) and _unlike(new[0], gone[0]):
        return f"{new[0].printed} stands where the quote has {gone[0].printed}"
    if new and gone and _elliptic(new, gone[0].sentence, said, quoted):
        return ""
    for word in new:
        if word.text in words_of("reporting"):
            continue
        rivals = [other for other in gone if other.number == word.number and other.text not in words_of("reporting")]
        if rivals and (not word.number or quoted.holds(word)):
            return f"{word.printed} stands where the quote has {rivals[0].printed}"
    return ""


def _copied(said: Claim, quoted: Claim) -> bool:
    """Whether the claim repeats nearly all of a sentence: what it puts differently is then meant to be different."""
    theirs = {word.key for word in source(said, quoted)}
    return len(said.keys & theirs) >= COPIED * max(len(said.keys), len(theirs))


def _unlike(new: Word, gone: Word) -> bool:
    """Whether one word tells of something and the other does not, or not of the same: "shown" is not "scarce"."""
    filling = words_of("reporting") | words_of("generic")
    return new.number is gone.number and not new.number and not (new.text in filling and gone.text in filling)


def _elliptic(new: Sequence[Word], sentence: int, said: Claim, quoted: Claim) -> bool:
    """Whether the words make up a clause that leaves out what came before: "contain quartz but no feldspar"."""
    keys = {word.key for word in new}
    here, there = (Counter(word.key for word in one.content) for one in (said, quoted))
    return all(here[key] <= there[key] for key in keys) and any(
        keys <= {word.key for word in clause} <= said.keys and len(clause) <= len(keys) + 1
        for clause in quoted.clauses()
    )


def roles(said: Claim, quoted: Claim) -> str:
    """What is compared, or acts, stands on the same side as in the quotes."""
    if turned(said, quoted):
        return "" if _opposed(said, quoted) else "sides of the comparison are exchanged"
    return _reversed(said, quoted)


def turned(said: Claim, quoted: Claim) -> bool:
    """Whether the claim has on the left of its comparison what the quotes have on the right, and the reverse."""
    mine, theirs = _sides(said.words), _sides(quoted.words)
    if not mine or not theirs:
        return False
    left, right = mine[0] - mine[1], mine[1] - mine[0]
    their_left, their_right = theirs[0] - theirs[1], theirs[1] - theirs[0]
    return bool(left & their_right and right & their_left)


def _sides(words: Sequence[Word]) -> tuple[frozenset[str], frozenset[str]] | None:
    """Keys of what stands before and after the word that compares, in its clause and the one before."""
    for at, word in enumerate(words):
        if word.text not in words_of("others") and word.text not in words_of("comparing"):
            continue
        before = _keys(other for other in words[:at] if word.clause - other.clause <= 1)
        after = _keys(other for other in words[at + 1 :] if other.clause == word.clause)
        if not before:
            before = _keys(other for other in words[at + 1 :] if other.clause == word.clause + 1)
        if before and after:
            verb = word.text in words_of("comparing")
            passive = verb and at + 1 < len(words) and words[at + 1].text == "by"
            return (after, before) if passive else (before, after)
    return None


def _keys(words: Iterable[Word]) -> frozenset[str]:
    return frozenset(word.key for word in words if not word.small)


def _opposed(said: Claim, quoted: Claim) -> bool:
    """Whether the comparing words stand at opposite ends: "A above B" says what "B below A" says."""
    mine = ends(_texts(said))
    theirs = ends(_texts(quoted))
    return any((axis, -sign) in theirs and (axis, sign) not in theirs for axis, sign in mine)


def answers_opposite(word: Word, said: Claim, quoted: Claim) -> bool:
    """Whether a word with an opposite stands for it, the sides being exchanged: hotter where the quotes have cooler."""
    axes = {axis for axis, _ in poles().get(word.text, ())}
    return bool(axes) and turned(said, quoted) and any(axis in axes for axis, _ in ends(_texts(quoted)))


def _texts(one: Claim) -> list[str]:
    return [word.text for word in one.words]


def _reversed(said: Claim, quoted: Claim) -> str:
    """Subject and object around the same verb are exchanged, the voice being the same."""
    for segment in segments(said):
        clause = closest_clause(segment, quoted)
        if not clause or _passive(said, segment) != _passive(quoted, clause):
            continue
        shared = _unique(segment) & _unique(clause)
        mine = [word.key for word in segment if word.key in shared]
        theirs = {word.key: at for at, word in enumerate(clause) if word.key in shared}
        for first, verb, last in zip(mine, mine[1:], mine[2:], strict=False):
            if verb[0] == "#" or any(_same_case(said, quoted, key) for key in (first, last)):
                continue
            if theirs[last] < theirs[verb] < theirs[first]:
                return f"order is exchanged around: {verb}"
    return ""


def _same_case(said: Claim, quoted: Claim, key: str) -> bool:
    """Whether the same preposition goes before a word: what is "in water" may stand anywhere."""
    mine, theirs = _case(said, key), _case(quoted, key)
    return bool(mine) and mine == theirs


def _case(one: Claim, key: str) -> str:
    at = next((at for at, word in enumerate(one.words) if word.key == key), 0)
    for word in reversed(one.words[max(0, at - 3) : at]):
        if word.clause != one.words[at].clause or word.text in words_of("joining"):
            break
        if word.text in words_of("prepositions"):
            return word.text
    return ""


def _passive(one: Claim, words: Sequence[Word]) -> bool:
    clauses = {word.clause for word in words}
    return any(word.text == "by" and word.clause in clauses for word in one.words)


def _unique(words: Sequence[Word]) -> set[str]:
    counts = Counter(word.key for word in words)
    return {key for key, count in counts.items() if count == 1}


def binding(said: Claim, quoted: Claim) -> str:
    """A number belongs to the same words as in the quotes."""
    mine, theirs = numbers_in(said.text), numbers_in(quoted.text)
    for number in mine:
        if not _at_home(said, number, quoted):
            return f"number belongs to another sentence: {number.text}"
        own = [other for other in theirs if other.value == number.value]
        rivals = [other for other in theirs if other.value != number.value and other.unit == number.unit]
        rivals = [other for other in rivals if all(other.value != one.value for one in mine)]
        if own and sum(one.value == number.value for one in mine) > len(own):
            return f"number stands more often than in the quote: {number.text}"
        if own and all(_counts_another(said, number, quoted, other) for other in own):
            return f"number counts something else: {number.text}"
        if _elsewhere(number, said, quoted):
            return f"number stands beside other words: {number.text}"
        moved = own and rivals and _moved(said, mine, number, quoted, own, rivals)
        if moved or (own and _ends_exchanged(said, number, quoted, own)):
            return f"number belongs to something else: {number.text}"
    return ""


def _elsewhere(number: Number, said: Claim, quoted: Claim) -> bool:
    """Whether a number that both have once has other neighbours on either side in the closest sentence."""
    mine, theirs = said.content, source(said, quoted)
    here = [at for at, word in enumerate(mine) if word.number and word.start == number.start]
    there = [at for at, word in enumerate(theirs) if here and word.key == mine[here[0]].key]
    shared = len(said.keys & {word.key for word in theirs})
    retold = shared >= NEARLY_ALL * len(said.keys) and shared >= NEARLY_ALL * len({word.key for word in theirs})
    if len(here) != 1 or len(there) != 1 or not retold:
        return False
    before = _preposition(said, number)
    there_before = [word.text for word in quoted.words if word.start < theirs[there[0]].start][-1:]
    if before in words_of("prepositions") and there_before == [before]:
        return False
    beside = _neighbours(mine, here[0], 2)
    return bool(beside) and not beside & _neighbours(theirs, there[0], 3)


def _neighbours(words: Sequence[Word], at: int, reach: int) -> set[str]:
    around = words[max(0, at - reach) : at + reach + 1]
    return {word.key for word in around if word is not words[at]}


def _counts_another(said: Claim, number: Number, quoted: Claim, other: Number) -> bool:
    """Whether both numbers are followed by what they count, and it is not the same."""
    if not number.noun or not other.noun or number.unit or other.unit:
        return False
    mine, theirs = _following(said, number), _following(quoted, other)
    return bool(mine and theirs) and mine[0] not in theirs and theirs[0] not in mine


def _following(one: Claim, number: Number) -> list[str]:
    return [word.key for word in one.words if word.start >= number.end and not word.small and not word.number][:3]


def _moved(
    said: Claim,
    mine: Sequence[Number],
    number: Number,
    quoted: Claim,
    own: Sequence[Number],
    rivals: Sequence[Number],
) -> bool:
    """Whether the words that go with the number go with another number in the quotes."""
    every = [*own, *rivals]
    kin = [one for one in mine if one.unit == number.unit]
    for side in (_after, _before):
        words = side(said, number, kin)
        if words:
            best = max(_weight(words, side(quoted, other, every)) for other in own)
            better = [other for other in rivals if _weight(words, side(quoted, other, every)) > best]
            return any(not _told_apart(said, quoted, own, other, every) for other in better)
    return False


def _told_apart(said: Claim, quoted: Claim, own: Sequence[Number], rival: Number, every: Sequence[Number]) -> bool:
    """Whether the claim has the word that the quotes set nearest its number alone, and not the rival's: words that
    come before the first of several numbers belong to all of them.
    """
    others = [*_before(quoted, rival, every), *_after(quoted, rival, every)]
    for number in own:
        words = [*_before(quoted, number, every), *_after(quoted, number, every)]
        mine = [key for key in words if key not in others]
        theirs = [key for key in others if key not in words]
        if mine and theirs and mine[0] in said.keys and theirs[0] not in said.keys:
            return True
    return False


def _weight(one: Sequence[str], other: Sequence[str]) -> float:
    """How much two rows of words have in common, those near the number before those far from it."""
    return sum(1 / (at + 1) / (other.index(key) + 1) for at, key in enumerate(one) if key in other)


def _after(one: Claim, number: Number, every: Sequence[Number]) -> list[str]:
    """Content words between a number and the next of its kind, within its clause, nearest first."""
    stop = min((other.start for other in every if other.start >= number.end), default=len(one.text))
    following = [word for word in one.words if number.end <= word.start < stop]
    clause = following[0].clause if following else 0
    return [word.key for word in following if word.clause == clause and _binds(word)]


def _before(one: Claim, number: Number, every: Sequence[Number]) -> list[str]:
    """Content words between a number and the one before, nearest first; "from 3 to 5" shares them."""
    low = number.start
    for other in sorted(every, key=lambda one: -one.start):
        if other.end <= number.start:
            between = _between(one, other.end, low)
            if between:
                return between
            low = other.start
    return _between(one, 0, low)


def _binds(word: Word) -> bool:
    """Whether a word tells one number from another; "participants" and the like do not."""
    return not word.small and word.text not in words_of("generic")


def _between(one: Claim, low: int, high: int) -> list[str]:
    sentence = max((word.sentence for word in one.words if word.start < high), default=0)
    inside = [word for word in one.words if low <= word.start < high and word.sentence == sentence]
    return [word.key for word in reversed(inside) if _binds(word) and not word.number]


def _ends_exchanged(said: Claim, number: Number, quoted: Claim, own: Sequence[Number]) -> bool:
    """Whether a change from one number to another is told the other way round."""
    mine = _preposition(said, number)
    theirs = {_preposition(quoted, other) for other in own}
    return mine in ("from", "to") and theirs == {"to" if mine == "from" else "from"}


def _preposition(one: Claim, number: Number) -> str:
    before = [word for word in one.words if word.start < number.start]
    return before[-1].text if before else ""


def _at_home(said: Claim, number: Number, quoted: Claim) -> bool:
    """Whether a sentence of the quotes that holds the number also holds a content word of the claim."""
    words = {word.key for word in said.content if not word.number}
    homes = [
        sentence
        for sentence in sentences(quoted.text)
        if any(same(number, other, sentence) for other in readings(sentence))
    ]
    return not homes or not words or any(words & claim(sentence).keys for sentence in homes)
