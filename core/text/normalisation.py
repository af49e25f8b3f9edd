"""One way to look past how a page was typeset: the same words compare equal whatever the PDF made of them.

It stands alone because reading, search and grounding must agree on it to the letter.
"""

import re
import unicodedata
from functools import lru_cache

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_SINGLE = "\u2018\u2019\u201a\u201b\u2032\u02bc\u0060\u00b4"
_DOUBLE = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u3003"
_UNIFIED = {ord(c): "-" for c in _DASHES} | {ord(c): "'" for c in _SINGLE} | {ord(c): '"' for c in _DOUBLE}
_KEPT = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻₀₁₂₃₄₅₆₇₈₉₊₋"
"""Raised and lowered digits and signs stay: folded, 10⁵ would read 105."""
_FOLDABLE = re.compile(f"[^{_KEPT}]+")
_SOFT_HYPHEN = re.compile("\u00ad\\s*")
_INVISIBLE = re.compile(
    "[\u0000-\u0008\u000e-\u001b\u007f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]"
)
_HYPHENATED = re.compile(r"(?<=[^\W\d_])-[^\S\n]*\n\s*(?=[^\W\d_])")
_SPACE = re.compile(r"\s+")
_JAMO = re.compile("[\u1100-\u115f][\u1160-\u11a7]?[\u11a8-\u11ff]?")


def unify_degree_signs(text: str) -> str:
    """``text`` with the ring above that many files print for degrees as the degree sign; as long as before.

    Folded, the ring would be a space with a mark on it, and "35 ˚C" another quote than the same words read again.
    """
    return text.replace("\u02da", "\u00b0")


def normalise(text: str) -> str:
    """The words of ``text`` on one line: ligatures resolved, invisible marks gone, quotes and dashes unified.

    A word hyphenated at a line end is joined where it goes on in lower case ("seg-", "mentation"), and kept
    hyphenated where it does not ("Mc-", "Known"). Raised and lowered digits stay as they are. Idempotent.
    """
    text = unify_degree_signs(_INVISIBLE.sub("", _SOFT_HYPHEN.sub("", text)))
    text = _FOLDABLE.sub(lambda run: unicodedata.normalize("NFKC", run.group()), text)
    text = unify_punctuation(text)
    text = join_hyphenated(text)
    return _SPACE.sub(" ", text).strip()


def unify_punctuation(text: str) -> str:
    """``text`` with one sign for every dash and one for every kind of quotation mark."""
    return text.translate(_UNIFIED)


def join_hyphenated(text: str) -> str:
    """``text`` with words that were broken at a line end made whole; other line ends stay."""

    def joined(end: re.Match[str]) -> str:
        return "" if text[end.end()].islower() else "-"

    return _HYPHENATED.sub(joined, text)


def alphanumeric_key(text: str) -> str:
    """Letters and digits only, NFKC, case folded: the key under which quotes are looked up. Idempotent."""
    return alphanumeric_key_with_offsets(text)[0]


def alphanumeric_key_with_offsets(text: str) -> tuple[str, list[int]]:
    """``alphanumeric_key(text)`` and, for each of its characters, the offset in ``text`` that it came from."""
    if text.isascii():
        offsets = [at for at, char in enumerate(text) if char.isalnum()]
        return "".join([text[at] for at in offsets]).lower(), offsets
    characters: list[str] = []
    offsets = []
    for at, cluster in grapheme_clusters(text):
        folded = fold_grapheme(cluster)
        characters.append(folded)
        offsets.extend([at] * len(folded))
    return "".join(characters), offsets


@lru_cache(maxsize=8_192)
def fold_grapheme(cluster: str) -> str:
    """Letters and digits of one character with its marks, in the form that ``alphanumeric_key`` compares."""
    if len(cluster) == 1 and cluster.isascii():
        return cluster.lower() if cluster.isalnum() else ""
    folded = unicodedata.normalize("NFKC", cluster)
    folded = unicodedata.normalize("NFKC", folded.casefold())
    kept = ""
    for char in folded:
        if char.isalnum() or (kept and unicodedata.category(char)[0] == "M"):
            kept += char
    return kept


def grapheme_clusters(text: str) -> list[tuple[int, str]]:
    """Characters together with the marks that follow them, and where each begins."""
    found: list[tuple[int, str]] = []
    start, length = 0, len(text)
    while start < length:
        end = start + 1
        if "\u1100" <= text[start] <= "\u11ff":
            match = _JAMO.match(text, start)
            end = match.end() if match else end
        while end < length and text[end] >= "\u0300" and unicodedata.category(text[end])[0] == "M":
            end += 1
        found.append((start, text[start:end]))
        start = end
    return found


def replace_surrogates(text: str) -> str:
    """``text`` with a question mark for each half of a character, which no other program takes."""
    return text.encode("utf-8", "replace").decode("utf-8")
