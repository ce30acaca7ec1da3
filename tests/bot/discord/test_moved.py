"""Games that are moved to another channel: what is left where they were, and that all players see them there."""

from __future__ import annotations

from engine.actions import Roll
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_commands
from tests.bot.discord.hall import answer, labels, text
from tests.bot.discord.moments import before_discards
from tests.bot.discord.tables import private_channel


async def test_what_is_left_in_the_old_channel_is_put_away_after_an_outage(open_hall: Opened) -> None:
    """The new channel doesn't wait for that."""
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(before_discards)
        await by_commands(hall, await hall.person(game.to_act[0]), Roll())
        old, before = hall.channel, await hall.panel()
        assert [message for message in old.history() if "choose what to discard" in text(message)]
        hall.channel = hall.guild.create_text_channel("there")
        hall.env.inject_error("*", f"/channels/{old.id}/messages/*", status=503, message="no", times=None)
        await hall.people[0].slash(hall.channel, "game move", game=1)
        panel = await hall.panel()
        assert "Discard" in labels(panel)
        hall.env.backend.faults.clear()
        await hall.env.advance_time(60)
        assert (await hall.panel()).id == panel.id
        [left] = [message for message in old.history() if message.id == before.id]
        assert (text(left), labels(left)) == (f"This game continues in <#{hall.channel.id}>.", [])
        assert not [message for message in old.history() if "choose what to discard" in text(message)]


async def test_a_game_whose_channel_is_gone_isnt_moved_out_of_its_players_sight_either(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await hall.begin()
        _, other, third = hall.people
        place = await private_channel(hall, other)
        await (await hall.room()).delete()
        await hall.env.advance_time(1)
        assert "hidden from Cem and Ann" in answer(await other.slash(place, "game move", game=1))
        hall.guild.remove_member(third)
        place = await private_channel(hall, *hall.people[:2])
        assert "continues here" in answer(await other.slash(place, "game move", game=1))
