"""Words of a first page, by what they tell of a line: an institution, a role, a date, a stamp. Tables, in one place.

They are the second signal, behind how a page is set: no word here makes a name or a title; it only says what a line
or a piece of one is not.
"""

import re

_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
)


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W\d_])(?:{pattern})(?![^\W\d_])", re.IGNORECASE)


INSTITUTION = _words(
    r"\w*universi\w*|institut\w*|depts?|depart[ae]?ment\w*|schools?|colleges?|faculty|facult[aé]\w*|faculdade|\w*fakult\w*"
    r"|\w*hochschul\w*|\w*zentrum|laborator\w*|cent(?:er|re|ro)s?|academy|hospitals?|clinics?|\w*klinik\w*|divisions?"
    r"|ministry|museum|observator\w*|councils?|agency|association|corporation|inc|ltd|llc|gmbh|research|école|escuela"
    r"|\w*(?:大学|学院|研究|学校)\w*"
)
"""What a place of work is called; hardly ever a person's name."""
MAYBE_A_PLACE = _words(
    r"streets?|avenue|roads?|box|labs?|foundations?|society|soci[eé]t[eé]|academi[ae]|company|group|draft|review|version"
    r"|manual|package|program(?:me)?s?|journal|articles?"
)
"""Words of addresses and imprints that are family names too."""
NO_NAME = frozenset(("of", "the", "for", "from", "with", "its", "their"))
"""Words that are in no person's name, however they are set."""
NOTICE = re.compile(
    r"^\W*(?:received|accepted|published|revised|submitted|keywords|key words|copyright|available|licen[cs]e"
    r"|preprint|vignette|source|accessed)\b|\bcorrespond\w*|\bcontribut\w*|\bequal(?:ly)?\b|©|\beditorial\b"
    r"|\b(?:tesis|thesis|thèse|tese|dissertation|dissertação|dissertación|habilitation\w*|\w+arbeit)\b"
    rf"|\b{_MONTH}\b\.?\W{{0,2}}\d|\d\W{{0,2}}\b{_MONTH}\b",
    re.IGNORECASE,
)
"""Lines that say something of the paper: its dates, its rights, its kind, whom to write to."""
OTHER_ROLE = re.compile(
    r"^\W*(?:(?:the )?(?:thesis |doctoral |examination |academic )?(?:jury|committee|examiners?|reviewers?|referees?"
    r"|(?:co-?)?supervis\w*|(?:co-?)?advis[eo]rs?|(?:co-?)?direct(?:or|eur)\w*|editors?|rapporteurs?|tutors?"
    r"|promotors?|betreue\w*|gutachter\w*|comité|tribunal|orientador\w*|président\w*|membres?)\b"
    r"|edited by|reviewed by|supervised by|handled by|sous la direction)",
    re.IGNORECASE,
)
"""Lines that name people who did not write the paper."""
AUTHOR_LABEL = re.compile(r"^\W*(?:authors?|author\(s\)|autor(?:a|es|as)?|auteurs?|verfasser\w*)\s*:\s*", re.IGNORECASE)
BYLINE = re.compile(r"^\W*(?:[Bb]y|BY|par|von|por|door)\s+(?=\S)")
"""How a line of authors begins that says so."""
BEFORE_AUTHOR = re.compile(
    r"^(?=.{0,80}$)(?:.*\b(?:presented|submitted|written|prepared|pr[eé]sent[eé]e?|soutenue?|vorgelegt|eingereicht"
    r"|presentad[ao]|apresentad[ao]|thesis|thèse|tesis)\b.*)?\b(?:by|par|von|por|of|de)\s*:?\s*$"
    r"|^\W*(?:authors?|autor(?:a|es|as)?|auteurs?|verfasser\w*|candidate)\s*:\s*$",
    re.IGNORECASE,
)
"""A short line that ends where the author's name is to follow: ``presented by``."""
DOWNLOAD_STAMP = re.compile(
    r"\b(?:download(?:ed)?|accessed|retrieved|viewed|printed (?:on|at|from|by)|authori[sz]ed licensed use"
    r"|téléchargé|descargado|heruntergeladen|baixado)\b.*",
    re.IGNORECASE,
)
"""From here to the end a line speaks of who took a copy, and when."""
OTHERS_WORK = re.compile(
    r"\b(?:[Ss]ee|data(?:set)?s?|code|software|supplement\w*|archived?|repository|replication of|materials)\b"
    r"|^\W*(?:Data|Code|Software|Suppl|Replication)\w*(?: [a-z]+)*:"
)
"""Words beside a DOI that is not the paper's own; with a capital they are a journal's name."""
DATE_SIGNS: tuple[tuple[re.Pattern[str], float], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), weight)
    for pattern, weight in (
        (r"publish|publicad|publié|veröffentlicht|available online|\bappeared", 6.0),
        (r"how to cite|c[oó]mo citar|citation:|reference format|cite this", 5.0),
        (r"proceedings|conference|workshop|journal|transactions|volume|\bvol\b|\bv\.\s?\d|issue|press\b", 4.0),
        (r"arxiv", 4.0),
        (r"accepted|aprobado|aceptado|approved|in final form", 2.5),
        (r"received|recibido|revised|submitted|draft|version", 1.5),
        (rf"\b{_MONTH}\b", 1.0),
    )
)
"""What stands on a line with a year, and how much it speaks for the year of publication."""
VENUE = re.compile(
    r"proceedings of|journal|transactions|\breports\b|\bletters\b|\breview of|\bannals\b|conference on|workshop on|"
    r"symposium on|\brevista\b|zeitschrift|\bPLOS\b|\bmagazine\b|\barchives? of",
    re.IGNORECASE,
)
VENUE_LEAD = re.compile(
    r"^(?:(?:first |originally )?(?:published|appeared|reprinted)(?: online)? (?:in|from)|in|source):?\s+",
    re.IGNORECASE,
)
DEGREES = re.compile(
    r"\b(?:Ph\.?\s?D|M\.\s?D\.|MD|M\.?\s?Sc|B\.?\s?Sc|Dr|Prof|FRCS|MPH|RN|MBA|PharmD|DPhil)\b\.?(?![-\w])"
)
