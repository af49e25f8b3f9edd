"""Whether the numbers of a claim belong to the same words as in its quotes, and to the same other numbers."""

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, pairwise, product

from core.grounding.entailment.claims import MIN_SOURCE_COVERAGE, ParsedText, Word, parse_text, source_sentence_words
from core.grounding.entailment.lexicon import word_list
from core.grounding.numbers import Number, extract_number_variants, extract_numbers, is_same_number
from core.text import split_sentences

MIN_BINDING_MARGIN = 0.2
"""How much better the words around a number must fit another number of the quotes: a sentence told in short has lost
some of them, and one shared word far away says little."""


def check_number_binding(said: ParsedText, quoted: ParsedText) -> str:
    """A number belongs to the same words as in the quotes."""
    mine, theirs = extract_numbers(said.text), extract_numbers(quoted.text)
    for number in mine:
        if not _shares_source_sentence(said, number, quoted):
            return f"number belongs to another sentence: {number.text}"
        own = [other for other in theirs if other.value == number.value]
        rivals = [other for other in theirs if other.value != number.value and other.unit == number.unit]
        rivals = [other for other in rivals if all(other.value != one.value for one in mine)]
        if own and sum(one.value == number.value for one in mine) > len(own):
            return f"number stands more often than in the quote: {number.text}"
        if own and all(_counts_other_noun(said, number, quoted, other) for other in own):
            return f"number counts something else: {number.text}"
        if _has_other_neighbours(number, said, quoted):
            return f"number stands beside other words: {number.text}"
        moved = own and rivals and _is_bound_elsewhere(said, mine, number, quoted, own, rivals)
        if moved or (own and _is_change_reversed(said, number, quoted, own)):
            return f"number belongs to something else: {number.text}"
    return ""


def _has_other_neighbours(number: Number, said: ParsedText, quoted: ParsedText) -> bool:
    """Whether a number that both have once has other neighbours on either side in the closest sentence."""
    mine, theirs = said.content, source_sentence_words(said, quoted)
    here = [at for at, word in enumerate(mine) if word.number and word.start == number.start]
    there = [at for at, word in enumerate(theirs) if here and word.key == mine[here[0]].key]
    shared = len(said.keys & {word.key for word in theirs})
    retold = shared >= MIN_SOURCE_COVERAGE * len(said.keys) and shared >= MIN_SOURCE_COVERAGE * len(
        {word.key for word in theirs}
    )
    if len(here) != 1 or len(there) != 1 or not retold:
        return False
    before = _preposition(said, number)
    there_before = [word.text for word in quoted.words if word.start < theirs[there[0]].start][-1:]
    if before in word_list("prepositions") and there_before == [before]:
        return False
    beside = _neighbours(mine, here[0], 2)
    return bool(beside) and not beside & _neighbours(theirs, there[0], 3)


def _neighbours(words: Sequence[Word], at: int, reach: int) -> set[str]:
    around = words[max(0, at - reach) : at + reach + 1]
    return {word.key for word in around if word is not words[at]}


def _counts_other_noun(said: ParsedText, number: Number, quoted: ParsedText, other: Number) -> bool:
    """Whether both numbers are followed by what they count, and it is not the same."""
    if not number.noun or not other.noun or number.unit or other.unit:
        return False
    mine, theirs = _following(said, number), _following(quoted, other)
    return bool(mine and theirs) and mine[0] not in theirs and theirs[0] not in mine


def _following(one: ParsedText, number: Number) -> list[str]:
    return [word.key for word in one.words if word.start >= number.end and not word.small and not word.number][:3]


def _is_bound_elsewhere(
    said: ParsedText,
    mine: Sequence[Number],
    number: Number,
    quoted: ParsedText,
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
            better = [
                other for other in rivals if _weight(words, side(quoted, other, every)) > best + MIN_BINDING_MARGIN
            ]
            return any(
                not _is_distinguished(said, quoted, own, other, every)
                and not _is_contrasted(said, quoted, own, other, every)
                for other in better
            )
    return False


def _is_distinguished(
    said: ParsedText, quoted: ParsedText, own: Sequence[Number], rival: Number, every: Sequence[Number]
) -> bool:
    """Whether the claim has the word that the quotes set nearest its number alone, and not the rival's: words that
    come before the first of several numbers belong to all of them.
    """
    for number in own:
        seen = [_own_word(said, side(quoted, number, every), side(quoted, rival, every)) for side in (_before, _after)]
        if max(seen) > 0 and min(seen) >= 0:
            return True
    return False


def _is_contrasted(
    said: ParsedText, quoted: ParsedText, own: Sequence[Number], rival: Number, every: Sequence[Number]
) -> bool:
    """Whether the claim has what goes with its number and not what goes with the rival, where both qualify the same
    word ("the robust test", "the classical test") or are numbers of two clauses ("58 % in 2016, 23 % in 2011").
    """
    for number in own:
        if _companions(quoted, number) & said.keys and not _companions(quoted, rival) & said.keys:
            return True
        for side in (_before, _after):
            mine, theirs = side(quoted, number, every), side(quoted, rival, every)
            for one, other in _qualifiers(mine, theirs):
                if one in said.keys and other not in said.keys and other not in mine and one not in theirs:
                    return True
    return False


def _companions(quoted: ParsedText, number: Number) -> frozenset[str]:
    """Keys of the other numbers in a number's clause."""
    clause = _clause(quoted, number)
    return frozenset(
        word.key for word in quoted.words if word.clause == clause and word.number and word.start != number.start
    )


def _qualifiers(mine: Sequence[str], theirs: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Words that stand beside the same word in both, each with its counterpart."""
    for step in (1, -1):
        for (word, one), (shared, other) in product(pairwise(mine[::step]), pairwise(theirs[::step])):
            if word == shared and one != other:
                yield one, other


def _own_word(said: ParsedText, words: Sequence[str], others: Sequence[str]) -> int:
    """1 where the claim has the nearest word of one number's own and not that of the other number, -1 where it is
    the other way round, else 0.
    """
    mine = next((key for key in words if key not in others), "")
    theirs = next((key for key in others if key not in words), "")
    return (mine in said.keys) - (theirs in said.keys) if mine and theirs else 0


def _weight(one: Sequence[str], other: Sequence[str]) -> float:
    """How much two rows of words have in common, those near the number before those far from it."""
    return sum(1 / (at + 1) / (other.index(key) + 1) for at, key in enumerate(one) if key in other)


def _after(one: ParsedText, number: Number, every: Sequence[Number]) -> list[str]:
    """Content words between a number and the next of its kind, within its clause, nearest first."""
    stop = min((other.start for other in every if other.start >= number.end), default=len(one.text))
    following = [word for word in one.words if number.end <= word.start < stop]
    clause = following[0].clause if following else 0
    return [word.key for word in following if word.clause == clause and _is_distinctive(word)]


def _before(one: ParsedText, number: Number, every: Sequence[Number]) -> list[str]:
    """Content words between a number and the one before, nearest first; "from 3 to 5" shares them."""
    low = number.start
    for other in sorted(every, key=lambda one: -one.start):
        if other.end <= number.start:
            between = _between(one, other.end, low)
            if between:
                return between
            low = other.start
    return _between(one, 0, low)


def _is_distinctive(word: Word) -> bool:
    """Whether a word tells one number from another; "participants" and the like do not."""
    return not word.small and word.text not in word_list("generic")


def _between(one: ParsedText, low: int, high: int) -> list[str]:
    sentence = max((word.sentence for word in one.words if word.start < high), default=0)
    inside = [word for word in one.words if low <= word.start < high and word.sentence == sentence]
    return [word.key for word in reversed(inside) if _is_distinctive(word) and not word.number]


def _is_change_reversed(said: ParsedText, number: Number, quoted: ParsedText, own: Sequence[Number]) -> bool:
    """Whether a change from one number to another is told the other way round."""
    mine = _preposition(said, number)
    theirs = {_preposition(quoted, other) for other in own}
    return mine in ("from", "to") and theirs == {"to" if mine == "from" else "from"}


def _preposition(one: ParsedText, number: Number) -> str:
    before = [word for word in one.words if word.start < number.start]
    return before[-1].text if before else ""


def _shares_source_sentence(said: ParsedText, number: Number, quoted: ParsedText) -> bool:
    """Whether a sentence of the quotes that holds the number also holds a content word of the claim."""
    words = {word.key for word in said.content if not word.number}
    homes = [
        sentence
        for sentence in split_sentences(quoted.text)
        if any(is_same_number(number, other, sentence) for other in extract_number_variants(sentence))
    ]
    return not homes or not words or any(words & parse_text(sentence).keys for sentence in homes)


def check_number_pairs(said: ParsedText, quoted: ParsedText) -> str:
    """Two numbers told together are not taken from two clauses each of which has its own such number.

    "81 with 5,000" is not what "81 with 500, 90 with 5,000" says.
    """
    mine, theirs = extract_numbers(said.text), extract_numbers(quoted.text)
    for one, other in combinations(mine, 2):
        if _clause(said, one) != _clause(said, other) or (one.value, one.unit) == (other.value, other.unit):
            continue
        here = {_clause(quoted, number) for number in theirs if number.value == one.value}
        there = {_clause(quoted, number) for number in theirs if number.value == other.value}
        if len(here) != 1 or len(there) != 1 or here == there:
            continue
        if _has_rival_number(one, mine, theirs, quoted, there) and _has_rival_number(other, mine, theirs, quoted, here):
            return f"numbers of two clauses are told as one: {one.text}, {other.text}"
    return ""


def _clause(text: ParsedText, number: Number) -> int:
    return next((word.clause for word in text.words if word.start >= number.start), -1)


def _has_rival_number(
    number: Number, mine: Sequence[Number], theirs: Sequence[Number], quoted: ParsedText, clauses: Collection[int]
) -> bool:
    """Whether a clause has a number of the same kind that the claim does not tell."""
    told = {one.value for one in mine}
    return any(
        other.value not in told and (other.unit, other.noun) == (number.unit, number.noun)
        for other in theirs
        if _clause(quoted, other) in clauses
    )
