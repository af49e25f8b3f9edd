"""Every tunable of core as a frozen value with bounds and a default.

``bot/settings.py`` fills them from the environment, except for those whose field is ``FIXED``: code may choose these,
a deployment may not.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

FIXED: Mapping[str, bool] = {"fixed": True}
"""Metadata of a dataclass field that no environment variable sets."""


def _within(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise ValueError(f"{name} must lie between {low:g} and {high:g}, not {value:g}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingConfig:
    """Limits and choices of the PDF reader."""

    workers: int = 0
    """Reader processes; 0 takes one a core."""
    max_megabytes: float = 100.0
    max_pages: int = 500
    seconds_per_page: float = field(default=120.0, metadata=FIXED)
    """How long one page may take before its process is ended; OCR takes 10 to 15 seconds of a free core."""
    memory_megabytes: int = field(default=4_096, metadata=FIXED)
    """Address space that a reader process may use beyond what it has at start."""
    ocr: bool = True
    transcribed_pages: int = field(default=20, metadata=FIXED)
    """Most pages of a paper that a vision model, where one is set up, is shown because OCR can hardly read them."""

    def __post_init__(self) -> None:
        _within("workers", self.workers, 0, 64)
        _within("max_megabytes", self.max_megabytes, 0.001, 10_000)
        _within("max_pages", self.max_pages, 1, 100_000)
        _within("seconds_per_page", self.seconds_per_page, 1, 3_600)
        _within("memory_megabytes", self.memory_megabytes, 256, 1_000_000)
        _within("transcribed_pages", self.transcribed_pages, 0, 10_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderConfig:
    """Which embedder, and how it runs."""

    model: str = "all-MiniLM-L6-v2"
    """The packaged model by this name, or any sentence-transformers name or folder."""
    query_prefix: str = field(default="", metadata=FIXED)
    """Words that the model wants before a question; where both are empty, those known of the model are taken."""
    passage_prefix: str = field(default="", metadata=FIXED)
    onnx: bool = field(default=True, metadata=FIXED)
    """Export once to ONNX and run without torch; False keeps plain sentence-transformers."""
    int8: bool = field(default=False, metadata=FIXED)
    """Quantise the exported model to 8 bits: faster, slightly less exact."""
    cache: Path | None = None
    """Where exported models are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchConfig:
    """Whether a reranker reorders what was found."""

    reranker: str = ""
    """Empty, or a CrossEncoder name such as cross-encoder/ms-marco-MiniLM-L-6-v2."""
    rerank_seconds: float = field(default=4.0, metadata=FIXED)
    """Seconds after which the order stands as it was without the reranker."""

    def __post_init__(self) -> None:
        _within("rerank_seconds", self.rerank_seconds, 0.001, 600)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentConfig:
    """How much an answer must convince."""

    strictness: float = 0.5
    """Operating point of refusal: 0 answers whatever is found, 1 only what is beyond doubt."""
    entailment: str = ""
    """Name or folder of a cross-encoder for inference that reads sentences of a language model a second time, in place
    of that model; empty uses none.
    """

    def __post_init__(self) -> None:
        _within("strictness", self.strictness, 0, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmConfig:
    """An OpenAI-compatible endpoint; without address and model there is none and nothing is sent anywhere."""

    base_url: str = ""
    """For example http://127.0.0.1:11434/v1."""
    model: str = ""
    api_key: str = field(default="", repr=False)
    """Empty where the server wants none."""
    max_tokens: int = 2_048
    """Most tokens of one reply; a model that thinks before it replies is given four times as many."""
    timeout_seconds: float = 120.0
    """How long the model may be silent: until a whole short reply, or between two pieces of a streamed one."""
    concurrency: int = 2
    """Calls side by side; more wait their turn."""
    context_tokens: int = 4_096
    """What the model takes in at once, prompt and reply together; passages are chosen to fit. Of a vision model's, the
    picture has half and a reply the other.
    """
    prompt_price: float = 0.0
    """Price of a million tokens read, in whatever currency the bill comes in; 0 where it costs nothing."""
    reply_price: float = 0.0
    """The same of a million tokens written."""

    def __post_init__(self) -> None:
        if self.base_url and not self.base_url.startswith(("http://", "https://")):
            raise ValueError("base_url must begin with http:// or https://")
        if self.base_url and not self.model:
            raise ValueError("model must be set where an address is set")
        if self.model and not self.base_url:
            raise ValueError("base_url must be set where a model is set")
        _within("max_tokens", self.max_tokens, 16, 100_000)
        _within("timeout_seconds", self.timeout_seconds, 0.05, 3_600)
        _within("concurrency", self.concurrency, 1, 64)
        _within("prompt_price", self.prompt_price, 0, 1e6)
        _within("reply_price", self.reply_price, 0, 1e6)
        _within("context_tokens", self.context_tokens, 1_024, 10_000_000)

    @property
    def configured(self) -> bool:
        """Whether there is an endpoint to ask."""
        return bool(self.base_url and self.model)


@dataclass(frozen=True, slots=True, kw_only=True)
class VlmConfig(LlmConfig):
    """The endpoint of a vision model; how much it replies, and how fast, follows from its context and the page."""

    max_tokens: int = field(default=512, metadata=FIXED)
    timeout_seconds: float = field(default=60.0, metadata=FIXED)
    concurrency: int = field(default=2, metadata=FIXED)


@dataclass(frozen=True, slots=True, kw_only=True)
class LangsmithConfig:
    """Where traces of answers go, with all their words; without a key nothing is traced."""

    api_key: str = field(default="", repr=False)
    base_url: str = "https://api.smith.langchain.com"
    project: str = field(default="footnote", metadata=FIXED)

    def __post_init__(self) -> None:
        if not self.base_url.startswith(("http://", "https://")):
            raise ValueError("base_url must begin with http:// or https://")

    @property
    def configured(self) -> bool:
        """Whether it was switched on."""
        return bool(self.api_key)


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchConfig:
    """Whether papers are fetched from the internet by arXiv id, DOI or address. Off unless switched on."""

    enabled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetConfig:
    """What a language model may use up: tokens a day, which take time, and money a month, as bills come.

    0 sets no bound; beyond one answers quote instead.
    """

    workspace_day_tokens: int = 0
    user_day_tokens: int = 0
    workspace_month_cost: float = 0.0
    user_month_cost: float = 0.0

    def __post_init__(self) -> None:
        for name in self.__slots__:
            _within(name, getattr(self, name), 0, 1e15)


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """All of it; ``data`` is the folder that holds every workspace."""

    data: Path
    reading: ReadingConfig = field(default_factory=ReadingConfig)
    embedder: EmbedderConfig = field(default_factory=EmbedderConfig)
    search: SearchConfig = field(default_factory=SearchConfig)
    agent: AgentConfig = field(default_factory=AgentConfig)
    llm: LlmConfig = field(default_factory=LlmConfig)
    vlm: LlmConfig = field(default_factory=VlmConfig)
    langsmith: LangsmithConfig = field(default_factory=LangsmithConfig)
    fetch: FetchConfig = field(default_factory=FetchConfig)
    budget: BudgetConfig = field(default_factory=BudgetConfig)
