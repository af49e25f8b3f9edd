"""Where sentences end in scholarly prose, where most full stops do not end one.

Rules, not a model: the same text is always cut at the same places, in microseconds, in any language that
writes a stop, and no character is ever lost.
"""

import re
from itertools import pairwise

_STOP = re.compile(
    r"""(?P<stop>[.!?…]+|[。！？｡]+)          # the stop itself
        (?P<close>["'”’»)\]}」』】）]*)        # what closes after it
        (?P<cited>(?:[ ]?\[\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\]|\d{1,3}(?:[,–-]\d{1,3})*(?=\s+[A-Z"“(]))?)
        (?P<gap>\s+|$|(?<=[。！？｡」』】）”’])|(?=[A-Z][a-z]*\s))""",
    re.VERBOSE,
)
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n\s*|\n[^\S\n]*(?=(?:[•▪◦●‣·*–-]|\(?\d{1,2}[.)]|\(?[a-z]\))\s)")
_LAST_WORD = re.compile(r"[^\s(\[{“\"'«]+$")
_MARKER = re.compile(r"^\W*(?:\d+(?:\.\d+)*|[IVXivx]+|[A-Za-z])$")
_SMALL_NAME = re.compile(r"[a-z]{1,5}[A-Z0-9]\w*(?:-\w+)*[,.;:]?$")
_OPENING = re.compile(r"[\"'“‘«(\[¿¡„]*")

# What follows these belongs to them: titles, pointers into a paper, comparisons, Latin.
_NEVER_TEXT = """
dr prof mr mrs ms st fig figs eq eqs eqn eqns sec secs sect tab tabs ref refs ch chap vol vols vs cf viz resp
e.g i.e eg ie approx ca fn p pp ed eds suppl supp ext thm lem prop cor def alg app appx op cit ibid seq no nos
nr art gen capt lt col sgt hon rev dept univ bzw vgl abb tabl z.b d.h u.a bd kap s sog evtl ggf inkl zzgl u.ä
sr sra dra núm pág págs p.ej ej aprox cap ee m mme mlle p.ex ex c.-à-d env éd sig dott
"""
_NEVER = frozenset(_NEVER_TEXT.split())
_BEFORE_NUMBER_TEXT = """
no nos nr núm p pp vol art s bd ch m st app def cor prop col lt sig ex ed ref sec gen alg
jan feb mar apr jun jul aug sep sept oct nov dec
"""
_BEFORE_NUMBER = frozenset(_BEFORE_NUMBER_TEXT.split())
"""Those of the above that are also words or letters: an abbreviation only where a number or a name follows."""
_MAYBE_TEXT = """
al etc inc ltd co corp u.s u.k u.n ph.d m.d a.m p.m sp spp var subsp jr usw etc st e.u b.c a.d
"""
_MAYBE = frozenset(_MAYBE_TEXT.split())
"""These end a sentence only where a usual first word follows."""
_STARTERS_TEXT = """
The We In This These Our It However Here For Thus Therefore Moreover Furthermore Finally First Second Third
Then When While Although As To A An There They Their Its By On At From With Both All Each Such Since If
Because Similarly Hence Another One Two Three Note Table Figure Results Methods Overall Most Many Some Several
Nevertheless But And Unlike After Before During Using Given That Those He She His Her What Which Conversely
Additionally Also Consequently Der Die Das Ein Eine Wir Es In Im Für Los Las El La Un Una En Nuestros Se Le
Les Nous Dans Une Il Elle Ce Cette O Os As Um Uma Em Gli I Lo Questo Questa
"""
_STARTERS = frozenset(_STARTERS_TEXT.split())
_MONTHS_TEXT = """
Januar Februar März April Mai Juni Juli August September Oktober November Dezember Jahrhundert Auflage
"""
_MONTHS = frozenset(_MONTHS_TEXT.split())


def split_sentences(text: str) -> list[str]:
    """The sentences of ``text``, each exactly as it stands there, without the white space around it."""
    return [text[start:end] for start, end in sentence_spans(text)]


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of each sentence; what lies between two spans is white space and nothing else."""
    spans: list[tuple[int, int]] = []
    for start, end in _paragraphs(text):
        begin = start
        for stop in _STOP.finditer(text, start, end):
            cut = stop.end() - len(stop["gap"])
            if cut < end and _ends(text, begin, stop):
                _keep(text, begin, cut, spans)
                begin = cut
        _keep(text, begin, end, spans)
    return spans


def _paragraphs(text: str) -> list[tuple[int, int]]:
    cuts = [0, *(gap.start() for gap in _PARAGRAPH.finditer(text)), len(text)]
    return list(pairwise(cuts))


def _keep(text: str, start: int, end: int, spans: list[tuple[int, int]]) -> None:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    piece = piece.strip()
    if piece:
        spans.append((start + left, start + left + len(piece)))


def _ends(text: str, begin: int, stop: re.Match[str]) -> bool:
    """Whether this stop ends the sentence that began at ``begin``."""
    if stop["stop"][0] in "。！？｡":
        return not stop["close"] or text[stop.end() : stop.end() + 1] not in tuple("，、。的と")
    before = _last_word(text, begin, stop.start())
    following = _next_word(text, stop.end())
    if not stop["gap"]:
        return stop["stop"] == "." and following in _STARTERS and len(before) > 2 and before.islower()
    if stop["cited"] and stop["cited"][0].isdigit() and not (len(before) > 2 and before[-1].islower()):
        return False
    if not following or _inside_brackets(text, begin, stop):
        return False
    if _starts_in_lower_case(following) or not any(map(str.isalnum, text[begin : stop.start()])):
        return False
    if stop["stop"] != ".":
        return True
    if not before and not following[0].isupper():
        return False
    if _MARKER.match(text[begin : stop.start()].strip()):
        return False
    return not _abbreviation(before, following)


def _last_word(text: str, begin: int, end: int) -> str:
    match = _LAST_WORD.search(text[max(begin, end - 40) : end])
    return match.group() if match else ""


def _next_word(text: str, at: int) -> str:
    words = text[at : at + 60].split(maxsplit=1)
    return _OPENING.sub("", words[0], count=1) or words[0] if words else ""


def _starts_in_lower_case(word: str) -> bool:
    """Whether a word carries a sentence on; names such as mRNA, pH or p53 may begin one."""
    if not word[0].islower():
        return word[0] in ",;:)]}%&=<>."
    return not _SMALL_NAME.match(word)


def _abbreviation(before: str, following: str) -> bool:
    """Whether the full stop after ``before`` belongs to it."""
    word = before.lower().lstrip("-–—")
    first = following.rstrip(",;:")
    if word in _BEFORE_NUMBER:
        return following[0].isdigit() or (len(word) <= 2 and first not in _STARTERS)
    if word in _NEVER:
        return True
    if word in _MAYBE:
        return first not in _STARTERS
    if len(before) == 1 and before.isalpha():
        return first not in _STARTERS
    if re.fullmatch(r"(?:[^\W\d_]\.-?)+[^\W\d_]", before):
        return first not in _STARTERS
    return before.isdigit() and first in _MONTHS


def _inside_brackets(text: str, begin: int, stop: re.Match[str]) -> bool:
    """Whether the stop stands in a remark in brackets that began and will end in this sentence."""
    inside = text[begin : stop.end()]
    opened = max(inside.rfind("("), inside.rfind("["))
    if opened < 0 or (opened == 0 and begin == 0) or any(char in inside[opened:] for char in ")]"):
        return False
    ahead = text[stop.end() : stop.end() + 150]
    closing = min((at for at in (ahead.find(")"), ahead.find("]")) if at >= 0), default=-1)
    opening = min((at for at in (ahead.find("("), ahead.find("[")) if at >= 0), default=len(ahead))
    return 0 <= closing < opening
