"""Ways in which a claim and its quotes can disagree on what is said: names, negation, direction, quantity, certainty.

Each check gives the reason, or an empty string. They work on words and their order alone, so that they cost
microseconds and behave alike on every machine; ``structure`` holds those that look at who does what to whom.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from core.grounding.entailment.claims import (
    ParsedText,
    Word,
    closest_clause,
    count_negations,
    merge_short_clauses,
    negated_keys,
    strip_negative_prefix,
)
from core.grounding.entailment.lexicon import CJK_NEGATORS, SPATIAL_AXES, poles_at, word_list
from core.grounding.entailment.predicates import is_comparison_reversed, is_reversed_antonym
from core.text import alphanumeric_key

_PLAIN_COMPARING = frozenset(["more", "less", "most", "least", "above", "below", "better", "worse"])
_CODE = re.compile(r"\d(?!x\d|e\d)[a-z]+\d", re.IGNORECASE)
MAX_ADDED_WORDS = 1
"""How many content words in a row may be the writer's own."""


def check_names(said: ParsedText, quoted: ParsedText) -> str:
    """Every name in the claim stands in the quotes."""
    held = set(_joined(quoted))
    for at, word in enumerate(said.words):
        capital = word.printed[0].isupper() and at > 0 and not word.small
        code = bool(_CODE.search(word.printed))  # "6cd32620" is no 6 with a unit
        if not code and (word.number or not (word.named or capital)):
            continue
        if alphanumeric_key(word.printed) not in held and (code or not quoted.holds(word)):
            return f"name not in the quote: {word.printed}"
    return ""


def _joined(one: ParsedText) -> Iterator[str]:
    """Words, and up to three neighbours as one: what is "data set" here may be "DataSet" there."""
    words = [alphanumeric_key(word.printed) for word in one.words]
    for at in range(len(words)):
        yield from ("".join(words[at:end]) for end in range(at + 1, min(at + 4, len(words) + 1)))


def check_negation(said: ParsedText, quoted: ParsedText) -> str:
    """What the quotes deny, the claim denies, and the other way round."""
    mine, theirs = _negated(said), _negated(quoted)
    differing = [
        key for key in mine if key in theirs and mine[key] != theirs[key] and _is_always_negated(mine[key], theirs[key])
    ]
    here, there = negated_keys(said), negated_keys(quoted)
    moved = [key for key in here - there if key in quoted.keys] + [key for key in there - here if key in said.keys]
    crossed = (here - there) & quoted.keys and (there - here) & said.keys
    count, their_count = count_negations(said), _near_negations(said, quoted)
    unequal = bool(count) != bool(their_count)
    if (differing and (unequal or crossed)) or (moved and count != their_count):
        return f"negation differs at: {(differing or moved)[0]}"
    if any(sign in CJK_NEGATORS for sign in said.text + quoted.text) and unequal:
        return "negation differs"
    if _exchanged_denials(said, quoted):
        return "negation has moved to another clause"
    twice = _double_negations(said) - _double_negations(quoted)
    if twice:
        return f"negation differs at: {min(twice)}"
    return _prefixes(said, quoted) or _prefixes(quoted, said)


def _exchanged_denials(said: ParsedText, quoted: ParsedText) -> bool:
    """Whether one clause of the claim denies what its counterpart says, and another the reverse."""
    found = set[int]()
    for segment in merge_short_clauses(said, 2):
        there = closest_clause(segment, quoted)
        if there:
            found.add(_denies(said, segment) - _denies(quoted, there))
    return {1, -1} <= found


def _denies(one: ParsedText, part: Sequence[Word]) -> bool:
    """Whether a negation stands in the clauses of these words."""
    clauses = {word.clause for word in part}
    return any(word.clause in clauses and word.text in word_list("negators") for word in one.words)


def _double_negations(one: ParsedText) -> frozenset[str]:
    """Words that deny already and have a "not" before them: "not no", "not insignificant"."""
    return frozenset(
        after.key
        for before, after in pairwise(one.words)
        if before.text == "not" and (after.text in word_list("negators") or strip_negative_prefix(after.text))
    )


def _is_always_negated(one: set[bool], other: set[bool]) -> bool:
    return len(one) == len(other) == 1


def _near_negations(said: ParsedText, quoted: ParsedText) -> int:
    """Negations in those clauses of the quotes that share words with the claim."""
    if any(sign in CJK_NEGATORS for sign in quoted.text):
        return count_negations(quoted)
    near = {word.clause for segment in merge_short_clauses(said) for word in closest_clause(segment, quoted)}
    held = {word.key for word in quoted.content if word.clause in near}
    near |= {word.clause for word in quoted.content if word.key in said.keys - held}
    return sum(word.clause in near and word.text in word_list("negators") for word in quoted.words)


def _negated(one: ParsedText) -> dict[str, set[bool]]:
    states: dict[str, set[bool]] = {}
    for word in one.content:
        states.setdefault(word.stem, set()).add(word.negated)
    return states


def _prefixes(one: ParsedText, other: ParsedText) -> str:
    """ "Insignificant" on one side and "significant", not negated, on the other."""
    texts = {word.text for word in other.words}
    own = {word.text for word in one.words}
    for word in one.words:
        plain = strip_negative_prefix(word.text)
        alone = plain in texts and plain not in own and word.text not in texts
        if plain and alone and not any(match.negated for match in other.words if match.text == plain):
            return f"negation differs at: {word.text}"
    return ""


def check_direction(said: ParsedText, quoted: ParsedText) -> str:
    """Every word with an opposite stands in the quotes at the same end of its scale, beside the same words."""
    texts = [word.text for word in said.words]
    for at, word in enumerate(said.words):
        for axis, sign in poles_at(texts, at):
            ends = list(_ends(quoted, axis))
            if not ends and word.stem in quoted.tokens:
                continue
            if axis in SPATIAL_AXES and any(other == word.text for _, other, _ in ends):
                continue
            if not ends:
                return f"not in the quote: {word.printed}"
            alike = [one for one in ends if _is_comparative(one[1]) == _is_comparative(word.text)]
            context = _neighbour_weights(said, at)
            scores = [
                (_nearness(context, beside) + 0.05 * (other == word.text), end) for end, other, beside in alike or ends
            ]
            best = max(score for score, _ in scores)
            agrees = _polarity_in_context(word, axis, sign) in {end for score, end in scores if score == best}
            if not agrees and not is_comparison_reversed(said, quoted):
                return f"direction differs at: {word.printed}"
    return ""


def _is_comparative(word: str) -> bool:
    """Whether a word with an opposite compares ("more", "higher") rather than tells a change ("rise")."""
    return word in _PLAIN_COMPARING or word.endswith(("er", "est"))


def _ends(one: ParsedText, axis: str) -> Iterator[tuple[int, str, dict[str, float]]]:
    """Where words of a scale stand in a text: their end of it, themselves, and what is beside them."""
    texts = [word.text for word in one.words]
    for at, word in enumerate(one.words):
        for other, sign in poles_at(texts, at):
            if other == axis:
                yield _polarity_in_context(word, axis, sign), word.text, _neighbour_weights(one, at)


def _polarity_in_context(word: Word, axis: str, sign: int) -> int:
    return -sign if word.negated and axis not in SPATIAL_AXES else sign


def _neighbour_weights(one: ParsedText, at: int, reach: int = 8) -> dict[str, float]:
    """Content words around a word, weighted by how near they are; across a clause's end they count half."""
    weights: dict[str, float] = {}
    for other in range(max(0, at - reach), min(len(one.words), at + reach + 1)):
        word = one.words[other]
        if other == at or word.small or word.sentence != one.words[at].sentence:
            continue
        distance = abs(other - at) + (0.5 if other < at else 0)
        weight = 1 / distance / (1 if word.clause == one.words[at].clause else 2)
        weights[word.key] = max(weight, weights.get(word.key, 0))
    return weights


def _nearness(one: dict[str, float], other: dict[str, float]) -> float:
    return sum(weight * other[key] for key, weight in one.items() if key in other)


def check_attribution(said: ParsedText, quoted: ParsedText) -> str:
    """What others are quoted as saying is not told as the paper's own finding."""
    if not any(word.text in word_list("own") for word in said.words[:4]):
        return ""
    near = closest_clause(said.content, quoted)
    words = [word for word in quoted.words if near and word.sentence == near[0].sentence]
    if any(word.text in ("we", "our", "ours", "here") for word in words):
        return ""
    for at, word in enumerate(words[1:6], 1):
        named = [one for one in words[:at] if one.printed[0].isupper() and not one.small and not _is_own_work_word(one)]
        if word.text in word_list("claiming") and named and named[0].key not in said.keys:
            return f"said by others in the quote: {named[0].printed}"
    return ""


def _is_own_work_word(word: Word) -> bool:
    return word.text in word_list("own") or word.text in ("table", "figure", "fig", "results", "section", "experiments")


def check_conditions(said: ParsedText, quoted: ParsedText) -> str:
    """A condition that the quotes set on what the claim says is kept."""
    order = {clause[0].clause: at for at, clause in enumerate(quoted.clauses())}
    near = {word.clause for segment in merge_short_clauses(said) for word in closest_clause(segment, quoted)}
    for at, word in enumerate(quoted.words):
        bound = word.text == "up" and [one.text for one in quoted.words[at + 1 : at + 2]] == ["to"]
        if not (bound or word.text in word_list("conditions")) or word.clause not in order:
            continue
        reach = 1 if word.text in word_list("subordinating") else 0
        touched = [one for one in near if abs(order[one] - order[word.clause]) <= reach]
        if not any(one.clause in touched and one.sentence == word.sentence for one in quoted.content):
            continue
        after = [one for one in _opening(quoted.words[at + 1 : at + 9]) if not one.small and one.clause == word.clause]
        elsewhere = {one.key for one in quoted.content if one not in after}
        own = [one for one in after if one.key not in elsewhere] or after
        lost = [one for one in own if one.key not in said.keys]
        if len(lost) == len(own) > 0 or any(one.number for one in lost):
            return f"condition left out: {word.printed} {lost[0].printed}"
    return ""


def _opening(words: Sequence[Word]) -> Iterator[Word]:
    """The words up to a comma or another sign that ends them."""
    return takewhile(lambda word: not word.opens, words)


def check_added_words(said: ParsedText, quoted: ParsedText) -> str:
    """No run of content words that the quotes do not have: an invention inside a cited sentence."""
    run: list[str] = []
    added: list[str] = []
    for word in said.content:
        if word.text in word_list("reporting") or word.number:
            continue
        new = not quoted.holds(word) and not is_reversed_antonym(word, said, quoted)
        run = [*run, word.printed] if new else []
        added += [word.printed] if new else []
        if len(run) > MAX_ADDED_WORDS:
            return f"not in the quote: {' '.join(run)}"
    if len(added) > max(1, len(said.content) // 12):
        return f"not in the quote: {', '.join(added)}"
    return ""
