"""Questions about the library itself: how many papers are here, which, which one is about something, who shared one.

They are answered from the list of papers, where a search through what papers say finds only words that look alike.
What is not clearly such a question, or finds no paper by title or abstract, stays a question to the papers.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from core.agent import messages
from core.domain.model import Answer, AnswerMode, Citation, Paper, Passage, Sentence, Turn
from core.text import index_tokens
from core.understanding.query_terms import terms

Kind: TypeAlias = Literal["list", "about", "sharer"]
Passages: TypeAlias = Callable[[str], Awaitable[Sequence[Passage]]]

_NOUNS = r"(?:papers|articles|studies|pdfs|documents|publications|files)"
_NOUN = r"(?:papers?|articles?|stud(?:y|ies)|pdfs?|documents?|publications?|files?)"
_HERE = r"(?:here|in here|in (?:this|the|your|our|my) (?:channel|library|workspace|shelf))"
_HELD = (
    rf"(?:(?:are|is) (?:there )?{_HERE}"
    r"|(?:do|did|have|can|could|are) (?:you|we|i) (?:have|hold|know|see|read|indexed?|got|been given|been shared"
    r"|shared?|uploaded?|added?|search(?:ing)?(?: through)?|answer from)"
    rf"|(?:have|has|were|was) (?:been )?(?:shared|added|uploaded|indexed|read|loaded|dropped) {_HERE})"
)
_TAIL = rf"(?: (?:about|now|already|so far|in total|altogether|at the moment|there|access to|{_HERE}))*"
_POLITE = r"^\W*(?:(?:please|hi|hey|hello|so|and|ok|okay|can you|could you|tell me|show me|i want to know)\W+)*"
_GERMAN = r"(?:papers?|papiere|artikel|aufsätze|arbeiten|studien|dokumente|pdfs)"
_LISTED = re.compile(
    _POLITE
    + rf"(?:(?:how many|which|what) {_NOUNS} {_HELD}{_TAIL}"
    + r"|(?:(?:list|show)(?: me)?|give me(?: a)? list of|name) (?:all )?(?:of )?(?:the |your |our |my )?"
    + rf"(?:papers|articles|pdfs|documents|files){_TAIL}"
    + rf"|what(?:'s| is| do you have) {_HERE}|what have you read{_TAIL}|what do you (?:have|know about) here"
    + rf"|(?:wie ?viele|welche) {_GERMAN} "
    + r"(?:hast du|habt ihr|haben wir|sind (?:hier|da)|gibt es hier|kennst du)(?: hier)?(?: gelesen)?"
    + r"|(?:combien d['’e] ?|quels |quelles )(?:articles|documents|études|publications|papiers) "
    + r"(?:as-tu|avez-vous|avons-nous|y a-t-il ici|sont ici|connais-tu)(?: ici| lus?)?"
    + r"|(?:cuántos|qué|cuáles) (?:artículos|documentos|estudios|trabajos) "
    + r"(?:hay aquí|tienes|tenemos|tiene|conoces|has leído)(?: aquí)?"
    + r"|(?:quantos|quais|que) (?:artigos|documentos|estudos) "
    + r"(?:há aqui|existem aqui|(?:você )?tem|tens|temos)(?: aqui)?"
    + r"|(?:quanti|quali) (?:articoli|documenti|studi) (?:ci sono qui|hai|abbiamo|ha)(?: qui)?)\W*$",
    re.IGNORECASE,
)
_LISTED_THERE = re.compile(rf"^\W*how many {_NOUNS} are there\W*$", re.IGNORECASE)
"""Means the papers here only where nothing was talked of before."""
_LISTED_FAR = re.compile(
    r"(?:你|这里|這裡|我们|现在|库里)*有(?:多少|几|哪些|什么)(?:篇|个)?(?:论文|文章|文献|文件)"
    r"|(?:ここに|ここには|今|どんな|どの)*(?:論文|文献|ファイル)[はが](?:何本|いくつ|何件|どれだけ)?(?:ここに)?あります(?:か)?"
)
_ABOUT = re.compile(
    _POLITE
    + rf"(?:(?:which|what)(?: one)?(?: of)?(?: the| these| those| our| your)? {_NOUN}(?: {_HERE})? "
    + r"(?:is|are|deals?|talks?|speaks?|has to do|have to do) (?:all )?(?:about|on|with) "
    + rf"|(?:is|are) there (?:a|an|any|some)(?: other)? {_NOUN}(?: {_HERE})? (?:about|on|that deals? with) "
    + rf"|(?:do|have) (?:you|we) (?:have |got )?(?:a|an|any|some) {_NOUN}(?: {_HERE})? (?:about|on) "
    + rf"|(?:find|show)(?: me)? (?:a|an|the|any|all)(?: the)? {_NOUN} (?:about|on) "
    + r"|welche[rs]? (?:paper|papier|artikel|aufsatz|arbeit|studie) (?:handelt von|geht um|ist über) "
    + r"(?:den |die |das |dem )?"
    + r"|(?:quel article|quelle étude) (?:parle|traite) (?:de la |de l['’]|des |du |de |d['’]|sur )"
    + r"|qué (?:artículo|estudio|trabajo) (?:trata|habla) (?:del |de la |de los |de las |de |sobre )"
    + r"|(?:qual|que) (?:artigo|estudo) (?:fala|trata) (?:do |da |dos |das |de |sobre )"
    + r"|quale (?:articolo|studio) (?:parla|tratta) (?:del |della |dei |delle |di |dell['’]))"
    + rf"(?P<topic>[^?.!,;:]{{2,60}}?)(?: {_HERE})?\W*$",
    re.IGNORECASE,
)
_SHARER = re.compile(
    r"^\W*who (?:has )?(?:shared|uploaded|added|dropped|posted|sent) (?P<paper>(?:the|this|that|these|those|all)\b"
    rf"[^?.!,;]{{0,80}}?\b{_NOUN}(?: (?:on|about|by|of) [^?.!,;]{{2,60}})?)(?: {_HERE})?\W*$",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"\b(?:that|which|who|what|how|why|whether|when|where|does|did|do|use[sd]?|report(?:s|ed)?|show(?:s|ed)?)\b",
    re.IGNORECASE,
)
"""A topic with a clause in it asks for something that papers say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inquiry:
    """What is asked about the library; ``topic`` is what a paper shall be about, or which one is meant."""

    kind: Kind
    topic: str = ""


def read(question: str, turns: Sequence[Turn]) -> Inquiry | None:
    """The inquiry that ``question`` is behind ``turns``; None where it is one to the papers."""
    if not turns and _LISTED_THERE.search(question):
        return Inquiry(kind="list")
    if _LISTED.search(question) or _LISTED_FAR.fullmatch(re.sub(r"[\W_]+", "", question)):
        return Inquiry(kind="list")
    about = _ABOUT.search(question)
    if about:
        topic = about["topic"].strip(" \"'“”«»")
        return None if _CLAUSE.search(topic) else Inquiry(kind="about", topic=topic)
    sharer = _SHARER.search(question)
    return Inquiry(kind="sharer", topic=sharer["paper"]) if sharer else None


async def answered(
    question: str, inquiry: Inquiry, papers: Sequence[Paper], passages: Passages, mode: AnswerMode
) -> Answer | None:
    """The answer from the list of ``papers`` (not empty); None where no paper is known to be about the topic."""
    if inquiry.kind == "list":
        return _plain(question, messages.listed(papers), papers[: messages.LISTED], mode)
    alone = inquiry.kind == "sharer" and len(papers) == 1
    fitting = papers if alone else await asyncio.to_thread(about, inquiry.topic, papers)
    if inquiry.kind == "sharer":
        return _plain(question, messages.shared(fitting[0] if len(fitting) == 1 else None), fitting[:1], mode)
    if len(fitting) == 1:
        return await told(question, fitting[0], inquiry.topic, passages)
    if not fitting:
        return None
    shown = fitting[: messages.SHOWN_TITLES]
    message = messages.several_about(fitting, inquiry.topic)
    return Answer(
        question=question,
        outcome="clarify",
        mode=mode,
        message=message,
        candidates=tuple(paper.id for paper in shown),
    )


def about(topic: str, papers: Sequence[Paper]) -> Sequence[Paper]:
    """The papers whose title holds every word of ``topic``, else those whose title and abstract together do."""
    wanted = frozenset(token for term in terms(topic) for token in term.tokens)
    if not wanted:
        return ()
    left = {paper.id: wanted.difference(index_tokens(paper.title)) for paper in papers}
    titled = [paper for paper in papers if not left[paper.id]]
    return titled or [paper for paper in papers if left[paper.id].issubset(index_tokens(paper.metadata.abstract))]


async def told(question: str, paper: Paper, topic: str, passages: Passages) -> Answer:
    """One paper, by the sentence in which it says best what it found, with its footnote."""
    said, citations = await asyncio.to_thread(_takeaway, paper, await passages(paper.id))
    return Answer(
        question=question,
        outcome="answered" if said else "declined",
        mode="extractive",
        sentences=(said,) if said else (),
        citations=citations,
        message=messages.takeaway_of(paper, topic) if said else messages.only_named(paper, topic),
        candidates=(paper.id,),
    )


def _takeaway(paper: Paper, passages: Sequence[Passage]) -> tuple[Sentence | None, tuple[Citation, ...]]:
    # Reading the signs of a study takes a moment that no start should wait for.
    from core.assistant.studies.quotations import Quotations, quotable_statements
    from core.assistant.studies.takeaways import takeaway

    quotes, statement = Quotations(), takeaway(quotable_statements(paper, passages))
    return (quotes.say(statement) if statement else None), quotes.citations


def _plain(question: str, message: str, shown: Sequence[Paper], mode: AnswerMode) -> Answer:
    """What is said of the library; it is no question to the papers, so that no digest tells of it."""
    return Answer(
        question=question,
        outcome="declined",
        mode=mode,
        message=message,
        candidates=tuple(paper.id for paper in shown),
    )
