"""Personal names out of the lines beneath a title, in the order in which they are printed.

Told from setting first (authors are set alike, and otherwise than where they work), then from the shape of
a name. Emails, marks, degrees and places fall away.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, takewhile

from core.reading.blocks import Block, Line, Span
from core.reading.paper import front_page_words as words_of
from core.reading.paper.type_style import dominant_style, visible_spans
from core.text import CJK
from core.text.person_names import PARTICLES, STUDY_GROUP, SUFFIX, lower_capitals

_MARKS = re.compile(r"[\d⁰¹²³⁴⁵⁶⁷⁸⁹*∗†‡§¶⋆☯✉#·•?]+|\(cid:\d+\)")
_EMAIL = re.compile(r"\S*@\S*|\S+\.(?:com|org|edu|net|gov|ac\.\w\w)\b|https?:\S+|\borcid\b", re.IGNORECASE)
_CUTS = re.compile(r"[,;|&\t\u3000]|\s(?:and|AND|und|UND|et|ET|y|e|och|og|en|with)\s|^(?:[Aa]nd|AND|und|et|with)\s")
_ON_BEHALF = re.compile(r"\s*,?\s*\b(?:for|on behalf of)\s+(?=(?:the\s)?[A-Z])")
"""Before the name of the group that the authors speak for."""
_ARTICLE = re.compile(r"^(?:and\s+)?the\s+")
_ASIDE = re.compile(r"\([^()]*\)")
_SUFFIX_AFTER_COMMA = re.compile(r",\s*((?:Jr|Sr|II|III|IV)\b\.?)")
_LABELLED = re.compile(r"^[^\W\d_][\w ()]{0,25}:\s")
_ALIKE = 0.1
"""Sizes that differ by less than this share are one size: scans and small roundings vary."""
_TOUCHING = 0.15
"""Gap in sizes of the type below which a run touches the one before it."""
_WIDE, _WIDE_IN_SCANS = 0.55, 1.5
"""Gap from which two runs are set apart; OCR measures words less exactly, and names no font."""
_SHORT_LINE = 0.8
"""Share of a block's width below which a line ended although a further name would have fitted."""
_WORD = re.compile(r"^(?:[dlD]['’])?[^\W\d_](?:[^\W\d_]|['’`´.\-‐–])*$")
_CJK_NAME = re.compile(r"^[\u3040-\u30ff\u4e00-\u9fff\u3005]{2,6}$|^[\uac00-\ud7af]{2,4}$")
_LONGEST_GROUP = 10


def extract_authors(below: Sequence[Block]) -> tuple[str, ...]:
    """Names of the authors in printed order; empty where none can be told."""
    authors: list[str] = []
    size: float | None = None
    for text, line in chain.from_iterable(map(_lists, _author_blocks(below))):
        names = find_names(text, is_first=not authors)
        size = size or (_size(line) if names else None)
        authors += names if _has_size(line, size) else ()
    return tuple(dict.fromkeys(authors))


def _author_blocks(below: Sequence[Block]) -> Sequence[Block]:
    """The blocks that say that they name the authors; without any, all before a jury, editors and the like."""
    blocks = list(takewhile(lambda block: not _opens_other_roles(block), below))
    return list(filter(is_byline, blocks)) or blocks


def _opens_other_roles(block: Block) -> bool:
    """Whether the block announces people who did not write the paper."""
    first = next((line.text for line in block.lines if line.text.strip()), "")
    return words_of.OTHER_ROLE.match(first) is not None


def find_introduced_authors(lines: Sequence[Line]) -> tuple[str, ...]:
    """Names behind a line that ends where the author's is to follow (``presented by``), wherever on a page it stands.

    ``lines`` go from top to bottom.
    """
    texts = [_EMAIL.sub(",", mark_separators(line)) for line in lines]
    for index, text in enumerate(texts[:-1]):
        if words_of.BEFORE_AUTHOR.match(text.strip()) and not words_of.OTHER_ROLE.match(text):
            names = find_names(texts[index + 1], is_first=True)
            if names:
                return tuple(names)
    return ()


def find_names(text: str, *, is_first: bool) -> list[str]:
    """The people and groups that ``text`` lists; none where it rather tells something else.

    ``is_first`` says that no names stood before it: then words that are places and names are taken for names.
    """
    people, _, group = _drop_label(text).partition("\n")
    pieces = _split(people)
    names = [lower_capitals(piece) if not is_group(piece) else piece for piece in pieces if _is_author(piece)]
    is_all_names = is_first and len(names) == len(pieces) > 1
    if _tells_otherwise(people) or (not is_all_names and words_of.MAYBE_A_PLACE.search(_without_groups(people))):
        return []
    # A line with one name among many other things is a sentence or an address, not a list of authors.
    long = [piece for piece in pieces if len(piece.split()) > 1]
    return names + list(filter(is_group, [_clean_group(group)])) if len(names) >= 0.5 * len(long) else []


def _tells_otherwise(people: str) -> bool:
    """Whether a line names an institution, a date or the like, outside the groups that sign as authors."""
    return bool(words_of.NOTICE.search(people) or words_of.INSTITUTION.search(_without_groups(people)))


def is_byline(block: Block) -> bool:
    """Whether the block says that it names the authors: ``By Ann Lee``."""
    text = " ".join(mark_separators(line) for line in block.lines[:1])
    return words_of.BYLINE.match(text) is not None and bool(find_names(text, is_first=True))


def is_group(piece: str) -> bool:
    """Whether it is the name of a group that signs papers: a consortium, a study group."""
    words = piece.split()
    return STUDY_GROUP.search(piece) is not None and 1 < len(words) <= _LONGEST_GROUP and piece[:1].isupper()


def _drop_label(text: str) -> str:
    """The list without its label and asides, the group that it speaks for on a line of its own."""
    text = words_of.BYLINE.sub("", words_of.AUTHOR_LABEL.sub("", _EMAIL.sub(",", text)))
    return _ON_BEHALF.sub("\n", text, count=1)


def _without_groups(text: str) -> str:
    """``text`` without the groups in it, whose names hold words of places."""
    return " , ".join(piece for piece in _split(text) if not is_group(piece))


def _clean_group(text: str) -> str:
    return " ".join(_ARTICLE.sub("", _ASIDE.sub("", text).strip(" .,;")).split())


def _lists(block: Block) -> Iterator[tuple[str, Line]]:
    """Texts to be read as lists of names, each with its first line: a list that flows over lines whole, else a line."""
    lines = _lines_before_address(block)
    alike = [line for line in lines if _has_size(line, _size(lines[0]))]
    flows = any(_CUTS.search(line.text.strip()) for line in lines)
    if flows and alike:
        yield " ".join(_end_list_line(line, block) for line in alike), alike[0]
    else:
        yield from ((mark_separators(line), line) for line in alike)


def _end_list_line(line: Line, block: Block) -> str:
    """The line, with a cut behind it where it ended although there was room for more."""
    width = block.rect[2] - block.rect[0]
    is_short = line.rect[2] - line.rect[0] < _SHORT_LINE * width
    return mark_separators(line) + " ," * is_short


def _lines_before_address(block: Block) -> list[Line]:
    """Lines up to the first that names an institution or tells something else: what follows is the rest of it."""
    printed = (line for line in block.lines if visible_spans(line) and not line.vertical)
    return list(takewhile(lambda line: not _ends_names(mark_separators(line)), printed))


def _ends_names(text: str) -> bool:
    is_labelled = _LABELLED.match(text) is not None and words_of.AUTHOR_LABEL.match(text) is None
    return is_labelled or _tells_otherwise(_drop_label(text).partition("\n")[0])


def _is_same_size(size: float, other: float) -> bool:
    return abs(size - other) <= _ALIKE * other


def _has_size(line: Line, size: float | None) -> bool:
    own = _size(line)
    return own is not None and size is not None and _is_same_size(own, size)


def _size(line: Line) -> float | None:
    """Size of the line's first run of letters that is not raised."""
    lead = _lead_span(line)
    style = dominant_style([lead]) if lead else None
    return style.size if style else None


def _lead_span(line: Line) -> Span | None:
    return next((span for span in visible_spans(line) if not span.superscript and _has_letters(span)), None)


def _has_letters(span: Span) -> bool:
    return any(char.isalpha() for char in span.text)


def mark_separators(line: Line) -> str:
    """The line's names with a cut wherever setting parts them: a raised mark, a wide gap, another type.

    Small capitals come as a smaller type that touches the capital before it; they belong to the name.
    """
    lead = _lead_span(line)
    if lead is None:
        return ""
    text, before = "", None
    for span in line.spans:
        if not span.text.strip():
            text += " "
            continue
        gap = None if before is None else span.rect[0] - before.rect[2]
        touches = gap is not None and gap < _TOUCHING * lead.size
        is_wide = gap is not None and gap > (_WIDE if span.font else _WIDE_IN_SCANS) * lead.size
        belongs = _is_part_of_name(span, lead, text if touches else "")
        # Runs that OCR read or some typesetters wrote carry no spaces between words of their own.
        lacks_space = gap is not None and not touches and not text.endswith((" ", "\t"))
        text += "\t" if is_wide else " " * lacks_space
        text += span.text if belongs or _is_plain_mark(span) else " , "
        before = span if belongs else None
    return text


def _is_part_of_name(span: Span, lead: Span, touched: str) -> bool:
    """Whether a run belongs to the name before it; ``touched`` is the text that it touches.

    Small capitals go on behind a capital; small letters before them are a whole name with a badge behind it.
    """
    if span.superscript:
        return False
    are_small_capitals = span.text.isupper() and touched[-1:].isupper()
    return are_small_capitals or _is_same_type(span, lead)


def _is_plain_mark(span: Span) -> bool:
    """Whether a run of another type holds no letter and is not raised, as a comma in bold."""
    return not _has_letters(span) and not span.superscript


def _is_same_type(span: Span, other: Span) -> bool:
    styles = (dominant_style([span]), dominant_style([other]))
    bold = {style.bold for style in styles if style is not None}
    return _is_same_size(span.size, other.size) and len(bold) <= 1


def _split(text: str) -> list[str]:
    text = _SUFFIX_AFTER_COMMA.sub(r" \1", words_of.DEGREES.sub(" ", _ASIDE.sub(" ", text)))
    pieces = [_ARTICLE.sub("", " ".join(piece.split())) for piece in _CUTS.split(_MARKS.sub(",", text))]
    stripped = [part.strip(" ,:-–—{}()[]") for piece in pieces for part in _split_cjk(piece)]
    return [piece for piece in stripped if piece.strip(".")]


def _split_cjk(piece: str) -> list[str]:
    """Names in ideographs, which a space alone may part; family and given name apart are one."""
    parts = piece.split(" ")
    is_run_of_names = len(parts) > 1 and all(_CJK_NAME.match(part) and len(part) > 2 for part in parts)
    return parts if is_run_of_names else [piece]


def _is_author(piece: str) -> bool:
    return is_group(piece) or _CJK_NAME.match(piece) is not None or _is_person(piece)


def _is_person(piece: str) -> bool:
    words = [word for word in piece.split() if not SUFFIX.match(word)]
    if not 2 <= len(words) <= 6 or not all(map(_may_be_in_name, words)):
        return False
    return CJK.search(piece) is not None or _carries_name([word for word in words if word not in PARTICLES])


def _carries_name(words: Sequence[str]) -> bool:
    """Whether words that are no particles are a name: two at least, with capitals, not all of them initials."""
    starts_small = any(word[0].islower() and word[1:2] not in ("'", "’") for word in words)
    return len(words) > 1 and not starts_small and not all(map(_is_initial, words))


def _may_be_in_name(word: str) -> bool:
    return _WORD.match(word) is not None and word.lower() not in words_of.NO_NAME


def _is_initial(word: str) -> bool:
    return word.endswith(".") or len(word.strip(".")) == 1
