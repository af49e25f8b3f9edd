"""What the words of a heading say: its number, whether papers usually have it, whether it can be one at all.

The names that papers usually give their sections, one pattern a line, only support what numbering and type suggest.
"""

import re
from dataclasses import dataclass

_OPENING = r"""
abstract
summary
(?:plain language|author) summary
graphical abstract
highlights
significance(?: statement)?
(?:table of )?contents
nomenclature
introduction
background
resumen|resumo|résumé|zusammenfassung|sommario|riassunto
introducción|introdução|introduzione|einleitung|einführung
inhaltsverzeichnis|índice|table des matières
摘要|要旨|引言|はじめに|序論|초록|서론|аннотация|введение
"""
_KEYWORDS = r"""
(?:author )?key ?words(?: and phrases)?
index terms
ccs concepts
palabras? claves?|palavras?[- ]chaves?|mots[- ]clés|schlüsselwörter|schlagwörter|parole chiave
关键词|關鍵詞|キーワード|주제어|ключевые слова
"""
_REFERENCES = r"""
references(?: and notes| cited)?
bibliography
(?:literature|works) cited
referencias(?: bibliográficas)?|bibliografía
referências(?: bibliográficas)?|bibliografia
références(?: bibliographiques)?|bibliographie
literatur(?:verzeichnis)?|quellenverzeichnis
riferimenti(?: bibliografici)?
参考文献|參考文獻|참고문헌|литература|список литературы
"""
_USUAL = r"""
(?:materials?|patients?|subjects?|data)(?: and|,| &) methods?
methods?(?: and (?:materials?|data))?|methodology
results?(?: (?:and|&) discussions?)?
discussions?(?: and conclusions?)?
conclusions?(?: and .{3,40})?|concluding remarks
related works?|experiments?|evaluation|limitations?|future work
acknowledge?ments?
fundings?(?: (?:statement|information|sources))?
(?:author|authors['’]) contributions?
competing interests?|conflicts? of interests?|declarations?|disclosures?
data (?:and code )?availability(?: statement)?|code availability|availability of data and materials
ethics(?: statement| approval.*)?|ethical .{3,30}|institutional review board.{0,8}|consent for publication
supporting information|supplementary (?:materials?|information|data)|additional information
abbreviations|appendix|appendices|statement of need
métodos?|metodología|material(?:es)? y métodos|resultados(?: y discusión)?|discusión|conclusi(?:ón|ones)
agradecimientos|anexos?
metodologia|resultados e discussão|discussão|conclus(?:ão|ões)|considerações finais|agradecimentos
méthodes?|résultats|remerciements|annexes?
methoden|ergebnisse|diskussion|fazit|schluss(?:folgerungen)?|danksagung|anhang
metodi|risultati|discussione|conclusioni|ringraziamenti
方法|结果|讨论|结论|致谢|結果|考察|結論|謝辞|방법|결과|결론
методы|результаты|обсуждение|заключение
"""


def _names(*lists: str) -> str:
    return "|".join(line for text in lists for line in text.split("\n") if line)


def _any_of(*lists: str) -> re.Pattern[str]:
    return re.compile(rf"^\W*(?:{_names(*lists)})\W*$", re.IGNORECASE)


OPENING_SECTION = _any_of(_OPENING, _KEYWORDS)
"""Under these a paper's text may begin: what stands before is title and authors."""
REFERENCES_SECTION = _any_of(_REFERENCES)
"""These open the reference list."""
COMMON_SECTION = _any_of(_OPENING, _KEYWORDS, _REFERENCES, _USUAL)
"""All of them."""
_KEYWORDS_SECTION = _any_of(_KEYWORDS)
_KEYWORDS_LINE = re.compile(rf"\W*(?:{_names(_KEYWORDS)})\W", re.IGNORECASE)


_NUMBERED = re.compile(
    r"^\s*(?P<word>(?:appendix|supplement|annex|anhang|annexe|anexo|apéndice|apêndice|appendice)\s+)?"
    r"(?:section\s+|§\s*)?"
    r"(?P<number>(?:\d{1,2}|[A-Z]|[IVX]{1,5})(?:\.\d{1,2}){0,4})(?P<end>\s*[.):|—–-]?)\s+(?P<rest>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_LONE = re.compile(
    r"^\s*(?:appendix|anhang|annexe|anexo|apéndice|appendice)\s+(?P<number>[A-Z]|\d{1,2})\W*$", re.IGNORECASE
)
_ADDRESS = re.compile(r"https?:|www\.|doi\b|@\S+\.|\b10\.\d{4,}/", re.IGNORECASE)
_CODE = re.compile(r"<-|[{}\\$]|;\s*$|\w\(\S*\)|==|::|\w_\w|->|^[>#%]")
_IDEOGRAPH = re.compile("[\u2e80-\u9fff\uac00-\ud7af]")
_FORMULA = re.compile(r"[=∑∫≤≥∈∂√±→∞≈]")
_STATEMENT = re.compile(
    r"^(?:theorem|lemma|definition|proof|example|proposition|corollary|remark|claim|assumption|algorithm|step|note"
    r"|beispiel|satz|beweis|teorema|ejemplo|demostración)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadingNumber:
    """A heading's number: its parts ("4", "3", "1"), whether it stands after a word as "Appendix", the words behind."""

    parts: tuple[str, ...]
    worded: bool
    closed: bool
    rest: str

    @property
    def letter(self) -> bool:
        """Whether it opens with a letter that is no Arabic number."""
        return not self.parts[0].isdecimal()


def parse_heading_number(text: str) -> HeadingNumber | None:
    """The number that a heading opens with, or None; "A new method" gives one too: see the outline for that."""
    match = _NUMBERED.match(text)
    if match is None:
        lone = _LONE.match(text)
        return HeadingNumber(parts=(lone["number"].upper(),), worded=True, closed=True, rest="") if lone else None
    first = match["number"].split(".")[0]
    is_lower_case = first != first.upper()
    if not match["word"] and (is_lower_case or first == "0"):
        return None
    return HeadingNumber(
        parts=tuple(match["number"].upper().split(".")),
        worded=bool(match["word"]),
        closed=bool(match["end"].strip()),
        rest=match["rest"],
    )


def strip_heading_number(text: str) -> str:
    """A heading without its number."""
    number = parse_heading_number(text)
    return number.rest if number is not None and number.rest else text


def is_opening_heading(text: str) -> bool:
    """Whether a paper's text may begin under this heading: all that precedes it is title and authors."""
    return _is_named(OPENING_SECTION, text)


def is_common_heading(text: str) -> bool:
    """Whether it is a section that papers usually have, in one of the languages that papers are mostly in."""
    return _is_named(COMMON_SECTION, text)


def is_references_heading(text: str) -> bool:
    """Whether a heading opens the reference list."""
    return _is_named(REFERENCES_SECTION, text)


def is_keywords_heading(text: str) -> bool:
    """Whether key words stand under a heading."""
    return _is_named(_KEYWORDS_SECTION, text)


def opens_with_keywords(text: str) -> bool:
    """Whether a line or paragraph is a list of key words that says so itself."""
    return _KEYWORDS_LINE.match(text) is not None


def _is_named(names: re.Pattern[str], text: str) -> bool:
    return names.match(text) is not None or names.match(strip_heading_number(text)) is not None


def is_theorem_heading(text: str) -> bool:
    """Whether it names a theorem, a proof or the like, which are set like headings and are none."""
    return _STATEMENT.match(text) is not None


def is_possible_heading(text: str) -> bool:
    """Whether words like these can be a heading, however they are set."""
    text = text.strip()
    number = parse_heading_number(text)
    words = number.rest if number is not None and number.rest else text
    is_counted = number is not None and not number.letter
    if not _has_enough_letters(words, number) or _is_overlong(text, words) or _ADDRESS.search(text):
        return False
    starts_small = words[0].islower()
    if is_counted:
        is_subsection = number is not None and len(number.parts) > 1
        return is_subsection or not starts_small
    if starts_small or text[-1] in ",;:" or _CODE.search(text) or _FORMULA.search(text):
        return False
    return not (text.endswith(".") and _reads_as_sentence(words))


def _has_enough_letters(words: str, number: HeadingNumber | None) -> bool:
    """Whether most characters are letters; behind a number ("3.1 %") fewer will do, behind "3.1.2" any."""
    letters = sum(char.isalpha() for char in words)
    if number is not None and not number.letter:
        share = 0.3 if len(number.parts) == 1 else 0.0
        return letters > 0 and letters >= share * len(words.replace(" ", ""))
    fewest = 2 if _IDEOGRAPH.search(words) else 3
    return letters >= fewest and letters >= 0.55 * len(words.replace(" ", ""))


def _is_overlong(text: str, words: str) -> bool:
    return len(text) > 200 or len(words.split()) > 28


def _reads_as_sentence(words: str) -> bool:
    return len(words.split()) > 16 or ": " in words
