"""The last gate before a channel: every sentence leaves with quotes that are printed and that support it.

What a draft says about its own sources is a hint and no more: quotes are looked for in the passages, widened to
whole sentences, and where the hinted ones do not bear the sentence out, others are tried.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import product

from core.domain.model import Box, Citation, Evidence, Passage, Sentence, Span
from core.grounding import arithmetic, numbers
from core.grounding.citations import CitationNumbering, strip_markers
from core.grounding.differences import find_differences
from core.grounding.entailment import check_entailment
from core.grounding.quotes import (
    PassageSpan,
    build_quote_spans,
    closest_sentences,
    content_words,
    find_quote,
    locate_quote,
    quotable_units,
    widen_to_units,
)
from core.text import index_tokens

MAX_CLOSEST_SENTENCES = 6
"""How many of the closest sentences of all passages are tried for a draft without a usable quote."""
MAX_UNITS_PER_OPERAND, MAX_COMBINATIONS = 3, 9
"""Places tried for each number of a computation, and sets of these."""
_SOURCES = (
    r"\b(?:sources?|passages?|contexts?|excerpts?|documents?|papers?|articles?|texts?|evidence|information|they|it)\b"
)
_DENIES = r"(?:\bnot\b|n't\b|\bno\b|\bnothing\b|\bcannot\b|\binsufficient\b|\bwithout\b|\bunclear\b)"
_REFUSAL = re.compile(
    rf"(?:{_SOURCES}.{{0,60}}?{_DENIES}|{_DENIES}.{{0,30}}?{_SOURCES})(?P<rest>.{{0,60}})", re.IGNORECASE
)
_REFUSING = frozenset(
    """
mention mentioned mentions state stated states provide provided provides specify specified specifies contain contained
contains discuss discussed discusses report reported reports include included includes describe described describes
address addressed addresses give gives given say said says find found indicate indicated available disclosed
""".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Computation:
    """A shown calculation: ``expression`` over numbers that quotes hold, and the ``result`` as the draft prints it."""

    expression: str
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftSentence:
    """A sentence that wants to be said; ``sources`` are pairs of passage id and quote, claimed and not yet believed.

    ``about`` are index tokens of the question, where whoever wrote the sentence may have written beside the point:
    one of them must stand in the sentence or in what is quoted for it.
    """

    text: str
    sources: tuple[tuple[str, str], ...] = ()
    computation: Computation | None = None
    about: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectedSentence:
    """A draft that may not be said, and why."""

    text: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationResult:
    """What may be said, with citations numbered in order of use, and what may not."""

    sentences: tuple[Sentence, ...] = ()
    citations: tuple[Citation, ...] = ()
    dropped: tuple[RejectedSentence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Proof:
    """Quotes from one place, to cite and to check claims against."""

    evidence: Evidence
    stretches: tuple[PassageSpan, ...]

    @property
    def words(self) -> str:
        return " ".join(stretch.words for stretch in self.stretches)

    @property
    def place(self) -> str:
        """Section and label."""
        passage = self.evidence.passage
        return " . ".join((*passage.section, passage.label or ""))

    @property
    def background(self) -> str:
        """Title, section and label: what a reader sees beside the quote."""
        return f"{self.evidence.paper.title} . {self.place}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedFigure:
    """A figure that a vision model described: ``described`` has the description as its text and is never quoted;
    the caption is.
    """

    described: Passage
    caption: Passage
    box: Box
    seen_by: str

    @property
    def spans(self) -> tuple[Span, ...]:
        """The first sentence of the caption, with the figure itself marked on the page."""
        units = quotable_units(self.caption)[:1]
        stretches = [PassageSpan(passage=self.caption, start=start, end=end) for start, end in units]
        return tuple(replace(span, boxes=(*span.boxes, self.box)) for span in build_quote_spans(stretches))


def verify(drafts: Sequence[DraftSentence], evidence: Sequence[Evidence]) -> VerificationResult:
    """Let through what the evidence bears out, in order; everything else comes back with its reasons."""
    desk = Verifier(evidence)
    sentences: list[Sentence] = []
    dropped: list[RejectedSentence] = []
    for draft in drafts:
        outcome = desk.sentence(draft)
        if isinstance(outcome, Sentence):
            sentences.append(outcome)
        else:
            dropped.append(outcome)
    return VerificationResult(sentences=tuple(sentences), citations=desk.citations, dropped=tuple(dropped))


class Verifier:
    """Verifies sentence by sentence, while an answer is still being written; markers count on."""

    def __init__(self, evidence: Sequence[Evidence], pictures: Sequence[DescribedFigure] = ()) -> None:
        self._pictures = {one.described.id: one for one in pictures}
        self._evidence = {one.passage.id: one for one in evidence}
        around = {passage.id: passage for one in evidence for passage in one.context}
        self._passages: dict[str, Passage] = around | {key: one.passage for key, one in self._evidence.items()}
        self._footnotes = CitationNumbering()

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Every citation used so far, by marker."""
        return self._footnotes.all()

    def sentence(self, draft: DraftSentence) -> Sentence | RejectedSentence:
        """The draft with its markers, or why it may not be said."""
        hinted = self._hinted(draft)
        text = draft.text.strip()
        if not any(find_quote(text, proof.words) for proof in hinted):
            text = strip_markers(text)
        if not text:
            return RejectedSentence(text=draft.text, reasons=("nothing is said",))
        reasons: tuple[str, ...] = ()
        for proofs in self._attempts(text, hinted, draft.computation):
            reasons_now = _off_topic_reasons(text, draft.about, proofs) or self._objections(
                text, draft.computation, proofs
            )
            if not reasons_now:
                return self._said(text, draft.computation, proofs)
            reasons = reasons or reasons_now
        if is_refusal(text):
            return RejectedSentence(text=text, reasons=("a refusal, not an answer",))
        return RejectedSentence(text=text, reasons=reasons or ("no passage holds its words",))

    def _attempts(self, text: str, hinted: Sequence[_Proof], computation: Computation | None) -> list[list[_Proof]]:
        """Sets of quotes to try, the cheapest first: each hinted one, all hinted ones, the closest, pairs of these."""
        if computation is not None:
            return [list(hinted), *self._operands(text, computation)] if hinted else self._operands(text, computation)
        closest = self._closest(text)
        single = [[proof] for proof in (*hinted, *closest)]
        together = [list(hinted)] if len(hinted) > 1 else []
        pairs = [[closest[0], other] for other in closest[1:4]]
        return [*single[: len(hinted)], *together, *single[len(hinted) :], *pairs]

    def _objections(self, text: str, computation: Computation | None, proofs: Sequence[_Proof]) -> tuple[str, ...]:
        quotes = [proof.words for proof in proofs]
        background = " . ".join(dict.fromkeys(proof.background for proof in proofs))
        if computation is None:
            verdict = check_entailment(text, quotes, known=background)
            return () if verdict.entailed else (verdict.reason,)
        shown = f"{computation.expression} = {computation.result}"
        if not arithmetic.is_correct_computation(computation.expression, computation.result, quotes):
            return (f"{shown} does not follow from the quotes",)
        return find_differences(text, [*quotes, shown], known=background)

    def _said(self, text: str, computation: Computation | None, proofs: Sequence[_Proof]) -> Sentence:
        markers = [self._cited(proof) for proof in proofs]
        if computation is not None:
            paper_id = proofs[0].evidence.paper.id
            markers.append(self._footnotes.derive(paper_id, computation.expression, computation.result, markers))
        return Sentence(text=text, markers=tuple(dict.fromkeys(markers)))

    def _cited(self, proof: _Proof) -> int:
        """The marker of a proof: its own words, or the caption of the figure that it describes."""
        picture = self._pictures.get(proof.evidence.passage.id)
        if picture is None:
            return self._footnotes.cite(proof.stretches[0].passage, build_quote_spans(proof.stretches))
        return self._footnotes.cite(picture.caption, picture.spans, seen_by=picture.seen_by)

    def _hinted(self, draft: DraftSentence) -> list[_Proof]:
        """The claimed quotes that are really printed, widened to whole sentences."""
        proofs = []
        for passage_id, quote in draft.sources:
            evidence = self._evidence.get(passage_id)
            if evidence is None:
                continue
            proof = self._printed(evidence, quote)
            if proof:
                proofs.append(proof)
        return proofs

    def _printed(self, evidence: Evidence, quote: str) -> _Proof | None:
        passage = evidence.passage
        found = find_quote(quote, passage.text)
        if found:
            start, end = widen_to_units(passage, *found)
            return _build_proof(evidence, (PassageSpan(passage=passage, start=start, end=end),))
        return _build_proof(evidence, locate_quote(quote, passage, self._passages.get(passage.next_id or "")))

    def _operands(self, text: str, computation: Computation) -> list[list[_Proof]]:
        """Sets of quotes that hold the numbers of a computation, those that share most words with ``text`` first."""
        words = content_words(text)
        held: list[list[_Proof]] = []
        for operand in dict.fromkeys(arithmetic.extract_operands(computation.expression)):
            found = [
                (-len(words & set(index_tokens(proof.words))), order, proof)
                for order, proof in enumerate(self._units_with(operand))
            ]
            if found:
                held.append([proof for _, _, proof in sorted(found, key=lambda one: one[:2])[:MAX_UNITS_PER_OPERAND]])
        return [_unique_proofs(chosen) for chosen in product(*held)][:MAX_COMBINATIONS] if held else []

    def _units_with(self, operand: Decimal) -> Iterator[_Proof]:
        for one in self._evidence.values():
            for start, end in quotable_units(one.passage):
                if any(
                    abs(number.value) == operand
                    for number in numbers.extract_number_variants(one.passage.text[start:end])
                ):
                    proof = _build_proof(one, (PassageSpan(passage=one.passage, start=start, end=end),))
                    if proof:
                        yield proof

    def _closest(self, text: str) -> list[_Proof]:
        """The sentences of all passages that hold most words of ``text``."""
        ranked = [
            (share, order, evidence, start, end)
            for order, evidence in enumerate(self._evidence.values())
            for share, start, end in closest_sentences(text, evidence.passage)
        ]
        best = sorted(ranked, key=lambda one: (-one[0], one[1]))[:MAX_CLOSEST_SENTENCES]
        proofs = [
            _build_proof(one, (PassageSpan(passage=one.passage, start=start, end=end),))
            for _, _, one, start, end in best
        ]
        return [proof for proof in proofs if proof]


def _build_proof(evidence: Evidence, stretches: tuple[PassageSpan, ...]) -> _Proof | None:
    """A proof, if the file itself has words of the stretches to quote."""
    return _Proof(evidence=evidence, stretches=stretches) if build_quote_spans(stretches) else None


def _unique_proofs(proofs: Sequence[_Proof]) -> list[_Proof]:
    return list({(one.evidence.passage.id, one.words): one for one in proofs}.values())


def _off_topic_reasons(text: str, about: frozenset[str], proofs: Sequence[_Proof]) -> tuple[str, ...]:
    if not about:
        return ()
    shown = " ".join([text, *(f"{proof.words} {proof.place}" for proof in proofs)])
    return () if about & frozenset(index_tokens(shown)) else ("says nothing of what is asked",)


def is_refusal(text: str) -> bool:
    """Whether a sentence says that the sources say nothing: that is no answer, however it is cited."""
    match = _REFUSAL.search(text)
    if match is None:
        return False
    return any(word in _REFUSING for word in re.findall(r"\w+", match["rest"].lower()))
