"""Extraction: how many of the cells that papers report are filled, how many filled ones are right, and whether each
filled one stands on the page it cites.

What is right was written down by reading the papers before the extraction was run on them, six papers a sheet: the
first by whoever wrote the rules, the second by a reader who had seen neither rules nor results.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from core.domain.language_models import UNMETERED, LanguageModel, Meter
from core.domain.request_context import RequestContext
from core.domain.studies import Cell, Extraction
from core.services.engine import Engine
from evals.answers import quoted
from evals.datasets import Corpus, CorpusInvalid
from evals.measured_answers import split_sentences
from evals.metrics import keyword_hit
from evals.reference_models import Agreeable, passages_in
from evals.reports import OURS, Case, Json, Measures, Run
from evals.session import Session
from evals.statistics import share

SHEETS = {
    "first sheet": Path(__file__).with_name("extraction_sheet.json"),
    "second sheet": Path(__file__).with_name("extraction_sheet_2.json"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One thing that may stand in a cell: all keywords (``a|b``: either), cited to one of the pages."""

    keywords: tuple[str, ...]
    pages: frozenset[int]
    amended: bool = False

    def fits(self, cell: Cell) -> bool:
        """Whether the cell says it and cites it."""
        cited = {span.page for item in cell.citations for span in item.spans}
        return bool(cited & self.pages) and all(keyword_hit(cell.text, item) for item in self.keywords)


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """What a paper reports for a field, by which sheet. Where it reports nothing, an empty cell is right."""

    sheet: str
    paper: str
    field: str
    reported: bool
    facts: tuple[Fact, ...]

    def right(self, cell: Cell) -> bool:
        """Whether a filled cell is right."""
        return any(fact.fits(cell) for fact in self.facts)

    def right_at_first(self, cell: Cell) -> bool:
        """The same by what was written down before the first run."""
        return any(fact.fits(cell) for fact in self.facts if not fact.amended)


def sheets() -> tuple[Truth, ...]:
    """The truths of all sheets, paper by paper."""
    return tuple(truth for name, path in SHEETS.items() for truth in sheet(name, path))


def sheet(name: str, path: Path) -> tuple[Truth, ...]:
    """The truths of one sheet, paper by paper."""
    papers = json.loads(path.read_text("utf-8"))["papers"]
    return tuple(
        Truth(
            sheet=name,
            paper=paper,
            field=field,
            reported=row["reported"],
            facts=tuple(
                Fact(
                    keywords=tuple(fact["keywords"]),
                    pages=frozenset(fact["pages"]),
                    amended=fact.get("amended", False),
                )
                for fact in row["facts"]
            ),
        )
        for paper, fields in papers.items()
        for field, row in fields.items()
    )


Opener: TypeAlias = Callable[[LanguageModel | None], AbstractAsyncContextManager[Engine]]
Judged: TypeAlias = tuple[Truth, Cell, bool]


async def run(corpus: Corpus, opened: Opener, *, limit: int | None, settings: Mapping[str, Json]) -> Run:
    """Extract the sheets' papers with the standard template and hold the cells against the sheets: as configured, all
    and by sheet, and with two models that bound what a model can do, one that knows the sheets and one that agrees to
    everything.
    """
    judged, rows = await _judged(corpus, opened, None, limit)
    systems = {OURS: _measures(judged)}
    for name in dict.fromkeys(truth.sheet for truth, _, _ in judged):
        systems[f"{OURS}, {name}"] = _measures([item for item in judged if item[0].sheet == name])
    for model in (Knowing(truths=sheets()), Agreeing()):
        systems[f"with {model.identity} model"] = _measures((await _judged(corpus, opened, model, limit))[0])
    fields = list(dict.fromkeys(item.field for item, _, _ in judged))
    return Run(
        command="extraction",
        corpus=str(corpus.root),
        settings={
            **settings,
            "mode": rows[0].making.mode if rows else "",
            "model": rows[0].making.model if rows else "",
        },
        systems=systems,
        by_type={field: _measures([item for item in judged if item[0].field == field]) for field in fields},
        cases=[_case(*item) for item in judged],
        loud=[
            f"{truth.paper}: {truth.field} is not on its page: {cell.text}"
            for truth, cell, stands in judged
            if not stands
        ],
    )


async def _judged(
    corpus: Corpus, opened: Opener, model: LanguageModel | None, limit: int | None
) -> tuple[list[Judged], Sequence[Extraction]]:
    truths = sheets()
    wanted = list(dict.fromkeys(item.paper for item in truths))[:limit]
    paths = [path for path in corpus.papers if path.name in wanted]
    if len(paths) < len(wanted):
        raise CorpusInvalid("the corpus does not hold the papers of the extraction sheets")
    async with opened(model) as engine:
        session = Session(engine=engine)
        reports = await session.ingest(paths)
        ids = {session.name(item.paper.id): item.paper.id for item in reports.values() if item.paper}
        request = RequestContext(scope=session.scope, thread=session.thread("extraction"))
        rows = await engine.studies.extract(request, [ids[name] for name in wanted if name in ids])
    cells = {(session.name(row.paper_id), cell.field): cell for row in rows for cell in row.cells}
    kept = [item for item in truths if (item.paper, item.field) in cells]
    return [
        (item, cells[item.paper, item.field], _stands(corpus, item, cells[item.paper, item.field])) for item in kept
    ], rows


@dataclass
class Agreeing(Agreeable):
    """Finds every field reported, and names the first sentence that it sees."""

    identity: str = "an agreeing"

    async def structured(
        self, prompt: str, schema: Mapping[str, object], *, system: str = "", meter: Meter = UNMETERED
    ) -> Mapping[str, object]:
        """The first sentence."""
        seen = _seen(prompt)
        return {"reported": True, "value": seen[0] if seen else "yes"}


@dataclass(kw_only=True)
class Knowing(Agreeable):
    """Names the sentence that holds a fact of the sheets, and otherwise says that nothing is reported."""

    truths: tuple[Truth, ...]
    identity: str = "a knowing"

    async def structured(
        self, prompt: str, schema: Mapping[str, object], *, system: str = "", meter: Meter = UNMETERED
    ) -> Mapping[str, object]:
        """The first sentence of the passages that fits."""
        facts = [fact for item in self.truths if f"Field: {item.field} (" in prompt for fact in item.facts]
        fitting = (
            words
            for words in _seen(prompt)
            for fact in facts
            if all(keyword_hit(words, word) for word in fact.keywords)
        )
        value = next(fitting, "")
        return {"reported": bool(value), "value": value}


def _seen(prompt: str) -> list[str]:
    """The sentences of the passages that a prompt holds."""
    return [" ".join(sentence.split()) for body in passages_in(prompt) for sentence in split_sentences(body)]


def _stands(corpus: Corpus, truth: Truth, cell: Cell) -> bool:
    """Whether every quote of a filled cell stands on its page, and every filled cell has one."""
    if not cell.reported:
        return True
    spans = [(item.marker, span) for item in cell.citations for span in item.spans]
    found = [
        quoted(corpus, marker=marker, paper=truth.paper, page=span.page, section="", quote=span.quote)
        for marker, span in spans
    ]
    return bool(found) and all(item.stands_leniently for item in found)


def _measures(judged: Sequence[tuple[Truth, Cell, bool]]) -> Measures:
    filled = [(truth, cell) for truth, cell, _ in judged if cell.reported]
    return {
        "filled": share(cell.reported for truth, cell, _ in judged if truth.reported),
        "right": share(truth.right(cell) for truth, cell in filled),
        "right_by_the_first_sheet": share(truth.right_at_first(cell) for truth, cell in filled),
        "filled_and_right": share(truth.right(cell) for truth, cell, _ in judged if truth.reported),
        "left_empty": share(not cell.reported for truth, cell, _ in judged if not truth.reported and not truth.facts),
        "verified": share(stands for _, cell, stands in judged if cell.reported),
    }


def _case(truth: Truth, cell: Cell, stands: bool) -> Case:
    pages = sorted({span.page for item in cell.citations for span in item.spans})
    return {
        "id": f"{truth.paper}/{truth.field}",
        "type": truth.field,
        "reported": truth.reported,
        "text": cell.text,
        "pages": pages,
        "quotes": [span.quote for item in cell.citations for span in item.spans],
        "scores": {
            "filled": float(cell.reported),
            "right": float(truth.right(cell)),
            "verified": float(stands),
        },
    }
