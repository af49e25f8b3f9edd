"""A reply as Discord's messages and a form as its modal, within every limit. Pure.

Messages are made of components (their second version), because these alone let text, pictures and buttons stand
in any order. A long reply becomes several messages; each is whole in itself, the buttons are under the last.
The ids of buttons and modals hold action and value, so that they are understood after a restart.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from adapters.common.splitting import length, split
from adapters.discord.markdown import body_text, small
from core.domain.citation_format import footnote_text
from core.domain.reply import Attachment, Button, Field, Form, Reply

if TYPE_CHECKING:
    import discord


TEXT_LIMIT = 4_000
"""Characters over all texts of one message."""
COMPONENTS = 40
"""Components of one message, nested ones counted."""
FILES = 10
LABEL = 80
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]")
_ROOM = 3_900
_ROW = 5
_MOST_BUTTONS = 25
_WIDE_LABEL = 24
_GREY = 0x6D6D6D
_COLOURS = {"ingest": 0x2E7D32, "error": 0xB3261E, "home": 0x2F4B7C, "settings": 0x2F4B7C, "forgotten": _GREY}
_STYLES = {"plain": 2, "primary": 1, "danger": 4}

Slot: TypeAlias = Literal["body", "notes", "footer"]


@dataclass(frozen=True, slots=True)
class Page:
    """One message: texts in order (a rule stands between body and notes), then pictures, files, buttons."""

    texts: tuple[tuple[Slot, str], ...] = ()
    files: tuple[Attachment, ...] = ()
    buttons: tuple[Button, ...] = ()
    colour: int | None = None
    mark: int = 0

    @property
    def size(self) -> int:
        """Characters over all texts."""
        return sum(length(text) for _, text in self.texts)


@dataclass
class _Filling:
    pages: list[list[tuple[Slot, str]]] = field(default_factory=lambda: [[]])

    def add(self, slot: Slot, text: str) -> None:
        """Put ``text`` where it fits; the parts of one slot run together on a page."""
        page = self.pages[-1]
        used = sum(length(part) for _, part in page)
        if page and used + length(text) + 2 > _ROOM:
            page = []
            self.pages.append(page)
        if page and page[-1][0] == slot:
            gap = "\n" if slot == "notes" else "\n\n"
            text = f"{page.pop()[1]}{gap}{text}"
        page.append((slot, text))


def pages(reply: Reply, *, mark: int = 0, file_limit: int = 10 * 2**20) -> tuple[Page, ...]:
    """The messages of ``reply``; ``file_limit`` is what one file may have in bytes here."""
    fitting = _with_distinct_names([file for file in reply.files if len(file.data) <= file_limit])
    left_out = [file.name for file in reply.files if len(file.data) > file_limit]
    filling = _Filling()
    for part in split(body_text(reply.body), _ROOM):
        filling.add("body", part)
    for note in reply.footnotes:
        for part in split(small(footnote_text(note)), _ROOM):
            filling.add("notes", part)
    for words in (*(f"{name} is too large to be attached here." for name in left_out), reply.footer):
        for part in split(small(words), _ROOM) if words else ():
            filling.add("footer", part)
    colour = _colour(reply)
    texts = [tuple(page) for page in filling.pages]
    messages = [Page(texts=page, colour=colour, mark=mark + index) for index, page in enumerate(texts)]
    buttons = _with_distinct_ids(reply.buttons)[:_MOST_BUTTONS]
    messages[-1] = replace(messages[-1], files=tuple(fitting[:FILES]), buttons=buttons)
    for start in range(FILES, len(fitting), FILES):
        further = tuple(fitting[start : start + FILES])
        messages.append(Page(texts=(("footer", small("more files")),), files=further, mark=mark + len(messages)))
    return tuple(messages)


def layout_view(page: Page) -> "discord.ui.LayoutView":
    """The message as discord.py takes it. Its files are attached by the same names."""
    import discord

    view = discord.ui.LayoutView(timeout=None)
    items = _items(page)
    if page.colour is None:
        for item in items:
            view.add_item(item)
    else:
        view.add_item(discord.ui.Container(*items, accent_colour=page.colour))
    view.stop()  # presses are understood by their ids alone, after a restart too; nothing need be kept for them
    return view


def button_id(button: Button) -> str:
    """What comes back with a press, at most 100 characters."""
    return f"{button.action}:{button.value}"


def parse_custom_id(custom_id: str) -> tuple[str, str]:
    """Action and value of a press."""
    action, _, value = custom_id.partition(":")
    return action, value


def _items(page: Page) -> "list[discord.ui.Item[discord.ui.LayoutView]]":
    import discord

    items: list[discord.ui.Item[discord.ui.LayoutView]] = []
    texts = page.texts
    if not texts and not page.files:
        texts = (("footer", small("done")),)
    mark = page.mark or None
    for slot, text in texts:
        if items and slot == "notes":
            items.append(discord.ui.Separator(visible=True))
        items.append(discord.ui.TextDisplay(text, id=mark))
        mark = None
    pictures = [file for file in page.files if file.mime.startswith("image/")]
    others = [file for file in page.files if file not in pictures]
    if pictures:
        items.append(_gallery(pictures))
    items += [discord.ui.File(f"attachment://{upload_name(file.name)}") for file in others]
    return [*items, *_rows(page.buttons)]


def _gallery(pictures: Sequence[Attachment]) -> "discord.ui.MediaGallery[discord.ui.LayoutView]":
    import discord

    gallery: discord.ui.MediaGallery[discord.ui.LayoutView] = discord.ui.MediaGallery()
    for file in pictures:
        gallery.add_item(media=f"attachment://{upload_name(file.name)}", description=file.alt[:1024] or None)
    return gallery


def upload_name(name: str) -> str:
    """A file's name as Discord keeps it: letters, digits, dots, dashes and underscores."""
    return _NOT_IN_NAMES.sub("_", name) or "file"


def _rows(buttons: Sequence[Button]) -> "list[discord.ui.Item[discord.ui.LayoutView]]":
    import discord

    rows: list[discord.ui.Item[discord.ui.LayoutView]] = []
    row: list[Button] = []
    few = len(buttons) <= _ROW

    def close() -> None:
        if row:
            rows.append(discord.ui.ActionRow(*map(_button, row)))
            row.clear()

    for button in buttons:
        is_wide = bool(row) and few and max(len(button.label), len(row[-1].label)) > _WIDE_LABEL
        if is_wide or len(row) == _ROW:
            close()
        row.append(button)
    close()
    return rows


def _button(button: Button) -> "discord.ui.Button[discord.ui.LayoutView]":
    import discord

    words = " ".join(button.label.split()) or button.action
    label = cut(words, LABEL)
    return discord.ui.Button(
        label=label, custom_id=button_id(button)[:100], style=discord.ButtonStyle(_STYLES[button.style])
    )


def _with_distinct_names(files: Sequence[Attachment]) -> list[Attachment]:
    """The files, no two with one name: a message shows its files by their names."""
    seen: dict[str, int] = {}
    renamed: list[Attachment] = []
    for file in files:
        name = upload_name(file.name)
        seen[name] = seen.get(name, 0) + 1
        renamed.append(file if seen[name] == 1 else replace(file, name=f"{seen[name]}-{name}"))
    return renamed


def _with_distinct_ids(buttons: Sequence[Button]) -> tuple[Button, ...]:
    """The buttons, no two with one id: Discord refuses a message where a press could mean either."""
    return tuple({button_id(button): button for button in buttons}.values())


def _colour(reply: Reply) -> int | None:
    """The colour of the frame, where there is one; a paper that was not taken in has no green one."""
    if reply.kind == "ingest" and not (reply.papers or reply.footnotes):
        return _GREY
    return _COLOURS.get(reply.kind)


def thread_name(words: str) -> str:
    """What a thread is called: the question or file name, at most 100 characters."""
    return cut(" ".join(words.split()).strip() or "Footnote", 100)


def cut(words: str, limit: int) -> str:
    """``words`` with at most ``limit`` characters, an ellipsis where some are missing."""
    if length(words) <= limit:
        return words
    while length(words) > limit - 2:
        words = words[:-1]
    return f"{words.rstrip()} …"


_TITLE = 45
_HINT = 100
_PLACEHOLDER = 100
_TEXT = 4_000
_CHOICES = 25
_FIELDS = 5


def modal(form: Form) -> "discord.ui.Modal":
    """The modal of ``form``; Discord shows five fields and names the button itself."""
    import discord

    view = discord.ui.Modal(title=cut(form.title, _TITLE), custom_id=f"{form.name}:{form.value}"[:100])
    for form_field in form.fields[:_FIELDS]:
        view.add_item(
            discord.ui.Label(
                text=cut(form_field.label, _TITLE),
                description=cut(form_field.hint, _HINT) if form_field.hint else None,
                component=_choice(form_field) if form_field.kind == "choice" else _text(form_field),
            )
        )
    view.stop()  # it is understood by its id alone
    return view


def parse_fields(components: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """What was filled in, by the names of the fields; the payload of a modal that came back."""
    fields: dict[str, str] = {}
    for component in components:
        inner = [component["component"]] if "component" in component else []
        fields |= parse_fields(component.get("components") or inner)
        if "custom_id" in component:
            value, *_ = component.get("values") or (component.get("value"),)
            fields[str(component["custom_id"])] = str(value or "")
    return fields


def _text(form_field: Field) -> "discord.ui.TextInput[discord.ui.Modal]":
    import discord

    return discord.ui.TextInput(
        custom_id=form_field.name,
        style=discord.TextStyle.paragraph if form_field.kind == "text" else discord.TextStyle.short,
        default=form_field.initial[:_TEXT] or None,
        placeholder=None,
        required=form_field.required,
        max_length=_TEXT,
    )


def _choice(form_field: Field) -> "discord.ui.Select[discord.ui.Modal]":
    import discord

    return discord.ui.Select(
        custom_id=form_field.name,
        required=form_field.required,
        min_values=1 if form_field.required else 0,
        options=[
            discord.SelectOption(label=cut(label, _PLACEHOLDER), value=value[:100], default=value == form_field.initial)
            for value, label in form_field.choices[:_CHOICES]
        ],
    )
