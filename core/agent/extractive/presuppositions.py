"""What a question takes for granted: the things it names must occur in the paper that leads the evidence.

A word that a paper never prints may still be meant by other words of it (a synonym, a typing error), so a missing word
counts by how little the likeliest sentences have to do with it. Names, codes and numbers have no synonyms.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Literal

from core.agent.extractive.sentence_ranking import Ranked
from core.agent.reasoner import RunContext
from core.domain.model import Paper
from core.grounding.units import canonical_unit
from core.text import detect_language, index_tokens
from core.text.questions import named_things
from core.understanding.query_terms import Term, unspent
from core.understanding.route import Part

if TYPE_CHECKING:
    from core.domain.ports import Vectors

_ALL_NOUNS_LARGE = "de"
"""In German every noun has a capital, so that none tells a name."""
ALIEN = 0.16
"""Likeness of meaning below which a thing has nothing to do with a paper's best sentences."""
TYPED_ALIKE = 0.8
"""Likeness of letters from which a word is a typing error of another."""
SHORTEST_THING = 4
SHORTEST_TYPED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingTerm:
    """A word that the leading paper never prints.

    ``alike`` is how near its best sentences come in meaning, 0 to 1; 0 for names, codes and numbers. ``role`` is what
    it is in the question: a name, the head of a noun phrase, another word of one, or something else (a verb).
    """

    term: Term
    role: Literal["name", "head", "modifier", "other"] = "other"
    alike: float = 0.0

    @property
    def in_vain(self) -> bool:
        """Whether it is a thing that is taken for granted and that nothing in the paper comes near."""
        return self.role == "head" and self.alike < ALIEN


def foreign(part: Part, best: Sequence[Ranked]) -> bool:
    """Whether the question is in another language than the passage, so that only codes can be shared."""
    spoken = detect_language(best[0].unit.passage.text)
    return bool(part.language and spoken and part.language != spoken)


async def missing_terms(
    part: Part, ranked: Sequence[Ranked], asked: Sequence[Term], vectors: "Vectors | None", run: RunContext
) -> tuple[MissingTerm, ...]:
    """Words of the question that the leading paper never prints, and that name no other paper.

    ``vectors`` are those of sentences that lead the ranking. None where several papers are asked.
    """
    if not ranked or part.per_paper is not None:
        return ()
    leading = ranked[0].unit.evidence.paper
    absent = await _absent(_checked(part, ranked, asked), leading, run)
    if not absent:
        return ()
    absent = await asyncio.to_thread(_without_typing_errors, absent, ranked)
    return await _weighed(absent, part, vectors, run)


def _checked(part: Part, ranked: Sequence[Ranked], asked: Sequence[Term]) -> tuple[Term, ...]:
    """What can be looked up: all words, across languages the codes alone."""
    if not foreign(part, ranked):
        return tuple(asked)
    return tuple(term for term in asked if term.entity or any(map(str.isdigit, term.surface)))


async def _absent(asked: Sequence[Term], leading: Paper, run: RunContext) -> tuple[Term, ...]:
    own = _called(leading)
    left = unspent(asked, own)
    left = await asyncio.to_thread(_naming_none, left, [paper for paper in run.papers if paper.id != leading.id])
    wanted = sorted({token for term in left for token in term.tokens} - own)
    known = own | (await run.terms_in_paper(leading.id, wanted) if wanted else frozenset())
    return tuple(term for term in left if not _prints(known, term))


def _prints(known: frozenset[str], term: Term) -> bool:
    """Whether a word is known: a name or code with all its parts, of another compound any part."""
    return known.issuperset(term.tokens) if term.entity else bool(known.intersection(term.tokens))


async def _weighed(
    absent: Sequence[Term], part: Part, vectors: "Vectors | None", run: RunContext
) -> tuple[MissingTerm, ...]:
    found = [MissingTerm(term=term, role=_role(term, part)) for term in absent]
    if vectors is None or not len(vectors):
        return tuple(found)
    words = [item.term.surface for item in found]
    rows = await run.dependencies.embedder.passages(words)
    alike = (rows @ vectors.T).max(axis=1)
    return tuple(
        item if item.role == "name" else replace(item, alike=max(0.0, float(value)))
        for item, value in zip(found, alike, strict=True)
    )


def _role(term: Term, part: Part) -> Literal["name", "head", "modifier", "other"]:
    named = term.name and part.language != _ALL_NOUNS_LARGE
    if term.entity or named or any(map(str.isdigit, term.surface)):
        return "name"
    if canonical_unit(term.surface) != term.surface or len(term.surface) < SHORTEST_THING:
        return "other"
    phrases = [index_tokens(phrase) for phrase in named_things(part.question)]
    if any(phrase and phrase[-1] in term.tokens for phrase in phrases):
        return "head"
    return "modifier" if any(set(term.tokens) & set(phrase) for phrase in phrases) else "other"


def _without_typing_errors(absent: Sequence[Term], ranked: Sequence[Ranked]) -> tuple[Term, ...]:
    """Those that are not typed almost like a word of the evidence."""
    known = {token for item in ranked for token in item.unit.tokens}
    return tuple(
        term
        for term in absent
        if len(term.tokens[0]) < SHORTEST_TYPED or not get_close_matches(term.tokens[0], known, 1, TYPED_ALIKE)
    )


def _naming_none(asked: Sequence[Term], papers: Sequence[Paper]) -> tuple[Term, ...]:
    """Those that stand in no title of ``papers``, which may be many."""
    for paper in papers:
        asked = unspent(asked, frozenset(index_tokens(paper.title)))
    return tuple(asked)


def _called(paper: Paper) -> frozenset[str]:
    """Title, authors, year and file name: what a paper may be called by."""
    identity = paper.metadata
    name = paper.file_name.replace("-", " ").replace("_", " ")
    return frozenset(index_tokens(" ".join([paper.title, *identity.authors, str(identity.year or ""), name])))
