"""Small models with random weights, saved as real ones are: what the code does with a model, without a download."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformers import BertConfig

WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] wheat yield heat star silver particle fell and the of a 1 2 3 query passage :"


def _tokenizer(folder: Path) -> None:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    vocabulary = {word: number for number, word in enumerate(WORDS.split())}
    plain = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    plain.normalizer = normalizers.Lowercase()
    plain.pre_tokenizer = pre_tokenizers.Whitespace()
    plain.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    PreTrainedTokenizerFast(
        tokenizer_object=plain,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        model_max_length=64,
        model_input_names=["input_ids", "attention_mask", "token_type_ids"],
    ).save_pretrained(folder)


def _config(labels: int) -> "BertConfig":
    from transformers import BertConfig

    return BertConfig(
        vocab_size=len(WORDS.split()),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
        num_labels=labels,
    )


def save_tiny_cross_encoder(folder: Path) -> Path:
    """A BERT with one output for a pair of texts."""
    import torch
    from transformers import BertForSequenceClassification

    torch.manual_seed(3)
    BertForSequenceClassification(_config(1)).save_pretrained(folder)
    _tokenizer(folder)
    return folder


def save_tiny_inference_model(folder: Path, label: str) -> Path:
    """A BERT that answers every pair with ``label``: "contradiction", "entailment" or "neutral"."""
    import torch
    from transformers import BertForSequenceClassification

    names = ["contradiction", "entailment", "neutral"]
    config = _config(len(names))
    config.id2label = {index: name.upper() for index, name in enumerate(names)}
    torch.manual_seed(5)
    model = BertForSequenceClassification(config)
    with torch.no_grad():
        model.classifier.weight.zero_()
        model.classifier.bias.copy_(torch.tensor([9.0 if name == label else 0.0 for name in names]))
    model.save_pretrained(folder)
    _tokenizer(folder)
    return folder


def save_tiny_encoder(folder: Path, *, pooling: str = "cls", prompts: dict[str, str] | None = None) -> Path:
    """A sentence-transformers model with another pooling than the default one's, and without normalisation."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers import models as modules
    from transformers import BertModel

    torch.manual_seed(4)
    bare = folder / "bare"
    BertModel(_config(2)).save_pretrained(bare)
    _tokenizer(bare)
    word = modules.Transformer(str(bare), max_seq_length=48)
    pool = modules.Pooling(32, pooling_mode=pooling)
    dense = modules.Dense(in_features=32, out_features=24)
    SentenceTransformer(modules=[word, pool, dense], prompts=prompts or {}, device="cpu").save(str(folder / "model"))
    return folder / "model"
