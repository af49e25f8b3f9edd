"""Turns what a model writes, piece by piece, into plain sentences: complete ones only, without markup or marks."""

import re

from core.grounding.citations import strip_markers
from core.text import sentence_spans

_LINK = re.compile(r"!?\[([^\]]*)\]\((?:[^()\s]|\([^)]*\))*\)")
_POINTER = re.compile(r"\W*(?:link|here|source|ref(?:erence)?|pdf|paper|\d*)\W*", re.IGNORECASE)
_ADDRESS = re.compile(r"<?(?:https?://|www\.)\S+|<[@#!&][^>]*>|@(?:everyone|here|channel)\b", re.IGNORECASE)
_BULLET = re.compile(r"^\s*(?:[-*•–]|\(?\d{1,2}[.)])\s+(?=\S)")
_FENCE = re.compile(r"\[(?:passage|end) [0-9a-f]{8}\]")
"""The marks around passages, which small models copy with them."""
_HEADING = re.compile(r"^\s*#{1,6}\s+")
_EMPHASIS = re.compile(r"(\*\*|__|`|\*)(?=\S)(.+?)(?<=\S)\1")
_OPENING = re.compile(
    r"^(?:(?:sure|certainly|of course|okay|ok)[,!.:]\s*|(?:the )?answer(?: is)?:\s*|"
    r"(?:based on|according to) the (?:given |provided |above )?(?:passages?|sources?|context|text)[^,]{0,30},\s*)+",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[.!?。！？][\"'”’»)\]]*\s*$")


class Sentences:
    """Takes pieces and gives each sentence once it is complete."""

    def __init__(self) -> None:
        self._text = ""

    def more(self, piece: str) -> list[str]:
        """Sentences that are complete now; the last one waits for the words behind it."""
        self._text += piece
        done: list[str] = []
        while "\n" in self._text:
            line, _, self._text = self._text.partition("\n")
            done += _split(line)
        spans = sentence_spans(self._text)
        if len(spans) > 1:
            done += [self._text[start:end] for start, end in spans[:-1]]
            self._text = self._text[spans[-1][0] :]
        return _clean(done)

    def rest(self) -> list[str]:
        """What is left at the end of a whole reply."""
        done, self._text = _split(self._text), ""
        return _clean(done)

    def complete(self) -> list[str]:
        """What is left of a reply that broke off: only what ends like a sentence."""
        done, self._text = [one for one in _split(self._text) if _ENDS.search(one)], ""
        return _clean(done)


def plain(sentence: str) -> str:
    """One sentence without bullets, emphasis, links, mentions and set phrases; reference marks are the verifier's."""
    text = _HEADING.sub("", _BULLET.sub("", _FENCE.sub("", sentence)))
    text = _EMPHASIS.sub(r"\2", _LINK.sub(_label, text))
    text = _ADDRESS.sub("", text)
    text = _OPENING.sub("", text).strip()
    return text[:1].upper() + text[1:] if text != sentence.strip() else text


def _label(link: re.Match[str]) -> str:
    """The words of a link that are part of the sentence."""
    return "" if _POINTER.fullmatch(link.group(1)) else link.group(1)


def _split(line: str) -> list[str]:
    return [line[start:end] for start, end in sentence_spans(line)]


def _clean(found: list[str]) -> list[str]:
    cleaned = [plain(one) for one in found]
    return [one for one in cleaned if any(sign.isalpha() for sign in strip_markers(one))]
