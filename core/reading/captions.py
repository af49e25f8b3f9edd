"""Captions: which blocks are captions, and the label that they carry ("Table 2", "Figure 3")."""

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from core.reading.blocks import Block

CaptionKind: TypeAlias = Literal["figure", "table"]

_FIGURE = (
    r"figures?|figs?\.?|abbildung|abb\.?|figura|graph|gr[aá]fic[oa]|graphique|chart|scheme|plate|illustration|图|圖|図"
)
_TABLE = r"tables?|tab\.?|tabla|tabela|tableau|tabelle|tabella|cuadro|quadro|表"
_NUMBER = r"(?:[A-Z]{0,2}[.\-]?\d+(?:[.\-]\d+)*[a-z]?|[IVX]+|[A-Z]\d*)"
_LABEL = re.compile(
    rf"^\s*(?P<more>(?:supplementa(?:ry|l)|extended data|supporting|appendix)\s+)?"
    rf"(?:(?P<figure>{_FIGURE})|(?P<table>{_TABLE}))\s*(?P<number>{_NUMBER})(?=$|[\s.:,;|)\]–—\-])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A caption's label as printed, with the kind of what it captions and what follows directly."""

    kind: CaptionKind
    text: str
    number: str
    rest: str


def label_of(text: str) -> Label | None:
    """The label that ``text`` opens with, or None."""
    found = _LABEL.match(text)
    if found is None or not found["number"][0].isascii():
        return None
    word = found["figure"] or found["table"]
    if not (word[0].isupper() or not word.isascii()):
        return None
    kind: CaptionKind = "figure" if found["figure"] else "table"
    label = " ".join(found.group(0).split())
    return Label(kind=kind, text=label, number=found["number"], rest=text[found.end() :])


def caption_label(block: Block) -> Label | None:
    """The label of a block that is a caption; prose that opens with "Table 2 shows" is none."""
    if not block.lines:
        return None
    label = label_of(" ".join(line.text for line in block.lines[:2]))
    if label is None:
        return None
    if block.kind == "caption":
        return label
    if block.kind in ("text", "section-header", "list-item", "title", "footnote"):
        return label if _stands_as_caption(block, label) else None
    return None


def _stands_as_caption(block: Block, label: Label) -> bool:
    rest = label.rest.lstrip()
    if label.rest[:1] in (":", "|") or rest[:1] in (":", "|", "–", "—"):
        return True
    first = block.lines[0].spans[0]
    styled = first.bold or first.italic
    if label.rest[:1] == "." and (rest[1:].lstrip()[:1].isupper() or not rest[1:].strip()):
        return True
    return styled or not rest
