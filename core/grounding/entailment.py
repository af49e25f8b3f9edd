"""What plain rules can say of a sentence and its quotes: nearly the quote, contradicted by it, or neither.

Rules prove no paraphrase. A sentence is entailed where it has the words of its quotes in their order, whole sentences
or clauses of them; everything else is for a model to judge, or gives way to its quote.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TypeAlias

from core.domain.entailment import EntailmentPair, EntailmentVerdict
from core.grounding.differences import find_differences, find_odd_characters
from core.grounding.numbers import Number, extract_numbers
from core.grounding.quotes import is_same_quote
from core.grounding.units import convert_to_base
from core.text import normalise, sentence_spans
from core.text.openings import strip_opening

_RULES = "rules 1"
_NUMBERED = r"\[\d{1,3}(?:\s?[,;–-]\s?\d{1,3})*\]"
_YEAR = r"(?:1[89]|20)\d\d[a-z]?"
_CITING = r"[A-Z][\w'’-]*|e\.g\.|cf\.|see|et|al|and|und|y|van|von|der|de|la"
_AUTHOR_YEAR = rf"\((?=[^()]{{0,200}}\b{_YEAR}\b)(?:(?:{_CITING}|{_YEAR})(?!\w)|[\s,;.&])+\)"
_PLACE = r"\((?:see )?(?:Fig|Table|Tab|Eq|Section|Appendix)[^()]{0,20}\)"
_CITATION = re.compile(rf"\s?(?:{_NUMBERED}|{_AUTHOR_YEAR}|{_PLACE})")
"""Works and places that a sentence points to."""
_CLAUSE_END = re.compile(r";\s+(?![^()\[\]]*[)\]])")
"""Semicolons outside brackets."""
_OMISSION = re.compile(r"\s*(?:\[\s?(?:…|\.\.\.)\s?\]|…)\s*")
_WORD = re.compile(r"[^\W_]+|[^\w\s]")
_SHORT_FORMS = ((re.compile(r"\bcan(?:'t|not)\b", re.I), "can not"), (re.compile(r"n't\b", re.I), " not"))
_ARTICLES = frozenset({"the", "a", "an"})
_COUNTING = frozenset({"few", "little", "lot", "number", "majority", "minority"})
"""What an article belongs to: "a few" is not "few"."""
_DENIALS = frozenset(
    "not no never neither nor none without non nicht kein keine keinen nie pas jamais nunca não".split()
)
_FILLERS = frozenset("do does did any some".split())
"""Words that come and go with a denial."""
_QUALIFIERS = _DENIALS | frozenset("but only however except unless if although though yet whereas untrue false".split())
"""What may not be left out unseen from between or behind the words of a quote."""
_LEAST_TOKENS = 2

Tokens: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Clause:
    tokens: Tokens
    is_qualifying: bool
    ends_sentence: bool


class RuleEntailment:
    """The rules behind the port: no model, no waiting."""

    @property
    def identity(self) -> str:
        """As the port says."""
        return _RULES

    async def judge(self, pairs: Sequence[EntailmentPair]) -> Sequence[EntailmentVerdict]:
        """As the port says."""
        return [check_entailment(pair.sentence, pair.quotes, known=f"{pair.title} . {pair.section}") for pair in pairs]


def check_entailment(sentence: str, quotes: Sequence[str], *, known: str = "") -> EntailmentVerdict:
    """``yes`` where the sentence is nearly its quotes, ``no`` where it differs in a number, name or denial, else
    ``unsure``. ``known`` is what a reader sees beside the quotes (title, section, label): names may be taken from it.
    """
    if not quotes or not sentence.strip():
        return EntailmentVerdict(verdict="no", reason="nothing is quoted")
    if _is_verbatim(sentence, quotes):
        return EntailmentVerdict(verdict="yes")
    differences = find_differences(sentence, quotes, known=known)
    if differences:
        return EntailmentVerdict(verdict="no", reason="; ".join(differences))
    if _is_question(sentence) and not any(map(_is_question, quotes)):
        return EntailmentVerdict(verdict="no", reason="the sentence asks what the quote states")
    said = _tokens(strip_opening(sentence))
    runs = list(_runs([clause for quote in quotes for clause in _clauses(quote)]))
    if said and (said in runs or _is_shortened(sentence, quotes)):
        return EntailmentVerdict(verdict="yes")
    if any(_is_denied(said, run) for run in runs):
        return EntailmentVerdict(verdict="no", reason="one denies what the other states")
    return EntailmentVerdict(verdict="unsure", reason="in other words than the quote")


def _is_verbatim(sentence: str, quotes: Sequence[str]) -> bool:
    """Whether a sentence is one of its quotes, or all of them one behind the other."""
    whole = (*quotes, " ".join(quotes))
    return not find_odd_characters(sentence, quotes) and any(is_same_quote(sentence, quote) for quote in whole)


def _is_question(text: str) -> bool:
    return text.rstrip(" \"'”’)]").endswith(("?", "？"))


def _clauses(quote: str) -> Iterator[_Clause]:
    """The clauses of a quote that stops and semicolons end."""
    for start, end in sentence_spans(quote):
        pieces = _CLAUSE_END.split(_CITATION.sub("", quote[start:end]))
        for index, piece in enumerate(pieces, start=1):
            yield _Clause(
                tokens=_tokens(strip_opening(piece)),
                is_qualifying=not _QUALIFIERS.isdisjoint(_tokens(piece)),
                ends_sentence=index == len(pieces),
            )


def _runs(clauses: Sequence[_Clause]) -> Iterator[Tokens]:
    """Neighbouring clauses as one, where nothing that qualifies them is left out of their sentences."""
    ends = [index for index, clause in enumerate(clauses, start=1) if clause.ends_sentence]
    for start, stop in combinations(range(len(clauses) + 1), 2):
        first = max((end for end in ends if end <= start), default=0)
        last = min((end for end in ends if end >= stop), default=len(clauses))
        left_out = [*clauses[first:start], *clauses[stop:last]]
        if not any(clause.is_qualifying for clause in left_out):
            yield tuple(token for clause in clauses[start:stop] for token in clause.tokens)


def _is_shortened(sentence: str, quotes: Sequence[str]) -> bool:
    """Whether a sentence that marks what it leaves out ("[…]") has the rest word for word and in order."""
    pieces = [tokens for tokens in map(_tokens, _OMISSION.split(sentence)) if tokens]
    if not _OMISSION.search(sentence) or any(len(piece) < _LEAST_TOKENS for piece in pieces):
        return False
    printed = [token for quote in quotes for token in _tokens(quote)]
    spans = list(_locate(pieces, printed))
    if len(spans) < len(pieces):
        return False
    edges = [(0, 0), *spans, (len(printed), len(printed))]
    return not any(_QUALIFIERS & {*printed[left[1] : right[0]]} for left, right in pairwise(edges))


def _locate(pieces: Iterable[Tokens], printed: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Start and end of each piece in a text, one behind the other, as far as they are found."""
    begin = 0
    for piece in pieces:
        places = (at for at in range(begin, len(printed)) if tuple(printed[at : at + len(piece)]) == piece)
        at = next(places, None)
        if at is None:
            return
        begin = at + len(piece)
        yield at, begin


def _is_denied(said: Tokens, printed: Tokens) -> bool:
    """Whether two texts are the same words but for denials, of which they have another number."""
    counts = [sum(token in _DENIALS for token in tokens) for tokens in (said, printed)]
    bare = [[token for token in tokens if token not in _DENIALS | _FILLERS] for tokens in (said, printed)]
    return counts[0] != counts[1] and bare[0] == bare[1]


def _tokens(text: str) -> Tokens:
    """The words and numbers of a text in the form that is compared; articles, marks and works cited are left out."""
    plain = normalise(_CITATION.sub("", text))
    for pattern, long_form in _SHORT_FORMS:
        plain = pattern.sub(long_form, plain)
    tokens: list[str] = []
    end = 0
    for number in extract_numbers(plain):
        between = plain[end : number.start].strip(" $€£¥")
        is_range = end > 0 and between == "-"
        tokens += ["to"] if is_range else _words(between)
        tokens.append(_key(number))
        end = number.end
    return tuple(_without_articles([*tokens, *_words(plain[end:])]))


def _words(text: str) -> list[str]:
    """Words in lower case, and signs that mean something; "A" is the name of a group where it begins no sentence."""
    words = [word for word in _WORD.findall(text) if word[0].isalnum() or unicodedata.category(word) in ("Sm", "So")]
    return [word if word == "A" and index else word.casefold() for index, word in enumerate(words)]


def _without_articles(tokens: Sequence[str]) -> Iterator[str]:
    for token, following in pairwise([*tokens, ""]):
        if token not in _ARTICLES or following in _COUNTING:
            yield token


def _key(number: Number) -> str:
    value, unit = convert_to_base(number.value, number.unit)
    return f"{value.normalize():f} {unit}"
