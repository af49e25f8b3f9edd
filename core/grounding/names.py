"""Names in a sentence that its source does not have: of people, places, species, models, genes, codes, acronyms.

What is a name is read from its letters (capitals, digits), so it holds in any field.
"""

import re

from core.text import CJK, detect_language
from core.text.language import STOP_WORDS_OF

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_CODE = re.compile(r"(?<![\w-])(?<!\d\s)(?=[\w-]*\d)(?=[\w-]*[^\W\d_])[^\W\d_][\w]*(?:[-–/.][\w]+)*")
_LETTERS_OR_DIGITS = re.compile(r"[^\W\d_]+|\d+")
_OPENING = re.compile(r"(?:^|[.!?:;•]\s+|[.!?]?[\"“„«»(\[]\s?)$")
_CAPITAL_IN_WORD = re.compile(r"[^\W_][^\W_]*[A-Z]")
_WITH_SMALL = re.compile(r"[A-Z][a-z]+[A-Z]")
_LEAST_STEM = 4
_PLAIN_DIGITS = str.maketrans("₀₁₂₃₄₅₆₇₈₉⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789" * 2)
_WORDS_BEHIND = re.compile(r"(?:[-–/.][^\W\d]+)+$")
_WORDS_IN_FRONT = re.compile(r"^(?:[^\W\dA-Z]+[-–/.])+(?=.*\d)")
"""Words that a name with digits is compounded with: "anti-CD20", "O2-Sättigung"."""
_CAPITALISING = frozenset({"de"})
"""Languages that write every noun with a capital letter."""


def find_foreign_names(sentence: str, source: str) -> list[str]:
    """Names of ``sentence`` that ``source`` has in no spelling: neither written out nor as an acronym.

    Of a sentence in another language than its source only what is spelled alike everywhere is looked for: names with
    digits or with a capital inside.
    """
    translated = is_translated(sentence, source)
    sentence, source = (CJK.sub(" ", text.translate(_PLAIN_DIGITS)) for text in (sentence, source))
    codes = [match.group() for match in _CODE.finditer(sentence)]
    foreign = [code for code in codes if not _has_code(source, code)]
    known = _Words(source)
    rest = _CODE.sub(lambda match: "0" * len(match.group()), sentence)
    for match in _WORD.finditer(rest):
        word = match.group()
        name = _is_spelled_alike(word) if translated else _is_name(rest, match)
        is_initial = len(word) == 1 and rest[match.end() : match.end() + 1] == "."
        if name and not (known.begins(word) if is_initial else known.has(word)):
            foreign.append(word)
    return [name for name in foreign if not _is_spelled_out(name, sentence, source)]


def is_translated(sentence: str, source: str) -> bool:
    """Whether a sentence is in another language than its source, as far as small words tell."""
    language, other = detect_language(sentence), detect_language(source) or "en"
    if language:
        return language != other
    words = {word.lower() for word in _WORD.findall(sentence)}
    return len(words) > 1 and words.isdisjoint(STOP_WORDS_OF.get(other, words))


class _Words:
    """The words of a source, for looking names up."""

    def __init__(self, source: str) -> None:
        printed = _WORD.findall(source)
        self._exact = frozenset(printed)
        self._folded = frozenset(_bare(word) for word in printed)
        self._first_letters = frozenset(word[0] for word in printed)

    def begins(self, initial: str) -> bool:
        """Whether a word of the source begins with the letter ("E. coli", "Escherichia coli")."""
        return initial in self._first_letters

    def has(self, name: str) -> bool:
        """Whether a word of the source is the name, has it as its stem ("Kenya", "Kenyan"), or begins it ("Fig.")."""
        if len(name) == 1:
            return name in self._exact
        folded = _bare(name)
        if folded in self._folded:
            return True
        if _CAPITAL_IN_WORD.match(name):
            return False
        stem = folded[: max(_LEAST_STEM, len(folded) - 3)]
        return any(word.startswith(stem) or (len(word) > 2 and folded.startswith(word)) for word in self._folded)


def _bare(word: str) -> str:
    return re.sub(r"['’]?s$", "", word.casefold()) if len(word) > 3 else word.casefold()


def _is_name(text: str, match: re.Match[str]) -> bool:
    word = match.group()
    if not word[0].isalpha() or word == "I":
        return False
    if _CAPITAL_IN_WORD.match(word):
        return True
    if detect_language(text) in _CAPITALISING:
        return False
    return word[0].isupper() and not _OPENING.search(text[: match.start()])


def _is_spelled_alike(word: str) -> bool:
    return bool(_WITH_SMALL.match(word))


def _has_code(source: str, code: str) -> bool:
    """Whether a name with digits is in ``source``, whatever joins its letters and digits, alone or in a compound."""
    bare = _WORDS_BEHIND.sub("", code)
    return any(_is_printed(source, name) for name in (code, bare, _WORDS_IN_FRONT.sub("", bare)))


def _is_printed(source: str, code: str) -> bool:
    parts = [re.escape(part) for part in _LETTERS_OR_DIGITS.findall(code)]
    plural = "s?" if not code[-1].isdigit() else ""
    joined = r"[\W_]{0,2}".join(parts)
    pattern = rf"(?<![^\W_]){joined}{plural}(?![^\W_])"
    return re.search(pattern, source, re.IGNORECASE) is not None


def _is_spelled_out(name: str, sentence: str, source: str) -> bool:
    """Whether the source has a name's words for its letters ("WHO"), or the letters for the sentence's words."""
    letters = re.sub(r"[^\W\d_]?[a-z]$|[\W\d_]", "", name) if name[:2].isupper() else ""
    if len(letters) > 1 and letters.isupper():
        return letters.casefold() in _initials(source)
    acronyms = {word.casefold() for word in _WORD.findall(source) if len(word) > 1 and word.isupper()}
    return any(
        acronym in _initials(run)
        for run in re.findall(r"[A-Z][\w-]*(?:\s(?:of|the|and|for|de|la|du|der)?\s?[A-Z][\w-]*)+", sentence)
        if name in run
        for acronym in acronyms
    )


def _initials(text: str) -> str:
    """First letters of all words but small ones, in order."""
    words = re.findall(r"[^\W\d_]+", text)
    return "".join(word[0].casefold() for word in words if word.casefold() not in {"of", "the", "and", "for", "in"})
