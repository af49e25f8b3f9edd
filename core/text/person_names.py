"""Names of people and groups: their particles, suffixes and capitals, and their parts for bibliographies. Pure.

What is printed is one string a name. A particle ("van der") belongs before the family name; a group, and a name that
is written without spaces, is left whole.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from core.text.language import CJK

PARTICLES = frozenset(
    "af al am auf aus av bin da dal dalla das de degli dei del della den der des di do dos du el ibn la las le les lo "
    "los op san st ten ter tot van vande vander vom von y zu zum zur 't d'".split()
)
_ALSO_FAMILY_NAMES = frozenset(("do", "le", "la", "lo", "san", "los", "y"))
"""Particles that are family names where they are written with a capital (Asian and other names)."""
SUFFIX = re.compile(r"^(?:jr|sr|ii|iii|iv)\.?$", re.IGNORECASE)
GROUP = re.compile(
    r"\b(?:collaborations?|consorti(?:um|a)|groups?|teams?|projects?|networks?|committee|initiative|society|association|"
    r"universit\w+|institut\w+|cent(?:er|re)|laborator\w+|department|foundation|organi[sz]ation|investigators)\b",
    re.IGNORECASE,
)
STUDY_GROUP = re.compile(
    r"\b(?:collaborations?|consorti(?:um|a)|groups?|teams?|networks?|committee|initiative|investigators)\W*$",
    re.IGNORECASE,
)
"""How the name of a group ends that signs a paper as its author."""
_MARKS = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹*∗†‡§¶]+(?=,|$)")
"""What points from a name to an affiliation or a note."""
_INITIALS = re.compile(r"(?:[^\W\d_]\.?[\s\-]?){1,4}")
_LONG_RUN = re.compile(r"[^\W\d_]{3}")
"""More letters than initials without stops have."""
_VOWELS = frozenset("aeiouy")


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonName:
    """A name in parts. A ``whole`` name has no parts: a group, or a person of one name."""

    whole: str = ""
    given: str = ""
    particle: str = ""
    family: str = ""
    suffix: str = ""

    @property
    def surname(self) -> str:
        """What the name is sorted and keyed by."""
        return self.whole or self.family

    @property
    def for_bibtex(self) -> str:
        """Family name first, the suffix behind it: ``van Rijn, Jr., Jan``."""
        return self._join(self._last, self.suffix, self.given)

    @property
    def for_ris(self) -> str:
        """Family name first, the suffix at the end: ``van Rijn, Jan, Jr.``."""
        return self._join(self._last, self.given, self.suffix)

    @property
    def _last(self) -> str:
        return f"{self.particle} {self.family}".strip()

    def _join(self, *parts: str) -> str:
        return self.whole or ", ".join(filter(None, parts))


def parse_name(name: str) -> PersonName:
    """A printed name in parts, without raised marks behind it. ``Family, Given`` is understood too."""
    name = _MARKS.sub("", " ".join(name.split()))
    if "," in name and not GROUP.search(name):
        return _from_inverted(name)
    words = name.split(" ")
    if len(words) < 2 or GROUP.search(name) or CJK.search(name):
        return PersonName(whole=name)
    suffix = words.pop() if len(words) > 2 and SUFFIX.match(words[-1]) else ""
    last = len(words) - 1
    begin = next((index for index in range(1, last) if is_particle(words[index])), last)
    if words[begin].istitle() and words[begin].lower() in _ALSO_FAMILY_NAMES:
        begin = last
    particle = list(takewhile(is_particle, words[begin:last]))
    family = words[begin + len(particle) :]
    return PersonName(
        given=" ".join(words[:begin]), particle=" ".join(particle), family=" ".join(family), suffix=suffix
    )


def is_particle(word: str) -> bool:
    """Whether a word is one of those between given and family name, in small letters or not."""
    return word.lower() in PARTICLES


def _from_inverted(name: str) -> PersonName:
    family, *rest = (part.strip() for part in name.split(","))
    suffixes = [part for part in rest if SUFFIX.match(part)]
    given = " ".join(part for part in rest if part and part not in suffixes)
    if not given:
        return PersonName(whole=family)
    words = family.split(" ")
    particle = list(takewhile(is_particle, words[:-1]))
    return PersonName(
        given=given,
        particle=" ".join(particle),
        family=" ".join(words[len(particle) :]),
        suffix="".join(suffixes[:1]),
    )


def split_comma_list(names: str) -> list[str]:
    """The people in ``names`` where only commas part them; else ``names`` as it is.

    ``Ann Lee, Bo Chen, Cid Rao`` are three, as are ``Lee, A., Chen, B., Rao, C.``; ``van Rijn, Jr., Jan`` is one.
    """
    parts = [part.strip() for part in names.split(",")]
    if len(parts) < 3 or any(SUFFIX.match(part) or not part for part in parts):
        return [names]
    if all(" " in part for part in parts):
        return parts
    return _pair_initials(parts) or [names]


def _pair_initials(parts: Sequence[str]) -> list[str]:
    """Family names with the initials that follow each; nothing where something else follows one."""
    pairs = list(zip(parts[::2], parts[1::2], strict=False))
    is_paired = len(parts) % 2 == 0 and all(_INITIALS.fullmatch(given) for _, given in pairs)
    return [f"{family}, {given}" for family, given in pairs] if is_paired else []


def uninvert_name(name: str) -> str:
    """``Family, Given`` turned round to how it is printed; other names as they are."""
    parts = parse_name(name)
    return parts.whole or " ".join(part for part in (parts.given, parts.particle, parts.family, parts.suffix) if part)


def lower_capitals(name: str) -> str:
    """A name that is set in capitals as one writes it: ``JAN VAN DER BERG``, ``Clara WESTIN``, ``McDONALD``."""
    words = name.split()
    is_all_capitals = not any(char.islower() for word in words for char in word if not word.startswith(("Mc", "Mac")))
    return " ".join(_lower_word(word, index, is_all_capitals) for index, word in enumerate(words))


def _lower_word(word: str, index: int, is_all_capitals: bool) -> str:
    if index and SUFFIX.match(word):
        return word.capitalize() if word[:1] in "JjSs" else word
    if index and is_all_capitals and is_particle(word):
        return word.lower()
    is_name = _LONG_RUN.search(word) or (is_all_capitals and _is_short_name(word))
    return re.sub(r"(?<=[^\W\d_])[^\W\d_]+", _lower_after_capital, word) if is_name else word


def _is_short_name(word: str) -> bool:
    """Whether two letters are rather a name than initials: one of them is a vowel."""
    letters = unicodedata.normalize("NFD", word.lower())
    return sum(map(str.isalpha, word)) == 2 and not _VOWELS.isdisjoint(letters)


def _lower_after_capital(rest: re.Match[str]) -> str:
    """The letters behind the first of a word; a capital stays behind a small letter (``McDonald``)."""
    text = rest.string[rest.start() - 1] + rest.group()
    return "".join(char if before.islower() else char.lower() for before, char in pairwise(text))
