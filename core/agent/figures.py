"""Has figures looked at: which ones, when, and how what was seen becomes evidence that is cited by the caption.

Looking costs a call to a vision model and its words are printed nowhere, so it happens where the question asks for a
figure or the words of the papers were not enough, two figures at most, and the footer says who looked.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.agent import messages
from core.agent.generative.plain_sentence import plain
from core.agent.generative.prompt_injection import is_instruction
from core.agent.reasoner import Captioned, RunContext
from core.agent.state import Finding, Judgement, Searched
from core.domain.errors import ModelUnavailable
from core.domain.model import Evidence, Paper
from core.grounding.verify import DescribedFigure
from core.text import index_tokens, split_sentences
from core.understanding.query_terms import coverage, terms

FIGURES = 2
"""Figures looked at for one question."""
PAPERS = 2
"""Papers of a part's evidence whose figures are considered."""
ABOUT = 0.5
"""Share of the question's words that caption and nearby text hold, for a figure that was not asked for."""
ASKED_ABOUT = 0.2
"""The same where a figure was asked for, but not by its number."""
SURE = 0.75
_ASKED = re.compile(
    r"\b(?:figures?|fig\.?|plots?|charts?|graphs?|diagrams?|curves?|histograms?|heat ?maps?|scatter ?plots?"
    r"|box ?plots?|schematics?|flow ?charts?|panels?|insets?|legends?|[xy][- ]?ax[ei]s|axes|axis|depicted|drawn"
    r"|illustrat\w+|pictured|abbildungen?|diagramme?|gráficos?|figuras?|schéma)\b|图|図",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"\b(?:figures?|figs?\.?|abb(?:ildung|\.)|figuras?)\s*([A-Z]?\d+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What looking brought: findings that rest on descriptions, and the pictures behind them."""

    findings: tuple[Finding, ...] = ()
    pictures: tuple[DescribedFigure, ...] = ()


async def look(findings: Sequence[Finding], run: RunContext) -> Looked:
    """Look at up to ``FIGURES`` figures for the parts of a question, in order."""
    if not run.figures.seen_by:
        return Looked()
    found: list[Finding] = []
    pictures: list[DescribedFigure] = []
    for finding in findings:
        asked = asks_for_figure(_question(finding))
        if not (asked or finding.judgement.support != "clear"):
            continue
        for shown in await _chosen(finding, run, FIGURES - len(pictures), asked=asked):
            await run.request.progress.step("looking", len(pictures), 0)
            picture = await _picture(shown, run)
            if picture and picture.described.id not in {one.described.id for one in pictures}:
                pictures.append(picture)
                found.append(await _judged(finding, picture, run))
    return Looked(findings=tuple(found), pictures=tuple(pictures))


async def asked_for(searched: Sequence[Searched], run: RunContext) -> tuple[DescribedFigure, ...]:
    """Descriptions of up to ``FIGURES`` figures, where a question asks for one, to be shown beside what was found."""
    asking = [item for item in searched if asks_for_figure(_question(item))] if run.figures.seen_by else []
    pictures: dict[str, DescribedFigure] = {}
    for item in asking:
        for shown in await _chosen(item, run, FIGURES - len(pictures), asked=True):
            picture = await _picture(shown, run)
            if picture is not None:
                pictures[picture.described.id] = picture
                run.ledger.note(_seen(picture))
    return tuple(pictures.values())


def as_evidence(picture: DescribedFigure, run: RunContext) -> Evidence:
    """A described figure as a passage that was found."""
    return Evidence(passage=picture.described, paper=_paper(picture, run), score=1.0)


def asks_for_figure(question: str) -> bool:
    """Whether a question is about what a figure shows."""
    return bool(_ASKED.search(question))


def _question(found: Finding | Searched) -> str:
    return f"{found.part.context} {found.part.question}".strip()


async def _chosen(found: Finding | Searched, run: RunContext, most: int, *, asked: bool) -> list[Captioned]:
    """The figures that fit the question best, at most ``most``; less needs to fit where a figure is ``asked`` for."""
    if most <= 0:
        return []
    question = _question(found)
    numbers = {number.lower() for number in _NUMBERED.findall(question)}
    words = terms(question)
    weighed: list[tuple[float, int, Captioned]] = []
    for paper_id in _papers(found, run):
        for one in await run.figures.of(paper_id):
            named = _number(one.figure.label) in numbers
            told = f"{one.figure.label} {one.figure.caption} {one.figure.nearby}"
            about = coverage(words, frozenset(index_tokens(told)))
            if named or (not numbers and about >= (ASKED_ABOUT if asked else ABOUT)):
                weighed.append((named + about, -len(weighed), one))
    return [one for _, _, one in sorted(weighed, key=lambda found: found[:2], reverse=True)][:most]


def _papers(found: Finding | Searched, run: RunContext) -> list[str]:
    papers = dict.fromkeys([*found.part.only, *(item.paper.id for item in found.evidence)])
    allowed = found.part.only or {paper.id for paper in run.papers}
    return [paper for paper in papers if paper in allowed][:PAPERS]


def _number(label: str) -> str:
    return label.split()[-1].strip(".:").lower() if label.split() else ""


async def _picture(shown: Captioned, run: RunContext) -> DescribedFigure | None:
    try:
        told = await run.figures.described(shown.figure, meter=run.ledger)
    except ModelUnavailable as failure:
        run.ledger.note(messages.figures_not_seen(failure.words))
        return None
    kept = [plain(one) for one in split_sentences(told) if not is_instruction(one)]
    text = " ".join(one for one in kept if one)
    if not text:
        return None
    described = replace(
        shown.caption,
        id=f"{shown.caption.id}#seen",
        kind="figure",
        text=text,
        indexed_text=text,
        boxes=(),
        table=None,
        next_id=None,
        layer=(),
    )
    return DescribedFigure(
        described=described, caption=shown.caption, box=shown.figure.box, seen_by=run.figures.seen_by
    )


async def _judged(finding: Finding, picture: DescribedFigure, run: RunContext) -> Finding:
    judged = await run.dependencies.reasoner.judge_passages(finding.part, (as_evidence(picture, run),), run)
    if asks_for_figure(_question(finding)) and judged.drafts:
        judged = replace(judged, judgement=Judgement(support="clear", score=SURE))
    if judged.judgement.support == "clear":
        run.ledger.note(_seen(picture))
    return judged


def _seen(picture: DescribedFigure) -> str:
    return messages.figure_seen(picture.caption.label or "the figure", picture.caption.page, picture.seen_by)


def _paper(picture: DescribedFigure, run: RunContext) -> Paper:
    return next(paper for paper in run.papers if paper.id == picture.caption.paper_id)
