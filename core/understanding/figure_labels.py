"""Which figures and tables a question asks for by their number, as their captions print it."""

import re

_LABEL = re.compile(
    r"\b(?:(?P<table>tables?|tab\.|tabell[ea]n?|tablas?|tableaux?|tabelas?|cuadros?|quadros?)"
    r"|(?P<figure>figures?|figs?\.?|abbildung(?:en)?|abb\.|figuras?|figura))\s*(?P<number>[A-Z]?\d+[a-z]?|[IVX]+)\b",
    re.IGNORECASE,
)
_PREFIXES = {
    "table": ("table", "tab.", "tabelle", "tabla", "tableau", "tabela", "tabella", "cuadro", "quadro"),
    "figure": ("figure", "fig.", "fig", "abbildung", "abb.", "figura"),
}


def labels_asked(question: str) -> frozenset[str]:
    """The labels in small letters, each as any language may print it: "table 3", "tabelle 3" …; none without number."""
    return frozenset(
        f"{prefix} {match['number'].casefold()}"
        for match in _LABEL.finditer(question)
        for prefix in _PREFIXES["table" if match["table"] else "figure"]
    )
