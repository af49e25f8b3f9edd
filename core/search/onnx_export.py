"""Exports a sentence-transformers model to ONNX once, in a process of its own.

It stands alone because it is the only code that needs torch for the default set-up: the bot starts it as
``python -m core.search.onnx_export`` and so never imports torch itself. What it writes is complete: graph with pooling
and normalisation inside, tokeniser, and a description. It is checked against the original before it is kept.
"""

import json
import shutil
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Literal, TypeAlias

from core.search.encoder_runtimes import OnnxTextEncoder
from core.search.model_files import ExportedModelConfig

ModelHead: TypeAlias = Literal["embedding", "pair score"]
_PROBES = (
    "A short sentence.",
    "Measured values are given with their standard error; longer texts are padded to the longest one of a batch.",
    "温度",
)
_WORST_COSINE = 0.999
_WORST_COSINE_INT8 = 0.95


def export_model(source: Path, target: Path, *, head: ModelHead, int8: bool) -> None:
    """Write ``target`` (a folder that does not exist yet) from the model in ``source``; all or nothing.

    Raises whatever torch, transformers or the check raises; the caller is another process and falls back.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=target.name, dir=target.parent))
    try:
        (_export_embedding if head == "embedding" else _export_pair_score)(source, work)
        if int8:
            _quantise(work)
        if head == "embedding":
            _check_embedding(source, work, _WORST_COSINE_INT8 if int8 else _WORST_COSINE)
            if not int8:
                _fuse_operators(source, work)
        if not target.exists():
            work.replace(target)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _export_embedding(source: Path, work: Path) -> None:
    import torch
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(source), device="cpu", model_kwargs={"attn_implementation": "eager"}).eval()
    sample = model.preprocess(list(_PROBES[:2]))
    names = tuple(name for name in ("input_ids", "attention_mask", "token_type_ids") if name in sample)

    class Whole(torch.nn.Module):  # type: ignore[misc]
        """All modules of the model as one function of tensors."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *tensors: object) -> object:
            return self.model(dict(zip(names, tensors, strict=True)))["sentence_embedding"]

    _trace(Whole(), names, tuple(sample[name] for name in names), work)
    _save_tokeniser(model.tokenizer, work, names, int(model.max_seq_length or 512), bool(_is_lower_casing(model)))


def _export_pair_score(source: Path, work: Path) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(str(source), local_files_only=True)
    model = AutoModelForSequenceClassification.from_pretrained(
        str(source), local_files_only=True, attn_implementation="eager"
    ).eval()
    sample = tokenizer(list(_PROBES[:2]), list(_PROBES[1:3]), padding=True, return_tensors="pt")
    names = tuple(name for name in ("input_ids", "attention_mask", "token_type_ids") if name in sample)

    class Scores(torch.nn.Module):  # type: ignore[misc]
        """The first logit of each pair."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *tensors: object) -> object:
            return self.model(**dict(zip(names, tensors, strict=True))).logits[:, 0]

    _trace(Scores(), names, tuple(sample[name] for name in names), work)
    window = min(int(tokenizer.model_max_length), int(getattr(model.config, "max_position_embeddings", 512)), 512)
    _save_tokeniser(tokenizer, work, names, window, False)


def _is_lower_casing(model: object) -> bool:
    first = model[0]  # type: ignore[index]
    return bool(getattr(first, "do_lower_case", False))


def _trace(module: object, names: tuple[str, ...], tensors: tuple[object, ...], work: Path) -> None:
    import torch

    axes: dict[str, dict[int, str]] = {name: {0: "texts", 1: "tokens"} for name in names}
    with torch.no_grad():
        torch.onnx.export(
            module,
            tensors,
            str(work / "model.onnx"),
            input_names=list(names),
            output_names=["out"],
            dynamic_axes={**axes, "out": {0: "texts"}},
            opset_version=17,
            dynamo=False,
        )


def _save_tokeniser(tokenizer: object, work: Path, names: tuple[str, ...], window: int, lower: bool) -> None:
    backend = tokenizer.backend_tokenizer  # type: ignore[attr-defined]
    backend.no_padding()
    backend.no_truncation()
    backend.save(str(work / "tokenizer.json"))
    pad = int(getattr(tokenizer, "pad_token_id", 0) or 0)
    described = ExportedModelConfig(inputs=names, window=window, pad_id=pad, lower=lower)
    (work / "exported.json").write_text(json.dumps(asdict(described)))


def _quantise(work: Path) -> None:
    """Per channel and matrix products only: quantising everything per tensor costs a fifth of the top ten."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    whole = work / "model.onnx"
    small = work / "small.onnx"
    quantize_dynamic(
        str(whole), str(small), per_channel=True, weight_type=QuantType.QInt8, op_types_to_quantize=["MatMul"]
    )
    small.replace(whole)


def _fuse_operators(source: Path, work: Path) -> None:
    """Attention and the norms around it as one step each: a seventh less for a question, and half the time to load.

    A model whose parts are not known to onnxruntime's optimiser, or that is no longer itself, stays as it was.
    """
    whole, kept = work / "model.onnx", work / "kept.onnx"
    whole.replace(kept)
    try:
        from onnxruntime.transformers import optimizer

        known = json.loads((source / "config.json").read_text(encoding="utf-8"))
        heads, width = known["num_attention_heads"], known["hidden_size"]
        fused = optimizer.optimize_model(str(kept), model_type="bert", num_heads=heads, hidden_size=width, opt_level=0)
        fused.save_model_to_file(str(whole))
        _check_embedding(source, work, _WORST_COSINE)
    except Exception as cause:
        sys.stderr.write(f"not fused: {cause}\n")
        kept.replace(whole)
    kept.unlink(missing_ok=True)


def _check_embedding(source: Path, work: Path, worst: float) -> None:
    from sentence_transformers import SentenceTransformer

    want = SentenceTransformer(str(source), device="cpu").encode(list(_PROBES), normalize_embeddings=True)
    got = OnnxTextEncoder(work, threads=1, batch=len(_PROBES)).unit_vectors(list(_PROBES))
    cosine = float((want * got).sum(axis=1).min())
    if cosine < worst:
        raise ValueError(f"the exported model differs from its original (cosine {cosine:.4f})")


def main(arguments: list[str]) -> int:
    """``SOURCE TARGET (embedding|pair score) (fp32|int8)``; the caller reads the last line of stderr."""
    source, target, head, precision = arguments
    if head == "embedding":
        export_model(Path(source), Path(target), head="embedding", int8=precision == "int8")
    else:
        export_model(Path(source), Path(target), head="pair score", int8=precision == "int8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
