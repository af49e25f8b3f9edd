"""Connects a language model: tries it, says in plain words what it can do, and writes it into the settings file."""

import difflib
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bot.env_file import write_settings
from bot.replies import models as replies
from bot.settings import Settings
from core.config import LlmConfig
from core.domain.errors import SettingsInvalid
from core.domain.language_models import EndpointFacts
from core.domain.model_setup import ModelServer, OfferedModel

_BASE_URL, _MODEL, _KEY, _CONTEXT = (
    f"FOOTNOTE_LLM_{name}" for name in ("BASE_URL", "MODEL", "API_KEY", "CONTEXT_TOKENS")
)
HOSTED_CONTEXT = 16_384
"""Tokens that a hosted model is taken to take in where its server does not say so."""
_MOST_NAMED = 12


class EnvFileModelSetup:
    """A ``ModelSetup`` that writes into ``env_file``; a running bot takes it over at its next start."""

    def __init__(self, settings: Settings, env_file: Path) -> None:
        self._settings = settings
        self._env_file = env_file

    def current(self) -> str:
        """What is set now, and what the model is used for where that is known."""
        from core.services.model_setup import endpoint_memory, kept_capability

        config = self._settings.llm
        if not config.configured:
            return "No language model is set; answers are quoted from the papers."
        report = kept_capability(endpoint_memory(self._settings.data, config))
        used = replies.used_for(report) if report else "the control questions have not been asked yet"
        return f"{config.model} at {config.base_url}: {used}."

    async def servers(self) -> Sequence[ModelServer]:
        """The servers that answer on this machine."""
        from core.services.model_setup import find_servers

        return await find_servers()

    async def connect(self, base_url: str, model: str, key: str) -> Sequence[str]:
        """As the port says. The key that is set is used again for its own address, and for no other."""
        from core.services.model_setup import endpoint_memory, list_models, served_context, try_model

        before = self._settings.llm
        key = key or (before.api_key if _same_address(base_url, before.base_url) else "")
        address, offered = await list_models(base_url, key)
        chosen = _chosen(offered, model, address)
        config = _trial(before, address, chosen, key)
        memory = endpoint_memory(self._settings.data, config)
        report = await try_model(config, memory)
        told = chosen.context_tokens or await served_context(address, chosen.name) or memory.facts().context_tokens
        config = replace(config, context_tokens=max(1_024, told)) if told else config
        lines = [f"{config.model} at {config.base_url}: {replies.used_for(report)}.", replies.took(report)]
        if report.capability == "none":
            return [*lines, "Nothing was written; another model may do."]
        lines += [_question(config, memory.facts()), _context(config, told), *replies.behaves(memory.facts())]
        return [*lines, *self._written(config)]

    def _written(self, config: LlmConfig) -> Sequence[str]:
        """Write the model into the settings file, with an empty key where it needs none: no other server's is sent."""
        values = {
            _BASE_URL: config.base_url,
            _MODEL: config.model,
            _KEY: config.api_key,
            _CONTEXT: str(config.context_tokens),
        }
        file = write_settings(self._env_file, values)
        lines = [f"Written to {file}, which you alone can read. Footnote uses it from its next start."]
        shadowing = [name for name in values if os.environ.get(name, values[name]) != values[name]]
        if shadowing:
            lines.append(f"The environment sets {', '.join(shadowing)} otherwise and wins; unset it there.")
        return lines


def _same_address(one: str, other: str) -> bool:
    return bool(other) and one.rstrip("/").removesuffix("/v1") == other.rstrip("/").removesuffix("/v1")


def _chosen(offered: Sequence[OfferedModel], model: str, address: str) -> OfferedModel:
    """The model that was named, or the only one there is. Raises ``SettingsInvalid`` with the names to choose from."""
    names = [entry.name for entry in offered]
    listed = ", ".join(names[:_MOST_NAMED]) + (" and others" if len(names) > _MOST_NAMED else "")
    if not model and len(offered) == 1:
        return offered[0]
    if not model:
        raise SettingsInvalid(
            f"Which model? {address} offers {listed}." if names else f"{address} does not list its models; name one."
        )
    if not names:
        return OfferedModel(name=model)
    found = next((entry for entry in offered if entry.name == model), None)
    if found is None:
        near = difflib.get_close_matches(model, names, n=3, cutoff=0.4) or names[:_MOST_NAMED]
        raise SettingsInvalid(f"{address} has no model {model}; it has {', '.join(near)}.")
    return found


def _trial(before: LlmConfig, address: str, chosen: OfferedModel, key: str) -> LlmConfig:
    """The settings that a model is tried with."""
    from core.services.model_setup import is_local

    same = before.base_url == address and before.model == chosen.name
    assumed = before.context_tokens if same else LlmConfig().context_tokens if is_local(address) else HOSTED_CONTEXT
    return replace(
        before,
        base_url=address,
        model=chosen.name,
        api_key=key,
        context_tokens=max(1_024, chosen.context_tokens or assumed),
    )


def _question(config: LlmConfig, facts: EndpointFacts) -> str:
    from core.services.model_setup import estimate_question, is_local

    end = replies.COSTS_TIME if is_local(config.base_url) else replies.NO_PRICES
    return replies.question_takes(estimate_question(config, facts), end)


def _context(config: LlmConfig, told: int) -> str:
    return replies.takes_in(config.context_tokens) if told else replies.assumed_to_take_in(config.context_tokens)
