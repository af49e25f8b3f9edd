"""Reading: headings, titles, authors, captions, reading order, evidence within one passage, character errors.

What was read is kept as plain values in the cases; the printed structure of the corpus is the reference.
"""

import asyncio
import pickle
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from core.domain.errors import FootnoteError
from core.domain.model import Passage, Reading
from evals.datasets import Corpus, Gold, Structure
from evals.measured_answers import counts
from evals.metrics import norm
from evals.parsing_metrics import (
    CharacterErrors,
    PaperRead,
    authors_right,
    caption_found,
    compare_characters,
    evidence_in_two,
    evidence_reachable,
    headings_in_order,
    page_text,
    probe_adjacent,
    running_text,
    title_right,
)
from evals.reports import OURS, Case, Json, Run, progress_bar
from evals.session import Session
from evals.statistics import Measure, proportion, share


async def run(corpus: Corpus, session: Session, *, cache: Path, limit: int | None, settings: Mapping[str, Json]) -> Run:
    """Read every paper and compare it with what is printed. ``cache`` is a folder for finished readings."""
    reads, failed = await _read_all(session, corpus.papers[:limit], cache)
    printed = [item for item in corpus.structure if item.paper in reads]
    spans = [(q.id, span) for q in corpus.answerable for span in q.gold if span.paper in reads]
    errors = {file: _characters(corpus, reads[file]) for file in sorted(corpus.image_papers) if file in reads}
    measures = {**_printed(printed, reads), **_evidence(corpus, spans, reads), **_errors(errors.values())}
    loud = [f"{name} could not be read: {why}" for name, why in failed.items()]
    loud += [f"no passage holds {key}, {s.paper} page {s.page}: {s.evidence}" for key, s in _lost(corpus, spans, reads)]
    if not corpus.structure:
        loud.append("the corpus has no structure.json: headings, titles and the like are not measured")
    structures = {item.paper: item for item in printed}
    return Run(
        command="parsing",
        corpus=str(corpus.root),
        settings=settings,
        systems={OURS: measures},
        cases=[_case(corpus, read, structures.get(read.paper), errors.get(read.paper)) for read in reads.values()],
        loud=loud,
    )


async def _read_all(
    session: Session, paths: Sequence[Path], cache: Path
) -> tuple[dict[str, PaperRead], dict[str, str]]:
    reads, failed = {}, {}
    with progress_bar("papers", len(paths)) as step:
        for path in paths:
            step(path.name)
            try:
                reads[path.name] = plain(path.name, await _reading(session, path, cache))
            except FootnoteError as error:
                failed[path.name] = error.words
    return reads, failed


async def _reading(session: Session, path: Path, cache: Path) -> Reading:
    """A reading of this code kept from an earlier run, or a new one. The cache is our own, so unpickling is safe."""
    kept = cache / f"{path.name[:80]}-{await session.paper_id(path)}.pickle"
    if kept.is_file():
        reading = pickle.loads(kept.read_bytes())
        if isinstance(reading, Reading):
            return reading
    reading = await session.engine.papers.read(path)
    await asyncio.to_thread(kept.write_bytes, pickle.dumps(reading))
    return reading


def plain(file: str, reading: Reading) -> PaperRead:
    """A reading as plain values."""
    meta = reading.metadata
    return PaperRead(
        paper=file,
        title=meta.title,
        authors=meta.authors,
        headings=tuple((heading.text, heading.page) for heading in reading.headings),
        captions=tuple(_captions(reading)),
        passages=tuple((piece.kind, Session.plain(file, piece)) for piece in reading.passages),
        tables=counts(reading)["tables"],
        figures=len({figure.label or figure.id for figure in reading.figures}),
        kind=reading.kind,
        warnings=reading.warnings,
        references=tuple((entry.raw, entry.page) for entry in reading.references),
    )


def _captions(reading: Reading) -> Iterable[tuple[int, str]]:
    for piece in reading.passages:
        if piece.kind == "caption":
            yield piece.page, piece.text
        elif piece.kind in ("figure", "table"):
            yield from ((piece.page, rest) for rest in _line_starts(piece))
    for figure in reading.figures:
        yield figure.page, figure.caption
        if not figure.caption.startswith(figure.label):
            yield figure.page, f"{figure.label} {figure.caption}"


def _line_starts(piece: Passage) -> Iterable[str]:
    """A table or figure may carry its caption before or behind its own words."""
    lines = piece.text.splitlines()
    return (" ".join(lines[number:]) for number in range(len(lines)))


def _printed(printed: Sequence[Structure], reads: Mapping[str, PaperRead]) -> dict[str, Measure]:
    pairs = [(item, reads[item.paper]) for item in printed]
    agreed = sum(headings_in_order(read.headings, item.headings) for item, read in pairs)
    bodies = {item.paper: running_text(read) for item, read in pairs}
    return {
        "heading_precision": proportion(agreed, sum(len(read.headings) for _, read in pairs)),
        "heading_recall": proportion(agreed, sum(len(item.headings) for item, _ in pairs)),
        "titles": share(title_right(read, item) for item, read in pairs if item.title),
        "authors": share(authors_right(read, item) for item, read in pairs if item.authors),
        "captions": share(caption_found(caption, read) for item, read in pairs for caption in item.captions),
        "probes": share(probe_adjacent(probe, bodies[item.paper]) for item, _ in pairs for probe in item.probes),
        "tables_counted": share(read.tables == item.tables for item, read in pairs if item.tables is not None),
        "figures_counted": share(read.figures == item.figures for item, read in pairs if item.figures is not None),
    }


def _evidence(corpus: Corpus, spans: Sequence[tuple[str, Gold]], reads: Mapping[str, PaperRead]) -> dict[str, Measure]:
    images = corpus.image_papers
    flags = [(span.paper in images, evidence_reachable(span, reads[span.paper], images)) for _, span in spans]
    return {
        "evidence_reachable": share(flag for _, flag in flags),
        "evidence_reachable_born_digital": share(flag for image, flag in flags if not image),
        "evidence_reachable_image": share(flag for image, flag in flags if image),
        "evidence_cut_in_two": share(
            not flag and evidence_in_two(span, reads[span.paper])
            for (_, flag), (_, span) in zip(flags, spans, strict=True)
        ),
    }


def _lost(corpus: Corpus, spans: Sequence[tuple[str, Gold]], reads: Mapping[str, PaperRead]) -> list[tuple[str, Gold]]:
    images = corpus.image_papers
    return [(key, span) for key, span in spans if not evidence_reachable(span, reads[span.paper], images)]


def _characters(corpus: Corpus, read: PaperRead) -> CharacterErrors:
    truth = corpus.pages(read.paper)
    pages = [page_text(read, number) for number in range(1, len(truth) + 1)]
    for text, page in (*read.headings, *read.references):
        if 1 <= page <= len(pages):
            pages[page - 1] += f"\n{text}"
    if pages:
        pages[0] += "\n" + "\n".join([read.title, *read.authors])
    return compare_characters(pages, truth)


def _errors(errors: Iterable[CharacterErrors]) -> dict[str, Measure]:
    every = list(errors)
    return {
        "cer": proportion(sum(item.edits for item in every), sum(item.length for item in every)),
        "lines_in_order": proportion(sum(item.in_order for item in every), sum(item.found for item in every)),
    }


def _case(corpus: Corpus, read: PaperRead, printed: Structure | None, errors: CharacterErrors | None) -> Case:
    return {
        "id": read.paper,
        "type": read.kind,
        "paper": read.paper,
        "title": read.title,
        "authors": list(read.authors),
        "headings": [{"text": text, "page": page} for text, page in read.headings],
        "captions": [{"page": page, "text": text} for page, text in read.captions if text],
        "tables": read.tables,
        "figures": read.figures,
        "warnings": list(read.warnings),
        "passages": [
            {"kind": kind, "page": found.page, "section": found.section, "text": found.text}
            for kind, found in read.passages
        ],
        "characters": asdict(errors) if errors else None,
        "wrong": _wrong(read, printed) if printed else {},
        "scores": _scores(read, printed) if printed else {},
    }


def _scores(read: PaperRead, printed: Structure) -> dict[str, Json]:
    agreed = headings_in_order(read.headings, printed.headings)
    found = sum(caption_found(caption, read) for caption in printed.captions)
    return {
        "heading_precision": agreed / max(1, len(read.headings)),
        "heading_recall": agreed / max(1, len(printed.headings)),
        "titles": float(title_right(read, printed)),
        "authors": float(authors_right(read, printed)),
        "captions": found / max(1, len(printed.captions)),
    }


def _wrong(read: PaperRead, printed: Structure) -> dict[str, Json]:
    """What to look at: headings missed and too many, captions and probes missed."""
    ours = {(norm(text), page) for text, page in read.headings}
    theirs = {(norm(text), page) for text, page in printed.headings}
    body = running_text(read)
    return {
        "headings_missed": [
            f"{text} (page {page})" for text, page in printed.headings if (norm(text), page) not in ours
        ],
        "headings_too_many": [
            f"{text} (page {page})" for text, page in read.headings if (norm(text), page) not in theirs
        ],
        "captions_missed": [f"{c.start} (page {c.page})" for c in printed.captions if not caption_found(c, read)],
        "probes_missed": [f"{p.before} | {p.after}" for p in printed.probes if not probe_adjacent(p, body)],
        "title_printed": printed.title,
        "authors_printed": list(printed.authors),
        "tables_printed": printed.tables,
        "figures_printed": printed.figures,
    }
