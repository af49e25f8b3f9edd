"""Names, codes and numbers that a question takes for granted: what the paper that leads never says, it hardly answers.

They are apart from the other signs because they are looked up in the whole paper, not in what was found of it.
"""

from collections.abc import Sequence

from core.agent.picking import Picked
from core.agent.reasoner import Study
from core.agent.state import Part
from core.agent.terms import Term
from core.domain.model import Paper
from core.text import index_tokens, language

_ALL_NOUNS_LARGE = "de"
"""In German every noun has a capital, so that none tells a name."""


def foreign(part: Part, best: Sequence[Picked]) -> bool:
    """Whether the question is in another language than the passage, so that only codes can be shared."""
    spoken = language(best[0].unit.passage.text)
    return bool(part.language and spoken and part.language != spoken)


def names(part: Part, best: Sequence[Picked], asked: Sequence[Term]) -> tuple[Term, ...]:
    """The names, codes and numbers among ``asked``; across languages the codes alone."""
    codes = foreign(part, best) or part.language == _ALL_NOUNS_LARGE
    return tuple(
        term for term in asked if term.entity or any(map(str.isdigit, term.surface)) or (term.name and not codes)
    )


async def unsaid(part: Part, picked: Sequence[Picked], asked: Sequence[Term], study: Study) -> tuple[Term, ...]:
    """Those that the leading paper never says, and that name no other paper; none where several papers are asked."""
    if not picked or part.per_paper is not None:
        return ()
    leading = picked[0].unit.evidence.paper
    own = _called(leading)
    others = [_title(paper) for paper in study.papers if paper.id != leading.id]
    granted = [
        term
        for term in names(part, picked, asked)
        if not own.issuperset(term.tokens) and not any(title.issuperset(term.tokens) for title in others)
    ]
    wanted = sorted({token for term in granted for token in term.tokens} - own)
    known = own | (await study.saying(leading.id, wanted) if wanted else frozenset())
    return tuple(term for term in granted if not known.issuperset(term.tokens))


def _title(paper: Paper) -> frozenset[str]:
    return frozenset(index_tokens(paper.title))


def _called(paper: Paper) -> frozenset[str]:
    """Title, authors, year and file name: what a paper may be called by."""
    identity = paper.metadata
    name = paper.file_name.replace("-", " ").replace("_", " ")
    return frozenset(index_tokens(" ".join([paper.title, *identity.authors, str(identity.year or ""), name])))
