"""The only reader of the environment: FOOTNOTE_* variables and ``.env`` become frozen settings.

A name that Footnote does not know is refused, because a misspelt limit that silently does nothing is worse
than a start that fails; nobody else's variables (``OPENAI_*``, ``LANGSMITH_*``) switch anything on.
"""

import difflib
import os
from collections.abc import Sequence
from dataclasses import Field as DataclassField
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import platformdirs
from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from adapters.discord.settings import DiscordSettings
from adapters.slack.settings import SlackSettings
from adapters.web.settings import WebSettings
from bot.limits import LimitsConfig
from core.config import (
    AgentConfig,
    BudgetConfig,
    Config,
    EmbedderConfig,
    FetchConfig,
    LangsmithConfig,
    LlmConfig,
    ReadingConfig,
    SearchConfig,
    VlmConfig,
)
from core.domain.errors import SettingsInvalid

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

PREFIX = "FOOTNOTE_"
TESTS_ONLY = "FOOTNOTE_TEST_"


def data_folder() -> Path:
    """Where this platform keeps an application's data, for example ``~/.local/share/footnote``."""
    return platformdirs.user_data_path("footnote", appauthor=False)


class Settings(BaseSettings):
    """Everything a deployment may change; the sections are those of ``core.config``."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter="_",
        env_nested_max_split=1,
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
    )

    data: Path = Field(default_factory=data_folder)
    log_level: Literal["debug", "info", "warning", "error"] = "warning"
    log_format: Literal["text", "json"] = "text"
    questions_at_once: int = Field(default=4, ge=1, le=64)
    health_port: int = Field(default=0, ge=0, le=65_535)

    limits: LimitsConfig = LimitsConfig()
    reading: ReadingConfig = ReadingConfig()
    embedder: EmbedderConfig = EmbedderConfig()
    search: SearchConfig = SearchConfig()
    agent: AgentConfig = AgentConfig()
    llm: LlmConfig = LlmConfig()
    vlm: VlmConfig = VlmConfig()
    langsmith: LangsmithConfig = LangsmithConfig()
    fetch: FetchConfig = FetchConfig()
    budget: BudgetConfig = BudgetConfig()
    slack: SlackSettings = SlackSettings()
    discord: DiscordSettings = DiscordSettings()
    web: WebSettings = WebSettings()

    @property
    def secrets(self) -> frozenset[str]:
        """What must never be logged."""
        keys = (self.llm.api_key, self.vlm.api_key, self.langsmith.api_key, self.discord.token)
        return frozenset(key for key in keys if key) | self.slack.secrets

    @property
    def config(self) -> Config:
        """What core is given."""
        return Config(**{section.name: getattr(self, section.name) for section in fields(Config)})

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments win over the environment, the environment over ``.env``; there is no secrets folder."""
        return init_settings, env_settings, dotenv_settings


def variable_names() -> tuple[str, ...]:
    """Every variable that Footnote reads, in the order of the settings."""
    names: list[str] = []
    for name, field in Settings.model_fields.items():
        default = field.get_default()
        if is_dataclass(default):
            names += [_variable(name, part.name) for part in _variable_fields(default)]
        else:
            names.append(_variable(name))
    return tuple(names)


def load(*, env_file: Path | None = Path(".env"), data: Path | None = None) -> Settings:
    """The settings of this process. Raises ``SettingsInvalid`` with one sentence a person can act on."""
    _refuse_unknown([name for name in os.environ if name.upper().startswith(PREFIX)], "the environment")
    if env_file is not None and env_file.is_file():
        _refuse_unknown(_names_in(env_file), str(env_file))
    try:
        settings = Settings(_env_file=env_file)  # type: ignore[call-arg]
    except ValidationError as error:
        raise SettingsInvalid(_sentence(error.errors())) from error
    folder = settings.data if data is None else data
    return settings.model_copy(update={"data": folder.expanduser().absolute()})


def _variable_fields(section: Any) -> list[DataclassField[Any]]:
    """The fields of a section that the environment may set."""
    return [part for part in fields(section) if not part.metadata.get("fixed")]


def _variable(*parts: str) -> str:
    return PREFIX + "_".join(parts).upper()


def _names_in(env_file: Path) -> list[str]:
    from dotenv import dotenv_values  # comes with pydantic-settings, which reads the same file the same way

    return [name for name in dotenv_values(env_file) if name.upper().startswith(PREFIX)]


def _refuse_unknown(names: Sequence[str], where: str) -> None:
    known = variable_names()
    for name in sorted(names):
        if name.upper() not in known and not name.upper().startswith(TESTS_ONLY):
            raise SettingsInvalid(f"{name} in {where} is not a setting of Footnote; {_suggest(name, known)}")


def _suggest(name: str, known: Sequence[str]) -> str:
    bare = [variable.removeprefix(PREFIX) for variable in known]  # the prefix, being common, would make all alike
    near = difflib.get_close_matches(name.upper().removeprefix(PREFIX), bare, n=1, cutoff=0.6)
    return f"did you mean {PREFIX}{near[0]}?" if near else "see .env.example for the names there are."


def _sentence(errors: Sequence["ErrorDetails"]) -> str:
    """The first error as one sentence that names the variable."""
    error = errors[0]
    parts = [str(part) for part in error["loc"]]
    message = error["msg"].removeprefix("Value error, ")
    section_default = Settings.model_fields[parts[0]].get_default()
    if is_dataclass(section_default) and len(parts) == 1:
        # Bounds are checked by core, which names the field; the person knows the variable.
        field, _, rest = message.partition(" ")
        return f"{_variable(parts[0], field)} {rest}."
    return f"{_variable(*parts)}: {message[:1].lower()}{message[1:]}."
