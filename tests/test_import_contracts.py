"""The import contracts hold today and break where somebody imports what they should not."""

import copy
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import grimp
import pytest
from importlinter.api import read_configuration
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.layers import LayersContract
from importlinter.contracts.protected import ProtectedContract
from importlinter.domain.contract import Contract

CONFIGURATION = read_configuration(str(Path(__file__).parents[1] / ".importlinter"))
SESSION: Mapping[str, Any] = CONFIGURATION["session_options"]
CONTRACTS: Mapping[str, Mapping[str, Any]] = {one["id"]: one for one in CONFIGURATION["contracts_options"]}
ROOTS = tuple(SESSION["root_packages"])
CLASSES: Mapping[str, type[Contract]] = {
    "forbidden": ForbiddenContract,
    "layers": LayersContract,
    "protected": ProtectedContract,
}

WRONG_IMPORTS = [
    ("adapters.slack.render", "adapters.discord.render", "adapters"),
    ("adapters.web.view", "core.telemetry_optout", "adapters-of-core"),
    ("adapters.slack.render", "core.fetching.fetcher", "adapters-of-core"),
    ("core.services.papers", "pymupdf", "pdf"),
    ("core.fetching.fetcher", "openai", "endpoints"),
    ("core.aspects.statements", "core.assistant.asking.ask", "assistant"),
    ("core.grounding.quotes", "aiosqlite", "sqlite"),
    ("core.grounding.quotes", "core.library.sqlite.database", "core"),
    ("core.services.shared_models", "core.services.engine", "services"),
    ("core.telemetry_optout", "core.agent.graph", "core"),
    ("core.assistant.budget", "core.library.sqlite.model_usage", "library"),
    ("core.assistant.papers.paper_list", "core.library", "composition"),
    ("core.search.retriever", "core.library", "core"),
    ("core.text.language", "core.understanding.filters", "core"),
    ("core.domain.model", "pydantic", "pydantic"),
    ("bot.worker", "core.agent.graph", "bot-of-core"),
    ("bot.worker", "faiss", "vectors"),
    ("evals.answers", "core.search.retriever", "evals-of-core"),
    ("evals.answers", "adapters.web.platform", "evals-of-adapters"),
    ("core.services.engine", "bot.wiring", "process"),
]
UNPLACED = [("core.shortcuts", "core"), ("core.assistant.shortcuts", "assistant"), ("adapters.matrix", "adapters")]


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    """Every import of the project, those of others' libraries too."""
    return grimp.build_graph(*ROOTS, include_external_packages=True, cache_dir=None)


def is_kept(contract_id: str, graph: grimp.ImportGraph) -> bool:
    """Whether one contract of the configuration is kept by ``graph``, which stays as it is."""
    options = CONTRACTS[contract_id]
    contract = CLASSES[options["type"]](options["name"], dict(SESSION), dict(options))
    return contract.check(copy.deepcopy(graph), verbose=False).kept


def external_libraries(graph: grimp.ImportGraph) -> set[str]:
    """What is imported and is neither of the project nor of the standard library."""
    return {name for name in graph.modules if name.partition(".")[0] not in {*ROOTS, *sys.stdlib_module_names}}


@pytest.mark.parametrize("contract_id", CONTRACTS)
def test_each_contract_is_kept(contract_id: str, graph: grimp.ImportGraph) -> None:
    assert is_kept(contract_id, graph)


@pytest.mark.parametrize(("importer", "imported", "contract_id"), WRONG_IMPORTS)
def test_a_wrong_import_breaks_a_contract(
    importer: str, imported: str, contract_id: str, graph: grimp.ImportGraph
) -> None:
    assert {importer, imported} <= graph.modules
    changed = copy.deepcopy(graph)
    changed.add_import(importer=importer, imported=imported, line_number=1, line_contents=f"import {imported}")
    assert not is_kept(contract_id, changed)


@pytest.mark.parametrize(("package", "contract_id"), UNPLACED)
def test_a_new_package_that_no_layer_names_breaks_a_contract(
    package: str, contract_id: str, graph: grimp.ImportGraph
) -> None:
    changed = copy.deepcopy(graph)
    changed.add_module(package)
    assert not is_kept(contract_id, changed)


def test_every_library_of_others_is_kept_to_the_packages_that_need_it(graph: grimp.ImportGraph) -> None:
    protected = {name for one in CONTRACTS.values() for name in one.get("protected_modules", ())}
    assert external_libraries(graph) - protected == set()


def test_a_new_package_of_core_may_import_no_library_of_others(graph: grimp.ImportGraph) -> None:
    changed = copy.deepcopy(graph)
    changed.add_module("core.shortcuts")
    contract_of = {name: id_ for id_, one in CONTRACTS.items() for name in one.get("protected_modules", ())}
    for library in external_libraries(graph):
        changed.add_import(importer="core.shortcuts", imported=library, line_number=1, line_contents=library)
    broken = {id_ for id_ in {contract_of[name] for name in external_libraries(graph)} if not is_kept(id_, changed)}
    assert broken == {contract_of[name] for name in external_libraries(graph)}
