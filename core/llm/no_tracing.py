"""Calls to a model leave no trace, whatever variables are set for other programs.

It stands alone because language and vision model both need it around every call.
"""

from contextlib import AbstractContextManager, nullcontext


def disable_tracing() -> AbstractContextManager[None]:
    """Tracing is off inside, unless the call belongs to a run that was told to be traced."""
    from langsmith import tracing_context
    from langsmith.run_helpers import get_tracing_context

    if get_tracing_context()["enabled"] is True:
        return nullcontext()
    return tracing_context(enabled=False, parent=False)
