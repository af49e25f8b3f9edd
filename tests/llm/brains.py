"""Scripts that know the questions a model is asked, so that a test says only what differs."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from core.llm import prompts
from tests.llm.control_replies import is_control, replying
from tests.llm.scripted_server import Request, Says

Reply = str | Says | Callable[[Request], Says]


def claim(sentence: str, *quotes: str, passages: Sequence[int] = (), computation: str = "") -> dict[str, object]:
    """One claim as a model writes it; without numbers its quotes may be in any passage."""
    return {"passages": list(passages), "quotes": list(quotes), "sentence": sentence, "computation": computation}


def claims(*written: dict[str, object], missing: Sequence[str] = ()) -> str:
    """A whole reply, one claim a line."""
    lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in written)
    return f'{{"claims": [\n{lines}],\n"missing": {json.dumps(list(missing), ensure_ascii=False)}}}'


def verdicts(*said: str) -> str:
    """A second reading."""
    return json.dumps({"verdicts": list(said)})


def yes_to_all(request: Request) -> Says:
    """A second reading that finds every sentence borne out."""
    count = request.body["messages"][-1]["content"].count("Sentence: “")
    return Says(text=verdicts(*(f"{number} yes" for number in range(1, count + 1))))


def searched(question: str = "", *parts: str, words: Sequence[str] = (), papers: Sequence[str] = ()) -> str:
    """What a model makes of a question before the search."""
    asked = list(parts or [question])
    padded = [*papers, *["any"] * len(asked)][: len(asked)]
    kinds = ["other"] * len(asked)
    return json.dumps({"question": question, "parts": asked, "words": list(words), "papers": padded, "kinds": kinds})


@dataclass
class Brain:
    """Answers each question by its text or its script; ``asked`` names them in order.

    ``repair`` stands for the claims that are asked for once more, ``controls`` for the control questions, which are
    not among ``asked``.
    """

    search: Reply = '{"question": "", "parts": [], "words": [], "papers": [], "kinds": []}'
    write: Reply = '{"claims": [], "missing": []}'
    repair: Reply = '{"claims": [], "missing": []}'
    read: Reply = yes_to_all
    controls: Reply = field(default_factory=replying)
    values: Reply = '{"fields": [], "passages": [], "quotes": [], "values": []}'
    asked: list[str] = field(default_factory=list)

    def __call__(self, request: Request) -> Says:
        name = "controls" if is_control(request) else step_of(request.words)
        if not name:
            return Says(status=400, error="an unknown prompt")
        if name != "controls":
            self.asked.append(name)
        reply: Reply = getattr(self, name)
        if isinstance(reply, str):
            return Says(text=reply)
        return reply if isinstance(reply, Says) else reply(request)


_STEPS = {
    prompts.SEARCH_WORDS: "search",
    prompts.CLAIMS: "write",
    prompts.SECOND_READING: "read",
    prompts.VALUES: "values",
}


def step_of(words: str) -> str:
    """Which question a request asks, by its words; empty where it is none of them."""
    name = next((name for text, name in _STEPS.items() if text in words), "")
    return "repair" if name == "write" and "did not pass the check" in words else name


def broken(says: Says) -> Brain:
    """The same reply to everything."""
    return Brain(search=says, write=says, repair=says, read=says, values=says, controls=says)
