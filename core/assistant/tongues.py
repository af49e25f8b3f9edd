"""The signs of ``signs`` joined with those of the other main languages of science.

One pattern serves all languages: a paper quotes others, and a word of one language seldom means something else in
another. It stands apart from the lists because here is told which lists make which sign.
"""

import re

from core.assistant import signs
from core.assistant import tongue_lists as lists


def _with(sign: re.Pattern[str], *own: str) -> re.Pattern[str]:
    return re.compile("|".join((sign.pattern, *own)), re.IGNORECASE)


def _near(one: str, other: str, most: int) -> str:
    """One beside the other within a clause, whichever comes first: verbs stand last in many languages."""
    return rf"(?:{one})[^.;。；]{{0,{most}}}(?:{other})|(?:{other})[^.;。；]{{0,{most}}}(?:{one})"


OURS = _with(signs.OURS, lists.OURS)
OTHERS = _with(signs.OTHERS, lists.OTHERS)
POINTS = _with(signs.POINTS, lists.POINTS)
DATA = _with(signs.DATA, lists.DATA)
ABOUT_DATA = _with(signs.ABOUT_DATA, _near(lists.DATA, lists.GOT, 70), _near(lists.THINGS, lists.GOT, 30))
COUNTED_ABROAD = re.compile(lists.COUNTED, re.IGNORECASE)
COUNTED = _with(signs.COUNTED, lists.COUNTED)
TOTAL = _with(signs.TOTAL, lists.TOTAL)
SIZED = _with(signs.SIZED, lists.SIZED)
MEANS = _with(signs.MEANS, lists.MEANS)
DOES = _with(signs.DOES, lists.DOES)
WAS_USED = _with(signs.WAS_USED, lists.WAS_USED)
MIXED = _with(signs.MIXED, lists.MIXED)
TRAINED = _with(signs.TRAINED, lists.TRAINED)
TREATED = _with(signs.TREATED, lists.TREATED)
MEASURE = _with(signs.MEASURE, lists.MEASURE)
MEASURED = _with(signs.MEASURED, lists.MEASURED)
FOUND = _with(signs.FOUND, lists.FOUND)
CHANGED = _with(signs.CHANGED, lists.CHANGED)
LIMIT = _with(signs.LIMIT, lists.LIMIT)
DID_NOT = _with(signs.DID_NOT, lists.DID_NOT)
FUTURE = _with(signs.FUTURE, lists.FUTURE)
INTENDS = _with(signs.INTENDS, lists.INTENDS)
LACKING = _with(signs.LACKING, lists.LACKING)
CONTRAST = _with(signs.CONTRAST, lists.CONTRAST)
OFFERS = _with(signs.OFFERS, lists.OFFERS)
AIM = _with(signs.AIM, lists.AIM)
ARGUES = _with(signs.ARGUES, lists.ARGUES)
MATTERS = _with(signs.MATTERS, lists.MATTERS)
STATISTIC = _with(signs.STATISTIC, lists.STATISTIC)
NO_RESULT = _with(signs.NO_RESULT, lists.POINTS, lists.FUTURE, lists.AIM)
NO_METHOD = _with(signs.NO_METHOD, lists.POINTS)
