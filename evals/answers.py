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
        """Paper and page of each citation."""
        return [(quote.paper, quote.page) for quote in self.quotes]

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
    """Ask every question of the benchmark; difficult files that questions are about are on the session as well."""
    questions = corpus.questions[:limit]
    reports = await session.ingest([*corpus.papers, *difficult(corpus, questions)])
    loud = [f"{name} is not in the library: {r.reason}" for name, r in reports.items() if r.paper is None]
    asked = []
    with progress_bar("questions", len(questions)) as step:
        for question in questions:
            step(question.id)
            asked.append(await ask(corpus, session, question))
    loud += [f"{one.question.id} crashed: {one.error}" for one in asked if one.outcome == "crashed"]
    loud += [
        f"{one.question.id}: not on page {quote.page} of {quote.paper}: {quote.quote}"
        for one in asked
        for quote in one.quotes
        if not quote.stands
    ]
    kinds = list(dict.fromkeys(question.type for question in questions))
    return Run(
        command="answers",
        corpus=str(corpus.root),
        settings=settings,
        systems={OURS: _measures(asked, similarities)},
        by_type={kind: _of_type([one for one in asked if one.question.type == kind]) for kind in kinds},
        cases=[_case(one) for one in asked],
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
    answerable = [one for one in asked if one.question.answerable]
    measures = {
        "quote_fidelity": _fidelity(asked, [q.stands for one in asked for q in one.quotes]),
        "quote_fidelity_without_line_numbers": _fidelity(
            asked, [q.stands_leniently for one in asked for q in one.quotes]
        ),
        "sentences_quoted": share(flag for one in asked for flag in _sentences_quoted(one)),
        "page_cited": share(_page_cited(one) for one in answerable),
        "keywords": share(keywords_said(one) for one in answerable if one.question.keywords),
    }
    for expected, name in _EXPECTED.items():
        chosen = answerable if expected == "answer" else [one for one in asked if one.question.expected == expected]
        measures[f"outcome_{name}"] = share(outcome_right(expected, one.outcome) for one in chosen)
    told = [one for one in asked if one.question.must_not_contain]
    measures["injection_survived"] = share(_survived(one) for one in told)
    return {**measures, **_further(asked, answerable, similarities)}


def _further(asked: Sequence[Asked], answerable: Sequence[Asked], similarities: SemanticSimilarity) -> Measures:
    replied = [one for one in answerable if one.outcome == "answered"]
    shares = [citation_shares(one.question, one.cited) for one in answerable]
    seconds = [one.seconds * 1000 for one in asked]
    times = {"latency_p50_ms": percentile(seconds, 0.5), "latency_p95_ms": percentile(seconds, 0.95)}
    quotes = [{q.marker: q.quote for q in one.quotes} for one in replied]
    pairs = [
        (text, [held[marker] for marker in markers if marker in held])
        for one, held in zip(replied, quotes, strict=True)
        for text, markers in one.sentences
    ]
    return {
        "crashed": share(one.outcome == "crashed" for one in asked),
        "sentences": mean(float(len(one.sentences)) for one in replied),
        "citation_precision": mean(precision for precision, _ in shares),
        "citation_recall": mean(recall for _, recall in shares),
        "keyword_share": mean(_keyword_share(one) for one in answerable if one.question.keywords),
        "reference_f1": mean(token_f1(one.text, one.question.gold_answer) for one in answerable),
        "reference_similarity": mean(similarities.pairs([(o.text, o.question.gold_answer) for o in replied])),
        "relevancy": mean(similarities.pairs([(one.question.text, one.text) for one in replied])),
        "faithfulness": mean(similarities.best(pairs)),
        **{name: Measure(value=value, n=len(seconds), low=value, high=value) for name, value in times.items()},
    }


def _fidelity(asked: Sequence[Asked], flags: Sequence[bool]) -> Measure:
    """An answer without a quote counts as one failed quote."""
    bare = sum(one.outcome == "answered" and not one.quotes for one in asked)
    return proportion(sum(flags), len(flags) + bare)


def _sentences_quoted(one: Asked) -> list[bool]:
    standing = {quote.marker for quote in one.quotes if quote.stands} | {marker for marker, _ in one.derivations}
    return [any(marker in standing for marker in markers) for _, markers in one.sentences]


def _page_cited(one: Asked) -> bool:
    return page_cited(one.question, one.outcome, one.cited)


def keywords_said(one: Asked) -> bool:
    """Whether an answer was given and holds every keyword."""
    return one.outcome == "answered" and all(keyword_hit(one.text, word) for word in one.question.keywords)


def _keyword_share(one: Asked) -> float:
    found = sum(keyword_hit(one.text, word) for word in one.question.keywords)
    return found / len(one.question.keywords) if one.outcome == "answered" else 0.0


def _survived(one: Asked) -> bool:
    shown = " ".join(one.shown.lower().split())
    return one.outcome != "crashed" and not any(word.lower() in shown for word in one.question.must_not_contain)


def _of_type(asked: Sequence[Asked]) -> Measures:
    measures = {"outcome": share(outcome_right(one.question.expected, one.outcome) for one in asked)}
    answerable = [one for one in asked if one.question.gold]
    if answerable:
        measures["page_cited"] = share(_page_cited(one) for one in answerable)
        measures["keywords"] = share(keywords_said(one) for one in answerable if one.question.keywords)
    return measures


def _case(one: Asked) -> Case:
    question = one.question
    scores: dict[str, Json] = {"outcome": float(outcome_right(question.expected, one.outcome))}
    if question.gold:
        scores |= {"page_cited": float(_page_cited(one)), "keywords": float(keywords_said(one))}
    return {
        "id": question.id,
        "type": question.type,
        "question": question.text,
        "expected": question.expected,
        "answerable": question.answerable,
        "gold": [asdict(span) for span in question.gold],
        "gold_answer": question.gold_answer,
        "outcome": one.outcome,
        "mode": one.mode,
        "seconds": one.seconds,
        "sentences": [{"text": text, "markers": list(markers)} for text, markers in one.sentences],
        "citations": [asdict(quote) for quote in one.quotes],
        "derivations": [{"marker": marker, "expression": words} for marker, words in one.derivations],
        "message": one.message,
        "nearest": [{"paper": paper, "page": page, "text": text} for paper, page, text in one.nearest],
        "candidates": list(one.candidates),
        "notes": list(one.notes),
        "error": one.error,
        "scores": scores,
    }
