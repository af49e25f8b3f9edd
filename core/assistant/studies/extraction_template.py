"""A channel's own table: "Organism; Sample size (how many animals); Assay" as a template, and back. Pure."""

import re

from core.domain.errors import SettingsInvalid
from core.domain.studies import STANDARD, Template, TemplateField

MOST = 16
LONGEST_NAME = 60
_FIELD = re.compile(r"^(?P<name>[^(:]+?)\s*(?:\((?P<hint>[^()]*)\)|:\s*(?P<told>.+))?$", re.DOTALL)


def template_of(text: str) -> Template:
    """The template that ``text`` means: fields parted by semicolons (or by commas, where there is no semicolon), each
    with a hint in brackets or behind a colon. Empty is the standard one. Raises ``SettingsInvalid`` in one sentence.
    """
    pieces = [" ".join(piece.split()) for piece in re.split(r"[;\n]" if re.search(r"[;\n]", text) else r",", text)]
    fields = [_field(piece) for piece in pieces if piece]
    if not fields:
        return STANDARD
    if len(fields) > MOST:
        raise SettingsInvalid(f"A table has at most {MOST} fields, not {len(fields)}.")
    names = [one.name.casefold() for one in fields]
    twice = next((one.name for at, one in enumerate(fields) if one.name.casefold() in names[:at]), "")
    if twice:
        raise SettingsInvalid(f"“{twice}” is there twice; each field needs a name of its own.")
    return Template(fields=tuple(fields))


def text_of(template: Template) -> str:
    """The text that gives ``template`` again."""
    return "; ".join(f"{one.name} ({one.hint})" if one.hint else one.name for one in template.fields)


def _field(piece: str) -> TemplateField:
    found = _FIELD.match(piece)
    name = (found["name"] if found else piece).strip()
    if found is None or not any(sign.isalnum() for sign in name) or len(name) > LONGEST_NAME:
        raise SettingsInvalid(
            f"“{piece[:LONGEST_NAME]}” is no field; please write NAME or NAME (hint), separated by semicolons."
        )
    return TemplateField(name=name, hint=(found["hint"] or found["told"] or "").strip())
