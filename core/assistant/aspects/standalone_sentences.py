"""Whether a sentence can be quoted by itself, depends on the one before, or only says where something is. Pure.

Digests, summaries and tables all quote sentences out of their context.
"""

import re
from collections.abc import Sequence
from typing import Protocol, TypeVar

_LEANS = re.compile(
    r"^\(?\d{1,2}[.)] |"
    r"^(?:this|these|those|that|it|they|such|here|however|moreover|furthermore|thus|therefore|hence|also|in addition|"
    r"for example|for instance|e\.g|then|as a result|consequently|additionally|similarly|in contrast|nevertheless|"
    r"on the other hand|more specifically|specifically|in particular|in fact|indeed|further|besides|finally|in turn|"
    r"similar to|contrary|conversely|likewise|"
    r"but|and|or|so|both|the former|the latter|est[oae]s?|ello|esto|ell[oa]s|por ejemplo|isso|isto|ess[ea]s?"
    r"|por exemplo|"
    r"cela|ceci|ils|elles?|par exemple|ces|ciò|quest[oaie]|ad esempio|dies[er]?|sie|zum beispiel|dabei|dadurch)\b"
    r"(?! (?:paper|study|work|article|review|survey|report|package|investigation|trial|thesis|artículo|trabajo|estudio"
    r"|ensayo|investigación|revisión|artigo|trabalho|estudo|pesquisa|article|étude|recherche|travail|articolo|studio"
    r"|lavoro|ricerca|arbeit|studie|untersuchung)\b)"
    r"|^(?:这|其|例如|因此)",
    re.IGNORECASE,
)
"""Beginnings that depend on the sentence before: alone they say little."""
_SIGNPOST = re.compile(
    r"\b(?:(?:remainder|rest) of (?:this|the) (?:paper|article)|is organi[sz]ed as|we conclude by|"
    r"(?:this|the (?:next|following|final|last|results|methods?|discussion)|in) section|"
    r"(?:sections?|tables?|figs?|figures?|appendix)\b\.? ?(?:§ ?)?[\dA-Z])|^see\b|§ ?\d",
    re.IGNORECASE,
)
"""Sentences about where in the paper something is."""
_ELSEWHERE = re.compile(
    r"\b(?:we|this (?:paper|section|appendix)) (?:\w+ )?(?:presents?|shows?|reports?|lists?|gives?|summari[sz]es?"
    r"|plots?|details?|provides?"
    r"|describes?|discuss(?:es)?|illustrates?)\b(?:(?!\bthat\b)[^.;]){0,80}\b(?:in|see) (?:the )?"
    r"(?:tables?|fig(?:ure|\.)?s?|appendi\w+|sections?|supplement\w*|§)(?![^.;]{0,12}\bthat\b)"
    r"|^(?:see|for (?:more )?details)\b|^(?:code|listing|snippet) \d|\bwe conclude by\b",
    re.IGNORECASE,
)
"""Sentences that only refer the reader to another place; one that says what a table shows is none of them."""


class Quotable(Protocol):
    """Whatever has words that may be quoted."""

    @property
    def text(self) -> str:
        """The words."""


Q = TypeVar("Q", bound=Quotable)


def is_dependent(text: str) -> bool:
    """Whether ``text`` refers to something that the sentence before named."""
    return bool(_LEANS.match(text))


def is_signpost(text: str) -> bool:
    """Whether ``text`` says where in the paper something is."""
    return bool(_SIGNPOST.search(text))


def only_refers_elsewhere(text: str) -> bool:
    """Whether ``text`` only says in which table, figure or section a matter is reported."""
    return bool(_ELSEWHERE.search(text))


def select_standalone(statements: Sequence[Q]) -> Sequence[Q]:
    """Those that can be quoted by themselves: they depend on no sentence before and say more than where something is;
    all where there are none.
    """
    return [item for item in statements if not (is_dependent(item.text) or is_signpost(item.text))] or statements
