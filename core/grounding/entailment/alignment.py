"""Whether each word and number of a claim stands in its own place of the quotes, not in that of another.

Two things that have changed places leave every word as it was; what gives them away is that each stands among the
neighbours of the other. Only order, small words and clause ends are looked at, so that it holds in any language.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TypeAlias

from core.grounding.entailment.claims import ParsedText, Word, source_sentence_words
from core.grounding.entailment.lexicon import poles_in, word_list
from core.grounding.entailment.predicates import (
    MIN_COPIED_SHARE,
    differs_in_content,
    governing_preposition,
    is_near_copy,
    is_reversed_antonym,
)

CONTEXT_WINDOW = 3
"""How many content words to either side make up a place."""
MIN_FIT_MARGIN = 0.9
"""How much better two words must fit each other's places than their own: nearly one whole next neighbour."""
MIN_CONTEXT_SIMILARITY = 0.6
"""The share of what stands around a word that makes a place the same place."""
_ARTICLES = frozenset(["a", "an", "the", "el", "la", "los", "las", "der", "die", "das", "den", "dem", "le", "les"])
_VALUE = re.compile(r"#-?[\d.]+")
_JOINED = re.compile(r"(?:[\s,;/&()]|\b(?:and|or|nor|as well as|y|o|und|oder|et|ou)\b)*")
_JOINING = re.compile(r"[,;/&]|\b(?:and|or|nor|as well as|y|o|und|oder|et|ou)\b")
_INSTEAD = frozenset(["instead", "rather"])

_Context: TypeAlias = Mapping[tuple[str, str], float]
"""What stands around a word, by side: content words by key, a number as "#", small words as they are printed."""
_Contexts: TypeAlias = Mapping[str, Sequence[tuple[Word, _Context]]]
"""For every content word, each of its places."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _MisalignedWord:
    """A content word of the claim, how well it fits its own best place in the quotes, and which word that is."""

    word: Word
    place: _Context
    own: float
    home: Word


def check_exchanged_words(said: ParsedText, quoted: ParsedText) -> str:
    """No two words or numbers of the claim stand in each other's places.

    Members of one list may change places, unless "respectively" ties them to another list; subject and object may
    where the voice is another, sides of a comparison where the comparing word is the opposite one.
    """
    places = _contexts(quoted)
    standing = list(_misaligned_words(said, places))
    once = [one for one in standing if not one.word.number and len(places[one.word.key]) == 1]
    displaced = frozenset(one.home.start for one in once)
    lists = 0
    for one, other in combinations(standing, 2):
        if not _comparable(one, other) or not _fits_better(one, other, places):
            continue
        if one.word.number and _neighbour_starts(quoted, one.home, other.home) & displaced:
            continue
        if _are_list_members(one, other, said, quoted):
            lists += 1
        elif not _is_meaning_preserved(one, other, said, quoted):
            return f"{one.word.printed} and {other.word.printed} have changed places"
    if lists == 1 and any(word.text == "respectively" for word in quoted.words):
        return "the order of a list differs"
    return ""


def check_displaced_words(said: ParsedText, quoted: ParsedText) -> str:
    """No word of a claim that repeats a sentence stands in the place of one that the claim leaves out."""
    sentence = source_sentence_words(said, quoted)
    ours, theirs = Counter(word.key for word in said.content), Counter(word.key for word in sentence)
    if len(said.keys & theirs.keys()) < MIN_COPIED_SHARE * len(said.keys):
        return ""
    names_only = not is_near_copy(said, quoted)
    places = _contexts(quoted)
    gone = [word for word in sentence if theirs[word.key] > ours[word.key] and not word.number and not _joins(word)]
    new = [at for at, word in enumerate(said.words) if not word.small and ours[word.key] > theirs[word.key]]
    for at in new:
        word, place = said.words[at], _context(said.words, at)
        if word.number or word.text in word_list("own") or not gone or is_reversed_antonym(word, said, quoted):
            continue
        own = max((_fit(place, there) for _, there in places.get(word.key, ())), default=0.0)
        fit, best, other = max(
            ((*_context_similarity(place, one, places), one) for one in gone), key=lambda found: found[:2]
        )
        if names_only and not (word.named and other.named):
            continue
        if (
            fit >= MIN_CONTEXT_SIMILARITY
            and best > own
            and differs_in_content(word, other)
            and not _is_name_of(word, other, quoted)
        ):
            return f"{word.printed} stands where the quote has {other.printed}"
    return ""


def _context_similarity(place: _Context, gone: Word, places: _Contexts) -> tuple[float, float]:
    """How well a place fits that of a word of the quotes: as a share, and as it is."""
    there = next(there for word, there in places[gone.key] if word.start == gone.start)
    fit = _fit(place, there)
    return fit / min(sum(place.values()), sum(there.values())), fit


def _joins(word: Word) -> bool:
    return word.text in word_list("connecting")


def _is_name_of(word: Word, other: Word, quoted: ParsedText) -> bool:
    """Whether a name stands for "the model" or "the study" that it is the name of."""
    return other.text in word_list("generic") and quoted.holds(word)


def _contexts(one: ParsedText) -> _Contexts:
    found: dict[str, list[tuple[Word, _Context]]] = {}
    for at, word in enumerate(one.words):
        if not word.small:
            found.setdefault(_name(word), []).append((word, _context(one.words, at)))
    return found


def _name(word: Word) -> str:
    """What a word is found again by; a number by its value, since its unit may be printed elsewhere."""
    return (_VALUE.match(word.key) or [word.key])[0] if word.number else word.key


def _misaligned_words(said: ParsedText, places: _Contexts) -> Iterator[_MisalignedWord]:
    """The words of the claim that do not stand between the same two neighbours as in the quotes."""
    for at, word in enumerate(said.words):
        if word.small or _name(word) not in places:
            continue
        place = _context(said.words, at)
        own, home, whole = 0.0, places[_name(word)][0][0], 0.0
        for other, there in places[_name(word)]:
            fit = _fit(place, there)
            if fit >= own:
                own, home, whole = fit, other, min(sum(place.values()), sum(there.values()))
        if own < 0.75 * whole:
            yield _MisalignedWord(word=word, place=place, own=own, home=home)


def _context(words: Sequence[Word], at: int) -> _Context:
    return dict(_context_side(words, at, -1)) | dict(_context_side(words, at, 1))


def _context_side(words: Sequence[Word], at: int, step: int) -> Iterator[tuple[tuple[str, str], float]]:
    side, seen, small = ("L", 0, 0) if step < 0 else ("R", 0, 0)
    other = at + step
    while 0 <= other < len(words) and seen < CONTEXT_WINDOW and words[other].sentence == words[at].sentence:
        word = words[other]
        if not word.small:
            seen += 1
            yield (side, "#" if word.number else word.key), 1 / seen
        elif not seen and small < 3 and word.text not in _ARTICLES:
            small += 1
            yield (side.lower(), word.text), 0.5
        other += step
    if not seen:
        yield (side, "end"), 0.5


def _fit(one: _Context, other: _Context) -> float:
    return sum(min(weight, other[key]) for key, weight in one.items() if key in other)


def _fits_better(one: _MisalignedWord, other: _MisalignedWord, places: _Contexts) -> bool:
    """Whether both stand better in the other's place of the quotes."""
    here = max(_fit(one.place, there) for _, there in places[_name(other.word)])
    there = max(_fit(other.place, place) for _, place in places[_name(one.word)])
    return here > one.own and there > other.own and here + there > one.own + other.own + MIN_FIT_MARGIN


def _comparable(one: _MisalignedWord, other: _MisalignedWord) -> bool:
    """Whether two words may have changed places: both numbers or neither, from one sentence."""
    unlike = _name(one.word) != _name(other.word) and one.home.sentence == other.home.sentence
    return unlike and one.word.number is other.word.number


def _neighbour_starts(text: ParsedText, *words: Word) -> frozenset[int]:
    """Where the next content words to either side of some words start; where these have moved too, a clause was
    put elsewhere, and numbers are judged by the words they belong to.
    """
    content = text.content
    places = [at for at, word in enumerate(content) if any(word.start == one.start for one in words)]
    return frozenset(content[other].start for at in places for other in (at - 1, at + 1) if 0 <= other < len(content))


def _are_list_members(one: _MisalignedWord, other: _MisalignedWord, said: ParsedText, quoted: ParsedText) -> bool:
    """Whether both are members of one list, in the claim and in the quotes."""
    return _in_list(said, one.word, other.word) and _in_list(quoted, one.home, other.home)


def _in_list(text: ParsedText, one: Word, other: Word) -> bool:
    """Whether nothing but members of a list stands from one word to the other; members are single words, or have
    the rest in common: "red light and blue light".
    """
    first, last = sorted((one, other), key=lambda word: word.start)
    inside = [word for word in text.words if first.start <= word.start <= last.start and not word.small]
    count = Counter(word.key for word in text.words)
    joined = False
    for before, after in pairwise(inside):
        gap = text.text[before.start + len(before.printed) : after.start]
        if not _JOINED.fullmatch(gap) and not (first.number and not gap.strip(" %-")):
            return False
        joined |= bool(_JOINING.search(gap))
        if not _JOINING.search(gap) and not first.number and count[after.key] == 1:
            return False
    return joined


def _is_meaning_preserved(one: _MisalignedWord, other: _MisalignedWord, said: ParsedText, quoted: ParsedText) -> bool:
    """Whether the exchange leaves the meaning: the other voice, the opposite comparison, a side that has none."""
    mine = _between(said, one.word, other.word)
    theirs = _between(quoted, one.home, other.home)
    if ("by" in mine) is not ("by" in theirs):
        return True
    if bool(_INSTEAD & {*mine}) is not bool(_INSTEAD & {*theirs}):
        return True
    if one.word.number and _same_cases(one, other, said, quoted):
        return True
    if any(word in word_list("symmetric") for word in (*mine, *theirs)):
        return True
    if _adjacent(said, one.word, other.word) and _adjacent(quoted, one.home, other.home) and mine != theirs:
        return True
    return not one.word.number and _opposed(mine, theirs)


def _same_cases(one: _MisalignedWord, other: _MisalignedWord, said: ParsedText, quoted: ParsedText) -> bool:
    """Whether a preposition tells which is which: "of 316" may stand before or behind "179"."""
    mine = [governing_preposition(said, standing.word) for standing in (one, other)]
    theirs = [governing_preposition(quoted, standing.home) for standing in (one, other)]
    return mine == theirs and mine[0] != mine[1]


def _adjacent(text: ParsedText, one: Word, other: Word) -> bool:
    """Whether no content stands between two words: "doping with nitrogen" is "nitrogen doping"."""
    low, high = sorted((one.start, other.start))
    inside = [word for word in text.words if low < word.start < high]
    return all(word.small and word.text not in word_list("others") for word in inside)


def _between(text: ParsedText, one: Word, other: Word) -> tuple[str, ...]:
    low, high = sorted((one.start, other.start))
    inside = tuple(word.text for word in text.words if low < word.start < high)
    before = tuple(word.text for word in text.words if word.start < low and low - word.start < 20)
    return (*before[-2:], *inside) if "between" in before[-2:] else inside


def _opposed(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether one has the opposite of a comparing word of the other: above and below, larger and smaller."""
    here, there = poles_in(mine), poles_in(theirs)
    return any((axis, -sign) in there and (axis, sign) not in there for axis, sign in here)
