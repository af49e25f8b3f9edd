"""Reads claims out of a reply while it is written, however it is dressed.

Asked for is one JSON object with a list of claims, one a line. Small models write the claims bare, in a list of their
own, with a quotation mark too many, or leave out a bracket; so each innermost object that has a sentence is a claim.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

_KEY = re.compile(r'"(passages?|quotes?|sentence|computation|missing)"\s*:\s*', re.IGNORECASE)
_BETWEEN_STRINGS = re.compile(r'"\s*,\s*"')
_WHOLE = re.compile(r"\d{1,4}")
_NUMBERED = re.compile(r"^\s*\[(?:passage )?(\d{1,4})\]\s*", re.IGNORECASE)
MOST_QUOTES = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamedClaim:
    """A sentence with its quotes, each with the number of its passage, 0 where that is not known."""

    sentence: str
    quotes: tuple[tuple[int, str], ...] = ()
    computation: str = ""


class ClaimStream:
    """Takes pieces of a reply and gives each claim once it is complete; ``missing`` is known at the end."""

    def __init__(self) -> None:
        self._text = ""
        self._at = 0
        self._starts: list[int] = []
        self._in_string = False
        self.missing: tuple[str, ...] = ()
        self.anything = False
        """Whether the reply had an object of the form that was asked for."""

    def more(self, piece: str) -> list[StreamedClaim]:
        """Claims that are complete now."""
        self._text += piece
        complete: list[StreamedClaim] = []
        while self._at < len(self._text):
            char = self._text[self._at]
            if char == "\\" and self._in_string:
                if self._at + 1 == len(self._text):
                    break  # what is escaped comes with the next piece
                self._at += 1
            elif char in _STEPS:
                closed = self._step(char)
                complete += self._read(closed) if closed else []
            self._at += 1
        return complete

    def _step(self, char: str) -> str:
        """Follow a mark; returns the object that it closes. A line end closes a string that a mark too many opened."""
        if char == "\n":
            self._in_string = False
        elif char == '"':
            self._in_string = not self._in_string
        elif self._in_string:
            return ""
        elif char == "{":
            self._starts.append(self._at)
        elif self._starts:
            return self._text[self._starts.pop() : self._at + 1]
        return ""

    def _read(self, text: str) -> list[StreamedClaim]:
        fields = _fields(text)
        if "claims" in fields or "missing" in fields:
            self.anything = True
            self.missing = tuple(_strings(fields.get("missing")))
        if "sentence" not in fields:
            return []
        self.anything = True
        return [_claim(fields)]


_STEPS = frozenset('{}"\n')


def _fields(text: str) -> Mapping[str, object]:
    """The properties of an object, by name in small letters; of one that is no JSON those that can be made out."""
    try:
        value = json.loads(text, strict=False)
    except ValueError:
        return _loose_fields(text)
    return {str(name).casefold(): part for name, part in value.items()}


def _loose_fields(text: str) -> Mapping[str, object]:
    """What stands behind each known name, up to the next; of a text that holds several objects nothing."""
    matches = list(_KEY.finditer(text))
    names = [match[1].casefold() for match in matches]
    if len(set(names)) < len(names):
        return {}
    ends = [match.start() for match in matches[1:]] + [len(text)]
    return {
        name: text[match.end() : end].rstrip(" ,}\n") for name, match, end in zip(names, matches, ends, strict=True)
    }


def _claim(fields: Mapping[str, object]) -> StreamedClaim:
    quotes = _strings(fields.get("quotes", fields.get("quote")))[:MOST_QUOTES]
    numbers = _numbers(fields.get("passages", fields.get("passage")))
    if len(numbers) == 1:
        numbers = numbers * len(quotes)
    padded = [*numbers, *[0] * len(quotes)]
    numbered = tuple(_own_number(quote, number) for quote, number in zip(quotes, padded, strict=False))
    return StreamedClaim(
        sentence=next(iter(_strings(fields["sentence"])), ""),
        quotes=numbered,
        computation=next(iter(_strings(fields.get("computation"))), ""),
    )


def _own_number(quote: str, number: int) -> tuple[int, str]:
    """A quote and its passage, where the number stands before the quote without that."""
    match = _NUMBERED.match(quote)
    return (number or int(match[1]), quote[match.end() :]) if match else (number, quote)


def _strings(value: object) -> list[str]:
    """The texts of a value: one, a list of them, or objects that hold one each."""
    match value:
        case None:
            return []
        case str():
            bare = value.strip().removeprefix("[").removesuffix("]").strip() if value[:1] in '["' else value
            texts = [part.strip('", \n') for part in _BETWEEN_STRINGS.split(bare)]
            return [text for text in texts if text]
        case Mapping():
            return [max((part for part in value.values() if isinstance(part, str)), key=len, default="")]
        case list():
            parts = cast(Sequence[object], value)
            return [text for part in parts for text in ([part] if isinstance(part, str) else _strings(part)) if text]
        case _:
            return [str(value)]


def _numbers(value: object) -> list[int]:
    return [int(found) for found in _WHOLE.findall(json.dumps(value))] if value is not None else []
