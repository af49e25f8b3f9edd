"""``footnote model``: tried by control questions, told in plain words, written into the settings and nowhere else."""

import os
import stat
from pathlib import Path

import pytest

from bot import settings
from bot.cli.app import run
from bot.env_file import write_settings
from core.domain.errors import SettingsInvalid
from core.llm import discovery
from tests.llm.control_replies import AGREEING, replying
from tests.llm.scripted_server import Says, Script, ScriptedServer

Output = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.upper().startswith(settings.PREFIX)]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(discovery, "USUAL_PORTS", ())
    return tmp_path


def footnote(*words: str) -> int:
    return run(["--data", "data", "model", *words])


def connected(script: Script, *words: str) -> tuple[int, int]:
    """The exit code, and how many calls were made."""
    with ScriptedServer(script) as server:
        code = footnote("connect", server.url, *words)
    return code, sum(request.path.endswith("completions") for request in server.requests)


def test_a_model_is_tried_told_and_written_into_the_settings(capsys: Output) -> None:
    Path(".env").write_text(
        "# ours\nFOOTNOTE_LOG_LEVEL=info\nFOOTNOTE_LLM_MODEL=old\nFOOTNOTE_LLM_BASE_URL=http://old/v1\n"
    )
    code, calls = connected(replying())
    told = capsys.readouterr().out
    assert (code, calls) == (0, 4)
    assert "writes answers, each sentence with its quote" in told
    assert "4 calls of the control questions took" in told and "tokens read" in told
    written = Path(".env").read_text()
    assert written.startswith("# ours\nFOOTNOTE_LOG_LEVEL=info\nFOOTNOTE_LLM_MODEL=scripted\n")
    assert stat.S_IMODE(Path(".env").stat().st_mode) == 0o600
    loaded = settings.load(env_file=Path(".env"))
    assert loaded.llm.model == "scripted" and loaded.llm.base_url.endswith("/v1")
    assert footnote() == 0
    assert "scripted at http" in capsys.readouterr().out


def test_a_model_that_fails_at_claims_is_told_to_be_used_for_less(capsys: Output) -> None:
    code, _ = connected(replying(reading=AGREEING))
    told = capsys.readouterr().out
    assert code == 0
    assert "it gives search words only" in told and "took a false sentence for a true one" in told


def test_a_model_that_is_of_no_use_is_not_written(capsys: Output) -> None:
    connected(lambda _: Says(text="I like birds."))
    assert "Nothing was written" in capsys.readouterr().out
    assert not Path(".env").exists()


def test_a_key_is_asked_for_hidden_and_goes_to_its_own_server_alone(
    capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []

    def prompt(words: str, *, hide_input: bool, err: bool) -> str:
        asked.append(hide_input)
        return "sk-mine"

    monkeypatch.setattr("click.prompt", prompt)
    with ScriptedServer(replying(), key="sk-mine") as server:
        assert footnote("connect", server.url) == 0
        assert footnote("connect", server.url) == 0
    shown = capsys.readouterr()
    assert asked == [True]
    assert "sk-mine" not in shown.out + shown.err
    assert settings.load(env_file=Path(".env")).llm.api_key == "sk-mine"
    with ScriptedServer(replying()) as other:
        assert footnote("connect", other.url) == 0
        assert not any("authorization" in request.headers for request in other.requests)
    assert settings.load(env_file=Path(".env")).llm.api_key == ""


def test_the_only_server_on_this_machine_needs_no_address(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    assert footnote("connect") != 0
    assert "No server of language models answers" in capsys.readouterr().err
    with ScriptedServer(replying()) as server, ScriptedServer(replying()) as second:
        monkeypatch.setattr(discovery, "USUAL_PORTS", (("Ollama", server.port),))
        assert footnote() == 0
        assert "(the port of Ollama)\n    scripted" in capsys.readouterr().out
        assert footnote("connect") == 0
        monkeypatch.setattr(discovery, "USUAL_PORTS", (("Ollama", server.port), ("vLLM", second.port)))
        assert footnote("connect") != 0
        assert "Several servers answer here" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [((), "Which model? "), (("--model", "qwen-7"), "has no model qwen-7; it has qwen-7b, qwen-70b.")],
)
def test_a_model_that_is_not_clear_is_asked_for(words: tuple[str, ...], sentence: str, capsys: Output) -> None:
    pages = {"/v1/models": {"data": [{"id": "qwen-7b"}, {"id": "qwen-70b"}]}}
    with ScriptedServer(replying(), pages=pages) as server:
        assert footnote("connect", server.url, *words) == 2
    assert sentence in capsys.readouterr().err
    assert not Path(".env").exists()


def test_a_context_that_the_server_tells_is_set(capsys: Output) -> None:
    pages = {"/v1/models": {"data": [{"id": "m", "max_model_len": 40_960}]}}
    with ScriptedServer(replying(), pages=pages) as server:
        assert footnote("connect", server.url) == 0
    assert "takes in 40,960 tokens" in capsys.readouterr().out
    assert settings.load(env_file=Path(".env")).llm.context_tokens == 40_960


def test_a_variable_of_the_environment_that_wins_is_told(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_LLM_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("FOOTNOTE_LLM_MODEL", "other")
    connected(replying())
    assert "FOOTNOTE_LLM_BASE_URL, FOOTNOTE_LLM_MODEL otherwise and wins" in capsys.readouterr().out


def test_values_of_any_kind_are_read_back_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "link.env"
    file.symlink_to(tmp_path / "real.env")
    values = {"FOOTNOTE_LLM_API_KEY": "a b#c'd\"e$f\\g", "FOOTNOTE_LLM_MODEL": "org/model:7b", "FOOTNOTE_DATA": ""}
    assert write_settings(file, values) == tmp_path / "real.env"
    assert file.is_symlink()
    from dotenv import dotenv_values

    assert dotenv_values(file) == values
    assert "FOOTNOTE_LLM_MODEL=org/model:7b\n" in file.read_text()
    assert sorted(path.name for path in tmp_path.glob("*.env*")) == ["link.env", "real.env"]


def test_a_settings_file_that_cannot_be_written_stays_as_it_was(tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid, match="nothing was changed"):
        write_settings(tmp_path / "gone" / ".env", {"FOOTNOTE_LLM_MODEL": "m"})
    (tmp_path / ".env").write_bytes(b"\xff\xfe")
    with pytest.raises(SettingsInvalid, match="no text"):
        write_settings(tmp_path / ".env", {"FOOTNOTE_LLM_MODEL": "m"})
    assert (tmp_path / ".env").read_bytes() == b"\xff\xfe"
    assert len(list(tmp_path.glob(".env*"))) == 1


def test_a_hub_that_cannot_be_reached_is_told_in_one_sentence(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    assert footnote("fetch", "reranker") == 1
    assert "could not be fetched from" in capsys.readouterr().err
    assert footnote("fetch", "birds") == 4
    assert "those that can be are: reranker" in capsys.readouterr().err
