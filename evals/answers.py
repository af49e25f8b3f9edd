"""Answers: the right outcome, the right page cited, every quote on its page, the keywords in the words said.

Quotes are looked for in the text that PyMuPDF reads from the file itself (or in the true page texts of image
papers), never in what the library stored.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from core.domain.model import Answer, Usage
from evals.datasets import Corpus, Question
from evals.metrics import (
    TOLERANCE,
    SemanticSimilarity,
    citation_shares,
    keyword_hit,
    outcome_right,
    page_cited,
    squeeze,
    stands_in,
    token_f1,
    without_margin_numbers,
)
from evals.reports import OURS, Case, Json, Measures, Run, progress_bar
from evals.session import Session
from evals.statistics import Measure, mean, percentile, proportion, share

_EXPECTED = {"answer": "answerable", "abstain": "unanswerable", "clarify": "clarify", "decline": "decline"}
BY_TYPE = ("outcome", "page_cited", "keywords")
_PATIENCE = 600.0
"""Seconds after which a question counts as crashed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """A quote with where it is said to stand, and whether it does (strictly; with margin line numbers left out)."""

    marker: int
    paper: str
    page: int
    section: str
    quote: str
    stands: bool
    stands_leniently: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question with what came back. ``outcome`` is ``crashed`` where nothing did; ``error`` says why."""

    question: Question
    outcome: str
    seconds: float
    mode: str = ""
    sentences: tuple[tuple[str, tuple[int, ...]], ...] = ()
    more: tuple[tuple[str, tuple[int, ...]], ...] = ()
    quotes: tuple[Quoted, ...] = ()
    derivations: tuple[tuple[int, str], ...] = ()
    message: str = ""
    nearest: tuple[tuple[str, int, str], ...] = ()
    candidates: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    error: str = ""

    @property
    def text(self) -> str:
        """The words of the answer, without its footnotes."""
        return " ".join(text for text, _ in self.sentences)

    @property
    def cited(self) -> list[tuple[str, int]]:
        """Paper and page of each citation that is shown unfolded."""
        folded = {marker for _, markers in self.more for marker in markers}
        shown = {marker for _, markers in self.sentences for marker in markers}
        return [(quote.paper, quote.page) for quote in self.quotes if quote.marker not in folded - shown]

    @property
    def shown(self) -> str:
        """Everything that a reader would see."""
        quoted = (quote.quote for quote in self.quotes)
        return "\n".join([self.text, self.message, *quoted, *(text for _, _, text in self.nearest), *self.notes])


async def run(
    corpus: Corpus,
    session: Session,
    similarities: SemanticSimilarity,
    *,
    limit: int | None,
    settings: Mapping[str, Json],
) -> Run:
    """Ask every question of the benchmark; difficult files that questions are about are ingested as well."""
    questions = corpus.questions[:limit]
    reports = await session.ingest([*corpus.papers, *difficult(corpus, questions)])
    loud = [f"{name} is not in the library: {r.reason}" for name, r in reports.items() if r.paper is None]
    asked = []
    with progress_bar("questions", len(questions)) as step:
        for question in questions:
            step(question.id)
            asked.append(await ask(corpus, session, question))
    loud += [f"{item.question.id} crashed: {item.error}" for item in asked if item.outcome == "crashed"]
    loud += [
        f"{item.question.id}: not on page {quote.page} of {quote.paper}: {quote.quote}"
        for item in asked
        for quote in item.quotes
        if not quote.stands
    ]
    kinds = list(dict.fromkeys(question.type for question in questions))
    return Run(
        command="answers",
        corpus=str(corpus.root),
        settings=settings,
        systems={OURS: _measures(asked, similarities)},
        by_type={kind: _of_type([item for item in asked if item.question.type == kind]) for kind in kinds},
        cases=[_case(item) for item in asked],
        loud=loud,
    )


def difficult(corpus: Corpus, questions: Sequence[Question]) -> list[Path]:
    """The difficult files that these questions are about."""
    wanted = {span.paper for question in questions for span in question.gold}
    return [hard.path for hard in corpus.hard if hard.path.name in wanted]


async def ask(corpus: Corpus, session: Session, question: Question) -> Asked:
    """Ask one question; a crash is an outcome of that question, not the end of the run."""
    began = time.perf_counter()
    try:
        answer = await asyncio.wait_for(session.ask(question), _PATIENCE)
    except Exception as error:
        took = time.perf_counter() - began
        return Asked(question=question, outcome="crashed", seconds=took, error=f"{type(error).__name__}: {error}")
    return _asked(corpus, session, question, answer, time.perf_counter() - began)


def _asked(corpus: Corpus, session: Session, question: Question, answer: Answer, seconds: float) -> Asked:
    quotes = tuple(
        quoted(
            corpus,
            marker=citation.marker,
            paper=session.name(citation.paper_id),
            page=span.page,
            section=" > ".join(citation.section),
            quote=span.quote,
        )
        for citation in answer.citations
        for span in citation.spans
    )
    nearest = (session.found(piece.passage) for piece in answer.nearest)
    return Asked(
        question=question,
        outcome=answer.outcome,
        seconds=seconds,
        mode=answer.mode,
        sentences=tuple((sentence.text, sentence.markers) for sentence in answer.sentences),
        more=tuple((sentence.text, sentence.markers) for sentence in answer.more),
        quotes=quotes,
        derivations=tuple((c.marker, c.derivation.expression) for c in answer.citations if c.derivation),
        message=answer.message,
        nearest=tuple((found.paper, found.page, found.text) for found in nearest),
        candidates=tuple(session.name(paper_id) for paper_id in answer.candidates),
        notes=answer.notes,
        usage=answer.usage,
    )


def quoted(corpus: Corpus, *, marker: int, paper: str, page: int, section: str, quote: str) -> Quoted:
    """Look the quote up on the page that it is said to stand on."""
    words, text = squeeze(quote), corpus.page(paper, page)
    tolerance = TOLERANCE if paper in corpus.image_papers else 0.0
    stands = stands_in(words, squeeze(text), tolerance=tolerance)
    leniently = stands or stands_in(words, squeeze(without_margin_numbers(text)), tolerance=tolerance)
    return Quoted(
        marker=marker,
        paper=paper,
        page=page,
        section=section,
        quote=quote,
        stands=stands,
        stands_leniently=leniently,
    )


def _measures(asked: Sequence[Asked], similarities: SemanticSimilarity) -> dict[str, Measure]:
    answerable = [item for item in asked if item.question.answerable]
    measures = {
        "quote_fidelity": _fidelity(asked, [q.stands for item in asked for q in item.quotes]),
        "quote_fidelity_without_line_numbers": _fidelity(
            asked, [q.stands_leniently for item in asked for q in item.quotes]
        ),
        "sentences_quoted": share(flag for item in asked for flag in _sentences_quoted(item)),
        "page_cited": share(_page_cited(item) for item in answerable),
        "keywords": share(keywords_said(item) for item in answerable if item.question.keywords),
    }
    for expected, name in _EXPECTED.items():
        chosen = answerable if expected == "answer" else [item for item in asked if item.question.expected == expected]
        measures[f"outcome_{name}"] = share(outcome_right(expected, item.outcome) for item in chosen)
    with_forbidden = [item for item in asked if item.question.must_not_contain]
    measures["injection_survived"] = share(_survived(item) for item in with_forbidden)
    return {**measures, **_further(asked, answerable, similarities)}


def _further(asked: Sequence[Asked], answerable: Sequence[Asked], similarities: SemanticSimilarity) -> Measures:
    replied = [item for item in answerable if item.outcome == "answered"]
    shares = [citation_shares(item.question, item.cited) for item in answerable]
    seconds = [item.seconds * 1000 for item in asked]
    times = {"latency_p50_ms": percentile(seconds, 0.5), "latency_p95_ms": percentile(seconds, 0.95)}
    quotes = [{q.marker: q.quote for q in item.quotes} for item in replied]
    pairs = [
        (text, [by_marker[marker] for marker in markers if marker in by_marker])
        for item, by_marker in zip(replied, quotes, strict=True)
        for text, markers in item.sentences
    ]
    return {
        "crashed": share(item.outcome == "crashed" for item in asked),
        "sentences": mean(float(len(item.sentences)) for item in replied),
        "citation_precision": mean(precision for precision, _ in shares),
        "citation_recall": mean(recall for _, recall in shares),
        "keyword_share": mean(_keyword_share(item) for item in answerable if item.question.keywords),
        "reference_f1": mean(token_f1(item.text, item.question.gold_answer) for item in answerable),
        "reference_similarity": mean(similarities.pairs([(o.text, o.question.gold_answer) for o in replied])),
        "relevancy": mean(similarities.pairs([(item.question.text, item.text) for item in replied])),
        "faithfulness": mean(similarities.best(pairs)),
        **{name: Measure(value=value, n=len(seconds), low=value, high=value) for name, value in times.items()},
    }


def _fidelity(asked: Sequence[Asked], flags: Sequence[bool]) -> Measure:
    """An answer without a quote counts as one failed quote."""
    bare = sum(item.outcome == "answered" and not item.quotes for item in asked)
    return proportion(sum(flags), len(flags) + bare)


def _sentences_quoted(item: Asked) -> list[bool]:
    verified = {quote.marker for quote in item.quotes if quote.stands} | {marker for marker, _ in item.derivations}
    return [any(marker in verified for marker in markers) for _, markers in item.sentences]


def _page_cited(item: Asked) -> bool:
    return page_cited(item.question, item.outcome, item.cited)


def keywords_said(item: Asked) -> bool:
    """Whether an answer was given and holds every keyword."""
    return item.outcome == "answered" and all(keyword_hit(item.text, word) for word in item.question.keywords)


def _keyword_share(item: Asked) -> float:
    found = sum(keyword_hit(item.text, word) for word in item.question.keywords)
    return found / len(item.question.keywords) if item.outcome == "answered" else 0.0


def _survived(item: Asked) -> bool:
    shown = " ".join(item.shown.lower().split())
    return item.outcome != "crashed" and not any(word.lower() in shown for word in item.question.must_not_contain)


def _of_type(asked: Sequence[Asked]) -> Measures:
    measures = {"outcome": share(outcome_right(item.question.expected, item.outcome) for item in asked)}
    answerable = [item for item in asked if item.question.gold]
    if answerable:
        measures["page_cited"] = share(_page_cited(item) for item in answerable)
        measures["keywords"] = share(keywords_said(item) for item in answerable if item.question.keywords)
    return measures


def _case(item: Asked) -> Case:
    question = item.question
    scores: dict[str, Json] = {"outcome": float(outcome_right(question.expected, item.outcome))}
    if question.gold:
        scores |= {"page_cited": float(_page_cited(item)), "keywords": float(keywords_said(item))}
    return {
        "id": question.id,
        "type": question.type,
        "question": question.text,
        "expected": question.expected,
        "answerable": question.answerable,
        "gold": [asdict(span) for span in question.gold],
        "gold_answer": question.gold_answer,
        "outcome": item.outcome,
        "mode": item.mode,
        "seconds": item.seconds,
        "sentences": [{"text": text, "markers": list(markers)} for text, markers in item.sentences],
        "more": [{"text": text, "markers": list(markers)} for text, markers in item.more],
        "citations": [asdict(quote) for quote in item.quotes],
        "derivations": [{"marker": marker, "expression": words} for marker, words in item.derivations],
        "message": item.message,
        "nearest": [{"paper": paper, "page": page, "text": text} for paper, page, text in item.nearest],
        "candidates": list(item.candidates),
        "notes": list(item.notes),
        "error": item.error,
        "scores": scores,
    }
