"""What a message of the page is without the papers that were forgotten. Pure; the notebook does the writing.

It stands apart from the notebook because it is the page's promise: no word of a forgotten paper stays in view.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from adapters.web.messages import WITHDRAWN, WITHDRAWN_WORDS, Message

Tokens = Callable[[str], Collection[str]]
_SHORTEST_ID = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaving:
    """Papers that go, and the ``words`` (as ``tokens`` cuts them) that only they held."""

    papers: frozenset[str]
    words: frozenset[str]
    tokens: Tokens

    def touched(self, messages: Iterable[Message], channels: frozenset[str] | None) -> Sequence[Message]:
        """Those of ``messages`` that have something to lose, in ``channels`` or (None) anywhere."""
        here = (one for one in messages if channels is None or one.channel in channels)
        return [one for one in here if one.papers & self.papers or self._said(one)]

    def without(self, message: Message) -> Message:
        """The message without the words of the papers; it keeps its place, so that the thread stays whole."""
        if message.by == "footnote":
            return replace(message, state="withdrawn", text=WITHDRAWN, sentences=(), citations=(), reply=None)
        files = tuple(
            replace(one, name="a paper that was forgotten", state="removed", words="", paper="")
            if one.paper in self.papers
            else one
            for one in message.files
        )
        said = replace(message, files=files, asked=message.asked - self.papers)
        if not self._said(message):
            return said
        return replace(said, text=WITHDRAWN_WORDS, words="", state=said.state if files else "withdrawn")

    def _said(self, message: Message) -> bool:
        """Whether a reader named one of the papers, by a command that the page wrote or in words of its own."""
        if any(one[:_SHORTEST_ID] in message.words for one in self.papers):
            return True
        return bool(self.words and message.text) and not self.words.isdisjoint(self.tokens(message.text))
