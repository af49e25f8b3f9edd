"""Settings of Footnote for a run, and a data folder in which papers that were read once are found again.

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

_READING_CODE = ("reading", "library", "text", "domain/model.py", "assistant/papers/ingest.py")


def add_corpus_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of every measurement over a corpus."""
    parser.add_argument("--corpus", type=Path, required=True, metavar="DIR", help="a folder with papers and questions")
    parser.add_argument("--data", type=Path, metavar="DIR", help="keep and reuse the read papers here")
    parser.add_argument(
        "--set", action="append", default=[], metavar="PART.NAME=VALUE", help="change a setting, as search.k=20"
    )


def open_corpus(options: argparse.Namespace) -> tuple[Corpus, Config]:
    """The corpus and the settings that these options name. Raises ``CorpusInvalid`` and ``SettingUnknown``."""
    corpus = datasets.load(options.corpus)
    return corpus, load_config(corpus, options.data, options.set)


class SettingUnknown(Exception):
    """A ``--set`` names no setting, or gives it a value of the wrong kind."""


def load_config(corpus: Corpus, data: Path | None, changes: Sequence[str]) -> Config:
    """The environment's settings with ``changes`` ("search.k=20") and a data folder. Raises ``SettingUnknown``."""
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
    for name in _READING_CODE:
        source = root / name
        for path in sorted(source.rglob("*.py")) if source.is_dir() else [source]:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def as_json(config: Config) -> dict[str, Json]:
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
