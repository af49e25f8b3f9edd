"""The list of papers, filtered by words, tag and status, a page at a time; tables of a paper by label. Pure."""

import re
from collections.abc import Collection, Mapping, Sequence

from core.domain.errors import FootnoteError
from core.domain.model import Paper, Passage
from core.domain.records import PaperList, PaperTags, number_papers
from core.text import index_tokens

PER_PAGE = 15
LONGEST_TAG = 40
_NOTHING = PaperTags()
_TAGGED = re.compile(r"#(\"[^\"]+\"|[^\s#]+)|\btag:(\"[^\"]+\"|\S+)", re.IGNORECASE)
_STATUS = re.compile(r"\b(to[ -]read|unread|reading|read)\b", re.IGNORECASE)
_YEARS = re.compile(r"\b(since|before|until|in)\s+((?:19|20)\d\d)\b", re.IGNORECASE)


class NotATag(FootnoteError):
    """The words given for a tag cannot be one."""


def paper_list(
    papers: Sequence[Paper], marks: Mapping[str, PaperTags], words: str = "", page: int = 1, *, per_page: int = PER_PAGE
) -> PaperList:
    """One page of ``papers`` (oldest first, as the library lists them), newest first.

    ``words`` may hold ``#tag``, a reading status, ``since 2020``, and words of title, authors or venue. Numbers are
    the papers' places in the whole list, by which they can be named.
    """
    numbers = number_papers(papers)
    fitting = [paper for paper in reversed(papers) if _fits(paper, marks.get(paper.id, _NOTHING), words)]
    pages = max(1, -(-len(fitting) // per_page))
    page = min(max(page, 1), pages)
    shown = fitting[(page - 1) * per_page : page * per_page]
    return PaperList(
        papers=tuple(shown),
        numbers=tuple(numbers[paper.id] for paper in shown),
        total=len(fitting),
        page=page,
        pages=pages,
        marks={paper.id: marks[paper.id] for paper in shown if paper.id in marks},
        words=words.strip(),
    )


def _fits(paper: Paper, marks: PaperTags, words: str) -> bool:
    rest = _TAGGED.sub(" ", words)
    text = _YEARS.sub(" ", rest)
    if not _has_tags(marks, words) or not _in_all_years(paper, rest):
        return False
    status = _STATUS.fullmatch(text.strip())
    return _has_status(marks, status[1]) if status else _holds(paper, marks, text)


def _has_tags(marks: PaperTags, words: str) -> bool:
    """Whether a paper has every tag that is asked for."""
    wanted = {"".join(groups).strip('"').casefold() for groups in _TAGGED.findall(words)}
    return wanted <= {tag.casefold() for tag in marks.tags}


def _in_all_years(paper: Paper, words: str) -> bool:
    asked = _YEARS.findall(words)
    return all(_in_years(paper.metadata.year, kind.lower(), int(year)) for kind, year in asked)


def _in_years(year: int | None, kind: str, asked: int) -> bool:
    if year is None:
        return False
    return {"since": year >= asked, "before": year < asked, "until": year <= asked, "in": year == asked}[kind]


def _has_status(marks: PaperTags, asked: str) -> bool:
    wanted = "to read" if asked.lower() in ("to-read", "to read", "unread") else asked.lower()
    return any(status == wanted for _, status in marks.statuses)


def _holds(paper: Paper, marks: PaperTags, words: str) -> bool:
    wanted = set(index_tokens(words))
    metadata = paper.metadata
    texts = (
        paper.title,
        *metadata.authors,
        str(metadata.year or ""),
        metadata.venue or "",
        paper.file_name,
        *marks.tags,
    )
    return wanted <= set(index_tokens(" ".join(texts)))


def parse_tag(words: str) -> str:
    """The words as a tag. Raises ``NotATag``."""
    tag = " ".join(words.split()).strip("#\"'“” ")
    if not tag or len(tag) > LONGEST_TAG or not any(char.isalnum() for char in tag):
        raise NotATag(f"A tag has one to {LONGEST_TAG} characters, such as methods or to present.")
    return tag


def find_tables(passages: Sequence[Passage], label: str = "") -> list[tuple[str, Passage]]:
    """Tables with a name for a file each, in reading order; only those of ``label`` ("2", "Table 2") where given."""
    found = [passage for passage in passages if passage.kind == "table" and passage.table is not None]
    wanted = _bare(label)
    named: list[tuple[str, Passage]] = []
    for number, passage in enumerate(found, start=1):
        name = _bare(passage.label or "") or f"{number}"
        if wanted in ("", name):
            named.append((_unused(f"table-{name}", [other for other, _ in named]), passage))
    return named


def _unused(name: str, names: Collection[str]) -> str:
    """``name``, with the next number where names begin with it."""
    count = sum(other.startswith(name) for other in names)
    return f"{name}-{count + 1}" if count else name


def _bare(label: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", re.sub(r"^\s*(?:table|tabelle|tabla|tab\.?)\s*", "", label.lower())).strip("-")
