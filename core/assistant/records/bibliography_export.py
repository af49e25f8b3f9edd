"""Papers as bibliographies: BibTeX, RIS and CSL-JSON, written by the libraries that are kept for it. Pure.

Only what was read or corrected is written; a field that is not known is left out, never made up.
"""

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from core.assistant.records.person_names import PersonName, parse_name
from core.domain.model import Metadata, Paper
from core.domain.records import BibliographyFormat
from core.domain.reply import Attachment
from core.text import STOP_WORDS

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
_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{char: f"\\{char}" for char in "&%$#_{}"},
}


def bibliography(papers: Sequence[Paper], form: BibliographyFormat) -> Attachment:
    """A file of these papers, in the order given, under the keys of ``cite_keys``."""
    name, mime = _FILES[form]
    write = {"bibtex": bibtex, "ris": ris, "csl": csl}[form]
    return Attachment(name=name, mime=mime, data=write(papers).encode())


def cite_keys(papers: Sequence[Paper]) -> Mapping[str, str]:
    """By paper id: family name of the first author, year, first telling word of the title; letters where they meet."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for paper in papers:
        key = base = _key(paper)
        for number in range(1, len(papers) + 1):
            if key not in taken:
                break
            key = base + _letters(number)
        taken.add(key)
        found[paper.id] = key
    return found


def bibtex(papers: Sequence[Paper]) -> str:
    """BibTeX, UTF-8; the signs that LaTeX reads otherwise are written so that it prints them."""
    from bibtexparser.entrypoint import write_string
    from bibtexparser.library import Library
    from bibtexparser.model import Entry, Field

    keys = cite_keys(papers)
    entries = [
        Entry(
            entry_type=_BIBTEX_KINDS[_kind(paper.metadata)],
            key=keys[paper.id],
            fields=[Field(key=name, value=value) for name, value in _bibtex_fields(paper).items() if value],
        )
        for paper in papers
    ]
    return write_string(Library([*entries]))


def ris(papers: Sequence[Paper]) -> str:
    """RIS, UTF-8, one record a paper."""
    import rispy

    keys = cite_keys(papers)
    written: str = rispy.dumps([_ris_record(paper, keys[paper.id]) for paper in papers])
    return written


def csl(papers: Sequence[Paper]) -> str:
    """CSL-JSON: an array of items, as Zotero and pandoc read it."""
    keys = cite_keys(papers)
    return json.dumps([_csl_item(paper, keys[paper.id]) for paper in papers], ensure_ascii=False, indent=1) + "\n"


def _kind(metadata: Metadata) -> Kind:
    if metadata.venue and re.search(r"rxiv|preprint", metadata.venue, re.IGNORECASE):
        return "preprint"
    if metadata.venue:
        return "conference" if _CONFERENCE.search(metadata.venue) else "article"
    return "preprint" if metadata.arxiv_id else "other"


def _key(paper: Paper) -> str:
    authors = paper.metadata.authors
    name = parse_name(authors[0]).surname if authors else "anonymous"
    words = re.findall(r"[^\W\d_]\w*", paper.title)
    telling = [word for word in words if word.lower() not in STOP_WORDS and len(word) > 1] or words or ["paper"]
    year = str(paper.metadata.year or "nd")
    return _ascii(name.split()[0] if name.split() else "") + year + _ascii(telling[0]) or paper.id[:8]


def _ascii(text: str) -> str:
    """Letters and digits that every tool takes in a key."""
    plain = unicodedata.normalize("NFKD", text.replace("ß", "ss").replace("ø", "o").replace("ł", "l"))
    return re.sub(r"[^a-z0-9]", "", plain.lower())


def _letters(number: int) -> str:
    """a, b, … z, aa, ab, …"""
    text = ""
    while number:
        number, place = divmod(number - 1, 26)
        text = chr(ord("a") + place) + text
    return text


def _bibtex_fields(paper: Paper) -> dict[str, str]:
    metadata, kind = paper.metadata, _kind(paper.metadata)
    venue = {"article": "journal", "conference": "booktitle"}.get(kind, "howpublished")
    return {
        "author": " and ".join(_bibtex_name(parse_name(name)) for name in metadata.authors),
        "title": _protected(paper.title),
        venue: latex(metadata.venue or ""),
        "year": str(metadata.year or ""),
        "doi": metadata.doi or "",
        "eprint": metadata.arxiv_id or "",
        "archiveprefix": "arXiv" if metadata.arxiv_id else "",
        "abstract": latex(metadata.abstract),
        "language": metadata.language,
    }


def _bibtex_name(name: PersonName) -> str:
    # A name that holds the word "and" would be read as two people, and a group's last word as a family name.
    return f"{{{latex(name.whole)}}}" if name.whole else latex(name.inverted)


def latex(text: str) -> str:
    """Words as LaTeX prints them; UTF-8 letters stay."""
    words = " ".join(text.split())
    if not _balanced(words):
        # BibTeX counts braces whatever stands before them: one alone would swallow the rest of the file.
        words = words.replace("{", "(").replace("}", ")")
    return "".join(_LATEX.get(char, char) for char in words)


def _balanced(text: str) -> bool:
    depth = 0
    for char in text:
        depth += (char == "{") - (char == "}")
        if depth < 0:
            return False
    return depth == 0


def _protected(title: str) -> str:
    """A title whose names keep their capitals in every style: words with a capital inside stand in braces."""
    return " ".join(
        f"{{{latex(word)}}}" if any(char.isupper() for char in word[1:]) else latex(word) for word in title.split()
    )


def _ris_record(paper: Paper, key: str) -> dict[str, object]:
    metadata = paper.metadata
    record: dict[str, object] = {
        "type_of_reference": _RIS_KINDS[_kind(metadata)],
        "id": key,
        "title": " ".join(paper.title.split()),
        "authors": [parse_name(name).inverted for name in metadata.authors],
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
