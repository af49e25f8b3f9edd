"""Ways in which a claim can have all words of its quotes and still say something else: who does what to whom.

Exchanged sides of a comparison, subject and object exchanged, one word put in another's place, a number moved to
something else. Each check gives the reason, or an empty string.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import TypeAlias

from core.grounding.entailment.claims import (
    ParsedText,
    Word,
    closest_clause,
    merge_short_clauses,
    source_sentence_words,
)
from core.grounding.entailment.lexicon import antonym_poles, poles_in, word_list
from core.grounding.entailment.passive_voice import extract_verb_frames

_LONGEST_EXCHANGE = 2
MIN_COPIED_SHARE = 0.75
"""The share of words that a claim and a sentence have in common where the claim repeats the sentence."""
_LIST = re.compile(r"(?:[\d.,;/\s%-]|and|or|e-?\d)+")


def check_replaced_words(said: ParsedText, quoted: ParsedText) -> str:
    """No content word stands where the source has another, between the same neighbours, nor do two change places.

    The whole claim is held against its closest sentence, and each of its clauses against the closest clause.
    """
    pairs = [(said.content, source_sentence_words(said, quoted))]
    pairs += [(segment, closest_clause(segment, quoted)) for segment in merge_short_clauses(said)]
    for mine, theirs in pairs:
        exchanges = list(_exchanges(mine, theirs))
        reasons = (
            _find_swapped_words(exchanges, said),
            *(_judge_replacement(one, mine, theirs, said, quoted) for one in exchanges),
        )
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


def _find_swapped_words(exchanges: Sequence[_Exchange], said: ParsedText) -> str:
    """Two words that have changed places; in a plain list of numbers the order says nothing."""
    single = {(mine[0].key, theirs[0].key): mine[0] for mine, theirs in exchanges if len(mine) == len(theirs) == 1}
    for (new, gone), word in single.items():
        other = single.get((gone, new))
        if other and other.start > word.start and not _LIST.fullmatch(said.text[word.start : other.start]):
            return f"{word.printed} and {other.printed} have changed places"
    return ""


def _judge_replacement(
    exchange: _Exchange, mine: Sequence[Word], theirs: Sequence[Word], said: ParsedText, quoted: ParsedText
) -> str:
    """Why a replaced stretch matters; a word counts as new or gone where it stands more often on one side."""
    ours, others = Counter(word.key for word in mine), Counter(word.key for word in theirs)
    everywhere = Counter(word.key for word in said.content)
    new = [word for word in exchange[0] if ours[word.key] > others[word.key]]
    new = [word for word in new if not is_reversed_antonym(word, said, quoted)]
    gone = [word for word in exchange[1] if others[word.key] > everywhere[word.key]]
    gone = [word for word in gone if word.text not in word_list("connecting")]
    if len(new) > _LONGEST_EXCHANGE or len(gone) > _LONGEST_EXCHANGE:
        return ""
    return _exchange(new, gone, said, quoted)


def _exchange(new: Sequence[Word], gone: Sequence[Word], said: ParsedText, quoted: ParsedText) -> str:
    if all(word.text in word_list("generic") for word in gone) and all(quoted.holds(word) for word in new):
        return ""
    if new and gone and _is_elliptic(new, gone[0].sentence, said, quoted):
        return ""
    if len(new) == len(gone) == 1 and is_near_copy(said, quoted) and differs_in_content(new[0], gone[0]):
        return f"{new[0].printed} stands where the quote has {gone[0].printed}"
    for word in new:
        if word.text in word_list("reporting"):
            continue
        rivals = [other for other in gone if other.number == word.number and other.text not in word_list("reporting")]
        if rivals and (not word.number or (quoted.holds(word) and not _shares_clause_with_number(word, said, quoted))):
            return f"{word.printed} stands where the quote has {rivals[0].printed}"
    return ""


def _shares_clause_with_number(number: Word, said: ParsedText, quoted: ParsedText) -> bool:
    """Whether a clause of the quotes has the number beside another number of the claim."""
    others = {key for key in said.keys if key[0] == "#" and key != number.key}
    rows = [{word.key for word in clause} for clause in quoted.clauses()]
    return any(number.key in row and others & row for row in rows)


def is_near_copy(said: ParsedText, quoted: ParsedText) -> bool:
    """Whether the claim repeats nearly all of a sentence: what it puts differently is then meant to be different."""
    theirs = {word.key for word in source_sentence_words(said, quoted)}
    return len(said.keys & theirs) >= MIN_COPIED_SHARE * max(len(said.keys), len(theirs))


def differs_in_content(new: Word, gone: Word) -> bool:
    """Whether one word tells of something and the other does not, or not of the same: "shown" is not "scarce"."""
    filling = word_list("reporting") | word_list("generic")
    return new.number is gone.number and not new.number and not (new.text in filling and gone.text in filling)


def _is_elliptic(new: Sequence[Word], sentence: int, said: ParsedText, quoted: ParsedText) -> bool:
    """Whether the words make up a clause that leaves out what came before: "contain quartz but no feldspar"."""
    keys = {word.key for word in new}
    here, there = (Counter(word.key for word in one.content) for one in (said, quoted))
    return all(here[key] <= there[key] for key in keys) and any(
        keys <= {word.key for word in clause} <= said.keys and len(clause) <= len(keys) + 1
        for clause in quoted.clauses()
    )


def check_roles(said: ParsedText, quoted: ParsedText) -> str:
    """What is compared, or acts, stands on the same side as in the quotes."""
    if is_comparison_reversed(said, quoted):
        return "" if _has_opposite_comparative(said, quoted) else "sides of the comparison are exchanged"
    return _find_reversed_roles(said, quoted) or _find_changed_voice(said, quoted)


def is_comparison_reversed(said: ParsedText, quoted: ParsedText) -> bool:
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
        if word.text not in word_list("others") and word.text not in word_list("comparing"):
            continue
        before = _keys(other for other in words[:at] if word.clause - other.clause <= 1)
        after = _keys(other for other in words[at + 1 :] if other.clause == word.clause)
        if not before:
            before = _keys(other for other in words[at + 1 :] if other.clause == word.clause + 1)
        if before and after:
            verb = word.text in word_list("comparing")
            passive = verb and at + 1 < len(words) and words[at + 1].text == "by"
            return (after, before) if passive else (before, after)
    return None


def _keys(words: Iterable[Word]) -> frozenset[str]:
    return frozenset(word.key for word in words if not word.small)


def _has_opposite_comparative(said: ParsedText, quoted: ParsedText) -> bool:
    """Whether the comparing words stand at opposite ends: "A above B" says what "B below A" says."""
    mine = poles_in(_texts(said))
    theirs = poles_in(_texts(quoted))
    return any((axis, -sign) in theirs and (axis, sign) not in theirs for axis, sign in mine)


def is_reversed_antonym(word: Word, said: ParsedText, quoted: ParsedText) -> bool:
    """Whether a word with an opposite stands for it, the sides being exchanged: hotter where the quotes have cooler."""
    axes = {axis for axis, _ in antonym_poles().get(word.text, ())}
    return (
        bool(axes)
        and is_comparison_reversed(said, quoted)
        and any(axis in axes for axis, _ in poles_in(_texts(quoted)))
    )


def _texts(one: ParsedText) -> list[str]:
    return [word.text for word in one.words]


def _find_reversed_roles(said: ParsedText, quoted: ParsedText) -> str:
    """Subject and object around the same verb are exchanged, the voice being the same."""
    symmetric = {word.key for word in said.words if word.text in word_list("symmetric")}
    passive, their_passive = _passive_verbs(said), _passive_verbs(quoted)
    for segment in merge_short_clauses(said):
        clause = closest_clause(segment, quoted)
        if not clause or passive.isdisjoint(segment) != their_passive.isdisjoint(clause):
            continue
        shared = _unique(segment) & _unique(clause)
        mine = [word.key for word in segment if word.key in shared]
        theirs = {word.key: at for at, word in enumerate(clause) if word.key in shared}
        for first, verb, last in zip(mine, mine[1:], mine[2:], strict=False):
            if (
                verb[0] == "#"
                or verb in symmetric
                or any(_has_same_preposition(said, quoted, key) for key in (first, last))
            ):
                continue
            if theirs[last] < theirs[verb] < theirs[first]:
                return f"order is exchanged around: {verb}"
    return ""


def _find_changed_voice(said: ParsedText, quoted: ParsedText) -> str:
    """The order is the same though one of both is in the passive: zinc displaces copper, is displaced by copper."""
    for passive, active in ((said, quoted), (quoted, said)):
        told = {tuple(word.key for word in row) for row in _rows(active) if _after_verb(active, row) != "by"}
        for row in _rows(passive):
            if _after_verb(passive, row) == "by" and not row[2].number and tuple(word.key for word in row) in told:
                return f"who acts is exchanged around: {row[1].printed}"
    return ""


def _rows(one: ParsedText) -> Iterator[tuple[Word, Word, Word]]:
    content = one.content
    yield from zip(content, content[1:], content[2:], strict=False)


def _after_verb(one: ParsedText, row: tuple[Word, Word, Word]) -> str:
    """The word right behind the middle one of three."""
    return next(word.text for word in one.words if word.start > row[1].start)


def _has_same_preposition(said: ParsedText, quoted: ParsedText, key: str) -> bool:
    """Whether the same preposition goes before a word: what is "in water" may stand anywhere."""
    mine, theirs = (
        governing_preposition(one, next(word for word in one.words if word.key == key)) if key in one.keys else ""
        for one in (said, quoted)
    )
    return mine not in ("", "of") and mine == theirs


def governing_preposition(one: ParsedText, word: Word) -> str:
    """The preposition closely before a word, within its clause, or an empty string."""
    before = [other for other in one.words if word.start > other.start]
    for other in reversed(before[-3:]):
        if other.clause != word.clause or other.text in word_list("joining"):
            break
        if other.text in word_list("prepositions"):
            return other.text
    return ""


def _passive_verbs(one: ParsedText) -> frozenset[Word]:
    return frozenset(act.verb for act in extract_verb_frames(one) if act.passive and act.agent)


def _unique(words: Sequence[Word]) -> set[str]:
    counts = Counter(word.key for word in words)
    return {key for key, count in counts.items() if count == 1}
