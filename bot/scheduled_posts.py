"""Digests and reminders that are due, with the names and links that only platforms know."""

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING

from bot.replies import groups as group_replies
from bot.replies.groups import DisplayContext
from core.domain.errors import PlatformFailure
from core.domain.events import DigestDue
from core.domain.groups import Digest
from core.domain.model import Channel, Thread
from core.domain.platforms import ChatPlatform
from core.domain.reply import Reply

if TYPE_CHECKING:
    from core.services.groups import Groups


async def post(event: DigestDue, groups: "Groups", platform: ChatPlatform) -> Reply | None:
    """The digest or reminder that is due; None where there is nothing to say."""
    channel = event.thread.channel
    plan = await groups.plan(channel)
    if event.name == "journal":
        number = event.period.partition("/")[0]
        reminder = await groups.reminder(channel, int(number)) if number.isdigit() else None
        if reminder is None:
            return None
        context = await load_display_context(
            channel, platform, zone=plan.settings.time_zone, users=(q.user for q in reminder.questions)
        )
        return group_replies.reminder(reminder, context)
    digest = await groups.digest(channel, event.period)
    if digest is None:
        return None
    return group_replies.digest(digest, await digest_context(digest, platform, zone=plan.settings.time_zone))


async def digest_context(digest: Digest, platform: ChatPlatform, *, zone: str) -> DisplayContext:
    """Names and links that a digest shows."""
    users = (user for arrival in digest.arrivals for user in arrival.users)
    shown = group_replies.MOST_QUESTIONS
    asked = (question.thread for question in (*digest.answered[:shown], *digest.unanswered[:shown]))
    return await load_display_context(digest.channel, platform, zone=zone, users=users, threads=asked)


async def load_display_context(
    channel: Channel,
    platform: ChatPlatform,
    *,
    zone: str,
    users: Iterable[str] = (),
    threads: Iterable[Thread] = (),
) -> DisplayContext:
    """Names and links from the platform; where the platform fails they are missing, and the post is not."""
    people = [user for user in dict.fromkeys(users) if user]
    distinct = {thread.key: thread for thread in threads}
    names = await asyncio.gather(
        *(platform.name_of(channel.workspace, user) for user in people), return_exceptions=True
    )
    links = await asyncio.gather(*map(platform.link, distinct.values()), return_exceptions=True)
    for result in (*names, *links):
        if isinstance(result, BaseException) and not isinstance(result, PlatformFailure):
            raise result
    return DisplayContext(
        zone=zone,
        names={user: name for user, name in zip(people, names, strict=True) if isinstance(name, str)},
        links={key: link for key, link in zip(distinct, links, strict=True) if isinstance(link, str)},
    )
