"""Finds which papers a message wants summarised or compared: those it names, else those of its thread. Pure.

Narrow on purpose: what asks for a summary of a part of a paper, or only mentions one, stays a question.
"""

import re
from collections.abc import Sequence

from core.domain.model import Paper, Thread, Turn
from core.domain.studies import StudyKind, StudyOrder
from core.text import index_tokens
from core.text.paper_labels import paper_label
from core.understanding.paper_lookup import named
from core.understanding.study_intents import intent_of

MOST = 8
SHOWN = 6
_VERB = re.compile(
    r"^.*?\b(?:summari[sz]e|sum up|outline|tl;?dr|summary|overview|gist|abstract|key points|main points|takeaways"
    r"|compare|contrast|comparison)\b(?:\s+(?:of|for|from|between))?",
    re.IGNORECASE | re.DOTALL,
)
_ABOUT = re.compile(r"^\W*what (?:is|are|does) (?:this|the|that)\b.*$", re.IGNORECASE | re.DOTALL)
_SEPARATORS = re.compile(r"\s*(?:;|\bversus\b|\bvs\.?\b|\bwith\b|\bto\b|\band\b|,|&)\s*", re.IGNORECASE)
_EMPTY = frozenset(
    index_tokens(
        "the a an this that these those it them both all of for me us please paper papers article articles study "
        "studies pdf pdfs document documents publication publications thread above here two three four shortly "
        "briefly now again one ones following attached"
    )
)
"""Words that name no paper."""
_ORDINAL = re.compile(r"^\W*(?:paper|number|no\.?|#)?\s*(\d{1,3})\W*$", re.IGNORECASE)


def orders(text: str) -> bool:
    """Whether ``text`` may ask for a study at all, so that plain questions need look nothing up."""
    return intent_of(text) in ("summarise", "compare")


def ordered(text: str, thread: Thread, turns: Sequence[Turn], papers: Sequence[Paper]) -> StudyOrder | None:
    """The study that ``text`` asks for; None where it is a question like any other. ``papers`` are those in scope."""
    if not orders(text) or not papers:
        return None
    kind: StudyKind = "summarise" if intent_of(text) == "summarise" else "compare"
    rest = "" if _ABOUT.match(text) else _VERB.sub("", text, count=1).strip(" \t\n.?!:“”\"'")
    return _one(rest, thread, turns, papers) if kind == "summarise" else _several(rest, thread, turns, papers)


def of_thread(thread: Thread, turns: Sequence[Turn], papers: Sequence[Paper]) -> tuple[str, ...]:
    """Ids of the papers a thread is on: dropped in its first message, else cited in it, the latest first."""
    dropped = [
        paper.id
        for paper in papers
        for share in paper.shares
        if share.channel == thread.channel.id and share.message == thread.id and thread.id
    ]
    here = {paper.id for paper in papers}
    cited = [one.paper_id for turn in reversed(turns) for one in turn.citations if one.paper_id in here]
    return tuple(dict.fromkeys([*dropped, *cited]))


def _one(rest: str, thread: Thread, turns: Sequence[Turn], papers: Sequence[Paper]) -> StudyOrder | None:
    if _content(rest):
        found = _named(rest, papers)
        if not found:
            return None
        return StudyOrder(kind="summarise", papers=(found[0].id,)) if len(found) == 1 else _back("summarise", found)
    of_it = of_thread(thread, turns, papers)
    dropped = [id_ for id_ in of_it if _dropped(id_, thread, papers)]
    for only in (dropped, of_it, [paper.id for paper in papers]):
        if len(only) == 1:
            return StudyOrder(kind="summarise", papers=(only[0],))
    by_id = {paper.id: paper for paper in papers}
    return _back("summarise", [by_id[id_] for id_ in of_it] or papers)


def _several(rest: str, thread: Thread, turns: Sequence[Turn], papers: Sequence[Paper]) -> StudyOrder | None:
    if _content(rest):
        pieces = [piece for piece in _SEPARATORS.split(rest) if _content(piece)]
        found = [_named(piece, papers) for piece in pieces]
        if not any(found):
            return None
        if len(found) < 2 or not all(len(one) == 1 for one in found):
            return _without_all(pieces, found)
        ids = tuple(dict.fromkeys(one[0].id for one in found))
        return StudyOrder(kind="compare", papers=ids) if 2 <= len(ids) <= MOST else None
    of_it = of_thread(thread, turns, papers)
    for these in (of_it, [paper.id for paper in papers]):
        if 2 <= len(these) <= (MOST if these is of_it else 2):
            return StudyOrder(kind="compare", papers=tuple(these))
    return _back("compare", papers)


def _without_all(pieces: Sequence[str], found: Sequence[Sequence[Paper]]) -> StudyOrder | None:
    """Some of the papers to compare are clear and some are not; where most are no papers, it is a question."""
    unclear = [one for one in found if len(one) > 1]
    if len(pieces) < 2 or sum(bool(one) for one in found) * 2 < len(pieces) or not unclear:
        return None
    return _back("compare", [paper for one in unclear for paper in one])


def _back(kind: StudyKind, papers: Sequence[Paper]) -> StudyOrder:
    shown = list(dict.fromkeys(papers))[:SHOWN]
    lines = "\n".join(f"- {paper_label(paper)}" for paper in shown)
    wanted = "Which paper shall I summarise?" if kind == "summarise" else "Which papers shall I compare (two to eight)?"
    more = f"\n… and {len(papers) - SHOWN} more." if len(papers) > SHOWN else ""
    return StudyOrder(kind=kind, candidates=tuple(paper.id for paper in shown), message=f"{wanted}\n{lines}{more}")


def _dropped(id_: str, thread: Thread, papers: Sequence[Paper]) -> bool:
    return any(
        share.channel == thread.channel.id and share.message == thread.id
        for paper in papers
        if paper.id == id_
        for share in paper.shares
    )


def _named(words: str, papers: Sequence[Paper]) -> Sequence[Paper]:
    number = _ORDINAL.match(words)
    if number:
        return named(papers, number[1])
    bare = " ".join(word for word in words.split() if _content(word))
    return named(papers, words) or named(papers, bare)


def _content(words: str) -> bool:
    """Whether the words could name a paper."""
    return any(token not in _EMPTY for token in index_tokens(words))
