"""One reply of every kind as the bot words them, for judging and for pictures."""

from dataclasses import replace

from adapters.common.markdown import escape, table
from core.domain.model import Citation, Metadata, Span
from core.domain.reply import Attachment, Button, Footnote, Reply
from tests.bot.actors import citation, paper

SOURDOUGH = replace(
    paper("b" * 64, "Sourdough at high altitude"),
    metadata=Metadata(title="Sourdough at high altitude", authors=("Ada Ferris", "Jon Holt"), year=2024),
)
COMET = replace(
    paper("c" * 64, "A slow comet over Lowmere: eleven nights of naked-eye observation"),
    metadata=Metadata(title="A slow comet over Lowmere", authors=("Mira Kell", "Tom Aster", "Lin Zhao"), year=2021),
)
JUDGE = (
    Button(label="Show [1]", action="page", value="t1:1"),
    Button(label="Show [2]", action="page", value="t1:2"),
    Button(label="Search wider", action="wider", value="t1"),
    Button(label="Good", action="good", value="t1"),
    Button(label="Wrong", action="wrong", value="t1"),
)


def _note(marker: int, quote: str, page: int, section: str) -> Footnote:
    span = Span(passage_id="p", page=page, quote=quote)
    held = Citation(marker=marker, paper_id=COMET.id, section=(section,), spans=(span,))
    return Footnote(citation=held, paper=COMET)


def _body(*parts: str) -> str:
    return "\n\n".join(parts)


KINDS: dict[str, Reply] = {
    "answer": Reply(
        kind="answer",
        body=r"The tail of the comet measured 42 degrees on the fourth night. \[1\] It shrank to 17 degrees within a "
        r"week, while the coma stayed as bright as before. \[2\]",
        footnotes=(
            _note(1, "On the fourth night its tail measured 42 degrees.", 3, "2.1 Measurements"),
            _note(2, "Within a week it had shrunk to 17 degrees; the coma stayed as bright as before.", 4, "2.2 Decay"),
        ),
        buttons=JUDGE,
        footer="quoted from the papers, no language model · 0.8 s · reference 3f2a9c",
    ),
    "not found": Reply(
        kind="answer",
        body=_body(
            "Nothing in the 12 papers that this channel may see answers this.",
            "Closest passages:\n"
            "- “The observers used a brass sextant that had been repaired twice.” (A slow comet over Lowmere, p. 2)",
        ),
        buttons=(Button(label="Search wider", action="wider", value="t2"),),
        footer="searched 12 papers · 1.1 s · reference 88aa01",
    ),
    "choice": Reply(
        kind="choice",
        body="Which paper do you mean?",
        buttons=(
            Button(label="A slow comet over Lowmere", action="choose", value="1"),
            Button(label="Sourdough at high altitude", action="choose", value="2"),
        ),
    ),
    "ingest": Reply(
        kind="ingest",
        body=_body(
            "**A slow comet over Lowmere**",
            "Mira Kell, Tom Aster, Lin Zhao · 2021 · 12 pages",
            "Found: 7 sections, 2 tables, 4 figures, 31 references.",
            "> On the fourth night its tail measured 42 degrees. \\[1\\]",
            "Ask, for example:\n- How long was the tail?\n- What was used to measure it?\n- Where was it seen?",
        ),
        footnotes=(_note(1, "On the fourth night its tail measured 42 degrees.", 3, "2.1 Measurements"),),
        buttons=tuple(
            Button(label=label, action="ask", value=f"cccccccccccccccc/{n}")
            for n, label in enumerate(("How long was the tail?", "What was used to measure it?", "Where was it seen?"))
        ),
        footer="read in 6.2 s",
    ),
    "rejected": Reply(
        kind="ingest",
        body="**scan.pdf** was not added: its pages are pictures without text, and OCR found none.",
        footer="nothing else changed",
    ),
    "papers": Reply(
        kind="papers",
        body=table(
            ["#", "Title", "Authors", "Year", "Pages", "Id"],
            [
                ["1", COMET.title, "Kell et al.", "2021", "12", "cccccccc"],
                ["2", SOURDOUGH.title, "Ferris and Holt", "2024", "8", "bbbbbbbb"],
            ],
        ),
        buttons=(Button(label="Further papers", action="papers", value="2"),),
        footer="2 papers",
    ),
    "status": Reply(kind="status", body="12 papers with 214 pages are here. Still to do: 1 paper."),
    "help": Reply(
        kind="help",
        body="Drop a PDF to add it; write a question to ask.\n\n"
        + table(
            ["Command", "What it does"],
            [["papers", "lists the papers of this place"], ["forget PAPER", "removes a paper and every word of it"]],
        ),
    ),
    "error": Reply(
        kind="error", body="Something went wrong here that should not have; nothing is lost.", footer="reference 3f2a9c"
    ),
    "page": Reply(
        kind="page",
        body="**A slow comet over Lowmere**, page 3",
        files=(Attachment(name="page-3.png", mime="image/png", data=b"\x89PNG", alt="Page 3 of A slow comet"),),
    ),
    "forgotten": Reply(
        kind="forgotten", body="Forgotten: **A slow comet**.\n\nRemoved: 1 paper, 84 passages, 2 turns."
    ),
    "export": Reply(
        kind="export",
        body="The bibliography of this thread has 2 entries.",
        files=(Attachment(name="thread.bib", mime="text/plain", data=b"@article{kell2021,\n}"),),
    ),
    "summary": Reply(
        kind="summary",
        body=_body(
            "**Question**",
            r"How the tail of a comet decays when it is seen with the naked eye. \[1\]",
            "**Findings**",
            "- The tail measured 42 degrees. \\[1\\]\n- It shrank to 17 degrees within a week. \\[2\\]",
        ),
        footnotes=(
            _note(1, "its tail measured 42 degrees", 3, "2.1 Measurements"),
            _note(2, "Within a week it had shrunk to 17 degrees", 4, "2.2 Decay"),
        ),
        buttons=JUDGE[3:],
        footer="0.9 s",
    ),
    "table": Reply(
        kind="table",
        body=table(
            ["Paper", "Sample", "Method", "Result"],
            [
                ["A slow comet over Lowmere", "11 nights [1]", "sextant [1]", "42 degrees [1]"],
                ["Sourdough at high altitude", "60 loaves [2]", "oven at 3100 m [2]", "Not found"],
            ],
        ),
        footnotes=(_note(1, "seen on eleven nights", 1, "1 Introduction"), _note(2, "sixty loaves", 2, "2 Methods")),
        footer="also as CSV · 2.2 s",
    ),
    "review": Reply(
        kind="review",
        body=_body(
            "**What is agreed on**",
            r"Both tails shrink within a week. \[1\]\[2\]",
            "**What is not**",
            r"Whether the coma dims is told differently. \[1\]",
        ),
        footnotes=(_note(1, "the coma stayed as bright as before", 4, "2.2"), _note(2, "dimmed", 6, "3")),
    ),
    "digest": Reply(
        kind="digest",
        body=_body(
            "**The week in this channel**, 3–9 March",
            "- **A slow comet over Lowmere** (added by Alice): its tail measured 42 degrees. \\[1\\]",
            "Questions without an answer:\n- Which sextant was used?",
        ),
        footnotes=(_note(1, "its tail measured 42 degrees", 3, "2.1"),),
        footer="2 papers, 7 questions",
    ),
    "journal": Reply(
        kind="journal",
        body=_body(
            "**Journal club on Thursday**: A slow comet over Lowmere",
            "- What would the tail have looked like from the south?\n- Is eleven nights enough?",
        ),
        buttons=(Button(label="Add a question", action="journal-question", value="j1", style="primary"),),
    ),
    "settings": Reply(
        kind="settings",
        body=table(["Setting", "Now"], [["Answer", "mention"], ["Follow-ups", "on"], ["Digest", "weekly"]]),
        buttons=(Button(label="Change", action="settings", value="settings"),),
    ),
    "home": Reply(
        kind="home",
        body=_body(
            "**12 papers are here.** Drop a PDF into a channel to add one; mention Footnote to ask.",
            "- A slow comet over Lowmere (2021)\n- Sourdough at high altitude (2024)",
        ),
        buttons=(Button(label="Settings", action="settings", value="settings"),),
    ),
    "quoted escape": Reply(
        kind="answer",
        body=escape("<!channel> *no* layout `here` <@U1>") + r" \[1\]",
        footnotes=(Footnote(citation=citation(), paper=paper()),),
    ),
}
