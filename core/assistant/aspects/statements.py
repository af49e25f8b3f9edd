"""A paper as the statements that can be quoted from it, each with the part of the paper in which it stands. Pure.

A sentence cut by a page or column end is put together again, so that what is quoted is whole. Tables, drawings,
references and what is set in another language than the paper (a second abstract) make no statements.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from core.assistant.aspects.section_zones import OPENING_PAGES, Zone, zone_named, zone_of
from core.assistant.aspects.standalone_sentences import is_dependent
from core.domain.model import Evidence, Metadata, Paper, Passage
from core.grounding.verify import DraftSentence
from core.text import alphanumeric_key, detect_language, index_tokens, is_publication_notice, sentence_spans
from core.text.openings import PART_HEAD, strip_opening

SHORTEST_WORDS = 5
LONGEST = 520
"""Characters; what is longer was not punctuated by the page, or is a list run together."""
_LETTERS = 0.6
"""Share of letters and spaces that prose has at least; formulas and runs of numbers have less."""
_OPENERS = '"“‘«([¿¡'
_SMALL_NAME = re.compile(r"^[a-z]{1,3}[A-Z0-9]")
_ENDS = re.compile(r"[.!?。！？][\"'”’»)\]\d,–-]*$")
_AIM_HEAD = re.compile(r"(?:objecti|objeti|obietti|aim|purpose|ziel|fragestellung|目)", re.IGNORECASE)
_NOTE = re.compile(r"^\s*[*∗†‡§¶#]")
"""How a footnote begins that stands between a sentence and its end."""
_ASIDE = re.compile(r"^\((?![a-z0-9]{1,4}\))[^()]*(?:\([^()]*\)[^()]*)*\)?[.!?]?\)?$", re.IGNORECASE)
"""A remark in brackets from end to end: it depends on the sentence before."""
_CODE = re.compile(r"^(?:R>|>>>|\$|In \[\d+\]:)\s|\s(?:<-|:=|==|->)\s|\w\(\)[;{]|^(?:import|def|library\()\s")
"""What a person types into a machine."""
_NUMBER = re.compile(r"(?<![\w.,])\d{2,4}(?![\w.,%])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One sentence (or list item, or caption) of a paper. ``place`` is its number in reading order, ``share`` how far
    into the paper it is, 0 to 1, ``into`` how far into its zone. ``following`` is the passage in which it ends, where
    that is another. ``part`` is the part of the abstract that it belongs to, where that has parts with heads.
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
    is_dependent: bool = False
    """Whether it refers to something that the sentence before named."""

    @property
    def bare(self) -> str:
        """Its words without what says nothing elsewhere: the head of a part of the abstract ("Methods:"), the number
        of a footnote, words that tie it to the sentence before ("Moreover, …").
        """
        return strip_opening(self.text)

    def draft(self) -> DraftSentence:
        """The statement as a draft for the verifier, in its own words."""
        return self.said_as(self.bare)

    def said_as(self, text: str) -> DraftSentence:
        """``text``, which is the statement or a part of it, as a draft for the verifier."""
        return DraftSentence(text=text, sources=((self.passage.id, self.text),))


def extract_statements(passages: Sequence[Passage], metadata: Metadata) -> tuple[Statement, ...]:
    """All statements of a paper in reading order; ``metadata`` has its language and its abstract."""
    following = {passage.id: passage for passage in passages}
    continued = {passage.next_id for passage in passages if passage.next_id}
    found: list[Statement] = []
    for passage in passages:
        zone = zone_of(passage.section, passage.page)
        if zone != "back" and _is_prose(passage, metadata.language):
            after = following.get(passage.next_id or "")
            found += _of(passage, zone, after, begins_before=passage.id in continued)
    abstract = alphanumeric_key(metadata.abstract)
    placed = [
        replace(statement, place=place, share=place / len(found), zone=_opening(statement, abstract))
        for place, statement in enumerate(found)
    ]
    return tuple(_within_zones(_parted(placed)))


def collect_evidence(statements: Iterable[Statement], paper: Paper) -> tuple[Evidence, ...]:
    """The passages of statements for the verifier, each once, with the passage in which its last sentence ends."""
    found: dict[str, Evidence] = {}
    for statement in statements:
        passage = statement.passage
        evidence = found.setdefault(passage.id, Evidence(passage=passage, paper=paper, score=0.0))
        if statement.following is not None and not evidence.context:
            found[passage.id] = replace(evidence, context=(statement.following,))
    return tuple(found.values())


def collect_evidence_by_paper(statements: Sequence[Statement], papers: Mapping[str, Paper]) -> list[Evidence]:
    """The same for statements of several papers, which are given by id; one paper after the other."""
    by_paper: dict[str, list[Statement]] = {}
    for statement in statements:
        by_paper.setdefault(statement.passage.paper_id, []).append(statement)
    return [item for paper_id, own in by_paper.items() for item in collect_evidence(own, papers[paper_id])]


def _opening(statement: Statement, abstract: str) -> Zone:
    """What comes before the first heading is the abstract, as far as that is known, and an introduction; where no
    heading was found at all, only as far as introductions go."""
    page = statement.passage.page
    if abstract and page <= 2 and alphanumeric_key(statement.text)[:60] in abstract:
        return "abstract"
    if statement.zone == "front":
        return "introduction" if page <= OPENING_PAGES else "other"
    return statement.zone


def _parted(placed: Sequence[Statement]) -> list[Statement]:
    """Each statement of an abstract with the part that the last head before it opened."""
    part: Zone | None = None
    result = []
    for statement in placed:
        in_abstract = statement.zone == "abstract"
        head = PART_HEAD.match(statement.text) if in_abstract else None
        if not in_abstract:
            part = None
        elif head is not None:
            part = _part_zone(head["name"] or head["short"])
        result.append(replace(statement, part=part))
    return result


def _part_zone(head: str) -> Zone | None:
    return "introduction" if _AIM_HEAD.match(head) else zone_named(head)


def _of(passage: Passage, zone: Zone, after: Passage | None, *, begins_before: bool) -> list[Statement]:
    """The statements of a passage; ``after`` is the one in which its last sentence may end, and a first sentence that
    ``begins_before`` belongs to the passage before.
    """
    texts = [" ".join(passage.text[start:end].split()) for start, end in sentence_spans(passage.text)]
    following: list[Passage | None] = [None] * len(texts)
    if texts and after is not None and _ends_in(texts[-1], after):
        texts[-1], following[-1] = _joined(texts[-1], after), after
    sentences = list(zip(texts, following, strict=True))[int(begins_before) :]
    return [_statement(passage, text, zone, end) for text, end in sentences if _is_statement(text, passage)]


def _ends_in(text: str, after: Passage) -> bool:
    """Whether a sentence that a passage breaks off goes on in the next one."""
    return not _ENDS.search(text) and not _NOTE.match(after.text)


def _statement(passage: Passage, text: str, zone: Zone, following: Passage | None) -> Statement:
    tokens = frozenset(index_tokens(text))
    statement = Statement(passage=passage, text=text, zone=zone, place=0, following=following, tokens=tokens)
    return replace(statement, is_dependent=is_dependent(statement.bare))


def _joined(text: str, after: Passage) -> str:
    spans = sentence_spans(after.text)
    rest = " ".join(after.text[slice(*spans[0])].split()) if spans else ""
    if text.endswith("-") and rest[:1].islower():
        return text[:-1] + rest
    return f"{text}{rest}" if _is_wide(text[-1:]) else f"{text} {rest}".strip()


def _is_statement(text: str, passage: Passage) -> bool:
    if not _is_readable(text):
        return False
    if sum(map(_is_wide, text)) >= 10:
        return True
    whole = passage.kind != "text" or bool(_ENDS.search(text))
    return whole and len(text.split()) >= SHORTEST_WORDS and _begins_sentence(text)


def _is_readable(text: str) -> bool:
    """Whether it is prose of some length, and no aside, notice, code, formula or run of line numbers."""
    if _ASIDE.match(text) or len(text) > LONGEST or not _is_mostly_letters(text):
        return False
    return not (is_publication_notice(text) or _CODE.search(text) or _has_line_numbers(text))


def _is_mostly_letters(text: str) -> bool:
    letters = sum(char.isalpha() or char.isspace() for char in text)
    return letters >= _LETTERS * len(text)


def _begins_sentence(text: str) -> bool:
    first = text.lstrip(_OPENERS)[:1]
    capital_or_digit = first.isalnum() and not first.islower()
    return capital_or_digit or bool(_SMALL_NAME.match(text))


def _has_line_numbers(text: str) -> bool:
    """Whether numbers of a manuscript's lines are between its words: each is the one before and one more."""
    return any(_are_line_numbers(first, second) for first, second in pairwise(_NUMBER.finditer(text)))


def _are_line_numbers(first: re.Match[str], second: re.Match[str]) -> bool:
    number = int(first[0])
    counted_on = int(second[0]) == number + 1
    is_year = 1900 <= number <= 2100
    a_line_apart = 20 < second.start() - first.start() < 140
    return counted_on and a_line_apart and not is_year


def _is_wide(char: str) -> bool:
    """Whether a letter is of a writing that sets no spaces between words."""
    return "\u3040" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af"


def _is_prose(passage: Passage, paper_language: str) -> bool:
    """Whether a passage is text in the paper's language; short ones are taken to be."""
    if passage.kind not in ("text", "list", "caption"):
        return False
    detected = detect_language(passage.text) if paper_language and len(passage.text) > 80 else ""
    return detected in ("", paper_language)


def _within_zones(placed: Sequence[Statement]) -> list[Statement]:
    """Each statement with how far into its zone it is."""
    sizes = Counter(statement.zone for statement in placed)
    seen: Counter[Zone] = Counter()
    result = []
    for statement in placed:
        zone = statement.zone
        result.append(replace(statement, into=seen[zone] / max(1, sizes[zone] - 1)))
        seen[zone] += 1
    return result
