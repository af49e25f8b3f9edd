"""What the wording of a question asks for: a number that tables hold, a float by its label, a paper by its names.

Hints move passages up and never leave one out: a reader who asks for "Table 2" may be served by the text on it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from core.domain.model import Paper
from core.search.term_coverage import inverse_document_frequencies
from core.text import index_tokens
from core.text.questions import asks_count, asks_degree, has_superlative

LabelKey: TypeAlias = tuple[str, str]
"""What a label names and its number: ("table", "2")."""

_LABEL = re.compile(
    r"(?P<figure>\bfig(?:ure|ura|\.)?s?\b\.?|\babbildung|\babb\.|图|圖|図)\s*\(?(?P<f>[A-Z]?\d+)"
    r"|(?P<table>\btab(?:le|la|leau|elle|ela|ella|\.)?s?\b\.?|\bcuadro|\bquadro|表)\s*\(?(?P<t>[A-Z]?\d+|[IVX]+\b)"
    r"|(?P<formula>\beq(?:uation|n|\.)?s?\b\.?|\bgleichung|\becuación|\béquation|式)\s*\(?(?P<e>[A-Z]?\d+)",
    re.IGNORECASE,
)
_TABLE = re.compile(
    r"\b(?:table|row|column|tabla|fila|columna|tabelle|zeile|spalte|tableau|ligne|colonne|tabela|linha|coluna)\b|表",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryHints:
    """``table``: a quantity, an extreme or a table is asked for; ``labels``: floats that are named."""

    table: bool = False
    labels: frozenset[LabelKey] = frozenset()


def parse_hints(question: str) -> QueryHints:
    """What the wording of ``question`` asks for."""
    table = bool(_TABLE.search(question)) or asks_count(question) or asks_degree(question) or has_superlative(question)
    return QueryHints(table=table, labels=frozenset(extract_label_keys(question)))


def extract_label_keys(text: str) -> list[LabelKey]:
    """Every figure, table or equation that ``text`` names, as kind and number."""
    found: list[LabelKey] = []
    for match in _LABEL.finditer(text):
        for kind, number in (("figure", match["f"]), ("table", match["t"]), ("formula", match["e"])):
            if number:
                found.append((kind, number.upper()))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperNames:
    """The papers of a scope by id, and which of them each token names."""

    papers: Mapping[str, Paper]
    papers_by_token: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, papers: Sequence[Paper]) -> "PaperNames":
        """Made once for a scope and kept until the library changes: it looks at every paper."""
        papers_by_token: dict[str, list[str]] = {}
        for paper in papers:
            for term in paper_name_tokens(paper):
                papers_by_token.setdefault(term, []).append(paper.id)
        return cls(papers={paper.id: paper for paper in papers}, papers_by_token=papers_by_token)

    def named(self, terms: Sequence[str]) -> dict[str, float]:
        """For each paper that a term names, the share of the terms that do; terms rare among papers weigh more."""
        held = {term: len(self.papers_by_token.get(term, ())) for term in terms}
        weights = inverse_document_frequencies(terms, held, max(len(self.papers), 1))
        whole = sum(weights.values())
        found: dict[str, float] = {}
        for term in dict.fromkeys(terms) if whole else ():
            for paper in self.papers_by_token.get(term, ()):
                found[paper] = found.get(paper, 0.0) + weights[term] / whole
        return found


def paper_name_tokens(paper: Paper) -> frozenset[str]:
    """The tokens by which a paper is named: title, authors, year, file name, identifiers."""
    known = paper.metadata
    stem = paper.file_name.rsplit(".", 1)[0]
    words = (known.title, *known.authors, str(known.year or ""), stem, known.venue or "", known.arxiv_id or "")
    return _tokens(" ".join(words))


@lru_cache(maxsize=4_096)
def _tokens(text: str) -> frozenset[str]:
    return frozenset(index_tokens(re.sub(r"(?<=[^\W\d])(?=\d)|_|-", " ", text)))
