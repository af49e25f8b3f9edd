"""A text taken apart as far as closed word lists allow: words, clauses, what is negated, which end of a scale.

Agreement is judged on these parts. They are small values without any model behind them.
"""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby

from core.grounding.entailment.lexicon import CJK_NEGATORS, NEGATIVE_PREFIXES, antonym_poles, synonym_stems, word_list
from core.grounding.numbers import extract_number_variants, extract_numbers, is_same_number
from core.text import CJK, STOP_WORDS, index_tokens, normalise, sentence_spans

_WORD = re.compile(r"[^\W_]+(?:['.,][^\W_]+)*")
_RUNS = re.compile(f"{CJK.pattern}+|[^{CJK.pattern[1:]}+")
_BREAK = re.compile(r"[,;:!?()\u2014，。；：、！？（）]|\s-\s|\.\s")
_BREAKING_TEXT = """
but while whereas although though however yet because unless if when since
"""
_BREAKING = frozenset(_BREAKING_TEXT.split())
_REACH = 6
"""How many words after a negation may belong to it."""
_SHORT_REACH = 2
"""The same for those that stand before a noun."""
_BEFORE_NOUNS_TEXT = """
no without lack lacks lacked lacking sans sin ohne senza sem kein keine
"""
_BEFORE_NOUNS = frozenset(_BEFORE_NOUNS_TEXT.split())
MAX_OPENING_WORDS = 3
"""Content words of an opening that belongs to the clause behind it."""
MIN_SOURCE_COVERAGE = 0.8
"""The share of a claim's words that makes a single sentence its source."""
_PROOF = frozenset(["evidence", "indication", "indications", "sign", "signs", "proof", "support", "reason"])
"""Where these are denied, what they would be for is denied with them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A word as printed and in lower case, where it stands, and whether a negation reaches it.

    ``key`` is what words are compared by: the stem, one stem for common synonyms, for a word with an opposite its
    scale and end, for a number its value and unit. ``opens`` says that it is the first of its clause.
    """

    text: str
    printed: str
    start: int
    stem: str
    key: str
    sentence: int
    clause: int
    opens: bool = False
    negated: bool = False

    @property
    def small(self) -> bool:
        """Whether it carries no content of its own; the A of "group A" does."""
        label = len(self.text) == 1 and self.printed.isupper() and not self.opens
        return (self.text in STOP_WORDS and not label) or self.text in word_list("negators")

    @property
    def number(self) -> bool:
        """Whether it is a number, in digits or spelled, with its unit."""
        return self.key[0] == "#"

    @property
    def named(self) -> bool:
        """Whether it is written as a name: capitals after the first letter, or letters with digits."""
        mixed = any(sign.isdigit() for sign in self.printed) and any(sign.isalpha() for sign in self.printed)
        return mixed or any(sign.isupper() for sign in self.printed[1:])


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedText:
    """A text as words in order, those among them that carry content, the keys of these, and the tokens of its index."""

    text: str
    words: tuple[Word, ...]
    content: tuple[Word, ...]
    keys: frozenset[str]
    tokens: frozenset[str]

    def holds(self, word: Word) -> bool:
        """Whether this text has the word, or another form or common synonym of it."""
        return word.key in self.keys or (word.stem in self.tokens and not word.number)

    def clauses(self) -> Iterator[tuple[Word, ...]]:
        """Content words clause by clause; none is empty."""
        for _, words in groupby(self.content, key=lambda word: word.clause):
            yield tuple(words)


@lru_cache(maxsize=4_096)
def parse_text(text: str) -> ParsedText:
    """Take a sentence or quote apart."""
    plain = normalise(text)
    words = tuple(_mark_negated(_attach_openings(list(_words(plain)))))
    content = tuple(word for word in words if not word.small)
    keys = frozenset(word.key for word in content)
    return ParsedText(text=plain, words=words, content=content, keys=keys, tokens=frozenset(index_tokens(plain)))


def _words(text: str) -> Iterator[Word]:
    clause, last, sentence = 0, 0, 0
    ends = [end for _, end in sentence_spans(text)]
    numbers = extract_numbers(text)
    for start, printed in _split_words(text):
        number = next((one for one in numbers if one.start <= start < one.end), None)
        if number and start > number.start:
            continue
        before = sentence
        while sentence < len(ends) - 1 and start >= ends[sentence]:
            sentence += 1
        lower = printed.casefold()
        opens = not last or sentence > before or bool(_BREAK.search(text, last, start))
        if last and (opens or lower in _BREAKING):
            clause += 1
        last = number.end if number else start + len(printed)
        tokens = index_tokens(lower) or [lower]
        stem = tokens[-1] if CJK.match(lower) else tokens[0]
        key = f"#{number.value.normalize():f}{number.unit}" if number else _key(lower, stem)
        yield Word(
            text=lower, printed=printed, start=start, stem=stem, key=key, sentence=sentence, clause=clause, opens=opens
        )


def _split_words(text: str) -> Iterator[tuple[int, str]]:
    """Words and where they start; pairs of characters where the script writes no spaces. The C of °C is a unit."""
    for match in _WORD.finditer(text):
        start = match.start()
        if text[start - 1 : start] == "°":
            continue
        for run in _RUNS.finditer(match.group().removesuffix("'s")):
            if CJK.match(run.group()) and len(run.group()) > 1:
                yield from ((start + run.start() + at, run.group()[at : at + 2]) for at in range(len(run.group()) - 1))
            else:
                yield start + run.start(), run.group()


def _key(lower: str, stem: str) -> str:
    ends = antonym_poles().get(lower)
    if ends:
        axis, sign = ends[0]
        return f"{axis}{'+' if sign > 0 else '-'}"
    return synonym_stems().get(stem, stem)


def _attach_openings(words: Sequence[Word]) -> list[Word]:
    """The words, those of a short opening counted with the clause behind it: "in 2016, …", "among women over 60, …"
    belong to what they are said of.
    """
    moved = dict[int, int]()
    for at in opening_prepositions(words):
        word = words[at]
        rest = [other for other in words[at:] if other.sentence == word.sentence]
        here = [other for other in rest if other.clause == word.clause and not other.small]
        after = next((other.clause for other in rest if other.clause > word.clause), word.clause)
        if len(here) <= MAX_OPENING_WORDS:
            moved[word.clause] = after
    return [replace(word, clause=moved.get(word.clause, word.clause)) for word in words]


def opening_prepositions(words: Sequence[Word]) -> Iterator[int]:
    """Where a preposition opens a sentence."""
    for at, word in enumerate(words):
        if (at == 0 or words[at - 1].sentence < word.sentence) and word.text in word_list("prepositions"):
            yield at


def _mark_negated(words: Sequence[Word]) -> Iterator[Word]:
    for at, word in enumerate(words):
        reached = 0
        for back, before in enumerate(reversed(words[max(0, at - _REACH) : at]), 1):
            short = before.text in _BEFORE_NOUNS and words[at - back + 1].text not in _PROOF
            reach = _SHORT_REACH if short else _REACH
            reached += before.text in word_list("negators") and before.clause == word.clause and back <= reach
        yield replace(word, negated=reached % 2 == 1)


def count_negations(one: ParsedText) -> int:
    """How many negations a text holds, characters that negate in Chinese or Japanese among them."""
    spelled = sum(word.text in word_list("negators") for word in one.words)
    return spelled + sum(sign in CJK_NEGATORS for sign in one.text)


def negated_keys(one: ParsedText) -> frozenset[str]:
    """Keys of the content words that directly follow a negation."""
    found = set()
    for at, word in enumerate(one.words):
        if word.text in word_list("negators"):
            after = next((other for other in one.words[at + 1 : at + 6] if not other.small), None)
            if after and after.clause == word.clause:
                found.add(after.key)
    return frozenset(found)


def strip_negative_prefix(word: str) -> str:
    """``word`` without a negating prefix ("insignificant" is "significant"), or an empty string."""
    for prefix in NEGATIVE_PREFIXES:
        rest = word.removeprefix(prefix).lstrip("-")
        if rest != word and len(rest) >= 4:
            return rest
    return ""


def select_source_sentences(said: ParsedText, sentences: Sequence[str]) -> list[str]:
    """Where the claim comes from: the one of ``sentences`` that holds nearly all of its words, else the fewest that
    together hold as many as all do, in their own order.
    """
    claims = [parse_text(sentence) for sentence in sentences]
    wanted = set(said.keys)
    words = {key for key in wanted if key[0] != "#"}
    if not any(words & one.keys for one in claims):
        return _with_same_numbers(said, sentences)
    left, chosen = set(wanted), set[int]()
    while left:
        gains = [
            (len(left & one.keys), len(wanted & one.keys), len(_scales(wanted - one.keys) & _scales(one.keys)))
            if at not in chosen and words & one.keys
            else (0, 0, 0)
            for at, one in enumerate(claims)
        ]
        best = max(range(len(claims)), key=lambda at: gains[at])
        if not gains[best][0]:
            break
        chosen.add(best)
        left -= claims[best].keys
        if len(wanted) - len(left) >= MIN_SOURCE_COVERAGE * len(wanted) and len(chosen) == 1:
            break
    return [sentences[at] for at in sorted(chosen)]


def _scales(keys: Set[str]) -> set[str]:
    """The scales on which words stand, whichever their end: the source of "fainter" may have "brighter"."""
    return {key[:-1] for key in keys if key[-1:] in "+-"}


def _with_same_numbers(said: ParsedText, sentences: Sequence[str]) -> list[str]:
    """For an answer that is a bare number: the sentences that have it."""
    wanted = extract_numbers(said.text)
    return [
        one
        for one in sentences
        if any(is_same_number(number, other, one) for number in wanted for other in extract_number_variants(one))
    ]


def closest_clause(words: Sequence[Word], quoted: ParsedText) -> tuple[Word, ...]:
    """The clause of the quotes that holds most of ``words``; of several, the one that holds least besides."""
    keys = {word.key for word in words}
    best: tuple[Word, ...] = ()
    score = (0.0, 0.0)
    for clause in quoted.clauses():
        held = len(keys & {word.key for word in clause})
        if (held, held / len(clause)) > score:
            best, score = clause, (held, held / len(clause))
    return best


def source_sentence_words(said: ParsedText, quoted: ParsedText) -> tuple[Word, ...]:
    """Content words of the sentence of the quotes that holds most of the claim."""
    best: tuple[Word, ...] = ()
    for number in range(quoted.words[-1].sentence + 1 if quoted.words else 0):
        words = tuple(word for word in quoted.content if word.sentence == number)
        if len({word.key for word in words} & said.keys) > len({word.key for word in best} & said.keys):
            best = words
    return best


def merge_short_clauses(said: ParsedText, least: int = 3) -> list[tuple[Word, ...]]:
    """The claim's clauses, those of fewer than ``least`` content words taken together with a neighbour."""
    merged: list[tuple[Word, ...]] = []
    for clause in said.clauses():
        if merged and (len(merged[-1]) < least or len(clause) < least):
            merged[-1] = (*merged[-1], *clause)
        else:
            merged.append(clause)
    return merged
