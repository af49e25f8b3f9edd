"""Italian."""

from collections.abc import Mapping

from core.text.languages.aspect_words import AspectName, AspectWords

ASPECTS: Mapping[AspectName, AspectWords] = {
    "funding": AspectWords(
        asked=r"\b(?:finanziat[oa]|finanziament[oi]|ha pagato)\b",
        headings=r"finanziament[oi]|ringraziamenti",
        cues=r"\b(?:finanziat[oa] da|con il sostegno d)",
    ),
    "availability": AspectWords(
        asked=r"\bdove (?:sono|si trovano|posso) .*\b(?:dati|codice)\b|\bdisponibil\w+",
        headings=r"disponibilità",
        cues=r"\bdati\b.{0,40}\bdisponibili\b",
    ),
    "ethics": AspectWords(
        asked=r"\betic[oahi]+\b|\bconsenso\b",
        headings=r"(?:aspetti|considerazioni) etic\w+",
        cues=r"\bcomitato etico\b",
    ),
    "interests": AspectWords(
        asked=r"\bconflitt[oi] di interess",
        headings=r"conflitt[oi] di interess\w+",
        cues=r"\bconflitt[oi] di interess\w+",
    ),
    "limitations": AspectWords(asked=r"\b(?:limiti|limitazioni|debolezze)\b"),
    "future": AspectWords(asked=r"\b(?:lavori|ricerche|sviluppi) futur[ei]\b"),
    "size": AspectWords(asked=r"\bquant[ei] (?:partecipanti|persone|pazienti|soggetti)\b"),
    "results": AspectWords(asked=r"\bprincipali risultati\b|\bquali (?:sono|erano) i risultati\b"),
    "conclusion": AspectWords(asked=r"\bconclusion[ei]\b"),
    "aim": AspectWords(asked=r"\b(?:obiettiv[oi]|scopo) (?:del|della|dello|è)\b"),
    "methods": AspectWords(asked=r"\bcome è stat[oa] (?:fatt|svolt|condott|realizzat)[oa]\b|\bqual[ei] metod[oi]\b"),
    "about": AspectWords(asked=r"\bdi (?:che|cosa)(?: cosa)? (?:parla|tratta)\b"),
}
