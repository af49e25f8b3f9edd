"""English."""

from collections.abc import Mapping

from core.text.languages.aspect_words import AspectName, AspectWords

_WORK = r"(?:study|paper|article|work|research|project|experiments?|trial|investigation|survey|analysis|review|it|this)"
_THEY = r"(?:they|the (?:authors?|researchers?|team|scientists)|it|this|the (?:study|paper|article|work|research))"
_BY = rf"(?: (?:of|in|from|by|for)\b(?:.*\b(?:{_WORK}|et al|colleagues|them|theirs?)\b.*)?)?\W*$"
"""The end of a question, or what names the work; anything else asks for less than the whole aspect."""

ASPECTS: Mapping[AspectName, AspectWords] = {
    "funding": AspectWords(
        asked=r"\b(?:fund(?:ed|ing|s|ers?)?|financ(?:ed|ing|ially|ers?)|financial support|sponsor(?:ed|s|ship)?"
        r"|grants?)\b"
        rf"|\b(?:who|which \w+|what \w+) (?:paid|pays|supported|backed|bankrolled)\b|\b(?:pay|paid"
        rf"|pays) for (?:the |this |their )?(?:[\w’'-]+ ){{0,5}}{_WORK}\b"
        r"|\b(?:who|any(?:one|body)|some(?:one|body)) (?:\w+ )?(?:pay|paid|pays) for\b|\bwhose money\b"
        r"|\bmoney (?:for|behind|come|came)\b",
        headings=r"funding|financial (?:support|disclosure)|acknowledge?ments?|sponsors?|grant (?:information|support)",
        cues=r"\b(?:fund(?:ed|ing) (?:by|from|of|for|was|provided|through)|(?:was|were|is|are|been"
        r"|authors?) (?:\w+ ){0,3}"
        r"(?:supported|funded|financed|sponsored) by|financial(?:ly)? support(?:ed)?|grants? (?:no|number|from"
        r"|agreement|by)\b"
        r"|supported (?:in part |partially )?by (?:the|an?|grants?)|received no (?:\w+ ){0,2}funding)",
    ),
    "availability": AspectWords(
        asked=r"\b(?:where|how|is|are|can|could|did|do|have) (?:\w+ ){0,6}?(?:code|data|datasets?|corpus|software"
        r"|package|"
        r"scripts?|materials?|supplement\w*|models?)\b.{0,60}\b(?:f(?:ind|ound)|get|obtain\w*|download\w*|available|"
        r"access\w*|hosted|kept|stored|deposited|shared?|public(?:ly)?|released?|online|open)\b"
        r"|\b(?:data|code|software)(?: and (?:data|code|software))? (?:availability|access|sharing)\b|\bdownload\b"
        r"|\bwhere (?:\w+ ){0,3}(?:download|get|access|obtain)\b"
        r"|\bwhere (?:is|are|was|were) (?:the |its |their )?(?:[\w-]+ ){0,3}?(?:code|data|datasets?|scripts?"
        r"|software)\b",
        headings=r"(?:data|code|software)(?:,? (?:and|&) (?:data|code|software|materials?))? (?:availability"
        r"|access\w*|sharing|"
        r"statement)|availability (?:of|and)|open (?:data|practices|science)|supporting information|supplementary",
        cues=r"\b(?:github|gitlab|zenodo|figshare|osf\.io|dryad|bitbucket|cran|pypi)\b|\b(?:data|code|"
        r"software|package|scripts?|datasets?|corpus|materials?)\b.{0,60}\b(?:available|deposited|downloaded"
        r"|accessed|released)\b"
        r"|\baccession (?:number|code)",
    ),
    "ethics": AspectWords(
        asked=r"\bethic\w*|\binformed consent\b|\b(?:consent|approval) (?:of|from|by|given|obtained)\b"
        r"|\breview board\b|\birb\b",
        headings=r"ethic\w*|institutional review|informed consent|consent (?:to|for)|animal (?:care|welfare)",
        cues=r"\b(?:ethic\w+ (?:committee|approval|board|review|clearance)|review board|informed consent"
        r"|declaration of helsinki"
        r"|animal (?:care|welfare))\b",
    ),
    "interests": AspectWords(
        asked=r"\b(?:conflict\w*|competing)(?: of)? interests?\b|\bconflicting interests?\b|\bdisclos(?:e|ed|ures?)\b",
        headings=r"competing|conflicts? of interest|declarations? of (?:\w+ )?interests?|disclosures?",
        cues=r"\b(?:conflicts? of interests?|competing (?:financial )?interests?|no conflicts?)\b",
    ),
    "limitations": AspectWords(
        asked=r"\b(?:limitations?|weakness(?:es)?|shortcomings?|drawbacks?|caveats?)\b|\bagainst itself\b"
        rf"|\b{_THEY} (?:\w+ )?(?:could|did|can) not (?:do|cover|show|test)\b",
    ),
    "future": AspectWords(
        asked=rf"\bfuture (?:work|research|studies|directions?|plans?)\b|\bnext steps?\b|\b(?:do|will"
        rf"|want to do) next\b|\b{_THEY} "
        r"(?:plan|intend|propose) to\b",
    ),
    "size": AspectWords(
        asked=r"\bsample size\b|\bhow many (?:\w+ )?(?:participants|people|subjects|patients|respondents|volunteers"
        r"|samples|"
        r"readers|students|individuals)\b(?: (?:\w+ ){0,3}(?:took part|participat\w*|included|recruited|studied"
        r"|enrolled|there))?"
        r"(?: in (?:the|this|their) \w+)?\W*$",
    ),
    "participants": AspectWords(
        asked=rf"\bwho (?:were|was) (?:the )?(?:participants|subjects|patients|sample|studied|included|recruited)\b"
        rf"|\bwho took part\b"
        rf"|\b(?:what|which) (?:data|datasets?|material|corpus|samples?|participants) (?:did|do|does|was|were|is"
        rf"|are) (?:{_THEY} |"
        rf"the )?(?:use|used|based on|studied|study){_BY}|\bdata (?:were|was) used{_BY}",
    ),
    "statistics": AspectWords(
        asked=r"\b(?:which|what) (?:statistical|statistics)\b|\bhow (?:was|were) the (?:data"
        r"|results) (?:statistically )?analy[sz]ed\b"
    ),
    "measures": AspectWords(
        asked=r"\b(?:which|what) (?:\w+ )?(?:metrics|measures|outcome measures)\b(?: \w+){0,3}\W*$|\bhow (?:was"
        r"|were|did) (?:the )?"
        r"(?:\w+ )?(?:performance|results|outcomes?|success) (?:measured|evaluated|judged|assessed)\b",
    ),
    "results": AspectWords(
        asked=rf"\b(?:main|key|major|central|principal|important|chief|biggest) (?:results?|findings?|outcomes?)\b"
        rf"|\bwhat (?:did|do|does) {_THEY} (?:\w+ )?(?:find|find out|discover|show)\W*$"
        rf"|\bwhat (?:are|were|was|is) the (?:results?|findings?|outcomes?){_BY}|\bwhat (?:came out|was found){_BY}",
    ),
    "conclusion": AspectWords(
        asked=rf"\b(?:main )?conclusions?{_BY}|\bwhat (?:did|do|does) {_THEY} conclude\b|\btake-?(?:away|home)\b"
        rf"|\bbottom line\b",
    ),
    "aim": AspectWords(
        asked=rf"\b(?:aims?|objectives?|purpose|goals?|research questions?|hypothes[ie]s) (?:of|in|behind|was|were"
        rf"|is|are)\b|\bwhat (?:did|do|"
        rf"does) {_THEY} (?:want|try|set out|aim|seek|hope) to\b|\bwhy was (?:the|this) {_WORK} (?:done|made"
        rf"|carried out|conducted)\b"
        rf"|\bcontribut(?:e|es|ions?){_BY}",
    ),
    "methods": AspectWords(
        asked=rf"\bhow (?:was|were|is) (?:the |this |their )?(?:\w+ ){{0,2}}{_WORK} (?:done|carried out|conducted"
        rf"|designed|made|performed|"
        rf"set up|run)\b|\bhow (?:did|do|does) {_THEY} (?:do|go about|carry out|conduct|study|run) (?:it|this|that"
        rf"|the {_WORK}|their {_WORK})\b"
        rf"|\b(?:what|which) (?:\w+ )?(?:methods?|approach|design|procedure|methodology) (?:did|do|does|was|were"
        rf"|is) (?:{_THEY} )?"
        rf"(?:use|used|follow|apply|applied|employ|employed|the (?:study|paper)){_BY}|\bwhat (?:is|was|are"
        rf"|were) the (?:\w+ )?(?:methods?|"
        rf"methodology|study design|design|approach){_BY}",
    ),
    "about": AspectWords(
        asked=rf"\bwhat (?:is|are|was) (?:the |this |that )?(?:[\w’'-]+ ){{0,4}}(?:{_WORK}"
        rf"|about) (?:all )?about\W*$|\bwhat (?:does|do|did) "
        rf"{_THEY} (?:deal with|cover|treat|look at|address)\W*$|\bmain (?:topic|subject|idea|point)\b",
    ),
}
