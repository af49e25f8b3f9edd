"""How questions ask for an aspect of a paper, and under which headings papers print it: one value a language.

The patterns of all languages are joined, since a question may be in another language than its paper.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache

from core.text.languages import chinese, english, french, german, italian, portuguese, spanish
from core.text.languages.aspect_words import AspectName, AspectWords

_LANGUAGES: tuple[Mapping[AspectName, AspectWords], ...] = (
    english.ASPECTS,
    spanish.ASPECTS,
    portuguese.ASPECTS,
    french.ASPECTS,
    italian.ASPECTS,
    german.ASPECTS,
    chinese.ASPECTS,
)
ASPECT_NAMES: tuple[AspectName, ...] = tuple(english.ASPECTS)
"""In the order in which a question is compared with them."""
_NEVER = re.compile(r"(?!)")


@cache
def asked_pattern(name: AspectName) -> re.Pattern[str]:
    """How a question asks for an aspect."""
    return _joined(name, lambda words: words.asked)


@cache
def heading_pattern(name: AspectName) -> re.Pattern[str]:
    """The headings, or words set before a colon, under which papers print it."""
    return _joined(name, lambda words: words.headings)


@cache
def cue_pattern(name: AspectName) -> re.Pattern[str]:
    """Words of a sentence that is on it wherever it stands."""
    return _joined(name, lambda words: words.cues)


def _joined(name: AspectName, part: Callable[[AspectWords], str]) -> re.Pattern[str]:
    patterns = [part(language[name]) for language in _LANGUAGES if name in language and part(language[name])]
    return re.compile("|".join(patterns), re.IGNORECASE) if patterns else _NEVER
