"""Sets up the virtual environment with the exact versions of requirements.lock.

It stands apart from the Makefile because one choice is too long for a recipe: torch. Its ordinary Linux
wheel brings several gigabytes of CUDA, so a CPU build is taken wherever one can be had: a wheel at hand (a
folder ``wheels`` here, or pip's own find-links), the user's index (TORCH_INDEX), or uv's torch
back end. Where none can be had, whatever installs is taken. Needs nothing but Python.
"""

import argparse
import os
import platform
import shutil
import subprocess
import sys
import time
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent


def main() -> int:
    """Create the environment and install into it; returns the exit status."""
    options = argparse.ArgumentParser(description="Set Footnote up.")
    options.add_argument("--venv", type=Path, default=HERE / ".venv")
    options.add_argument("--run-time-only", action="store_true", help="leave out what only tests and checks need")
    given = options.parse_args()
    began = time.monotonic()
    if not (given.venv / "bin" / "python").exists() and not (given.venv / "Scripts" / "python.exe").exists():
        print(f"Making a virtual environment in {given.venv} …", flush=True)
        venv.EnvBuilder(with_pip=True).create(given.venv)
    python = _python(given.venv)
    if not _has_torch(python):
        _install_torch(python, _pinned(HERE / "requirements.lock", "torch"))
    print("Installing the other packages (about 1 GB) …", flush=True)
    # The lock serves as constraints: what is installed follows pyproject.toml, in exactly the locked versions.
    wanted = [str(HERE)] if given.run_time_only else ["--editable", f"{HERE}[dev,evals]"]
    code = _pip(python, "--constraint", str(HERE / "requirements.lock"), *wanted)
    if code == 0:
        print(f"Set up in {time.monotonic() - began:.0f} s.", flush=True)
    return code


def _python(folder: Path) -> Path:
    unix = folder / "bin" / "python"
    return unix if unix.exists() else folder / "Scripts" / "python.exe"


def _pip(python: Path, *words: str, quiet: bool = False) -> int:
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *words]
    if quiet:
        return subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    return subprocess.run(command, check=False).returncode


def _has_torch(python: Path) -> bool:
    asked = "import importlib.metadata as m; m.version('torch')"
    found = subprocess.run([str(python), "-c", asked], capture_output=True)
    return found.returncode == 0


def _pinned(lock: Path, name: str) -> str:
    for line in lock.read_text(encoding="utf-8").splitlines():
        if line.lower().startswith(f"{name}=="):
            return line.split(";")[0].strip()
    return name


def _install_torch(python: Path, torch: str) -> None:
    """Try the small builds first; the last try's failure is left to the install that follows."""
    wanted = ["numpy"]  # torch itself asks for it only at run time
    if platform.system() != "Linux":
        _pip(python, torch, *wanted)  # elsewhere the ordinary wheel is the CPU build
        return
    print("Looking for a CPU build of torch …", flush=True)
    at_hand = [f"--find-links={HERE / 'wheels'}"] if (HERE / "wheels").is_dir() else []
    if _pip(python, "--no-index", "--no-deps", *at_hand, torch, quiet=True) == 0:
        print("Took the torch wheel at hand.", flush=True)
        return
    index = os.environ.get("TORCH_INDEX", "")
    if index and _pip(python, "--index-url", index, torch) == 0:
        print("Took torch from TORCH_INDEX.", flush=True)
        return
    uv = shutil.which("uv")
    if uv is not None:
        command = [uv, "pip", "install", "--quiet", "--python", str(python), "--torch-backend", "cpu", torch]
        if subprocess.run(command, check=False).returncode == 0:
            print("Took uv's CPU build of torch.", flush=True)
            return
    print("No CPU build found; taking the ordinary wheel (several gigabytes on Linux, so have patience) …", flush=True)
    _pip(python, torch)


if __name__ == "__main__":
    sys.exit(main())
