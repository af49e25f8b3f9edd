import io
import json
import logging

import pytest

from bot import observability

SECRETS = [
    "xoxb-1234567890-abcdefGHIJ",
    "xapp-1-A0B1C2-99-deadbeef",
    "M" + "A" * 23 + "." + "b" * 6 + "." + "c" * 30,
    "sk-proj-abcdef123456",
    "hf_abcdefghijklmnop",
    "ghp_abcdefghijklmnop1234",
]


@pytest.mark.parametrize("secret", SECRETS)
def test_nothing_that_looks_like_a_secret_is_left(secret: str) -> None:
    assert observability.redact(f"sent {secret} away") == f"sent {observability.BLOT} away"


@pytest.mark.parametrize(
    ("line", "clean"),
    [
        ("Authorization: Bearer abc.def-ghi", "Authorization: Bearer [redacted]"),
        ("http://user:pass@host/x", "http://[redacted]@host/x"),
        ("GET /f?token=abc&x=1", "GET /f?token=[redacted]&x=1"),
        ("password=hunter2 next", "password=[redacted] next"),
    ],
)
def test_secrets_in_headers_and_addresses_go_and_the_rest_stays(line: str, clean: str) -> None:
    assert observability.redact(line) == clean


def test_a_secret_of_the_settings_goes_whatever_it_looks_like() -> None:
    assert observability.redact("said plainword here", frozenset({"plainword"})) == "said [redacted] here"


def test_ordinary_words_stay() -> None:
    line = "event=job ended kind=QuestionAsked job=17 trace=1a2b3c4d slack:T1 sk-1"
    assert observability.redact(line) == line


def test_a_json_line_has_event_fields_and_trace(capsys: pytest.CaptureFixture[str]) -> None:
    stream = io.StringIO()
    observability.configure_logging(level="info", form="json", stream=stream)
    with observability.tracing("1a2b3c4d"):
        observability.Log("bot.test").info("job ended", job=17, token="xoxb-1234567890-abc")
    line = json.loads(stream.getvalue())
    assert (line["event"], line["job"], line["trace"], line["token"]) == (
        "job ended",
        17,
        "1a2b3c4d",
        observability.BLOT,
    )


def test_exceptions_are_redacted_too_and_shown_only_when_debugging() -> None:
    quiet, loud = io.StringIO(), io.StringIO()
    for stream, level in ((quiet, "info"), (loud, "debug")):
        observability.configure_logging(level=level, form="text", stream=stream)
        try:
            raise ValueError("words of a paper and xoxb-1234567890-abc")
        except ValueError as fault:
            observability.Log("bot.test").error("job broke", fault, job=3)
    assert "words of a paper" not in quiet.getvalue() and "error=ValueError" in quiet.getvalue()
    assert "where=tests.bot.test_observability" in quiet.getvalue()
    assert "words of a paper" in loud.getvalue() and "xoxb" not in loud.getvalue()


def test_other_libraries_are_held_to_warnings() -> None:
    stream = io.StringIO()
    observability.configure_logging(level="debug", form="text", stream=stream)
    logging.getLogger("somebody.else").info("chatter")
    logging.getLogger("somebody.else").warning("trouble")
    assert "chatter" not in stream.getvalue() and "trouble" in stream.getvalue()


def test_setting_up_again_does_not_double_the_lines() -> None:
    stream = io.StringIO()
    for _ in range(3):
        observability.configure_logging(level="info", form="text", stream=stream)
    observability.Log("bot.test").info("once")
    assert stream.getvalue().count("once") == 1


def test_trace_ids_are_short_and_differ() -> None:
    traces = {observability.new_trace() for _ in range(50)}
    assert len(traces) == 50 and all(len(trace) == 8 for trace in traces)
