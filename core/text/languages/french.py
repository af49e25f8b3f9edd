"""French."""

from collections.abc import Mapping

from core.text.languages.aspect_words import AspectName, AspectWords

ASPECTS: Mapping[AspectName, AspectWords] = {
    "funding": AspectWords(
        asked=r"\b(?:financ(?:é|ée|ement|er)|subvention\w*|a payé)\b",
        headings=r"financements?|remerciements",
        cues=r"\b(?:financée?s? par|avec le soutien d|subvention)\b",
    ),
    "availability": AspectWords(
        asked=r"\boù (?:sont|se trouvent|trouver|peut-on) .*\b(?:données|code)\b|\bdisponib\w+",
        headings=r"disponibilité",
        cues=r"\bdonnées\b.{0,40}\bdisponibles\b",
    ),
    "ethics": AspectWords(
        asked=r"\béthique\w*|\bconsentement\b",
        headings=r"(?:aspects|considérations) éthiques|éthique",
        cues=r"\bcomité d['’]éthique\b",
    ),
    "interests": AspectWords(
        asked=r"\bconflits? d['’]intér", headings=r"conflits? d['’]intérêts?", cues=r"\bconflits? d['’]intérêts?"
    ),
    "limitations": AspectWords(asked=r"\b(?:limites|faiblesses) (?:de|du|des)\b"),
    "future": AspectWords(asked=r"\b(?:travaux|recherches) futur\w+\b"),
    "size": AspectWords(
        asked=r"\bcombien de (?:participants|personnes|patients|sujets)\b|\btaille de l['’]échantillon\b"
    ),
    "results": AspectWords(asked=r"\bprincipaux résultats\b|\bquels (?:sont|étaient) les résultats\b"),
    "conclusion": AspectWords(asked=r"\bconclusions?\b|\bconclu(?:t|ent)\b"),
    "aim": AspectWords(asked=r"\b(?:objectifs?|but) (?:de|du|est)\b"),
    "methods": AspectWords(
        asked=r"\bcomment (?:a été|l['’]étude)\b.*\b(?:menée?|réalisée?|faite?|conduite?)\b|\bquelles? méthodes?\b"
    ),
    "about": AspectWords(asked=r"\b(?:de quoi (?:parle|traite|s['’]agit-il))\b"),
}
