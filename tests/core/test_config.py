"""Settings have bounds."""

import pytest

from core.config import AgentConfig, ReadingConfig, SearchConfig


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [
        (SearchConfig, "rerank_seconds", 0),
        (ReadingConfig, "max_pages", 0),
        (ReadingConfig, "max_megabytes", 0),
        (AgentConfig, "strictness", 1.5),
    ],
)
def test_a_value_out_of_bounds_is_refused_by_its_name(kind: type, name: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"^{name} must lie between"):
        kind(**{name: value})
