"""A paper as the statements that can be quoted from it, each with the part of the paper in which it stands. Pure.

A sentence cut by a page or column end is put together again, so that what is quoted is whole. Tables, drawings,
references and what is set in another language than the paper (a second abstract) make no statements.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from core.domain.model import Evidence, Metadata, Paper, Passage
from core.grounding.verify import Draft
from core.text import index_tokens, language, sentence_spans, squeeze

Zone: TypeAlias = Literal[
    "front",
    "abstract",
    "introduction",
    "related",
    "data",
    "method",
    "results",
    "discussion",
    "limitations",
    "future",
    "conclusion",
    "appendix",
    "other",
    "back",
]

OPENING_PAGES = 3
"""A summary that stands later is a conclusion."""
SHORTEST_WORDS = 5
LONGEST = 520
"""Characters; what is longer was not punctuated by the page, or is a list run together."""
_LETTERS = 0.6
"""Share of letters and spaces that prose has at least; formulas and runs of numbers have less."""
_OPENS = re.compile(r"^[\"“‘«(\[¿¡]*[A-ZÀ-ÖØ-Þ0-9\u3040-\u9fff\uac00-\ud7af]")
_SMALL_NAME = re.compile(r"^[a-z]{1,3}[A-Z0-9]")
_ENDS = re.compile(r"[.!?。！？][\"'”’»)\]\d,–-]*$")
_PART_HEAD = re.compile(
    r"^(?:Background|Methods?|Materials and methods|Results?|Conclusions?|Objectives?|Aims?|Findings|Purpose|Setting"
    r"|Design|Introduction|Interpretation)\s?:\s+"
)
_NOTE = re.compile(r"^\s*[*∗†‡§¶#]")
"""How a footnote begins that stands between a sentence and its end."""
_ASIDE = re.compile(r"^\((?![a-z0-9]{1,4}\))[^()]*(?:\([^()]*\)[^()]*)*\)?[.!?]?\)?$", re.IGNORECASE)
"""A remark in brackets from end to end: it leans on the sentence before."""
_CARD = re.compile(
    r"^(?:https?:|www\.)|@|\b(?:copyright|licen[cs]e[ed]?|all rights reserved|correspond\w* (?:to|author)"
    r"|creative commons"
    r"|open access article|received:|accepted:|published:|conference (?:format|acronym)|permission to make"
    r"|doi\.org)\b"
    r"|^\W*(?:©|key ?words|palabras clave|palavras-chave|index terms)",
    re.IGNORECASE,
)

_HEADS: tuple[tuple[Zone, str], ...] = (
    ("limitations", r"limitations?|threats to validity|caveats|limitaciones|limitações|limites|einschränkungen"),
    (
        "future",
        r"future (?:work|works|research|directions?|perspectives?)|outlook|next steps|trabajos? futuros?|ausblick",
    ),
    (
        "back",
        r"references|bibliography|acknowledge?ments?|funding|author contributions?|authors['’] contributions?"
        r"|competing"
        r"|conflicts? of interest|declarations?|disclosures?|ethic\w+|institutional review|supporting information"
        r"|supplementary|additional files?|abbreviations|author details|keywords|ccs concepts|index terms"
        r"|agradecimientos|agradecimentos|danksagung|remerciements|referencias|literatur(?:verzeichnis)?",
    ),
    (
        "abstract",
        r"^\W*(?:[\d.]+\s*)?(?:abstract|summary|resumen|resumo|résumé|zusammenfassung|highlights|要旨"
        r"|摘要)\W*$",
    ),
    ("related", r"(?:related|previous|prior) works?|literature review|state of the art|background (?:&|and) related"),
    (
        "data",
        r"data ?sets?|corpus|corpora|participants|subjects|patients|samples?|specimens|study (?:area|site|population)"
        r"|setting|(?:the )?data|data collection|observations|genetic materials?|datos|muestra|daten|données|dados",
    ),
    (
        "method",
        r"materials?|methods?|methodology|methodological|experimental (?:setup|set-up|design|procedures?)|approach"
        r"|procedures?|implementation|model(?:s|ling|ing)?|architecture|training|statistical analys[ei]s|protocol"
        r"|design|analys[ei]s|tasks?|study approach|tools|métodos?|metodología|metodologia|méthodes?|methodik|方法",
    ),
    (
        "results",
        r"results?|findings|evaluation|experiments?|performance|ergebnisse|resultados?|résultats|risultati|结果|結果",
    ),
    ("discussion", r"discussions?|discusión|discussão|diskussion|interpretation|implications|考察|讨论"),
    (
        "conclusion",
        r"conclusions?|concluding|conclusi(?:ón|ones)|conclus(?:ão|ões)|considerações finais|fazit|schluss\w*"
        r"|结论|結論",
    ),
    ("introduction", r"introduction|background|motivation|statement of need|introducción|introdução|einleitung|引言"),
    ("appendix", r"appendix|appendices|annexe?s?|anexos?|anhang|supplement"),
)
_ZONES = tuple((zone, re.compile(rf"(?:^|\b)(?:{pattern})(?:\b|$)", re.IGNORECASE)) for zone, pattern in _HEADS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One sentence (or list item, or caption) of a paper. ``share`` is how far into the paper it stands, 0 to 1;
    ``into`` how far into its zone. ``following`` is the passage in which it ends, where that is another.
    """

    passage: Passage
    text: str
    zone: Zone
    place: int
    share: float = 0.0
    into: float = 0.0
    following: Passage | None = None
    tokens: frozenset[str] = frozenset()

    @property
    def bare(self) -> str:
        """Its words without the head of a part of the abstract ("Methods:"), which says nothing elsewhere."""
        rest = _PART_HEAD.sub("", self.text)
        return rest[:1].upper() + rest[1:]

    def draft(self) -> Draft:
        """The statement as something that wants to be said, in its own words."""
        return Draft(text=self.bare, sources=((self.passage.id, self.text),))


def zone_of(passage: Passage) -> Zone:
    """Which part of the paper a passage belongs to, by its headings: the deepest that says so."""
    for heading in reversed(passage.section):
        for zone, pattern in _ZONES:
            if pattern.search(heading):
                return "conclusion" if zone == "abstract" and passage.page > OPENING_PAGES else zone
    return "other" if passage.section else "front"


def statements_of(passages: Sequence[Passage], metadata: Metadata) -> tuple[Statement, ...]:
    """All statements of a paper in reading order; ``metadata`` tells its language and what its abstract is."""
    abstract, spoken = squeeze(metadata.abstract), metadata.language
    following = {one.id: one for one in passages}
    continued = {one.next_id for one in passages if one.next_id}
    found: list[Statement] = []
    for passage in passages:
        zone = zone_of(passage)
        if passage.kind not in ("text", "list", "caption") or zone == "back" or _foreign(passage, spoken):
            continue
        found += _of(passage, zone, following.get(passage.next_id or ""), passage.id in continued)
    placed = [
        replace(one, place=place, share=place / len(found), zone=_opening(one, abstract))
        for place, one in enumerate(found)
    ]
    return tuple(_within_zones(placed))


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
    """What stands before the first heading is the abstract, as far as that is known, and an introduction."""
    if abstract and squeeze(one.text)[:60] in abstract and one.passage.page <= 2:
        return "abstract"
    return "introduction" if one.zone == "front" else one.zone


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
            found.append(Statement(passage=passage, text=text, zone=zone, place=0, following=following, tokens=tokens))
    return found


def _joined(text: str, after: Passage) -> str:
    spans = sentence_spans(after.text)
    rest = " ".join(after.text[slice(*spans[0])].split()) if spans else ""
    if text.endswith("-") and rest[:1].islower():
        return text[:-1] + rest
    return f"{text} {rest}".strip()


def _is_statement(text: str, passage: Passage) -> bool:
    letters = sum(sign.isalpha() or sign.isspace() for sign in text)
    wide = sum("\u3040" <= sign <= "\u9fff" or "\uac00" <= sign <= "\ud7af" for sign in text)
    if _ASIDE.match(text) or len(text) > LONGEST or letters < _LETTERS * len(text) or _CARD.search(text):
        return False
    if wide >= 10:
        return True
    whole = bool(_ENDS.search(text)) or passage.kind != "text"
    return whole and len(text.split()) >= SHORTEST_WORDS and bool(_OPENS.match(text) or _SMALL_NAME.match(text))


def _foreign(passage: Passage, spoken: str) -> bool:
    read = language(passage.text) if spoken and len(passage.text) > 80 else ""
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
