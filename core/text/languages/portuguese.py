"""Portuguese."""

from collections.abc import Mapping

from core.text.languages.aspect_words import AspectName, AspectWords

ASPECTS: Mapping[AspectName, AspectWords] = {
    "funding": AspectWords(
        asked=r"\b(?:financiou|financiamento|financiad[oa]|pagou)\b",
        headings=r"financiamento|agradecimentos",
        cues=r"\b(?:financiad[oa]s? (?:por|pel[oa])|com o apoio d[eoa])\b",
    ),
    "availability": AspectWords(
        asked=r"\bonde (?:estão|se encontram|posso) .*\b(?:dados|código)\b|\bdispon[ií]ve\w+",
        headings=r"disponibilidade",
        cues=r"\bdados\b.{0,40}\bdisponíveis\b",
    ),
    "ethics": AspectWords(
        asked=r"\bétic\w+|\bconsentimento\b",
        headings=r"(?:aspectos|considerações) étic\w+",
        cues=r"\bcomitê de ética\b",
    ),
    "interests": AspectWords(
        asked=r"\bconflitos? de interesse", headings=r"conflitos? de interesse", cues=r"\bconflitos? de interesse"
    ),
    "limitations": AspectWords(asked=r"\b(?:limitaç(?:ão|ões)|fragilidades)\b"),
    "future": AspectWords(asked=r"\b(?:trabalhos?|pesquisas?) futur[oa]s?\b"),
    "size": AspectWords(asked=r"\bquant[oa]s (?:participantes|pessoas|pacientes)\b|\btamanho da amostra\b"),
    "results": AspectWords(asked=r"\bprincipais (?:resultados|achados)\b|\bquais (?:foram|são) os resultados\b"),
    "conclusion": AspectWords(asked=r"\bconclus(?:ão|ões)\b|\bo que concluem?\b"),
    "aim": AspectWords(asked=r"\b(?:objetivos?|finalidade) (?:d[eoa]|é|foi)\b"),
    "methods": AspectWords(
        asked=r"\bcomo (?:foi|se) (?:feit[oa]|realizad[oa]|realizou)\b|\bque (?:métodos?|metodologia)\b"
    ),
    "about": AspectWords(asked=r"\b(?:de que trata|do que se trata|sobre o que é)\b"),
}
