"""Games that are moved to another channel: what is left where they were, and that all players see them there."""

from __future__ import annotations

from bot.table.acts.places import CloseUnused
from bot.table.options import REMIND
from bot.table.table import ARCHIVED
from engine.actions import EndTurn, Roll
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_commands
from tests.bot.discord.hall import answer, labels, text
from tests.bot.discord.moments import at, before_discards
from tests.bot.discord.seen import calls, messages
from tests.bot.discord.tables import HOUR, paced, private_channel


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


async def test_a_moved_game_calls_the_player_who_was_reminded_once(open_hall: Opened, long_time: None) -> None:
    async with open_hall() as hall:
        person, _ = await paced(hall, 86_400, REMIND)
        await hall.env.advance_time(4 * HOUR)
        assert messages(hall, "⏰")
        hall.channel, since = hall.guild.create_text_channel("there"), len(hall.env.http_requests)
        await hall.people[0].slash(hall.channel, "game move", game=1)
        await hall.panel()
        assert [users for users, _ in calls(hall, since)] == [[person.id]]


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


async def test_the_message_of_an_archived_game_says_where_it_goes_on(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await hall.begin()
        await hall.services.games.act(1, 0, CloseUnused(ARCHIVED, (await hall.table()).updated))
        await hall.bot.app.publisher.idle()
        notice = await hall.panel()
        assert "Resume" in labels(notice)
        there = hall.guild.create_text_channel("there")
        await hall.people[1].slash(there, "game move", game=1)
        left = hall.message(notice.id)
        assert (text(left), labels(left)) == (f"This game continues in <#{there.id}>.", [])


async def test_a_turn_that_ended_where_it_could_not_be_shown_says_where_the_game_goes_on(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await hall.begin()
        game = await hall.advance(at("main"))
        before, there = await hall.panel(), hall.guild.create_text_channel("there")
        hall.env.inject_error("*", f"/channels/{hall.channel.id}/messages*", status=503, message="no", times=None)
        await by_commands(hall, await hall.person(game.to_act[0]), EndTurn())
        await hall.people[0].slash(there, "game move", game=1)
        hall.env.backend.faults.clear()
        await hall.env.advance_time(60)
        left = hall.message(before.id)
        assert (text(left), labels(left)) == (f"This game continues in <#{there.id}>.", [])
