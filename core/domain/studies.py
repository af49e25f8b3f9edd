"""What is made of whole papers: summaries, tables, comparisons and reviews, each sentence and cell with its citations.

These values are kept and sent like answers; they live apart from ``model`` because nothing that answers a question
needs them. Nothing reported is an empty text without citations, never a guess.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from core.domain.model import AnswerMode, Citation, Sentence, Usage

PairKind: TypeAlias = Literal["agreement", "contradiction"]
StudyKind: TypeAlias = Literal["summarise", "compare"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateField:
    """One column of an extraction: its name, and in a few words what belongs there (searched, never shown as found)."""

    name: str
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """What is taken out of a paper, in the order in which it is shown."""

    fields: tuple[TemplateField, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the fields."""
        return tuple(item.name for item in self.fields)


STANDARD = Template(
    fields=(
        TemplateField(name="Dataset"),
        TemplateField(name="Size"),
        TemplateField(name="Method or architecture"),
        TemplateField(name="Training or procedure"),
        TemplateField(name="Metrics"),
        TemplateField(name="Main results"),
        TemplateField(name="Limitations"),
        TemplateField(name="Future work"),
    )
)
"""The template of a channel that has set none of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """How a study came about. ``model`` is empty where no language model was asked; ``notes`` go to the footer."""

    mode: AnswerMode
    model: str = ""
    prompts: str = ""
    notes: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two papers' sentences on one matter that say the same, or the opposite."""

    kind: PairKind
    first: Sentence
    second: Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A named part of a summary or review. Without sentences, ``missing`` says that nothing is stated."""

    name: str
    sentences: tuple[Sentence, ...] = ()
    pairs: tuple[Pair, ...] = ()
    missing: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A paper in sections; ``citations`` are numbered from 1 through all of them."""

    paper_id: str
    sections: tuple[Section, ...]
    citations: tuple[Citation, ...]
    making: Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What one paper reports for one field: verified words with their citations, or neither."""

    field: str
    text: str = ""
    citations: tuple[Citation, ...] = ()

    @property
    def reported(self) -> bool:
        """Whether there is a value."""
        return bool(self.text)

    @property
    def markers(self) -> tuple[int, ...]:
        """The markers of its citations."""
        return tuple(item.marker for item in self.citations)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """A paper's row of a table, one cell a field of the template."""

    paper_id: str
    cells: tuple[Cell, ...]
    making: Provenance

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Every citation of its cells, by marker."""
        return _by_marker(self.cells)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A field that at least two papers report: one cell a paper, in the comparison's order of papers."""

    field: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NotCompared:
    """A field that fewer than two papers report, with the ids of those that do."""

    field: str
    reported_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Papers side by side. ``message`` is said where they have nothing in common that could be compared.

    Every figure of ``synthesis`` stands in ``rows``.
    """

    papers: tuple[str, ...]
    rows: tuple[Row, ...]
    not_compared: tuple[NotCompared, ...]
    synthesis: tuple[Sentence, ...]
    making: Provenance
    message: str = ""

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Every citation of its cells, by marker."""
        return _by_marker(cell for row in self.rows for cell in row.cells)


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """What one paper argues, or what several say on ``subject``, grouped by theme."""

    subject: str
    papers: tuple[str, ...]
    sections: tuple[Section, ...]
    citations: tuple[Citation, ...]
    making: Provenance
    message: str = ""


def _by_marker(cells: Iterable[Cell]) -> tuple[Citation, ...]:
    found = {item.marker: item for cell in cells for item in cell.citations}
    return tuple(found[marker] for marker in sorted(found))


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyRequest:
    """A message that asks for a study instead of an answer, with the papers it means.

    Without ``papers`` it is not clear which are meant: ``message`` asks back, ``candidates`` may be meant. ``most`` is
    how many sentences a summary shall have; 0 where that was not said.
    """

    kind: StudyKind
    papers: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    message: str = ""
    most: int = 0
