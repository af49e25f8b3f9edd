from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Exported models, made once for all journeys."""
    return tmp_path_factory.mktemp("models")
