"""What may stand for a word where the word itself must not be written down or passed on: a hash of it."""

from hashlib import blake2b

from core.text.tokens import index_tokens


def hash_word(word: str) -> int:
    """What stands for a token in the file: 64 bits, so that two words in a million libraries might meet."""
    return int.from_bytes(blake2b(word.encode("utf-8", "replace"), digest_size=8).digest(), "big", signed=True)


def word_hashes(text: str) -> set[int]:
    """The hashes of all tokens of ``text``."""
    return {hash_word(word) for word in set(index_tokens(text))}


def hash_words_as_text(text: str) -> set[str]:
    """The same as those are told of them who keep words outside the library's file."""
    return {hash_as_text(one) for one in word_hashes(text)}


def hash_as_text(hashed: int) -> str:
    """A hash as a mark, which is text."""
    return f"{hashed:x}"
