"""What must never differ between a sentence and its quotes, whoever vouches for the sentence.

Numbers with units, bounds and order, rates, months, ordinal numbers, names, links and hidden characters, compared by
plain code. Nothing here objects to other words, another order, voice or language: whether the quotes entail the
sentence is asked elsewhere.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import chain

from core.grounding.bounds import (
    find_altered_pairs,
    is_borne_out,
    read_bounds,
    read_complements,
    read_pairs,
    tells_exclusion,
)
from core.grounding.names import find_foreign_names, is_translated
from core.grounding.number_comparison import is_same_number
from core.grounding.numbers import (
    Number,
    extract_durations,
    extract_number_variants,
    extract_numbers,
    read_other_separators,
)
from core.grounding.units import canonical_unit
from core.text.normalisation import normalise

_LINK = re.compile(
    r"[a-z][a-z+.-]*://[^\s)\]>]+|\bwww\.[^\s)\]>]+|\bmailto:\S+|\b[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/[^\s)\]>]+"
    r"|\[[^\]]*\]\([^)]*\)|<[a-z/!@#][^>]*>|(?<![\w.])[@#][^\W\d_][\w.-]+",
    re.IGNORECASE,
)
_JOINERS = "\u200c\u200d\u00ad"
"""Invisible characters that some scripts, and words cut at a line end, are written with."""
_PLAIN_SYMBOLS = "°˚№℃℉"
_MONTHS = tuple(
    re.compile(rf"\b(?:{names})\b")
    for names in (
        "Jan(?:uary|uar)?|enero|janvier|janeiro|gennaio",
        "Feb(?:ruary|ruar)?|febrero|février|fevereiro|febbraio",
        "Mar(?:ch)?|März|marzo|mars|março",
        "Apr(?:il)?|abril|avril|aprile",
        "May|Mai|mayo|mai|maio|maggio",
        "June?|Juni|junio|juin|junho|giugno",
        "July?|Juli|julio|juillet|julho|luglio",
        "Aug(?:ust)?|agosto|août",
        "Sept?(?:ember)?|septiembre|septembre|setembro|settembre",
        "Oct(?:ober)?|Oktober|octubre|octobre|outubro|ottobre",
        "Nov(?:ember)?|noviembre|novembre|novembro",
        "Dec(?:ember)?|Dezember|diciembre|décembre|dezembro|dicembre",
    )
)
_TIME = r"(?:s(?:ec(?:ond)?)?|min(?:ute)?|h(?:our)?|d(?:ay)?|w(?:ee)?k|mo(?:nth)?|y(?:ea)?r|annum)\b"
_RATE = re.compile(
    rf"(?:\b(?:per|each|every)\s|\s?/\s?|(?:\d[\d.,]*|\b(?:once|twice|thrice|times))(?:\s[^\W\d]+)?\s(?:an?|one)\s)"
    rf"(?P<unit>{_TIME})"
    rf"|\b(?P<inverse>{_TIME})\s?(?:⁻¹|\^?\{{?[-−]1)"
    r"|\b(?P<adverb>hourly|daily|weekly|monthly|yearly|annual(?:ly)?)\b",
    re.IGNORECASE,
)
_OF_ADVERB = {"ho": "h", "da": "d", "we": "wk", "mo": "mo", "ye": "yr", "an": "yr"}
_WORD_VALUES: Mapping[str, Mapping[str, str]] = {
    "ordinal number": {
        name: rf"(?<!\d\s)(?<!per\s)(?<!a\s)\b(?:{name}|{digits})\b(?!-)"
        for name, digits in zip(
            "first second third fourth fifth sixth seventh eighth ninth tenth".split(),
            "1st 2nd 3rd 4th 5th 6th 7th 8th 9th 10th".split(),
            strict=True,
        )
    },
    "multiple": {
        "two": r"\b(?:doubl(?:ed?|es|ing)|twice|duplicate|two-?\s?fold|2-?\s?fold)\b",
        "three": r"\b(?:tripl(?:ed?|es|ing)|thrice|triplicate|three-?\s?fold|3-?\s?fold)\b",
        "four": r"\b(?:quadrupl(?:ed?|es|ing)|four-?\s?fold|4-?\s?fold)\b",
        "half": r"\bhalv(?:ed?|es|ing)\b",
    },
    "share": {
        "half": r"\bhalf\b",
        "a third": r"\b(?:an?|one)[\s-]third\b",
        "two thirds": r"\btwo[\s-]thirds\b",
        "a quarter": r"\b(?:an?|one)[\s-](?:quarter|fourth)\b",
        "three quarters": r"\bthree[\s-](?:quarters|fourths)\b",
        "a fifth": r"\b(?:(?:an?|one)[\s-]fifth|one in five)\b",
        "a tenth": r"\b(?:(?:an?|one)[\s-]tenth|one in ten)\b",
    },
}
"""Numbers that are words of their own. They may also stand for numbers that are worked out, or say nothing of amounts
("half-life"); so one is a difference only where the quote has another of its kind.
"""

_VALUES: tuple[tuple[str, str, Mapping[str, int]], ...] = (
    ("ordinal number", "", {name: value for value, name in enumerate(_WORD_VALUES["ordinal number"], start=1)}),
    ("multiple", "times", {"two": 2, "three": 3, "four": 4}),
    ("share", "%", {"half": 50, "a quarter": 25, "three quarters": 75, "a fifth": 20, "a tenth": 10}),
)


@dataclass(frozen=True)
class _Compared:
    sentence: str
    quotes: str
    known: str

    @cached_property
    def printed(self) -> tuple[Number, ...]:
        """The numbers of the quotes, in every way they can be read."""
        numbers = (
            extract_number_variants(self.quotes),
            extract_durations(self.quotes),
            _numbers_in_word_values(self.quotes),
        )
        return tuple(chain.from_iterable(numbers))

    @cached_property
    def translated(self) -> bool:
        """Whether the sentence is in another language than its quotes."""
        return is_translated(self.sentence, self.quotes)


def find_differences(sentence: str, quotes: Sequence[str], *, known: str = "") -> tuple[str, ...]:
    """What ``sentence`` has otherwise than ``quotes``, each as a reason in plain words; empty where nothing is.

    ``known`` is what a reader sees beside the quotes (title, section, label): names may be taken from it.
    """
    reasons = [f"character not in the quote: U+{ord(char):04X}" for char in find_odd_characters(sentence, quotes)]
    plain = _Compared(normalise(sentence), normalise(" \n\n".join(quotes)), normalise(known))
    reasons += [reason for check in _CHECKS for reason in check(plain)]
    return tuple(dict.fromkeys(reasons))


def find_odd_characters(sentence: str, quotes: Sequence[str]) -> list[str]:
    """Characters that hide, reorder or decorate, where the quotes do not have them."""
    return sorted({char for char in sentence if _is_odd(char)} - {char for quote in quotes for char in quote})


def _is_odd(char: str) -> bool:
    if char.isascii() or char in _JOINERS or char in _PLAIN_SYMBOLS:
        return False
    category = unicodedata.category(char)
    is_decorated_digit = category == "No" and unicodedata.normalize("NFKC", char) == char
    return is_decorated_digit or category in ("Cf", "Cc", "Co", "Cn", "Cs", "So")


def _links(texts: _Compared) -> Iterable[str]:
    quotes = texts.quotes.casefold()
    links = (match.group().rstrip(".,;:!?") for match in _LINK.finditer(texts.sentence))
    return (f"link or markup not in the quote: {link}" for link in links if link.casefold() not in quotes)


def _numbers(texts: _Compared) -> Iterable[str]:
    """Numbers that the quotes do not have, or have with another unit or bound."""
    for number in (*extract_numbers(texts.sentence), *extract_durations(texts.sentence)):
        readings = (number, *read_other_separators(texts.sentence, [number]))
        equal = [other for other in texts.printed if any(_is_same(texts, reading, other) for reading in readings)]
        if not equal:
            yield f"number not in the quote: {number.text}"
            continue
        said = read_bounds(texts.sentence, number)
        printed = {bound for other in equal for bound in read_bounds(texts.quotes, other)}
        if tells_exclusion(texts.sentence) != tells_exclusion(texts.quotes):
            printed |= read_complements(printed)
        unread = texts.translated and "" in said | printed
        if not unread and not is_borne_out(said, printed):
            yield f"the quote says {_spoken(printed)}, not {_spoken(said)}, of {number.text}"


def _is_same(texts: _Compared, number: Number, other: Number) -> bool:
    return is_same_number(number, other, texts.quotes)


def _spoken(bounds: Iterable[str]) -> str:
    return " or ".join(bound or "no bound" for bound in sorted(bounds))


def _pairs(texts: _Compared) -> Iterable[str]:
    said = read_pairs(texts.sentence, extract_numbers(texts.sentence))
    printed = read_pairs(texts.quotes, extract_numbers(texts.quotes))
    return (
        f"not in the quote as a {kind}: {first:f}, {last:f}" for kind, first, last in find_altered_pairs(said, printed)
    )


def _rates(texts: _Compared) -> Iterable[str]:
    if texts.translated:
        return ()
    foreign = _rates_of(texts.sentence) - _rates_of(texts.quotes)
    return (f"rate not in the quote: per {unit}" for unit in sorted(foreign))


def _rates_of(text: str) -> set[str]:
    return {
        _OF_ADVERB[match["adverb"][:2].lower()]
        if match["adverb"]
        else canonical_unit(match["unit"] or match["inverse"])
        for match in _RATE.finditer(text)
    }


def _months(texts: _Compared) -> Iterable[str]:
    for index, month in enumerate(_MONTHS, start=1):
        said = [match for match in month.finditer(texts.sentence) if match.start() or match.group() != "May"]
        if said and not month.search(texts.quotes) and not re.search(rf"\b0?{index}\b", texts.quotes):
            yield f"month not in the quote: {said[0].group()}"


def _word_values(texts: _Compared) -> Iterable[str]:
    for kind, patterns in _WORD_VALUES.items():
        said, printed = (
            {name for name, pattern in patterns.items() if re.search(pattern, text, re.IGNORECASE)}
            for text in (texts.sentence, texts.quotes)
        )
        if printed:
            yield from (f"{kind} not in the quote: {name}" for name in sorted(said - printed))


def _numbers_in_word_values(text: str) -> Iterator[Number]:
    """The numbers that ordinal numbers and shares in words stand for: trial 2 is the second, 50 % are half."""
    for kind, unit, values in _VALUES:
        for name, value in values.items():
            for match in re.finditer(_WORD_VALUES[kind][name], text, re.IGNORECASE):
                start, end = match.span()
                printed = match.group()
                yield Number(value=Decimal(value), unit=unit, noun="", text=printed, start=start, end=end, spelled=True)


def _names(texts: _Compared) -> Iterable[str]:
    sentence = texts.sentence
    for number in filter(lambda item: item.unit, extract_numbers(sentence)):  # "20 °Celsius" names nobody
        sentence = f"{sentence[: number.start]}{'0' * (number.end - number.start)}{sentence[number.end :]}"
    foreign = find_foreign_names(sentence, f"{texts.quotes} \n\n{texts.known}")
    is_month = re.compile("|".join(month.pattern for month in _MONTHS)).fullmatch
    return (f"name not in the quote: {name}" for name in foreign if not is_month(name))


_CHECKS: tuple[Callable[[_Compared], Iterable[str]], ...] = (
    _links,
    _numbers,
    _pairs,
    _rates,
    _months,
    _word_values,
    _names,
)
