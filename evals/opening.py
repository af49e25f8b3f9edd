"""Opens Footnote for a run: its settings, and a data folder in which papers once read are found again.

The folder's name holds a fingerprint of the corpus and of everything that decides what a paper becomes in the
library (the code of reading and library, the settings of reader and embedder), so that a change there reads the
papers anew and a change anywhere else does not.
"""

import argparse
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import core
from core.config import Config
from evals import datasets
from evals.datasets import Corpus
from evals.reports import Json

RESULTS = Path(__file__).parent / "results"
"""Where results and cached data go unless said otherwise; never part of the repository."""

_DECIDES = ("reading", "library", "text", "domain/model.py", "assistant/papers/ingest.py")


def arguments(command: str, about: str) -> argparse.ArgumentParser:
    """What every measurement over a corpus is given; a command adds its own."""
    wanted = argparse.ArgumentParser(prog=f"python -m evals.{command}", description=about)
    wanted.add_argument("--corpus", type=Path, required=True, metavar="DIR")
    wanted.add_argument("--data", type=Path, metavar="DIR", help="where papers once read are found again")
    wanted.add_argument("--out", type=Path, metavar="FILE", help="also write JSON there")
    wanted.add_argument("--set", action="append", default=[], metavar="PART.NAME=VALUE")
    return wanted


def opened(wanted: argparse.ArgumentParser) -> tuple[argparse.Namespace, Corpus, Config]:
    """What was given for ``wanted`` of ``arguments``, with corpus and settings; ends the run where one is wrong."""
    given = wanted.parse_args()
    try:
        corpus = datasets.load(given.corpus)
        return given, corpus, configured(corpus, given.data, given.set)
    except (datasets.CorpusInvalid, SettingUnknown) as error:
        wanted.exit(2, f"{error}\n")


class SettingUnknown(Exception):
    """A ``--set`` names no setting, or gives it a value of the wrong kind."""


def configured(corpus: Corpus, data: Path | None, changes: Sequence[str]) -> Config:
    """The environment's settings with ``changes`` ("reading.ocr=no") and a data folder. Raises ``SettingUnknown``."""
    from bot.settings import load

    config = load(env_file=None).config
    for change in changes:
        config = _changed(config, change)
    models = config.embedder.cache or RESULTS / "models"
    config = replace(config, embedder=replace(config.embedder, cache=models))
    return replace(config, data=data or RESULTS / "data" / f"{corpus.fingerprint}-{code_key(config)}")


def code_key(config: Config) -> str:
    """Changes with whatever decides what a paper becomes in the library."""
    digest = hashlib.sha256(repr((config.reading, replace(config.embedder, cache=None))).encode())
    root = Path(next(iter(core.__path__)))
    for name in _DECIDES:
        place = root / name
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def recorded(config: Config) -> dict[str, Json]:
    """The settings as they are kept with a run, without folders of this machine."""
    parts: dict[str, Any] = {part.name: getattr(config, part.name) for part in fields(config)}
    shown = {
        name: asdict(value) for name, value in parts.items() if is_dataclass(value) and not isinstance(value, type)
    }
    for part in shown.values():
        for name in [name for name, value in part.items() if isinstance(value, Path)]:
            del part[name]
    return dict(shown)


def _changed(config: Config, change: str) -> Config:
    name, _, value = change.partition("=")
    part_name, _, field_name = name.partition(".")
    part = getattr(config, part_name, None)
    old = getattr(part, field_name, None)
    if part is None or old is None or not is_dataclass(part) or isinstance(part, type):
        raise SettingUnknown(f"there is no setting {name!r}; an example is reading.max_pages=20")
    try:
        new = _as(old, value)
        changes: Mapping[str, Any] = {part_name: replace(part, **{field_name: new})}
        return replace(config, **changes)
    except ValueError as error:
        raise SettingUnknown(f"{change}: {error}") from error


def _as(old: object, value: str) -> object:
    """``value`` as the kind of the setting that it replaces."""
    if isinstance(old, bool):
        if value.lower() not in ("true", "false"):
            raise ValueError("must be true or false")
        return value.lower() == "true"
    if isinstance(old, int | float | str):
        return type(old)(value)
    raise ValueError("cannot be set here")
