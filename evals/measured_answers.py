"""What the evaluation takes of answering, beside the services: the steps and checks that it measures by themselves.

Only this module names them: the model's reasoner and its prompts, entailment, quote spans, and the same sentences
and words that answers are made of.
"""

from core.agent.generative import prompts
from core.agent.generative.control_questions import CONTROLS
from core.agent.generative.reasoner import ModelReasoner
from core.agent.reasoner import Reasoner, RunContext
from core.agent.state import Finding, Understanding
from core.assistant.papers.paper_card import counts
from core.grounding.entailment import RuleEntailment
from core.grounding.quotes import PassageSpan, build_quote_spans
from core.llm import open_language_model
from core.text import alphanumeric_key_with_offsets, split_sentences
from core.understanding import route
from core.understanding.query_terms import terms
from core.understanding.route import Part

__all__ = [
    "CONTROLS",
    "Finding",
    "ModelReasoner",
    "Part",
    "PassageSpan",
    "Reasoner",
    "RuleEntailment",
    "RunContext",
    "Understanding",
    "alphanumeric_key_with_offsets",
    "build_quote_spans",
    "counts",
    "open_language_model",
    "prompts",
    "route",
    "split_sentences",
    "terms",
]
