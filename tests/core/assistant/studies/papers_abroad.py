"""Invented papers in other languages than English, as PDFs, with the words by which each field's right value is known.

One sentence tells each field; around it stand sentences that do not, as in any paper.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import pymupdf

from tests.pdfs.papers import Draft, Section, pdf_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Abroad:
    """A paper, and for each field that it reports a piece of a sentence that tells it (``a|b``: either)."""

    language: str
    draft: Draft
    tells: Mapping[str, str]

    def pdf(self) -> bytes:
        """The paper set on pages."""
        return _in_chinese(self.draft) if self.language == "zh" else pdf_bytes(self.draft)


SPANISH = Abroad(
    language="es",
    draft=Draft(
        title="Hábitos de lectura y comprensión en escuelas rurales de montaña",
        authors="Lucía Prados y Andrés Villamil",
        sections=(
            Section(
                heading="Resumen",
                paragraphs=(
                    "La lectura por placer ocupa cada vez menos tiempo fuera de la escuela. "
                    "El objetivo de este trabajo es describir la relación entre los hábitos de lectura y la "
                    "comprensión "
                    "en escuelas rurales. Se analizaron las respuestas de 412 estudiantes de nueve escuelas. "
                    "Los resultados muestran que quienes leen a diario obtienen puntuaciones más altas en comprensión.",
                ),
            ),
            Section(
                heading="1. Introducción",
                paragraphs=(
                    "Diversos estudios han señalado que la lectura frecuente favorece el vocabulario (Ortega, 2015). "
                    "Sin embargo, son escasos los estudios que se ocupan de las escuelas de montaña. "
                    "Las bibliotecas escolares abren pocas horas a la semana.",
                ),
            ),
            Section(
                heading="2. Metodología",
                paragraphs=(
                    "Se realizó un estudio transversal mediante un cuestionario de elaboración propia. "
                    "La muestra estuvo compuesta por 412 estudiantes de sexto curso. "
                    "Los cuestionarios se aplicaron en el aula durante 45 minutos por un docente ajeno al grupo. "
                    "La comprensión se midió con el índice de comprensión lectora, de 0 a 100 puntos.",
                ),
            ),
            Section(
                heading="3. Resultados y discusión",
                paragraphs=(
                    "El 38 % de los estudiantes lee todos los días. "
                    "Encontramos una diferencia de 12 puntos a favor de quienes leen a diario. "
                    "El interés de las familias no guarda relación con la edad.",
                ),
            ),
            Section(
                heading="4. Conclusiones",
                paragraphs=(
                    "Una limitación de este estudio es que todas las escuelas pertenecen a una sola comarca. "
                    "Futuras investigaciones deberían seguir a los mismos estudiantes durante varios cursos.",
                ),
            ),
        ),
    ),
    tells={
        "Dataset": "412 estudiantes",
        "Size": "412",
        "Method or architecture": "estudio transversal|cuestionario",
        "Training or procedure": "45 minutos",
        "Metrics": "índice de comprensión",
        "Main results": "12 puntos|puntuaciones más altas",
        "Limitations": "una sola comarca",
        "Future work": "varios cursos",
    },
)

FRENCH = Abroad(
    language="fr",
    draft=Draft(
        title="Effets du paillage sur la croissance de jeunes pommiers",
        authors="Camille Rousselin et Hugo Tessandier",
        sections=(
            Section(
                heading="Résumé",
                paragraphs=(
                    "Le paillage limite l'évaporation, mais ses effets sur les jeunes vergers restent mal connus. "
                    "Nous étudions la croissance de pommiers plantés avec et sans paillage de bois. "
                    "Nous montrons que le paillage augmente de 21 % la croissance annuelle des troncs.",
                ),
            ),
            Section(
                heading="Introduction",
                paragraphs=(
                    "Les étés secs deviennent plus fréquents dans la vallée. "
                    "Plusieurs travaux ont porté sur la vigne (Morel, 2012). "
                    "Peu d'études concernent les vergers de moins de cinq ans.",
                ),
            ),
            Section(
                heading="Matériel et méthodes",
                paragraphs=(
                    "L'essai a été mené selon un dispositif en blocs complets sur deux parcelles voisines. "
                    "Au total, 180 arbres ont été suivis de 2018 à 2021. "
                    "Les données proviennent de relevés mensuels effectués dans les deux vergers. "
                    "Les arbres ont été arrosés deux fois par semaine pendant six semaines après la plantation. "
                    "Les moyennes ont été comparées par une analyse de variance avec un intervalle de confiance de "
                    "95 %.",
                ),
            ),
            Section(
                heading="Résultats",
                paragraphs=(
                    "Les arbres paillés atteignent un diamètre supérieur dès la deuxième année. "
                    "Le sol nu se réchauffe plus vite au printemps.",
                ),
            ),
            Section(
                heading="Discussion et conclusion",
                paragraphs=(
                    "Notre étude présente des limites : elle ne porte que sur une seule variété. "
                    "À l'avenir, des recherches ultérieures devront préciser l'effet du paillage sur la récolte.",
                ),
            ),
        ),
    ),
    tells={
        "Dataset": "relevés mensuels|180 arbres",
        "Size": "180",
        "Method or architecture": "blocs complets|analyse de variance|croissance de pommiers",
        "Training or procedure": "six semaines",
        "Metrics": "intervalle de confiance",
        "Main results": "21 %|diamètre supérieur",
        "Limitations": "une seule variété",
        "Future work": "recherches ultérieures",
    },
)

GERMAN = Abroad(
    language="de",
    draft=Draft(
        title="Lärm in Großraumbüros und die Dauer von Leseaufgaben",
        authors="Jutta Wernicke und Paul Osterhoff",
        sections=(
            Section(
                heading="Zusammenfassung",
                paragraphs=(
                    "In Großraumbüros wird oft über Lärm geklagt. "
                    "Wir untersuchen, ob Gespräche im Hintergrund das Lesen verlangsamen. "
                    "Die Ergebnisse zeigen, dass Leseaufgaben bei Gesprächen um 17 % länger dauern.",
                ),
            ),
            Section(
                heading="1 Einleitung",
                paragraphs=(
                    "Frühere Studien befassten sich vor allem mit Musik (Brandt, 2011). "
                    "Bislang ist kaum bekannt, wie sich Gespräche auf das Lesen auswirken.",
                ),
            ),
            Section(
                heading="2 Methode",
                paragraphs=(
                    "Es wurde ein Laborexperiment mit Messwiederholung durchgeführt. "
                    "An der Untersuchung nahmen insgesamt 96 Personen teil. "
                    "Die Teilnehmenden wurden über Aushänge in drei Betrieben gewonnen. "
                    "Jede Person wurde zehn Minuten lang eingewiesen und las dann vier Texte in zufälliger "
                    "Reihenfolge. "
                    "Die Lesedauer wurde in Sekunden gemessen und mit einer Varianzanalyse geprüft.",
                ),
            ),
            Section(
                heading="3 Ergebnisse",
                paragraphs=(
                    "Ohne Gespräche lasen die Befragten einen Text in 212 Sekunden. "
                    "Mit Gesprächen stieg die Lesedauer signifikant auf 248 Sekunden.",
                ),
            ),
            Section(
                heading="4 Diskussion",
                paragraphs=(
                    "Einschränkend ist zu sagen, dass unsere Stichprobe nur aus Büroangestellten bestand. "
                    "Weitere Untersuchungen sollten auch andere Berufe einbeziehen.",
                ),
            ),
        ),
    ),
    tells={
        "Dataset": "drei Betrieben|96 Personen",
        "Size": "96",
        "Method or architecture": "Laborexperiment|Messwiederholung|Hintergrund",
        "Training or procedure": "eingewiesen",
        "Metrics": "Varianzanalyse",
        "Main results": "17 %|248 Sekunden",
        "Limitations": "Büroangestellten",
        "Future work": "andere Berufe",
    },
)

PORTUGUESE = Abroad(
    language="pt",
    draft=Draft(
        title="Qualidade do sono de enfermeiros em turnos noturnos",
        authors="Beatriz Nogueira e Caio Fontes",
        sections=(
            Section(
                heading="Resumo",
                paragraphs=(
                    "O trabalho noturno altera o ritmo do corpo. "
                    "Este estudo analisa a qualidade do sono de enfermeiros de dois hospitais. "
                    "Verificou-se que 64% dos enfermeiros noturnos dormem mal, contra 29% dos diurnos.",
                ),
            ),
            Section(
                heading="Introdução",
                paragraphs=(
                    "Estudos anteriores trataram de motoristas (Lima, 2014). "
                    "No entanto, há poucos estudos sobre hospitais pequenos.",
                ),
            ),
            Section(
                heading="Métodos",
                paragraphs=(
                    "Trata-se de um estudo transversal, em que foi aplicado um questionário anônimo. "
                    "Participaram 138 enfermeiros, selecionados por sorteio nos dois hospitais. "
                    "Os dados foram coletados entre março e junho de 2019. "
                    "O questionário foi respondido durante 20 minutos antes do início do turno. "
                    "O sono foi avaliado pelo índice de qualidade do sono, com pontuação de 0 a 21.",
                ),
            ),
            Section(
                heading="Resultados",
                paragraphs=(
                    "Os enfermeiros noturnos obtiveram pontuação média maior do que os diurnos. "
                    "A idade não variou entre os grupos.",
                ),
            ),
            Section(
                heading="Considerações finais",
                paragraphs=(
                    "Este estudo tem limitações, pois o sono foi relatado pelos próprios enfermeiros. "
                    "Pesquisas futuras devem medir o sono com aparelhos.",
                ),
            ),
        ),
    ),
    tells={
        "Dataset": "138 enfermeiros|dados foram coletados",
        "Size": "138",
        "Method or architecture": "estudo transversal|questionário",
        "Training or procedure": "20 minutos|sorteio",
        "Metrics": "índice de qualidade",
        "Main results": "64%|pontuação média maior",
        "Limitations": "relatado pelos próprios",
        "Future work": "com aparelhos",
    },
)

ITALIAN = Abroad(
    language="it",
    draft=Draft(
        title="La raccolta differenziata nei piccoli comuni di costa",
        authors="Marta Ghislanzoni e Elio Ravasi",
        sections=(
            Section(
                heading="Sommario",
                paragraphs=(
                    "I piccoli comuni di costa producono molti rifiuti in estate. "
                    "In questo articolo analizziamo la raccolta differenziata prima e dopo una nuova tariffa. "
                    "I risultati mostrano che la quota differenziata è aumentata dal 41% al 58%.",
                ),
            ),
            Section(
                heading="1. Introduzione",
                paragraphs=(
                    "Studi precedenti riguardano le grandi città (Bassi, 2010). "
                    "Pochi studi si occupano dei comuni con meno di duemila abitanti.",
                ),
            ),
            Section(
                heading="2. Metodi",
                paragraphs=(
                    "I dati sono stati raccolti dai registri annuali dei comuni. "
                    "Il campione è costituito da 53 comuni con dati completi. "
                    "È stato stimato un modello di regressione lineare con effetti fissi. "
                    "I registri sono stati controllati due volte e corretti per tre settimane. "
                    "La qualità del modello è stata valutata con il coefficiente e gli intervalli di confidenza.",
                ),
            ),
            Section(
                heading="3. Risultati",
                paragraphs=(
                    "La quota è maggiore nei comuni con una tariffa unica. Il numero dei turisti non è cambiato.",
                ),
            ),
            Section(
                heading="4. Conclusioni",
                paragraphs=(
                    "Un limite del nostro studio è la mancanza di dati sui turisti. "
                    "In futuro le ricerche dovrebbero considerare anche il costo per le famiglie.",
                ),
            ),
        ),
    ),
    tells={
        "Dataset": "registri annuali|53 comuni",
        "Size": "53",
        "Method or architecture": "regressione lineare|raccolta differenziata",
        "Training or procedure": "tre settimane",
        "Metrics": "intervalli di confidenza",
        "Main results": "41%|maggiore",
        "Limitations": "turisti",
        "Future work": "costo per le famiglie",
    },
)

CHINESE = Abroad(
    language="zh",
    draft=Draft(
        title="城市公园步道夜间照明对散步时间的影响",
        authors="林若溪 周以安",
        sections=(
            Section(
                heading="摘要",
                paragraphs=(
                    "夜间照明不足会减少居民在公园散步的时间。本文研究了步道照明与居民散步时间之间的关系。"
                    "结果表明，照明改善后居民的平均散步时间增加了十八分钟。",
                ),
            ),
            Section(
                heading="1 引言",
                paragraphs=("近年来，城市公园的使用受到广泛关注。然而，关于夜间照明的研究仍然较少。",),
            ),
            Section(
                heading="2 数据与方法",
                paragraphs=(
                    "数据来自三座城市公园的问卷调查。共调查了 326 名居民，回收有效问卷 301 份。"
                    "本文采用线性回归模型分析照明强度与散步时间的关系。"
                    "调查员在每晚七点到九点之间发放问卷，每次持续 120 分钟。"
                    "模型的拟合程度用均方误差指标来评价。",
                ),
            ),
            Section(
                heading="3 结果与分析",
                paragraphs=("照明强度越高，散步时间越长，两者显著相关。女性居民的散步时间增加得更多。",),
            ),
            Section(
                heading="4 结论",
                paragraphs=("本研究的局限在于只调查了夏季的三座公园。今后的研究需要考虑冬季的情况。",),
            ),
        ),
    ),
    tells={
        "Dataset": "问卷调查|326|301",
        "Size": "326|301",
        "Method or architecture": "线性回归",
        "Training or procedure": "120",
        "Metrics": "均方误差",
        "Main results": "十八分钟|显著相关",
        "Limitations": "夏季",
        "Future work": "冬季",
    },
)

ALL = (SPANISH, FRENCH, GERMAN, PORTUGUESE, ITALIAN, CHINESE)


def _in_chinese(draft: Draft) -> bytes:
    document = pymupdf.open()
    page = document.new_page()
    pieces = [(draft.title, 18.0), (draft.authors, 11.0)]
    for section in draft.sections:
        pieces += [(section.heading, 14.0), *((text, 10.5) for text in section.paragraphs)]
    at = 70.0
    for text, size in pieces:
        room = pymupdf.Rect(72, at, 523, 800)
        left = page.insert_textbox(room, text, fontname="china-s", fontsize=size, lineheight=1.5)
        at += room.height - left + 10
    document.subset_fonts()
    return bytes(document.tobytes())
