"""Finds where a paper spells out an abbreviation that a question asks for; the full name shares no word with it.

Source: Schwartz and Hearst, "A Simple Algorithm for Identifying Abbreviation Definitions in Biomedical Text", 2003.
"""

import re
import unicodedata

_ASKS_FULL_NAME = re.compile(
    r"\b(?:stands? for|abbreviat\w+|acronym\w*|short for|spell(?:ed|s|t)? out|full (?:name|form)|meaning of"
    r"|what (?:does|do) .{1,40} mean|steht .{0,40} für|abkürzung|significan?|sigla|abreviatura|acrónimo"
    r"|sigle|abréviation|signifie)\b",
    re.IGNORECASE,
)
_SHORT_FORM = re.compile(r"(?<![\w-])(?=[\w-]*[A-Z][\w-]*[A-Z])[A-Za-z][\w-]{1,11}(?![\w-])")


def spelled_out(words: str, question: str) -> bool:
    """Whether ``words`` spell out the abbreviation that ``question`` asks for: "Long Form (LF)" or "LF (Long Form)".

    Letters are matched from the right, the first at the start of a word.
    """
    if not _ASKS_FULL_NAME.search(question):
        return False
    return any(_spells_out(words, short) for short in dict.fromkeys(_SHORT_FORM.findall(question)))


def _spells_out(words: str, short: str) -> bool:
    most = len(short) + 5
    for place in re.finditer(rf"[(\[]\s*{re.escape(short)}s?\s*[)\],;:]", words):
        before = words[: place.start()].split()[-most:]
        if _letters_fit(short, " ".join(before)):
            return True
    for place in re.finditer(rf"(?<![\w-]){re.escape(short)}\s*(?:[(\[]|stands for|is short for|=)\s*", words):
        behind = re.split(r"[)\].;]", words[place.end() :])[0].split()[:most]
        if len(behind) > 1 and _letters_fit(short, " ".join(behind)):
            return True
    return False


def _letters_fit(short: str, long: str) -> bool:
    letters = [letter for letter in _plain(short) if letter.isalnum()]
    text = _plain(long)
    at = len(text)
    for place in range(len(letters) - 1, -1, -1):
        at -= 1
        while at >= 0 and not (text[at] == letters[place] and (place or not text[at - 1 : at].isalnum())):
            at -= 1
        if at < 0:
            return False
    return True


def _plain(text: str) -> str:
    """Small letters without accents, which abbreviations drop."""
    parted = unicodedata.normalize("NFD", text.casefold())
    return "".join(letter for letter in parted if not unicodedata.combining(letter))
