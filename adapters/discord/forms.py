"""A form as Discord's modal, and what came back of it. Pure.

Name and value of the form are the modal's id, so that it is understood when it comes back after a restart.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from adapters.discord.render import cut
from core.domain.reply import Field, Form

if TYPE_CHECKING:
    import discord

_TITLE = 45
_HINT = 100
_PLACEHOLDER = 100
_TEXT = 4_000
_CHOICES = 25
_FIELDS = 5


def modal(form: Form) -> "discord.ui.Modal":
    """The modal of ``form``; Discord shows five fields and names the button itself."""
    import discord

    shown = discord.ui.Modal(title=cut(form.title, _TITLE), custom_id=f"{form.name}:{form.value}"[:100])
    for field in form.fields[:_FIELDS]:
        shown.add_item(
            discord.ui.Label(
                text=cut(field.label, _TITLE),
                description=cut(field.hint, _HINT) if field.hint else None,
                component=_choice(field) if field.kind == "choice" else _text(field),
            )
        )
    shown.stop()  # it is understood by its id alone
    return shown


def filled_in(components: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """What was filled in, by the names of the fields; the payload of a modal that came back."""
    fields: dict[str, str] = {}
    for component in components:
        inner = component.get("components") or ([component["component"]] if "component" in component else [])
        fields |= filled_in(inner)
        if "custom_id" in component:
            values = component.get("values")
            fields[str(component["custom_id"])] = str(values[0] if values else component.get("value") or "")
    return fields


def _text(field: Field) -> "discord.ui.TextInput[discord.ui.Modal]":
    import discord

    return discord.ui.TextInput(
        custom_id=field.name,
        style=discord.TextStyle.paragraph if field.kind == "text" else discord.TextStyle.short,
        default=field.initial[:_TEXT] or None,
        placeholder=None,
        required=field.required,
        max_length=_TEXT,
    )


def _choice(field: Field) -> "discord.ui.Select[discord.ui.Modal]":
    import discord

    return discord.ui.Select(
        custom_id=field.name,
        required=field.required,
        min_values=1 if field.required else 0,
        options=[
            discord.SelectOption(label=cut(label, _PLACEHOLDER), value=value[:100], default=value == field.initial)
            for value, label in field.choices[:_CHOICES]
        ],
    )
