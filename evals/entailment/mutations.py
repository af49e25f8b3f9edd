"""Changes to a printed sentence: those that make it false, one thing at a time, and rewrites that leave it true.

Each is a plain function of the sentence, its surroundings and a source of chance; it gives an empty string where the
sentence has no room for it. They stand apart from the measuring so that a new kind is one function and one line.
"""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from evals.measured_answers import Word, normalise, parse_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """A sentence of a paper, the sentences beside it, and ``words`` from elsewhere in the paper.

    ``original`` is the sentence as it is printed, where ``sentence`` has been put differently already.
    """

    paper: str
    sentence: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    original: str = ""

    @property
    def quotes(self) -> tuple[str, ...]:
        """What is quoted for it: itself and its neighbours."""
        return (*self.before, self.original or self.sentence, *self.after)

    @property
    def text(self) -> str:
        """The sentence as the words of a claim count it."""
        return normalise(self.sentence)


Change: TypeAlias = Callable[[Printed, random.Random], str]

_DIGITS = re.compile(r"(?<![\w.,/\[-])\d+(?:[.,]\d+)*(?![\w\]/-])")
_LISTED = re.compile(r"(?:[\d.,;:/\s%()~$±+–-]|and|or|to)*")
_COMPARATOR = re.compile(r"\b(?:than|over|versus|vs\.?|compared (?:to|with)|relative to|against)\b")
_VERBS_TEXT = """
outperforms outperform uses use causes cause affects affect improves improve predicts predict contains contain
requires require increases reduces reduce determines controls affects exceeds replaces follows generates produces
encodes drives induces supports includes influences depends inhibits activates binds regulates
"""
_VERB = re.compile(rf"\b(?:{'|'.join(_VERBS_TEXT.split())})\b")
_AUXILIARY = re.compile(r"\b(?:is|are|was|were|can|may|has|have|does|will|should|could|would)\b(?! not)")
_QUANTIFIERS = {
    "same": "any",
    "all": "some",
    "most": "all",
    "some": "all",
    "many": "all",
    "several": "all",
    "each": "some",
    "every": "some",
    "few": "many",
    "half": "all",
    "mostly": "always",
    "often": "always",
    "usually": "always",
    "both": "neither",
    "only": "",
    "mainly": "only",
    "at least": "at most",
    "at most": "at least",
    "more than": "less than",
    "less than": "more than",
}
_CONDITION = re.compile(
    r"(?:^|[ ,]+)(?:only )?(?:if|unless|until|provided that|except|only when|assuming|as long as)\b[^,.;]*,?", re.I
)
_HEDGE = re.compile(r"\b(?:may|might|could)\b")
_OPENER = re.compile(r"(?:However|Moreover|Furthermore|Therefore|Thus|In addition|Finally|Hence|Additionally),\s*")
_CITED = re.compile(r"\s?(?:\[\d[\d,; –-]*\]|\([A-Z][^()]*(?:19|20)\d\d[a-z]?\))")
_FRONTED = re.compile(
    r"(?P<first>(?:In|On|For|With|At|During|After|Before|When|If|By|Under|To|From) [^,]{4,90}), (?P<rest>[^,]+)\."
)
_ADJUNCT = re.compile(r"(?P<rest>[^,]{25,}?) (?P<last>(?:during|after|before|when|under) [^,]{6,60})\.")
_TRAILING = re.compile(r",\s(?:which|where|and thus|thereby|resulting|leading)\b[^.;]*\.$")
_BY_AGENT = re.compile(
    r"(?P<patient>[^,;:()]{3,90}?) (?:is|are|was|were) (?P<verb>[a-z]+ed) by (?!\w+ing\b)"
    r"(?P<agent>[^\W\d][^,;:()]{2,50}?)(?P<rest>(?: (?:in|on|at|for|with|during|after|before|from|to)\b.*)?[.])"
)
_ALIKE = {
    "use": "employ",
    "uses": "employs",
    "used": "employed",
    "show": "demonstrate",
    "shows": "demonstrates",
    "showed": "demonstrated",
    "obtained": "achieved",
    "performed": "conducted",
    "select": "choose",
    "selected": "chosen",
    "need": "require",
    "collected": "gathered",
    "method": "approach",
    "main": "principal",
    "approximately": "about",
    "large": "big",
    "build": "construct",
    "begin": "start",
}


def exchanged_numbers(printed: Printed, rng: random.Random) -> str:
    """Two numbers change places, unless they stand in one plain list or range."""
    text = printed.sentence
    found = list(_DIGITS.finditer(text))
    ways = [
        (item, other)
        for at, item in enumerate(found)
        for other in found[at + 1 :]
        if item.group() != other.group() and not _LISTED.fullmatch(text, item.end(), other.start())
    ]
    if not ways:
        return ""
    item, other = rng.choice(ways)
    return _swap(text, item.span(), other.span())


def around_comparator(printed: Printed, rng: random.Random) -> str:
    """The nearest content words on either side of a comparing word change places."""
    return _around(printed, _COMPARATOR, rng)


def around_verb(printed: Printed, rng: random.Random) -> str:
    """The nearest content words on either side of a verb change places."""
    return _around(printed, _VERB, rng)


def _around(printed: Printed, pivot: re.Pattern[str], rng: random.Random) -> str:
    text = printed.text
    content = [word for word in parse_text(text).content if not word.number]
    ways = []
    for match in pivot.finditer(text):
        left = [word for word in content if _end(word) <= match.start()]
        right = [word for word in content if word.start >= match.end()]
        if left and right and left[-1].key != right[0].key and match.start() - _end(left[-1]) < 20:
            ways.append((left[-1], right[0]))
    if not ways:
        return ""
    item, other = rng.choice(ways)
    return _swap(text, (item.start, _end(item)), (other.start, _end(other)))


def another_word(printed: Printed, rng: random.Random) -> str:
    """A content word gives place to one from elsewhere in the paper."""
    content = [word for word in _replaceable(printed) if not word.named]
    quoted = parse_text(" ".join(printed.quotes))
    others = [word for word in printed.words if not quoted.holds(parse_text(word).words[0])]
    if not content or not others:
        return ""
    word = rng.choice(content)
    return _put(printed.text, word, rng.choice(others))


def another_name(printed: Printed, rng: random.Random) -> str:
    """A name gives place to another name of the passage."""
    names = [word for word in _replaceable(printed) if word.named]
    around = {word.printed for word in parse_text(" ".join(printed.quotes)).content if word.named and not word.number}
    ways = [(word, other) for word in names for other in sorted(around) if other.lower() != word.text]
    if not ways:
        return ""
    word, other = rng.choice(ways)
    return _put(printed.text, word, other)


def not_inserted(printed: Printed, rng: random.Random) -> str:
    """What is said is denied."""
    ways = list(_AUXILIARY.finditer(printed.sentence))
    if not ways:
        return ""
    at = rng.choice(ways).end()
    return f"{printed.sentence[:at]} not{printed.sentence[at:]}"


def another_quantifier(printed: Printed, rng: random.Random) -> str:
    """All becomes some, most all, the same any, at least at most."""
    return _exchanged(printed.sentence, _QUANTIFIERS, rng)


def condition_left_out(printed: Printed, rng: random.Random) -> str:
    """A condition is left out."""
    match = _CONDITION.search(printed.sentence)
    rest = printed.sentence[: match.start()] + " " + printed.sentence[match.end() :] if match else ""
    return _tidy(rest) if len(rest) > 40 else ""


def hedge_left_out(printed: Printed, rng: random.Random) -> str:
    """What may be is told as a fact."""
    return _tidy(_HEDGE.sub("", printed.sentence, count=1)) if _HEDGE.search(printed.sentence) else ""


def turned_round(printed: Printed, rng: random.Random) -> str:
    """A comparison or change points the other way."""
    turn = {"higher": "lower", "lower": "higher", "larger": "smaller", "smaller": "larger", "better": "worse"}
    turn |= {"increases": "decreases", "increase": "decrease", "decrease": "increase", "decreases": "increases"}
    turn |= {"increased": "decreased", "decreased": "increased", "improved": "worsened", "faster": "slower"}
    return _exchanged(printed.sentence, turn, rng)


def doer_exchanged(printed: Printed, rng: random.Random) -> str:
    """What is done by someone is told as doing it: "was measured by the nurses", "measured the nurses"."""
    match = _BY_AGENT.fullmatch(printed.sentence)
    return f"{match['patient']} {match['verb']} {match['agent']}{match['rest']}" if match else ""


def other_voice(printed: Printed, rng: random.Random) -> str:
    """The same in the active voice."""
    match = _BY_AGENT.fullmatch(printed.sentence)
    if not match:
        return ""
    return f"{_capital(match['agent'])} {match['verb']} {_lower(match['patient'])}{match['rest']}"


def rewritten(printed: Printed, rng: random.Random) -> str:
    """Every harmless rewrite for which there is room, one upon the other."""
    sentence = printed.sentence
    for change in (without_opener, without_citation, trailing_left_out, clauses_reordered, authors_named, same_meaning):
        sentence = change(replace(printed, sentence=sentence), rng) or sentence
    return sentence


def without_opener(printed: Printed, rng: random.Random) -> str:
    """ "However," goes."""
    match = _OPENER.match(printed.sentence)
    return _capital(printed.sentence[match.end() :]) if match else ""


def without_citation(printed: Printed, rng: random.Random) -> str:
    """The paper's own reference marks go."""
    return _tidy(_CITED.sub("", printed.sentence))


def other_case(printed: Printed, rng: random.Random) -> str:
    """A word is written with or without its capital."""
    words = [word for word in _replaceable(printed) if not word.named and word.printed.islower()]
    word = rng.choice(words) if words else None
    return _put(printed.text, word, word.printed.capitalize()) if word else ""


def clauses_reordered(printed: Printed, rng: random.Random) -> str:
    """What stands in front goes behind, or the other way round."""
    match = _FRONTED.fullmatch(printed.sentence)
    if match:
        first = match["first"]
        return f"{_capital(match['rest'])} {first[0].lower()}{first[1:]}."
    match = _ADJUNCT.fullmatch(printed.sentence)
    return f"{_capital(match['last'])}, {_lower(match['rest'])}." if match else ""


def trailing_left_out(printed: Printed, rng: random.Random) -> str:
    """A relative clause at the end goes."""
    return _TRAILING.sub(".", printed.sentence)


def authors_named(printed: Printed, rng: random.Random) -> str:
    """ "We show" is told of the authors."""
    return re.sub(r"^We\b", "The authors", printed.sentence)


def same_meaning(printed: Printed, rng: random.Random) -> str:
    """A common word gives place to one that means the same."""
    return _exchanged(printed.sentence, _ALIKE, rng)


def _exchanged(text: str, pairs: Mapping[str, str], rng: random.Random) -> str:
    ways = [match for old in pairs for match in re.finditer(rf"\b{old}\b(?!-)", text)]
    if not ways:
        return ""
    match = rng.choice(ways)
    return _tidy(text[: match.start()] + pairs[match.group()] + text[match.end() :])


def _replaceable(printed: Printed) -> Sequence[Word]:
    return [
        word for word in parse_text(printed.text).content if not word.number and word.printed.isascii() and _long(word)
    ]


def _long(word: Word) -> bool:
    return len(word.text) >= 4 or (word.named and len(word.text) >= 2)


def _put(text: str, word: Word, other: str) -> str:
    return text[: word.start] + other + text[_end(word) :]


def _end(word: Word) -> int:
    return word.start + len(word.printed)


def _swap(text: str, item: tuple[int, int], other: tuple[int, int]) -> str:
    between = text[item[1] : other[0]]
    return text[: item[0]] + text[slice(*other)] + between + text[slice(*item)] + text[other[1] :]


def _tidy(text: str) -> str:
    return _capital(re.sub(r"\s+(?=[.,;])", "", re.sub(r"\s+", " ", text)).strip(" ,"))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lower(text: str) -> str:
    return text if text[1:2].isupper() or text.startswith("I ") else text[:1].lower() + text[1:]


FALSE: Mapping[str, Change] = {
    "numbers exchanged": exchanged_numbers,
    "exchanged around a comparator": around_comparator,
    "exchanged around a verb": around_verb,
    "another content word": another_word,
    "another name of the passage": another_name,
    "not inserted": not_inserted,
    "another quantifier": another_quantifier,
    "condition left out": condition_left_out,
    "hedge left out": hedge_left_out,
    "direction turned": turned_round,
    "done by told as done": doer_exchanged,
}
TRUE: Mapping[str, Change] = {
    "opener left out": without_opener,
    "citation left out": without_citation,
    "another case": other_case,
    "clauses reordered": clauses_reordered,
    "trailing clause left out": trailing_left_out,
    "we told of the authors": authors_named,
    "a word of the same meaning": same_meaning,
    "told in the other voice": other_voice,
    "all of these together": rewritten,
}
