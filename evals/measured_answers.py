"""What the evaluation takes of answering, beside the services: the steps and checks that it measures by themselves.

Only this module names them: what a model is asked, entailment, quote spans, and the same sentences
and words that answers are made of.
"""

from core.agent.reasoner import ModelCapability
from core.assistant.papers.paper_card import counts
from core.grounding.entailment import RuleEntailment
from core.grounding.quotes import PassageSpan, build_quote_spans
from core.llm import open_language_model, prompts
from core.text import alphanumeric_key_with_offsets, split_sentences
from core.understanding.query_terms import terms

__all__ = [
    "ModelCapability",
    "PassageSpan",
    "RuleEntailment",
    "alphanumeric_key_with_offsets",
    "build_quote_spans",
    "counts",
    "open_language_model",
    "prompts",
    "split_sentences",
    "terms",
]
