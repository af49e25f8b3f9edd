"""What a run does as OpenTelemetry spans: how long each step took and how many things went through it.

They hold numbers alone, never a word of a question, a paper or an answer. Without an SDK that somebody sets up around
the process they go nowhere and cost next to nothing.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, TypeAlias

from opentelemetry import trace

Step: TypeAlias = Literal["answer", "understand", "search", "judge", "look", "write", "verify", "read"]


class Counts:
    """The numbers of one span."""

    def __init__(self, span: trace.Span) -> None:
        self._span = span

    def add(self, **numbers: int | float | bool) -> None:
        """Attributes of the span, for example ``footnote.passages``."""
        for name, number in numbers.items():
            self._span.set_attribute(f"footnote.{name}", number)


@contextmanager
def step(name: Step) -> Iterator[Counts]:
    """One step, within whichever is running. What goes wrong in it is told by its kind, not by its words."""
    tracer = trace.get_tracer("footnote")
    with tracer.start_as_current_span(
        f"footnote.{name}", record_exception=False, set_status_on_exception=False
    ) as span:
        try:
            yield Counts(span)
        except Exception as fault:
            span.set_status(trace.StatusCode.ERROR, type(fault).__name__)
            raise
