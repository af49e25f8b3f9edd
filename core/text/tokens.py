"""The one tokeniser: whatever counts words counts the same ones; and hashes that stand for them.

A token never holds white space, so an index that splits on spaces can be given the tokens joined by them.
"""

import re
import threading
import unicodedata
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING

from core.text.language import STOP_WORDS_OF, detect_language
from core.text.normalisation import join_hyphenated

if TYPE_CHECKING:
    from snowballstemmer.basestemmer import BaseStemmer

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\U00020000-\U0002fa1f々〆"
_TOKEN = re.compile(
    rf"""(?P<cjk>[{_CJK}]+)
      | (?P<number>(?<![^\W_])(?:\d+(?:[.,]\d+)*|(?<!\d)\.\d+)(?![^\W_]|[-_]?[^\W\d_{_CJK}]))
      | (?P<word>[^\W{_CJK}]+(?:[-'\u2019\u02bc][^\W{_CJK}]+|\.(?=\d)\d+)*)""",
    re.VERBOSE,
)
_DASHES = re.compile("[\u2010-\u2015\u2212]")
_INVISIBLE = re.compile("\u00ad\\s*|[\u200b-\u200f\u2060\ufeff]")
_LONGEST_KEPT = 40
"""Longer pieces are text without spaces; no two of them are alike."""
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_DECIMAL_COMMA = re.compile(r"\d+,\d+")


def index_tokens(text: str) -> list[str]:
    """Tokens of ``text`` in order. A hyphenated word gives itself and its parts; Chinese, Japanese and Korean
    give every character and every pair of neighbours; English words are reduced to stems (Porter's second
    stemmer, "Snowball"); numbers lose the commas between thousands.
    """
    tokens: list[str] = []
    # No token spans white space, and most pieces between it have been seen before.
    for piece in fold_for_tokens(text).split():
        tokens += _tokens_in(piece) if len(piece) <= _LONGEST_KEPT else _tokens_within(piece)
    return tokens


def query_tokens(text: str) -> list[str]:
    """The same without the small words that questions are made of; never empty where ``text`` has a token."""
    words = _words(text)
    small = STOP_WORDS_OF["en"] | STOP_WORDS_OF.get(detect_language(text), frozenset())
    kept = [word for word in words if word not in small]
    return [token for word in kept or words for token in _tokens_of(word)]


def _words(text: str) -> list[str]:
    return [match.group() for match in _TOKEN.finditer(fold_for_tokens(text))]


def fold_for_tokens(text: str) -> str:
    """One spelling of dashes, letters and cases, words whole that a line end had cut."""
    if text.isascii():
        return (join_hyphenated(text) if "\n" in text else text).lower()
    text = _DASHES.sub("-", _INVISIBLE.sub("", text))
    return unicodedata.normalize("NFKC", join_hyphenated(text)).casefold()


@lru_cache(maxsize=131_072)
def _tokens_in(piece: str) -> tuple[str, ...]:
    return _tokens_within(piece)


def _tokens_within(piece: str) -> tuple[str, ...]:
    return tuple(token for match in _TOKEN.finditer(piece) for token in _tokens_of(match.group()))


@lru_cache(maxsize=131_072)
def _tokens_of(word: str) -> tuple[str, ...]:
    if re.match(f"[{_CJK}]", word):
        return (*word, *(word[at : at + 2] for at in range(len(word) - 1)))
    if word[0].isdigit() or word[0] == ".":
        number = _number(word)
        if number:
            return (number,)
    parts = [part for piece in _without_apostrophes(_fold(word)) for part in re.split(r"[-_]+", piece) if part]
    stems = tuple(_stem(part) for part in parts)
    if len(stems) > 1 and re.search(r"[-_]", word):
        return ("-".join(stems), *stems)
    return stems


def _number(word: str) -> str:
    if _THOUSANDS.fullmatch(word):
        return word.replace(",", "")
    if _DECIMAL_COMMA.fullmatch(word):
        return word.replace(",", ".")
    if not re.fullmatch(r"[\d.,]+", word):
        return ""
    return "0" + word if word[0] == "." else word


def _fold(word: str) -> str:
    """Accents off Latin and Greek letters; elsewhere a mark may make another letter."""
    if word.isascii():
        return word
    folded = []
    for char in word:
        plain = unicodedata.normalize("NFD", char)
        folded.append(plain[0] if len(plain) > 1 and (plain[0].isascii() or "α" <= plain[0] <= "ω") else char)
    return "".join(folded)


def _without_apostrophes(word: str) -> list[str]:
    """ "alzheimer's" is alzheimer, "don't" is dont, "l'analyse" is l and analyse."""
    pieces = re.split("['\u2019\u02bc]", word)
    if len(pieces) == 2 and pieces[1] == "s":
        return pieces[:1]
    if len(pieces) == 2 and pieces[1] == "t" and pieces[0].endswith("n"):
        return ["".join(pieces)]
    return [piece for piece in pieces if piece]


def _stem(part: str) -> str:
    if len(part) < 3 or not (part.isascii() and part.isalpha()):
        return part
    stemmed: str = _stemmer().stemWord(part)
    return stemmed or part


_OF_THREAD = threading.local()


def _stemmer() -> "BaseStemmer":
    """This thread's own: a stemmer keeps the word it works on in itself, and questions are read in threads."""
    stemmer: BaseStemmer | None = getattr(_OF_THREAD, "stemmer", None)
    if stemmer is None:
        import snowballstemmer

        stemmer = _OF_THREAD.stemmer = snowballstemmer.stemmer("english")
    return stemmer


def hash_word(word: str) -> int:
    """A 64-bit hash that stands for a token where the word itself must not be written down or passed on."""
    return int.from_bytes(blake2b(word.encode("utf-8", "replace"), digest_size=8).digest(), "big", signed=True)


def hash_words(text: str) -> set[int]:
    """The hashes of all tokens of ``text``."""
    return {hash_word(word) for word in set(index_tokens(text))}


def hash_words_as_text(text: str) -> set[str]:
    """The hashes of all tokens of ``text`` as hexadecimal text."""
    return {hash_as_text(hashed) for hashed in hash_words(text)}


def hash_as_text(hashed: int) -> str:
    """A hash in hexadecimal digits."""
    return f"{hashed:x}"
