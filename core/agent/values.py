"""Whether words hold a value of the kind that a question asks for: a number with its unit, a year, a name, a reason."""

import re

from core.agent.state import Kind

_CITATION = re.compile(
    r"\[\d[\d,\s–-]*\]|\((?:[^()]*\b(?:19|20)\d\d[a-z]?[^()]*)\)|\b(?:Table|Fig(?:ure)?\.?|Section|Eq\.?)\s*\d+",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?<![A-Za-z])\d[\d.,]*\d|\b\d+\b|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty"
    r"|thirty|hundred|half|none|zero|dozen)\b",
    re.IGNORECASE,
)
_YEAR = re.compile(
    r"\b(?:1[5-9]|20)\d\d\b|\b(?:January|February|March|April|May|June|July|August|September|October|November"
    r"|December)\b|\b\d+ (?:years?|months?|days?|hours?|weeks?)\b"
)
_REASON = re.compile(
    r"\b(?:because|since|due to|owing to|as a result|therefore|thus|hence|so that|in order|reason|caused?|leads? to"
    r"|to avoid|allows?|as (?:the|it|they|we)|weil|porque|debido|car|parce)\b",
    re.IGNORECASE,
)
_DEFINES = re.compile(
    r"\b(?:is|are|means?|defined?|refers?|called|denotes?|stands? for|known as|consists?|i\.e\.|that is)\b|[(“\"]",
    re.IGNORECASE,
)
_LIMITS = re.compile(
    r"\b(?:limit\w*|not|cannot|could not|lack\w*|unable|only|future|however|although|but|fail\w*|difficult\w*"
    r"|weak\w*|insufficient|too|unfortunately)\b",
    re.IGNORECASE,
)

UNITS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (re.compile(asked, re.IGNORECASE), re.compile(given, re.IGNORECASE))
    for asked, given in (
        (
            r"\b(?:percent\w*|share|proportion|fraction)\b",
            r"%|\bpercent|\bper cent|\bproportion|\bshare|\bhalf|\bthird|\bquarter|\b0?\.\d|\d of \d|\bout of\b|\d",
        ),
        (
            r"\b(?:cost|costs|fees?|price|salary|wages?|income|pay|paid|budget|expens\w+|spend|spent|gast\w+"
            r"|funding amount)\b.{0,60}|\bhow much (?:money|does .* cost)\b",
            r"[$€£¥]|\b(?:USD|EUR|GBP|CNY|dollars?|euros?|pounds?|yuan|kwacha|cents?|free of charge|US\$)\b",
        ),
        (
            r"\b(?:kilograms?|kg|grams?|tonnes?|tons)\b",
            r"\d\s*(?:kg|g|mg|t)\b|\bkilograms?|\bgrams?|\btonnes?|\btons?\b",
        ),
        (
            r"\b(?:in (?:days|hours|weeks|months|seconds|minutes|years)|how long (?:did|does|do|was|is|were|has"
            r"|have))\b",
            r"\d[\d.,]*\s*(?:-|–)?\s*(?:s|sec|min|h|hr|hrs|d|ms|seconds?|minutes?|hours?|days?|weeks?|months?"
            r"|years?)\b|\b(?:one|two|three|four|five|six|seven|ten|several|few)\s(?:seconds?|minutes?|hours?|days?"
            r"|weeks?|months?|years?)",
        ),
        (
            r"\bhow old\b|\bwhat age\b|\bwhich age\b",
            r"\b(?:years?|months?|weeks?|days?|hours?|yrs?|[kMG]yr)\b|\bage[sd]?\b|\bold\b",
        ),
        (r"\b(?:temperatures?|how (?:hot|cold|warm))\b", r"°|\b(?:degrees?|kelvin|celsius)\b|\d\s*[CKF]\b|◦|º"),
    )
)

_ABOUT: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (re.compile(asked, re.IGNORECASE), re.compile(given, re.IGNORECASE))
    for asked, given in (
        (
            r"\bwho (?:paid|pays|funded|funds|financed|sponsored|supported)\b|\b(?:funded|financed|sponsored|paid for)"
            r" by (?:whom|what|which)\b|\b(?:funding|sponsors?|funders?|grants?)\b",
            r"\b(?:fund(?:ed|ing|s|ers?)|grants?|financed|financially|financiad[oa]|sponsor\w*"
            r"|(?:work|study|research|project|authors?|was|were|been) (?:\w+ ){0,3}supported by)\b",
        ),
        (
            r"\b(?:where|how) (?:can|could|may|is|are|to)\b.{0,60}\b(?:code|data|dataset|software|package|scripts?"
            r"|source|supplement\w*)\b.{0,40}\b(?:find|found|get|obtain\w*|download\w*|available|access\w*|hosted"
            r"|published|deposited)\b",
            r"https?://|\bwww\.|\bdoi\b|\b(?:available|repository|deposited|accession|download\w*|GitHub|Zenodo|CRAN)\b",
        ),
    )
)
"""What an answer must speak of where the kind of the question alone cannot tell."""


_TERM = re.compile(
    r"^\W*(?:and )?(?:what (?:is|are|was) (?:meant by )?|what (?:does|do) (?=.{1,60} (?:mean|stand for|refer to))"
    r"|define )"
    r"(?:an? |the )?[\"“«']?(?P<term>[\w'’.-]+(?: [\w'’.-]+){0,3}?)[\"”»']?(?: (?:mean|stand for|refer to)\b.*|\W*)$",
    re.IGNORECASE,
)


def defines(words: str, question: str) -> bool:
    """Whether ``words`` begin with the term that ``question`` asks the meaning of, and go on to say what it is."""
    asked = _TERM.search(question)
    if not asked:
        return False
    term = re.escape(asked["term"])
    said = rf"^\W*(?:an? |the )?{term}s?\W{{0,3}}(?:\([^()]*\)\W?)?(?:[:–—=]|\s(?:is|are|means?|refers?|denotes?)\b)"
    return bool(re.search(said, words, re.IGNORECASE))


def tells(words: str, question: str) -> bool:
    """Whether ``question`` asks for what has a wording of its own (who paid, where data are) and ``words`` use it."""
    return any(asked.search(question) and given.search(words) for asked, given in _ABOUT)


def numbers_in(words: str) -> list[str]:
    """Numbers of ``words`` outside reference marks."""
    return _NUMBER.findall(_CITATION.sub(" ", words))


def fits_kind(kind: Kind, words: str, question: str) -> bool:
    """Whether ``words`` hold what an answer of this kind must hold; True where nothing can be told."""
    if kind == "number":
        return bool(numbers_in(words)) and unit_fits(words, question)
    if kind == "when":
        return bool(_YEAR.search(words))
    if kind == "why":
        return bool(_REASON.search(words))
    if kind == "definition":
        return bool(_DEFINES.search(words))
    if kind == "limitation":
        return bool(_LIMITS.search(words))
    return all(given.search(words) for asked, given in _ABOUT if asked.search(question))


def unit_fits(words: str, question: str) -> bool:
    """False where the question asks for a unit (money, mass, time, degrees) of which ``words`` hold none."""
    return all(given.search(words) for asked, given in UNITS if asked.search(question))
