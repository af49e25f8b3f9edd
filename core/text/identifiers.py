"""DOIs and arXiv numbers as they are printed, typed and exported: one reading of them for all of the product. Pure."""

import re
from urllib.parse import unquote

_SICI_PART = r"<\d+:[^\s<>]*>|\[\d+:[^\s\[\]]*\]|(?<=\.CO);\d"
"""Old DOIs hold signs that end every other: ``77:3<356::AID-X>3.0.CO;2-Q``, ``87[1132:ABC]2.0.CO;2``."""
_DOI = re.compile(rf"(?<![\d.])10\.\d{{4,9}}(?:\.\d+)*/(?:{_SICI_PART}|[^\s\"“”<>\[\]{{}}|\\^`;?])+", re.IGNORECASE)
_ENCODED = re.compile(r"%[0-9A-F]{2}", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"([a-z])\1{3}", re.IGNORECASE)
_GLUED_WORD = re.compile(r"(?<=[a-z\d])[A-Z][a-z]{5,}$")
"""A word of the text that was set without a space behind the DOI."""
_NEXT_SENTENCE = re.compile(r"(?<=\d)\.[A-Za-z][a-z]{2,}$")
_TAIL = ".,:'’”*-/"
_ARXIV_NUMBER = r"\d{4}\.\d{4,5}(?:v\d+)?|[a-z\-]+(?:\.[A-Z]{2})?/\d{7}(?:v\d+)?"
_ARXIV = re.compile(
    rf"\barxiv\s*[:./]?\s*(?:preprint\s+)?(?:arxiv:\s*)?(?:org/(?:abs|pdf)/)?({_ARXIV_NUMBER})", re.IGNORECASE
)
_BARE_ARXIV = re.compile(_ARXIV_NUMBER, re.IGNORECASE)
_VERSION = re.compile(r"v\d+$", re.IGNORECASE)


def find_dois(text: str) -> list[tuple[str, re.Match[str]]]:
    """The DOIs in ``text`` in lower case, each with where it stands; ``%3C`` and the like are decoded."""
    found = [(_clean_doi(match.group(), text[match.end() :]), match) for match in _DOI.finditer(text)]
    return [(doi, match) for doi, match in found if _is_doi(doi)]


def find_doi(text: str) -> str | None:
    """The first DOI in ``text`` in lower case, or None."""
    return next((doi for doi, _ in find_dois(text)), None)


def _clean_doi(text: str, rest: str) -> str:
    """The DOI without what the sentence around it adds; ``rest`` is what follows."""
    doi = unquote(text) if _ENCODED.search(text) else text
    if re.match(r":?\s*\S", rest):
        doi = _NEXT_SENTENCE.sub("", _GLUED_WORD.sub("", doi.rstrip(_TAIL)))
    return _strip_tail(doi).lower()


def _strip_tail(doi: str) -> str:
    """Without the stops that end a sentence and the brackets that were opened before the DOI."""
    while doi[-1] in _TAIL or (doi[-1] == ")" and doi.count(")") > doi.count("(")):
        doi = doi[:-1]
    return doi


def _is_doi(doi: str) -> bool:
    """Whether it names something: a template prints its own with letters to be filled in (``10.1000/xxxxx``)."""
    suffix = doi.partition("/")[2]
    return bool(suffix) and _PLACEHOLDER.search(suffix) is None


def find_arxiv_number(text: str) -> str | None:
    """The first arXiv number that ``text`` calls one, with its version where there is one, or None."""
    match = _ARXIV.search(text)
    return match.group(1) if match else None


def parse_arxiv_number(text: str) -> str | None:
    """The arXiv number that ``text`` is or holds, or None; unlike running text a field may give it bare."""
    bare = text.strip()
    return bare if _BARE_ARXIV.fullmatch(bare) else find_arxiv_number(bare)


def bare_arxiv_number(number: str) -> str:
    """The number without its version, in lower case."""
    return _VERSION.sub("", number.lower())


def arxiv_version(number: str) -> int:
    """The version that ``number`` names; 0 where it names none."""
    match = _VERSION.search(number)
    return int(match.group()[1:]) if match else 0
