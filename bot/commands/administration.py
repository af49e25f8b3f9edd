"""Commands on Footnote itself: help, status, what a channel sets for itself, reading what lies there already."""

from collections.abc import Sequence

from adapters.common.markdown import escape, table
from bot.commands.request import Action, Command, Request, check_may_manage
from bot.replies import general
from bot.replies.plurals import pluralize
from core.domain.channel_settings import SETTING_SPECS, ChannelSettings
from core.domain.errors import PlatformFailure, RateLimited
from core.domain.reply import Button, Field, Form, Reply

_FORM_SETTINGS = ("answer_on", "follow_ups", "private_first", "removers", "model")
_FORM_DIGEST = ("digest", "time_zone", "template")


async def status(request: Request) -> Reply:
    """What is here and how it is doing."""
    listed = await request.engine.papers.in_scope(request.scope)
    pages = sum(paper.pages for paper in listed)
    waiting = await request.backend.waiting(request.scope, besides="questions")
    verb = "is" if len(listed) == 1 else "are"
    summary = f"{pluralize(len(listed), 'paper')} with {pluralize(pages, 'page')} {verb} here."
    return Reply(kind="status", body=escape(f"{summary} {waiting}".strip()))


async def settings(request: Request) -> Reply:
    """Show the channel's settings, or change one: ``settings NAME = VALUE``."""
    name, equals, value = (part.strip() for part in request.words.partition("="))
    if not equals:
        return settings_table(await request.engine.channels.settings(request.channel))
    return settings_table(await request.engine.channels.put(request.channel, _setting(name), value, user=request.user))


async def save_settings(request: Request) -> Reply:
    """A settings form was sent; fields left as they are change nothing."""
    await check_may_manage(request)
    now = await request.engine.channels.settings(request.channel)
    for name in (*_FORM_SETTINGS, *_FORM_DIGEST):
        value = request.field(name)
        if value and value != _text(now, name):
            now = await request.engine.channels.put(request.channel, name, value, user=request.user)
    return settings_table(now)


async def backfill(request: Request) -> Reply:
    """Take in the PDFs that lie in the channel already; each is a job of its own, so a restart loses none."""
    found = new = 0
    await request.context.progress.step("looking through the channel", 0, 0)
    try:
        async for event in request.platform.earlier_files(request.channel):
            found += 1
            new += await request.accept(event)
            await request.context.progress.step("looking through the channel", found, 0)
    except RateLimited:
        raise
    except PlatformFailure as failure:
        raise PlatformFailure(f"{failure.words} {found} PDFs were found until then; ask again to go on.") from failure
    if not found:
        return general.notice("No PDFs were found in this channel.")
    return general.notice(f"{found} PDFs were found here; {new} are being read now, the others were known.")


def settings_form(now: ChannelSettings, *, name: str) -> Form:
    """The form behind ``settings`` (how it answers) or ``digest settings``."""
    names, title = (_FORM_SETTINGS, "Settings of this channel") if name == "settings" else (_FORM_DIGEST, "Digest")
    fields = tuple(
        Field(
            name=setting,
            label=spec.label,
            kind="choice" if spec.choices else "line",
            initial=_text(now, setting),
            hint=spec.does,
            choices=tuple((choice, choice) for choice in spec.choices),
            required=bool(spec.choices),
        )
        for setting, spec in ((setting, SETTING_SPECS[setting]) for setting in names)
    )
    return Form(name="settings", title=title, value=name, fields=fields, submit="Save")


def settings_table(now: ChannelSettings) -> Reply:
    """The settings as a table, with buttons that open the forms."""
    rows = [[spec.label, _text(now, name) or "usual", spec.does] for name, spec in SETTING_SPECS.items()]
    body = table(["Setting", "Now", "What it does"], rows)
    return Reply(
        kind="settings",
        body=f"{body}\n\n{escape('To change one: settings NAME = VALUE, with one of ' + ', '.join(SETTING_SPECS))}.",
        buttons=(
            Button(label="Change", action="settings", value="settings"),
            Button(label="Digest and tables", action="settings", value="digest"),
        ),
    )


def _shows_settings(words: str) -> bool:
    return "=" not in words


def _setting_choices() -> Sequence[str]:
    """Every setting, with each value that it takes where these are few."""
    return [f"{name} = {choice}".strip() for name, spec in SETTING_SPECS.items() for choice in (spec.choices or ("",))]


def _setting(words: str) -> str:
    """The name that ``words`` mean: the name itself, or the label."""
    wanted = words.casefold().replace(" ", "_").replace("-", "_")
    by_label = {spec.label.casefold().replace(" ", "_").replace("-", "_"): name for name, spec in SETTING_SPECS.items()}
    return by_label.get(wanted, wanted)


def _text(now: ChannelSettings, name: str) -> str:
    value = getattr(now, name)
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


COMMANDS = {
    "status": Command(usage="status", does="says what is here and how it is doing", run=status),
    "settings": Command(
        usage="settings NAME = VALUE",
        does="shows or changes what this channel has set",
        run=settings,
        takes_text=True,
        who_may="manager",
        reads_only=_shows_settings,
        choices=_setting_choices,
    ),
    "backfill": Command(
        usage="backfill",
        does="takes in the PDFs that lie in this channel already",
        run=backfill,
        public=True,
        takes_text=True,
        who_may="manager",
    ),
}
FORMS: dict[str, Action] = {"settings": save_settings}
