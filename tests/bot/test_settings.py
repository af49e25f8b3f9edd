import dataclasses
import os
import re
from collections.abc import Mapping
from dataclasses import is_dataclass
from pathlib import Path

import pytest

from bot import settings
from core.config import Config
from core.domain.errors import SettingsInvalid

EXAMPLE = Path(__file__).parents[2] / ".env.example"


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.upper().startswith(settings.PREFIX)]:
        monkeypatch.delenv(name)


def load(folder: Path, dotenv: str = "") -> settings.Settings:
    path = folder / ".env"
    path.write_text(dotenv, encoding="utf-8")
    return settings.load(env_file=path)


def defaults() -> Mapping[str, str]:
    """Each variable with its default as it would be written in ``.env``; empty where it depends on the machine."""
    section_values = settings.Settings.model_construct()
    written: dict[str, str] = {}
    for name in settings.Settings.model_fields:
        value = getattr(section_values, name)
        if is_dataclass(value):
            written |= {
                settings._variable(name, part.name): _written(getattr(value, part.name))
                for part in settings._variable_fields(value)
            }
        else:
            written[settings._variable(name)] = "" if name == "data" else _written(value)
    return written


def _written(value: object) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_without_any_variable_core_gets_its_own_defaults(tmp_path: Path) -> None:
    loaded = load(tmp_path)
    assert loaded.config == Config(data=settings.data_folder())
    assert loaded.data.is_absolute()


def test_every_tunable_of_core_that_is_not_fixed_is_a_setting() -> None:
    default = Config(data=Path())
    sections = {part.name: getattr(default, part.name) for part in dataclasses.fields(Config) if part.name != "data"}
    names = {
        f"FOOTNOTE_{name}_{part.name}".upper()
        for name, section in sections.items()
        for part in dataclasses.fields(section)
        if not part.metadata.get("fixed")
    }
    assert names <= set(settings.variable_names())


def test_a_fixed_value_is_no_setting_and_its_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid, match=r"FOOTNOTE_READING_SECONDS_PER_PAGE in .*\.env is not a setting"):
        load(tmp_path, "FOOTNOTE_READING_SECONDS_PER_PAGE=5\n")


def test_a_variable_reaches_core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_READING_MAX_PAGES", "7")
    monkeypatch.setenv("FOOTNOTE_DATA", str(tmp_path / "papers"))
    config = load(
        tmp_path, "FOOTNOTE_READING_MAX_PAGES=9\nFOOTNOTE_LLM_MAX_TOKENS=300\nFOOTNOTE_READING_OCR=no\n"
    ).config
    assert (config.reading.max_pages, config.llm.max_tokens, config.reading.ocr) == (7, 300, False)
    assert config.data == tmp_path / "papers"


def test_the_data_folder_of_the_command_line_wins(tmp_path: Path) -> None:
    assert settings.load(env_file=None, data=tmp_path / "x").data == tmp_path / "x"


def test_an_empty_value_means_the_default(tmp_path: Path) -> None:
    assert load(tmp_path, "FOOTNOTE_READING_MAX_PAGES=\nFOOTNOTE_DATA=\n").config.reading.max_pages == 500


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("FOOTNOTE_READING_MAX_PAGES", "0", "FOOTNOTE_READING_MAX_PAGES must lie between 1 and 100000, not 0."),
        ("FOOTNOTE_READING_WORKERS", "many", "FOOTNOTE_READING_WORKERS: input should be a valid integer"),
        ("FOOTNOTE_LOG_LEVEL", "loud", "FOOTNOTE_LOG_LEVEL: input should be 'debug', 'info', 'warning' or 'error'."),
        ("FOOTNOTE_QUESTIONS_AT_ONCE", "0", "FOOTNOTE_QUESTIONS_AT_ONCE: input should be greater than or equal to 1."),
        ("FOOTNOTE_READING_MAX_PAGE", "5", "did you mean FOOTNOTE_READING_MAX_PAGES?"),
        ("FOOTNOTE_READING", "{}", "FOOTNOTE_READING in the environment is not a setting"),
        ("FOOTNOTE_ZZZ", "1", "see .env.example"),
    ],
)
def test_a_setting_that_cannot_work_is_one_sentence_with_its_name(
    name: str, value: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsInvalid) as refused:
        load(tmp_path)
    assert sentence in refused.value.words
    assert "\n" not in refused.value.words


def test_an_unknown_name_in_the_file_is_refused_too(tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid, match=r"FOOTNOTE_AGENT_STRICTNES in .*\.env is not a setting"):
        load(tmp_path, "FOOTNOTE_AGENT_STRICTNES=1\n")


def test_names_of_others_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = load(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    assert load(tmp_path, "OPENAI_BASE_URL=http://elsewhere\n") == plain


def test_the_example_lists_every_setting_with_its_default_and_a_line_on_it() -> None:
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()
    listed = {}
    for before, line in zip(["", *lines], lines, strict=False):
        if found := re.fullmatch(r"(FOOTNOTE_\w+)=(.*)", line):
            listed[found[1]] = found[2]
            assert before.startswith("# "), f"{found[1]} has no explanation"
    assert listed == defaults()


def test_the_example_itself_is_a_valid_settings_file() -> None:
    assert settings.load(env_file=EXAMPLE) == settings.load(env_file=None)
