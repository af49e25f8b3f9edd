"""The last gate before a channel: every sentence leaves with quotes that are printed and that it follows from.

A draft brings its quotes along. They are looked for in the passages and widened to whole sentences or rows; then
plain code compares what must not differ, and the rules for entailment judge. What they cannot prove is left to a
second reading by whoever has one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.domain.citation_format import family_names, first_author_label
from core.domain.entailment import EntailmentPair, EntailmentVerdict
from core.domain.model import Box, Citation, Evidence, Paper, Passage, Sentence, SentenceForm, Span
from core.grounding import arithmetic
from core.grounding.citations import CitationNumbering, strip_markers
from core.grounding.differences import find_differences
from core.grounding.entailment import check_entailment
from core.grounding.numbers import extract_numbers
from core.grounding.quotes import (
    PassageSpan,
    build_quote_spans,
    find_quote,
    locate_quote,
    quotable_units,
    quote_key,
    widen_to_units,
)

MOST_HEAD_LINES = 4
"""Lines above the rows of a table that are quoted with a row."""
_CELL_BORDERS = re.compile(r"\s*\|\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftSentence:
    """A sentence that wants to be said; ``sources`` are pairs of passage id and quote, claimed and not yet believed.

    A passage id that is empty, or that of another passage, costs nothing as long as the quote is printed somewhere.
    ``computation`` is a sum over numbers of the quotes whose result the sentence states; empty where it states none.
    """

    text: str
    sources: tuple[tuple[str, str], ...] = ()
    computation: str = ""


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
class Proof:
    """Quotes from one passage: whole sentences, or rows of a table below its head."""

    evidence: Evidence
    stretches: tuple[PassageSpan, ...]

    @property
    def words(self) -> str:
        """What claims are checked against."""
        return " ".join(stretch.words for stretch in self.stretches)

    @property
    def place(self) -> str:
        """Section and label, and the columns of a table."""
        passage = self.evidence.passage
        columns = f"columns: {' | '.join(passage.table.header)}" if passage.table else ""
        return " . ".join(filter(None, (*passage.section, passage.label, columns)))


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedSentence:
    """A draft whose quotes are printed and differ in nothing hard; ``verdict`` is what the rules make of it."""

    text: str
    form: SentenceForm
    proofs: tuple[Proof, ...]
    verdict: EntailmentVerdict
    computation: str = ""

    @property
    def pair(self) -> EntailmentPair:
        """What a second reading judges; a computation is shown with its result."""
        quotes = tuple(proof.words for proof in self.proofs)
        worked_out = (f"{self.computation} = {arithmetic.format_result(self.computation)}",) if self.computation else ()
        return EntailmentPair(
            sentence=self.text,
            quotes=quotes + worked_out,
            section="; ".join(dict.fromkeys(proof.place for proof in self.proofs)),
            title="; ".join(dict.fromkeys(_cited_as(proof.evidence.paper) for proof in self.proofs)),
        )


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
    """Let through what the evidence proves by the rules, in order; everything else comes back with its reasons."""
    verifier = Verifier(evidence)
    outcomes = [verifier.sentence(draft) for draft in drafts]
    return VerificationResult(
        sentences=tuple(outcome for outcome in outcomes if isinstance(outcome, Sentence)),
        citations=verifier.citations,
        dropped=tuple(outcome for outcome in outcomes if isinstance(outcome, RejectedSentence)),
    )


class Verifier:
    """Verifies sentence by sentence, while an answer is still being written; markers count on."""

    def __init__(self, evidence: Sequence[Evidence], pictures: Sequence[DescribedFigure] = ()) -> None:
        self._pictures = {picture.described.id: picture for picture in pictures}
        self._evidence = {item.passage.id: item for item in evidence}
        around = {passage.id: passage for item in evidence for passage in item.context}
        self._passages: dict[str, Passage] = around | {key: item.passage for key, item in self._evidence.items()}
        self._footnotes = CitationNumbering()

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Every citation used so far, by marker."""
        return self._footnotes.all()

    def sentence(self, draft: DraftSentence) -> Sentence | RejectedSentence:
        """The draft with its markers where the rules prove it, or why it may not be said."""
        checked = self.check(draft)
        if isinstance(checked, RejectedSentence):
            return checked
        if not checked.verdict.entailed:
            return RejectedSentence(text=checked.text, reasons=(checked.verdict.reason,))
        return self.accept(checked)

    def check(self, draft: DraftSentence) -> CheckedSentence | RejectedSentence:
        """The draft with the quotes that are printed and the verdict of the rules, or what is wrong with it."""
        proofs = self.printed(draft)
        if not proofs:
            wanted = "; ".join(f"“{quote}”" for _, quote in draft.sources) or "no quote"
            return RejectedSentence(text=draft.text, reasons=(f"not printed in the passages: {wanted}",))
        if _is_quoted(draft.text, proofs):
            text = draft.text.strip()
            return CheckedSentence(text=text, form="quote", proofs=proofs, verdict=EntailmentVerdict(verdict="yes"))
        text = strip_markers(draft.text)
        reasons = _hard_reasons(text, draft.computation, proofs)
        if reasons:
            return RejectedSentence(text=text, reasons=reasons)
        if draft.computation:
            unsure = EntailmentVerdict(verdict="unsure", reason="it states the result of a computation")
            return CheckedSentence(
                text=text, form="derived", proofs=proofs, verdict=unsure, computation=draft.computation
            )
        verdict = check_entailment(text, [proof.words for proof in proofs], known=_known(proofs))
        return CheckedSentence(text=text, form="paraphrase", proofs=proofs, verdict=verdict)

    def accept(self, checked: CheckedSentence) -> Sentence:
        """A checked sentence with the markers of its quotes and of its computation."""
        markers = [self._cited(proof) for proof in checked.proofs]
        if checked.computation:
            paper_id, result = checked.proofs[0].evidence.paper.id, arithmetic.format_result(checked.computation)
            markers.append(self._footnotes.derive(paper_id, checked.computation, result, markers))
        return Sentence(text=checked.text, markers=tuple(dict.fromkeys(markers)), form=checked.form)

    def quote_instead(self, proofs: Sequence[Proof]) -> Sentence | None:
        """The first quote that is not yet cited, as a sentence of its own, in place of one that could not be said.

        None where there is none; the description of a figure is never quoted.
        """
        cited = [" ".join(span.quote for span in citation.spans) for citation in self.citations]
        for proof in proofs:
            known = any(find_quote(proof.words, words) for words in cited)
            if not known and proof.evidence.passage.id not in self._pictures:
                return Sentence(text=proof.words, markers=(self._cited(proof),), form="quote")
        return None

    def printed(self, draft: DraftSentence) -> tuple[Proof, ...]:
        """The claimed quotes that are really printed, by passage in the order given, widened to whole sentences."""
        found: dict[str, tuple[Evidence, dict[tuple[str, int, int], PassageSpan]]] = {}
        for passage_id, quote in draft.sources:
            evidence, stretches = self._located(passage_id, quote)
            if evidence is not None:
                _, kept = found.setdefault(evidence.passage.id, (evidence, {}))
                kept.update({(part.passage.id, part.start, part.end): part for part in stretches})
        proofs = [Proof(evidence=evidence, stretches=tuple(kept.values())) for evidence, kept in found.values()]
        return tuple(proof for proof in proofs if build_quote_spans(proof.stretches))

    def _located(self, passage_id: str, quote: str) -> tuple[Evidence | None, tuple[PassageSpan, ...]]:
        """Where a quote is printed: in the passage that is named, else in any other."""
        named = self._evidence.get(passage_id)
        others = [item for key, item in self._evidence.items() if key != passage_id]
        for evidence in [named, *others] if named else others:
            stretches = self._stretches(evidence.passage, quote)
            if stretches:
                return evidence, stretches
        return None, ()

    def _stretches(self, passage: Passage, quote: str) -> tuple[PassageSpan, ...]:
        if passage.kind == "table":
            quote = _CELL_BORDERS.sub(" ", quote)
        found = find_quote(quote, passage.text)
        if not found:
            return locate_quote(quote, passage, self._passages.get(passage.next_id or ""))
        start, end = widen_to_units(passage, *found)
        if passage.kind != "table":
            return (PassageSpan(passage=passage, start=start, end=end),)
        rows = [row for row in quotable_units(passage) if start <= row[0] and row[1] <= end]
        lines = [*_table_head(passage, before=start), *rows]
        return tuple(PassageSpan(passage=passage, start=first, end=last) for first, last in lines)

    def _cited(self, proof: Proof) -> int:
        """The marker of a proof: its own words, or the caption of the figure that it describes."""
        picture = self._pictures.get(proof.evidence.passage.id)
        if picture is None:
            return self._footnotes.cite(proof.stretches[0].passage, build_quote_spans(proof.stretches))
        return self._footnotes.cite(picture.caption, picture.spans, seen_by=picture.seen_by)


def _is_quoted(text: str, proofs: Sequence[Proof]) -> bool:
    """Whether each line of ``text`` is quoted whole: words cut out of a sentence may say the opposite."""
    whole = {quote_key(part) for proof in proofs for part in (proof.words, *_units(proof))}
    lines = [line for line in text.splitlines() if line.strip()]
    return quote_key(text) in whole or (bool(lines) and all(quote_key(line) in whole for line in lines))


def _units(proof: Proof) -> Iterator[str]:
    """The stretches of a proof, and the sentences or rows that they are made of."""
    for stretch in proof.stretches:
        yield stretch.words
        for start, end in quotable_units(stretch.passage):
            if stretch.start <= start and end <= stretch.end:
                yield stretch.passage.text[start:end]


def _table_head(passage: Passage, *, before: int) -> list[tuple[int, int]]:
    """The lines of a table's caption and column names, where a row below them is quoted.

    Each line is a quote of its own: the text layer may hold the lines of a table in another order.
    """
    lines = quotable_units(passage)
    heads = lines[: max(0, len(lines) - len(passage.table.rows))] if passage.table else []
    is_above = bool(heads) and len(heads) <= MOST_HEAD_LINES and heads[-1][1] <= before
    return heads if is_above else []


def _known(proofs: Sequence[Proof]) -> str:
    """What a reader sees beside the quotes."""
    return " . ".join(dict.fromkeys(f"{_named(proof.evidence)} . {proof.place}" for proof in proofs))


def _cited_as(paper: Paper) -> str:
    """Title, first author and year."""
    return ", ".join([paper.title, *first_author_label(paper), *filter(None, [str(paper.metadata.year or "")])])


def _named(evidence: Evidence) -> str:
    """What a paper is named by: title, all authors, year."""
    metadata = evidence.paper.metadata
    return " . ".join([evidence.paper.title, *metadata.authors, str(metadata.year or "")])


def _hard_reasons(text: str, computation: str, proofs: Sequence[Proof]) -> tuple[str, ...]:
    """What differs between a sentence and its quotes; the result of its computation counts as quoted."""
    if not any(map(str.isalnum, text)):
        return ("nothing is said",)
    quotes, compared = [proof.words for proof in proofs], _without_years(text, proofs)
    if not computation:
        return find_differences(compared, quotes, known=_known(proofs))
    stated = [number.text for number in extract_numbers(compared)]
    results = [number for number in stated if arithmetic.is_correct_computation(computation, number, quotes)]
    if not results:
        return (f"{computation} is no sum of quoted numbers with a result that the sentence states",)
    return find_differences(compared, [*quotes, *results], known=_known(proofs))


def _without_years(text: str, proofs: Sequence[Proof]) -> str:
    """``text`` without the years of the quoted papers where they stand behind an author, as papers are named."""
    for metadata in {id(proof.evidence): proof.evidence.paper.metadata for proof in proofs}.values():
        for name in family_names(metadata.authors) if metadata.year else ():
            named = rf"(\b{re.escape(name)}\b(?: et al\.?| and \w+| & \w+)?(?:['’]s)?),? \(?{metadata.year}\b\)?"
            text = re.sub(named, r"\1", text)
    return text
