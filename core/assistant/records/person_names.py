"""Names of authors taken apart as bibliographies want them: given names, particle, family name. Pure.

What is printed is one string a name. A particle ("van der") belongs before the family name; a group, and a name that
is written without spaces, is left whole.
"""

import re
from dataclasses import dataclass
from itertools import takewhile

from core.text import CJK

_PARTICLES = frozenset(
    "af al am auf aus bin da dal dalla das de degli dei del della der des di do dos du el ibn la las le les lo los op "
    "san st ten ter tot van vande vander vom von y zu zum zur 't d'".split()
)
_ALSO_FAMILY_NAMES = frozenset(("do", "le", "la", "lo", "san", "los", "y"))
"""Particles that are family names where they are written with a capital (Asian and other names)."""
_SUFFIX = re.compile(r"^(?:jr|sr|ii|iii|iv)\.?$", re.IGNORECASE)
_INITIALS = re.compile(r"(?:[^\W\d_]\.?[\s\-]?){1,4}")
_GROUP = re.compile(
    r"\b(?:collaborations?|consorti(?:um|a)|groups?|teams?|projects?|networks?|committee|initiative|society|association|"
    r"universit\w+|institut\w+|cent(?:er|re)|laborator\w+|department|foundation|organi[sz]ation|investigators)\b",
    re.IGNORECASE,
)
_MARKS = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹*∗†‡§¶]+(?=,|$)")
"""What points from a name to an affiliation or a note."""


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
    if "," in name and not _GROUP.search(name):
        return _from_inverted(name)
    words = name.split(" ")
    if len(words) < 2 or _GROUP.search(name) or CJK.search(name):
        return PersonName(whole=name)
    suffix = words.pop() if len(words) > 2 and _SUFFIX.match(words[-1]) else ""
    last = len(words) - 1
    begin = next((index for index in range(1, last) if words[index].lower() in _PARTICLES), last)
    if words[begin].istitle() and words[begin].lower() in _ALSO_FAMILY_NAMES:
        begin = last
    particle = list(takewhile(_is_particle, words[begin:last]))
    family = words[begin + len(particle) :]
    return PersonName(
        given=" ".join(words[:begin]), particle=" ".join(particle), family=" ".join(family), suffix=suffix
    )


def _is_particle(word: str) -> bool:
    return word.lower() in _PARTICLES


def _from_inverted(name: str) -> PersonName:
    family, *rest = (part.strip() for part in name.split(","))
    suffixes = [part for part in rest if _SUFFIX.match(part)]
    given = " ".join(part for part in rest if part and part not in suffixes)
    if not given:
        return PersonName(whole=family)
    words = family.split(" ")
    particle = list(takewhile(_is_particle, words[:-1]))
    return PersonName(
        given=given,
        particle=" ".join(particle),
        family=" ".join(words[len(particle) :]),
        suffix="".join(suffixes[:1]),
    )


def split_comma_list(names: str) -> list[str]:
    """The people in ``names`` where commas part them, in the form that has ``and`` between people; else as it is.

    ``Ann Lee, Bo Chen, Cid Rao`` are three, as are ``Lee, A., Chen, B., Rao, C.``; ``van Rijn, Jr., Jan`` is one.
    """
    parts = [part.strip() for part in names.split(",")]
    if len(parts) < 3 or any(_SUFFIX.match(part) or not part for part in parts):
        return [names]
    if all(len(part.split()) > 1 for part in parts):
        return parts
    pairs = list(zip(parts[::2], parts[1::2], strict=False))
    is_paired = len(parts) % 2 == 0 and all(_INITIALS.fullmatch(given) for _, given in pairs)
    return [f"{family}, {given}" for family, given in pairs] if is_paired else [names]


def uninvert_name(name: str) -> str:
    """``Family, Given`` turned round to how it is printed; other names as they are."""
    parts = parse_name(name)
    return parts.whole or " ".join(part for part in (parts.given, parts.particle, parts.family, parts.suffix) if part)
