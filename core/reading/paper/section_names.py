"""Names that papers usually give their sections, in the languages that papers are mostly in; one pattern a line.

They only support what numbering and setting already suggest, so the lists stay short.
"""

import re

_OPENING = r"""
abstract
summary
(?:plain language|author) summary
graphical abstract
highlights
significance(?: statement)?
key ?words
index terms
ccs concepts
(?:table of )?contents
nomenclature
introduction
background
resumen|resumo|résumé|zusammenfassung|sommario|riassunto
introducción|introdução|introduzione|einleitung|einführung
palabras clave|palavras-chave|mots[- ]clés|schlüsselwörter|parole chiave
inhaltsverzeichnis|índice|table des matières
摘要|要旨|引言|はじめに|序論|초록|서론|аннотация|введение
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


def _any_of(*lists: str) -> re.Pattern[str]:
    names = "|".join(line for text in lists for line in text.split("\n") if line)
    return re.compile(rf"^\W*(?:{names})\W*$", re.IGNORECASE)


OPENING_SECTION = _any_of(_OPENING)
"""Under these a paper's text may begin: what stands before is title and authors."""
REFERENCES_SECTION = _any_of(_REFERENCES)
"""These open the reference list."""
COMMON_SECTION = _any_of(_OPENING, _REFERENCES, _USUAL)
"""All of them."""
