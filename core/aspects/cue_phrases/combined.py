"""The signs of ``signs`` joined with those of the other main languages of science, and signs made of several.

One pattern serves all languages: a paper quotes others, and a word of one language seldom means something else in
another. It stands apart from the lists because here is told which lists make which sign.
"""

import re

from core.aspects.cue_phrases import english
from core.aspects.cue_phrases import other_languages as lists


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

OURS = _with(english.OURS, lists.OURS)
OTHERS = _with(english.OTHERS, lists.OTHERS)
POINTS = _with(english.POINTS, lists.POINTS)
NO_DATA = _with(
    POINTS,
    r"\bwe (?:\w+ )?(?:remove|exclude|discard|filter|drop)d?\b|\bcompared (?:to|with|against)\b|\bbaselines?\b"
    r"|\bwe (?:\w+ )?(?:pre-?)?train(?:ed)? (?:an?|the|our|one|single|all|\d+) (?:\w+ ){0,3}models?\b"
    r"|\b(?:models?|baselines?|classifiers?|networks?) (?:was|were|is|are) (?:\w+ )?trained\b",
)
"""Points elsewhere, or tells what was left out of the data or done with them."""
DATA = _with(english.DATA, lists.DATA)
ABOUT_DATA = _with(english.ABOUT_DATA, _near(lists.DATA, lists.GOT, 70), _near(lists.THINGS, lists.GOT, 30))
COUNTED_ABROAD = re.compile(lists.COUNTED, re.IGNORECASE)
COUNTED = _with(english.COUNTED, lists.COUNTED)
TOTAL = re.compile(_near(rf"{english.TOTAL.pattern}|{lists.TOTAL}", r"\d", 12), re.IGNORECASE)
"""A sum beside its number: a "total exposure" counts nothing."""
SIZED = _with(english.SIZED, lists.SIZED)
MEANS = _with(english.MEANS, lists.MEANS)
DOES = _with(english.DOES, lists.DOES)
WAS_USED = _with(english.WAS_USED, lists.WAS_USED)
MIXED = _with(english.MIXED, lists.MIXED)
TRAINED = _with(english.TRAINED, lists.TRAINED)
TREATED = _with(english.TREATED, lists.TREATED)
MEASURE = _with(english.MEASURE, lists.MEASURE)
MEASURED = _with(english.MEASURED, lists.MEASURED)
FOUND = _with(english.FOUND, lists.FOUND)
CHANGED = _with(english.CHANGED, lists.CHANGED)
LIMIT = _with(english.LIMIT, lists.LIMIT)
DID_NOT = _with(english.DID_NOT, lists.DID_NOT)
FUTURE = _with(english.FUTURE, lists.FUTURE)
INTENDS = _with(english.INTENDS, lists.INTENDS)
LACKING = _with(english.LACKING, lists.LACKING)
CONTRAST = _with(english.CONTRAST, lists.CONTRAST)
OFFERS = _with(english.OFFERS, lists.OFFERS)
AIM = _with(english.AIM, lists.AIM)
ARGUES = _with(english.ARGUES, lists.ARGUES)
MATTERS = _with(english.MATTERS, lists.MATTERS)
STATISTIC = _with(english.STATISTIC, lists.STATISTIC)
NO_RESULT = _with(english.NO_RESULT, lists.POINTS, lists.FUTURE, lists.AIM, _OPINION)
NO_METHOD = _with(english.NO_METHOD, lists.POINTS)
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
    r"|\b(?:one|another|an?|main|major|important|potential|first|second) (?:\w+ )?(?:limitation|drawback|caveat)"
    r" (?:is|was)\b",
    re.IGNORECASE,
)
"""Says outright what is weak in the work at hand, wherever it stands."""
WE_OFFER = _then((OURS, 0), (OFFERS, 4))
WE_USE = _then((OURS, 0), (DOES, 4), (MEANS, 9))
WE_TRAINED = _then((OURS, 0), (TRAINED, 3))
WE_FOUND = _then((OURS, 0), (FOUND, 4))
WE_ARGUE = _then((OURS, 0), (ARGUES, 4))
"""What the authors say that they did, subject and verb together: "this study" and a verb of somebody else is none."""
