"""Papers as bibliographies: BibTeX, RIS and CSL-JSON, written by the libraries that are kept for it. Pure.

Only what was read or corrected is written; a field that is not known is left out, never made up.
"""

import itertools
import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from core.assistant.records.latex_text import encode_latex
from core.domain.model import Metadata, Paper
from core.domain.records import BibliographyFormat
from core.domain.reply import Attachment
from core.text import STOP_WORDS
from core.text.person_names import PersonName, parse_name

Kind: TypeAlias = Literal["article", "conference", "preprint", "other"]

_CONFERENCE = re.compile(
    r"\b(?:proceedings|proc\.|conference|workshop|symposium|annual meeting|juliacon|neurips|nips|icml|iclr|acl|emnlp|"
    r"naacl|cvpr|iccv|aaai|sigir|chi|kdd)\b",
    re.IGNORECASE,
)
_RIS_KINDS: Mapping[Kind, str] = {"article": "JOUR", "conference": "CPAPER", "preprint": "UNPB", "other": "GEN"}
_CSL_KINDS: Mapping[Kind, str] = {
    "article": "article-journal",
    "conference": "paper-conference",
    "preprint": "article",
    "other": "document",
}
_BIBTEX_KINDS: Mapping[Kind, str] = {
    "article": "article",
    "conference": "inproceedings",
    "preprint": "misc",
    "other": "misc",
}
_FILES: Mapping[BibliographyFormat, tuple[str, str]] = {
    "bibtex": ("papers.bib", "application/x-bibtex"),
    "ris": ("papers.ris", "application/x-research-info-systems"),
    "csl": ("papers.json", "application/vnd.citationstyles.csl+json"),
}
_LETTERS = str.maketrans({"ß": "ss", "ø": "o", "ł": "l", "þ": "th", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "ı": "i"})
"""Latin letters that are no letter with a mark, as a key writes them."""


def bibliography(papers: Sequence[Paper], form: BibliographyFormat, keys: Mapping[str, str]) -> Attachment:
    """A file of these papers, in the order given; ``keys`` by paper id are those of ``cite_keys``."""
    name, mime = _FILES[form]
    write = {"bibtex": bibtex, "ris": ris, "csl": csl}[form]
    return Attachment(name=name, mime=mime, data=write(papers, keys).encode())


def cite_keys(library: Sequence[Paper]) -> Mapping[str, str]:
    """By paper id: family name of the first author, year, first telling word of the title; letters where they meet.

    ``library`` is all papers that a reader may see, oldest first, and not a choice of them: a paper then has one key
    in every file that is made of them.
    """
    keys: dict[str, str] = {}
    taken: set[str] = set()
    for paper in library:
        base = _key(paper)
        key = next(key for key in (base + _letters(number) for number in itertools.count()) if key not in taken)
        taken.add(key)
        keys[paper.id] = key
    return keys


def bibtex(papers: Sequence[Paper], keys: Mapping[str, str]) -> str:
    """BibTeX, UTF-8; the signs that LaTeX reads otherwise are written so that it prints them."""
    from bibtexparser.entrypoint import write_string
    from bibtexparser.library import Library
    from bibtexparser.model import Entry, Field

    entries = [
        Entry(
            entry_type=_BIBTEX_KINDS[_kind(paper.metadata)],
            key=keys[paper.id],
            fields=[Field(key=name, value=value) for name, value in _bibtex_fields(paper).items() if value],
        )
        for paper in papers
    ]
    return write_string(Library([*entries]))


def ris(papers: Sequence[Paper], keys: Mapping[str, str]) -> str:
    """RIS, UTF-8, one record a paper."""
    import rispy

    class Writer(rispy.RisWriter):  # type: ignore[misc]
        def set_header(self, count: int) -> str:
            """Nothing: the library's own header is a number, which is no line of RIS."""
            return ""

    written: str = rispy.dumps([_ris_record(paper, keys[paper.id]) for paper in papers], implementation=Writer)
    return written


def csl(papers: Sequence[Paper], keys: Mapping[str, str]) -> str:
    """CSL-JSON: an array of items, as Zotero and pandoc read it."""
    return json.dumps([_csl_item(paper, keys[paper.id]) for paper in papers], ensure_ascii=False, indent=1) + "\n"


def _kind(metadata: Metadata) -> Kind:
    if metadata.venue and re.search(r"rxiv|preprint", metadata.venue, re.IGNORECASE):
        return "preprint"
    if metadata.venue:
        return "conference" if _CONFERENCE.search(metadata.venue) else "article"
    return "preprint" if metadata.arxiv_id else "other"


def _key(paper: Paper) -> str:
    """Name, year and word in ASCII; the paper's own id stands for a word in another script."""
    names = map(parse_name, paper.metadata.authors[:1])
    surname = next((name.surname for name in names), "anonymous")
    first = _ascii(surname.partition(" ")[0]) or "paper"
    word = _ascii(_telling_word(paper.title)) or paper.id[:6]
    return f"{first}{paper.metadata.year or 'nd'}{word}"


def _telling_word(title: str) -> str:
    words: list[str] = re.findall(r"[^\W\d_]\w*", title)
    telling = (word for word in words if len(word) > 1 and word.lower() not in STOP_WORDS)
    return next(telling, (words or ["paper"])[0])


def _ascii(text: str) -> str:
    """Letters and digits that every tool takes in a key."""
    plain = unicodedata.normalize("NFKD", text.lower().translate(_LETTERS))
    return re.sub(r"[^a-z0-9]", "", plain)


def _letters(number: int) -> str:
    """Nothing for 0, then a, b, … z, aa, ab, …"""
    text = ""
    while number:
        number, index = divmod(number - 1, 26)
        text = chr(ord("a") + index) + text
    return text


def _bibtex_fields(paper: Paper) -> dict[str, str]:
    metadata, kind = paper.metadata, _kind(paper.metadata)
    venue = {"article": "journal", "conference": "booktitle"}.get(kind, "howpublished")
    return {
        "author": " and ".join(_bibtex_name(parse_name(name)) for name in metadata.authors),
        "title": _protected(paper.title),
        venue: encode_latex(metadata.venue or ""),
        "year": str(metadata.year or ""),
        "doi": metadata.doi or "",
        "eprint": metadata.arxiv_id or "",
        "archiveprefix": "arXiv" if metadata.arxiv_id else "",
        "abstract": encode_latex(metadata.abstract),
        "language": metadata.language,
    }


def _bibtex_name(name: PersonName) -> str:
    # A name that holds the word "and" would be read as two people, and a group's last word as a family name.
    return f"{{{encode_latex(name.whole)}}}" if name.whole else encode_latex(name.for_bibtex)


def _protected(title: str) -> str:
    """A title whose names keep their capitals in every style: words with a capital inside stand in braces."""
    return " ".join(
        f"{{{encode_latex(word)}}}" if any(char.isupper() for char in word[1:]) else encode_latex(word)
        for word in title.split()
    )


def _ris_record(paper: Paper, key: str) -> dict[str, object]:
    metadata = paper.metadata
    record: dict[str, object] = {
        "type_of_reference": _RIS_KINDS[_kind(metadata)],
        "id": key,
        "title": " ".join(paper.title.split()),
        "authors": [parse_name(name).for_ris for name in metadata.authors],
        "year": str(metadata.year or ""),
        "secondary_title": metadata.venue or "",
        "doi": metadata.doi or "",
        "urls": [f"https://arxiv.org/abs/{metadata.arxiv_id}"] if metadata.arxiv_id else [],
        "abstract": " ".join(metadata.abstract.split()),
        "language": metadata.language,
    }
    return {name: value for name, value in record.items() if value}


def _csl_item(paper: Paper, key: str) -> dict[str, object]:
    metadata = paper.metadata
    item: dict[str, object] = {
        "id": key,
        "type": _CSL_KINDS[_kind(metadata)],
        "title": " ".join(paper.title.split()),
        "author": [_csl_name(parse_name(name)) for name in metadata.authors],
        "issued": {"date-parts": [[metadata.year]]} if metadata.year else None,
        "container-title": metadata.venue,
        "DOI": metadata.doi,
        "number": f"arXiv:{metadata.arxiv_id}" if metadata.arxiv_id else None,
        "URL": f"https://arxiv.org/abs/{metadata.arxiv_id}" if metadata.arxiv_id else None,
        "abstract": " ".join(metadata.abstract.split()),
        "language": metadata.language,
    }
    return {name: value for name, value in item.items() if value}


def _csl_name(name: PersonName) -> dict[str, str]:
    if name.whole:
        return {"literal": name.whole}
    parts = {
        "family": name.family,
        "given": name.given,
        "non-dropping-particle": name.particle,
        "suffix": name.suffix,
    }
    return {part: value for part, value in parts.items() if value}
