"""Lines of a paper that are no sentences about the work: who wrote it, whose it is, how to cite it, ticks of an axis.

They stand apart because answers and studies leave the same lines out, an answer only where it is not asked for them.
"""

import re
from collections.abc import Iterable

from core.text.tokens import index_tokens

_Row = tuple[re.Pattern[str], re.Pattern[str]]


def _row(sign: str, asked: str) -> _Row:
    return re.compile(sign, re.IGNORECASE), re.compile(asked, re.IGNORECASE)


_PEOPLE = re.compile(
    r"\b(?:who|whom|whose|authors?|authored|wrote|written|affiliat\w*|correspond\w*|e-?mails?|contact\w*|editors?"
    r"|institut\w*|universit\w*|departments?|works? (?:at|for)|where (?:do|does|did|is|are)|names?|titles?|called"
    r"|wer|autor\w*|auteurs?|quién(?:es)?|quem|qui|chi|correo|título|titre|titel)\b|谁|誰|作者|著者|标题",
    re.IGNORECASE,
)
_ROWS: tuple[_Row, ...] = (
    (
        re.compile(
            r"@\w|\bcorrespondence (?:to|should|address\w*|concerning)\b|\bcorresponding author"
            r"|^(?:(?:academic )?editors?|reviewed by|author contributions"
            r"|affiliations?|e-?mail|conceptuali[sz]ation|data curation|formal analysis|funding acquisition"
            r"|investigation|project administration|supervision|writing\W+(?:original|review)\b[^:]{0,30})\s?:"
            r"|\bconference (?:format|acronym)\b|^\W*(?:作者简介|通讯作者|通信作者)",
            re.IGNORECASE,
        ),
        _PEOPLE,
    ),
    _row(
        r"\b(?:copyright|licen[cs]e[ed]?|all rights reserved|creative commons|open access article|permission to make)\b"
        r"|^\W*©|\bpublisher['’]s note\b",
        r"\b(?:licen[cs]\w*|licen[cç]ia\w*|lizenz\w*|copyright\w*|rights?|reus\w*|permi\w+|open(?:ly)?|free(?:ly)?"
        r"|allowed|released?|available|published?|publisher)\b|许可|版权",
    ),
    _row(
        r"^(?:https?:|www\.)|\bdoi\.org\b|\bdoi:|^(?:(?:how to )?cit(?:e|ation)|cómo citar|como citar|pour citer"
        r"|zitierweise)\s?:|^cite this (?:article|paper)\b|^\W*(?:中图分类号|引用格式)",
        r"\b(?:doi|cit\w+|urls?|links?|address\w*|web\w*|sites?|online|where|available|availability|download\w*"
        r"|repositor\w*|github|code|data|datasets?|journal|published?|versions?|identif\w*|dónde|onde|où|wo|datos|dados"
        r"|daten|données)\b|哪|数据|代码",
    ),
    _row(
        r"\b(?:received|accepted|published):|^(?:recibido|aceptado|recebido|aceito|reçu|accepté|eingegangen)\s?:"
        r"|^\W*收稿日期",
        r"\b(?:when|years?|dates?|months?|received?|accepted|published?|submitted|cuándo|quando|quand|wann|año|ano|année"
        r"|jahr)\b|何时|年|いつ",
    ),
    _row(
        r"\bfunders? had no\b|\bplayed no role in\b|\bno competing interests\b|\badherence to .{0,40}policies\b"
        r"|\b(?:work|research|study) was (?:\w+ )?(?:supported|funded|financed) by\b"
        r"|^(?:funding|financial support|financiamiento|financiamento|(?:competing|conflicts? of) interests?"
        r"(?: statement)?|data (?:and code )?availability(?: statement)?)\s?:|^\W*基金项目",
        r"\b(?:fund\w*|financ\w*|financi\w*|support\w*|grants?|paid|pay|paying|sponsor\w*|money|interests?|conflicts?"
        r"|data|available|availability|acknowledg\w*|thank\w*|gefördert|förder\w*|datos|dados|daten|données)\b|资助|基金",
    ),
    _row(
        r"^\W*(?:key ?words|palabras clave|palavras-chave|mots[- ]clés|schlüsselwörter|parole chiave|index terms)"
        r"|^abbreviations\s?:|^\W*(?:关键词|關鍵詞)",
        r"\b(?:key ?words?|terms?|topics?|abbreviat\w*|acronym\w*|stands? for|mean\w*|palabras|palavras|mots)\b|关键词",
    ),
)
"""What stands on a paper's first page for librarians, and the questions that ask for it."""
_WORD = re.compile(r"[^\W\d_][\w'’.-]*")
_CASELESS = re.compile(r"[\u0590-\u1fff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SMALL = frozenset("of and the for in at on de la le du des del della di da do dos das y e et und der für an".split())
_LINK = re.compile(r"(?:https?://|www\.|\bdoi:\s?)\S+", re.IGNORECASE)
_SENTENCE = 8
"""Words beside a link from which they are a sentence of their own."""
_TICKS = 4
"""Words from which a run of numbers is taken for an axis or a column that was not read as a table."""
_NUMBERS = 0.75
_CAPITALS = 0.75
_CALLED = 0.8
"""Share of a line's words that are of the paper's title or its authors' names, from which it says nothing else."""


def is_publication_notice(text: str) -> bool:
    """Whether ``text`` is a publication notice: how to cite the paper, funding, rights, dates, addresses."""
    return any(pattern.search(text) for pattern, _ in _ROWS)


def is_unrequested_notice(text: str, question: str) -> bool:
    """Whether ``text`` is a publication notice of which ``question`` asks nothing; a link in a sentence makes none."""
    bare = _LINK.sub(" ", text).strip()
    without_link = bare if len(bare.split()) >= _SENTENCE else text
    return any(pattern.search(without_link) and not asked.search(question) for pattern, asked in _ROWS)


def asks_for_people(question: str) -> bool:
    """Whether ``question`` asks for names: of authors, their institutions, or the paper's own."""
    return bool(_PEOPLE.search(question))


def is_axis_ticks(text: str) -> bool:
    """Whether ``text`` is hardly more than a run of numbers, as along an axis."""
    words = text.split()
    bare = sum(not any(map(str.isalpha, word)) for word in words)
    return len(words) >= _TICKS and bare >= _NUMBERS * len(words)


def is_name_list(text: str) -> bool:
    """Whether ``text`` is a line of names and no sentence: authors, posts, institutions, places."""
    words = [word for word in _WORD.findall(text) if word not in _SMALL]
    large = sum(word[0].isupper() for word in words)
    return len(words) > 1 and not _CASELESS.search(text) and large >= _CAPITALS * len(words)


def is_only_names(text: str, names: Iterable[str]) -> bool:
    """Whether ``text`` says little else than one of ``names``: the title, or the authors' names together.

    Such a line ends without a full stop: a sentence that was taken for a title stays a sentence.
    """
    if text.rstrip().endswith((".", "。")):
        return False
    tokens = frozenset(index_tokens(text))
    return any(len(tokens & frozenset(index_tokens(name))) >= _CALLED * max(1, len(tokens)) for name in names)
