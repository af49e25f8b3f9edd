"""German."""

from collections.abc import Mapping

from core.text.languages.aspect_words import AspectName, AspectWords

ASPECTS: Mapping[AspectName, AspectWords] = {
    "funding": AspectWords(
        asked=r"\b(?:finanzier\w*|förder(?:te|ung|t|er)\w*|gefördert|bezahlt\w*|geldgeber\w*)\b",
        headings=r"finanzierung|förderung|danksagung",
        cues=r"\b(?:gefördert|finanziert|unterstützt) (?:durch|von|vom)\b|\b(?:durch|von|vom) .{3,60} (?:gefördert"
        r"|finanziert)\b",
    ),
    "availability": AspectWords(
        asked=r"\bwo (?:sind|liegen|finde\w*|gibt es|kann) .*\b(?:daten\w*|code)\b|\bverfügbar\w*",
        headings=r"(?:daten)?verfügbarkeit\w*",
        cues=r"\bdaten\b.{0,40}\bverfügbar\b",
    ),
    "ethics": AspectWords(
        asked=r"\bethi\w+|\beinwilligung\w*", headings=r"ethi\w+", cues=r"\bethikkommission\b|\beinwilligung\b"
    ),
    "interests": AspectWords(
        asked=r"\binteressenkonflikt", headings=r"interessenkonflikte?", cues=r"\binteressenkonflikt\w*"
    ),
    "limitations": AspectWords(
        asked=r"\b(?:einschränkung(?:en)?|limitation(?:en)?|schwächen?|grenzen (?:der|dieser))\b"
    ),
    "future": AspectWords(asked=r"\b(?:zukünftige|künftige|weitere) (?:arbeit\w*|forschung\w*|studien)\b"),
    "size": AspectWords(asked=r"\bwie ?viele (?:teilnehm\w+|personen|proband\w+|patient\w+)\b|\bstichprobengröße\b"),
    "results": AspectWords(
        asked=r"\b(?:wichtigste\w*|zentrale\w*|haupt)\s?(?:ergebniss?e?|befunde?)\b|\bwas (?:sind"
        r"|waren) die ergebnisse\b"
    ),
    "conclusion": AspectWords(asked=r"\b(?:schlussfolger\w+|fazit|schluss (?:ziehen|kommen))\b"),
    "aim": AspectWords(asked=r"\b(?:ziel|zweck|fragestellung) (?:der|dieser|des|ist|war)\b"),
    "methods": AspectWords(
        asked=r"\bwie (?:wurde|ist) (?:die|diese) (?:studie|untersuchung|arbeit)\b|\bwelche methoden?\b"
    ),
    "about": AspectWords(asked=r"\b(?:worum geht es|wovon handelt)\b"),
}
