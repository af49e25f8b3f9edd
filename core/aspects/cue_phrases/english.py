"""Words by which authors of any field say what they did: one pattern a sign, in the languages of most papers.

They live apart from ``aspects`` because several aspects read the same sign, and because a list of words is read
and mended otherwise than the weights put on it.
"""

import re


def _sign(*pieces: str) -> re.Pattern[str]:
    return re.compile("|".join(pieces), re.IGNORECASE)


OURS = _sign(
    r"\b(?:we|our|ours|us|my|(?-i:I))\b",
    r"\b(?:this|the present|the current) (?:paper|study|work|article|research|essay|review|report|survey|trial|thesis"
    r"|experiment|analysis|investigation|manuscript|approach|system)\b",
    r"\b(?:the|these|present) (?:results|findings|data|analyses|experiments)\b",
    r"\b(?:in|within|for) (?:this|the present) (?:paper|study|work|article|research|survey)\b",
    r"\b(?:used|selected|included|sampled|recruited|chosen|collected|analy[sz]ed) (?:for"
    r"|in) the (?:present )?(?:study|trial|survey"
    r"|experiments?|analysis)\b",
    r"\bit (?:was|is) (?:shown|found|observed) in this\b|\bthe (?:proposed|developed) \w+",
    r"\b(?:nosotros|nuestr[oa]s?|(?:este|presente) (?:artículo|trabajo|estudio)|(?:esta|presente) investigación)\b",
    r"\b(?:wir|unsere[rnms]?|(?:diese|vorliegende) (?:arbeit|studie|untersuchung))\b",
    r"\b(?:nous|notre|nos|(?:cet|cette|présente?) (?:article|étude|recherche))\b",
    r"\b(?:nosso|nossa|(?:este|presente) (?:artigo|estudo))\b|本文|本研究|我们|我們",
)
OTHERS = _sign(
    r"\bet al\b",
    r"\((?:[A-Z][^()]{1,80}?,?\s)?(?:19|20)\d\d[a-z]?(?:[;,][^()]*)?\)",
    r"\[\d+(?:\s?[,;–-]\s?\d+)*\]",
    r"\b(?:previous|prior|earlier|recent|other|existing|several|many|most|some) (?:studies|study|works?|research"
    r"|reports?"
    r"|authors|papers|methods|approaches|corpora|datasets|findings|results|literature|experiments)\b",
)
DIGIT = re.compile(r"\d")
POINTS = _sign(
    r"\bto (?:the best of )?our knowledge\b|\bthere (?:is|are|were) (?:very )?(?:few|no|little|only a few)\b",
    r"§\s?\d|\((?:see )?section \d|^in (?:this|the (?:following|next)) (?:sub)?section\b",
    r"^(?:table|figure|fig\.?|graph)\s?\w+\s?[.:]|^(?:further|moreover|in addition),? (?:we|it) (?:find|show|found"
    r"|is)\b",
    r"\bwe (?:define|refer to|call|denote|use the term|hope|plan|intend|will|would|believe)\b",
    r"^(?:see|for details|details|a (?:full|complete) (?:list|description))\b",
    r"\b(?:is|are) (?:organi[sz]ed|structured) as follows\b|\bthe (?:rest|remainder) of (?:this|the) (?:paper"
    r"|article)\b",
    r"\b(?:in|see) (?:section|§)\s?\d.{0,40}\bwe (?:describe|discuss|present|review)\b",
    r"\b(?:next|below|in (?:this|the (?:next|following)) (?:sub)?sections?"
    r"|in what follows),? we (?:\w+ )?(?:provide|describe"
    r"|outline|discuss|explain|present|give|introduce|review|summari[sz]e)\b|\bmore details? (?:about|on|of)\b",
    r"^(?:the|these|our) (?:results?|findings)\b|^(?:as|once|see) .{0,40}\b(?:above|below|section|appendix)\b",
)
DATA = _sign(
    r"\b(?:data ?sets?|corpus|corpora|cohorts?|databases?|samples?|participants|respondents|patients|subjects"
    r"|volunteers"
    r"|specimens?|surveys?|interviewees|registers?|registry|archives?|recordings"
    r"|questionnaires?"
    r"|(?:panel|survey|census|time series|training|test|benchmark|observational|cross-section\w*|electronic) data"
    r"|data (?:were|was|from|of|on|come|came|collected|used|set)|benchmarks?|observations (?:of"
    r"|from))\b",
    r"\b(?:muestra|encuestas?|datos|stichprobe|daten(?:satz)?|données|échantillon|amostra|dados)\b|数据|样本",
)
"""What data are called."""
NAMED = re.compile(r"(?<=[\s(])(?:[A-Z][a-z]*[A-Z\d][\w-]*|[A-Z]{2,}[\w-]*)")
"""A name such as those of data sets and instruments: capitals or digits after the first letter."""
THINGS = _sign(
    r"\b(?:documents|articles|publications|papers|notes|records|images|photographs|varieties"
    r"|isolates"
    r"|strains|cell lines?|mice|rats|animals|plants?|leaves|leaf|seeds|tissues?|blood|soils?|households|schools"
    r"|students"
    r"|firms|companies|posts|reagents?|extracts?|materials?|staff"
    r"|children|adults|women|men|people|estudiantes"
    r"|unternehmen)\b",
)
"""What may be data, where somebody gets it."""
GOT = _sign(
    r"\b(?:we|the authors|this (?:paper|study|work|article)) (?:\w+ )?(?:use[ds]?|analy[sz]ed?|collect(?:ed)?"
    r"|obtain(?:ed)?"
    r"|introduced?|releas(?:e|ed)|rely|relied|dr[ae]w|select(?:ed)?|consider(?:ed)?|evaluated?|experiment(?:ed)?"
    r"|examined?"
    r"|sampl(?:e|ed)|recruit(?:ed)?|survey(?:ed)?|interview(?:ed)?|gather(?:ed)?|compil(?:e|ed)|constructed?|built"
    r"|annotated"
    r"|appl(?:y|ied)|stud(?:y|ied)|monitor(?:ed)?|observe[ds]?|develop(?:ed)?|test(?:ed)?|train(?:ed)?)\b",
    r"\b(?:was|were|is|are|been|being) (?:\w+ )?(?:collected|obtained|selected|drawn|retrieved|recruited|sampled"
    r"|downloaded|extracted|gathered|purchased|grown|taken|acquired|derived|constructed|compiled|provided|surveyed"
    r"|interviewed|observed|used|enrolled|included|harvested|identified|available|based on|studied"
    r"|analy[sz]ed)\b",
    r"\b(?:consists?|comprises?|contains?|composed|made up|sources?:)\b",
    r"\b(?:se (?:utiliz|analiz|recog|obtuv|seleccion)\w+|fueron|wurden?|a été|ont été|foram)\b|采用|使用",
)
_GOTTEN = (
    r"used|using|analy[sz]ed|analy[sz]ing|collected|collecting|obtained|sampled|recruited|surveyed|interviewed"
    r"|interviews with|gathered|compiled|annotated|studied|observed|selected|monitored|processed|reviewed"
)
_GET = (
    r"use|analy[sz]e|collect|introduce|release|sample|survey|study|observe|select|train|process|review|consider|present"
    r"|build|construct|create|develop|evaluate|experiment|rely|relied|employ|investigate|examine|conduct|perform|draw|drew"
    r"|obtain|gather|recruit|interview|compile|annotate|monitor|have|base|test|assemble"
)
ABOUT_DATA = _sign(
    rf"(?:{DATA.pattern})[^.;]{{0,70}}(?:{GOT.pattern})",
    rf"\b(?:we|the authors|this (?:paper|study|work|article)) (?:\w+ ){{0,2}}(?:{_GET})(?:s|d|ed)?\b"
    rf"[^.;]{{0,70}}(?:{DATA.pattern})",
    rf"\b(?:using|analy[sz]ing)\b[^.;]{{0,60}}(?:{DATA.pattern})",
    rf"(?:{THINGS.pattern})[^.,;]{{0,25}}\b(?:was|were) (?:\w+ )?"
    rf"(?:{_GOTTEN}|grown|purchased|harvested|included)\b",
    rf"\b(?:{_GOTTEN}|we (?:\w+ )?(?:{_GET}))\b[^.,;]{{0,30}}(?:{THINGS.pattern})",
)
"""Data beside what was done to get them."""
COUNTED = _sign(
    r"\d(?:[\d.,]*\d)?\s?(?:[kKMB]\b|million|thousand|billion)?\s(?:[^\s\d.;]+\s){0,5}?(?:papers|articles|documents"
    r"|publications"
    r"|abstracts|sentences|tokens|words|notes|records|reports|images|photographs|recordings|samples|specimens"
    r"|observations"
    r"|participants|patients|subjects|respondents|volunteers|individuals|people|persons|adults|children|students"
    r"|teachers"
    r"|women|men|households|interviews|interviewees|cases|controls|trials|studies|questions|questionnaires|items"
    r"|examples"
    r"|instances|pairs|plants|pots|animals|mice|rats|varieties|species|strains|isolates|cells"
    r"|plots|sites"
    r"|cities|countries|firms|companies|schools|hospitals"
    r"|measurements|annotations|entities|users|posts|reviews|genes|proteins|metabolites|compounds|parameters"
    r"|pages|datasets|replicates|dialogues"
    r"|queries"
    r"|encuestas|personas|pacientes|estudiantes|probanden|patienten|teilnehmer"
    r"|entreprises)\b",
    r"\bn\s?=\s?\d",
)
TOTAL = _sign(
    r"\b(?:a total of|in total|total(?:l?ing|s)?|n\s?=|sample size|un total de|insgesamt|au total|no total)\b"
)
SIZED = _sign(
    r"\b(?:consist(?:s|ed|ing)? of|contain(?:s|ed|ing)?|compris(?:e[sd]?|ing)|includ(?:e[sd]?|ing)|a total of"
    r"|in total"
    r"|total(?:l?ing)?|n\s?=\s?\d|sample (?:size )?of|out of|composed of|made up of|based on|number of"
    r"|with data (?:from|on)"
    r"|corpus of|dataset of|collection of|set of|cohort of|panel of|survey of|sample of)\b",
    r"\b(?:were|was) (?:\w+ )?(?:collected|included|enrolled|recruited|sampled|interviewed|selected|analy[sz]ed|used"
    r"|surveyed|observed|examined|identified|obtained|randomi[sz]ed|tested|reviewed|studied|measured|annotated)\b",
    r"\b(?:we|this study) (?:\w+ )?(?:collect|analy[sz]e|use|include|recruit|interview|survey|sample|examine|select"
    r"|evaluate"
    r"|review|study|observe|identif|test|annotate)\w*",
    r"\b(?:un total de|insgesamt|au total|no total|conformad[oa]|muestra de|stichprobe von)\b",
)
MEANS = _sign(
    r"\b(?:methods?|methodolog\w+|approach(?:es)?|models?|architectures?|networks?|algorithms?|frameworks?|pipelines?"
    r"|systems?|classifiers?|regressions?|analys[ei]s|techniques?|designs?|protocols?|simulations?|tests?|assays?"
    r"|spectro\w+|chromatograph\w+|microscop\w+|diffraction|PCR|sequencing|interviews?|questionnaires?|meta-analys\w+"
    r"|reviews?|trials?|packages?|librar(?:y|ies)|toolkits?|tools?|software|estimat(?:ors?|ion)|perspective|learning"
    r"|theor(?:y|ies)|transformers?|encoder\w*|decoder\w*|experiments?|procedures?|scheme|synthesis|optimi[sz]ation"
    r"|case stud(?:y|ies)|survey|metodología|método|modelo|methode|verfahren|méthode|modèle|metodologia)\b|方法|模型",
)
DOES = _sign(
    r"\b(?:us(?:e|es|ed|ing)|propos\w+|present(?:s|ed)?|introduc\w+|develop\w*|appl(?:y|ies|ied)|employ\w*|adopt\w*"
    r"|implement\w*"
    r"|train(?:s|ed)?|fit(?:s|ted)?|design(?:s|ed)?|combin\w+|perform\w*|conduct\w*|estimat\w+|compar\w+"
    r"|investigat\w+"
    r"|extend\w*|based on|rel(?:y|ies|ied) on|consider\w*|formulat\w+|build|built|analy[sz]e[ds]?|examin\w+"
    r"|evaluat\w+"
    r"|utiliz\w+|emple\w+|anwend\w+|verwend\w+|utilis\w+)\b|提出|采用",
)
WAS_USED = _sign(
    r"\b(?:was|were|is|are|been) (?:\w+ ){0,3}?(?:used|employed|applied|performed|conducted|carried out|adopted"
    r"|implemented"
    r"|measured|analy[sz]ed|estimated|trained|fitted|fit|undertaken|chosen|followed|determined|recorded|obtained)\b",
    r"\b(?:se (?:utiliz|aplic|emple|realiz)\w+|wurden? .{0,60}(?:verwendet|durchgeführt)|a été (?:utilis"
    r"|réalis)\w+)\b",
)
MIXED = _sign(
    r"\b(?:mixed[- ]methods?|quantitative and qualitative|qualitative and quantitative|randomi[sz]ed controlled"
    r"|cross-sectional|longitudinal|case-control|retrospective|prospective|double-blind|systematic review"
    r"|grounded theory"
    r"|difference-in-differences|ablation|in vitro|in vivo)\b",
)
TRAINED = _sign(
    r"\b(?:(?:pre-?)?train(?:ed|ing)?|fine-?tun\w+|epochs?|learning rates?|batch(?:es| size)|optimi[sz]ers?|Adam"
    r"|dropout"
    r"|hyper-?parameters?|cross-validation|validation set|warm-?up|random seeds?|from scratch|iterations|burn-in"
    r"|sampler)\b",
)
TREATED = _sign(
    r"\b(?:was|were) (?:\w+ ){0,2}?(?:incubated|centrifuged|grown|harvested|collected|prepared|added|dissolved"
    r"|heated|dried"
    r"|washed|mixed|stirred|extracted|recruited|interviewed|randomi[sz]ed|assigned|administered|conducted|performed"
    r"|carried out|recorded|transcribed|measured|placed|exposed|treated|stored|asked|sampled|excluded|computed"
    r"|calculated"
    r"|estimated|filtered|removed|annotated|labell?ed|divided|split|weighed|injected|observed|translated|coded"
    r"|cleaned"
    r"|normali[sz]ed|purified|sonicated|boiled|kept|maintained|initiated|repeated|monitored|screened|invited"
    r"|instructed)\b",
    r"\bfor \d+(?:\.\d+)? ?(?:s|min|h|hours?|days?|weeks?|months?|minutes?|seconds?)\b|\bat \d+ ?[°˚º]",
    r"\b(?:se (?:realizaron|aplicaron|recogieron|calcul\w+)|fueron \w+ad[oa]s)\b",
)
MEASURE = _sign(
    r"\b(?:accurac(?:y|ies)|precision|recall|F1(?:[- ]?scores?)?|F-?(?:scores?|measures?)|AU(?:RO)?C|ROC|RMSE|MAE"
    r"|MSE|MAPE"
    r"|R2|BLEU|ROUGE\w*|perplexity|exact(?: string)?[ -]match|(?:word )?error rates?|(?:Cohen['’]?s )?kappa|agreement"
    r"|sensitivity|specificity|(?:odds|hazard|risk|likelihood) ratios?|confidence intervals?|p[- ]values?|AN(?:C)?OVA"
    r"|t[- ]tests?|chi-?squared?(?: tests?)?|Pearson(?:['’]s)?|Spearman(?:['’]s)?|correlation coefficients?"
    r"|log-?likelihoods?|AIC|BIC|Likert|standard (?:deviations?|errors?)|effect sizes?|signal[- ]to[- ]noise"
    r"|[A-Z]{2}[59]0|absorbance|optical density|fold change|runtimes?|throughput"
    r"|latency|FLOPs"
    r"|Tukey(?:['’]s)?|Wald tests?|similarity scores?"
    r"|scores?|index|indices|indicators?|metrics?|quality of life|statistical(?:ly)? significan\w+)\b|χ2"
    r"|R²|[Pp] ?[<≤] ?0",
    r"\b(?:índices?|indicadores|puntuación|prueba t|genauigkeit|précision)\b",
)
MEASURED = _sign(
    r"\b(?:measur\w+|assess\w*|evaluat\w+|quantif\w+|calculat\w+|comput\w+|report(?:s|ed)?|rated?|expressed (?:as"
    r"|in)|defined as"
    r"|determin\w+|test(?:ed|s)?|compar\w+|us(?:e|ed|ing) (?:the|a|an|as)|scor(?:e|ed|ing) (?:by|as|on|with|using)"
    r"|medid\w+)\b",
)
FOUND = _sign(
    r"\b(?:show(?:s|ed|n|ing)?|f(?:ind|inds|ound|inding)|demonstrat\w+|reveal\w*|indicat\w+|suggest\w*|observ(?:e"
    r"|ed|es|ing)"
    r"|achiev\w+|outperform\w*|surpass\w*|confirm\w*|conclud\w+|establish\w*|identif\w+|detect(?:ed)?|yield(?:s"
    r"|ed)?|obtain\w*"
    r"|exhibit\w*|produced|result(?:ed|s)? in|lead(?:s)? to|led to|argu(?:e|es|ed)|determined|report|reproduced?"
    r"|enable[ds]?)\b",
    r"\b(?:muestr\w+|encontr\w+|observ\w+|evidenci\w+|indic\w+|conclu\w+|zeig\w+|ergab\w*|montr\w+|révèl\w+"
    r"|mostr\w+)\b|表明|发现",
)
CHANGED = _sign(
    r"\b(?:significant(?:ly)?|outperform\w*|better|worse|higher|lower|greater|larger|smaller|faster|slower|best"
    r"|most|least"
    r"|increas\w+|decreas\w+|improv\w+|reduc\w+|declin\w+|comparable|similar(?:ly)?|consistent|correlat\w+"
    r"|associat\w+"
    r"|effective|efficient(?:ly)?|strong(?:ly|er|est)?|no (?:evidence|difference|effect)|major|main)\b",
    r"\d\s?%|\b(?:mayor|menor|mejor|aument\w+|höher|niedriger|meilleur|supérieur|maior|menor)\b",
)
HYPOTHETICAL = _sign(
    r"\b(?:will|would|could|can|might|should|shall) (?:also |further |then |not )?(?:be|need|require|have to|help"
    r"|allow)\b",
    r"\bsimulate a\b|\bin principle\b|\bfor (?:example|instance)\b.{0,12}\b(?:suppose|consider|imagine)\b"
    r"|\bif (?:we|one|you)\b",
)
"""What is not done but could be."""
PLANS = _sign(
    r"\b(?:in|see) (?:table|fig(?:ure|s?\.)?|graph)\s?\w+,? we (?:show|present|report|plot|list|give|display"
    r"|compare)",
    r"\bresults? (?:\w+ ){0,4}(?:are|is) (?:shown|presented|given|summari[sz]ed|reported|displayed|described)\b",
    r"\b(?:objectives?|aims?|purpose|goal|motivation) (?:of|is|was|were|for)\b|\bsought to\b|\bwe (?:aim|plan"
    r"|intend|hope|describe|review"
    r"|discuss)\b",
    r"^(?:table|figure|fig\.?|graph|appendix)\s?\d|\b(?:is|are) (?:given|shown|presented|listed"
    r"|summari[sz]ed) in (?:table|fig)",
    r"\b(?:would|could) (?:also )?be (?:explored|investigated)\b|\bdata availability\b",
)
FOUND_BY_US = _sign(
    r"\b(?:we|our results|our findings) (?:\w+ )?(?:show|find|found|demonstrate|observe|conclude)\w*\b"
    r"|\bresults (?:show|indicate)",
    r"^(?:table|figure|fig\.?|graph)\s?\d",
)
LIMIT = _sign(
    r"\b(?:limitations?|limited (?:by|to|in)|shortcomings?|drawbacks?|weakness(?:es)?|caveats?|threats? to"
    r"|with caution"
    r"|cautio(?:n|us)(?:ly)?|(?:cannot|can not|could not|not possible to) (?:\w+ )?(?:be (?:generali[sz]ed|excluded"
    r"|ruled out"
    r"|determined)|attribute|generali[sz]e|exclude|rule out|draw|establish|distinguish)|small sample"
    r"|lack of (?:data|power"
    r"|control)|may not (?:generali[sz]e|be representative|apply|hold)|not (?:be )?representative"
    r"|potential bias(?:es)?"
    r"|susceptible to|beyond the scope|out of (?:the )?scope|underpowered|self-report\w*|social desirability)\b",
    r"\b(?:limitaci(?:ón|ones)|limitaç(?:ão|ões)|einschränkung(?:en)?|limites de)\b|局限|不足",
)
DID_NOT = _sign(
    r"\b(?:do|does|did|have|has|had) not (?:\w+ )?(?:test|consider|include|examine|evaluate|account|address|compare"
    r"|use|have|assess"
    r"|cover|measure|control|investigate|allow|explore|model|distinguish|collect|support|capture|know)\b",
    r"\b(?:are|is|were|was) (?:currently )?(?:not|un)(?: \w+)? ?(?:able|available|possible|considered|included"
    r"|supported)\b",
    r"\b(?:we|our) (?:only|lack|assume|restrict|ignore|neglect|exclude)\b|\bonly (?:a (?:few|small|single)|one"
    r"|two) \w+",
)
SIGNPOST = _sign(
    r"\b(?:in|see) (?:this (?:final|last) )?(?:section|§|chapter|appendix)\b|\(section \d",
    r"\b(?:we|this (?:paper|section)) (?:also |finally |then |briefly )?(?:discuss|conclude with|outline"
    r"|summari[sz]e|end with)",
)
REVEALED = _sign(
    r"\b(?:study|survey|results?|analys[ei]s|findings|interviews|review) (?:\w+ )?(?:reveal|identif|show|found"
    r"|uncover)\w*",
    r"\b(?:e\.g\.|for (?:instance|example)),",
)
NOT_OF_OURS = _sign(SIGNPOST.pattern, REVEALED.pattern)
"""Speaks of where limitations are discussed, or of the weak points of what was studied."""
FUTURE = _sign(
    r"\b(?:future|further) (?:works?|research|stud(?:y|ies)|directions?|investigations?"
    r"|extensions?"
    r"|experiments?|analys[ei]s|efforts|evaluations?|developments?|releases?|versions?)\b(?=.{0,120}\b(?:\w*)\b)",
    r"\b(?:left|leave|leaving)\b.{0,60}\b(?:future|further|later)\b|\bremains? to be (?:\w+)\b"
    r"|\bwarrants? (?:further|more)\b",
    r"\b(?:in|for) (?:the )?future,? (?:we|it|this|the|one|work|research)\b|\bnext steps?\b|\bongoing work\b",
    r"\b(?:should|could|might|will|can) (?:also )?be (?:further )?(?:investigated|explored|extended|studied"
    r"|examined|addressed"
    r"|improved)\b",
    r"\b(?:trabajos? futuros?|futur[oa]s? (?:investigaci\w+|estudios|líneas)|zukünftige|weitere (?:forschung|studien)"
    r"|travaux futurs|recherches (?:futures|ultérieures)|trabalhos futuros|pesquisas futuras)\b|未来|今后",
)
INTENDS = _sign(
    r"\bwe (?:also )?(?:plan|intend|will|aim to|would like|are (?:currently )?(?:working|planning|applying"
    r"|developing"
    r"|extending|exploring))\b",
)
NO_RESULT = _sign(PLANS.pattern, FUTURE.pattern)
"""Tells where results stand or what is still to be done, not what was found."""
NO_METHOD = _sign(POINTS.pattern, FOUND_BY_US.pattern)
"""Points elsewhere, or tells what was found."""
LACKING = _sign(
    r"\b(?:however|but|yet|despite|although|nevertheless)\b.{0,120}\b(?:not|no|lack\w*|few|little|limit\w*"
    r"|difficult\w*"
    r"|unclear|challeng\w*|problem\w*|insufficient|poorly|costly|expensive|rare\w*|unknown|scarce|fail\w*|hamper\w*"
    r"|neglect\w*)\b",
    r"\b(?:lack of|remains? (?:unclear|unknown|a challenge|difficult|poorly)|is lacking|little is known"
    r"|poorly understood|not well"
    r"|challenge[sd]?|challenging|gap|hamper\w*|there (?:is|are) (?:no|few|little)|urgent|(?:a|the|urgent|growing"
    r"|is) need (?:for|to)|problem of"
    r"|insufficient|pressing|hard to|difficult to|barriers?|threat\w*)\b",
    r"\b(?:falta de|escas\w+|problemática|mangel|manque de)\b",
)
ASKS = _sign(
    r"\?\W*$|\b(?:question of|research questions?|whether|to what extent|it is (?:unclear|unknown))\b",
)
CONTRAST = _sign(
    r"^(?:however|yet|but|despite|although|while|nevertheless|unfortunately|sin embargo|jedoch|cependant)\b"
)
OFFERS = _sign(
    r"\b(?:propos\w+|present(?:s|ed)?|introduc(?:e|es|ed)|develop(?:s|ed)?|describ(?:e|es|ed)|releas(?:e|es|ed)"
    r"|provid(?:e|es|ed)"
    r"|contribut\w+|offer(?:s|ed)?|aim(?:s|ed)?|examin(?:e|es|ed)|investigat(?:e|es|ed)|explor(?:e|es|ed)"
    r"|address(?:es|ed)?"
    r"|show(?:s)?|stud(?:y|ies|ied)|analy[sz](?:e|es|ed)|review(?:s|ed)?|evaluat(?:e|es|ed)|reproduc(?:e|es|ed)"
    r"|report(?:s|ed)?"
    r"|build(?:s)?|creat(?:e|es|ed)|establish(?:es)?|extend(?:s)?|demonstrat(?:e|es|ed)|argu(?:e|es|ed)|analiz\w+"
    r"|estudi\w+"
    r"|untersuch\w+|présent\w+|apresent\w+)\b|提出",
)
AIM = _sign(
    r"\b(?:the )?(?:specific |main |primary |overall )?(?:objectives?|aims?|purposes?|goals?) of (?:this|the|our)\b",
    r"\bthis (?:paper|study|work|article|review|essay|thesis|report) (?:aims?|seeks?|sets? out|attempts?)\b",
    r"\b(?:el objetivo|ziel (?:dieser|der)|l['’]objectif|o objetivo) \w+",
)
ARGUES = _sign(
    r"\b(?:argu(?:e|es|ed)|claim(?:s|ed)?|hypothesi[sz]\w+|contend\w*|maintain that|posit\w*|suggests? that"
    r"|believ\w+|conclud\w+"
    r"|recommend\w*|advocat\w+|highlights? the|underlin\w+|underscor\w+|emphasi[sz]\w+|implies|implication\w*"
    r"|should|must"
    r"|sostien\w+|consider\w+ que|argument\w+)\b",
)
MATTERS = _sign(
    r"\b(?:important|crucial|essential|key|widely|popular|increasing(?:ly)?|growing|major|common"
    r"|significant challenge|one of the"
    r"|plays? an?|known (?:to|for)|traditionally|recent years|recently|advances)\b",
)
SPECIES = _sign(
    r"\((?!(?:By|See|In|For|From|With|After|As|At|Of|On|To|The|This|These|All|Both|We|Our|Data|Table|Fig|Figure|Note"
    r"|Section|Step|Based|Source|Left|Right)\b)(?-i:[A-Z])(?-i:[a-z]+|\.) (?-i:[a-z]{3,})(?:[ ,;][^()]*)?\)"
    r"|\b(?-i:[A-Z])\. (?-i:[a-z]{4,})\b",
    r"\b(?:mice|rats?|zebrafish|drosophila|yeast|Arabidopsis|cell lines?|cultivars?|genotypes?|strains?"
    r"|isolates"
    r"|varieties|breeds|seedlings|larvae|bacteria|fungi|virus(?:es)?|species|human (?:subjects|participants"
    r"|volunteers)|patients|primates|rabbits|dogs|pigs|cattle|birds)\b",
)
STATISTIC = _sign(
    r"\b(?:AN(?:C)?OVA|(?:paired |unpaired |Student['’]?s )?t[- ]tests?|chi-?squared?|Mann[-–]Whitney|Wilcoxon"
    r"|Kruskal[-–]Wallis|Fisher['’]s exact|Tukey(?:['’]s)?|Bonferroni|Dunnett(?:['’]s)?|Holm|Benjamini"
    r"|Pearson(?:['’]s)?|Spearman(?:['’]s)?|(?:linear|logistic|Cox|Poisson|multiple|multivariate|mixed)[- ]"
    r"(?:effects? )?(?:regressions?|models?)|regression analys[ei]s|analys[ei]s of (?:co)?variance"
    r"|principal components? analys[ei]s|confidence intervals?|p[- ]values?|significance (?:level|was|threshold)"
    r"|statistical(?:ly)? (?:analy\w+|signific\w+|tests?|methods?|software)|standard (?:deviations?|errors?)"
    r"|least significant difference|permutation tests?|likelihood ratios?|effect sizes?|univariate analys[ei]s"
    r"|SPSS|Stata|GraphPad|Minitab)\b|χ2|χ²|[Pp] ?[<≤=] ?0",
    r"\b(?:prueba t|análisis estadístico|analyse statistique|statistische auswertung)\b|显著性",
)
INSTRUMENT = _sign(
    r"\b(?:assays?|spectro\w+|chromatograph\w+|microscop\w+|diffract\w+|PCR|ELISA|sequencing|blot\w*|cytometr\w+"
    r"|telescopes?"
    r"|photomet\w+|sensors?|meters?|fluoromet\w+|questionnaires?|scales?|tests?|scanners?|MRI|imaging|LC[-–/]\w+"
    r"|GC[-–/]\w+)\b",
)
