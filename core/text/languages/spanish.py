"""Spanish."""

from collections.abc import Mapping

from core.text.languages.aspect_words import AspectName, AspectWords

ASPECTS: Mapping[AspectName, AspectWords] = {
    "funding": AspectWords(
        asked=r"\b(?:financi[óo]|financiaci[óo]n|financiad[oa]|subvenci[óo]n|pag[óo] (?:el|la|por))\b",
        headings=r"financiaci[óo]n|agradecimi?entos",
        cues=r"\b(?:financiad[oa]s? (?:por|con)|con el apoyo de|subvenci[óo]n)\b",
    ),
    "availability": AspectWords(
        asked=r"\bd[óo]nde (?:están|se encuentran|se pueden?|puedo) .*\b(?:datos|código|programa)\b|\bdisponib\w+",
        headings=r"disponibilidad",
        cues=r"\bdatos\b.{0,40}\bdisponibles\b",
    ),
    "ethics": AspectWords(
        asked=r"\bétic\w+|\bconsentimiento\b",
        headings=r"(?:aspectos|consideraciones) étic\w+",
        cues=r"\bcomité de ética\b",
    ),
    "interests": AspectWords(
        asked=r"\bconflictos? de inter", headings=r"conflictos? de inter\w+", cues=r"\bconflictos? de inter\w+"
    ),
    "limitations": AspectWords(asked=r"\b(?:limitaci(?:ón|ones)|debilidad(?:es)?)\b"),
    "future": AspectWords(asked=r"\b(?:trabajos?|investigaci(?:ón|ones)|líneas) futur[oa]s?\b"),
    "size": AspectWords(
        asked=r"\bcu[áa]nt[oa]s (?:participantes|personas|pacientes|sujetos)\b|\btamaño de la muestra\b"
    ),
    "results": AspectWords(
        asked=r"\b(?:principales )?(?:resultados|hallazgos)\W*$|\bprincipales (?:resultados|hallazgos)\b"
    ),
    "conclusion": AspectWords(asked=r"\bconclusi(?:ón|ones)\b|\bqué concluyen?\b"),
    "aim": AspectWords(asked=r"\b(?:objetivos?|propósito) (?:del?|de la|tiene|es)\b"),
    "methods": AspectWords(asked=r"\bcómo se (?:hizo|realizó|llevó a cabo)\b|\bqué (?:métodos?|metodología)\b"),
    "about": AspectWords(asked=r"\b(?:de qué trata|sobre qué (?:es|trata))\b"),
}
