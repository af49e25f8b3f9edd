"""Which papers a question names: "the wheat paper", "Smith 2020", an acronym of a title, a file name.

A paper is *certain* only where the words of a hint fit it and no other paper of the scope; everything else is a
lean that search may overrule. Several papers that fit equally are what asking back is for.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.domain.model import Paper
from core.text import asks_for_people, index_tokens
from core.understanding.query_terms import terms

_NOUN = (
    r"(?:papers?|articles?|study|studies|reviews?|reports?|essays?|notes?|surveys?|thesis|preprints?|manuscripts?"
    r"|publications?|work|"
    r"authors?|team|text|package)"
)
_PAPER = r"(?:paper|article|study|review|report|essay|note|survey|thesis|preprint|manuscript|publication)"
_BEFORE = re.compile(
    rf"\b(?:the|this|that|both|each|a|an|and|or|,)\s+((?:(?!the\b|and\b|or\b|which\b"
    rf"|what\b)[\w.'’&+-]+\s+){{1,6}}){_NOUN}\b",
    re.IGNORECASE,
)
_AFTER = re.compile(
    rf"\b{_NOUN}\s+(?:on|about|of|by|from|with)\s+(?:the\s+|an?\s+)?((?:[\w.'’&+-]+\s*){{1,6}})"
    r"|\b(?:aufsatz|artikel|arbeit|studie|papier|artículo|estudio|artigo|estudo|articolo|étude)\s+(?:über|zu|von"
    r"|sobre|sur|de|do|da|du|su|di)\s+"
    r"((?:[\w.'’&+-]+\s*){1,5})",
    re.IGNORECASE,
)
_WORDS = r"(?:[\w.'’&+-]+\s+){1,4}?"
_PLURAL = r"(?:papers|articles|studies|reviews|reports)"
_PAIR = re.compile(rf"\bthe\s+({_WORDS})(?:and|or)\s+(?:the\s+)?({_WORDS}){_PLURAL}\b", re.IGNORECASE)
_PEOPLE = re.compile(
    r"\b([A-Z][\w'’-]+)(?=\s+et al\b|\s+and (?:colleagues|co-?workers|others)\b|['’]s\b|\s*\(?(?:19|20)\d\d\b)"
)
_NAME = re.compile(r"(?<![.\w])([A-ZÀ-Þ][\w'’-]{2,})")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")

LIKELY = 0.34
"""Share of a hint's words from which a paper counts as likely."""
STRONG_TITLE = 2
LETTERS_OF_A_NAME = 3
"""What has fewer letters ("2D", "pH") names no paper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """Papers that are certainly meant, those that are likely with a weight, and a hint that fits several.

    ``people`` are the tokens of authors' names by which the certain ones are called, ``called`` those of other words
    ("the barley paper").
    """

    certain: tuple[str, ...] = ()
    likely: Mapping[str, float] = field(default_factory=dict)
    hint: str = ""
    fitting: tuple[str, ...] = ()
    people: frozenset[str] = frozenset()
    called: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Card:
    """The tokens by which a paper may be called."""

    paper: Paper
    title: frozenset[str]
    people: frozenset[str]
    abstract: frozenset[str]
    own: frozenset[str]

    @property
    def strong(self) -> frozenset[str]:
        return self.title | self.people


class NamedPapers:
    """The papers of one scope, ready to be named; built once for a set of papers."""

    def __init__(self, papers: Sequence[Paper]) -> None:
        self.papers = tuple(papers)
        self._cards = tuple(_card(paper) for paper in papers)
        self._bm25 = _ranking(self._cards)
        self._titles: dict[str, int] = {}
        for card in self._cards:
            for token in card.strong | card.abstract:
                self._titles[token] = self._titles.get(token, 0) + 1

    def name(self, question: str) -> Naming:
        """Read the hints of ``question``."""
        certain: list[str] = []
        likely: dict[str, float] = {}
        open_hint = ""
        fitting: tuple[str, ...] = ()
        called: set[str] = set()
        for hint in hints(question):
            tokens = frozenset(token for term in terms(hint) for token in term.tokens)
            if not tokens:
                continue
            fits = self._fitting(tokens)
            if len(fits) == 1 and self._sure(tokens, fits[0], hint, question):
                certain.append(fits[0])
                called |= self._called(tokens, fits[0])
            elif len(fits) == 1:
                likely[fits[0]] = 1.0
            elif fits:
                open_hint, fitting = hint, fits
            likely.update({one: max(weight, likely.get(one, 0.0)) for one, weight in self._leaning(tokens).items()})
        certain += [one for one in self._by_person(question) if one not in certain]
        certain += [one for one in self._by_name(question) if one not in certain]
        people = set() if asks_for_people(question) else self._people(question, certain)
        for one, weight in self._leaning(frozenset(t for term in terms(question) for t in term.tokens)).items():
            likely[one] = max(likely.get(one, 0.0), weight)
        if certain:
            open_hint, fitting = "", ()
        return Naming(
            certain=tuple(dict.fromkeys(certain)),
            likely=likely,
            hint=open_hint,
            fitting=fitting,
            people=frozenset(people),
            called=frozenset(called - people),
        )

    def _fitting(self, tokens: frozenset[str]) -> tuple[str, ...]:
        """Papers that all words of a hint fit: in title, authors or file name first, then in the abstract too."""
        for reach in (_Card.strong.fget, lambda card: card.strong | card.abstract):  # type: ignore[attr-defined]
            fits = tuple(card.paper.id for card in self._cards if tokens <= reach(card))
            if fits:
                return fits
        known = frozenset(token for token in tokens if token in self._titles)
        if not known or len(known) * 2 < len(tokens):
            return ()
        fits = tuple(card.paper.id for card in self._cards if known <= card.strong)
        return fits if len(fits) == 1 else ()

    def _sure(self, tokens: frozenset[str], fit: str, hint: str, question: str) -> bool:
        """One word alone names a paper only before "paper" or the like, and only if no other paper speaks of it."""
        if len(tokens) > 1:
            return True
        others = [card for card in self._cards if card.paper.id != fit]
        paper = rf"{re.escape(hint)}\s+(?:(?:(?:and|or)\s+(?:the\s+)?{_WORDS})?{_PLURAL}|{_PAPER})\b"
        return bool(re.search(paper, question, re.IGNORECASE)) and not any(
            tokens & (card.strong | card.abstract) for card in others
        )

    def _leaning(self, tokens: frozenset[str]) -> dict[str, float]:
        """BM25 over what identifies the papers, scaled by the best; only clear leads count."""
        if not tokens or not self._cards:
            return {}
        scores = [float(score) for score in self._bm25.get_scores(sorted(tokens))]  # type: ignore[attr-defined]
        best = max(scores)
        if best <= 0:
            return {}
        ranked = sorted(zip(scores, self._cards, strict=True), key=lambda pair: -pair[0])[:3]
        lean: dict[str, float] = {}
        for score, card in ranked:
            shared = len(tokens & card.title)
            if score >= 0.6 * best and shared:
                lean[card.paper.id] = min(1.0, shared / max(STRONG_TITLE, len(tokens) * LIKELY)) * score / best
        return lean

    def _called(self, tokens: frozenset[str], fit: str) -> frozenset[str]:
        """Of a hint's words those that the paper's title, authors and abstract hold; others ask for something."""
        (card,) = (card for card in self._cards if card.paper.id == fit)
        return tokens & (card.strong | card.abstract)

    def _people(self, question: str, certain: Sequence[str]) -> set[str]:
        """Tokens of the names of the certain papers' authors, as far as ``question`` writes them as names."""
        said = {token for match in _NAME.finditer(question) for token in _tokens(match.group(1))}
        return {
            token
            for paper in self.papers
            if paper.id in certain
            for token in _tokens(" ".join(paper.metadata.authors))
            if token in said
        }

    def _by_person(self, question: str) -> list[str]:
        years = frozenset(int(year) for year in _YEAR.findall(question))
        found: list[str] = []
        for match in _PEOPLE.finditer(question):
            key = _tokens(match.group(1))
            fits = [card for card in self._cards if key and key <= card.people]
            dated = [card for card in fits if card.paper.metadata.year in years]
            if len(dated or fits) == 1:
                found.append((dated or fits)[0].paper.id)
        return found

    def _by_name(self, question: str) -> list[str]:
        """Acronyms and product names that stand in one title only; a first author's name alone."""
        found: list[str] = []
        for term in terms(question):
            if sum(map(str.isalpha, term.surface)) < LETTERS_OF_A_NAME:
                continue
            if (term.entity and "-" not in term.surface[1:-1]) or (term.entity and len(term.tokens) == 1):
                fits = [card for card in self._cards if frozenset(term.tokens) <= card.title]
                if len(fits) == 1:
                    found.append(fits[0].paper.id)
        for match in _NAME.finditer(question):
            key = _tokens(match.group(1))
            fits = [card for card in self._cards if key and key <= card.own]
            if (
                len(fits) == 1
                and match.start() > 0
                and not any(key <= card.title | card.abstract for card in self._cards)
            ):
                found.append(fits[0].paper.id)
        return found


def hints(question: str) -> tuple[str, ...]:
    """The words by which papers are described in ``question``."""
    found = [hint for match in _PAIR.finditer(question) for hint in match.groups()]
    found += [match.group(1) for match in _BEFORE.finditer(question)]
    found += [match.group(1) or match.group(2) for match in _AFTER.finditer(question)]
    return tuple(dict.fromkeys(hint.strip() for hint in found if hint and hint.strip()))


def _tokens(text: str) -> frozenset[str]:
    return frozenset(index_tokens(text))


def _card(paper: Paper) -> _Card:
    identity = paper.metadata
    title = _tokens(f"{identity.title} {re.sub(r'[_.-]+', ' ', paper.file_name.removesuffix('.pdf'))}")
    names = [name.split(",")[0] if "," in name else name.split()[-1] for name in identity.authors if name.strip()]
    people = _tokens(" ".join(names)) | ({str(identity.year)} if identity.year else set())
    return _Card(
        paper=paper,
        title=title,
        people=people,
        abstract=_tokens(identity.abstract),
        own=_tokens(names[0]) if names else frozenset(),
    )


def _ranking(cards: Sequence[_Card]) -> object:
    from rank_bm25 import BM25Plus

    texts = [[*card.title, *card.title, *card.people, *card.abstract] or [""] for card in cards]
    return BM25Plus(texts or [[""]])
