"""A paper as the statements that can be quoted from it, each with the part of the paper in which it stands. Pure.

A sentence cut by a page or column end is put together again, so that what is quoted is whole. Tables, drawings,
references and what is set in another language than the paper (a second abstract) make no statements.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from core.assistant.aspects.section_zones import OPENING_PAGES, Zone, zone_named, zone_of
from core.assistant.aspects.standalone_sentences import leans, unled
from core.domain.model import Evidence, Metadata, Paper, Passage
from core.grounding.verify import DraftSentence
from core.text import alphanumeric_key, detect_language, index_tokens, is_publication_notice, sentence_spans

SHORTEST_WORDS = 5
LONGEST = 520
"""Characters; what is longer was not punctuated by the page, or is a list run together."""
_LETTERS = 0.6
"""Share of letters and spaces that prose has at least; formulas and runs of numbers have less."""
_OPENERS = '"“‘«([¿¡'
_SMALL_NAME = re.compile(r"^[a-z]{1,3}[A-Z0-9]")
_ENDS = re.compile(r"[.!?。！？][\"'”’»)\]\d,–-]*$")
_PART_HEAD = re.compile(
    r"^(?P<name>Background|Introduction|Context|Methods?|Materials and methods|Design|Setting|Results?|Findings"
    r"|Conclusions?|Interpretation|Discussion|Objectives?|Aims?|Purpose|Antecedentes|Introducción|Objetivos?|Métodos?"
    r"|Metodología|Materiales? y métodos|Resultados|Conclusi(?:ón|ones)|Introdução|Metodologia|Conclus(?:ão|ões)"
    r"|Contexte|Objectifs?|Méthodes?|Résultats|Hintergrund|Fragestellung|Ziel(?:setzung)?|Methoden?|Methodik"
    r"|Ergebnisse|Schlussfolgerung(?:en)?|Fazit|Introduzione|Obiettiv[oi]|Metod[oi]|Risultati|Conclusion[ei])"
    r"\s?[:.]\s+(?=[^\W_])|^[【\[(（]?(?P<short>背景|目的|目标|方法|结果|結果|结论|結論)\s?(?:[】\])）]\s?[:：]?|[:：])\s?",
    re.IGNORECASE,
)
"""The head of a part of an abstract, in the line of its first sentence."""
_AIM_HEAD = re.compile(r"(?:objecti|objeti|obietti|aim|purpose|ziel|fragestellung|目)", re.IGNORECASE)
_FOOTNOTE_SIGN = re.compile(r"^\d{1,2}(?=[A-Z][a-z])")
"""The number of a footnote, set before its first word."""
_NOTE = re.compile(r"^\s*[*∗†‡§¶#]")
"""How a footnote begins that stands between a sentence and its end."""
_ASIDE = re.compile(r"^\((?![a-z0-9]{1,4}\))[^()]*(?:\([^()]*\)[^()]*)*\)?[.!?]?\)?$", re.IGNORECASE)
"""A remark in brackets from end to end: it leans on the sentence before."""
_CODE = re.compile(r"^(?:R>|>>>|\$|In \[\d+\]:)\s|\s(?:<-|:=|==|->)\s|\w\(\)[;{]|^(?:import|def|library\()\s")
"""What a person types into a machine."""
_NUMBER = re.compile(r"(?<![\w.,])\d{2,4}(?![\w.,%])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One sentence (or list item, or caption) of a paper. ``share`` is how far into the paper it stands, 0 to 1;
    ``into`` how far into its zone. ``following`` is the passage in which it ends, where that is another. ``part`` is
    the part of the abstract that it belongs to, where that has parts with heads.
    """

    passage: Passage
    text: str
    zone: Zone
    place: int
    share: float = 0.0
    into: float = 0.0
    following: Passage | None = None
    tokens: frozenset[str] = frozenset()
    part: Zone | None = None
    leans: bool = False
    """Whether it speaks of something that the sentence before named."""

    @property
    def bare(self) -> str:
        """Its words without what says nothing elsewhere: the head of a part of the abstract ("Methods:"), the number
        of a footnote, words that tie it to the sentence before ("Moreover, …").
        """
        return unled(_FOOTNOTE_SIGN.sub("", _PART_HEAD.sub("", self.text)))

    def draft(self) -> DraftSentence:
        """The statement as something that wants to be said, in its own words."""
        return self.said_as(self.bare)

    def said_as(self, text: str) -> DraftSentence:
        """``text``, which is the statement or a part of it, as something that wants to be said."""
        return DraftSentence(text=text, sources=((self.passage.id, self.text),))


def statements_of(passages: Sequence[Passage], metadata: Metadata) -> tuple[Statement, ...]:
    """All statements of a paper in reading order; ``metadata`` tells its language and what its abstract is."""
    abstract, spoken = alphanumeric_key(metadata.abstract), metadata.language
    following = {one.id: one for one in passages}
    continued = {one.next_id for one in passages if one.next_id}
    found: list[Statement] = []
    for passage in passages:
        zone = zone_of(passage.section, passage.page)
        if passage.kind not in ("text", "list", "caption") or zone == "back" or _foreign(passage, spoken):
            continue
        found += _of(passage, zone, following.get(passage.next_id or ""), passage.id in continued)
    placed = [
        replace(one, place=place, share=place / len(found), zone=_opening(one, abstract))
        for place, one in enumerate(found)
    ]
    return tuple(_within_zones(_parted(placed)))


def evidence_of(statements: Iterable[Statement], paper: Paper) -> tuple[Evidence, ...]:
    """The passages of statements for the verifier, each once, with the passage in which its last sentence ends."""
    found: dict[str, Evidence] = {}
    for one in statements:
        context = (one.following,) if one.following else ()
        known = found.get(one.passage.id)
        if known is None or (context and not known.context):
            found[one.passage.id] = Evidence(passage=one.passage, paper=paper, score=0.0, context=context)
    return tuple(found.values())


def _opening(one: Statement, abstract: str) -> Zone:
    """What stands before the first heading is the abstract, as far as that is known, and an introduction; where no
    heading was found at all, only as far as introductions go."""
    if abstract and alphanumeric_key(one.text)[:60] in abstract and one.passage.page <= 2:
        return "abstract"
    if one.zone == "front":
        return "introduction" if one.passage.page <= OPENING_PAGES else "other"
    return one.zone


def _parted(placed: Sequence[Statement]) -> list[Statement]:
    """Each statement of an abstract with the part that the last head before it opened."""
    part: Zone | None = None
    result = []
    for one in placed:
        head = _PART_HEAD.match(one.text) if one.zone == "abstract" else None
        if one.zone != "abstract":
            part = None
        elif head is not None:
            name = head["name"] or head["short"]
            part = "introduction" if _AIM_HEAD.match(name) else zone_named(name)
        result.append(replace(one, part=part))
    return result


def _of(passage: Passage, zone: Zone, after: Passage | None, goes_on: bool) -> list[Statement]:
    spans = sentence_spans(passage.text)
    found = []
    for number, (start, end) in enumerate(spans):
        text, following = " ".join(passage.text[start:end].split()), None
        if number == 0 and goes_on:
            continue
        if number == len(spans) - 1 and after is not None and not _ENDS.search(text) and not _NOTE.match(after.text):
            text, following = _joined(text, after), after
        if _is_statement(text, passage):
            tokens = frozenset(index_tokens(text))
            one = Statement(passage=passage, text=text, zone=zone, place=0, following=following, tokens=tokens)
            found.append(replace(one, leans=leans(one.bare)))
    return found


def _joined(text: str, after: Passage) -> str:
    spans = sentence_spans(after.text)
    rest = " ".join(after.text[slice(*spans[0])].split()) if spans else ""
    if text.endswith("-") and rest[:1].islower():
        return text[:-1] + rest
    return f"{text}{rest}" if _is_wide(text[-1:]) else f"{text} {rest}".strip()


def _is_statement(text: str, passage: Passage) -> bool:
    letters = sum(sign.isalpha() or sign.isspace() for sign in text)
    wide = sum(map(_is_wide, text))
    if _ASIDE.match(text) or len(text) > LONGEST or letters < _LETTERS * len(text) or is_publication_notice(text):
        return False
    if _CODE.search(text) or _has_line_numbers(text):
        return False
    if wide >= 10:
        return True
    whole = bool(_ENDS.search(text)) or passage.kind != "text"
    opening = text.lstrip(_OPENERS)[:1]
    opens = opening.isalnum() and not opening.islower()
    return whole and len(text.split()) >= SHORTEST_WORDS and (opens or bool(_SMALL_NAME.match(text)))


def _has_line_numbers(text: str) -> bool:
    """Whether numbers of a manuscript's lines stand between its words: each is the one before and one more."""
    found = [(int(one[0]), one.start()) for one in _NUMBER.finditer(text)]
    return any(
        later == number + 1 and not 1900 <= number <= 2100 and 20 < at - before < 140
        for (number, before), (later, at) in pairwise(found)
    )


def _is_wide(sign: str) -> bool:
    """Whether a letter is of a writing that sets no spaces between words."""
    return "\u3040" <= sign <= "\u9fff" or "\uac00" <= sign <= "\ud7af"


def _foreign(passage: Passage, spoken: str) -> bool:
    read = detect_language(passage.text) if spoken and len(passage.text) > 80 else ""
    return bool(read) and read != spoken


def _within_zones(placed: Sequence[Statement]) -> list[Statement]:
    sizes: dict[Zone, int] = {}
    for one in placed:
        sizes[one.zone] = sizes.get(one.zone, 0) + 1
    seen: dict[Zone, int] = {}
    result = []
    for one in placed:
        seen[one.zone] = seen.get(one.zone, 0) + 1
        result.append(replace(one, into=(seen[one.zone] - 1) / max(1, sizes[one.zone] - 1)))
    return result
