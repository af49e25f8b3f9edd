"""What models reply to the control questions: one that passes them, and others by what they do otherwise."""

import json

from core.llm.capability import PASSAGES
from tests.llm.scripted_server import Request, Says, Script

CABLES = {
    "passages": [2],
    "quotes": ["It missed 4 percent of the cracked cables"],
    "sentence": "The detector overlooked 4 percent of the cracked cables.",
    "computation": "",
}
HALF = {"claims": [CABLES], "missing": ["the graphics card"]}
NOTHING: dict[str, object] = {"claims": [], "missing": ["the gene"]}
READING = {"verdicts": ["1 yes", "2 no: cracked, not sound", "3 yes", "4 no: the other way", "5 yes", "6 no: may"]}
WORDS = {
    "question": "How often did the bridge cable detector give a false alarm?",
    "parts": ["How often did the bridge cable detector give a false alarm?"],
    "words": ["false alarm rate false positive cable sound intact"],
    "papers": ["2"],
    "kinds": ["number"],
}


AGREEING = {"verdicts": [f"{number} yes" for number in range(1, 7)]}


def is_control(request: Request) -> bool:
    """Whether a request puts a control question."""
    return PASSAGES[1][0].partition(" | ")[0] in request.words


def replying(**changed: object) -> Script:
    """A model that passes, but for the replies named: ``half``, ``nothing``, ``reading``, ``words``."""
    replies: dict[str, object] = {"half": HALF, "nothing": NOTHING, "reading": READING, "words": WORDS} | changed

    def script(request: Request) -> Says:
        reply = replies[asked_for(request)]
        return reply if isinstance(reply, Says) else Says(text=json.dumps(reply))

    return script


def asked_for(request: Request) -> str:
    asked = request.body["messages"][-1]["content"]
    if "Which gene" in asked:
        return "nothing"
    if "graphics card" in asked:
        return "half"
    return "reading" if "Sentence:" in asked else "words"
