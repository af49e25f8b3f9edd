"""What the words of a heading tell: its number, whether papers usually have it, whether it can be one at all."""

import re
from dataclasses import dataclass

from core.reading.paper.section_names import COMMON_SECTION, OPENING_SECTION, REFERENCES_SECTION

_NUMBERED = re.compile(
    r"^\s*(?P<word>(?:appendix|supplement|annex|anhang|annexe|anexo|apéndice|apêndice|appendice)\s+)?"
    r"(?:section\s+|§\s*)?"
    r"(?P<number>(?:\d{1,2}|[A-Z]|[IVX]{1,5})(?:\.\d{1,2}){0,4})(?P<end>\s*[.):|—–-]?)\s+(?P<rest>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_LONE = re.compile(
    r"^\s*(?:appendix|anhang|annexe|anexo|apéndice|appendice)\s+(?P<number>[A-Z]|\d{1,2})\W*$", re.IGNORECASE
)
_ADDRESS = re.compile(r"https?:|www\.|doi\b|@\S+\.|\b10\.\d{4,}/", re.IGNORECASE)
_CODE = re.compile(r"<-|[{}\\$]|;\s*$|\w\(\S*\)|==|::|\w_\w|->|^[>#%]")
_FORMULA = re.compile(r"[=∑∫≤≥∈∂√±×→∞≈]")
_STATEMENT = re.compile(
    r"^(?:theorem|lemma|definition|proof|example|proposition|corollary|remark|claim|assumption|algorithm|step|note"
    r"|beispiel|satz|beweis|teorema|ejemplo|demostración)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadingNumber:
    """A heading's number: its parts ("4", "3", "1"), whether it stands after a word as "Appendix", the words behind."""

    parts: tuple[str, ...]
    worded: bool
    closed: bool
    rest: str

    @property
    def letter(self) -> bool:
        """Whether it opens with a letter that is no Arabic number."""
        return not self.parts[0].isdecimal()


def parse_heading_number(text: str) -> HeadingNumber | None:
    """The number that a heading opens with, or None; "A new method" gives one too: see the outline for that."""
    found = _NUMBERED.match(text)
    if found is None:
        lone = _LONE.match(text)
        return HeadingNumber(parts=(lone["number"].upper(),), worded=True, closed=True, rest="") if lone else None
    first = found["number"].split(".")[0]
    if not found["word"] and (first != first.upper() or first == "0"):
        return None
    return HeadingNumber(
        parts=tuple(found["number"].upper().split(".")),
        worded=bool(found["word"]),
        closed=bool(found["end"].strip()),
        rest=found["rest"],
    )


def strip_heading_number(text: str) -> str:
    """A heading without its number."""
    number = parse_heading_number(text)
    return number.rest if number is not None and number.rest else text


def is_opening_heading(text: str) -> bool:
    """Whether a paper's text may begin under this heading: all that precedes it is title and authors."""
    return OPENING_SECTION.match(text) is not None or OPENING_SECTION.match(strip_heading_number(text)) is not None


def is_common_heading(text: str) -> bool:
    """Whether it is a section that papers usually have, in one of the languages that papers are mostly in."""
    return COMMON_SECTION.match(text) is not None or COMMON_SECTION.match(strip_heading_number(text)) is not None


def is_references_heading(text: str) -> bool:
    """Whether a heading opens the reference list."""
    return (
        REFERENCES_SECTION.match(text) is not None or REFERENCES_SECTION.match(strip_heading_number(text)) is not None
    )


def is_theorem_heading(text: str) -> bool:
    """Whether it names a theorem, a proof or the like, which are set like headings and are none."""
    return _STATEMENT.match(text) is not None


def is_possible_heading(text: str) -> bool:
    """Whether words like these can be a heading, however they are set."""
    text = text.strip()
    number = parse_heading_number(text)
    words = number.rest if number is not None and number.rest else text
    letters = sum(c.isalpha() for c in words)
    ideographs = sum("\u2e80" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7af" for c in words)
    fewest, share = (1, 0.3) if number is not None and not number.letter else (2 if ideographs else 3, 0.55)
    if letters < fewest or letters < share * len(words.replace(" ", "")):
        return False
    if len(text) > 200 or len(words.split()) > 28 or _ADDRESS.search(text):
        return False
    if number is not None and not number.letter:
        return not words[0].islower() or len(number.parts) > 1
    if words[0].islower() or text[-1] in ",;:" or _CODE.search(text) or _FORMULA.search(text):
        return False
    return not (text.endswith(".") and (len(words.split()) > 16 or ": " in words))
