"""Chat and vision models behind any OpenAI-compatible endpoint; without one, the null objects.

The client's library loads with the first call, so a bot without a model never pays for it.
"""

from core.config import LlmConfig
from core.domain.language_models import EndpointMemory, LanguageModel, VisionModel
from core.llm.null_models import NullLanguageModel, NullVisionModel

__all__ = ["NullLanguageModel", "NullVisionModel", "open_language_model", "open_vision_model"]


def open_language_model(config: LlmConfig, memory: EndpointMemory | None = None) -> LanguageModel:
    """The model at ``config.base_url``, or one that is always unavailable where none is configured."""
    if not config.configured:
        return NullLanguageModel()
    from core.llm.chat import ChatModel

    return ChatModel(config, memory=memory)


def open_vision_model(config: LlmConfig, memory: EndpointMemory | None = None) -> VisionModel:
    """The model that looks at figures, or one that sees nothing where none is configured."""
    if not config.configured:
        return NullVisionModel()
    from core.llm.vision import VisionChatModel

    return VisionChatModel(config, memory=memory)
