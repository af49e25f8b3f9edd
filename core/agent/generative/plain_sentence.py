"""A sentence of a model without markup, links, mentions and characters that are not seen."""

import re
import unicodedata

_LINK = re.compile(r"!?\[([^\]]*)\]\((?:[^()\s]|\([^)]*\))*\)")
_POINTER = re.compile(r"\W*(?:link|here|source|ref(?:erence)?|pdf|paper|\d*)\W*", re.IGNORECASE)
_ADDRESS = re.compile(r"<?(?:https?://|www\.)\S+|<[@#!&][^>]*>|@(?:everyone|here|channel)\b", re.IGNORECASE)
_BULLET = re.compile(r"^\s*(?:[-*•–]|\(?\d{1,2}[.)])\s+(?=\S)")
_HEADING = re.compile(r"^\s*#{1,6}\s+")
_EMPHASIS = re.compile(r"(\*\*|__|`|\*)(?=\S)(.+?)(?<=\S)\1")


def plain(sentence: str) -> str:
    """One sentence on one line without bullets, emphasis, links and mentions; reference marks are the verifier's."""
    visible = "".join(char for char in sentence if unicodedata.category(char) != "Cf")
    text = _HEADING.sub("", _BULLET.sub("", " ".join(visible.split())))
    text = _EMPHASIS.sub(r"\2", _LINK.sub(_label, text))
    text = _ADDRESS.sub("", text).strip()
    return text[:1].upper() + text[1:] if text != sentence.strip() else text


def _label(link: re.Match[str]) -> str:
    """The words of a link that are part of the sentence."""
    return "" if _POINTER.fullmatch(link.group(1)) else link.group(1)
