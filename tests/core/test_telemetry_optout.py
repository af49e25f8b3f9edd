"""No library reports home: the switches hold whatever the environment says, in this process and its children."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.telemetry_optout import SWITCHES, disable_telemetry

_RUN_A_MODEL = """
import pathlib, sys, time
if sys.argv[1] == "silent":
    from core.telemetry_optout import disable_telemetry
    disable_telemetry()
import onnxruntime
from onnx import TensorProto, helper
one = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in "xy"]
graph = helper.make_graph([helper.make_node("Identity", ["x"], ["y"])], "g", one[:1], one[1:])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
time.sleep(0.5)
print(sum(path.is_file() for path in pathlib.Path.home().rglob("*")))
"""


def _files_left_at_home(mode: str, home: Path) -> int:
    environment = {**os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache")}
    environment.pop("ORT_DISABLE_TELEMETRY", None)
    command = [sys.executable, "-c", _RUN_A_MODEL, mode]
    return int(subprocess.run(command, capture_output=True, text=True, env=environment, check=True).stdout)


def test_the_switches_hold_against_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SWITCHES:
        monkeypatch.setenv(name, "true")
    disable_telemetry()
    assert os.environ["LANGSMITH_TRACING"] == os.environ["LANGCHAIN_TRACING_V2"] == "false"
    assert os.environ["ORT_DISABLE_TELEMETRY"] == "1"


def test_a_model_runtime_keeps_no_device_id_and_no_queue_of_reports(tmp_path: Path) -> None:
    assert _files_left_at_home("silent", tmp_path) == 0
