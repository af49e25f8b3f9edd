"""What stands at the head of a sentence and says nothing where the sentence stands alone."""

import re

PART_HEAD = re.compile(
    r"^(?P<name>Background|Introduction|Context|Methods?|Materials and methods|Design|Setting|Results?|Findings"
    r"|Conclusions?|Interpretation|Discussion|Objectives?|Aims?|Purpose|Antecedentes|Introducción|Objetivos?|Métodos?"
    r"|Metodología|Materiales? y métodos|Resultados|Conclusi(?:ón|ones)|Introdução|Metodologia|Conclus(?:ão|ões)"
    r"|Contexte|Objectifs?|Méthodes?|Résultats|Hintergrund|Fragestellung|Ziel(?:setzung)?|Methoden?|Methodik"
    r"|Ergebnisse|Schlussfolgerung(?:en)?|Fazit|Introduzione|Obiettiv[oi]|Metod[oi]|Risultati|Conclusion[ei])"
    r"\s?[:.]\s+(?=[^\W_])|^[【\[(（]?(?P<short>背景|目的|目标|方法|结果|結果|结论|結論)\s?(?:[】\])）]\s?[:：]?|[:：])\s?",
    re.IGNORECASE,
)
"""The head of a part of an abstract ("Methods:")."""
_FOOTNOTE_MARK = re.compile(r"^\d{1,2}(?=[A-Z][a-z])")
"""The number of a footnote, set before its first word."""
_LEAD = re.compile(
    r"^(?:(?:in addition|additionally|furthermore|moreover|also|further|finally|overall|in summary|in conclusion"
    r"|in general|thus|therefore|hence|here|however|in this (?:paper|study|work|article)|to this end|notably"
    r"|importantly|specifically|in particular|interestingly|consequently|as a result|first|second|third|lastly"
    r"|además|asimismo|por (?:lo )?tanto|en este (?:trabajo|artículo|estudio)|finalmente|en conclusión|sin embargo"
    r"|além disso|portanto|neste (?:trabalho|artigo|estudo)|en outre|par ailleurs|enfin|ainsi|dans cet article"
    r"|cependant|inoltre|infine|pertanto|in questo (?:lavoro|articolo|studio)),\s+)+"
    r"|^(?:此外|因此|另外|总之|最后)[,，]",
    re.IGNORECASE,
)
"""Words that only tie a sentence to the one before ("Moreover, …")."""


def strip_opening(text: str) -> str:
    """``text`` without the head of a part of the abstract, the number of a footnote, and connectives at its start."""
    rest = _LEAD.sub("", _FOOTNOTE_MARK.sub("", PART_HEAD.sub("", text)))
    return rest[:1].upper() + rest[1:]
