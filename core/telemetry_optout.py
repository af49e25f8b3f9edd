"""Libraries that would report home, trace or look for models on the net are told not to, before they load.

It stands apart because every door into core needs it (the bot, the evaluation, a reader's own process), and
because two of these libraries read their switch once, natively, as they load: ONNX Runtime sends telemetry
unless its variable is set by then.
"""

import os

SWITCHES = {
    "ORT_DISABLE_TELEMETRY": "1",
    "LANGSMITH_TRACING": "false",
    "LANGCHAIN_TRACING_V2": "false",
    "LANGSMITH_TRACING_V2": "false",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "TOKENIZERS_PARALLELISM": "false",
}


def disable_telemetry() -> None:
    """Set the switches for this process and those it starts, whatever the environment says. Cheap; repeatable."""
    os.environ.update(SWITCHES)
