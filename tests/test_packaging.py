import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("adapters", "bot", "core")
BUILT_FROM = ("pyproject.toml", "README.md", "LICENSE")


def test_the_wheel_holds_bot_core_and_adapters_with_all_their_files_and_nothing_else(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for name in BUILT_FROM:
        shutil.copy(ROOT / name, source)
    for name in (*PACKAGES, "evals", "tests"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*build, "--wheel-dir", str(tmp_path), str(source)], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("footnote-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    files = (file for name in PACKAGES for file in (ROOT / name).rglob("*") if file.is_file())
    expected = {file.relative_to(ROOT).as_posix() for file in files if "__pycache__" not in file.parts}
    assert packed == expected
