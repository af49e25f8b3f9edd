"""Which part of a paper a heading opens, in the languages that papers are mostly in. Pure.

It stands apart from ``statements`` because a list of headings is read and mended otherwise than the code that cuts a
paper into sentences.
"""

import re
from collections.abc import Sequence
from typing import Literal, TypeAlias

Zone: TypeAlias = Literal[
    "front",
    "abstract",
    "introduction",
    "related",
    "data",
    "method",
    "results",
    "discussion",
    "limitations",
    "future",
    "conclusion",
    "appendix",
    "other",
    "back",
]

_HEADS: tuple[tuple[Zone, str, str], ...] = (
    (
        "limitations",
        r"limitations?|threats to validity|caveats|limitaciones|limitações|limites|limiti|limitazioni"
        r"|einschränkungen|limitationen|grenzen der (?:studie|untersuchung|arbeit)",
        r"局限|不足|限界|制約",
    ),
    (
        "future",
        r"future (?:work|works|research|directions?|perspectives?)|outlook|next steps|trabajos? futuros?"
        r"|futuras (?:líneas|investigaciones)|líneas futuras|trabalhos? futuros?|perspectivas futuras|ausblick"
        r"|^\W*(?:[\d.]+\s*)?perspectives\W*$|travaux futurs|sviluppi futuri|prospettive",
        r"展望|未来工作|今後の課題",
    ),
    (
        "back",
        r"references|bibliography|acknowledge?ments?|funding|author contributions?|authors['’] contributions?"
        r"|competing|conflicts? of interest|declarations?|disclosures?|ethic\w+|institutional review"
        r"|supporting information|supplementary|additional files?|abbreviations|author details|keywords|ccs concepts"
        r"|index terms|agradecimi?entos|financiaci[óo]n|financiamento|conflictos? de intere\w+|contribuci\w+ de"
        r"|danksagung|finanzierung|interessenkonflikte?|remerciements|financements?|conflits? d['’]intérêts?"
        r"|ringraziamenti|finanziament[oi]|refer[eê]ncias|bibliogra\w+|riferimenti|literatur(?:verzeichnis)?",
        r"参考文献|參考文獻|致谢|謝辭|謝辞|基金项目|利益冲突|参考资料",
    ),
    (
        "abstract",
        r"^\W*(?:[\d.]+\s*)?(?:abstract|summary|resumen|resumo|résumé|zusammenfassung|kurzfassung|sommario|riassunto"
        r"|sintesi|highlights|要旨|抄録|摘\s?要|内容提要|аннотация)\W*$",
        r"(?!)",
    ),
    (
        "related",
        r"(?:related|previous|prior) works?|literature review|state of the art|background (?:&|and) related"
        r"|revisión (?:de la )?(?:literatura|bibliográfica)|marco (?:teórico|conceptual)|antecedentes"
        r"|estado (?:del arte|de la cuestión)|revisão (?:da|de) literatura|referencial teórico|fundamentação teórica"
        r"|forschungsstand|stand der (?:forschung|technik)|theoretischer rahmen|état de l['’]art"
        r"|revue de (?:la )?littérature|cadre théorique|stato dell['’]arte|quadro teorico",
        r"相关工作|文献综述|文獻回顧|研究现状|研究現狀|関連研究|先行研究",
    ),
    (
        "data",
        r"data ?sets?|corpus|corpora|participants|subjects|patients|samples?|specimens|study (?:area|site|population)"
        r"|setting|(?:the )?data|data collection|observations|(?:base de )?datos|muestras?"
        r"|participantes|población (?:y muestra|de estudio)"
        r"|daten\w*|stichproben?|(?:studien)?teilnehmer\w*|patienten\w*"
        r"|probanden|données|échantillons?|population (?:étudiée|et échantillon)|dados|amostras?|população e amostra"
        r"|dati|campion[ei]|partecipanti|pazienti",
        r"数据|資料|样本|樣本|研究对象|研究對象|调查对象|语料|研究区|データ|対象",
    ),
    (
        "method",
        r"materials?|methods?|methodology|methodological|experimental (?:setup|set-up|design|procedures?)|approach"
        r"|procedures?|implementation|model(?:s|ling|ing)?|architecture|training|statistical analys[ei]s|protocol"
        r"|design|analys[ei]s|tasks?"
        r"|materiales|métodos?|metodología|procedimientos?|diseño|instrumentos?|análisis (?:estadístico|de datos)"
        r"|modelo|materiais|metodologia|procedimentos?|delineamento|análise (?:estatística|dos? dados)"
        r"|méthodes?|méthodologie|matériels?|protocole|démarche|analyse (?:statistique|des données)|modèle"
        r"|\w*methode[n]?|methodik|vorgehen\w*|material|studiendesign|versuchs\w+|verfahren|statistische \w+|modell"
        r"|metod[oi]|materiali|procedura|disegno|analisi (?:statistica|dei dati)|modello",
        r"方法|材料|模型|实验设计|實驗設計|研究设计|试验设计|統計|统计分析|手法",
    ),
    (
        "results",
        r"results?|findings|evaluation|experiments?|performance|\w*ergebnis\w*|befunde|resultados?|hallazgos"
        r"|résultats|risultati|esperiment[oi]|experimentos|expériences|auswertung",
        r"结果|結果|实验|實驗",
    ),
    (
        "discussion",
        r"discussions?|discusión|discussão|diskussion|discussione|interpretation|implications|implicaciones",
        r"考察|讨论|討論",
    ),
    (
        "conclusion",
        r"conclusions?|concluding|conclusi(?:ón|ones|one|oni)|consideraciones finales|considerazioni (?:finali"
        r"|conclusive)|conclus(?:ão|ões)|considerações finais|fazit|schluss\w*|resümee|bilan",
        r"结论|結論|结语|結語|总结|小结|まとめ",
    ),
    (
        "introduction",
        r"introduction|background|motivation|statement of need|introducción|introdução|introduzione|einleitung"
        r"|einführung|hintergrund|contexte|problemática|planteamiento del problema|justificación",
        r"引言|绪论|緒論|前言|导言|序論|はじめに|背景|問題意識",
    ),
    (
        "appendix",
        r"appendix|appendices|annexe?s?|anexos?|apéndices?|apêndices?|appendic[ei]|anhang|supplement",
        r"附录|附錄|付録",
    ),
)
_ZONES = tuple(
    (zone, re.compile(rf"(?:^|\b)(?:{words})(?:\b|$)|{unspaced}", re.IGNORECASE)) for zone, words, unspaced in _HEADS
)
"""The names of a zone in writing with spaces between words, and in writing without."""

OPENING_PAGES = 3
"""A summary that stands later is a conclusion."""


def zone_of(section: Sequence[str], page: int) -> Zone:
    """Which part of the paper stands under a path of headings on ``page``: the deepest heading that tells."""
    for heading in reversed(section):
        found = zone_named(heading)
        if found is not None:
            return "conclusion" if found == "abstract" and page > OPENING_PAGES else found
    return "other" if section else "front"


def zone_named(heading: str) -> Zone | None:
    """The part of a paper that one heading opens; None where it does not tell."""
    return next((zone for zone, pattern in _ZONES if pattern.search(heading)), None)
