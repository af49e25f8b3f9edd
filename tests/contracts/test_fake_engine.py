"""The fake engine of the process's tests keeps the surface of the real one, method by method."""

import inspect
from collections.abc import Callable

import pytest

from core.services.channels import Channels, Threads
from core.services.fetching import Fetching
from core.services.groups import Groups
from core.services.papers import Papers
from core.services.questions import Questions
from core.services.records import Records
from core.services.studies import Studies
from tests.bot.fake_engine import FakeEngine

SERVICES: dict[str, type[object]] = {
    "papers": Papers,
    "questions": Questions,
    "studies": Studies,
    "records": Records,
    "groups": Groups,
    "channels": Channels,
    "threads": Threads,
    "fetching": Fetching,
}


def methods(of: object) -> dict[str, Callable[..., object]]:
    return {name: method for name, method in inspect.getmembers(of, callable) if not name.startswith("_")}


def parameters(method: Callable[..., object]) -> list[tuple[str, object]]:
    """Names and kinds, without the instance."""
    found = inspect.signature(method).parameters.values()
    return [(parameter.name, parameter.kind) for parameter in found if parameter.name != "self"]


@pytest.mark.parametrize("name", SERVICES)
def test_a_fake_service_takes_what_the_real_one_takes(name: str) -> None:
    real = methods(SERVICES[name])
    fake = {key: method for key, method in methods(getattr(FakeEngine(), name)).items() if key in real}
    assert fake
    for key, method in fake.items():
        wanted = parameters(real[key])
        assert parameters(method) == wanted[: len(parameters(method))], key
