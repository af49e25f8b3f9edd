"""Who does what to whom, told by the form of English verbs: "was paid" and "paid" are the same words the other way.

Actives and passives of a text are found by closed lists of auxiliaries and irregular forms; where both a claim and its
quotes have a verb, what it is said of must not have changed sides. What cannot be told is left to the other checks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.grounding.entailment.claims import ParsedText, Word
from core.grounding.entailment.lexicon import antonym_poles, word_list

_BE = frozenset("is are was were be been being isn't aren't wasn't weren't gets got".split())
_HAVE = frozenset("has have had having".split())
_MODALS = frozenset("do does did can could may might must shall should will would".split())
_BETWEEN = frozenset("not then also again never often usually always therefore thus only first later all both".split())
"""What may stand between an auxiliary and its verb, beside words in "-ly"."""
_PAST_TEXT = """
gave took wrote chose knew saw drew drove ate spoke broke froze wore hid stole threw shook rode overcame forgot
overtook withdrew
"""
_PAST = frozenset(_PAST_TEXT.split())
"""Forms that are no participle."""
_PARTICIPLES_TEXT = """
given taken written chosen known seen drawn driven eaten spoken broken frozen worn hidden stolen thrown shaken
ridden overcome forgotten shown grown beaten overtaken withdrawn borne
"""
_PARTICIPLES = frozenset(_PARTICIPLES_TEXT.split())
_EITHER_TEXT = """
paid sold sent sought fed held brought taught met told said spent lost built cut put set hit led left kept found made
bought caught fought won heard read understood bound split spread lent bent hurt struck dealt laid
"""
_EITHER = frozenset(_EITHER_TEXT.split())
_DETERMINERS_TEXT = """
the a an this that these those their its his her our each every all both some any no many several few most another them
it us him
"""
_DETERMINERS = frozenset(_DETERMINERS_TEXT.split())
_RELATIVE = frozenset("which who that whom then so".split())
_STOPS = _RELATIVE | {"and", "or", "but"}
_POINTING = frozenset("it they this these those".split())
_ANYONE_TEXT = """
we i you one someone researcher researchers team group investigator investigators scientist scientists
"""
_ANYONE = frozenset(_ANYONE_TEXT.split())
"""Who may stand for whoever did what a paper tells in the passive."""
_MEASURES = frozenset(["point", "percentag", "factor", "order", "fold", "percent"])
_LABILE_AXES = ("size", "quality")


@dataclass(frozen=True, slots=True, kw_only=True)
class VerbFrame:
    """A verb with the keys of the nouns around it; ``agent`` is who does it where a passive says so ("by …").

    ``subject`` and ``object`` stand before and behind the verb; ``open`` says that a pronoun or "we" is the subject.
    """

    verb: Word
    passive: bool
    subject: frozenset[str]
    object: frozenset[str]
    agent: frozenset[str]
    open: bool


def check_voice(said: ParsedText, quoted: ParsedText) -> str:
    """Each act of the claim fits one act of the quotes with the same verb, where these have any."""
    theirs = list(extract_verb_frames(quoted))
    for act in extract_verb_frames(said):
        same = [other for other in theirs if other.verb.key == act.verb.key]
        if same and not any(_fits(act, other, quoted) for other in same):
            return f"who does it is exchanged: {act.verb.printed}"
        if not same and not act.passive and act.object & _prepositional_noun(act.verb, quoted):
            return f"who does it is exchanged: {act.verb.printed}"
    return ""


def _prepositional_noun(verb: Word, quoted: ParsedText) -> frozenset[str]:
    """The noun that a preposition leads to behind a participle: "mice infected with the virus" infect no virus."""
    for at, (word, after) in enumerate(pairwise(quoted.words)):
        if word.key == verb.key and _is_participle(word) and after.text in ("with", "by", "from", "in", "on"):
            return _nouns(quoted.words, at + 2)
    return frozenset()


def _fits(act: VerbFrame, other: VerbFrame, quoted: ParsedText) -> bool:
    if act.passive is other.passive and _of_another(act, other, quoted):
        return False
    if act.passive and other.passive:
        return not (act.agent and other.agent) or bool(act.agent & other.agent)
    if act.passive:
        return _is_done_to(act, other)
    if other.passive:
        return (act.open and not act.subject & other.subject) or _does(act, other, quoted)
    return not (_more(act.subject, other.object, other.subject) and _more(act.object, other.subject, other.object))


def _of_another(act: VerbFrame, other: VerbFrame, quoted: ParsedText) -> bool:
    """Whether what is said of one thing in one sentence of the quotes is said of what another sentence is about."""
    if other.open or act.open or not act.subject or not other.subject or act.subject & other.subject:
        return False
    there = {word.key for word in quoted.content if word.sentence == other.verb.sentence}
    named = {word.key for word in quoted.content if word.text not in word_list("generic")}
    return other.subject <= named and act.subject <= named - there


def _is_done_to(act: VerbFrame, other: VerbFrame) -> bool:
    """Whether a passive tells what an active does: the subject was its object, the agent its subject."""
    if other.open:
        return not _more(act.agent, other.object, other.subject)
    kept = not _more(act.subject, other.subject, other.object)
    return kept and not (act.agent and other.subject and not act.agent & other.subject)


def _does(act: VerbFrame, other: VerbFrame, quoted: ParsedText) -> bool:
    """Whether an active tells what a passive does: the subject is its agent, or is not told there."""
    if other.agent:
        return bool(act.subject & other.agent) and not _more(act.subject, other.subject, other.agent)
    if act.subject & other.subject:
        return not _more(other.subject, act.subject, act.object)
    sentence = {word.key for word in quoted.content if word.sentence == other.verb.sentence}
    return bool(act.subject & sentence) or not act.subject & quoted.keys


def _more(words: frozenset[str], one: frozenset[str], other: frozenset[str]) -> bool:
    return len(words & one) > len(words & other)


def extract_verb_frames(one: ParsedText) -> Iterator[VerbFrame]:
    """Verbs that are surely active, with an object, or surely passive; in order."""
    before: VerbFrame | None = None
    for at, word in enumerate(one.words):
        if word.small or word.number:
            continue
        passive = _is_passive(one.words, at)
        if not passive and not _is_active(one.words, at):
            continue
        subject, open_ = _subject(one.words, at, before)
        act = VerbFrame(
            verb=word,
            passive=passive,
            subject=subject,
            object=_nouns(one.words, at + 1),
            agent=_agent(one.words, at) if passive else frozenset(),
            open=open_,
        )
        before = act
        yield act


def _is_participle(word: Word) -> bool:
    return (
        word.text in _PARTICIPLES
        or word.text in _EITHER
        or (word.text.endswith("ed") and not word.text.endswith("eed") and len(word.text) > 3)
    )


def _auxiliary(words: Sequence[Word], at: int) -> int:
    """Where the auxiliary of a verb stands, past adverbs, or -1."""
    for back in range(at - 1, max(-1, at - 4), -1):
        text = words[back].text
        if words[back].clause != words[at].clause:
            return -1
        if text in _BE | _HAVE | _MODALS:
            return back
        if text not in _BETWEEN and not text.endswith("ly"):
            return -1
    return -1


def _is_passive(words: Sequence[Word], at: int) -> bool:
    found = _auxiliary(words, at)
    return found >= 0 and words[found].text in _BE and _is_participle(words[at])


def _is_active(words: Sequence[Word], at: int) -> bool:
    """Whether a word is a verb with an object behind it: "paid 12 euros", "feeds the star"."""
    word, text = words[at], words[at].text
    if at == 0 or at + 1 == len(words) or words[at + 1].clause != word.clause:
        return False
    after, previous = words[at + 1], words[at - 1]
    had = _auxiliary(words, at)
    past = text in _PAST or (
        _is_participle(word) and text not in _PARTICIPLES and (had < 0 or words[had].text in _HAVE)
    )
    if had >= 0 and words[had].text in _BE:
        return False
    base = had >= 0 and words[had].text in _MODALS and not text.endswith(("ed", "ing", "ly"))
    noun_before = (
        previous.clause != word.clause
        or not previous.small
        or previous.text in _STOPS | _ANYONE | _POINTING
        or had >= 0
    )
    present = text.endswith("s") and not text.endswith("ss") and noun_before and not previous.text.endswith("s")
    plural = previous.text.endswith("s") and not previous.small and not text.endswith(("s", "ed", "ing", "ly"))
    if not (past or base) and (not (present or plural) or _in_opening(words, at)):
        return False
    if after.number and _is_labile(text):
        return False
    bare = not after.small and not _is_verb_form(after) and noun_before and (past or present or base)
    return (
        after.text in _DETERMINERS or after.number or bare or (after.text == "to" and past and _is_only_verb(words, at))
    )


def _in_opening(words: Sequence[Word], at: int) -> bool:
    """Whether nothing but one noun phrase stands between a preposition that opens the clause and a word: it is the noun
    of "in wet years".
    """
    here = [word for word in words[:at] if word.clause == words[at].clause]
    opened = bool(here) and here[0].text in word_list("prepositions")
    return opened and all(not word.small for word in here[2:])


def _is_verb_form(word: Word) -> bool:
    return _is_participle(word) or word.text in _PAST


def _is_only_verb(words: Sequence[Word], at: int) -> bool:
    """Whether no other word of the sentence could be its verb: "patients asked to fill in a diary"."""
    others = [word for word in words if word.sentence == words[at].sentence and word is not words[at]]
    return not any(_is_verb_form(word) or word.text in _BE | _HAVE | _MODALS for word in others)


def _is_labile(text: str) -> bool:
    """Whether a verb tells a change of its subject and of its object alike: accuracy improved by, improved 3 points."""
    return any(axis in _LABILE_AXES for axis, _ in antonym_poles().get(text, ()))


def _subject(words: Sequence[Word], at: int, before: VerbFrame | None) -> tuple[frozenset[str], bool]:
    """The nouns that a verb is said of, and whether they are left open; a second verb shares those of the first."""
    had = _auxiliary(words, at)
    before_verb = words[: had if had >= 0 else at]
    here = [word for word in before_verb if word.clause == words[at].clause and word.sentence == words[at].sentence]
    if here and here[-1].text in ("and", "or", "but", "then") and before and before.verb.sentence == words[at].sentence:
        return before.subject, before.open
    if before and before.verb in here:
        here = here[here.index(before.verb) + 1 :]
    if not here or (len(here) == 1 and here[0].text in ("which", "who", "that")):
        return _antecedent(words, at), False
    found = _phrase(here)
    if not found and before and before.verb.sentence == words[at].sentence:
        return before.subject, before.open
    anyone = any(word.text in _ANYONE or word.text in word_list("own") for word in here)
    return found, anyone or found <= _POINTING


def _phrase(here: Sequence[Word]) -> frozenset[str]:
    """Keys of the noun phrase that ends before a verb: behind the last article where it opens with a preposition
    ("in wet summers the ants"), up to its first preposition otherwise ("speakers of the dialect").
    """
    cut = next((at for at in range(len(here) - 1, -1, -1) if here[at].text in _RELATIVE), -1)
    part = here[cut + 1 :]
    if part and part[0].text in word_list("prepositions"):
        starts = [at for at, word in enumerate(part) if word.text in _DETERMINERS and at > 1]
        part = part[starts[-1] :] if starts else part[-1:]
    end = next(
        (at for at, word in enumerate(part) if at and word.text in word_list("prepositions") | {"of"}), len(part)
    )
    return frozenset(word.key for word in part[:end] if (not word.small and not word.number) or word.text in _POINTING)


def _antecedent(words: Sequence[Word], at: int) -> frozenset[str]:
    """The noun closely before a relative clause."""
    clause = [word for word in words[:at] if word.clause < words[at].clause and word.sentence == words[at].sentence]
    return frozenset(word.key for word in clause[-1:] if not word.small)


def _nouns(words: Sequence[Word], start: int) -> frozenset[str]:
    """Keys of the nouns that follow, up to a preposition, a joining word or the end of the clause."""
    found = set[str]()
    for word in words[start:] if start < len(words) and words[start].clause == words[start - 1].clause else ():
        stop = word.text in word_list("prepositions") or word.text in _STOPS - {"that"} or word.text in _BE
        if word.clause != words[start].clause or (stop and found):
            break
        if not word.small and not word.number:
            found.add(word.key)
    return frozenset(found)


def _agent(words: Sequence[Word], at: int) -> frozenset[str]:
    """Who does it, in the same clause behind the verb: "was paid in cash by the library", not "by 2.1 points"."""
    for number in range(at + 1, min(len(words) - 1, at + 9)):
        if words[number].clause != words[at].clause or words[number].text in _STOPS:
            break
        if words[number].text == "by":
            found = _nouns(words, number + 1)
            measured = words[number + 1].number and (_MEASURES & found or words[number + 1].key[-1].isalpha())
            return frozenset() if measured else found
    return frozenset()
