"""The words of the three sample papers, all made up. Apart from how they are set, so that they can be read at once."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A piece of a paper; ``rows`` are those of a table or the bars of a figure, ``words`` then the caption."""

    kind: Literal["heading", "text", "table", "bars", "entry"]
    words: str
    rows: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A paper: title, authors, where it is from, the line at the head of its pages, and what it says."""

    title: str
    authors: str
    place: str
    running: str
    parts: tuple[Part, ...]


def _h(words: str) -> Part:
    return Part(kind="heading", words=words)


def _p(words: str) -> Part:
    return Part(kind="text", words=words)


MARGINS = Text(
    title="Do margins slow readers down? A small study of notes on paper",
    authors="Ida Noor and Tom Weller",
    place="University of Lowmere, 2024",
    running="Lowmere Papers in Typography 12 (2024)",
    parts=(
        _h("Abstract"),
        _p(
            "Notes can stand at the foot of the page, in the margin or at the end of the book. We asked 48 readers to "
            "find the source of a claim in each of the three layouts. Footnotes were fastest: readers needed 6.2 "
            "seconds on average, against 7.9 seconds with margin notes and 21.4 seconds with endnotes. We conclude "
            "that endnotes cost readers more than publishers save by them."
        ),
        _h("1 Introduction"),
        _p(
            "A claim without a source asks for trust, and a source that is hard to find asks for patience. "
            "Typographers have argued about the right place of notes for centuries, mostly without measuring. Marsh "
            "(1987) counted how often readers of a library asked for help with endnotes, but did not time them. This "
            "study measures how long it takes to get from a claim to its source."
        ),
        _h("2 Method"),
        _p(
            "Forty-eight volunteers, all students of history, read the same twelve pages. Each reader saw four pages "
            "in each layout, in an order that was drawn by lot. A camera above the desk recorded when a reader's "
            "finger reached the note. Readers who had seen the text before were left out. The pages were printed on "
            "cream paper in 10 point type, and the same notes were set in 8 point type in all three layouts."
        ),
        _h("3 Results"),
        _p(
            "Table 1 shows the time that readers needed and the share of notes that they found. Readers found 97 "
            "percent of the footnotes, 95 percent of the margin notes and 81 percent of the endnotes. The difference "
            "between footnotes and margin notes was small and may be due to chance. Endnotes were slower for every "
            "single reader."
        ),
        Part(
            kind="table",
            words="Table 1: Time to find a note and share of notes found, by layout (48 readers).",
            rows=(
                ("Layout", "Seconds (mean)", "Longest (s)", "Found (%)"),
                ("Footnotes", "6.2", "14.0", "97"),
                ("Margin notes", "7.9", "16.5", "95"),
                ("Endnotes", "21.4", "58.3", "81"),
            ),
        ),
        _p(
            "After the session we asked which layout readers would choose for a book of their own. Thirty-one chose "
            "footnotes, fifteen chose margin notes and two chose endnotes."
        ),
        _h("4 Limitations"),
        _p(
            "All readers were students of history and used to footnotes. The pages were printed; nothing here says "
            "how notes work on a screen. Twelve pages are also short: a reader of a whole book may learn where the "
            "endnotes are."
        ),
        _h("5 Conclusion"),
        _p(
            "Where a note is to be read, it belongs on the page of its claim. We recommend footnotes for printed "
            "books, and margin notes where the page is wide enough."
        ),
        _h("References"),
        Part(
            kind="entry",
            words="Marsh, E. (1987). Endnotes in the reading room: a count of questions. "
            "Reports of the Harrow Library 4.",
        ),
        Part(
            kind="entry",
            words="Okafor, L., Lind, S. and Weller, T. (2025). Notes on a screen: where readers look for sources. "
            "Proceedings of the Workshop on Reading 7, 21–23.",
        ),
    ),
)

SCREEN = Text(
    title="Notes on a screen: where readers look for sources",
    authors="Lena Okafor, Sven Lind and Tom Weller",
    place="Institute for Reading Research, Vestad, 2025",
    running="Proceedings of the Workshop on Reading 7 (2025)",
    parts=(
        _h("Abstract"),
        _p(
            "On paper, footnotes lead readers to a source faster than endnotes do. We ask whether this holds on a "
            "screen. In an experiment with 64 readers, notes that open beside the text were found in 3.2 seconds on "
            "average, notes at the foot of the screen page in 5.6 seconds, and linked endnotes in 9.8 seconds. A "
            "third of the readers did not find their way back from a linked endnote without help."
        ),
        _h("1 Introduction"),
        _p(
            "Electronic editions have inherited the notes of printed books, and most of them have turned all notes "
            "into linked endnotes. Noor and Weller (2024) showed that endnotes on paper take more than three times "
            "as long as footnotes. A link takes the reader to the note at once, so that one might expect the "
            "difference to vanish. It does not."
        ),
        _h("2 Experiment"),
        _h("2.1 Participants"),
        _p(
            "We invited 64 readers between 19 and 71 years of age through a public library. None of them worked with "
            "texts for a living. Each was paid 12 euros for an hour."
        ),
        _h("2.2 Material"),
        _p(
            "Every reader read one essay of 3,400 words on a tablet with a screen of 10.5 inches. The essay had 30 "
            "notes. It was shown in one of three ways: notes that open beside the text, notes at the foot of the "
            "screen page, or linked endnotes."
        ),
        _h("2.3 Measures"),
        _p(
            "The tablet recorded the time from touching a marker to the first word of the note, and the time from "
            "the note back to the line that the reader had left. After reading, 15 questions tested what was "
            "remembered."
        ),
        _h("3 Results"),
        _p(
            "Figure 1 shows the times. Notes beside the text were found fastest, in 3.2 seconds on average. Linked "
            "endnotes took 9.8 seconds, and most of that time went into finding the way back: 21 of the 64 readers "
            "asked for help. Table 1 has the return times and the answers to the questions."
        ),
        Part(
            kind="bars",
            words="Figure 1: Mean time to find a note, by the way it is shown.",
            rows=(("Beside the text", "3.2"), ("Foot of the page", "5.6"), ("Linked endnote", "9.8")),
        ),
        Part(
            kind="table",
            words="Table 1: Return time and right answers out of 15, by the way notes are shown (64 readers).",
            rows=(
                ("Notes", "Return (s)", "Right answers"),
                ("Beside the text", "1.1", "11.9"),
                ("Foot of the page", "2.0", "11.6"),
                ("Linked endnotes", "6.7", "10.2"),
            ),
        ),
        _p(
            "Readers of linked endnotes remembered less: they answered 10.2 of 15 questions, against 11.9 with notes "
            "beside the text. Age made no difference to these results."
        ),
        _h("4 Discussion"),
        _p(
            "A link saves the way to the note but not the way back. This agrees with the reading room reports of "
            "Marsh (1987), in which readers complained less about finding an endnote than about losing their line. "
            "Designers of electronic editions should open notes where the reader is."
        ),
        _h("5 Limitations"),
        _p(
            "We tested one essay on one device. Readers were volunteers of a public library, and scholars, who "
            "follow more notes, may do better. The essay had more notes than most readers are used to."
        ),
        _h("6 Future work"),
        _p("We plan to repeat the experiment with telephones, whose screens leave no room beside the text."),
        _h("References"),
        Part(
            kind="entry",
            words="Marsh, E. (1987). Endnotes in the reading room: a count of questions. "
            "Reports of the Harrow Library 4.",
        ),
        Part(
            kind="entry",
            words="Noor, I. and Weller, T. (2024). Do margins slow readers down? A small study of notes on paper. "
            "Lowmere Papers in Typography 12.",
        ),
    ),
)

ENDNOTES = Text(
    title="Endnotes in the reading room: a count of questions",
    authors="Edith Marsh",
    place="Reports of the Harrow Library 4, 1987",
    running="",
    parts=(
        _h("Summary"),
        _p(
            "For six weeks the desk of the reading room noted every question about a note or a source. Readers asked "
            "212 questions. Of these, 149 were about endnotes, and a librarian needed four minutes for each on "
            "average. We advise the library to buy editions with footnotes where there is a choice."
        ),
        _h("1 How the count was made"),
        _p(
            "From 5 January to 13 February 1987 the two librarians at the desk filled in a card for each question. A "
            "card has the kind of note, the kind of book and the minutes spent. Questions about opening hours were "
            "not counted. The reading room has 60 seats, and 1,840 readers came in these weeks."
        ),
        _h("2 What was asked"),
        _p(
            "Of the 212 questions, 149 were about endnotes, 38 about abbreviations in footnotes and 25 about missing "
            "sources. Readers seldom failed to find an endnote. They lost the line that they had been reading, and "
            "asked for a strip of paper to mark it. The desk gave out 96 strips of paper."
        ),
        _h("3 What this leaves open"),
        _p(
            "A count of questions says nothing of the readers who did not ask. Nobody was timed, and no reader was "
            "asked for an opinion. Other libraries may have other books."
        ),
    ),
)
