import asyncio
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest

from core.config import EmbedderConfig
from core.domain.errors import ModelUnavailable
from core.search import embedder as embedders
from core.search import open_embedder
from core.search.encoder_runtimes import OnnxTextEncoder, batches_by_length
from core.search.model_files import Prefixes, embedding_dimension, locate_model, model_prefixes, packaged_model_folder

ROOT = Path(__file__).resolve().parents[3]
TEXTS = ["wheat yield fell", "the heat of a star and the silver particle of a star 1 2 3", "silver"]


@pytest.mark.slow
async def test_the_exported_model_gives_the_vectors_of_its_original(models: Path) -> None:
    from sentence_transformers import SentenceTransformer

    found = await open_embedder(EmbedderConfig(cache=models)).passages(TEXTS)
    want = SentenceTransformer(str(packaged_model_folder()), device="cpu").encode(TEXTS, normalize_embeddings=True)
    assert np.allclose(found, want, atol=1e-5)


def test_once_exported_torch_is_not_even_imported_and_attention_is_one_step_a_layer(models: Path) -> None:
    script = f"""
import asyncio, sys
from pathlib import Path
from core.config import EmbedderConfig
from core.search import open_embedder
embedder = open_embedder(EmbedderConfig(cache=Path({str(models)!r})))
rows = asyncio.run(embedder.passages(["wheat", "star"]))
print(rows.shape, [name for name in ("torch", "transformers", "sentence_transformers") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "(2, 384) []"
    digest = open_embedder(EmbedderConfig(cache=models)).identity.partition("@")[2].partition("/")[0]
    (exported,) = models.glob(f"embedder-{digest}-fp32-*/model.onnx")
    assert sum(node.op_type == "Attention" for node in onnx.load(exported).graph.node) == 6, "one for each layer"


@pytest.mark.slow
async def test_pooling_dense_layer_and_prompt_of_another_model_are_kept(tiny_encoder: Path, models: Path) -> None:
    from sentence_transformers import SentenceTransformer

    config = EmbedderConfig(model=str(tiny_encoder), cache=models)
    embedder = open_embedder(config)
    original = SentenceTransformer(str(tiny_encoder), device="cpu")
    want = original.encode(TEXTS, normalize_embeddings=True)
    assert embedder.dimension == 24 == want.shape[1]
    assert np.allclose(await embedder.passages(TEXTS), want, atol=1e-5)
    asked = original.encode_query("wheat yield", normalize_embeddings=True)
    assert np.allclose(await embedder.query("wheat yield"), asked, atol=1e-5)
    plain = await open_embedder(EmbedderConfig(model=str(tiny_encoder), onnx=False)).passages(TEXTS)
    assert np.allclose(plain, want, atol=1e-5)


@pytest.mark.slow
async def test_a_model_that_does_not_export_runs_as_it_is(
    tiny_encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", shutil.which("false"))  # the process that exports fails
    embedder = open_embedder(EmbedderConfig(model=str(tiny_encoder), cache=tmp_path))
    want = await open_embedder(EmbedderConfig(model=str(tiny_encoder), onnx=False)).passages(TEXTS)
    assert np.allclose(await embedder.passages(TEXTS), want, atol=1e-5)


@pytest.mark.slow
async def test_int8_is_another_collection_and_stays_near(models: Path) -> None:
    whole = open_embedder(EmbedderConfig(cache=models))
    small = open_embedder(EmbedderConfig(cache=models, int8=True))
    assert whole.identity != small.identity
    near = (await whole.passages(TEXTS) * await small.passages(TEXTS)).sum(axis=1)
    assert near.min() > 0.95 and near.min() < 0.99999


async def test_the_model_is_loaded_once_however_many_ask_at_once(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loads: list[Path] = []

    class Counted(OnnxTextEncoder):
        def __init__(self, folder: Path, *, threads: int, batch: int) -> None:
            loads.append(folder)
            super().__init__(folder, threads=threads, batch=batch)

    monkeypatch.setattr(embedders, "OnnxTextEncoder", Counted)
    embedder = open_embedder(EmbedderConfig(cache=models))
    assert loads == []
    await asyncio.gather(*(embedder.query(text) for text in TEXTS))
    assert len(loads) == 1


@pytest.mark.parametrize("model", ["/nowhere/at/all", "./not-here"])
async def test_a_folder_that_is_not_there_is_said_in_words(model: str) -> None:
    with pytest.raises(ModelUnavailable, match="does not exist"):
        await open_embedder(EmbedderConfig(model=model)).query("wheat")


async def test_a_folder_without_a_model_is_said_in_words(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="holds no sentence-transformers model"):
        await open_embedder(EmbedderConfig(model=str(tmp_path))).query("wheat")


def test_the_default_is_packaged_by_both_its_names() -> None:
    assert (
        locate_model("all-MiniLM-L6-v2")
        == locate_model("sentence-transformers/all-MiniLM-L6-v2")
        == packaged_model_folder()
    )
    assert embedding_dimension(packaged_model_folder()) == 384


def test_prefixes_come_from_settings_then_model_then_family(tmp_path: Path) -> None:
    named = {"prompts": {"query": "query : ", "document": ""}}
    (tmp_path / "config_sentence_transformers.json").write_text(json.dumps(named))
    own = model_prefixes(tmp_path, EmbedderConfig(model=str(tmp_path)))
    assert own == Prefixes(query="query : ")
    assert model_prefixes(tmp_path, EmbedderConfig(model=str(tmp_path), query_prefix="Q ")) == Prefixes(query="Q ")
    e5 = model_prefixes(packaged_model_folder(), EmbedderConfig(model="intfloat/multilingual-e5-small"))
    assert e5 == Prefixes(query="query: ", passage="passage: ")
    assert model_prefixes(packaged_model_folder(), EmbedderConfig()) == Prefixes()


def test_batches_hold_texts_of_like_length() -> None:
    assert list(batches_by_length([3, 9, 1, 8, 2], 2)) == [[1, 3], [0, 4], [2]]


@pytest.mark.slow
async def test_warming_loads_a_model_that_was_exported_and_exports_none(
    tiny_encoder: Path, models: Path, tmp_path: Path
) -> None:
    cold = embedders.LocalEmbedder(EmbedderConfig(model=str(tiny_encoder), cache=tmp_path))
    await cold.warm()
    assert not cold.ready
    config = EmbedderConfig(model=str(tiny_encoder), cache=models)
    await open_embedder(config).query("wheat")
    second = embedders.LocalEmbedder(config)
    await second.warm()
    assert second.ready


async def test_warming_never_fails(tmp_path: Path) -> None:
    missing = embedders.LocalEmbedder(EmbedderConfig(model=str(tmp_path / "nowhere"), cache=tmp_path))
    await missing.warm()
    assert not missing.ready
