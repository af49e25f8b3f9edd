"""The signs of ``signs`` joined with those of the other main languages of science, and signs made of several.

One pattern serves all languages: a paper quotes others, and a word of one language seldom means something else in
another. It stands apart from the lists because here is told which lists make which sign.
"""

import re

from core.assistant.spotting import signs
from core.assistant.spotting import tongue_lists as lists


def _with(sign: re.Pattern[str], *own: str) -> re.Pattern[str]:
    return re.compile("|".join((sign.pattern, *own)), re.IGNORECASE)


def _near(one: str, other: str, most: int) -> str:
    """One beside the other within a clause, whichever comes first: verbs stand last in many languages."""
    return rf"(?:{one})[^.;。；]{{0,{most}}}(?:{other})|(?:{other})[^.;。；]{{0,{most}}}(?:{one})"


def _then(*ones: tuple[re.Pattern[str], int]) -> re.Pattern[str]:
    """Signs in this order, each at most so many words behind the one before."""
    (first, _), *others = ones
    rest = "".join(rf"(?:\W+[\w’'-]+){{0,{words}}}?\W*(?:{sign.pattern})" for sign, words in others)
    return re.compile(rf"(?:{first.pattern}){rest}", re.IGNORECASE)


_OPINION = (
    r"\bwe (?:\w+ )?(?:think|believe|hope|expect|will)\b|\bour hope\b|\b(?:can|could) ?not (?:find|obtain|identify)\b"
)

OURS = _with(signs.OURS, lists.OURS)
OTHERS = _with(signs.OTHERS, lists.OTHERS)
POINTS = _with(signs.POINTS, lists.POINTS)
NO_DATA = _with(
    POINTS,
    r"\bwe (?:\w+ )?(?:remove|exclude|discard|filter|drop)d?\b|\bcompared (?:to|with|against)\b|\bbaselines?\b"
    r"|\bwe (?:\w+ )?(?:pre-?)?train(?:ed)? (?:an?|the|our|one|single|all|\d+) (?:\w+ ){0,3}models?\b"
    r"|\b(?:models?|baselines?|classifiers?|networks?) (?:was|were|is|are) (?:\w+ )?trained\b",
)
"""Points elsewhere, or tells what was left out of the data or done with them."""
DATA = _with(signs.DATA, lists.DATA)
ABOUT_DATA = _with(signs.ABOUT_DATA, _near(lists.DATA, lists.GOT, 70), _near(lists.THINGS, lists.GOT, 30))
COUNTED_ABROAD = re.compile(lists.COUNTED, re.IGNORECASE)
COUNTED = _with(signs.COUNTED, lists.COUNTED)
TOTAL = re.compile(_near(rf"{signs.TOTAL.pattern}|{lists.TOTAL}", r"\d", 12), re.IGNORECASE)
"""A sum beside its number: a "total exposure" counts nothing."""
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
NO_RESULT = _with(signs.NO_RESULT, lists.POINTS, lists.FUTURE, lists.AIM, _OPINION)
NO_METHOD = _with(signs.NO_METHOD, lists.POINTS)
MIGHT = re.compile(
    r"^(?:if|suppose|assuming|let|imagine|unless|once|si|supongamos|suposons|wenn|falls|angenommen)\b|^(?:如果|假设|若)"
    r"|\bwe (?:can|could|may|might|would)\b(?! (?:\w+ )?(?:see|say|conclude|observe|show))"
    r"|\b(?:can|could|may|might|would) (?:\w+ )?(?:enable|lead|help|improve|benefit)\b",
    re.IGNORECASE,
)
"""A sentence on what would be or could be."""
OUR_LIMIT = re.compile(
    r"\b(?:limitations?|drawbacks?|weakness(?:es)?|shortcomings?|caveats?|downsides?|limitaci(?:ón|ones)|limitaç(?:ão|ões)"
    r"|limite|einschränkung(?:en)?)\b[^.;]{0,25}?\b(?:of|in|to|with|for|de|do|du|della?|di|del|dieser|unserer) ?"
    r"(?:our|this|the (?:present|proposed|current)|present|these|est[ea]|nuestr[oa]|noss[oa]|notre|cet(?:te)?|nostr[oa]"
    r"|quest[oa]|studie|untersuchung|arbeit)\b|\b(?:our|this) (?:study|work|approach|analysis|paper|method) (?:\w+ )?"
    r"(?:suffers?|is (?:not without|limited (?:by|to|in)|subject to))\b"
    r"|\b(?:one|another|an?|main|major|important|potential|first|second) (?:\w+ )?(?:limitation|drawback|caveat) is\b",
    re.IGNORECASE,
)
"""Says outright what is weak in the work at hand, wherever it stands."""
WE_OFFER = _then((OURS, 0), (OFFERS, 4))
WE_USE = _then((OURS, 0), (DOES, 4), (MEANS, 9))
WE_TRAINED = _then((OURS, 0), (TRAINED, 3))
WE_FOUND = _then((OURS, 0), (FOUND, 4))
WE_ARGUE = _then((OURS, 0), (ARGUES, 4))
"""What the authors say that they did, subject and verb together: "this study" and a verb of somebody else is none."""
