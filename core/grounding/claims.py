"""A sentence taken apart as far as closed word lists allow: words, clauses, what is negated, which end of a scale."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from core.grounding.lexicon import CJK_NEGATORS, NEGATIVE_PREFIXES, poles, words_of
from core.text import STOP_WORDS, index_tokens, normalise

_WORD = re.compile(r"[^\W_]+(?:['.,][^\W_]+)*(?:%)?")
_BREAK = re.compile(r"[,;:.!?()\u2014]|\s-\s")
_BREAKING = frozenset(
    ["but", "while", "whereas", "although", "though", "however", "yet", "because", "unless", "if", "when", "since"]
)
_REACH = 6
"""How many words after a negation may belong to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A word of a claim. ``stem`` is its token in the index; ``negated`` says that a negation reaches it."""

    text: str
    printed: str
    stem: str
    clause: int
    negated: bool = False

    @property
    def small(self) -> bool:
        """Whether it carries no content of its own."""
        return self.text in STOP_WORDS or self.text in poles() or self.text in words_of("negators")

    @property
    def named(self) -> bool:
        """Whether it is written as a name: capitals after the first letter, or letters with digits."""
        printed = self.printed
        mixed = any(sign.isdigit() for sign in printed) and any(sign.isalpha() for sign in printed)
        return mixed or any(sign.isupper() for sign in printed[1:])


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A text as words in order. ``stems`` are those that carry content."""

    text: str
    words: tuple[Word, ...]
    stems: frozenset[str] = field(default_factory=frozenset)

    def clause(self, number: int) -> frozenset[str]:
        """Content stems of one clause."""
        return frozenset(word.stem for word in self.words if word.clause == number and not word.small)

    def near(self, at: int, reach: int = 6) -> frozenset[str]:
        """Content stems around a word, in its own clause or touching it."""
        around = self.words[max(0, at - reach) : at + reach + 1]
        return frozenset(word.stem for word in around if not word.small)


def claim(text: str) -> Claim:
    """Take a sentence or quote apart."""
    plain = normalise(text)
    words = _negations(list(_words(plain)))
    stems = set(index_tokens(plain)) - _small_stems(words)
    return Claim(text=plain, words=tuple(words), stems=frozenset(stems))


def _small_stems(words: Sequence[Word]) -> frozenset[str]:
    return frozenset(word.stem for word in words if word.small)


def _words(text: str) -> Iterable[Word]:
    clause, last = 0, 0
    for match in _WORD.finditer(text):
        lower = match.group().casefold().replace("’", "'")
        if _BREAK.search(text, last, match.start()) or lower in _BREAKING:
            clause += 1
        last = match.end()
        stems = index_tokens(lower)
        yield Word(text=lower, printed=match.group(), stem=stems[0] if stems else lower, clause=clause)


def _negations(words: list[Word]) -> list[Word]:
    marked = []
    for at, word in enumerate(words):
        before = words[max(0, at - _REACH) : at]
        reached = sum(one.text in words_of("negators") and one.clause == word.clause for one in before)
        marked.append(
            Word(text=word.text, printed=word.printed, stem=word.stem, clause=word.clause, negated=reached % 2 == 1)
        )
    return marked


def negations(one: Claim) -> int:
    """How many negations a claim holds, characters that negate in Chinese or Japanese among them."""
    spelled = sum(word.text in words_of("negators") for word in one.words)
    return spelled + sum(sign in CJK_NEGATORS for sign in one.text)


def unprefixed(word: str) -> str:
    """``word`` without a negating prefix ("insignificant" is "significant"), or an empty string."""
    for prefix in NEGATIVE_PREFIXES:
        rest = word.removeprefix(prefix).lstrip("-")
        if rest != word and len(rest) >= 4:
            return rest
    return ""
