"""Which blocks are headings, and where each stands in the outline."""

import re
from collections.abc import Sequence

from core.reading.parts import Part

_NUMBERED = re.compile(
    r"^\s*(?:(?:Appendix|Anhang|Annexe|Anexo|Apéndice|Appendice)\s+)?"
    r"(?P<number>(?:\d{1,2}|[A-Z]|[IVX]{1,5})(?:\.\d{1,2})*)(?P<dot>[.):]?)\s+(?=\S)"
)
_REFERENCES = re.compile(
    r"^\W*(?:[\dIVXA-Z]{1,4}[.)]?\s+)?(?:references(?: and notes)?|bibliography|literature cited|works cited"
    r"|referencias(?: bibliográficas)?|bibliografía|referências(?: bibliográficas)?|bibliografia|références"
    r"|bibliographie|literatur(?:verzeichnis)?|riferimenti(?: bibliografici)?|参考文献|參考文獻)\W*$",
    re.IGNORECASE,
)


def is_references(heading: str) -> bool:
    """Whether a heading opens the reference list."""
    return _REFERENCES.match(heading) is not None


def number_of(heading: str) -> tuple[str, ...]:
    """The parts of a heading's number: ("4", "3", "1") of "4.3.1 Undersampling", empty without one."""
    found = _NUMBERED.match(heading)
    return tuple(found["number"].split(".")) if found else ()


def with_headings(parts: Sequence[Part]) -> tuple[Part, ...]:
    """``parts`` with headings marked, levelled, and the section path on every part."""
    from dataclasses import replace

    path: list[tuple[int, str]] = []
    done = []
    for part in parts:
        if part.role == "text" and part.block.kind == "section-header":
            text = " ".join(part.text.split())
            level = len(number_of(text)) or 1
            path = [step for step in path if step[0] < level] + [(level, text)]
            done.append(replace(part, role="heading", level=level, section=tuple(step[1] for step in path)))
        else:
            done.append(replace(part, section=tuple(step[1] for step in path)))
    return tuple(done)
