"""Words by which authors write what they did in Spanish, Portuguese, French, Italian, German and Chinese.

Patterns for ``tongues``, apart from it because who mends a list of words knows one language. Languages follow each
other in that order, a line or two each as far as they have words of their own; Chinese stands last. Words are cut to
what all their forms share, but where English has a word that looks alike and says something else, the forms are
written out.
"""


def own(words: str, unspaced: str) -> str:
    """A pattern of words between spaces, and of words of a writing without them."""
    lines = [line.strip() for line in words.split("\n") if line.strip()]
    return rf"\b(?:{'|'.join(lines)})\b|{unspaced}"


OURS = own(
    r"""
    nuestr[oa]s?|(?:este|el presente) (?:artículo|trabajo|estudio|ensayo)
    (?:esta|la presente) (?:investigación|revisión)
    noss[oa]s?|(?:n?este|o presente) (?:artigo|trabalho|estudo)|(?:n?esta|a presente) (?:pesquisa|investigação|revisão)
    nous|notre|nos|(?:cet|le présent) article|(?:cette|la présente) (?:étude|recherche|enquête)|ce travail
    nostr[oaie]|(?:questo|il presente) (?:articolo|studio|lavoro)|(?:questa|la presente) (?:ricerca|indagine)
    wir|unser\w*|(?:diese[rsmn]?|vorliegende[rnms]?) (?:arbeit|studie|untersuchung|beitrag|artikel|aufsatz)
    (?!extremos|reclamos|supremos)[a-zñç]{3,}(?:amos|emos|imos)|hemos|temos|[a-z]{3,}iamo|abbiamo
    """,
    "本文|本研究|本论文|本論文|我们|我們|笔者",
)
"""Whose work it is; the languages of Rome leave "we" to the end of the verb."""
DATA = own(
    r"""
    muestras?|encuestas?|datos|participantes|pacientes|sujetos|encuestad[oa]s|cuestionarios?|entrevistas?|registros
    amostras?|dados|inquiridos|questionários?|voluntári[oa]s|prontuários
    données|échantillons?|participants|enquêtes?|questionnaires?|entretiens|registres?|cohorte|relevés
    dati|campion[ei]|partecipanti|pazienti|questionari|interviste|coorte|rilevazioni
    \w*daten(?:satz|bank)?|stichproben?|\w*teilnehme\w+|patient\w*|proband\w*|befragte\w*|fragebögen|korpus|\w*proben
    """,
    "数据|數據|资料|資料|样本|樣本|样品|患者|病例|受试者|参与者|问卷|語料|语料|调查对象|研究对象",
)
THINGS = own(
    r"""
    empresas|estudiantes|hogares|personas|artículos|documentos|plantas|semillas|hojas|escuelas
    municípios|empresas|estudantes|domicílios|pessoas|artigos|sementes|folhas|escolas
    communes|entreprises|étudiants|ménages|personnes|articles|plantes|graines|feuilles|écoles|élèves
    comuni|imprese|studenti|famiglie|persone|articoli|piante|semi|foglie|scuole
    gemeinden|unternehmen|studierende\w*|haushalte|personen|artikel|dokumente|pflanzen|samen|blätter|schulen|schüler\w*
    """,
    "学生|企业|农户|家庭|居民|论文|文献|植株|种子|叶片|学校",
)
GOT = own(
    r"""
    se (?:utiliz|us|analiz|recog|recopil|recolect|obtuv|seleccion|encuest|entrevist|estudi|inclu|tom|reclut|exam)\w+
    (?:fue|fueron|ha sido|han sido|foi|foram) \w+(?:ad|id|íd|t)[oa]s?|compuest[oa]s? por|conformad[oa]s? por|provien\w+
    (?:utiliz|analiz|recog|recopil|recolect|seleccion|encuest|entrevist|estudi|examin|colet|recolh|analis)\w*(?:mos|ram)
    (?:a|ont) (?:été|utilisé|analysé|recueilli|étudié|interrogé)\w*|avons \w+|provien\w+|se compos\w+|comprend
    (?:è|sono) stat[oaie] \w+|abbiamo \w+|proveng\w+|compost[oa] da|comprende
    wurden?|werden|haben wir|wir haben|stammen|umfass(?:t|en|te)|best(?:eht|anden|and) aus|verwende\w*
    """,
    "采用|使用|利用|收集|选取|选择|纳入|来自|来源于|调查了|采集|抽取|分析了|選取|蒐集",
)
COUNTED = (
    r"\b(?!(?:19|20)\d\d\b)\d[\d.,]*(?:[\s\u00a0]\d{3})*[\s\u00a0](?:[^\s\d.;%]+ ){0,3}?(?:"
    r"encuestas|personas|pacientes|estudiantes|participantes|muestras|empresas|artículos"
    r"|hogares|casos|mujeres|hombres|niñ[oa]s|docentes|plantas|entrevistas|cuestionarios|registros|parcelas|animales"
    r"|municípios|pessoas|amostras|artigos|mulheres|homens|crianças|questionários|domicílios|estudantes"
    r"|personnes|échantillons|entreprises|ménages|communes|femmes|hommes|enfants|élèves|étudiants|entretiens|plantes"
    r"|arbres|employés|infirmi\w+|médecins|enseignants|trabajadores|profesores|árboles|enfermer[oa]s|médicos"
    r"|trabalhadores"
    r"|professores|enfermeir[oa]s|árvores|lavoratori|insegnanti|alberi|beschäftigte\w*|lehrkräfte|bäume\w*"
    r"|parcelles|animaux|persone|campioni|imprese|famiglie|comuni|donne|uomini|bambini|studenti|interviste|piante"
    r"|pazienti|partecipanti|questionari|\w*proband\w*|\w*patient\w*|\w*teilnehm\w+|personen|frauen|männer|kinder"
    r"|schüler\w*|studierende\w*|befragte\w*|\w*proben|\w*unternehmen|haushalte|gemeinden|pflanzen|fälle\w*|artikel"
    r"|interviews|fragebögen|tiere|parzellen)\b"
    r"|\d[\d.,]*\s?[余多万]?\s?(?:名|例|份|位|人|个|個|条|篇|株|只|家|所|组|組|户|戶|种|件|张)"
)
TOTAL = own(
    r"""
    un total de|en total|en conjunto
    um total de|no total
    au total|un total de
    in totale|un totale di
    insgesamt|gesamtzahl
    """,
    "共计|总计|合计|共有|共纳入|共收集|共选取|共",
)
SIZED = own(
    r"""
    muestra de|conformad[oa]s? por|compuest[oa]s? por|integrad[oa]s? por|consta de|consistió en|incluy\w+
    amostra de|compost[oa] por|constituíd[oa]s? por|incluiu|incluíram|participaram
    échantillon de|compos\w+ de|constitué\w* de|comprend|comprenait|incluant|inclus|(?:ont|a) été \w+|ont participé
    campione di|compost[oa] da|costituit[oa] da|comprend(?:e|ono|eva)|includ(?:e|ono|eva)|hanno partecipato
    sono stat[ei] \w+
    stichprobe von|best\w+ aus|umfass\w+|wurden \w*|nahmen|eingeschlossen|befragt|ausgewertet
    (?:fueron|se) (?:encuest|entrevist|inclu|seleccion|analiz|recog|recopil|evalu|estudi|reclut)\w+|participaron
    """,
    "纳入|收集|选取|抽取|调查|包括|包含|由.{0,12}组成|发放|回收",
)
MEANS = own(
    r"""
    métodos?|metodolog\w+|modelos?|enfoques?|análisis|técnicas?|regresi\w+|algoritmos?|diseños?|ensayos?|pruebas?
    abordage[nm]s?|análises?|regress\w+|delineamentos?|testes?|revisão sistemática|estudos? de caso|estudios? de casos?
    méthodes?|méthodolog\w+|modèles?|approches?|analyses?|techniques?|régression\w*|algorithmes?|essais?|études? de cas
    metod[oi]|metodologi\w+|modell[oi]|approcc[io]\w*|analisi|tecnic\w+|regressione|algoritm[oi]|stud\w+ di caso
    \w*methoden?|\w*modell\w*|\w*ansatz|\w*ansätze|\w*analysen?|\w*verfahren|regression\w*|algorithm\w+|\w*versuch\w*
    entrevistas?|cuestionarios?|encuestas?|questionnaires?|entretiens|interviste|questionari\w?|\w*befragung\w*
    """,
    "方法|模型|算法|分析法|回归|框架|网络|系统|问卷|试验|实验|訪談|访谈",
)
DOES = own(
    r"""
    utiliz\w+|emple\w+|aplic\w+|propon\w+|desarroll\w+|analiz\w+|compar\w+|estim\w+|diseñ\w+|present(?:a|an|amos)
    realiz(?:a|an|ó|aron|amos)
    empreg\w+|adot\w+|prop[oõ]\w+|desenvolv\w+|analis\w+|conduz\w+
    utilis\w+|employ(?:ons|é\w*)|appliqu\w+|propos\w+|développ\w+|analys(?:ons|é\w*|ant)|présent\w+|réalis\w+|recour\w+
    utilizz\w+|adott\w+|applic(?:a|at[oaie]|hiamo)|propon\w+|svilupp\w+|analizz\w+|confrontat[oaie]|presentiamo
    verwend\w+|genutzt|nutz\w+|eingesetzt|angewend\w+|angewandt|entwick\w+|vorgeschlagen|untersuch\w+|analysier\w+
    """,
    "提出|采用|使用|利用|运用|构建|建立|设计|开发|基于|應用|应用|建構",
)
WAS_USED = own(
    r"""
    se (?:utiliz|aplic|emple|realiz|us|llev|calcul|estim|analiz|ajust|compar|consider)\w+
    (?:fue|fueron|foi|foram) (?:utiliz|aplic|emple|empreg|realiz|us|calcul|estim|analiz|analis|ajust|compar|conduz)\w+
    utiliz(?:ou-se|aram-se)|realiz(?:ou-se|aram-se)|aplic(?:ou-se|aram-se)
    (?:a|ont) été (?:utilis|réalis|appliqu|calcul|estim|analys|ajust|compar|mesur|men)\w+|avons (?:utilis|appliqu|eu)\w*
    (?:è|sono) stat[oaie] (?:utilizz|applic|effettu|condott|calcol|stim|analizz|confront|misur|svolt)\w+
    wurden?\b.{0,90}\b(?:verwendet|durchgeführt|angewend\w+|angewandt|berechnet|geschätzt|analysiert|eingesetzt|geprüft)
    wurden?\b.{0,90}\b(?:verglichen|ausgewertet|genutzt|gemessen|bestimmt|erhoben)
    """,
    "采用|使用了|进行了|运用|利用.{0,30}(?:分析|检验|估计|测定)",
)
TREATED = own(
    r"""
    se (?:realizaron|aplicaron|recogieron|calcul\w+|sembr\w+|incub\w+|midi\w+|transcri\w+|pes\w+|secaron|administr\w+)
    fueron \w+[aií]d[oa]s|foram \w+[aií]d[oa]s
    ont été \w+(?:és?|ées?|is|ies?|us?|ues?|tes?|ts?)|a été \w+(?:é|ée|i|ie|u|ue|te?)
    (?:sono|è) stat[oaie] \w+(?:at|it|ut|ss|tt|st)[oaie]
    wurden?\b.{0,90}\b(?:ge\w+[te]n?|be\w+t|er\w+[tn]|ver\w+[tn]|\w+iert|durchgeführt|(?:aus|auf|ein|an)ge\w+)
    (?:durante|während|pendant|für|per) (?:\d+|\w+) (?:min\w*|horas?|heures?|ore|stunden?|d[íi]as?|jours?|giorni|tagen?)
    (?:durante|während|pendant|für|per) (?:\d+|\w+) (?:semanas?|semaines?|settimane|wochen|meses|mois|mesi|monaten?)
    """,
    r"\d\s?(?:分钟|小时|天|周|个月|min|h)|培养|离心|烘干|播种|处理后|随机分",
)
MIXED = own(
    r"""
    (?:estudio|diseño|análisis|enfoque) (?:transversal|longitudinal|descriptivo|cualitativo|cuantitativo|mixto)
    cuasi-?experimental|aleatorizad[oa]|(?:estudo|análise) (?:transversal|longitudinal|descritiv[oa]|qualitativ[oa])
    (?:étude|enquête|analyse|approche) (?:transversale|longitudinale|descriptive|qualitative|mixte)|randomisée?s?
    (?:studio|indagine|analisi) (?:trasversale|longitudinale|descrittiv[oa]|qualitativ[oa])|randomizzat[oa]
    querschnitt\w*|längsschnitt\w*|randomisiert\w*|fallstudien?|\w*experiment(?:e|en)?|qualitative inhaltsanalyse
    """,
    "横断面|随机对照|定性|定量|案例研究|双盲|队列研究|病例对照|田野调查",
)
TRAINED = own(
    r"""
    entren(?:ó|aron|amos|ad[oa]s?|amiento)|épocas|validación cruzada
    trein(?:ado|ada|ados|adas|ou|amento)|validação cruzada
    entraîn(?:é|ée|és|ées|ement)|validation croisée
    addestra(?:t[oaie]|mento)|validazione incrociata
    trainiert|kreuzvalidierung|lernrate
    """,
    "训练|微调|学习率|交叉验证|批大小|迭代",
)
MEASURE = own(
    r"""
    índices?|indicador(?:es)?|puntuaci\w+|exactitud|precisión|desviación (?:estándar|típica)|nivel de significación
    chi-?cuadrado
    indicadores|pontuaç\w+|acurácia|precisão|desvio[- ]padrão|qui-?quadrado|teste t
    indicateurs?|précision|écarts?[- ]types?|intervalles? de confiance|khi-?deux|test t|taux d['’]erreur
    indicator[ei]|accuratezza|precisione|deviazione standard|intervall[oi] di confidenza|chi-?quadr\w+|punteggi\w?
    genauigkeit|trefferquote|standardabweichung\w*|konfidenzintervall\w*|signifikanzniveau|t-test|kennzahl\w*
    varianzanalyse
    prueba t|intervalos? de confianza|coeficientes? de correlación|correlación de pearson|korrelationskoeffizient\w*
    """,
    "准确率|精确率|召回率|指标|标准差|置信区间|显著性|相关系数|得分|评分|方差分析|误差|t检验|卡方",
)
MEASURED = own(
    r"""
    mid(?:e|en|ió|ieron|iendo)|medid\w+|evalu\w+|calcul\w+|compar\w+|se (?:utiliz|us)\w+
    mediu\w*|avali\w+|calcul\w+|foram (?:utiliz|compar)\w+
    mesur\w+|évalu\w+|compar\w+|(?:a|ont) été (?:utilis|calcul|compar)\w+
    misur\w+|valutat\w+|calcol\w+|confrontat\w+
    gemessen|bewertet|berechnet|verglichen|geprüft|bestimmt|beurteilt|erfasst
    """,
    "测量|评估|评价|计算|衡量|比较|检验|测定",
)
FOUND = own(
    r"""
    muestra[n]?|mostr\w+|encontr\w+|observ(?:a|an|ó|aron|amos)|evidenci\w+|indic(?:a|an|ó|aron)|conclu[iyí]\w*
    revel(?:a|an|ó|aron)|demuestr\w+|demostr\w+|obtuv\w+
    encontr\w+|demonstr\w+|verific\w+|constat\w+|sugere\w*|suger\w+|sugier\w+
    montr\w+|révèl\w+|indiqu\w+|observ(?:ons|é\w*)|constat\w+|suggèr\w+|démontr\w+|mettent en évidence|concluons|ressort
    mostra\w*|rivel\w+|indica(?:no)?|osserv\w+|evidenzia\w*|suggeri\w+|dimostr\w+|emerge
    zeig\w+|gezeigt|erg(?:ab|aben|ibt|eben)|fand(?:en)?|gefunden|deut\w+ darauf hin|belegen|nachgewiesen|beobachtet
    """,
    "表明|发现|显示|证明|得出|結果顯示|揭示|說明|说明",
)
CHANGED = own(
    r"""
    mayor(?:es)?|menor(?:es)?|mejor(?:es|a|ó|aron)?|aument\w+|dismin\w+|reduj\w+|increment(?:ó|aron)|significativ\w+
    super(?:a|ó|ior)
    maior(?:es)?|melhor\w*|reduz\w+|elevou|elevad[oa]s?|diminu\w+
    meilleure?s?|supérieure?s?|inférieure?s?|augment(?:e|ent|é|ée|ait)|diminu\w+|réduit\w*|significati\w+|baiss\w+
    maggior[ei]|minor[ei]|miglior[ei]|aumenta\w*|diminu\w+|ridott\w+|ridu\w+|significativ\w+
    höher\w*|niedriger\w*|größer\w*|kleiner\w*|besser\w*|gestiegen|gesunken|erhöh\w+|verringer\w+|sank|stieg
    signifikant\w*
    """,
    "显著|提高|降低|高于|低于|优于|增加|减少|上升|下降|改善|提升",
)
LIMIT = own(
    r"""
    limitaci(?:ón|ones)|debilidad(?:es)?|con cautela
    no (?:se )?(?:es|son|pued\w+|permit\w+) (?:\w+ ){0,2}(?:generaliz|extrapol|infer)\w+
    limitaç(?:ão|ões)|com cautela|fragilidades?
    limites?|biais|avec prudence|ne (?:permet|permettent|peut|peuvent) pas|faible taille
    limit[ei]|limitazion[ei]|con cautela|distorsion[ei]
    einschränkung\w*|limitation\w*|eingeschränkt\w*|einschränkend|schwäch\w+|mit vorsicht|nicht verallgemeiner\w+
    """,
    "局限|不足之处|存在不足|样本量较小|限制",
)
DID_NOT = own(
    r"""
    no (?:se )?(?:pud|consider|inclu|evalu|analiz|midi|cont)\w+
    não (?:foi|foram|se|pôde|consider|inclu|avali)\w*
    n['’](?:a|ont|avons) pas|ne (?:tient|prend|prennent) pas
    non (?:è|sono|ha|hanno|abbiamo) (?:stat|potut|consider|inclus)\w*
    (?:konnten?|wurden?) (?:\w+ ){0,3}nicht|nicht (?:berücksichtigt|untersucht|erhoben|erfasst)
    """,
    "未考虑|未能|没有考虑|未涉及|未纳入",
)
FUTURE = own(
    r"""
    (?:trabajos?|estudios?|investigaciones|líneas) futur[oa]s?|futur[oa]s? (?:investigaci|estudio|trabajo|línea)\w*
    (?:trabalhos?|estudos?|pesquisas?) futur[oa]s?|futur[oa]s? (?:pesquisas|estudos|trabalhos)|novos estudos
    em trabalhos futuros
    (?:travaux|recherches|études) (?:futur\w*|ultérieur\w*|à venir)|de futures (?:recherches|études)|à l['’]avenir
    (?:ricerche|studi|lavori) futur[ei]|futur[ei] (?:ricerche|studi|lavori|sviluppi)|in futuro
    zukünftige\w*|künftige\w*|in zukunft|weitere (?:forschung\w*|studien|untersuchungen|arbeiten)
    """,
    "未来(?:的)?(?:研究|工作|可|将|需)|今后|下一步|进一步研究|有待",
)
INTENDS = own(
    r"""
    (?:pretende|prevé|planea|propone)mos
    (?:pretende|planeja)mos
    nous (?:prévoyons|envisageons|comptons|souhaitons|prévoyons)
    (?:intendiamo|prevediamo|contiamo di)
    (?:wollen|werden|planen|beabsichtigen) wir|wir (?:wollen|werden|planen|beabsichtigen)
    """,
    "我们将|本文将|计划",
)
LACKING = own(
    r"""
    falta de|escas\w+|carencia|problemática|poc[oa]s? (?:estudios|trabajos|investigaciones)|se desconoce|desafíos?
    retos?
    car[êe]ncia|pouc[oa]s? (?:estudos|trabalhos|pesquisas)|lacuna|desafios?
    manque de|peu (?:d['’]études|de travaux|étudié\w*)|mal connu\w*|lacunes?|défis?|difficultés?
    mancanza di|poch[ei] (?:studi|ricerche)|lacun[ae]|poco (?:studiat|not)\w+|sfid[ae]
    mangel an|fehl(?:t|en)|kaum (?:untersucht|bekannt|erforscht)|wenig bekannt|forschungslücke|unklar|bislang nicht
    herausforder\w+
    """,
    "缺乏|不足|较少|空白|挑战|尚不|难以|鲜有|很少",
)
CONTRAST = (
    r"^(?:sin embargo|no obstante|pero|aunque|porém|no entanto|contudo|cependant|toutefois|mais|pourtant|tuttavia|però"
    r"|jedoch|allerdings|dennoch|aber|obwohl)\b|^(?:然而|但是|但|尽管)"
)
OFFERS = own(
    r"""
    propon\w+|present(?:a|amos|an)|analiz(?:a|amos|an)|estudi(?:a|amos|an)|examin(?:a|amos)|aport\w+|ofrec\w+
    desarroll(?:a|amos)
    prop[oõ]e\w*|apresent\w+|analis(?:a|amos)|estud(?:a|amos)|desenvolv(?:e|emos)|busc(?:a|amos)
    propos(?:e|ons|ent)|présent(?:e|ons|ent)|analys(?:e|ons)|étudi(?:e|ons)|examin(?:e|ons)|montr(?:e|ons)|vise à
    propon(?:e|iamo)|present(?:a|iamo)|analizz(?:a|iamo)|studi(?:a|amo)|esamin(?:a|iamo)|intende
    untersuch(?:t|en)|vorgestellt|stell(?:t|en)|präsentier(?:t|en)|analysier(?:t|en)|entwickel(?:t|n)|schlagen
    """,
    "提出|构建|分析|探讨|研究了|考察|设计|介绍",
)
AIM = own(
    r"""
    (?:el|nuestro|su) (?:objetivo|propósito|fin)|(?:tiene|tuvo) (?:como|por) (?:objetivo|objeto|finalidad)
    o objetivo|(?:tem|teve) (?:como|por) objetivo|objetiv(?:a|ou)
    l['’]objectif|(?:a|avait) pour (?:objectif|but|objet)|le but
    l['’]obiettivo|(?:ha|aveva) (?:come|l['’])\s?obiettivo|lo scopo
    ziel (?:dieser|der|des|ist|war|unserer)|(?:verfolgt|hat) das ziel|zielsetzung
    """,
    "目的(?:是|在于)|旨在|本文研究",
)
ARGUES = own(
    r"""
    sosten\w+|sostien\w+|argument(?:a|an|amos)|conclu[iyí]\w*|consider\w+ que|defend\w+|recomiend\w+|recomend\w+
    sugier\w+|deb(?:e|en|ería\w*)
    sustent\w+|defend\w+|dev(?:e|em|eria\w*)|recomend\w+
    soutien\w+|soutenons|défend\w+|concluons|recommand\w+|doi(?:t|vent)|devr\w+
    argoment\w+|concludiamo|raccomand\w+|dev(?:e|ono)|dovrebb\w+
    argumentier\w+|vertreten|schließen|schlussfolger\w+|empfehlen|empfiehlt|soll(?:te|ten|en)?|müssen|plädier\w+
    """,
    "认为|主张|建议|应当|应该|必须",
)
MATTERS = own(
    r"""
    importantes?|relevantes?|fundamental(?:es)?|crecient\w+|clave|esencial(?:es)?|principales
    crescente\w*|essencia(?:l|is)|principais
    important\w*|essentiel\w*|croissante?s?|majeur\w*|crucia\w+|principaux
    important[ei]|fondamental[ei]|crescent[ei]|essenzial[ei]|principali
    wichtig\w*|bedeut(?:end|sam)\w*|zunehmend\w*|zentral\w*|wesentlich\w*|weit verbreitet\w*
    """,
    "重要|关键|日益|广泛|主要|核心",
)
STATISTIC = own(
    r"""
    análisis estadístico|prueba (?:t|de)|regresión (?:lineal|logística|múltiple)|chi-?cuadrado
    análisis de (?:la )?varianza|anova
    análise (?:estatística|de variância)|teste (?:t|de)|regressão (?:linear|logística|múltipla)|qui-?quadrado
    analyse (?:statistique|de (?:la )?variance)|test (?:t|de)|régression (?:linéaire|logistique|multiple)|khi-?deux
    analisi (?:statistica|della varianza)|test t|regressione (?:lineare|logistica|multipla)|chi-?quadr\w+
    statistische \w+|varianzanalyse|t-test|(?:lineare|logistische|multiple) regression\w*|chi-quadrat\w*
    signifikanzniveau
    """,
    "统计分析|方差分析|t检验|卡方检验|回归分析|显著性|SPSS",
)
POINTS = (
    r"^(?:cuadro|tabla|gráfico|figura|tabela|quadro|tableau|graphique|tabella|grafico|tabelle|abbildung|abb\."
    r"|tab\.)\s?\d"
    r"|^[表图圖]\s?\d|\b(?:véase|veja|voir|vedi|siehe|cf\.)\b|\bse (?:organiza|estructura) (?:como|de la siguiente)\b"
    r"|\b(?:est|sont) (?:organisée?s?|structurée?s?) comme suit\b|\bist wie folgt (?:aufgebau|geglieder)t\b"
    r"|(?:如下|下文|见表|见图|如[表图])"
)
OTHERS = own(
    r"""
    (?:estudios|trabajos|investigaciones) (?:previ|anterior|reciente)\w+
    (?:diversos|varios|otros|algunos) (?:estudios|autores|trabajos)
    (?:estudos|trabalhos|pesquisas) (?:prévi|anterior|recente)\w+
    (?:diversos|vários|outros|alguns) (?:estudos|autores|trabalhos)
    (?:études|travaux|recherches) (?:antérieur|précédent|récent)\w+
    (?:plusieurs|certains|d['’]autres) (?:études|auteurs|travaux)
    (?:studi|lavori|ricerche) (?:precedent|recent|anterior)\w+|(?:diversi|alcuni|altri) (?:studi|autori|lavori)
    (?:frühere|bisherige|andere|mehrere|einige|neuere) (?:studien|arbeiten|untersuchungen|autoren)
    """,
    "已有研究|前人|以往研究|等人|学者",
)
