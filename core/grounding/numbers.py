"""Numbers as papers write them, read so that notations compare equal and nothing else does.

Whether two of them are the same is asked in ``number_comparison``.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from core.grounding.units import NO_LETTER_BEFORE, UNIT_PATTERN, canonical_unit
from core.text import detect_language
from core.text.normalisation import unify_punctuation

_MINUS = "[-\u2212]"
_NUMBER = re.compile(
    rf"""(?<![.,]){NO_LETTER_BEFORE}(?P<sign>(?<![\w)\]%]){_MINUS}\s?|(?<!\S){_MINUS}\s?|\b(?:minus|moins|menos|meno)\s)?
    (?P<money>(?:US|A|C)?\$|[€£¥])?\s?
    (?P<digits>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d{{1,3}}(?:[\u0020\u00a0\u2009\u202f']\d{{3}})+(?:\.\d+)?(?![\d.,]*\d)
             |\d{{1,3}}(?:\.\d{{3}}){{2,}}|\d+(?:[.,\u00b7]\d+)?|\.\d+)
    (?P<power>\s?[×x·*]\s?10\s?(?:\^\s?\{{?(?P<caret>[-+\u2212\u2013]?\d{{1,3}})\}}?|(?P<raised>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)
             |(?P<signed>[-\u2212\u2013]\s?\d{{1,2}})|(?P<glued>\d{{1,2}})(?!\d))
       |[eE](?P<exponent>[-+\u2212]?\d{{1,3}})(?!\w|\.\d) |\^\{{?(?P<own>[-+\u2212]?\d{{1,3}})\}}?
       |(?P<ownraised>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))?
    (?P<scale>\s?(?:million|billion|trillion|thousand|hundred|mio|millones|millions|milliards|Millionen|Milliarden|bn)\b
       |[kKMB](?![\w/])|万|亿|億)?
    (?P<unit>{UNIT_PATTERN})?""",
    re.VERBOSE,
)
_DEGREES = str.maketrans("˚º", "°°")
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_SCALES = {
    **dict.fromkeys(("k", "K", "thousand"), 3),
    **dict.fromkeys(("M", "million", "millions", "millones", "Millionen", "mio"), 6),
    **dict.fromkeys(("B", "bn", "billion", "milliards", "Milliarden"), 9),
    "trillion": 12,
    "hundred": 2,
    "万": 4,
    "亿": 8,
    "億": 8,
}
_SMALL = "zero one two three four five six seven eight nine ten eleven twelve"
_TEENS = "thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ENGLISH = {
    **{word: value for value, word in enumerate(f"{_SMALL} {_TEENS}".split())},
    **{word: 20 + 10 * index for index, word in enumerate(_TENS.split())},
}
_FROM_TWO = {
    "de": "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "es": "dos tres cuatro cinco seis siete ocho nueve diez once doce",
    "fr": "deux trois quatre cinq six sept huit neuf dix onze douze",
    "it": "due tre quattro cinque sei sette otto nove dieci undici dodici",
    "pt": "dois três quatro cinco seis sete oito nove dez onze doze",
}
_WORDS: Mapping[str, Mapping[str, int]] = {
    "en": _ENGLISH,
    **{name: {word: 2 + index for index, word in enumerate(words.split())} for name, words in _FROM_TWO.items()},
}


def _word_pattern(words: Mapping[str, int]) -> re.Pattern[str]:
    longest_first = sorted(words, key=len, reverse=True)
    return re.compile(
        rf"(?<![\w-])(?P<tens>(?:{'|'.join(_TENS.split())})(?=-))?-?(?P<word>{'|'.join(longest_first)})"
        rf"(?P<half>\sand\sa\shalf)?(?P<scale>\s(?:hundred|thousand|million|billion))?\b(?P<unit>{UNIT_PATTERN})?",
        re.IGNORECASE,
    )


_WORD_PATTERNS = {name: _word_pattern(words) for name, words in _WORDS.items()}
_DECIMAL_COMMA = frozenset(_FROM_TWO)
"""Languages in which 5.000 is five thousand and 1,234 may be less than two."""
_LOWERED_POWER = re.compile(r"[-−–](?P<exponent>\d{1,2})(?![\d.,]*\d)")
_MARKER = re.compile(r"\[\s?\d{1,3}(?:\s?[,;–-]\s?\d{1,3})*\s?\]")
_LISTED = re.compile(r"\s?(?:[-–−,/±]|to|and|or|bis|und|a|y|et|à)\s?(?:and|or)?\s?[-−+$€£]?\s?")
_YEAR = re.compile(r"\b(?:in|since|by|until|during|en|im|seit|depuis) (?:1[5-9]|20)\d\d$", re.IGNORECASE)
_DURATION = re.compile(
    r"\b(?:within|in|after|for|during|over|than|about)\s(?P<article>an?|one)\s(?P<unit>minute|hour|day|week|month|year)\b",
    re.IGNORECASE,
)
_NEXT_WORD = re.compile(r"[\s-]+([^\W\d_][\w-]*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number with what it counts. ``value`` has scale and exponent applied, not the percent sign.

    ``unit`` is canonical ("mg", "%", "h") or empty; ``noun`` is the word that follows where there is no unit;
    ``start`` and ``end`` are offsets of its digits in the text it was read from. ``spelled`` numbers were words.
    """

    value: Decimal
    unit: str
    noun: str
    text: str
    start: int
    end: int
    spelled: bool = False


def extract_numbers(text: str) -> tuple[Number, ...]:
    """The numbers of ``text`` in order. Digits inside names (H2O, GPT-4) and reference marks ([3]) are not numbers;
    "one" is not either, being a pronoun as often.
    """
    found = [*_numbers_in_digits(text), *(number for number in _numbers_in_words(text) if number.value != 1)]
    return _shared_units(text, sorted(found, key=lambda number: number.start))


def _shared_units(text: str, found: Sequence[Number]) -> tuple[Number, ...]:
    """In "3 to 5 mg" and "2, 4 and 8 weeks" the unit belongs to every number; in "in 2016, 58 %" it does not."""
    shared: list[Number] = []
    for number in reversed(found):
        after = shared[-1] if shared else None
        if after and after.unit and not number.unit and _shares_unit(text, number, after):
            number = replace(number, unit=after.unit, noun="")
        shared.append(number)
    return tuple(reversed(shared))


def _shares_unit(text: str, number: Number, after: Number) -> bool:
    return bool(_LISTED.fullmatch(text[number.end : after.start])) and not _YEAR.search(text[: number.end])


def extract_durations(text: str) -> tuple[Number, ...]:
    """The single units of time that ``text`` counts without a numeral: "within a week" is one week."""
    return tuple(
        Number(
            value=Decimal(1),
            unit=canonical_unit(match["unit"]),
            noun="",
            text=f"{match['article']} {match['unit']}",
            start=match.start("article"),
            end=match.end(),
        )
        for match in _DURATION.finditer(text)
    )


def extract_number_variants(text: str) -> tuple[Number, ...]:
    """All that the numbers of a printed text may be: raised digits may have come down beside a ten ("× 105"), and
    in most languages of Europe 5.000 is five thousand and 1,234 less than two.
    """
    found = sorted([*_numbers_in_digits(text), *_numbers_in_words(text)], key=lambda number: number.start)
    shared = _shared_units(text, found)
    return (*shared, *_glued_powers(text), *read_other_separators(text, shared))


def _numbers_in_digits(text: str) -> list[Number]:
    text = text.translate(_DEGREES)
    marks = {at for mark in _MARKER.finditer(text) for at in range(*mark.span())}
    found = []
    for match in _NUMBER.finditer(text):
        if match.start("digits") in marks or _is_inside_name(text, match):
            continue
        value = _parse_digits(match["digits"]) * Decimal(10) ** _exponent(match)
        end = match.end("unit") if match["unit"] else _end(match)
        unit = canonical_unit(match["unit"] or match["money"] or "")
        found.append(_number(text, match, value.copy_negate() if match["sign"] else value, unit, end))
    return found


def _number(text: str, match: re.Match[str], value: Decimal, unit: str, end: int) -> Number:
    noun = "" if unit else _noun(text, end)
    start = match.start("digits")
    return Number(value=value, unit=unit, noun=noun, text=match.group().strip(), start=start, end=end)


def _noun(text: str, end: int) -> str:
    follows = _NEXT_WORD.match(text, end)
    word = follows[1].lower() if follows else ""
    return "" if word in _NO_NOUN else word


_NO_NOUN_TEXT = """
to and or in on of for with by at from as than is are was were the a an per respectively vs versus while whereas when
if that which but between over under after before during using compared against out more less fewer higher lower
"""
_NO_NOUN = frozenset(_NO_NOUN_TEXT.split())


def _parse_digits(digits: str) -> Decimal:
    plain = re.sub(r"[\s']", "", digits)
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", plain) and not plain.startswith("0,"):
        plain = plain.replace(",", "")
    elif re.fullmatch(r"\d{1,3}(?:\.\d{3}){2,}", plain):
        plain = plain.replace(".", "")
    return Decimal(plain.replace(",", ".").replace("\u00b7", "."))


def _exponent(match: re.Match[str]) -> int:
    exponent = _SCALES[match["scale"].strip()] if match["scale"] else 0
    for name in ("caret", "raised", "signed", "exponent"):
        if match[name]:
            exponent += _signed(match[name])
    if match["own"] or match["ownraised"]:
        base = _parse_digits(match["digits"])
        if base == 10:
            exponent += _signed(match["own"] or match["ownraised"]) - 1
    return max(-400, min(400, exponent))


def _signed(exponent: str) -> int:
    return int(unify_punctuation(exponent.translate(_RAISED)).replace(" ", ""))


def _end(match: re.Match[str]) -> int:
    return match.end("scale") if match["scale"] else match.end("power") if match["power"] else match.end("digits")


def _is_inside_name(text: str, match: re.Match[str]) -> bool:
    """Whether the digits belong to a name such as GPT-4, COVID-19 or H2O."""
    start = match.start("digits")
    before = text[max(0, start - 2) : start]
    if re.match(r"(?:\.\d+){2,}", text[start:].lstrip("0123456789")):
        return True
    return len(before) == 2 and before[1] in "-\u2010\u2011\u2013_/" and before[0].isalpha()


def _numbers_in_words(text: str) -> list[Number]:
    language = detect_language(text)
    name = language if language in _WORDS else "en"
    found = []
    for match in _WORD_PATTERNS[name].finditer(text):
        value = _parse_word(match, _WORDS[name])
        if value is None:
            continue
        unit = canonical_unit(match["unit"] or "")
        start, end = match.span()
        noun = "" if unit else _noun(text, end)
        found.append(Number(value=value, unit=unit, noun=noun, text=match.group(), start=start, end=end, spelled=True))
    return found


def _parse_word(match: re.Match[str], words: Mapping[str, int]) -> Decimal | None:
    """The value of a number in words, or None where it begins as "twenty-" and does not go on as a number does."""
    value = words[match["word"].lower()]
    if match["tens"]:
        if not 1 <= value <= 9:
            return None
        value += words[match["tens"].lower()]
    exponent = _SCALES[match["scale"].strip().lower()] if match["scale"] else 0
    return (value + (Decimal("0.5") if match["half"] else Decimal(0))).scaleb(exponent)


def read_other_separators(text: str, found: Sequence[Number]) -> list[Number]:
    """The same digits as most of Europe reads them: a stop between thousands, a comma before decimals."""
    if detect_language(text) not in _DECIMAL_COMMA:
        return []
    others = []
    for number in found:
        if re.match(r"[1-9]\d{0,2}\.\d{3}(?![\d.])", text[number.start :]):
            others.append(replace(number, value=number.value * 1000))
        elif re.match(r"[1-9]\d{0,2},\d{3}(?![\d.,])", text[number.start :]):
            others.append(replace(number, value=number.value / 1000))
    return others


def _glued_powers(text: str) -> list[Number]:
    found = []
    for match in _NUMBER.finditer(text):
        if match["glued"]:
            value = _parse_digits(match["digits"]) * Decimal(10) ** int(match["glued"])
            end = match.end("unit") if match["unit"] else match.end("power")
            found.append(_number(text, match, value, canonical_unit(match["unit"] or ""), end))
        lowered = _LOWERED_POWER.match(text, match.end()) if match["digits"] == "10" else None
        if lowered:
            value = Decimal(1).scaleb(-int(lowered["exponent"]))
            found.append(_number(text, match, value, "", lowered.end()))
    return found
