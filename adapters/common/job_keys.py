"""What the key of a job tells to those who have nothing else of it; ``core.domain.events`` says how keys are made."""

CHANGED_SOON = "edit:"
QUESTIONS = ("ask:", CHANGED_SOON, "again:")
"""How the keys of questions begin: as first asked, changed soon, changed long after."""
ANSWERED_ANEW = ("ask:", "again:")
"""Those of them whose answer begins a message of its own."""


def shown_under(key: str) -> str:
    """The key that a reply's messages go by: a question changed soon is answered in the place of its first answer."""
    return f"ask:{key.removeprefix(CHANGED_SOON).rpartition('/')[0]}" if key.startswith(CHANGED_SOON) else key
