"""Commands on what a group does by the calendar: digests of a channel, journal clubs."""

import re

from adapters.common.markdown import escape
from bot.commands.request import Command, Request
from bot.replies import general, groups
from bot.schedule import digest_context, load_display_context
from core.domain.errors import SettingsInvalid
from core.domain.reply import Reply

_TIME = re.compile(r"^(\d{1,2})[:.h](\d{2})$")
_DAYS = {name: number for number, name in enumerate(("sun", "mon", "tue", "wed", "thu", "fri", "sat"))}
_MEETING = re.compile(r"^(?P<paper>.+?)(?:\s+on\s+|\s*[,:]\s*)(?P<when>\S.*)$", re.IGNORECASE | re.DOTALL)
_USAGE = (
    "Please write it as: digest weekly fri 16:00, digest daily 8:30, digest 0 9 * * 1, digest off or digest preview."
)


async def digest(request: Request) -> Reply:
    """Say when the channel's digest comes, show it now, or set when it comes."""
    words = request.words
    if not words:
        return await _next_digest(request)
    if words.lower() == "preview":
        settings = await request.engine.channels.settings(request.channel)
        made = await request.engine.groups.preview(request.channel)
        context = await digest_context(made, request.platform, zone=settings.time_zone)
        return groups.digest(made, context, head="Preview: what happened here")
    text, _, zone = (part.strip() for part in words.partition(" in "))
    await request.engine.groups.schedule(request.channel, cron_of(text), zone, user=request.user)
    return await _next_digest(request)


def _shows_digest(words: str) -> bool:
    return words.lower() in ("", "preview")


async def _next_digest(request: Request) -> Reply:
    plan = await request.engine.groups.plan(request.channel)
    zone = plan.settings.time_zone
    if plan.next_at is None:
        answer = f"This channel has no digest. {_USAGE}"
    else:
        at = groups.DisplayContext(zone=zone).time(plan.next_at)
        answer = f"The next digest of this channel comes on {at} ({zone}), if anything happens here until then."
    return Reply(kind="digest", body=escape(answer))


def cron_of(words: str) -> str:
    """What is stored for a schedule in words: ``weekly fri 16:00`` is ``0 16 * * 5``. Raises ``SettingsInvalid``."""
    parts = words.lower().split()
    if len(parts) == 5 and not parts[0].isalpha():
        return " ".join(parts)
    if not parts or parts[0] not in ("off", "daily", "weekly", "monthly"):
        raise SettingsInvalid(f"“{words}” is no schedule. {_USAGE}")
    hour, minute, day = 9, 0, "1"
    for part in parts[1:]:
        time = _TIME.match(part)
        if time and int(time[1]) < 24 and int(time[2]) < 60:
            hour, minute = int(time[1]), int(time[2])
        elif parts[0] == "weekly" and part[:3] in _DAYS:
            day = str(_DAYS[part[:3]])
        elif part not in ("at", "on"):
            raise SettingsInvalid(f"“{part}” is no day or time. {_USAGE}")
    cron = {
        "off": "off",
        "daily": f"{minute} {hour} * * *",
        "weekly": f"{minute} {hour} * * {day}",
        "monthly": f"{minute} {hour} 1 * *",
    }
    return cron[parts[0]]


async def journal(request: Request) -> Reply:
    """List meetings, plan one on a paper, keep a member's question, or call the thread's meeting off."""
    verb, _, rest = request.words.partition(" ")
    match verb.lower():
        case "":
            return await _clubs(request)
        case "ask" | "add" if rest.strip():
            kept = await request.engine.groups.ask(request.thread, " ".join(rest.split()), user=request.user)
            users = (item.user for item in kept)
            context = await load_display_context(request.channel, request.platform, zone="UTC", users=users)
            return Reply(kind="journal", body=groups.questions(kept, context))
        case "cancel":
            await request.engine.groups.cancel(request.thread)
            return Reply(kind="journal", body="The meeting planned in this thread is called off.")
        case _:
            return await _meeting(request)


async def _meeting(request: Request) -> Reply:
    asked = _MEETING.match(request.words)
    if asked is None:
        return general.notice(
            "Please write it as: journal PAPER on 2026-12-04 15:00, or journal PAPER on friday 15:00."
        )
    paper = await request.backend.paper(request.scope, asked["paper"])
    brief = await request.engine.groups.meet(request.thread, request.scope, paper.id, asked["when"], user=request.user)
    settings = await request.engine.channels.settings(request.channel)
    return groups.brief(brief, groups.DisplayContext(zone=settings.time_zone))


async def _clubs(request: Request) -> Reply:
    settings = await request.engine.channels.settings(request.channel)
    papers = {paper.id: paper for paper in await request.engine.papers.in_scope(request.scope)}
    coming = [
        (club, papers[club.paper_id])
        for club in await request.engine.groups.clubs(request.channel)
        if club.paper_id in papers
    ]
    return groups.clubs(coming, groups.DisplayContext(zone=settings.time_zone))


COMMANDS = {
    "digest": Command(
        usage="digest WHEN",
        does="says or sets when this channel's digest comes; digest preview shows it now",
        run=digest,
        public=True,
        who_may="manager",
        reads_only=_shows_digest,
    ),
    "journal": Command(
        usage="journal PAPER on DATE",
        does="plans a journal club with a brief and a reminder; journal ask QUESTION adds to it",
        run=journal,
        public=True,
        takes_paper=True,
        takes_text=True,
    ),
}
