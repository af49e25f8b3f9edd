"""Scripts that know the four questions a model is asked, so that a test says only what differs."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field

from core.agent.generative import prompts
from tests.llm.scripted_server import Request, Says

SUFFICIENT = json.dumps({"sufficient": True, "quote": "", "missing": "", "query": ""})
INSUFFICIENT = json.dumps({"sufficient": False, "quote": "", "missing": "the cost", "query": "price in euros"})


@dataclass
class Brain:
    """Answers each of the four by its text or its script; ``asked`` counts them by name."""

    understand: str | Says | Callable[[Request], Says] = '{"question": "", "papers": [], "parts": []}'
    judge: str | Says | Callable[[Request], Says] = SUFFICIENT
    compute: str | Says | Callable[[Request], Says] = '{"expression": ""}'
    write: str | Says | Callable[[Request], Says] = "Nothing."
    asked: list[str] = field(default_factory=list)

    def __call__(self, request: Request) -> Says:
        for name, text in (
            ("understand", prompts.UNDERSTAND),
            ("judge", prompts.JUDGE),
            ("compute", prompts.COMPUTE),
            ("write", prompts.WRITE),
        ):
            if text in request.words:
                self.asked.append(name)
                reply = getattr(self, name)
                if isinstance(reply, str):
                    return Says(text=reply)
                return reply if isinstance(reply, Says) else reply(request)
        return Says(status=400, error="an unknown prompt")


def broken(says: Says) -> Brain:
    """The same reply to everything."""
    return Brain(understand=says, judge=says, compute=says, write=says)
