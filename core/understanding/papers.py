"""Which papers a text names: a number of a list, an id, a title, an author, an acronym, or the thread they are of.

Every part of Footnote that turns words into papers asks a ``PaperResolver``. A paper of a question is *certain* only
where the words of a hint fit it and no other paper of the scope; everything else is a lean that search may overrule.
Several papers that fit equally are what asking back is for.
"""

import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING

from core.domain.citation_format import paper_label
from core.domain.model import Paper, Thread, Turn
from core.domain.records import number_papers
from core.text import asks_for_people, index_tokens, query_tokens
from core.understanding.query_terms import terms

if TYPE_CHECKING:
    from rank_bm25 import BM25Plus

_GENERIC = "paper article study review report essay note survey thesis preprint manuscript publication pdf file"
"""What any paper may be called; alone such a word names none, and ``PAPER`` is how usages write the place of a name."""
_SHORTEST_PART = 4
"""A piece of a word shorter than this names nothing: a slip of the finger must not forget a paper."""
_LIST_NUMBER = re.compile(
    r"^\W*(?:(?:the|number|no|nr|paper|option|nummer|numéro|número|numero)\W+){0,2}(\d{1,2})\W*$", re.I
)
_ORDINAL = re.compile(
    r"^\W*(?:the |i mean the )?(first|second|third|fourth|fifth|sixth|last)(?: one| paper| article| study)?\W*$", re.I
)
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_LIST_LINE = re.compile(r"^(\d{1,2})\. (.+)$", re.MULTILINE)
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
_CAPITALISED = re.compile(r"(?<![.\w])([A-ZÀ-Þ][\w'’-]{2,})")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")

_IDENTIFIER = re.compile(
    r"\b10\.\d{4,9}/[^\s,;?!\"'<>]+|(?<![\d.])\d{4}\.\d{4,5}(?![\d.])|\b[a-z-]+/\d{7}\b", re.IGNORECASE
)
"""A DOI, an arXiv number, an arXiv number of the old form."""
_IDENTIFIER_WORDS = re.compile(
    rf"(?:\b(?:doi|arxiv)\b\W*|https?://\S*?(?=10\.))*(?:{_IDENTIFIER.pattern})", re.IGNORECASE
)

LIKELY = 0.34
"""Share of a hint's words from which a paper counts as likely."""
STRONG_TITLE = 2
LEANING = 3
"""Most papers that one hint leans to."""
CLEAR_LEAD = 0.6
"""Share of the best paper's score that another needs to be likely too."""
LETTERS_OF_A_NAME = 3
"""What has fewer letters ("2D", "pH") names no paper."""
KEPT_RESOLVERS = 8
_SHORTEST_ID = 6


@cache
def _generic_tokens() -> frozenset[str]:
    return frozenset(index_tokens(_GENERIC))


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentions:
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
class ListItem:
    """A number picked from a list of papers, and the question the list was shown for; ``paper`` is None for no item."""

    question: str
    paper: Paper | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _NameTokens:
    """The tokens by which a paper may be called."""

    paper: Paper
    title: frozenset[str]
    people: frozenset[str]
    abstract: frozenset[str]
    first_author: frozenset[str]

    @property
    def strong(self) -> frozenset[str]:
        return self.title | self.people

    @property
    def all(self) -> frozenset[str]:
        return self.strong | self.abstract


class PaperResolver:
    """The papers of one scope (oldest first), found by what a person calls them. Pure; tokens are made when needed."""

    def __init__(self, papers: Sequence[Paper]) -> None:
        self.papers = tuple(papers)

    # by a hint, a number of a list, a topic or a thread

    def find(self, hint: str) -> Sequence[Paper]:
        """The papers that ``hint`` may mean, likeliest first; one means it is clear, none that it is not here.

        A hint is a number of the list (from 1), the beginning of an id, a DOI, an arXiv id, a file name, or words
        of title, authors and year. Where something names a paper exactly, nothing looser is offered beside it.
        """
        wanted = hint.strip().strip("\"'“”").casefold()
        by_number = self._with_number(wanted)
        if by_number:
            return by_number
        if not wanted:
            return ()
        exact = [paper for paper in self.papers if _is_exact_name(wanted, paper)]
        if exact:
            return exact
        words = set(query_tokens(wanted))
        if words and words <= _generic_tokens():
            return ()
        likely = self._covering_most(words)
        # Part of a word, as in the stem of a file name, is no token; it still names what holds it.
        if likely or len(wanted) < _SHORTEST_PART:
            return likely
        return [paper for paper in self.papers if wanted in f"{paper.title}\n{paper.file_name}".casefold()]

    def list_item(self, message: str, turns: Sequence[Turn]) -> ListItem | None:
        """The paper that ``message`` picks by its number from the last list shown in ``turns`` (oldest first).

        None where the message picks nothing, or no list was shown. The list is read from what the thread remembers
        having shown, so that a number means what the reader saw.
        """
        picked = _LIST_NUMBER.match(message) or _ORDINAL.match(message)
        shown = _last_list(turns) if picked else None
        if picked is None or shown is None:
            return None
        question, lines = shown
        line = lines.get(_list_number(picked[1].lower(), lines), "")
        by_label = {paper_label(paper): paper for paper in reversed(self.papers)}
        return ListItem(question=question, paper=by_label.get(line))

    def about(self, topic: str) -> Sequence[Paper]:
        """The papers whose title holds every word of ``topic``, else those whose title and abstract together do."""
        wanted = _term_tokens(topic)
        if not wanted:
            return ()
        missing = {paper.id: wanted.difference(index_tokens(paper.title)) for paper in self.papers}
        by_title = [paper for paper in self.papers if not missing[paper.id]]
        return by_title or [
            paper for paper in self.papers if missing[paper.id].issubset(index_tokens(paper.metadata.abstract))
        ]

    def of_thread(self, thread: Thread, turns: Sequence[Turn]) -> tuple[str, ...]:
        """Ids of the papers a thread is on: dropped in its first message, else cited in it, the latest first."""
        here = {paper.id for paper in self.papers}
        cited = [
            citation.paper_id for turn in reversed(turns) for citation in turn.citations if citation.paper_id in here
        ]
        return tuple(dict.fromkeys([*self.dropped_in(thread), *cited]))

    def dropped_in(self, thread: Thread) -> tuple[str, ...]:
        """Ids of the papers that were shared in the first message of a thread."""
        dropped = [
            paper.id
            for paper in self.papers
            for share in paper.shares
            if share.channel == thread.channel.id and share.message == thread.id and thread.id
        ]
        return tuple(dict.fromkeys(dropped))

    def _with_number(self, wanted: str) -> Sequence[Paper]:
        number = re.fullmatch(r"#?(\d{1,6})", wanted)
        if number is None:
            return ()
        numbers = number_papers(self.papers)
        return tuple(paper for paper in self.papers if numbers[paper.id] == int(number[1]))

    def _covering_most(self, words: set[str]) -> Sequence[Paper]:
        """The papers whose name holds the largest share of ``words``, where that is more than half."""
        shares = [_covered_share(words, paper) for paper in self.papers]
        most = max(shares, default=0.0)
        if most <= 0.5:
            return []
        return [paper for paper, share in zip(self.papers, shares, strict=True) if share == most]

    # by the words of a question

    def mentions(self, question: str) -> Mentions:
        """The papers that ``question`` names or leans to."""
        certain: list[str] = []
        likely: dict[str, float] = {}
        called: set[str] = set()
        open_hint = ""
        fitting: tuple[str, ...] = ()
        for hint in hints(question):
            tokens = _term_tokens(hint)
            fits = self._fitting(tokens) if tokens else ()
            if len(fits) == 1 and self._is_certain(tokens, fits[0], hint, question):
                certain.append(fits[0])
                called |= self._shared_tokens(tokens, fits[0])
            elif len(fits) == 1:
                likely[fits[0]] = 1.0
            elif fits:
                open_hint, fitting = hint, fits
            _raise_weights(likely, self._leaning(tokens))
        certain += [
            *self._by_identifier(question),
            *self._by_person(question),
            *self._by_acronym(question),
            *self._by_first_author(question),
        ]
        called |= _identifier_tokens(question)
        _raise_weights(likely, self._leaning(_term_tokens(question)))
        people = frozenset() if asks_for_people(question) else self._authors_written(question, certain)
        return Mentions(
            certain=tuple(dict.fromkeys(certain)),
            likely=likely,
            hint="" if certain else open_hint,
            fitting=() if certain else fitting,
            people=people,
            called=frozenset(called) - people,
        )

    @cached_property
    def _names(self) -> tuple[_NameTokens, ...]:
        return tuple(_name_tokens(paper) for paper in self.papers)

    @cached_property
    def _known_tokens(self) -> frozenset[str]:
        return frozenset(token for name in self._names for token in name.all)

    @cached_property
    def _bm25(self) -> "BM25Plus":
        from rank_bm25 import BM25Plus

        texts = [[*name.title, *name.title, *name.people, *name.abstract] or [""] for name in self._names]
        return BM25Plus(texts or [[""]])

    def _fitting(self, tokens: frozenset[str]) -> tuple[str, ...]:
        """Papers that all words of a hint fit: in title, authors or file name first, then in the abstract too."""
        strong = tuple(name.paper.id for name in self._names if tokens <= name.strong)
        fits = strong or tuple(name.paper.id for name in self._names if tokens <= name.all)
        if fits:
            return fits
        known = tokens & self._known_tokens
        if not known or len(known) * 2 < len(tokens):
            return ()
        partly = tuple(name.paper.id for name in self._names if known <= name.strong)
        return partly if len(partly) == 1 else ()

    def _is_certain(self, tokens: frozenset[str], fit: str, hint: str, question: str) -> bool:
        """Whether a hint names its one fit beyond doubt.

        A single word does so only before "paper" or the like, and only if no other paper speaks of it.
        """
        if len(tokens) > 1:
            return True
        paper = rf"{re.escape(hint)}\s+(?:(?:(?:and|or)\s+(?:the\s+)?{_WORDS})?{_PLURAL}|{_PAPER})\b"
        if not re.search(paper, question, re.IGNORECASE):
            return False
        return not any(tokens & name.all for name in self._names if name.paper.id != fit)

    def _leaning(self, tokens: frozenset[str]) -> dict[str, float]:
        """BM25 over what identifies the papers, scaled by the best; only clear leads count."""
        if not tokens or not self._names:
            return {}
        scores = [float(score) for score in self._bm25.get_scores(sorted(tokens))]
        best = max(scores)
        if best <= 0:
            return {}
        ranked = sorted(zip(scores, self._names, strict=True), key=lambda pair: -pair[0])[:LEANING]
        weights: dict[str, float] = {}
        for score, name in ranked:
            shared = len(tokens & name.title)
            if score >= CLEAR_LEAD * best and shared:
                share = min(1.0, shared / max(STRONG_TITLE, len(tokens) * LIKELY))
                weights[name.paper.id] = share * score / best
        return weights

    def _shared_tokens(self, tokens: frozenset[str], fit: str) -> frozenset[str]:
        """Of a hint's words those that the paper's title, authors and abstract hold; others ask for something."""
        (name,) = (name for name in self._names if name.paper.id == fit)
        return tokens & name.all

    def _authors_written(self, question: str, certain: Sequence[str]) -> frozenset[str]:
        """Tokens of the names of the certain papers' authors, as far as ``question`` writes them as names."""
        written = frozenset(token for word in _CAPITALISED.findall(question) for token in _tokens(word))
        authors = [author for paper in self.papers if paper.id in certain for author in paper.metadata.authors]
        return written & _tokens(" ".join(authors))

    def _by_identifier(self, question: str) -> list[str]:
        """Papers whose DOI or arXiv number is written."""
        written = {match.casefold().rstrip(".,;") for match in _IDENTIFIER.findall(question)}
        return [paper.id for paper in self.papers if written & _identifiers(paper)]

    def _by_person(self, question: str) -> list[str]:
        """Papers called by an author and, where several are that author's, the year."""
        years = frozenset(int(year) for year in _YEAR.findall(question))
        found: list[str] = []
        for word in _PEOPLE.findall(question):
            key = _tokens(word)
            fits = [name.paper for name in self._names if key and key <= name.people]
            dated = [paper for paper in fits if paper.metadata.year in years]
            if len(dated or fits) == 1:
                found.append((dated or fits)[0].id)
        return found

    def _by_acronym(self, question: str) -> list[str]:
        """Acronyms and product names that stand in one title only."""
        found: list[str] = []
        for term in terms(question):
            letters = sum(map(str.isalpha, term.surface))
            compound = "-" in term.surface[1:-1] and len(term.tokens) > 1
            if not term.entity or compound or letters < LETTERS_OF_A_NAME:
                continue
            fits = [name.paper.id for name in self._names if frozenset(term.tokens) <= name.title]
            if len(fits) == 1:
                found.append(fits[0])
        return found

    def _by_first_author(self, question: str) -> list[str]:
        """A first author's name alone, not at the start of the question, that no title or abstract holds."""
        found: list[str] = []
        for match in _CAPITALISED.finditer(question):
            key = _tokens(match.group(1))
            fits = [name.paper.id for name in self._names if key and key <= name.first_author]
            if len(fits) != 1 or match.start() == 0:
                continue
            if not any(key <= name.title | name.abstract for name in self._names):
                found.append(fits[0])
        return found


class PaperResolvers:
    """Resolvers of the sets of papers that were asked lately, since making the tokens of a large set takes a while."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[tuple[str, str], ...], PaperResolver] = OrderedDict()

    def of(self, papers: Sequence[Paper]) -> PaperResolver:
        """The resolver of ``papers``."""
        key = tuple((paper.id, paper.title) for paper in papers)
        resolver = self._kept.pop(key, None) or PaperResolver(papers)
        self._kept[key] = resolver
        while len(self._kept) > KEPT_RESOLVERS:
            self._kept.popitem(last=False)
        return resolver


def hints(question: str) -> tuple[str, ...]:
    """The words by which papers are described in ``question``."""
    found = [hint for match in _PAIR.finditer(question) for hint in match.groups()]
    found += [match.group(1) for match in _BEFORE.finditer(question)]
    found += [match.group(1) or match.group(2) for match in _AFTER.finditer(question)]
    return tuple(dict.fromkeys(hint.strip() for hint in found if hint and hint.strip()))


def _raise_weights(likely: dict[str, float], weights: Mapping[str, float]) -> None:
    for paper_id, weight in weights.items():
        likely[paper_id] = max(weight, likely.get(paper_id, 0.0))


def _tokens(text: str) -> frozenset[str]:
    return frozenset(index_tokens(text))


def _term_tokens(text: str) -> frozenset[str]:
    return frozenset(token for term in terms(text) for token in term.tokens)


def _identifiers(paper: Paper) -> frozenset[str]:
    """DOI and arXiv number without its version."""
    doi, arxiv = (paper.metadata.doi or "").casefold(), (paper.metadata.arxiv_id or "").casefold()
    return frozenset(filter(None, (doi, re.sub(r"v\d+$", "", arxiv.removeprefix("arxiv:")))))


def _identifier_tokens(question: str) -> frozenset[str]:
    """Tokens of the identifiers, which name a paper and ask for nothing in it."""
    return _tokens(" ".join(match.group() for match in _IDENTIFIER_WORDS.finditer(question)))


def _name_tokens(paper: Paper) -> _NameTokens:
    identity = paper.metadata
    stem = re.sub(r"[_.-]+", " ", paper.file_name.removesuffix(".pdf"))
    names = [name.split(",")[0] if "," in name else name.split()[-1] for name in identity.authors if name.strip()]
    year = {str(identity.year)} if identity.year else set()
    return _NameTokens(
        paper=paper,
        title=_tokens(f"{identity.title} {stem}"),
        people=_tokens(" ".join(names)) | year,
        abstract=_tokens(identity.abstract),
        first_author=_tokens(names[0]) if names else frozenset(),
    )


def _is_exact_name(wanted: str, paper: Paper) -> bool:
    begins = len(wanted) >= _SHORTEST_ID and paper.id.startswith(wanted)
    names = (paper.metadata.doi, paper.metadata.arxiv_id, paper.file_name, paper.title)
    return begins or any(wanted == name.casefold() for name in names if name)


def _covered_share(words: set[str], paper: Paper) -> float:
    """Which share of the words the paper's title, authors, year and file name hold."""
    name = " ".join((paper.title, *paper.metadata.authors, str(paper.metadata.year or ""), paper.file_name))
    return len(words & set(index_tokens(name))) / len(words) if words else 0.0


def _list_number(picked: str, lines: Mapping[int, str]) -> int:
    if picked.isdigit():
        return int(picked)
    return max(lines) if picked == "last" else _ORDINALS.index(picked) + 1


def _last_list(turns: Sequence[Turn]) -> tuple[str, dict[int, str]] | None:
    """The question before the last list of papers in a thread, and the list's lines by number."""
    for index in range(len(turns) - 1, 0, -1):
        question, shown = turns[index - 1], turns[index]
        lines = {int(number): line for number, line in _LIST_LINE.findall(shown.text)}
        is_list = shown.role == "assistant" and question.role == "user" and not (shown.forgotten or shown.citations)
        if lines and is_list:
            return question.text, lines
    return None
