"""Questions about the library itself: how many papers are here, which, which one is about something, who shared one.

Narrow on purpose: what is not clearly such a question, or finds no paper by title or abstract, stays a question to
the papers.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from core.domain.model import Paper, Turn
from core.understanding.papers import PaperResolver

LibraryQuestionKind: TypeAlias = Literal["list", "about", "sharer"]

_NOUNS = r"(?:papers|articles|studies|pdfs|documents|publications|files)"
_NOUN = r"(?:papers?|articles?|stud(?:y|ies)|pdfs?|documents?|publications?|files?)"
_HERE = r"(?:here|in here|in (?:this|the|your|our|my) (?:channel|library|workspace|shelf))"
_IS_HERE = (
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
    + rf"(?:(?:how many|which|what) {_NOUNS} {_IS_HERE}{_TAIL}"
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
class LibraryQuestion:
    """What is asked about the library.

    ``topic`` is what a paper shall be about, or which one is meant; ``papers`` are those it finds.
    """

    kind: LibraryQuestionKind
    topic: str = ""
    papers: tuple[Paper, ...] = ()


def library_question(message: str, turns: Sequence[Turn], resolver: PaperResolver) -> LibraryQuestion | None:
    """The question on the library that ``message`` is behind ``turns``; None where it is one to the papers.

    A question which paper is about something that no title or abstract holds is one to the papers.
    """
    asked = read(message, turns)
    if asked is None:
        return None
    if asked.kind == "list":
        return LibraryQuestion(kind="list", papers=resolver.papers)
    is_only_paper = asked.kind == "sharer" and len(resolver.papers) == 1
    papers = resolver.papers if is_only_paper else tuple(resolver.about(asked.topic))
    if asked.kind == "about" and not papers:
        return None
    return LibraryQuestion(kind=asked.kind, topic=asked.topic, papers=papers)


def read(message: str, turns: Sequence[Turn]) -> LibraryQuestion | None:
    """The question on the library by its wording alone, without its papers."""
    first_and_listed = not turns and _LISTED_THERE.search(message)
    compact = re.sub(r"[\W_]+", "", message)
    if first_and_listed or _LISTED.search(message) or _LISTED_FAR.fullmatch(compact):
        return LibraryQuestion(kind="list")
    about = _ABOUT.search(message)
    if about:
        topic = about["topic"].strip(" \"'“”«»")
        return None if _CLAUSE.search(topic) else LibraryQuestion(kind="about", topic=topic)
    sharer = _SHARER.search(message)
    return LibraryQuestion(kind="sharer", topic=sharer["paper"]) if sharer else None
