"""What the asker limits the search to in words: tables or figures, a section, years, an author.

Only what is said without doubt is a filter, since a filter can lose the answer; what leaves nothing is dropped, and
the reply says so.
"""

import re
from collections.abc import Sequence

from core.domain.model import Paper, PassageKind
from core.domain.ports import Filters
from core.text import index_tokens

_IN = r"(?:in|from|within|among|search|of|using)"
_ONLY_TABLES = re.compile(
    rf"\b(?:only |just )?{_IN} (?:the |any |all |its |their )?tables\b(?! \d)|\b{_IN} (?:the|any) table (?:of|in) the\b"
    r"|\btables? only\b|\bonly (?:the )?tables\b|\bin den tabellen\b|\ben las tablas\b|\bdans les tableaux\b"
    r"|\bnas tabelas\b|\bnelle tabelle\b|表格?(?:中|里)",
    re.IGNORECASE,
)
_ONLY_FIGURES = re.compile(
    rf"\b{_IN} (?:the |any |all |its |their )?figures\b(?! \d)|\bfigures? only\b|\bonly (?:the )?figures\b"
    r"|\bin den abbildungen\b|\ben las figuras\b|\bdans les figures\b|\bnas figuras\b|\bnelle figure\b",
    re.IGNORECASE,
)
_YEAR = r"(?:the year )?((?:19|20)\d\d)"
_SINCE = re.compile(
    rf"\b(?:since|after|newer than|from|seit|depuis|desde|dal) {_YEAR}(?: on(?:wards?)?)?\b"
    rf"|\b{_YEAR} (?:or|and) later\b|(?<!\d)((?:19|20)\d\d)年(?:以来|以后|以降)",
    re.IGNORECASE,
)
_UNTIL = re.compile(
    rf"\b(?:until|till|before|up to|older than|bis|vor|avant|jusqu'en|antes de|hasta|até) {_YEAR}\b"
    rf"|\b{_YEAR} (?:or|and) earlier\b",
    re.IGNORECASE,
)
_STRICTLY = re.compile(r"\b(?:after|newer than)\b", re.IGNORECASE)
_STRICTLY_BEFORE = re.compile(r"\b(?:before|older than|vor|avant|antes de)\b", re.IGNORECASE)
_BETWEEN = re.compile(rf"\b(?:between|from) {_YEAR} (?:and|to|until) {_YEAR}\b", re.IGNORECASE)
_PAPERS = (
    r"(?:papers?|articles?|stud(?:y|ies)|publications?|published|preprints?|aufsätze|arbeiten|studien|veröffentlicht\w*"
    r"|artículos|estudios|publicad[oa]s|artigos|articles|études|publiée?s)"
)
_PUBLISHED = re.compile(
    rf"\b{_PAPERS}\b[^,.;]{{0,30}}\b(?:(?:19|20)\d\d)\b|^\W*(?:since|after|before|until) (?:19|20)\d\d\b|论文",
    re.IGNORECASE,
)
_SECTION = re.compile(
    r"\b(?:in|from|within) the (abstract|introduction|methods?|results|discussion|conclusions?|related work"
    r"|limitations?|appendix|acknowledge?ments?) (?:sections?|chapters?|part)\b"
    r"|\b(?:in|from) the (abstract|introduction|acknowledge?ments?|appendix)\b"
    r"|\b(?:in|from) (?:the )?sections? (?:on |about |called |titled )?[“\"«]([^”\"»]{2,60})[”\"»]",
    re.IGNORECASE,
)
_AUTHOR = re.compile(
    rf"\b{_PAPERS}\s+(?:\w+ed\s+)?(?:by|from|von|de|par|di)\s+((?:[A-Z]\.\s*)*[A-ZÀ-Þ][\w'’-]+)"
    r"(?=\s+(?:et al|and (?:colleagues|co))|[\s,.?!:;]|$)"
)


def parse_filters(question: str, papers: Sequence[Paper]) -> Filters:
    """The limits that ``question`` puts in words; an author counts where one of ``papers`` is by that name."""
    kinds: frozenset[PassageKind] = frozenset()
    if _ONLY_TABLES.search(question):
        kinds = frozenset({"table"})
    elif _ONLY_FIGURES.search(question):
        kinds = frozenset({"figure", "caption"})
    section = _SECTION.search(question)
    since, until = _years(question) if _PUBLISHED.search(question) else (None, None)
    named = next((part for part in section.groups() if part), "") if section else ""
    return Filters(kinds=kinds, section=named.lower(), since=since, until=until, author=_author(question, papers))


def _years(question: str) -> tuple[int | None, int | None]:
    between = _BETWEEN.search(question)
    if between:
        return int(between.group(1)), int(between.group(2))
    since, until = _SINCE.search(question), _UNTIL.search(question)
    first = _first_year(since) + bool(_STRICTLY.match(since.group())) if since else None
    last = _first_year(until) - bool(_STRICTLY_BEFORE.match(until.group())) if until else None
    return first, last


def _first_year(match: re.Match[str]) -> int:
    return int(next(group for group in match.groups() if group))


def _author(question: str, papers: Sequence[Paper]) -> str:
    for match in _AUTHOR.finditer(question):
        words = set(index_tokens(match.group(1)))
        if any(words <= set(index_tokens(author)) for paper in papers for author in paper.metadata.authors):
            return match.group(1)
    return ""


_NAMES = {"table": "tables", "figure": "figures", "caption": "figures", "formula": "formulas", "list": "lists"}


def describe_filters(filters: Filters) -> tuple[str, ...]:
    """The limits as a reader would say them, none where there is none."""
    named = dict.fromkeys(_NAMES.get(kind, kind) for kind in sorted(filters.kinds, reverse=True))
    said: list[str] = [" and ".join(named)] if named else []
    if filters.section:
        said.append(f"sections on “{filters.section}”")
    if filters.since and filters.until:
        said.append(f"papers from {filters.since} to {filters.until}")
    elif filters.since:
        said.append(f"papers since {filters.since}")
    elif filters.until:
        said.append(f"papers until {filters.until}")
    if filters.author:
        said.append(f"papers by {filters.author}")
    return tuple(said)
