"""Who sees what: channels that are closed, roles that are lost, servers apart, and who may change things."""

from pathlib import Path

import discord
import simcord

from core.domain.model import Channel, Workspace
from tests.adapters.discord.world import World, confirmed, said, text, world

SECRET = ("secret.pdf", b"%PDF Secret\nThe secret word is xylophone.")
HIDDEN = discord.PermissionOverwrite(view_channel=False)
SEEN = discord.PermissionOverwrite(view_channel=True, read_message_history=True, send_messages=True)


async def reviewers(w: World) -> tuple[simcord.RoleHandle, simcord.ChannelHandle]:
    """A role, and a channel that this role alone sees; alice has it."""
    role = w.guild.create_role("reviewers")
    me = w.guild.me
    assert me is not None
    private = w.guild.create_text_channel("private", overwrites={w.guild.default_role: HIDDEN, role: SEEN, me: SEEN})
    w.env.backend.add_member_role(w.guild.id, w.alice.id, role.id)
    await w.env.settle()
    return role, private


async def answered(w: World, actor: simcord.MemberActor, channel: simcord.ChannelHandle, words: str) -> str:
    """What the bot says to a question of somebody."""
    before = len(channel.threads)
    await actor.send(channel, f"{w.mention} {words}")
    await w.until(lambda: len(channel.threads) > before)
    await w.at_rest()
    return said(channel.threads[before])


async def test_a_channel_that_everyone_cannot_see_is_found_only_from_itself(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        _, private = await reviewers(w)
        await w.alice.send(private, "", attachments=[SECRET])
        await w.until(lambda: private.threads and "Secret" in said(private.threads[0]))
        assert "xylophone" in await answered(w, w.alice, private, "what is the secret word?")
        assert "xylophone" not in await answered(w, w.alice, w.channel, "what is the secret word?")
        assert (await w.platform.channel(w.location.workspace, str(private.id))).visibility == "restricted"


async def test_a_role_that_is_lost_takes_its_channels_along_at_once(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        role = w.guild.create_role("members")
        half = w.guild.create_text_channel("half", overwrites={role: HIDDEN})
        await w.env.settle()
        await w.alice.send(half, "", attachments=[SECRET])
        await w.until(lambda: half.threads and "Secret" in said(half.threads[0]))
        assert "xylophone" in await answered(w, w.alice, w.channel, "what is the secret word?")
        w.env.backend.add_member_role(w.guild.id, w.alice.id, role.id)
        await w.env.settle()
        assert "xylophone" not in await answered(w, w.alice, w.channel, "what is the secret word?")
        assert str(half.id) not in await w.platform.visible_channels(w.location.workspace, str(w.alice.id))
        assert str(half.id) in await w.platform.visible_channels(w.location.workspace, str(w.bob.id))


async def test_a_channel_that_is_closed_later_is_found_from_outside_no_more(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        other = w.guild.create_text_channel("other")
        await w.env.settle()
        await w.alice.send(other, "", attachments=[SECRET])
        await w.until(lambda: other.threads and "Secret" in said(other.threads[0]))
        assert "xylophone" in await answered(w, w.alice, w.channel, "what is the secret word?")
        opened = w.client.get_channel(other.id)
        assert isinstance(opened, discord.TextChannel)
        await opened.set_permissions(opened.guild.default_role, view_channel=False)
        await w.env.settle()
        assert "xylophone" not in await answered(w, w.alice, w.channel, "what is the secret word?")


async def test_a_thread_has_its_channels_papers_and_a_private_thread_its_own(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.drop()
        channel = w.client.get_channel(w.channel.id)
        assert isinstance(channel, discord.TextChannel)
        made = await channel.create_thread(name="closed", type=discord.ChannelType.private_thread)
        await made.add_user(discord.Object(w.alice.id))
        await w.env.settle()
        closed = next(item for item in w.channel.threads if item.id == made.id)
        await w.alice.send(closed, "", attachments=[SECRET])
        await w.until(lambda: "Found" in said(closed))
        await w.alice.send(closed, f"{w.mention} what is the secret word?")
        await w.until(lambda: "xylophone. \\[1\\]" in said(closed))
        await w.alice.send(closed, f"{w.mention} who follow footnotes?")  # the open channel above is found too
        await w.until(lambda: "Readers follow footnotes home" in said(closed))
        assert "xylophone" not in await answered(w, w.alice, w.channel, "what is the secret word?")
        w.env.backend.delete_channel(closed.id)
        await w.env.settle()
        await w.until(lambda: w.engine.channels.closed == [str(closed.id)])


async def test_servers_are_apart(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.drop()
        elsewhere = w.env.create_guild("Elsewhere")
        channel = elsewhere.create_text_channel("papers")
        carol = elsewhere.add_member(w.env.create_user("carol"))
        await w.env.settle()
        assert "Nothing here says so" in await answered(w, carol, channel, "who follow footnotes?")
        assert await w.platform.visible_channels(w.location.workspace, str(carol.id)) == frozenset()


async def test_who_may_change_a_channel_may_change_its_settings(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        assert not await w.platform.may_manage(w.location, str(w.alice.id))
        refused = await w.alice.slash(w.channel, "settings", name="model", value="off")
        await w.until(
            lambda: refused.response is not None and "manager of this channel" in text(refused.response.message)
        )
        w.make_manager(w.alice)
        assert await w.platform.may_manage(w.location, str(w.alice.id))
        changed = await w.alice.slash(w.channel, "settings", name="model", value="off")
        await w.until(lambda: w.engine.channels.stored.get(str(w.channel.id)) == {"model": "off"})
        await w.until(lambda: changed.response is not None and "Language model" in text(changed.response.message))
        direct = Channel(workspace=Workspace(platform="discord", id="dm5"), id="5")
        assert await w.platform.may_manage(direct, str(w.bob.id))


async def test_a_paper_is_removed_by_who_shared_it_or_a_manager(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.drop()
        refused = await w.bob.slash(w.channel, "forget", paper="footnotes")
        await w.until(lambda: refused.response is not None and "can be removed by" in text(refused.response.message))
        assert w.titles() == ["On Footnotes"]
        await confirmed(w, "footnotes")
        await w.until(lambda: w.titles() == [])


async def test_without_the_right_to_make_threads_the_answer_is_a_reply(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        channel = w.client.get_channel(w.channel.id)
        assert isinstance(channel, discord.TextChannel)
        await channel.set_permissions(channel.guild.default_role, create_public_threads=False)
        await w.env.settle()
        question = await w.ask("who follow footnotes?")
        await w.until(lambda: "Nothing here says so" in said(w.channel))
        answer = w.channel.last_message
        assert answer is not None and answer.reference is not None and answer.reference.message_id == question.id
        await w.alice.send(w.channel, "and now?", reply_to=answer)
        await w.until(lambda: "ask and now?" in w.engine.papers.calls)
        assert not w.channel.threads


async def test_people_and_places_have_names_and_addresses(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        message = await w.drop()
        assert await w.platform.name_of(w.location.workspace, str(w.alice.id)) == "alice"
        assert await w.platform.name_of(w.location.workspace, "") == ""
        (event,) = [event async for event in w.platform.earlier_files(w.location)]
        server, thread = w.guild.id, w.thread().id
        assert await w.platform.link(event.thread) == f"https://discord.com/channels/{server}/{thread}"
        there = f"https://discord.com/channels/{server}/{w.channel.id}/{message.id}"
        assert await w.platform.link(event.thread, event.message) == there
        assert await w.platform.installed(w.location.workspace)
        assert not await w.platform.installed(Workspace(platform="discord", id="12345"))


async def test_where_the_bot_may_not_write_the_question_gets_a_sign_and_commands_their_answer(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        channel = w.client.get_channel(w.channel.id)
        assert isinstance(channel, discord.TextChannel)
        await channel.set_permissions(
            channel.guild.me, send_messages=False, send_messages_in_threads=False, create_public_threads=False
        )
        await w.env.settle()
        question = await w.ask("who follow footnotes?")

        def signs() -> list[str]:
            asked = next(item for item in w.channel.history() if item.id == question.id)
            return [str(item.emoji) for item in asked.reactions]

        await w.until(lambda: "⚠️" in signs())
        assert not w.own(w.channel) and not w.channel.threads
        papers = await w.alice.slash(w.channel, "papers")
        await w.until(lambda: papers.response is not None and "no papers here yet" in text(papers.response.message))
