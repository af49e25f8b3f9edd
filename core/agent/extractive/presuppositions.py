"""Names, codes and numbers that a question takes for granted: what the paper that leads never says, it hardly answers.

They are apart from the other signs because they are looked up in the whole paper, not in what was found of it.
"""

import asyncio
from collections.abc import Sequence

from core.agent.extractive.sentence_ranking import Picked
from core.agent.reasoner import RunContext
from core.domain.model import Paper
from core.text import detect_language, index_tokens
from core.understanding.query_terms import Term, unspent
from core.understanding.route import Part

_ALL_NOUNS_LARGE = "de"
"""In German every noun has a capital, so that none tells a name."""


def foreign(part: Part, best: Sequence[Picked]) -> bool:
    """Whether the question is in another language than the passage, so that only codes can be shared."""
    spoken = detect_language(best[0].unit.passage.text)
    return bool(part.language and spoken and part.language != spoken)


def _names(part: Part, best: Sequence[Picked], asked: Sequence[Term]) -> tuple[Term, ...]:
    """The names, codes and numbers among ``asked``; across languages the codes alone."""
    codes = foreign(part, best) or part.language == _ALL_NOUNS_LARGE
    return tuple(
        term for term in asked if term.entity or any(map(str.isdigit, term.surface)) or (term.name and not codes)
    )


async def unsaid(part: Part, picked: Sequence[Picked], asked: Sequence[Term], run: RunContext) -> tuple[Term, ...]:
    """Those that the leading paper never says, and that name no other paper; none where several papers are asked."""
    if not picked or part.per_paper is not None:
        return ()
    leading = picked[0].unit.evidence.paper
    own = _called(leading)
    granted = unspent(_names(part, picked, asked), own)
    if not granted:
        return ()
    granted = await asyncio.to_thread(_naming_none, granted, [one for one in run.papers if one.id != leading.id])
    wanted = sorted({token for term in granted for token in term.tokens} - own)
    known = own | (await run.terms_in_paper(leading.id, wanted) if wanted else frozenset())
    return unspent(granted, known)


def _naming_none(granted: Sequence[Term], papers: Sequence[Paper]) -> tuple[Term, ...]:
    """Those that stand in no title of ``papers``, which may be many."""
    for paper in papers:
        granted = unspent(granted, frozenset(index_tokens(paper.title)))
    return tuple(granted)


def _called(paper: Paper) -> frozenset[str]:
    """Title, authors, year and file name: what a paper may be called by."""
    identity = paper.metadata
    name = paper.file_name.replace("-", " ").replace("_", " ")
    return frozenset(index_tokens(" ".join([paper.title, *identity.authors, str(identity.year or ""), name])))
