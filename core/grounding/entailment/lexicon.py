"""Words whose exchange turns a claim around while nearly every other word stays: negations, opposites, hedges.

Closed lists of ordinary English with the negations of its neighbours; nothing here knows a subject.
"""

from collections.abc import Mapping, Sequence
from functools import cache

from core.text import index_tokens

_NEGATORS = """
not no never none neither nor without cannot can't don't doesn't didn't isn't wasn't weren't aren't won't couldn't
wouldn't hasn't haven't hadn't nothing nobody hardly barely scarcely lack lacks lacked lacking absence absent fail
fails failed failing failure unable impossible
nunca ningún ninguna ninguno sin nicht kein keine keinen keiner ohne nie ne sans jamais aucun aucune non nessun
nessuna senza não nenhum nenhuma sem
"""
CJK_NEGATORS = "不没沒未無无非"
NEGATIVE_PREFIXES = ("non", "un", "in", "im", "ir", "dis", "il")

_AXES: Mapping[str, tuple[str, str]] = {
    "size": (
        """increase increases increased increasing rise rises rose risen rising grow grows grew grown growing growth
        higher highest more most greater greatest larger largest bigger biggest exceed exceeds exceeded
        exceeding surpass surpasses surpassed gain gains gained elevated elevates up upward above
        longer longest expand expands expanded expansion upregulated upregulation upregulates enhance
        enhances enhanced boost boosts boosted raise raises raised amplify amplified high large warmer
        hotter deeper thicker wider taller stronger strongest doubled double doubles tripled accelerate
        accelerates accelerated faster fastest quicker maximum maximal strengthened strengthens brighter
        heavier climbed climbs steeper richer denser older majority big bigger biggest quickly""",
        """decrease decreases decreased decreasing decline declines declined declining drop drops dropped fall falls
        fell fallen falling shrink shrinks shrank lower lowest lowers lowered fewer fewest less least
        smaller smallest reduce reduces reduced reducing reduction reductions diminish diminishes
        diminished loss lost down downward below shorter shortest downregulated downregulation
        downregulates suppress suppresses suppressed attenuate attenuated low small cooler colder
        shallower thinner narrower weaker weakest halved halve halves decelerated slow slows slowed
        slower slowest slowly minimum minimal weakened weakens fainter dimmer lighter poorer sparser younger
        minority""",
    ),
    "quality": (
        """better best improve improves improved improving improvement improvements outperform outperforms
        outperformed superior beat beats benefit benefits beneficial benefited succeeded successful safe
        effective favourable favorable accurate""",
        """worse worst worsen worsens worsened worsening degrade degrades degraded degradation underperform
        underperforms underperformed inferior deteriorate deteriorates deteriorated harm harms harmed
        harmful detrimental unsafe ineffective unfavourable unfavorable inaccurate""",
    ),
    "time": (
        "before earlier earliest prior preceded precedes preceding",
        "after later latest following followed follows",
    ),
    "sign": ("positive positively", "negative negatively inverse inversely"),
    "sameness": (
        "same similar similarly equal equally identical comparable consistent agree agrees agreed agreement",
        "different differently differ differs differed difference distinct unequal inconsistent disagree contradicts",
    ),
    "membership": (
        "include includes included including added add adds retained kept",
        "exclude excludes excluded excluding removed remove removes omitted omit omits discarded",
    ),
    "verdict": (
        "accept accepted accepts confirm confirmed confirms support supported supports",
        "reject rejected rejects refute refuted refutes contradict contradicted",
    ),
    "activity": (
        """activate activates activated activation promote promotes promoted stimulate stimulates stimulated
        stimulation induce induces induced enable enables enabled""",
        """inhibit inhibits inhibited inhibition block blocks blocked prevent prevents prevented impair impairs
        impaired hinder hinders hindered""",
    ),
    "price": ("expensive costly dear dearer costlier", "cheap cheaper cheapest inexpensive affordable"),
    "hardness": ("harder hardest stiffer stiffest", "softer softest"),
    "order": ("first initial initially", "last final finally"),
    "inside": ("inside inner internal indoor indoors", "outside outer external outdoor outdoors"),
    "stream": ("upstream", "downstream"),
    "north": ("north northern", "south southern"),
    "east": ("east eastern", "west western"),
    "side": ("left", "right"),
    "charge": ("cation cationic", "anion anionic"),
    "frequency": ("often frequently frequent usually commonly common always", "rarely rare seldom infrequently never"),
}
_QUANTIFIERS: Mapping[str, str] = {
    "all": "all every each any entire entirely always both whole universally",
    "most": "most mostly majority usually generally predominantly largely",
    "some": "some several sometimes occasionally partly partially subset",
    "few": "few rarely seldom minority",
    "none": "none no never neither nobody",
    "half": "half",
    "only": "only solely exclusively",
    "nearly": "nearly almost approximately about roughly around",
    "at least": "least",
}
_HEDGES = """
may might could possibly perhaps suggest suggests suggested suggesting potentially appear appears appeared
seem seems seemed likely unlikely probably preliminary tentative tentatively speculate speculated hypothesise
hypothesize hypothesised hypothesized hypothesis conceivably believed think expect expected presumably plausible
"""
_CAUSES = """
cause causes caused causing causal causally due because lead leads led leading induce induces induced produce produces
produced produces responsible drive drives drove driven trigger triggers triggered result results resulted prove proves
proved proven proof establish established
"""
_LINKS = """
associated association associations associate associates correlate correlates correlated correlation correlations linked
link links related relation relationship coincided coincide coincides accompanied predicted predict predicts
"""
_DEGREES = frozenset(["more", "most", "less", "least"])
_GROUPS = """
use used using employ utilise utilize apply|show shown demonstrate reveal display exhibit indicate|reach achieve attain
obtain|perform conduct carry|contain comprise consist|start begin commence began begun|examine investigate analyse
analyze assess evaluate explore|need require|choose chosen chose select pick|build built construct|get receive|occur
happen arise arose|appear emerge|make made create|help aid assist|give given gave provide deliver|collect gather
|measure quantify|call name term|method approach technique procedure|dataset data corpus collection|percent %
|significant significantly|main major principal chief|keep kept retain maintain|stop discontinue|frequent often
|quick fast rapid rapidly|important crucial essential vital|error mistake|goal aim objective purpose
|participant respondent|answer response reply|buy bought purchase|combine merge|connect link|develop devise
|difficult hard challenging|enough sufficient|find found discover|illness disease|kind type sort
|part portion|previous prior|propose suggest|remove eliminate|report describe|sample specimen
|try attempt|various several|way manner|change alter modify|child children kid|mean average|compute calculate
|image picture|allow permit enable|also additionally|consider regard|differ vary|example instance
|big large|split divide|tell told say said
|spend spent expenditure|take took taken|hold held|bring brought|teach taught instruct|write wrote written
|know knew known|think thought|meet met|pay paid payment|sell sold sale|send sent|seek sought|feed fed
|lie lay lain|stand stood|run ran|draw drew drawn|see saw seen|eat ate eaten|drink drank|sleep slept asleep
|break broke broken|freeze froze frozen|wear wore worn|hear heard|read reading|learn learnt|speak spoke spoken speech
|die died death dead mortality|survive survival|grow grown|bind bound|wind wound|bend bent|burn burnt
|woman women female|man men male|person people individual|doctor physician clinician|student pupil learner
|teacher educator instructor|worker employee staff|firm company enterprise|nation country|city town
|area region|place site location|sea ocean marine|rain rainfall precipitation|wet moist|dry arid|plot patch
|cow cattle|pig swine|bird avian|tumour tumor cancer|drug medication medicine|dose dosage|surgery operation
|heart cardiac|liver hepatic|kidney renal|lung pulmonary|brain cerebral|skin dermal|mouth oral|bone skeletal
|year yearly annual annually|day daily|week weekly|month monthly|hour hourly|end finish complete completed
|speed velocity|weight mass|amount quantity|share proportion fraction|cost price expense|income earnings
|label tag annotate annotation|question query|author writer|happiness happy|age aged|width wide|length long
|height tall|depth deep|strength strong|weigh weighed|vote ballot|law statute|town municipal|school classroom
|home house|car automobile|road street|forest woodland|field farmland|farmer grower|crop crops|soil ground
|light illuminate illumination illuminated|shine shone|heat heated heating|cool cooled cooling|mix mixed mixture blend
|lose loss|prevent prevention|fail failure|succeed success|grow growth|move movement|treat treatment|decide decision
|describe description|explain explanation|apply application|reduce reduction|permit permission|destroy destruction
|drive drove driven|hide hid hidden|steal stole stolen|throw threw thrown|ride rode ridden|shake shook shaken
|overtake overtook overtaken|overcome overcame|forget forgot forgotten|withdraw withdrew withdrawn
"""
_CONDITIONS = "only unless except if provided among when until whenever excluding assuming conditional presence absence"
_OTHERS = "than versus vs over compared relative against"
_COMPARING = """
outperform outperforms outperformed exceed exceeds exceeded surpass surpasses surpassed beat beats underperform
underperforms underperformed
"""
_CLAIMING = """
argue argues argued report reports reported find finds found show shows showed claim claims claimed suggest suggests
suggested propose proposes proposed observe observed demonstrate demonstrated state states stated conclude concluded
note noted describe described estimate estimated
"""
_OWN = "we our us authors author paper study work article ours here"
_GENERIC = """
model models method methods approach system systems network algorithm framework technique procedure dataset data corpus
planet object compound sample drug treatment patients participants subjects respondents animals study paper experiment
trial group groups one ones it they this these those
"""
_REPORTING = """
author authors paper papers study studies report reports reported reporting show shows showed shown find finds found
finding findings observe observed observes result results resulting achieve achieves achieved obtain obtained obtains
according work article describe describes described present presents presented propose proposes proposed note notes
noted state states stated reach reaches reached value values respectively namely total overall
"""
_REFUSING = """
mention mentioned mentions state stated states provide provided provides specify specified specifies contain contained
contains discuss discussed discusses report reported reports include included includes describe described describes
address addressed addresses give given gives say said says find found indicate indicated available disclosed
"""


@cache
def antonym_poles() -> Mapping[str, tuple[tuple[str, int], ...]]:
    """For each word with an opposite: the axes on which it stands, and at which end (1 or -1)."""
    found: dict[str, tuple[tuple[str, int], ...]] = {}
    for axis, (plus, minus) in _AXES.items():
        for sign, words in ((1, plus), (-1, minus)):
            for word in words.split():
                found[word] = (*found.get(word, ()), (axis, sign))
    return found


SPATIAL_AXES = frozenset(["order", "inside", "stream", "north", "east", "side", "charge"])
"""Axes that tell where or which: what does not happen in the south happens in the south no less."""


def poles_at(words: Sequence[str], at: int) -> tuple[tuple[str, int], ...]:
    """Axes and ends of the word at ``at`` with the one before: "more slowly" is slow, "less dense" is not dense; the
    "more" and "less" of such pairs stand for nothing by themselves, nor does the "up" of "up to".
    """
    following = words[at + 1] if at + 1 < len(words) else ""
    if (words[at] in _DEGREES and antonym_poles().get(following)) or (words[at] == "up" and following == "to"):
        return ()
    turned = at > 0 and words[at - 1] in ("less", "least")
    return tuple((axis, -end if turned else end) for axis, end in antonym_poles().get(words[at], ()))


def poles_in(words: Sequence[str]) -> frozenset[tuple[str, int]]:
    """Ends of scales that words stand for together."""
    return frozenset(one for at in range(len(words)) for one in poles_at(words, at))


@cache
def quantifier_kinds() -> Mapping[str, str]:
    """For each quantifying word, its kind."""
    return {word: kind for kind, words in _QUANTIFIERS.items() for word in words.split()}


@cache
def synonym_stems() -> Mapping[str, str]:
    """For stems of common scholarly words, the stem that stands for all of their group."""
    groups = [[index_tokens(word)[0] for word in group.split() if index_tokens(word)] for group in _GROUPS.split("|")]
    return {stem: group[0] for group in reversed(groups) for stem in group}


@cache
def word_list(kind: str) -> frozenset[str]:
    """The words of a closed list: see the table below for their names."""
    lists = {
        "negators": _NEGATORS,
        "hedges": _HEDGES,
        "causes": _CAUSES,
        "links": _LINKS,
        "conditions": _CONDITIONS,
        "others": _OTHERS,
        "comparing": _COMPARING,
        "refusing": _REFUSING,
        "reporting": _REPORTING,
        "generic": _GENERIC,
        "claiming": _CLAIMING,
        "own": _OWN,
        "prepositions": """of in on at for with within during after before under among by from to into through without
        via across en bei auf nach vor mit für dans pour avec con para sur unter zwischen über durch""",
        "connecting": """however moreover furthermore therefore thus finally hence additionally consequently
        nevertheless accordingly similarly also indeed besides""",
        "symmetric": "between differ differs differed similar correlated correlates equal associated linked related",
        "joining": "and or nor but y e o und oder et ou",
        "subordinating": "if unless when whenever until except provided",
    }
    return frozenset(lists[kind].split())
