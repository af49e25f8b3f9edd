"""Every sentence that the agent itself says to a reader, in one file, so that tone and facts stay together."""

from collections.abc import Sequence

from core.domain.citation_format import first_author_label, paper_label
from core.domain.model import Paper

SHOWN_TITLES = 6
LISTED = 10
"""Papers of a list that is told in an answer; the command shows all."""


def _called(paper: Paper) -> str:
    """A paper in few words, so that a follow-up leans on who wrote it and not on every word of a title."""
    author = " ".join(first_author_label(paper))
    return f"{author} ({paper.metadata.year})" if author and paper.metadata.year else author or paper_label(paper)


def join_words(words: Sequence[str], last: str) -> str:
    """Words in a row, ``last`` before the last of them: "a, b and c"."""
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)


def _counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def search_extent(papers: int, passages: int) -> str:
    """What a search went through, for example "12 papers (3,400 passages)"."""
    words = _counted(papers, "paper", "papers")
    return f"{words} ({_counted(passages, 'passage', 'passages')})" if passages else words


def empty_library() -> str:
    """Nobody has shared a paper that this place may read."""
    return (
        "There is no paper here yet that I could read for you. Drop a PDF into this channel and I will index it; "
        "then ask again."
    )


def empty_question() -> str:
    """The message held no words."""
    return "That message held no question. Ask me about the papers shared here, for example “What data did they use?”."


def not_found(papers: int, passages: int, missing: Sequence[str]) -> str:
    """Nothing fits; says what was searched and which words stood in the way."""
    said = f"I searched {search_extent(papers, passages)} and found nothing that answers this."
    if missing:
        said += f" I found no passage about {join_words([f'“{word}”' for word in missing[:4]], 'or')}."
    return said


def unclear(missing: Sequence[str]) -> str:
    """Related passages, none of which clearly answers."""
    said = "I found related passages, but none that clearly answers this."
    if missing:
        said += f" What I could not find in them: {join_words([f'“{word}”' for word in missing[:4]], 'or')}."
    return said


def which_paper(papers: Sequence[Paper], hint: str) -> str:
    """Asks back, naming the candidates."""
    opening = f"More than one paper could be “{hint}”" if hint else "More than one paper could be meant"
    return "\n".join([f"{opening}. Which one do you mean?", *_lines(papers, SHOWN_TITLES)])


def _lines(papers: Sequence[Paper], shown: int) -> list[str]:
    """A list to pick from by number, and how many papers it leaves out; ``choosing`` reads it back."""
    lines = [f"{number}. {paper_label(paper)}" for number, paper in enumerate(papers[:shown], 1)]
    if len(papers) > shown:
        lines.append(f"… and {len(papers) - shown:,} more.")
    return lines


def paper_list(papers: Sequence[Paper]) -> str:
    """How many papers are here and which, the first of them by number."""
    verb = "is" if len(papers) == 1 else "are"
    onward = "The command “papers” shows them with more detail; reply with a number to hear what a paper found."
    return "\n".join([f"{_counted(len(papers), 'paper', 'papers')} {verb} here.", *_lines(papers, LISTED), onward])


def several_about(papers: Sequence[Paper], topic: str) -> str:
    """More than one paper is on a topic."""
    opening = f"{len(papers):,} papers here speak of “{topic}” in their title or abstract."
    return "\n".join([opening, *_lines(papers, SHOWN_TITLES), "Reply with a number to hear what a paper found."])


def takeaway_of(paper: Paper, topic: str) -> str:
    """Below the sentence in which a paper says what it found."""
    if topic:
        return (
            f"This is from {paper_label(paper)}, the paper here that speaks of “{topic}” most plainly. Ask on about it."
        )
    return f"This is from {paper_label(paper)}. Ask on about it."


def finding_of(paper: Paper) -> str:
    """The question that picking a paper from a list of papers stands for."""
    return f"What did {_called(paper)} find?"


def asked_of(question: str, paper: Paper) -> str:
    """A question together with the one paper that it was put to."""
    return f"{question} – {_called(paper)}"


def only_named(paper: Paper, topic: str) -> str:
    """A paper was found, but no sentence of it sums it up."""
    return (
        f"{paper_label(paper)} speaks of “{topic}”. Ask on about it."
        if topic
        else f"{paper_label(paper)}: ask on about it."
    )


def when_shared(paper: Paper | None) -> str:
    """Asked who shared a paper: names belong to the chat, not to the papers."""
    if paper is None or not paper.shares:
        return (
            "Who shared a paper stands in the chat, above the message with its PDF. "
            "The command “papers” lists the papers here."
        )
    days = ", ".join(dict.fromkeys(f"{share.at:%Y-%m-%d}" for share in paper.shares))
    return f"{paper_label(paper)} was shared on {days}; the message with its PDF shows by whom."


def no_such_number() -> str:
    """A number was picked that the list does not have, or a paper that is gone."""
    return "There is no such number in the list above. Pick one of its numbers, or ask a question in your own words."


def declined_secrets() -> str:
    """Asked for instructions, keys or to drop the rules."""
    return (
        "I do not show or change the instructions and keys I run with. "
        "Ask me about the papers shared here and I will answer with quotes and pages."
    )


def declined_task() -> str:
    """A task that is not reading papers."""
    return (
        "That is not something I do: I answer questions from the papers shared here, with quotes and pages. "
        "If part of it can be answered from a paper, ask for that part, for example what a paper found or how it did "
        "it."
    )


def declined_advice() -> str:
    """Personal advice on health, law or money."""
    return (
        "I cannot give personal advice; please ask a professional who knows your case. "
        "I can tell you what the papers shared here report, for example the effects a study found and in whom."
    )


def declined_world() -> str:
    """About the world, not about the papers."""
    return (
        "That is not a question about the papers shared here, and they are all I answer from. "
        "Ask about their methods, data or results."
    )


def greeting() -> str:
    """A greeting: nothing to search for."""
    return (
        "Hello! I answer questions from the papers shared here, with quotes and pages. "
        "Drop a PDF, or ask about one, for example “What data did they use?”; the command “help” lists what else I do."
    )


def thanks_reply() -> str:
    """Thanks or praise."""
    return "Glad to help! Ask on whenever you like."


def introduction() -> str:
    """Asked who this is or what it can do."""
    return (
        "I am Footnote: I read the papers shared here and answer questions from them, each sentence with its paper, "
        "page and quoted words. Drop a PDF or ask a question to begin; the command “help” lists everything else I do."
    )


def order_hint(aside: str) -> str:
    """An order to change something here; says which command does it. A message alone changes nothing."""
    return _ORDERED[aside]


_ORDERED = {
    "forget": (
        "Nothing was removed: no message removes anything by itself. The command “papers” lists the papers here, "
        "and “forget PAPER” removes one with every word of it; “clear” forgets what was said in this thread."
    ),
    "clear": (
        "Nothing was removed: no message removes anything by itself. The command “clear” forgets what was asked and "
        "answered in this thread; “forget PAPER” removes a paper."
    ),
    "stop": (
        "No answer is being written in this thread just now. While one is, the word “stop” alone ends it; what was "
        "said until then stays."
    ),
    "reindex": (
        "Nothing was changed: each paper is indexed when it is dropped. The command “status” says how things stand; "
        "whoever runs Footnote can make the whole index anew with “footnote reindex”."
    ),
    "add": (
        "To add a paper, drop its PDF here. The command “fetch” takes in open papers by arXiv id, DOI or address, "
        "where that is allowed."
    ),
    "export": (
        "Nothing was written yet. The command “export” gives this thread as a file, and “bibliography” the papers "
        "for a reference manager."
    ),
    "settings": "Nothing was changed. The command “settings” shows what this channel has set, and changes it.",
}


def stopped_instructions() -> str:
    """Note for the footer when instructions inside a question were left aside."""
    return "I only report what the papers say; the other instructions in the message were left aside."


def model_away(words: str) -> str:
    """Note for the footer when the language model could not be used; ``words`` say why."""
    return f"answered without the language model: {words.rstrip('.')}"


def stopped() -> str:
    """Note for the footer of an answer that somebody ended."""
    return "stopped; this is what was verified until then"


def stopped_early() -> str:
    """In place of an answer that was ended before it had a sentence."""
    return "Stopped before any sentence was verified. Ask again and I will start over."


def figure_seen(label: str, page: int, model: str) -> str:
    """Note for the footer where an answer draws on what a model saw in a figure."""
    return f"what {label} (p. {page}) shows is told by {model}, which looked at it; it is not printed in the paper"


def figures_not_seen(words: str) -> str:
    """Note for the footer when figures could not be looked at; ``words`` say why."""
    return f"figures were not looked at: {words.rstrip('.')}"


def nothing_borne_out() -> str:
    """Note for the footer when no sentence that the model wrote, nor a quote for one, could be shown."""
    return "no sentence that the language model wrote stood up to its check, so none is shown"


def model_not_used() -> str:
    """Note for the footer where the model failed the control questions."""
    return "answered without the language model: it failed the control questions"


def model_searches_only() -> str:
    """Note for the footer where the model failed the control questions for writing."""
    return "the language model gave search words only: it failed the control questions for more"


def incomplete(failure: str) -> str:
    """Note for the footer where a model broke off; ``failure`` says why, empty where nothing went wrong."""
    return f"the answer may be incomplete: {failure.rstrip('.')}" if failure else ""


def not_among(missing: Sequence[str]) -> str:
    """Note for the footer: what was asked and is not in the passages that were found; empty where nothing is."""
    return f"not found: {'; '.join(missing)}" if missing else ""


def not_answered(papers: int, passages: int, missing: Sequence[str]) -> str:
    """A model read the passages that were found and says that they do not answer."""
    named = f" Not found: {'; '.join(missing)}." if missing else ""
    return f"{not_found(papers, passages, ())}{named} The nearest passages are below."


def limits_applied(limits: Sequence[str], *, undated: bool) -> str:
    """Note for the footer where the asker limited the search; ``undated`` where papers without a year were left out."""
    left_out = "; papers whose year is not known were left out" if undated else ""
    return f"as asked, only {' and '.join(limits)} were searched{left_out}"


def limits_dropped(limits: Sequence[str]) -> str:
    """Note for the footer where nothing was left within the asker's limits."""
    return f"nothing was found in {' and '.join(limits)}, so everything was searched"


def no_answer_in(papers: Sequence[Paper]) -> str:
    """Note for the footer: papers that were named and say nothing clear."""
    return f"in {join_words([paper_label(paper) for paper in papers], 'and')} nothing clear was found"


def searched_wider(passages: int) -> str:
    """Note for the footer of an answer that was looked for again."""
    return f"searched wider: {passages} passages a search, and a lower bar for what counts as an answer"


def declined(refusal: str) -> str:
    """The words for one of the refusals of ``tasks``."""
    words = {
        "secrets": declined_secrets,
        "task": declined_task,
        "advice": declined_advice,
        "world": declined_world,
        "nothing": empty_question,
        "greeting": greeting,
        "thanks": thanks_reply,
        "self": introduction,
    }
    return words[refusal]() if refusal in words else order_hint(refusal)
